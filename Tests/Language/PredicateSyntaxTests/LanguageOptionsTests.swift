// Tests of the language options and of the ways to pass arguments.
import PredicateTestSupport
import Testing

@Suite struct LanguageOptionsTests {
    @Test(.cases) func extensionsAreOffByDefault() {
        let cases: [(String, LanguageOptions, DiagnosticID)] = [
            ("@status(a.b) == 1", LanguageOptions.deviceManagementTerms, DiagnosticID.deviceManagementTerm),
            ("größe == 1", .unicodeIdentifiers, .nonAsciiKey), ("a.日本 == 1", .unicodeIdentifiers, .nonAsciiKey),
        ]
        forEachCase(cases) { text, option, id in
            #expect(FormatParser.predicate(text).diagnostics.map(\.id) == [id])
            let parsed = FormatParser.predicate(text, options: option)
            #expect(parsed.diagnostics.isEmpty)
            #expect(parsed.tree.description == text)
        }
    }

    private static let right: [(String, [FormatArgument], String)] = [
        ("%K == %@", [.value(.string("a.b")), .value(.string("x"))], "a.b == \"x\""),
        ("%K.%K == 1", [.value(.string("a")), .value(.string("b.c"))], "a.b.c == 1"),
        ("a == %d", [.value(.integer(5))], "a == 5"), ("a == %ld", [.value(.bool(true))], "a == 1"),
        ("a == %f", [.value(.integer(5))], "a == 5.0"), ("a == %f", [.value(.float(55.8))], "a == 55.8"),
        ("a == %@", [.value(.null)], "a == nil"), ("a == %@", [.expression(ExpressionNode(.variable("x")))], "a == $x"),
        ("a == %@ + 1", [.expression(FormatParser.expression("b + c").tree)], "a == (b + c) + 1"),
        ("%@.b == 1", [.expression(FormatParser.expression("$x.a").tree)], "($x.a).b == 1"),
        ("%K[%d] == 1", [.value(.string("any")), .value(.integer(0))], "#any[0] == 1"),
    ]

    @Test func argumentsReplaceTheirConversions() {
        for (text, arguments, expected) in Self.right {
            let parsed = FormatParser.predicate(text, arguments: .bound(arguments))
            #expect(parsed.diagnostics.isEmpty && parsed.tree.description == expected, "\(text) \(parsed.tree)")
            #expect(FormatParser.predicate(text).tree.description == text)
            #expect(FormatParser.predicate(text, arguments: .none).diagnostics.first?.id == .percentInText)
        }
    }

    private static let wrong: [(String, [FormatArgument], DiagnosticID)] = [
        ("a == %@", [], .missingArgument), ("a == 1", [.value(.null)], .surplusArgument),
        ("a == '%@'", [.value(.null)], .surplusArgument), ("%K == 1", [.value(.integer(1))], .argumentType),
        ("%K == 1", [.value(.string(""))], .argumentType), ("a == %d", [.value(.string("5"))], .argumentType),
        ("a == %d", [.value(.double(5))], .argumentType), ("a == %f", [.value(.string("5"))], .argumentType),
        ("a == %d", [.expression(ExpressionNode(.selfObject))], .argumentType),
        ("a == %s", [.value(.string("5"))], .unsupportedConversion),
        ("a == %5.2f", [.value(.double(5))], .unsupportedConversion),
        ("a == %1$@", [.value(.double(5))], .unsupportedConversion),
        ("%k == 1", [.value(.string("a"))], .unknownConversion),
        ("a LIKE %@*", [.value(.string("x"))], .adjacentArgument),
    ]

    @Test func wrongArgumentsAreReported() {
        for (text, arguments, id) in Self.wrong {
            let found = FormatParser.predicate(text, arguments: .bound(arguments)).diagnostics.map(\.id)
            #expect(found.contains(id), "\(text) \(found)")
        }
    }

    /// The nodes of a spliced tree have the span of its conversion, although the tree was parsed from another text.
    @Test func splicedTreesHaveSpansOfThisText() {
        let long = FormatParser.expression("             a + b").tree
        let parsed = FormatParser.predicate("x == %@", arguments: .bound([.expression(long)]))
        PredicateWalker(expression: { #expect($0.span.end <= 7) }).walk(parsed.tree)
    }

    @Test func limitsAreChecked() {
        var limits = PredicateLimits()
        limits.inputBytes = 10
        #expect(FormatParser.predicate("a == 12345", limits: limits).diagnostics.isEmpty)
        #expect(FormatParser.predicate("a == 123456", limits: limits).diagnostics.map(\.id) == [.limitExceeded])
        limits = PredicateLimits()
        limits.nodes = 20
        let chain = (0..<10).map { "a == \($0)" }.joined(separator: " AND ")
        #expect(FormatParser.predicate(chain, limits: limits).diagnostics.map(\.id) == [.limitExceeded])
        limits = PredicateLimits()
        limits.nesting = 5
        #expect(FormatParser.predicate("((((a == 1))))", limits: limits).diagnostics.isEmpty)
        #expect(FormatParser.predicate("((((((a == 1))))))", limits: limits).diagnostics.map(\.id) == [.limitExceeded])
        #expect(
            FormatParser.predicate("a + 1 + 1 + 1 + 1 == 1", limits: limits).diagnostics.map(\.id) == [.limitExceeded])
        limits.nesting = 10_000
        let high = String(repeating: "-", count: 300) + "a == 1"
        #expect(FormatParser.predicate(high, limits: limits).diagnostics.map(\.id) == [.limitExceeded])
        limits = PredicateLimits()
        limits.diagnostics = 3
        #expect(FormatParser.predicate("a, b AND 1 1 AND ] AND ) AND }", limits: limits).diagnostics.count == 3)
    }
}
