// Tests of literals and their values (LANGUAGE 1.4, 1.5), through the parser.
import PredicateTestSupport
import Testing

@Suite struct LiteralTests {
    private func value(_ text: String) -> PredicateValue? {
        let parsed = FormatParser.expression(text)
        guard !parsed.hasErrors, case .value(let value) = parsed.tree.kind else { return nil }
        return value
    }

    @Test(.cases) func stringLiteralsHaveTheirValue() {
        let cases: [(String, String)] = [
            (#"'\n\t\r\a\b\f\v'"#, "\n\t\r\u{07}\u{08}\u{0C}\u{0B}"), (#"'\\\'\"'"#, "\\'\""), (#"'\d\?\*'"#, "d?*"),
            (#"'\x41\X6a'"#, "Aj"), (#"'\u00e9\U20AC'"#, "é€"), (#"'\uD83D\uDE00'"#, "😀"),
            (#"'\101\7\0'"#, "A\u{07}\u{0}"), (#"'\1011'"#, "A1"), (#"'\é'"#, "é"), (#"'\😀'"#, "😀"), ("'日本語'", "日本語"),
            ("''", ""), ("\"it's\"", "it's"), ("'say \"x\"'", "say \"x\""), ("'%@ %K $x'", "%@ %K $x"),
            ("'a\nb'", "a\nb"), (#"'\377'"#, "ÿ"),
        ]
        forEachCase(cases) { text, expected in #expect(value(text) == .string(expected), "\(text)") }
    }

    @Test(.cases) func malformedEscapesAreReported() {
        let cases: [(String, Int, Int)] = [
            (#"'a\x4'"#, 2, 5), (#"'\xg1'"#, 1, 5), (#"'\u12'"#, 1, 5), (#"'\ud83d'"#, 1, 7),
            (#"'\ude00\ud83d'"#, 1, 7), (#"'\ud83d\u0041'"#, 1, 7), (#"'\400'"#, 1, 5), (#"'\777'"#, 1, 5),
            (#"'\x4é'"#, 1, 6), (#"'\u00é€'"#, 1, 7), (#"'\u000é'"#, 1, 8),
        ]
        forEachCase(cases) { text, start, end in
            let found = FormatParser.expression(text).diagnostics
            #expect(found.map(\.id) == [.malformedEscape], "\(text)")
            #expect(found.map(\.span) == [SourceSpan(start, end)], "\(text)")
        }
    }

    @Test(.cases) func integerLiteralsHaveTheirValue() {
        let cases: [(String, Int64)] = [
            ("0", 0), ("42", 42), ("-23", -23), ("- 23", -23), ("007", 7), ("0x4444", 0x4444), ("0XfF", 255),
            ("0o17", 15), ("0b101", 5), ("-0x10", -16), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("0x7FFFFFFFFFFFFFFF", .max), ("3002970001", 3_002_970_001),
        ]
        forEachCase(cases) { text, expected in #expect(value(text) == .integer(expected), "\(text)") }
    }

    @Test(.cases) func doubleLiteralsHaveTheirValue() {
        let cases: [(String, Double)] = [
            ("2.71828", 2.71828), ("9.2e-5", 9.2e-5), ("-1.5", -1.5), ("1e3", 1000), ("1E+2", 100), ("0.1", 0.1),
            ("5e-324", .leastNonzeroMagnitude), ("1.7976931348623157e308", 1.7976931348623157e308), ("1e-400", 0),
        ]
        forEachCase(cases) { text, expected in #expect(value(text) == .double(expected), "\(text)") }
    }

    /// Short decimal literals are converted by a fast path, which must round like the general path.
    @Test func decimalLiteralsOfEveryLengthAreRounded() {
        var random = SplitMix(1)
        for _ in 0..<20_000 {
            let digits = String(UInt64.random(in: 0..<(1 << UInt64.random(in: 1..<64)), using: &random))
            let point = Int.random(in: 1...digits.count, using: &random)
            let text = digits.prefix(point) + "." + digits.dropFirst(point) + (point == digits.count ? "0" : "")
            #expect(value(String(text)) == Double(text).map(PredicateValue.double), "\(text)")
        }
    }

    @Test(.cases) func malformedNumbersAreReported() {
        let cases: [(String, DiagnosticID)] = [
            ("9223372036854775808", .numberOverflow), ("-9223372036854775809", .numberOverflow),
            ("99999999999999999999999", .numberOverflow), ("0xFFFFFFFFFFFFFFFFF", .numberOverflow),
            ("1e999", .numberOverflow), ("1.", .malformedNumber), (".5", .malformedNumber), ("1.2.3", .keyComponent),
            ("0x", .malformedNumber), ("12ab", .malformedNumber), ("1e", .malformedNumber),
        ]
        forEachCase(cases) { text, id in #expect(FormatParser.expression(text).diagnostics.first?.id == id, "\(text)") }
    }

    @Test(.cases) func constantWordsHaveTheirValue() {
        let cases: [(String, PredicateValue)] = [
            ("YES", PredicateValue.bool(true)), ("true", .bool(true)), ("No", .bool(false)), ("FALSE", .bool(false)),
            ("nil", .null), ("NULL", .null),
        ]
        forEachCase(cases) { text, expected in
            guard let value = value(text) else { return #expect(Bool(false), "\(text)") }
            // Compares descriptions, because YES equals 1.
            #expect("\(value)" == "\(expected)", "\(text)")
        }
    }
}
