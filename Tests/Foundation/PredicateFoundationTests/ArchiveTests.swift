// Archives of NSPredicate, in the form that Apple's NSKeyedArchiver writes.
import Foundation
import PredicateFoundation
import Testing

/// Writes archives: objects are added in any order and refer to each other.
private struct Archive {
    private var objects = ["<string>$null</string>"]
    private var classes: [String: String] = [:]

    mutating func add(_ xml: String) -> String {
        objects.append(xml)
        return "<dict><key>CF$UID</key><integer>\(objects.count - 1)</integer></dict>"
    }

    mutating func object(_ name: String, _ fields: [(String, String)]) -> String {
        let description = classes[name] ?? add("<dict><key>$classname</key><string>\(name)</string></dict>")
        classes[name] = description
        let pairs = (fields + [("$class", description)]).map { "<key>\($0)</key>\($1)" }
        return add("<dict>\(pairs.joined())</dict>")
    }

    mutating func text(_ text: String) -> String { add("<string>\(text)</string>") }

    mutating func list(_ elements: [String]) -> String {
        object("NSArray", [("NS.objects", "<array>\(elements.joined())</array>")])
    }

    static func number(_ value: Int) -> String { "<integer>\(value)</integer>" }

    mutating func constant(_ value: String) -> String {
        object("NSConstantValueExpression", [("NSExpressionType", Self.number(0)), ("NSConstantValue", value)])
    }

    mutating func keyPath(_ path: String) -> String {
        let text = text(path)
        let step = object("NSKeyPathSpecifierExpression", [("NSExpressionType", Self.number(10)), ("NSKeyPath", text)])
        let this = object("NSSelfExpression", [("NSExpressionType", Self.number(1))])
        let arguments = list([step])
        let selector = self.text("valueForKey:")
        return object(
            "NSKeyPathExpression",
            [
                ("NSExpressionType", Self.number(3)), ("NSOperand", this), ("NSSelectorName", selector),
                ("NSArguments", arguments),
            ])
    }

    mutating func comparison(
        _ left: String, _ type: Int, _ right: String, modifier: Int = 0, options: (String, Int)? = nil
    ) -> String {
        var fields = [("NSOperatorType", Self.number(type)), ("NSModifier", Self.number(modifier))]
        if let options { fields.append((options.0, Self.number(options.1))) }
        let operation = object("NSPredicateOperator", fields)
        return object(
            "NSComparisonPredicate",
            [("NSLeftExpression", left), ("NSRightExpression", right), ("NSPredicateOperator", operation)])
    }

    func data(_ root: String) -> Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
            <key>$objects</key><array>\(objects.joined())</array>
            <key>$top</key><dict><key>root</key>\(root)</dict><key>$version</key><integer>100000</integer></dict></plist>
            """.utf8)
    }
}

@Suite struct ArchiveTests {
    @Test func comparisonsAndCompounds() throws {
        var archive = Archive()
        let text = archive.text("ad")
        let name = archive.comparison(archive.keyPath("name"), 8, archive.constant(text), options: ("NSFlags", 3))
        let age = archive.comparison(archive.keyPath("age"), 2, archive.constant(Archive.number(21)))
        let tag = archive.text("code")
        let any = archive.comparison(archive.keyPath("tags"), 4, archive.constant(tag), modifier: 2)
        let not = archive.object(
            "NSCompoundPredicate",
            [("NSCompoundPredicateType", Archive.number(0)), ("NSSubpredicates", archive.list([any]))])
        let parts = archive.list([name, age, not, archive.object("NSTruePredicate", [])])
        let root = archive.object(
            "NSCompoundPredicate", [("NSCompoundPredicateType", Archive.number(1)), ("NSSubpredicates", parts)])
        let predicate = try FormatPredicate(archive: archive.data(root))
        #expect(
            "\(predicate)" == #"name BEGINSWITH[cd] "ad" AND age > 21 AND (NOT ANY tags == "code") AND TRUEPREDICATE"#)
        #if !canImport(ObjectiveC)
            #expect(try NSPredicate(predicate).evaluate(with: ada) == false)
        #endif
    }

    @Test func functionsAndLists() throws {
        var archive = Archive()
        let utilities = archive.text("_NSPredicateUtilities")
        let target = archive.object(
            "NSConstantValueExpression",
            [("NSExpressionType", Archive.number(0)), ("NSConstantValueClassName", utilities)])
        let selector = archive.text("add:to:")
        let arguments = archive.list([archive.keyPath("a.b"), archive.constant(Archive.number(1))])
        let sum = archive.object(
            "NSFunctionExpression",
            [
                ("NSExpressionType", Archive.number(4)), ("NSOperand", target), ("NSSelectorName", selector),
                ("NSArguments", arguments),
            ])
        let variable = archive.text("x")
        let bounds = archive.list([
            archive.constant(Archive.number(1)),
            archive.object(
                "NSVariableExpression", [("NSExpressionType", Archive.number(2)), ("NSVariable", variable)]),
        ])
        let list = archive.object(
            "NSAggregateExpression", [("NSExpressionType", Archive.number(14)), ("NSCollection", bounds)])
        let root = archive.comparison(sum, 100, list)
        let predicate = try FormatPredicate(archive: archive.data(root))
        #expect("\(predicate)" == "a.b + 1 BETWEEN {1, $x}")
    }

    @Test func binaryArchives() throws {
        #expect(try FormatPredicate(archive: BinaryArchive.list).description == "a == 1 AND b IN {1, 2}")
        let condition = try FormatPredicate(
            text: """
                (a UNION {1}) CONTAINS 1 OR SUBQUERY(items, $i, $i.price.net > 3).@count > 0
                OR TERNARY(a == 1, b, SELF) != nil
                """)
        let constants: [PredicateValue] = [
            .nsNull, .bool(true), .integer(-5), .double(0.1), .string("é\u{0}"), .string("$null"), .date(0.25),
            .data([1, 2]), .uuid(UniversalID(high: 1, low: 2)), .url("https://example.org/a"), .set([.integer(1)]),
            .dictionary(ValueDictionary([("k", .double(1.5))])),
            .decimal(try #require(DecimalNumber("-123456789012345678901234567890.12345678"))),
        ]
        let list = FormatExpression.value(PredicateValue.array(constants))
        let expected = FormatPredicate.and([condition, .comparison(.key("a"), .in, list)])
        #expect(try FormatPredicate(archive: BinaryArchive.constants) == expected)
    }

    @Test func otherArchives() throws {
        var archive = Archive()
        let block = archive.object("NSBlockPredicate", [])
        let error = #expect(throws: PredicateConversionError.self) { try FormatPredicate(archive: archive.data(block)) }
        #expect(error?.reason == "an archived NSBlockPredicate has no format")
        #expect(throws: PredicateConversionError.self) { try FormatPredicate(archive: Data("x".utf8)) }
        // An object that contains itself.
        let loop = "<dict><key>CF$UID</key><integer>1</integer></dict>"
        var endless = Archive()
        let first = endless.object(
            "NSCompoundPredicate", [("NSCompoundPredicateType", Archive.number(1)), ("NSSubpredicates", loop)])
        #expect(throws: PredicateConversionError.self) { try FormatPredicate(archive: endless.data(first)) }
    }
}
