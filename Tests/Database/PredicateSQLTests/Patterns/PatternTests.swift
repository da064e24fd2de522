// Tests of the patterns that engines with regular expressions get for `[c]`, `[d]` and `[cd]`. ICU runs the patterns.
// The results are compared with those of the operators, for difficult pairs and for every scalar that folding changes.

import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateSQL

@Suite struct PatternTests {
    static let texts =
        Pools.texts.filter { !$0.isEmpty } + [
            "straße", "STRASSE", "ﬆ", "st", "ﬃ", "ffi", "f", "fi", "xﬁx", "ΐ", "ι", "\u{308}", "ŉ", "ʼn", "n", "각", "ᄀ",
            "가", "가", "ᅡ", "ᆨ", "ᾳ", "αι", "ǰ", "j\u{30C}", "İx", "i\u{307}x", "é\u{323}", "xe", "\u{345}", "ṩ", "Ω",
            "Å", "å",
        ]
    static let options: [ComparisonOptions] = [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]

    private static func expression(_ pattern: RegularPattern) throws -> NSRegularExpression? {
        var writer = RegexWriter(RegexCapability(test: "{0} ~ {1}", opening: "\\A", closing: "\\z"), storesNUL: true)
        return try writer.write(pattern).map { try NSRegularExpression(pattern: $0) }
    }

    private static func matches(_ expression: NSRegularExpression, _ text: String) -> Bool {
        let whole = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, options: [], range: whole) != nil
    }

    private static let pieces = [
        "a", "s", "ss", "f", "fi", "i", "st", "t", "é", "ß", "x", "ι", "\u{308}", "n", "한", "ᅡ", "ʼ", "k", "bс",
    ]
    private static let letters =
        pieces + ["ﬁ", "ﬆ", "ﬃ", "ﬀ", "ẞ", "ŉ", "ΐ", "ά", "İ", "K", "각", "가", "ẖ", "S", "\u{301}", "q", "ᾳ"]

    /// A text that contains the pieces, often with other text between them.
    private static func text(_ chosen: [String], _ random: inout SplitMix) -> String {
        var text = ""
        for piece in chosen {
            if random.chance(60) { text += random.pick(letters) }
            if random.chance(85) { text += random.chance(50) ? piece : piece.uppercased() }
        }
        return random.chance(30) ? text + random.pick(letters) : text
    }

    /// LIKE and MATCHES with options, as patterns for all texts whose folded form matches.
    @Test(.cases) func foldedPatternsAgreeWithTheOperators() {
        forEachCase(Self.options) { options in
            let table = try #require(FoldTable.table(options))
            var random = SplitMix(3)
            var (said, unsaid, matched, compared) = (0, 0, 0, 0)
            while compared < TestDepth.count(6_000) {
                let isLike = random.chance(60)
                let chosen = (0...1 + random.next() % 2).map { _ in random.pick(Self.pieces) }
                let runs =
                    isLike
                    ? ["*", "*", "", "*x*", random.chance(4) ? "?" : "*"]
                    : [".*", "", "[a-s]*", "[^x]?", "(?:st|a)", "s+", "k{2}", "(?:xi)*", "k{1,3}"]
                var pattern = random.chance(30) ? runs[0] : ""
                for piece in chosen { pattern += piece + random.pick(runs) }
                let compiled =
                    isLike
                    ? try TextPattern.like(pattern, options: options)
                    : try TextPattern.matches(pattern, options: options)
                guard case .core(let core) = compiled.kind, let evaluator = compiled.matcher else { continue }
                guard let preimage = table.preimage(of: core) else {
                    unsaid += 1
                    continue
                }
                said += 1
                let matcher = try PatternMatcher(matching: preimage)
                for _ in 0..<80 {
                    let text = Self.text(chosen, &random)
                    let expected = evaluator.matches(text)
                    if matcher.matches(text) != expected {
                        Issue.record("\(text.debugDescription) \(pattern.debugDescription)")
                    }
                    matched += expected ? 1 : 0
                    compared += 1
                }
            }
            #expect(TestDepth.isQuickest || matched > compared / 40 && said > unsaid)
        }
    }

    /// The same patterns with atomic groups. ICU backtracks like MariaDB and Spark.
    @Test(.cases) func atomicFoldedPatternsAgreeWithTheOperators() {
        forEachCase(Self.options) { options in
            let table = try #require(FoldTable.table(options))
            var random = SplitMix(4)
            var (said, matched, compared) = (0, 0, 0)
            while compared < TestDepth.count(6_000) {
                let chosen = (0...1 + random.next() % 3).map { _ in random.pick(Self.pieces) }
                let ends = (random.chance(30) ? "*" : "", random.chance(30) ? "*" : "")
                let pattern = ends.0 + chosen.joined(separator: "*") + ends.1
                let compiled = try TextPattern.like(pattern, options: options)
                guard case .core(let core) = compiled.kind, let evaluator = compiled.matcher,
                    let preimage = table.preimage(of: core),
                    let glob = LetterGlob(preimage, marks: table.continuingLetters, vanishing: table.vanishing)
                else { continue }
                said += 1
                var writer = RegexWriter(
                    RegexCapability(test: "{0} ~ {1}", opening: "\\A", closing: "\\z"), storesNUL: true)
                let written = writer.write(glob)
                let expression = try NSRegularExpression(pattern: try #require(written))
                for _ in 0..<60 {
                    let text = Self.text(chosen, &random)
                    let expected = evaluator.matches(text)
                    if Self.matches(expression, text) != expected {
                        Issue.record("\(text.debugDescription) \(pattern.debugDescription)")
                    }
                    matched += expected ? 1 : 0
                    compared += 1
                }
            }
            #expect(TestDepth.isQuickest || matched > compared / 20 && said * 120 > compared)
        }
    }

    @Test(.cases) func foldedNeedlesAgreeWithTheOperators() {
        forEachCase(Self.options) { options in
            let table = try #require(FoldTable.table(options))
            let tests: [(ComparisonOperator, (FoldedNeedle) -> RegularPattern?)] = [
                (.equal, \.equal), (.beginsWith, { $0.pattern(.prefix) }), (.endsWith, { $0.pattern(.suffix) }),
                (.contains, { $0.pattern(.anywhere) }), (.greaterThan, \.greater),
                (.greaterThanOrEqual, \.greaterOrEqual),
            ]
            var compared = 0
            for needle in TestDepth.some(Self.texts, every: 8) where !StringFold.fold(needle, options).isEmpty {
                let folded = FoldedNeedle(table, needle)
                for (op, pattern) in tests {
                    // Only the order of long texts cannot be written as a pattern.
                    guard let pattern = pattern(folded) else {
                        #expect(needle.utf8.count > 64 && (op == .greaterThan || op == .greaterThanOrEqual))
                        continue
                    }
                    guard let expression = try Self.expression(pattern) else { continue }
                    for text in Self.texts + [needle + "x", "x" + needle, "x" + needle + "x"] {
                        let expected = try Comparison(op, options).test(.string(text), .string(needle))
                        #expect(
                            Self.matches(expression, text) == expected,
                            "\(text.debugDescription) \(op) \(needle.debugDescription)")
                        compared += 1
                    }
                }
            }
            #expect(compared > TestDepth.count(10_000))
        }
    }

    /// Every scalar that folding changes, as a text, compared with its folded form and with parts of it.
    @Test(.cases) func everyFoldedScalarAgreesWithTheOperators() {
        forEachCase(Self.options) { options in
            let table = try #require(FoldTable.table(options))
            for (scalar, folded) in TestDepth.some(table.changes) where !folded.isEmpty {
                guard let text = String(codePoints: [scalar]), let needle = String(codePoints: folded) else { continue }
                let pattern = try #require(FoldedNeedle(table, needle).equal)
                let matcher = PatternProbe(pattern)
                #expect(matcher.matches([scalar]), "\(text.debugDescription)")
                #expect(!matcher.matches([scalar, 0x78]))
            }
        }
    }

    /// The order of every scalar that folding changes, and of a sample of the others, against needles before,
    /// in and after the folded form.
    @Test(.cases) func everyScalarIsOrderedAsByTheOperators() {
        forEachCase(Self.options) { options in
            let table = try #require(FoldTable.table(options))
            let scalars = TestDepth.some(table.changes.map(\.scalar) + stride(from: 0x20, through: 0x10FFFF, by: 977))
            for needle in ["", "m", "mz", "ss", "e\u{301}", "ᄀ", "각", "ᄒ", "한글", "\u{FFFF}", "\u{10FFFF}"] {
                let pattern = try #require(FoldedNeedle(table, needle).greater)
                let matcher = PatternProbe(pattern)
                for scalar in scalars {
                    guard let text = String(codePoints: [scalar]) else { continue }
                    let expected = StringFold.compare(text, needle, options: options) > 0
                    #expect(
                        matcher.matches([scalar]) == expected, "\(text.debugDescription) > \(needle.debugDescription)")
                }
            }
        }
    }

    /// Patterns without folding: sets, repetitions, an empty set, U+0000.
    @Test(.cases) func patternsWithoutFoldingAgreeWithLike() {
        forEachCase(["a?b*[c-e]", "*a", "??", "\\*", "a*b*c"] as [String]) {
            try patternsWithoutFoldingAgreeWithLike($0)
        }
    }

    private func patternsWithoutFoldingAgreeWithLike(_ glob: String)
        throws
    {
        guard case .core(let pattern) = try TextPattern.like(glob).kind else { return }
        let expression = try #require(try Self.expression(pattern))
        for text in Pools.texts + ["a*", "*", "abc", "abbc", "xa", "a\nbc", "aXbbb[c-e]"] {
            let expected = try Comparison(.like).test(.string(text), .string(glob))
            #expect(Self.matches(expression, text) == expected, "\(text.debugDescription) LIKE \(glob)")
        }
    }

    /// The largest part of a pattern are the ranges of scalars that extend a letter.
    @Test func patternsOfLettersStayShort() throws {
        let schema = try Fixtures.schema()
        for (options, limit) in [("c", 3_700), ("cd", 1_100)] {
            for test in ["BEGINSWITH[\(options)] 'na'", "CONTAINS[\(options)] 'na'"] {
                for dialect in [SQLDialect.postgreSQL, .mySQL, .duckDB, .clickHouse, .spark] {
                    let query = try FormatPredicate("name \(test)").sql(dialect, entity: "Person", in: schema)
                    let bytes = query.bindings.reduce(0) { sum, value in
                        if case .string(let text) = value { sum + text.utf8.count } else { sum }
                    }
                    #expect(query.isExact && bytes < limit, "\(dialect.name): \(test)")
                }
            }
        }
    }

    @Test func regularExpressionsAreEscapedForTheEngine() {
        func write(_ pattern: RegularPattern, braced: Bool = true, storesNUL: Bool = true) -> String? {
            var writer = RegexWriter(RegexCapability(test: "{0} ~ {1}", bracedEscapes: braced), storesNUL: storesNUL)
            return writer.write(pattern)
        }
        #expect(write(.literal("aé😀'".unicodeScalars.map(\.value))) == "^a\\x{E9}😀\\x{27}$")
        #expect(write(.literal("éb\u{10A01}".unicodeScalars.map(\.value)), braced: false) == "^\\u00E9b\\U00010A01$")
        #expect(write(.set(.all), storesNUL: false) == "^(?s:.)$")
        // Letters are written literally, unless a normal form may change, join or move them.
        let set = CodePointSet([0x41...0x42, 0xC9...0xC9, 0xDF...0xDF, 0x17F...0x180, 0x300...0x305, 0x200C...0x200C])
        #expect(write(.set(set)) == "^[AB\\x{C9}ßſƀ\\x{300}-\\x{305}\\x{200C}]$")
        #expect(write(.set(set), braced: false) == "^[AB\\xC9ßſƀ\\x300-\\x305\\x200C]$")
        #expect(write(.set(CodePointSet(0x5D0...0x5EA))) == "^[\\x{5D0}-\\x{5EA}]$")
        #expect(write(.set(CodePointSet(0x9BE...0x9C1))) == "^[\\x{9BE}-\u{9C1}]$")
        #expect(write(.repetition(.set(CodePointSet(97)), minimum: 2, maximum: 3)) == "^a{2,3}$")
        #expect(write(.repetition(.set(CodePointSet(97)), minimum: 2, maximum: 3000)) == nil)
        #expect(write(.anyLine(.all)) == nil)
        #expect(write(.literal(Array(repeating: 233, count: 20_000))) == nil)
    }
}

/// Runs a small pattern by backtracking. This is faster than compiling a thousand patterns.
private struct PatternProbe {
    private let pattern: RegularPattern
    init(_ pattern: RegularPattern) { self.pattern = pattern }

    func matches(_ text: [UInt32]) -> Bool { ends(pattern, text, [0]).contains(text.count) }

    private func ends(_ pattern: RegularPattern, _ text: [UInt32], _ starts: Set<Int>) -> Set<Int> {
        switch pattern {
        case .empty: return starts
        case .set(let set): return Set(starts.filter { $0 < text.count && set.contains(text[$0]) }.map { $0 + 1 })
        case .anyLine: return Set(starts.filter { $0 < text.count }.map { $0 + 1 })
        case .concatenation(let parts): return parts.reduce(starts) { ends($1, text, $0) }
        case .alternation(let choices): return choices.reduce(into: []) { $0.formUnion(ends($1, text, starts)) }
        case .repetition(let inner, let minimum, _):
            var reached = minimum == 0 ? starts : []
            var now = starts
            for count in 1...(text.count + max(1, minimum)) {
                now = ends(inner, text, now)
                if count >= minimum { reached.formUnion(now) }
            }
            return reached
        }
    }
}
