// Tests that every kind of node, built in code, prints the right text and that the text parses to the same node
// (LANGUAGE 6).
import PredicateTestSupport
import Testing

private typealias Node = ExpressionNode

@Suite struct CanonicalPrinterTests {
    private static func node(_ kind: ExpressionNode.Kind) -> ExpressionNode { ExpressionNode(kind) }
    private static let a = node(.keyPath(["a"]))
    private static let b = node(.keyPath(["b"]))
    private static let path = node(.keyPath(["a", "b"]))
    private static let x = node(.variable("x"))
    private static let one = node(.value(.integer(1)))
    private static let minusOne = node(.value(.integer(-1)))
    private static let text = node(.value(.string("t")))
    private static let yes = node(.value(.bool(true)))
    private static let sum = node(.binary(.add, a, one))
    private static let negative = node(.negation(a))
    private static let aIsOne = condition(a, .equal, one)
    private static let both = PredicateNode(.and([aIsOne, aIsOne]))

    private static func condition(
        _ left: ExpressionNode, _ op: ComparisonOperator, _ right: ExpressionNode,
        _ modifier: ComparisonModifier = .direct,
        _ options: ComparisonOptions = []
    ) -> PredicateNode {
        PredicateNode(.comparison(ComparisonNode(left, op, right, modifier: modifier, options: options)))
    }

    private static let leaves: [(ExpressionNode, String)] = [
        (node(.selfObject), "SELF"), (node(.anyKey), "ANYKEY"), (x, "$x"), (a, "a"), (path, "a.b"),
        (node(.keyPath(["items", "@count"])), "items.@count"),
        (node(.keyPath(["like", "AND", "ok", "Intersection"])), "#like.#AND.ok.#Intersection"),
        (node(.keyPath(["g", "@max", "self"])), "g.@max.#self"), (node(.value(.null)), "nil"), (yes, "1"),
        (node(.value(.bool(false))), "0"), (one, "1"), (minusOne, "-1"), (node(.value(.double(1.5))), "1.5"),
        (node(.value(.double(1e100))), "1e+100"), (node(.value(.double(2))), "2.0"), (text, "\"t\""),
        (node(.value(.string("q\"b\\n\n'é"))), "\"q\\\"b\\\\n\n'é\""), (node(.value(.string(""))), "\"\""),
        (node(.argument(FormatConversion(.object, position: 0, spelling: "%@"))), "%@"),
        (node(.argument(FormatConversion(.integer, position: 0, spelling: "%ld"))), "%ld"),
    ]

    private static let members: [(ExpressionNode, String)] = [
        (node(.member(x, step: a)), "$x.a"), (node(.member(x, step: path)), "$x.a.b"),
        (node(.member(a, step: x)), "a.$x"), (node(.member(node(.member(a, step: x)), step: b)), "a.$x.b"),
        (node(.member(path, step: b)), "(a.b).b"), (node(.member(node(.member(x, step: a)), step: b)), "($x.a).b"),
        (node(.member(a, step: text)), "a.\"t\""), (node(.member(node(.selfObject), step: a)), "SELF.a"),
        (node(.member(sum, step: a)), "(a + 1).a"), (node(.member(negative, step: a)), "(-a).a"),
        (node(.member(one, step: a)), "(1).a"), (node(.member(yes, step: a)), "(1).a"),
        (node(.member(a, step: node(.index(b, one)))), "a.b[1]"),
        (node(.member(node(.aggregate([one])), step: a)), "{1}.a"), (node(.index(a, one)), "a[1]"),
        (node(.index(path, one)), "(a.b)[1]"), (node(.index(node(.index(a, one)), b)), "a[1][b]"),
        (node(.index(a, text)), "a[\"t\"]"), (node(.index(a, minusOne)), "a[-1]"),
        (node(.index(sum, one)), "(a + 1)[1]"), (node(.index(yes, one)), "(1)[1]"),
        (node(.index(node(.member(x, step: a)), one)), "($x.a)[1]"),
        (node(.index(a, node(.indexSymbol(.first)))), "a[FIRST]"),
        (node(.index(a, node(.indexSymbol(.last)))), "a[LAST]"),
        (node(.index(a, node(.indexSymbol(.size)))), "a[SIZE]"),
    ]

    private static let operators: [(ExpressionNode, String)] =
        BinaryOperator.allCases.map { (node(.binary($0, a, b)), "a \($0.spelling) b") } + [
            (node(.binary(.add, sum, one)), "(a + 1) + 1"), (node(.binary(.add, a, sum)), "a + (a + 1)"),
            (node(.binary(.subtract, a, minusOne)), "a - -1"), (node(.binary(.subtract, a, negative)), "a - -a"),
            (node(.binary(.power, negative, one)), "-a ** 1"), (negative, "-a"), (node(.negation(negative)), "--a"),
            (node(.negation(one)), "-(1)"), (node(.negation(yes)), "-(1)"), (node(.negation(sum)), "-(a + 1)"),
            (node(.negation(path)), "-a.b"), (node(.negation(node(.member(x, step: a)))), "-$x.a"),
            (node(.assignment(variable: "x", one)), "$x := 1"),
            (node(.assignment(variable: "x", sum)), "$x := (a + 1)"),
            (node(.binary(.add, node(.assignment(variable: "x", one)), a)), "($x := 1) + a"),
        ]

    private static let forms: [(ExpressionNode, String)] = [
        (node(.call("now", [])), "now()"), (node(.call("sum:", [a])), "sum:(a)"),
        (node(.call("modulus:by:", [a, one])), "modulus:by:(a, 1)"),
        (node(.method(a, selector: "length", [])), "FUNCTION(a, \"length\")"),
        (node(.method(a, selector: "pow:x:", [one, b])), "FUNCTION(a, \"pow:x:\" , 1, b)"),
        (node(.cast(a, type: "NSNumber")), "CAST(a, \"NSNumber\")"),
        (node(.aggregate([])), "{}"), (node(.aggregate([one, text, node(.aggregate([a]))])), "{1, \"t\", {a}}"),
        (node(.ternary(aIsOne, a, b)), "TERNARY(a == 1, a, b)"),
        (node(.ternary(both, a, b)), "TERNARY(a == 1 AND a == 1, a, b)"),
        (node(.subquery(a, variable: "x", aIsOne)), "SUBQUERY(a, $x, a == 1)"),
        (node(.subquery(a, variable: "x", both)), "SUBQUERY(a, $x, a == 1 AND a == 1)"),
        (node(.fetch([a, b])), "FETCH(a, b)"),
        (node(.call("uppercase:", [node(.call("lowercase:", [a]))])), "uppercase:(lowercase:(a))"),
    ]

    @Test func printedExpressionsAreParsedBack() {
        for (tree, expected) in Self.leaves + Self.members + Self.operators + Self.forms {
            #expect(tree.description == expected)
            let parsed = FormatParser.expression(expected)
            // Some expressions, such as an index symbol, are valid only in brackets. All expressions here are valid
            // alone.
            #expect(!parsed.hasErrors && parsed.tree == tree, "\(expected): \(parsed.diagnostics.map(\.message))")
            let exact = ExactForm(tree)
            guard !expected.hasPrefix("%") else { continue }
            let again = FormatParser.expression(
                exact.format, arguments: .bound(exact.arguments.map(FormatArgument.value)))
            #expect(!again.hasErrors && again.tree == tree, "\(exact.format) \(exact.arguments)")
        }
    }

    @Test func termsAreParsedBack() {
        let term = Self.node(.term("status", argument: "a.b"))
        #expect(term.description == "@status(a.b)")
        #expect(FormatParser.expression("@status( a.b )", options: .deviceManagementTerms).tree == term)
        #expect(FormatParser.expression("@status(a.b)").hasErrors)
    }

    /// Constants without a literal form are printed as Apple prints them.
    @Test(.cases) func constantsWithoutALiteralArePrinted() {
        let cases: [(PredicateValue, String)] = [
            (PredicateValue.nsNull, "<null>"), (.float(55.8), "55.8"),
            (.decimal(DecimalNumber(coefficient: -125, exponent: -1)), "-12.5"),
            (.date(592_299_475.57712), "CAST(592299475.577120, \"NSDate\")"),
            (.data([1, 2, 255]), "{length = 3, bytes = 0x0102ff}"), (.data([]), "{length = 0, bytes = 0x}"),
            (.url("http://x.y"), "http://x.y"), (.type("NSString"), "NSString"),
            (.uuid(UniversalID(high: 0, low: 1)), "00000000-0000-0000-0000-000000000001"),
            (.array([.integer(1), .string("a"), .null]), "{1, \"a\", nil}"), (.set([]), "{}"),
            (.array([.date(441_763_200)]), "{2015-01-01 00:00:00 +0000}"), (.array([.date(.nan)]), "{nan}"),
            (
                .dictionary(ValueDictionary([("k", .integer(1)), ("d", .date(0))])),
                "{k=1, d=2001-01-01 00:00:00 +0000}"
            ),
            (.double(.nan), "nan"), (.double(-.infinity), "-inf"),
        ]
        forEachCase(cases) { value, expected in #expect(ExpressionNode(.value(value)).description == expected) }
    }

    private static let predicates: [(PredicateNode, String)] = [
        (PredicateNode(.constant(true)), "TRUEPREDICATE"), (PredicateNode(.constant(false)), "FALSEPREDICATE"),
        (aIsOne, "a == 1"),
        (condition(a, .notEqual, one), "a != 1"), (condition(a, .lessThanOrEqual, sum), "a <= a + 1"),
        (
            condition(a, .beginsWith, text, .direct, [.caseInsensitive, .diacriticInsensitive]),
            "a BEGINSWITH[cd] \"t\""
        ),
        (condition(a, .like, text, .direct, [.localeSensitive, .normalized]), "a LIKE[nl] \"t\""),
        (condition(a, .in, node(.aggregate([one])), .any), "ANY a IN {1}"),
        (condition(a, .equal, one, .all, .caseInsensitive), "ALL a ==[c] 1"),
        (condition(a, .between, node(.aggregate([one, one]))), "a BETWEEN {1, 1}"),
        (condition(a, .utiConformsTo, text), "a UTI-CONFORMS-TO \"t\""),
        (condition(a, .utiEquals, text), "a UTI-EQUALS \"t\""),
        (condition(a, .tokenMatches, text), "a TOKENMATCHES \"t\""),
        (condition(a, .custom("isKind:"), text), "a isKind: \"t\""), (both, "a == 1 AND a == 1"),
        (
            PredicateNode(.or([aIsOne, both, PredicateNode(.not(aIsOne))])),
            "a == 1 OR (a == 1 AND a == 1) OR (NOT a == 1)"
        ),
        (PredicateNode(.and([both, aIsOne])), "(a == 1 AND a == 1) AND a == 1"),
        (PredicateNode(.not(aIsOne)), "NOT a == 1"),
        (PredicateNode(.not(both)), "NOT (a == 1 AND a == 1)"),
        (PredicateNode(.not(PredicateNode(.not(aIsOne)))), "NOT (NOT a == 1)"),
        (PredicateNode(.not(condition(a, .equal, one, .any))), "NOT ANY a == 1"),
    ]

    @Test func printedPredicatesAreParsedBack() {
        for (tree, expected) in Self.predicates {
            #expect(tree.description == expected)
            let parsed = FormatParser.predicate(expected)
            #expect(!parsed.hasErrors && parsed.tree == tree, "\(expected)")
            let exact = ExactForm(tree)
            let again = FormatParser.predicate(
                exact.format, arguments: .bound(exact.arguments.map(FormatArgument.value)))
            #expect(!again.hasErrors && again.tree == tree, "\(exact.format)")
        }
    }

    /// AND and OR without parts have no text that parses to them. They are printed as the predicate with the same
    /// meaning.
    @Test func emptyCompoundsPrintTheirMeaning() {
        #expect(PredicateNode(.and([])).description == "TRUEPREDICATE")
        #expect(PredicateNode(.or([])).description == "FALSEPREDICATE")
        #expect(PredicateNode(.and([Self.aIsOne])).description == "a == 1")
        #expect(PredicateNode(.or([Self.both])).description == "a == 1 AND a == 1")
        #expect(PredicateNode(.error).description == "<error>")
        #expect(ExpressionNode(.error).description == "<error>")
    }

    /// The exact form keeps keys that only `%K` can write, and constants that only `%@` can write.
    @Test func exactFormLosesNothing() {
        let keys = [
            ["ISO 3166-1:2006"], ["name", "日本"], ["$single"], ["a", "1"], ["like"], ["a b", "c"], ["%K"], ["@"], ["#x"],
            ["a\"b"],
        ]
        for key in keys {
            for value in ValueTests.everyKind {
                let tree = Self.condition(Self.node(.keyPath(key)), .equal, Self.node(.value(value)))
                let exact = ExactForm(tree)
                let again = FormatParser.predicate(
                    exact.format, arguments: .bound(exact.arguments.map(FormatArgument.value)))
                #expect(!again.hasErrors && again.tree == tree, "\(exact.format) \(exact.arguments)")
                let text = FormatParser.predicate(tree.exactDescription, arguments: .none)
                #expect(!text.hasErrors && text.tree == tree, "\(tree.exactDescription)")
            }
        }
    }

    /// It also keeps the type of a value if values of different types are equal or have the same text.
    @Test func exactDescriptions() throws {
        let dictionary = ValueDictionary([("$x", .array([.date(0.5), .null])), ("y z", .float(0.1))])
        let rows: [(PredicateValue, String)] = [
            (.bool(true), "YES"), (.integer(-1), "-1"), (.double(2), "2.0"), (.string("a\"b"), #""a\"b""#),
            (.null, "nil"), (.nsNull, #"CAST(YES, "$null")"#), (.date(1.25), #"CAST(1.25, "$date")"#),
            (.double(.nan), #"CAST("nan", "$double")"#), (.float(0.1), #"CAST("0.1", "$float")"#),
            (UInt64.max.predicateValue, #"CAST("18446744073709551615", "$decimal")"#),
            (.data([1, 2]), #"CAST("AQI=", "$data")"#), (.url("a:b"), #"CAST("a:b", "$url")"#),
            (.type("NSDate"), #"CAST("NSDate", "$class")"#),
            (.uuid(UniversalID(high: 0, low: 1)), #"CAST("00000000-0000-0000-0000-000000000001", "$uuid")"#),
            (.array([.integer(1), .set([.integer(2)])]), #"CAST({1, CAST({2}, "$set")}, "$array")"#),
            (
                .dictionary(dictionary),
                #"CAST({{"$x", {CAST(0.5, "$date"), nil}}, {"y z", CAST("0.1", "$float")}}, "$dictionary")"#
            ),
        ]
        for (value, expected) in rows {
            let node = Self.node(.value(value))
            #expect(node.exactDescription == expected)
            let read = FormatParser.expression(expected, arguments: .none)
            guard case .value(let again) = read.tree.kind else {
                Issue.record("\(expected) is no constant")
                continue
            }
            #expect(again.typeDescription == value.typeDescription && again == value, "\(expected)")
        }
        let step = Self.node(.member(Self.x, step: Self.node(.keyPath(["first name", "日本"]))))
        #expect(step.exactDescription == #"$x.CAST("first name.日本", "$key")"#)
        #expect(FormatParser.expression(step.exactDescription).tree == step)
    }

    /// A CAST whose content does not fit its tag is an ordinary cast.
    @Test(.cases) func tagsThatDoNotFit() {
        let cases: [String] = [
            #"CAST("x", "$uuid")"#, #"CAST(a, "$date")"#, #"CAST({1}, "$dictionary")"#, #"CAST(1, "$nosuch")"#,
            #"CAST("", "$key")"#, #"CAST({a}, "$set")"#,
        ]
        forEachCase(cases) { text in
            let parsed = FormatParser.expression(text)
            guard case .cast = parsed.tree.kind else {
                Issue.record("\(text) is no cast")
                return
            }
            #expect(!parsed.hasErrors && parsed.tree.description == text)
        }
    }
}
