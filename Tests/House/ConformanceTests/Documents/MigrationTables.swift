// swift-format-ignore-file
// The tables of "From NSPredicate" and "From #Predicate". Each row is compiled and run here. The tables of the articles
// are generated from these lines; `UPDATE_GOLDEN=1` rewrites them.

import Foundation
import PredicateFoundation
import Testing

private struct Album: Queryable {
    var title: String
    var price: Double
    var nickname: String?
    var tags: [String]
    var orders: [Order]

    static let keys: KeyTable<Album> = [
        .key("title", \.title), .key("price", \.price), .key("nickname", \.nickname), .key("tags", \.tags),
        .key("orders", \.orders),
    ]

    static let all = [
        Album(title: "A", price: 5, nickname: "Lo", tags: ["new"], orders: [Order(total: 12)]),
        Album(title: "Élan", price: 12, nickname: nil, tags: [], orders: []),
        Album(title: "Bee", price: 9, nickname: "Hi", tags: ["new", "old"], orders: [Order(total: 3), Order(total: 10)]),
    ]
}

private struct Order: Queryable {
    var total: Int
    static let keys: KeyTable<Order> = [.key("total", \.total)]
}

private struct Contact: Queryable {
    var name: String
    var age: Int?
    static let keys: KeyTable<Contact> = [.key("name", \.name), .key("age", \.age)]
}

private let contacts = [Contact(name: "Ada", age: 36), Contact(name: "Bob", age: 17)]

/// Foundation deprecates some of these names on platforms other than Apple's. Calls through this protocol cause no
/// warnings.
private protocol DeprecatedRows {
    func before() throws -> [String]
    func instead() throws -> [String]
}

@Suite struct MigrationTables: DeprecatedRows {
    // NSPredicate {
    @available(*, deprecated)
    fileprivate func before() throws -> [String] {
        let (f, a, v, object) = ("age > %@", [21], ["LEAST": 21], contacts[0])
        let array = contacts as NSArray
        let predicate = NSPredicate(format: "age > $LEAST").withSubstitutionVariables(v)
        let template = NSPredicate(format: "age > $LEAST")
        let p = [predicate, NSPredicate(format: "name != nil")]
        func names(_ objects: [Any]) -> String { objects.compactMap { ($0 as? Contact)?.name }.joined(separator: " ") }
        let (x, y) = (NSExpression(forKeyPath: "age"), NSExpression(forConstantValue: 21))
        let row1 = NSPredicate(format: "age > %@", 21)
        let row2 = NSPredicate(format: f, argumentArray: a)
        let row3 = predicate.evaluate(with: object)
        let row4 = template.evaluate(with: object, substitutionVariables: v)
        let row5 = template.withSubstitutionVariables(v)
        let row6 = array.filtered(using: predicate)
        let row7 = NSCompoundPredicate(andPredicateWithSubpredicates: p)
        let row8 = NSComparisonPredicate(leftExpression: x, rightExpression: y, modifier: .direct, type: .greaterThan)
        let row9 = NSExpression(format: "age * 2")
        let row10 = predicate.predicateFormat
        let row11 = array.sortedArray(using: [NSSortDescriptor(key: "name", ascending: false)])
        let row12 = NSPredicate(value: true)
        return [
            "\(row1)", "\(row2)", "\(row3)", "\(row4)", "\(row5)", names(row6), "\(try FormatPredicate(row7))", "\(row8)",
            "\(row9)", row10, names(row11), "\(try FormatPredicate(row12))",
        ]
    }
    // } NSPredicate

    // here {
    private func after() throws -> [String] {
        let (f, a, object): (String, [PredicateValue], Contact) = ("age > %@", [.integer(21)], contacts[0])
        let v: PredicateVariables = ["LEAST": 21]
        let array = contacts
        let predicate = try FormatPredicate("age > 21")
        let template = try FormatPredicate("age > $LEAST")
        let p = [predicate, try FormatPredicate("name != nil")]
        func names(_ objects: [Contact]) -> String { objects.map(\.name).joined(separator: " ") }
        let row1 = try FormatPredicate("age > %@", 21)
        let row2 = try FormatPredicate(f, arguments: a)
        let row3 = try predicate.evaluate(object)
        let row4 = try template.evaluate(object, variables: v)
        let row5 = try template.substituting(v)
        let row6 = try array.filter(predicate)
        let row7 = FormatPredicate.and(p)
        let row8 = FormatPredicate.comparison(.key("age"), .greaterThan, 21)
        let row9 = try FormatExpression("age * 2")
        let row10 = predicate.description
        let row11 = try array.sorted(by: [PredicateSortKey("name", descending: true)])
        let row12 = FormatPredicate.constant(true)
        return [
            "\(row1)", "\(row2)", "\(row3)", "\(row4)", "\(row5)", names(row6), "\(row7)", "\(row8)", "\(row9)", row10,
            names(row11), "\(row12)",
        ]
    }
    // } here

    @Test func nsPredicate() throws {
        let rows: any DeprecatedRows = self
        let (old, new) = (try rows.before(), try after())
        #expect(old == new)
        try check(Self.article, "NSPredicate", rows: old.count)
    }

    private static let article = "Sources/Foundation/PredicateFoundation/PredicateFoundation.docc/From-NSPredicate.md"

    /// Code that compiles only on Apple's platforms.
    private static let lacking = """
    // On Apple's platforms {
        let row1 = NSPredicate()
        let row2 = Rule(leftExpression: x, rightExpression: y, modifier: .direct, type: .equalTo)
        let row3 = #selector(NSString.caseInsensitiveCompare(_:))
        let row4 = #keyPath(Contact.name)
        let row5 = @objc var upper: String { name.uppercased() }
        let row6 = NSPredicate(format: "born < %@", Date.distantPast as CVarArg)
        let row7 = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        let row8 = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        let row9 = predicate.predicateFormat
    // } On Apple's platforms
    """

    /// The archive of TRUEPREDICATE.
    private let data = Data(
        """
        <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$objects</key><array>
        <string>$null</string><dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict></dict>
        <dict><key>$classname</key><string>NSTruePredicate</string></dict></array>
        <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict></dict></plist>
        """.utf8)

    // instead {
    @available(*, deprecated)
    fileprivate func instead() throws -> [String] {
        let predicate = NSPredicate(format: "age > 21")
        let (x, y) = (NSExpression(forKeyPath: "age"), NSExpression(forConstantValue: 21))
        let row1 = NSPredicate(value: true)
        let row2 = NSComparisonPredicate(leftExpression: x, rightExpression: y, modifier: .direct, type: .equalTo)
        let row3 = Selector("caseInsensitiveCompare:")
        let row4 = "name"
        let row5 = PublishedKey<Contact>.key("upper") { $0.name.uppercased() }
        let row6 = NSPredicate(format: "born < %@", Date.distantPast)
        let row7 = try JSONEncoder().encode(FormatPredicate(predicate))
        let row8 = try NSPredicate(FormatPredicate(archive: data))
        let row9 = predicate.description
        let keys: KeyTable<Contact> = [row5]
        return [
            "\(row1.evaluate(with: nil))", "\(row2)", row3.description, row4, "\(keys["upper"] != nil)", "\(row6.evaluate(with: ["born": Date()]))",
            "\(row7.isEmpty)", "\(try FormatPredicate(row8))", row9,
        ]
    }
    // } instead

    @Test func lackingInFoundation() throws {
        let rows: any DeprecatedRows = self
        let made = try rows.instead()
        #expect(Self.lacking.contains("row\(made.count)") && made == [
            "true", "age == 21", "caseInsensitiveCompare:", "name", "true", "false", "false",
            "TRUEPREDICATE", "age > 21",
        ])
        try check(Self.article, "On Apple's platforms", "instead", rows: made.count)
    }

    /// The names of the modules that PredicateCompatibility exports, from the record of the public interface.
    @Test func namesOfTheImport() throws {
        let modules = ["Syntax", "Model", "Evaluation", "Foundation", "Compatibility"].map { "Predicate\($0)" }
        let names = try Project.text(".ci/api.txt").components(separatedBy: "\n").compactMap { line -> String? in
            let parts = line.components(separatedBy: "\t")
            guard parts.count == 3, parts[1].isEmpty, modules.contains(parts[0]) else { return nil }
            let words = parts[2].components(separatedBy: " ")
            let kinds: Set = ["class", "enum", "protocol", "struct", "typealias"]
            guard let kind = words.firstIndex(where: kinds.contains), kind < 2 else { return nil }
            return words[kind + 1].components(separatedBy: CharacterSet(charactersIn: "<:"))[0]
        }
        #expect(names.contains("FormatPredicate") && names.contains("Queryable") && names.contains("KeyTable"))
        let list = Set(names).filter { !$0.hasPrefix("_") }.sorted().map { "`\($0)`" }.joined(separator: ", ") + "."
        let text = try Project.text(Self.article)
        let lines = text.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: "it:"), "the article has no list of names") + 2
        let expected = (lines[..<start] + [list] + lines[(start + 1)...]).joined(separator: "\n")
        if Expectation.isUpdating { try Expectation.update(Self.article, from: text, to: expected) }
        #expect(text == expected, "run with UPDATE_GOLDEN=1")
    }

    // #Predicate {
    private func macros() throws -> [[String]] {
        let limit = 10.0
        let row1 = #Predicate<Album> { $0.price < 10 }
        let row2 = #Predicate<Album> { $0.price < limit }
        let row3 = #Predicate<Album> { $0.title.starts(with: "A") }
        let row4 = #Predicate<Album> { $0.title.contains("e") }
        let row5 = #Predicate<Album> { $0.tags.contains("new") }
        let row6 = #Predicate<Album> { $0.orders.contains { $0.total > 9 } }
        let row7 = #Predicate<Album> { $0.orders.allSatisfy { $0.total > 9 } }
        let row8 = #Predicate<Album> { $0.nickname == nil }
        let row9 = #Predicate<Album> { ($0.nickname ?? "") == "Lo" }
        let row10 = #Predicate<Album> { (5...9).contains($0.price) }
        let row11 = #Predicate<Album> { $0.orders.filter { $0.total > 9 }.count == 1 }
        let row12 = #Predicate<Album> { $0.price < 10 && !($0.title == "A") }
        return try [row1, row2, row3, row4, row5, row6, row7, row8, row9, row10, row11, row12].map { predicate in
            try Album.all.filter(predicate).map(\.title)
        }
    }
    // } #Predicate

    // texts {
    private func texts() throws -> [[String]] {
        let limit = 10.0
        let row1 = try FormatPredicate("price < 10")
        let row2 = try FormatPredicate("price < %@", limit)
        let row3 = try FormatPredicate("title BEGINSWITH 'A'")
        let row4 = try FormatPredicate("title CONTAINS 'e'")
        let row5 = try FormatPredicate("ANY tags == 'new'")
        let row6 = try FormatPredicate("ANY orders.total > 9")
        let row7 = try FormatPredicate("ALL orders.total > 9")
        let row8 = try FormatPredicate("nickname == nil")
        let row9 = try FormatPredicate("nickname == 'Lo'")
        let row10 = try FormatPredicate("price BETWEEN {5, 9}")
        let row11 = try FormatPredicate("SUBQUERY(orders, $o, $o.total > 9).@count == 1")
        let row12 = try FormatPredicate("price < 10 AND NOT title == 'A'")
        return try [row1, row2, row3, row4, row5, row6, row7, row8, row9, row10, row11, row12].map { predicate in
            try Album.all.filter(predicate).map(\.title)
        }
    }
    // } texts

    @Test func macro() throws {
        let (old, new) = (try macros(), try texts())
        #expect(old == new)
        #expect(old.allSatisfy { !$0.isEmpty && $0.count < Album.all.count })
        try check(
            "Sources/Foundation/PredicateFoundation/PredicateFoundation.docc/From-Predicate-macro.md", "#Predicate", "texts",
            rows: old.count)
    }

    /// Checks that the table of a document has the rows of two parts of this file.
    private func check(_ path: String, _ left: String, _ right: String = "here", rows count: Int) throws {
        let source = try Project.text("Tests/House/ConformanceTests/Documents/MigrationTables.swift")
        let (old, new) = (Self.cells(source, left), Self.cells(source, right))
        #expect(old.count == count && new.count == count)
        let header = "| \(left) | here |"
        let table = [header, "|---|---|"] + zip(old, new).map { "| `\($0)` | `\($1)` |" }
        let text = try Project.text(path)
        let lines = text.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: header), "\(path) has no table")
        let now = lines[..<start] + table + lines[start...].drop { $0.hasPrefix("|") }
        let expected = now.joined(separator: "\n")
        if Expectation.isUpdating { try Expectation.update(path, from: text, to: expected) }
        #expect(text == expected, "run with UPDATE_GOLDEN=1")
    }

    /// The code of each row. For a predicate without arguments only its text, for a macro only its body.
    private static func cells(_ source: String, _ part: String) -> [String] {
        let body = source.components(separatedBy: "// \(part) {\n").last?.components(separatedBy: "// } \(part)\n").first
        let rows = (body ?? "").components(separatedBy: "\n").filter { $0.hasPrefix("        let row") }
        return rows.map { row in
            let code = row.components(separatedBy: " = ").dropFirst().joined(separator: " = ")
            for (start, end) in [("#Predicate<Album> { ", " }"), ("try FormatPredicate(\"", "\")")]
            where part != "NSPredicate" && part != "here" && code.hasPrefix(start) && code.hasSuffix(end) {
                return String(code.dropFirst(start.count).dropLast(end.count))
            }
            return code
        }
    }
}
