// LIKE and MATCHES with `[c]` and `[d]` (LANGUAGE 5.6).

import PredicateEvaluation
import PredicateTestSupport
import Testing

@Test(.cases) func likeTable() {
    let cases: [(String, String, String, Bool)] = [
        ("abc", "a?c", "", true), ("ac", "a?c", "", false), ("abbc", "a?c", "", false), ("", "*?", "", false),
        ("abcfebbcce", "a*b*c?e", "", true), ("b", "[a-c]", "", false), ("a%b", "a%b", "", true),
        ("a\nb", "a?b", "", true), ("", "", "", false), ("", "*", "", true), ("a", "**", "", true),
        ("*", "\\*", "", true), ("a", "\\*", "", false), ("\\", "\\\\", "", true), ("a", "\\a", "", true),
        ("\\", "\\", "", true), ("😀", "?", "", true), ("e\u{301}", "?", "", false), ("é", "?", "", true),
        ("é", "e\u{301}", "", false), ("é", "e\u{301}", "c", true), ("e\u{301}", "?", "c", true), ("é", "?", "d", true),
        ("e\u{301}", "?", "d", true), ("ÉCLAIR", "ec*", "cd", true), ("Straße", "*STRASSE", "c", true),
        ("Straße", "*ss?", "c", true), ("ß", "?", "c", false), ("ß", "??", "c", true), ("ß", "???", "c", false),
        ("한국", "??", "c", true), ("한국", "?", "c", false), ("한국", "한*", "d", true), ("", "\u{301}", "d", false),
        ("a", "A", "cn", false), ("a", "?\u{301}", "d", true), ("가각", "?각", "c", true),
    ]
    forEachCase(cases) { text, pattern, letters, expected in
        let matcher = try #require(try TextPattern.like(pattern, options: options(letters)).matcher)
        #expect(matcher.matches(text) == expected)
    }
}

@Test(.cases) func matchesTable() {
    let cases: [(String, String, String, Bool)] = [
        ("CATCATCATGTCT", ".*(CAT){3,}[A-Z]*", "", true), ("0123456789", "\\d{10}|\\d{9}[Xx]", "", true),
        ("", "", "", false), ("", "a*", "", true), ("abc", "b", "", false), ("a\nb", "a.b", "", false),
        ("a\nb", "(?s)a.b", "", true), ("é", "e\u{301}", "", false), ("É", "e\u{301}", "c", true),
        ("É", "[é]", "c", true), ("É", "[^é]", "c", false), ("É", "[^e]", "c", true), ("É", "[^e]", "d", true),
        ("é", "[^e]", "d", false), ("É", "[^e]", "cd", false), ("Éa", "..", "c", true), ("É", ".", "c", true),
        ("É", "..", "d", false), ("", ".", "d", false), ("한글", "..", "c", true), ("한", "[가-힣]", "c", true),
        ("한", "[가나]", "c", false), ("나", "[가나]", "c", true), ("SS", "ß", "c", true), ("ß", "s+", "c", true),
        ("ß", "s{3}", "c", false), ("ẞ", "[ß]", "c", true), ("SS", "[ß]", "c", true), ("A", "\\p{Ll}", "c", true),
        ("A", "(?-i)a", "c", true), ("É", "(?i)e", "d", true), ("a", "\u{301}", "d", false),
        ("e\u{301}x", "éx", "", false), ("\r\n", "(?s).", "c", true), ("\r\n", "(?s)..", "c", false),
        ("\r\n", "(?s).*\\n", "", false), ("ﬁx", "(?i)FIX", "", true), ("fix", "(?i)ﬁx", "", true),
    ]
    forEachCase(cases) { text, pattern, letters, expected in
        let matcher = try #require(try TextPattern.matches(pattern, options: options(letters)).matcher)
        #expect(matcher.matches(text) == expected)
    }
}

/// A pattern of letters equals `==`, `x*` equals BEGINSWITH, and so on, with all options.
@Test(.cases) func likeAgreesWithTheOperators() {
    forEachCase(["", "c", "d", "cd"] as [String]) { letters in
        let options = options(letters)
        let words = [
            "a", "É", "é", "e\u{301}", "ß", "ss", "SSx", "한", "ㅎ", "ﬁ", "fi", "İ", "i", "xÉss", "ǅ", "ΐ", "\u{1112}",
            "\u{1161}",
        ]
        for word in words {
            let shapes: [(String, (String) -> Bool)] = [
                (word, { StringFold.equal($0, word, options: options) }),
                (word + "*", { StringFold.hasPrefix($0, word, options: options) }),
                ("*" + word, { StringFold.hasSuffix($0, word, options: options) }),
                ("*" + word + "*", { StringFold.contains($0, word, options: options) }),
            ]
            for (pattern, expected) in shapes {
                let like = try #require(try TextPattern.like(pattern, options: options).matcher)
                // The same without the fast path: an automaton over folded texts.
                guard case .core(let core) = try TextPattern.like(pattern, options: options).kind else { continue }
                let automaton = try PatternMatcher(matching: core)
                for text in words + words.map({ "a" + $0 + "b" }) {
                    #expect(like.matches(text) == expected(text), "\(text) LIKE \(pattern)")
                    #expect(
                        automaton.matches(StringFold.fold(text, options)) == expected(text), "\(text) LIKE \(pattern)")
                }
            }
        }
    }
}

@Test func statesOverTheLimitAreDiscarded() throws {
    // The automaton has more than 2^18 possible sets of states, so the cache is cleared many times. The result must
    // stay correct.
    let matcher = try #require(try TextPattern.matches("(?:a|b)*a(?:a|b){18}").matcher)
    var random = SplitMix(5)
    for _ in 0..<20 {
        let text = (0..<3000).map { _ in random.below(2) == 0 ? "a" : "b" }
        #expect(matcher.matches(text.joined()) == (text[text.count - 19] == "a"))
    }
}

@Test(.cases) func icuUnderABudget() {
    let cases: [(String, String, ICUPattern.Outcome)] = [
        ("(a+)+\\1b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", ICUPattern.Outcome.budget),
        ("(a)\\1", "aa", .matched), ("(a)\\1", "aab", .notMatched), ("(?=.*\\d)\\w+", "abc1", .matched),
        ("a|ab(?=)", "ab", .matched),
        ("(?x) (a) \\1 # comment", "aa", .matched), ("(a)\\1\\Q.", "aa.", .matched), ("\\bfoo\\b", "foo", .matched),
        ("a$\\n", "a\n", .matched), ("(?<!x)a", "a\n", .notMatched), ("\\X", "e\u{301}", .matched),
    ]
    forEachCase(cases) { pattern, text, expected in
        guard case .needsICU = try TextPattern.matches(pattern).kind else {
            Issue.record("runs here")
            return
        }
        #expect(try ICUPattern(pattern).match(text) == expected)
    }
}

@Test func icuWithOptions() throws {
    #expect(try ICUPattern("(É)\\1", options: .caseInsensitive).match("éE\u{301}") == .matched)
    #expect(try ICUPattern("(é)\\1", options: .diacriticInsensitive).match("eè") == .matched)
    #expect(try ICUPattern("(é)\\1", options: .diacriticInsensitive).match("eE") == .notMatched)
    // For ICU, a composed character is one letter in either form, and `=` is not a part of ≠.
    #expect(try ICUPattern("(.)\\1", options: .caseInsensitive).match("e\u{301}É") == .matched)
    #expect(try ICUPattern("(e)(?=.*)\u{338}?", options: .caseInsensitive).match("e\u{338}") == .matched)
    #expect(throws: ICUPatternError.self) { try ICUPattern("\\p{NoSuchProperty}") }
    #expect(throws: ICUPatternError.self) { try ICUPattern("a)(b") }
}
