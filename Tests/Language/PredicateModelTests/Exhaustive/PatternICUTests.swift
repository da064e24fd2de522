// Compares our automaton with ICU: unusual patterns one by one, and random patterns.

import Foundation
import PredicateEvaluation
import PredicateTestSupport
import Testing

/// Unexpected behaviour of ICU, for which the patterns of engines are written (SQL of each construct: MATCHES).
private let corners: [String] = #"""
    []a] [^]a] [[]] [a-&] [] [^] [a&&] [a--] [z-a] [a-] [-a] [a-[b]] [\d-z] [a&&b] [a--b] [&a] [a&b] [[a]&[b]]
    [[a]-[b]] [[a]-b] [\b] [\p{L}-[a]] [\w-[a]] [:alpha:]
    [[:alpha:]] [[:^alpha:]] ] \j \E \Qa \Qa\E* \x{41} \u0041 \U00000041 \0777 \cA \p{Lu} \p{gc=Lu} \P{Lu}
    \p{Script=Greek}
    (?i)ss (?i)s (?i)S+ (?i)[s] (?i)[^s] (?i)[ß] (?i)ß (?i)ßs (?i)sß (?i)ß* (?i)ss* (?i)s(?#x)s (?i)s(?i)s (?i)s(?:s)
    (?i)(?x)s\u0020s
    (?i)k (?i)[k] (?i)İ (?i)i (?i)i\u0307 (?i)ŉ (?i)[ŉ] (?i)st (?i)sst (?i)ﬅ (?i)[ﬅ] (?i)σ (?i)[σ] (?i)ΐ (?i)[ΐ]
    (?i)\u1FD3 (?i)[\u1FD3]
    (?i)αι (?i)ᾳ (?i)[ᾳ] (?i)\p{Lu} (?i)\P{Lu} (?i)[\P{Lu}] (?i)[^\P{Lu}] (?i)\u0345 (?i)ffi (?i)ﬀi (?i)fﬁ
    (?i)[a-c&&[A]] (?i)[a-c--A]
    (?i)\d (?i)\W (?i)[\W] (?i)[^\W] (?i)[^ſ] (?i)ssss (?s). (?s).. (?s)\r. (?s).\n (?s).*\n (?s).* (?s).+ (?s).+\n
    (?s).?\n (?s).{1}
    (?s).{2} (?s)(?:.)*\n (?s)(?:.|x)*\n (?s)[\s\S]\n (?s).*?\n (?s).{0,3}\n .\n .*\n . .. \s\s $ ^ ^$ ^a$ (?m)^a$
    a(?:b|$) (?:^|b)a
    [a-\p{L}] [a-\h] [a-\v] [a-\j] [\h-z] [\p{L}-z] [\d-[1]] [\d&[12]] [a-z-[b]] [ab-[b]] [ab&[b]] [[ab]&&b] [[ab]--b]
    [ab--b&&a]
    [abc&&ab--b] [ab[c]&&[c]d] [^ab&&b] [^[a]] [^[^a]] [a[^a]] [[:alpha:]-[a]] [[:alpha:]&&a] [:alpha:]- [[a]&b]
    [[a]--[b]] [-&]
    [a&-] [!-&] [\x21-\&] \x4 \x4g a{0} a{0,0} a{1,} a{2,}b? (a|b){2} (?:a?){3} (?:){3} (a*)* (a*)+ (a?b?)* x{0}y
    [\j\y] \j\y
    \h\H\v \H \V \Q\ \Qa\Eb \Qab\E* [\Qa-c\E] [\Q]\E] \ud83d\ude00 [\ud83d\ude00] (?i:a)b (?i)a(?-i)b ((?i)a)b (?i-s)A
    (?u)a a| |a (a|)b
    (?:a|) () (a)?b [a-z&&[^aeiou]] [a-b-c] [a&&&b] [a---b] [^^] [-] [&] [[a]] [[]a]] [^-a] [^&&a] [\w--\d] [\w&&\d]
    (?i-)a (?-)a (?)a
    """#.split(whereSeparator: \.isWhitespace).map { String($0) }

private let cornerTexts = [
    "", "a", "b", "A", "aa", "ab", "aab", "a-", "-", "&", "a&", "[", "]", "[]", "a]", "b]", "-]", "^", "\\", "E", "j",
    "y", "c", "C", "R", "X", "{", "}", "d", "1", "2", "\n", "\r", "\r\n", "a\n", "\n\n", "\r\r\n", "a\r\n", " ", "é",
    "e", "ß", "ss", "SS", "S", "s", "ſ", "ẞ", "K", "k", "\u{212A}", "İ", "i", "i\u{307}", "ŉ", "\u{2BC}n", "ﬆ", "ﬅ",
    "st", "ST", "sst", "σ", "ς", "Σ", "a b", "#", "_", ":", "a:", "l", "😀", "Z", "z", "=", "\u{85}", "\u{2028}", "\t",
    "\u{B}", "α", "\u{390}", "\u{1FD3}", "aaa", "aaaa", "ᾳ", "αι", "ᾼ", "ι", "\u{345}", "sss", "ssss", "ßs", "sß", "v",
    "h", "G", "Q", "0", "a1", "b\u{307}", "J", "N", "x", "\u{1}", "fi", "ﬁ", "ffi", "ﬃ", "ﬀi", "fﬁ", "s s", "?7",
    "\u{4}g", "4g", "jy", "sS",
]

/// We reject what ICU rejects, and give the same results for the others.
@Test func cornerCasesAgreeWithICU() throws {
    for pattern in corners {
        guard let icu = try? ICUPattern(pattern) else {
            #expect(throws: PatternError.self, "\(pattern)") { try TextPattern.matches(pattern) }
            continue
        }
        let matcher = try #require(try TextPattern.matches(pattern).matcher, "\(pattern)")
        for text in cornerTexts where icu.match(text) != (matcher.matches(text) ? .matched : .notMatched) {
            Issue.record("\(pattern) on \(text.scalarsInHex): ICU \(icu.match(text))")
        }
    }
}

/// Generates random patterns of the regular core, optionally with constructs that only ICU can match.
private struct PatternMaker {
    var random: SplitMix
    var leavesCore = false

    mutating func letter() -> String {
        random.pick([
            "a", "b", "c", "A", "S", "s", "K", "é", "É", "ß", "ſ", "σ", "1", "-", "_", " ", "😀", "\\n", "\\.", "\\x62",
            "\\u00e9", "ﬁ", "f", "i", "\\Qa.\\E", "\\r", "가", "\\t", "\\*",
        ])
    }

    mutating func set(_ depth: Int) -> String {
        var text = random.below(4) == 0 ? "[^" : "["
        for index in 0...random.below(3) {
            if index > 0, random.below(4) == 0 { text += random.pick(["&&", "--"]) }
            switch random.below(depth > 0 ? 7 : 6) {
            case 0: text += random.pick(["a-c", "A-Z", "0-9", "à-ÿ", "\\x61-\\x63", "가-나"])
            case 1: text += random.pick(["\\w", "\\d", "\\s", "\\W", "\\D", "\\S", "\\h", "\\v"])
            case 2: text += random.pick(["\\p{L}", "\\p{Lu}", "\\P{Ll}", "[:digit:]", "[:alpha:]", "\\p{Greek}"])
            case 6: text += set(depth - 1)
            default:
                text += random.pick([
                    "a", "b", "c", "S", "s", "é", "É", "ß", "1", "_", " ", "\\n", "\\]", "\\-", "σ", "k",
                ])
            }
        }
        return text + "]"
    }

    mutating func atom(_ depth: Int) -> String {
        if leavesCore, random.below(4) == 0 {
            return random.pick([
                "(?:\\b)", "(?:\\B)", "(?:(?=a))", "(?:(?!b))", "(?:(?<=a))", "(?:(?<!s))", "(?:(?:(a|b))\\1)",
                "(?>a|ab)", "(?>s+)", "(?:a*+)", "(?:[a-c]++)", "\\X", "\\R", "[\\p{InGreek}a]", "[^\\p{InGreek}]",
                "\\P{InGreek}", "(?d:.)", "(?ds:.)", "(?:a$)", "(?:^a)", "\\N{SPACE}", "[\\N{SPACE}a]",
                "(?i:sssssssssssssss)",
            ])
        }
        return switch random.below(depth > 0 ? 12 : 8) {
        case 0, 1, 2, 3: letter()
        case 4: random.pick([".", ".", "\\w", "\\d", "\\s", "\\W", "\\D", "\\S", "\\h", "\\p{L}", "\\P{Lu}"])
        case 5, 6, 7: set(1)
        case 8, 9: "(" + choice(depth - 1) + ")"
        default:
            random.pick(["(?:", "(?i:", "(?s:", "(?-i:", "(?<n\(random.below(1 << 30))>"]) + choice(depth - 1) + ")"
        }
    }

    mutating func choice(_ depth: Int) -> String {
        var text = ""
        for index in 0...random.below(3) {
            if index > 0, random.below(3) == 0 { text += "|" }
            text += atom(depth)
            if random.below(2) == 0 {
                text += random.pick(["*", "+", "?", "*?", "+?", "??", "{2}", "{1,}", "{0,2}", "{1,3}?"])
            }
        }
        return text
    }

    mutating func pattern() -> String {
        let flags = random.pick(["", "", "", "(?i)", "(?s)", "(?is)", "(?m)", "^", "\\A"])
        return flags + choice(2) + random.pick(["", "", "", "$", "\\z", "\\Z"])
    }

    mutating func text() -> String {
        let scalars = [
            "a", "a", "b", "b", "c", "A", "S", "s", "k", "K", "é", "É", "e\u{301}", "ß", "ſ", "σ", "Σ", "ς", "1", "2",
            "-", "_", " ", "😀", "\n", "\r", "\r\n", ".", "ﬁ", "f", "i", "가", "\t", "*", "\u{212A}", "\u{2028}", "ẞ",
            "İ", "a.",
        ]
        return (0..<random.below(6)).map { _ in random.pick(scalars) }.joined()
    }
}

@Test(.cases) func randomPatterns() {
    forEachCase(UInt64(1)...8) { seed in
        var maker = PatternMaker(random: SplitMix(seed &* 0x1234_5678_9ABC))
        var limits = PredicateLimits.standard
        limits.patternTime = .milliseconds(2)
        var (pairs, matched, budgets, outside) = (0, 0, 0, 0)
        while pairs < TestDepth.count(5_000, full: 30_000) {
            let pattern = maker.pattern()
            guard let matcher = try TextPattern.matches(pattern).matcher else {
                outside += 1
                continue
            }
            let icu = try ICUPattern(pattern, limits: limits)
            for _ in 0..<20 {
                let text = maker.text()
                let outcome = icu.match(text)
                if outcome == .budget {
                    budgets += 1
                    continue
                }
                let ours = matcher.matches(text)
                if ours != (outcome == .matched) { Issue.record("\(pattern) on \(text.scalarsInHex): ICU \(outcome)") }
                pairs += 1
                matched += ours ? 1 : 0
            }
        }
        TestDepth.note(
            "seed \(seed): \(pairs) pairs, \(matched) match, \(budgets) over budget; \(outside) outside the core")
        #expect(TestDepth.isQuickest || matched > pairs / 50)
    }
}

/// The upper bound of a pattern that only ICU can match contains all of ICU's matches.
@Test(.cases) func upperBoundsContainTheMatchesOfICU() {
    forEachCase(UInt64(1)...4) { seed in
        var maker = PatternMaker(random: SplitMix(seed &* 0x9876_5432_1ABC), leavesCore: true)
        var limits = PredicateLimits.standard
        limits.patternTime = .milliseconds(2)
        var (matched, missed) = (0, 0)
        while matched < TestDepth.count(1_000) {
            let pattern = maker.pattern()
            guard case .needsICU(_, let over) = try TextPattern.matches(pattern).kind else { continue }
            let more = try PatternMatcher(matching: over)
            let icu = try ICUPattern(pattern, limits: limits)
            for _ in 0..<20 {
                let text = maker.text()
                let isAmong = more.matches(text)
                guard icu.match(text) == .matched else {
                    missed += isAmong ? 0 : 1
                    continue
                }
                matched += 1
                if !isAmong { Issue.record("\(pattern) on \(text.scalarsInHex): ICU matches") }
            }
        }
        // The bound must not match everything.
        #expect(missed > matched)
    }
}
