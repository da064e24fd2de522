// Checks that parsing takes linear time, and reading as a file of predicates: each hostile piece is repeated to 256 KB and
// to 1 MB. Then checks it for whole predicates, repeated as terms: their translation to each dialect, simplification,
// reasoning and explanation. A ratio far above four means quadratic time.
import PredicateModel
import PredicateRequests
import PredicateRules
import PredicateSQL
import PredicateSyntax

enum HostileSizes {
    static let pieces = [
        "(", "NOT ", "{", "-", "a.", "a[", "1+", "a AND ", "a==1 AND ", "!", "\"", "\\", "SUBQUERY(", "TERNARY(", "%@",
        "%@,", "$x:=", "a OR b AND ", "ANY ", "[", "@a.", "@a(", "a b ", "a foo 1 AND ", "a==b AND ", "'", "'' ", "“",
        "//",
        "/*", "&quot;", "a:", "f(", "f(a,", "{1,", "{1},", "(1)", "a==", "a IN {", "a[0].", "#", "é", "\u{0}", "=",
        "<>=",
        "0x", "1e", "1.", ")", "]", "}", ",", ":=", "a&b", "a==1&", "a NOT IN ", "IS NOT NULL ", "CAST(", "FUNCTION(",
        "0",
        "a.$b.", "a.'b'.", "**", "\n", "a==1 & a==1 OR ", "a IN 1,", "a-b==c OR ", "(a==1 AND ", "NOT(", "-(", "\\'",
        "%5.",
        "a === 1 AND ", "a BEGINWITH 'x' AND ", "'a''b' ", "f(1)==1 OR ", "a MATCHES '(' OR ", "x:y:z ", "1,", "{1",
        "a IN {1, 2} OR ", "a\n ",
    ]

    /// For each function over constants, a predicate with it on each side of each operator, joined with terms of a to-many
    /// key or a list; and deep operands. A predicate has about 20 terms.
    static let predicates: [String] = {
        let functions = [
            "floor(1)", "ceiling(1.5)", "trunc(2)", "abs(-1)", "sqrt(4)", "modulus:by:(7, 3)", "sum({1, 2})",
            "average({1, 2})", "max({1, 2})", "min({1, 2})", "count({1, 2})", "onesComplement:(1)", "exp(0)", "ln(1)",
            "1 + 1", "-(1)", "CAST(1, 'NSNumber')", "TERNARY(1 == 1, 1, 2)", "length:('a')",
        ]
        let orders = ["<", "<=", ">", ">=", "==", "!="]
        let collections = ["ANY kids.id > 1 OR", "kids.@count > 1 AND", "3 IN list OR", "kids.@sum.id > id AND"]
        let all = functions.enumerated().map { index, function in
            var terms = ["id BETWEEN {\(function), 3}", "\(function) IN {id, 2} OR ANY kids.id == 1"]
            for (place, order) in orders.enumerated() {
                let term = collections[(index + place) % collections.count]
                terms += ["\(term) \(function) \(order) 2", "\(term) 2 \(order) \(function)"]
                terms.append("\(term) \(function) \(order) \(functions[(index + place) % functions.count])")
            }
            return "(" + terms.joined(separator: ") AND (") + ")"
        }
        func nested(_ head: String, _ inner: String, _ tail: String, _ count: Int) -> String {
            String(repeating: head, count: count) + inner + String(repeating: tail, count: count)
        }
        return all + [
            nested("uppercase(", "name", ")", 40) + " == name", "due" + nested(" + days(1)", "", "", 60) + " > due",
            "due" + nested(" + months(1)", "", "", 20) + " > due",
            "(" + nested("(", "due", " + months(1)).month + due", 8) + ") > due",
            nested("TERNARY(id > 1, ", "id", ", 2)", 10) + " > 1", nested("NOT (id > 1 OR ", "id < 3", ")", 40),
            "SUBQUERY(kids, $x, $x.id > 1 AND ANY kids.id > 1).@count > 1",
            "id + id BETWEEN {id, id + id} OR id IN {id + id, 2}",
        ]
    }()

    private static let schema = try? PredicateSchema([
        PredicateSchema.Entity(
            "Item", table: "item", primaryKey: ["id"],
            attributes: [
                PredicateSchema.Attribute("id", .integer), PredicateSchema.Attribute("name", .string),
                PredicateSchema.Attribute("due", .date, isOptional: true),
                PredicateSchema.Attribute("list", .list(of: .integer)),
                PredicateSchema.Attribute("parent", .integer, isOptional: true),
            ],
            relationships: [PredicateSchema.Relationship("kids", toMany: "Item", link: .foreignKey("parent"))])
    ])

    /// Returns whether all times are linear. Times below a fifth of a second are too short to tell.
    static func run(_ pieces: [String]) -> Bool {
        print("256 KB ms\t1 MB ms\tratio\tpiece")
        let isParsed = pieces.reduce(true) { isLinear($1) { time($0, $1 << 18) } && $0 }
        print("16 times ms\t64 times ms\tratio\tpredicate, translated, simplified, compared and explained")
        return predicates.reduce(isParsed) { isLinear($1) { passes($0, 16 * $1) } && $0 }
    }

    /// - Parameter time: the time for a text, once and four times as long.
    private static func isLinear(_ piece: String, _ time: (String, Int) -> Double) -> Bool {
        var small = 0.0
        var large = 0.0
        var isQuadratic = true
        // Another program may slow one measurement down, so three must be quadratic.
        for _ in 0..<3 where isQuadratic {
            small = max(time(piece, 1), 1e3)
            large = time(piece, 4)
            isQuadratic = large > 8 * small && large > 2e8
        }
        print(
            Report.text(small / 1e6), Report.text(large / 1e6),
            Report.text(large / small) + (isQuadratic ? " !" : ""), String(piece.prefix(60)).debugDescription,
            separator: "\t")
        return !isQuadratic
    }

    /// The time of all that reads a whole predicate.
    private static func passes(_ term: String, _ count: Int) -> Double {
        let text = Array(repeating: "(\(term))", count: count).joined(separator: " AND ")
        let environment = PredicateEnvironment(language: [.dates])
        guard let schema, let one = try? FormatPredicate(text: text, in: environment) else { return 0 }
        let object: [String: Any] = ["id": 1, "name": "a", "list": [1, 2], "kids": [["id": 1]]]
        return Harness.time(1) {
            let texts = SQLDialect.all.map { (try? one.sql($0, entity: "Item", in: schema))?.text.utf8.count ?? 0 }
            let simple = one.simplified(for: schema, entity: "Item")
            let claim = one.implies(simple, for: schema, entity: "Item")
            let isKnown = if case .proven = claim { 1 } else { 0 }
            let explained = (try? one.explanation(for: object))?.description.utf8.count ?? 0
            return texts.reduce(0, +) + simple.description.utf8.count + isKnown + explained
        }
    }

    private static func time(_ piece: String, _ size: Int) -> Double {
        // "1," needs the start of a list before it.
        let text = (piece == "1," ? "a IN {" : "") + String(repeating: piece, count: size / piece.utf8.count)
        return Harness.time(1) {
            // A line that begins with a space continues the predicate of the line before.
            var lines = PredicateLines()
            let ended = text.split(separator: "\n").count { lines.add(String($0)) != nil }
            return ended + (lines.finish()?.text.utf8.count ?? 0) + FormatPredicate.parse(text).diagnostics.count
        }
    }
}
