// Codable is exact and safe: decoding parses the text. Also tests the operators that join predicates
// in code.
import Foundation
import PredicateRules
import PredicateTestSupport
import Testing

@Suite struct RobustnessCoding {
    static let values: [PredicateValue] = [
        .null, .nsNull, .bool(true), .bool(false), .integer(0), .integer(.max), .integer(.min), .float(0.1),
        .float(.infinity), .double(2), .double(0.1), .double(.nan), .double(-.infinity), .double(-0.0),
        .decimal(DecimalNumber(coefficient: 125, exponent: -1)),
        .decimal(DecimalNumber(coefficient: -1, exponent: 500)), .string(""), .string("%@ \" \\ 日本 \u{0} \u{301}"),
        .string("$date"), .string("$null"), .date(0), .date(-1.25e9), .date(.nan), .date(.infinity), .data([]),
        .data([0, 127, 255]), .uuid(UniversalID(high: 1, low: 2)), .url("http://a.b/?c=d"), .type("NSString"),
        .array([]), .array([.integer(1), .array([.null, .nsNull]), .double(1)]), .set([]),
        .set([.string("a"), .date(1)]), .dictionary(ValueDictionary([])),
        .dictionary(ValueDictionary([("$date", .integer(1)), ("a.b", .dictionary(ValueDictionary([("", .null)])))])),
    ]

    @Test(.cases) func everyValueIsDecodedAsItWasEncoded() {
        forEachCase(Self.values) { value in
            let predicate = FormatPredicate.comparison(.key("a b.c"), .equal, .value(value))
            let data = try JSONEncoder().encode(predicate)
            let again = try JSONDecoder().decode(FormatPredicate.self, from: data)
            #expect(again == predicate)
            #expect(again.description == predicate.description)
            #expect(try FormatPredicate(text: predicate.exactDescription) == predicate, "\(predicate.exactDescription)")
            let list = try PropertyListEncoder().encode([predicate])
            #expect(try PropertyListDecoder().decode([FormatPredicate].self, from: list) == [predicate])
            let expression = FormatExpression.value(value)
            let coded = try JSONEncoder().encode([expression])
            #expect(try JSONDecoder().decode([FormatExpression].self, from: coded) == [expression])
        }
    }

    /// The text of `predicate format` for a value is read as the same value, by itself and inside a predicate.
    @Test func everyValueIsReadAsItWasPrinted() throws {
        var random = SplitMix(31)
        let values = Self.values + (0..<TestDepth.count(2_000)).map { _ in Self.value(&random, depth: 3) }
        for value in values {
            let text = CanonicalPrinter.readable(ExpressionNode(.value(value)))
            let again = try FormatExpression(text, arguments: []).evaluate(PredicateValue.null)
            // The value of an expression is nil for NSNull.
            let isSame = again == value && Self.kind(again) == Self.kind(value)
            #expect(isSame || value == .nsNull && again == .null, "\(text)")
            let tree = PredicateNode(
                .comparison(ComparisonNode(ExpressionNode(.keyPath(["a b"])), .equal, ExpressionNode(.value(value)))))
            for printed in [CanonicalPrinter.readable(tree), PrettyPrinter(width: 10).print(tree)] {
                let read = try FormatPredicate(text: printed)
                #expect(CanonicalPrinter.readable(read.root).hasPrefix(#"CAST("a b", "$key") == "#), "\(printed)")
            }
        }
    }

    /// The kind of a value, in which a Boolean is the number 1 or 0 that it is printed as.
    private static func kind(_ value: PredicateValue) -> String {
        if case .bool = value { "an integer" } else { value.typeDescription }
    }

    private static func value(_ random: inout SplitMix, depth: Int) -> PredicateValue {
        func some() -> PredicateValue { value(&random, depth: depth - 1) }
        let number = Double(bitPattern: random.next())
        switch random.below(depth > 0 ? 7 : 4) {
        case 0: return random.pick(values)
        case 1: return random.chance(50) ? .double(number) : .float(Float(number))
        case 2: return .date(random.chance(50) ? number : Double(random.below(1 << 40)) / 64)
        case 3:
            return .decimal(DecimalNumber(coefficient: Int64(random.below(1 << 50)), exponent: random.below(20) - 9))
        case 4: return .array((0..<random.below(3)).map { _ in some() })
        case 5: return .set([some()])
        default: return .dictionary(ValueDictionary([("x", some()), ("a b", some())]))
        }
    }

    @Test func everySeedIsDecodedAsItWasEncoded() throws {
        for text in try Robustness.lines(of: "seeds.txt") {
            let parsed = FormatParser.predicate(text, options: [.deviceManagementTerms, .unicodeIdentifiers])
            guard let predicate = try? FormatPredicate(parsed) else { continue }
            guard let data = try? JSONEncoder().encode(predicate) else {
                #expect(text.contains("%"), "\(text)")
                continue
            }
            #expect(try JSONDecoder().decode(FormatPredicate.self, from: data) == predicate, "\(text)")
        }
    }

    @Test(.cases) func malformedCodedFormsThrow() {
        let cases: [String] = [
            #"{"format": "a == %@"}"#, #"{"format": "a == %@", "arguments": []}"#,
            #"{"format": "a == 1", "arguments": [1]}"#, #"{"format": "a =="}"#, #"{"format": ""}"#, #"{}"#, #"[]"#,
            #""a ==""#, #"{"format": 5}"#, #"{"format": "a == %@", "arguments": [{"$nosuch": 1}]}"#,
            #"{"format": "a == %@", "arguments": [{"$date": 1, "$url": "x"}]}"#,
            #"{"format": "a == %@", "arguments": [{"$decimal": "x"}]}"#,
            #"{"format": "a == %@", "arguments": [{"$uuid": "x"}]}"#,
            #"{"format": "a == %@", "arguments": [{"$dictionary": [["a"]]}]}"#,
            #"{"format": "a == %@", "arguments": [{"$dictionary": [[1, 2]]}]}"#,
            #"{"format": "%K == 1", "arguments": [1]}"#, #"{"format": "a == %@", "arguments": [{"$data": "A"}]}"#,
            #"{"format": "a == <error>"}"#,
        ]
        forEachCase(cases) { (json) throws in
            #expect(throws: (any Error).self, "\(json)") {
                try JSONDecoder().decode(FormatPredicate.self, from: Data(json.utf8))
            }
        }
    }

    /// Trees that cannot be decoded again throw when they are encoded.
    @Test func treesWithoutCodedFormThrow() {
        let unbound = FormatPredicate(FormatPredicate.parse("a == %@").tree)
        let broken = FormatPredicate(PredicateNode(.error))
        let brokenInside = FormatPredicate(PredicateNode(.not(PredicateNode(.error))))
        for predicate in [unbound, broken, brokenInside] {
            #expect(throws: EncodingError.self, "\(predicate)") { try JSONEncoder().encode(predicate) }
        }
    }

    @Test func operatorsBuildCompounds() throws {
        let (a, b, c) = try (FormatPredicate("a == 1"), FormatPredicate("b == 2"), FormatPredicate("c == 3"))
        let rows: [(FormatPredicate, String)] = [
            (a && b, "a == 1 AND b == 2"), (a || b, "a == 1 OR b == 2"), (!a, "NOT a == 1"),
            (a && b && c, "a == 1 AND b == 2 AND c == 3"), (a || b || c, "a == 1 OR b == 2 OR c == 3"),
            (a && (b && c), "a == 1 AND (b == 2 AND c == 3)"), (a && b || c, "(a == 1 AND b == 2) OR c == 3"),
            (a && (b || c), "a == 1 AND (b == 2 OR c == 3)"), (!(a && b), "NOT (a == 1 AND b == 2)"),
            (!a && !b, "(NOT a == 1) AND (NOT b == 2)"), (!(!a), "NOT (NOT a == 1)"), (.and([]), "TRUEPREDICATE"),
            (.or([]), "FALSEPREDICATE"), (.constant(true) && a, "TRUEPREDICATE AND a == 1"),
            (.not(.constant(false)), "NOT FALSEPREDICATE"),
            (
                .comparison(
                    .key("x.y"), .beginsWith, .value("é"), modifier: .any,
                    options: [.caseInsensitive, .diacriticInsensitive]),
                "ANY x.y BEGINSWITH[cd] \"é\""
            ),
            (.comparison(.object, .in, .variable("v")), "SELF IN $v"),
        ]
        for (predicate, expected) in rows {
            #expect(predicate.description == expected)
            #expect(try FormatPredicate(expected) == predicate)
        }
    }

    /// Warnings never hide an error.
    @Test func warningsNeverHideErrors() {
        let warned = String(repeating: "a == b AND ", count: PredicateLimits.standard.diagnostics + 10)
        let parsed = FormatPredicate.parse(warned + "nosuch(a) == 1")
        let found = PredicateTree.predicate(parsed.tree).findings(source: parsed.source, by: .text(.standard))
        #expect(found.count == PredicateLimits.standard.diagnostics)
        #expect(found.last?.id == .unknownFunction)
    }
}
