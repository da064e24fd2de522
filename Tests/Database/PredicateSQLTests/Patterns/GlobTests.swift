// Tests which patterns are globs, how dialects write them, and that the first match of an atomic group is correct: ICU
// runs the regular expressions on every short text. Engines/GlobEngineTests.swift runs globs on the engines.

import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateSQL

@Suite struct GlobTests {
    private static func core(_ pattern: String, _ operator: ComparisonOperator) throws -> RegularPattern? {
        let compiled = try `operator` == .like ? TextPattern.like(pattern) : TextPattern.matches(pattern)
        return if case .core(let core) = compiled.kind { core } else { nil }
    }

    private static func glob(_ pattern: String, _ operator: ComparisonOperator = .like) throws -> Glob? {
        try core(pattern, `operator`).flatMap(Glob.init)
    }

    @Test(.cases) func globsAreRecognized() {
        let cases: [(String, Bool)] = [
            ("a?b", true), (".*ab.*", true), (".+b", true), ("[ab]*ba[ab]*", true), (".*\\d{2}.*", true),
            (".*.{3}", true),
            // Not globs: a run does not match a later part, the runs differ, or the pattern has alternatives or
            // counts without a fixed length.
            ("[ab]*c[ab]*", false), (".*a[ab]*", false), (".*(?:ab|c).*", false), (".*a?", false), (".*a{1,2}", false),
            ("(?:ab)*", false), ("abc", false), (".*\\n.*", false),
        ]
        forEachCase(cases) { (pattern, isGlob) throws in
            let pattern = pattern == "a?b" ? "a[\\s\\S]b" : pattern
            #expect((try Self.glob(pattern, .matches) != nil) == isGlob)
        }
    }

    @Test func longPatternsAreNotGlobs() throws {
        #expect(try Self.glob(String(repeating: "a*", count: 100)) != nil)
        #expect(try Self.glob(String(repeating: "a*", count: 101)) == nil)
        #expect(try Self.glob(String(repeating: "?", count: 4096)) != nil)
        #expect(try Self.glob(String(repeating: "?", count: 4097)) == nil)
    }

    /// Globs that ignore case, for ASCII texts: the letters of a pattern without case, and nothing else.
    @Test(.cases) func globsWithoutCase() {
        forEachCase(
            [
                ("*ab1*", "%ab1%"), ("*a?c", "%a_c"), ("*s*k*", "%s%k%"), ("*%_\\\\", "%\\%\\_\\\\"), ("*é", nil),
                ("*\0*", nil), ("*%*x", "%\\%%x"), ("*off*", "%off%"),
            ] as [(String, String?)]
        ) { pattern, expected in
            let capability = try #require(SQLDialect.postgreSQL.texts.caselessGlob)
            guard case .core(let core) = try TextPattern.like(pattern, options: .caseInsensitive).kind else { return }
            let preimage = try #require(FoldTable.caseInsensitive.preimage(of: core))
            #expect(capability.written(caseless: preimage) == expected)
            let over = [
                "*ab1*": "%ab1%", "*s*k*": "%_%", "*%_\\\\": "%\\%\\_\\\\", "*é": "%", "*%*x": "%\\%%x", "*off*": "%o%",
            ]
            if let over = over[pattern] { #expect(capability.written(over: preimage).glob == over) }
            // A letter in only one of its cases, or a set, is not a letter without case.
            #expect(capability.written(caseless: .set(CodePointSet(97))) == nil)
            #expect(capability.written(caseless: .set(CodePointSet(0x30...0x39))) == nil)
        }
    }

    @Test func specialCharactersAreEscaped() throws {
        let like = try #require(SQLDialect.mySQL.texts.glob)
        let glob = try #require(SQLDialect.sqlitePlain.texts.glob)
        func written(_ pattern: String, _ capability: GlobCapability) throws -> String? {
            try Self.glob(pattern).flatMap(capability.written)
        }
        #expect(try written("a?b*%_|[\\*\\?\\\\", like) == "a_b%|%|_||[*?\\")
        #expect(try written("a?b*%_|[\\*\\?\\\\]", glob) == "a?b*%_|[[][*][?]\\]")
        #expect(try written("*\0?", like) == "%\0_")
        for scalar in ["\0", "\u{FFFD}", "\u{FFFE}", "\u{FFFF}"] { #expect(try written("*\(scalar)?", glob) == nil) }
        // LIKE has no sets.
        #expect(try Self.glob("[\\s\\S]*[ab]", .matches).flatMap(like.written) == nil)
    }

    /// Every sequence of a few sets and runs of letters, on every short text: a piece between two runs may only contain
    /// letters that the runs match. Otherwise the first match of the piece would not always leave the most text for the
    /// rest.
    @Test func atomicGroupsFindTheLetters() throws {
        var compared = 0
        for options in [ComparisonOptions.caseInsensitive, [.caseInsensitive, .diacriticInsensitive]] {
            let table = try #require(FoldTable.table(options))
            let parts = ["a", "c", "[ac]", "[ab]*", "[\\na]", ".*"]
            for pattern in TestDepth.some(Pools.words(parts, upTo: 4), every: 70) {
                compared += try compare(pattern, options, table, Pools.words(["a", "b", "c", "\n"], upTo: 4))
            }
        }
        #expect(compared > TestDepth.least(TestDepth.count(100_000)))
    }

    /// Compares a pattern with atomic groups with the operator. Returns the number of texts; 0 for a pattern without
    /// such a form.
    private func compare(
        _ pattern: String, _ options: ComparisonOptions, _ table: FoldTable, _ texts: [String]
    ) throws -> Int {
        let compiled = try TextPattern.matches(pattern, options: options)
        guard case .core(let core) = compiled.kind, core.isGlob(table.extending), let matcher = compiled.matcher,
            let preimage = table.preimage(of: core),
            let glob = LetterGlob(preimage, marks: table.continuingLetters, vanishing: table.vanishing)
        else { return 0 }
        var writer = RegexWriter(RegexCapability(test: "{0} ~ {1}", opening: "\\A", closing: "\\z"), storesNUL: true)
        let written = writer.write(glob)
        let expression = try NSRegularExpression(pattern: try #require(written))
        for text in texts {
            let whole = NSRange(location: 0, length: text.utf16.count)
            let found = expression.firstMatch(in: text, options: [], range: whole) != nil
            // Not #expect, which is slow in a loop of this length.
            if found != matcher.matches(text) {
                Issue.record("\(text.debugDescription) MATCHES[\(options)] \(pattern)")
            }
        }
        return texts.count
    }

    /// Every short glob, and patterns with sets, as a regular expression that does not backtrack.
    @Test func atomicGroupsFindTheMatch() throws {
        let patterns =
            Pools.words(["a", "b", "*", "?"], upTo: 5).map { ($0, ComparisonOperator.like) }
            + ["[ab]*ab[ab]*a[ab]*", ".*[ab]b.*a[^c]", "[ab]*.{0}ab[ab]+[ab]{2}", ".*a.*ba.*b"].map { ($0, .matches) }
        let texts = Pools.words(["a", "b", "\n"], upTo: 4) + ["ababab", "aabbab", "aaab", "bbaab", "xaby", "cabac"]
        var compared = 0
        for (pattern, op) in patterns {
            guard let core = try Self.core(pattern, op), let glob = Glob(core) else { continue }
            var writer = RegexWriter(
                RegexCapability(test: "{0} ~ {1}", opening: "\\A", closing: "\\z"), storesNUL: true)
            let written = writer.write(glob)
            let expression = try NSRegularExpression(pattern: try #require(written))
            let matcher = try PatternMatcher(matching: core)
            for text in texts {
                let whole = NSRange(location: 0, length: text.utf16.count)
                let found = expression.firstMatch(in: text, options: [], range: whole) != nil
                if found != matcher.matches(text) {
                    Issue.record("\(text.debugDescription) \(op) \(pattern)")
                }
                compared += 1
            }
        }
        #expect(compared > 100_000)
    }

    /// Java's matcher recurses for every part of a pattern.
    @Test(.cases) func sparkPatternsHaveLimitedParts() {
        forEachCase([(1990, true), (2010, false)] as [(Int, Bool)]) { count, isExact in
            let pattern = String(repeating: "[ab]", count: count)
            let query = try FormatPredicate("name MATCHES %@", arguments: [.string(pattern)])
                .sql(.spark, entity: "Person", in: Fixtures.schema())
            #expect(query.isExact == isExact)
        }
    }
}
