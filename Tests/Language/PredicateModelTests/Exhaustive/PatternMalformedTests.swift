// The errors of malformed patterns, and the kinds of valid ones. ICU must reject the same patterns.

import Foundation
import PredicateTestSupport
import Testing

private func icuAccepts(_ pattern: String) -> Bool { (try? NSRegularExpression(pattern: pattern)) != nil }

@Test(.cases) func malformed() {
    let cases: [(String, String, Int)] = [
        ("WoW{3, 4}", "bad interval {3, 4}", 3), ("a{", "bad interval {", 1), ("a{,4}", "bad interval {,4}", 1),
        ("a{4", "bad interval {4", 1), ("a{4,3}", "the interval {4,3} ends before it begins", 1),
        ("a{2147483648}", "bad interval {2147483648}", 1), ("é{x}", "bad interval {x}", 2),
        ("*a", "nothing to repeat", 0), ("a**", "nothing to repeat", 2),
        ("a{1000}{1000}{1000}", "nothing to repeat; write \\{ for a brace", 7), ("a|*", "nothing to repeat", 2),
        ("(*)", "nothing to repeat", 1), ("a+?*", "nothing to repeat", 3), ("\\b+", "nothing to repeat", 2),
        ("(?=a)*", "nothing to repeat", 5), ("(?i)*", "nothing to repeat", 4),
        ("{", "nothing to repeat; write \\{ for a brace", 0), ("a}", "write \\} for a brace", 1),
        ("(a", "the group is never closed", 0), ("a(b(c)", "the group is never closed", 1),
        ("(?", "the group is never closed", 0), ("(?i", "the group is never closed", 0),
        ("a)", "there is no group to close here", 1), ("a)(b", "there is no group to close here", 1),
        ("(?#a", "the comment is never closed", 0), ("(?q)", "there is no group that begins with (?q", 0),
        ("(?iq)", "there is no flag 'q'", 3), ("(?P<a>b)", "there is no group that begins with (?P", 0),
        ("(?(1)a)", "conditionals and code are no part of ICU's patterns", 0),
        ("(?<1>b)", "the name of a group is ASCII letters and digits", 0),
        ("(?<a>b)(?<a>c)", "the name 'a' is taken", 7), ("(?<=a*)b", "a look-behind needs a bounded length", 0),
        ("(a)\\2", "there is no group 2", 3), ("\\k<a>", "there is no group 'a'", 0),
        ("\\k", "\\k needs a name in angle brackets", 0), ("a\\", "a backslash at the end escapes nothing", 1),
        ("\\x", "the escape '\\x' is not complete", 0), ("\\u12", "the escape '\\u12' is not complete", 0),
        ("\\x{110000}", "'\\x{110000' is beyond the last code point", 0),
        ("\\08", "the escape '\\08' is not complete", 0), ("\\pL", "\\p needs a name in braces", 0),
        ("\\p{L", "\\p needs a name in braces", 0), ("\\N", "\\N needs a name in braces", 0),
        ("[a", "the set is never closed", 0), ("x[]", "the set is never closed", 1),
        ("[[a]", "the set is never closed", 0), ("[a-[]", "the set is never closed", 3),
        ("[z-a]", "the range 'z-a' runs backwards", 2), ("[a-\\d]", "a range cannot end in a set", 2),
        ("[&&a]", "the operator has nothing on its left", 1), ("[--a]", "the operator has nothing on its left", 1),
        ("[a&&]", "the operator has nothing on its right", 2),
    ]
    forEachCase(cases) { pattern, reason, offset in
        #expect(!icuAccepts(pattern))
        #expect {
            try TextPattern.matches(pattern)
        } throws: { error in
            let found = error as? PatternError
            return found?.reason == reason && found?.offset == offset && found?.exceedsLimit == false
        }
    }
}

@Test(.cases) func outsideTheCore() {
    let cases: [(String, String)] = [
        ("(?=a)b", "look-around"), ("(?!a)b", "look-around"), ("(?<=a{1,3})b", "look-around"),
        ("(?<!a)b", "look-around"), ("(a)\\1", "a back-reference"), ("(?<n>a)\\k<n>", "a back-reference"),
        ("a*+", "a possessive quantifier"), ("a{2}+", "a possessive quantifier"), ("(?>a)", "an atomic group"),
        ("\\bfoo\\b", "a word boundary \\b"), ("\\G", "\\G"), ("\\X", "\\X"), ("\\R", "\\R"),
        ("a$b", "an anchor in the middle"), ("(^a|b)+", "an anchor in the middle"),
        ("\\N{SPACE}", "a character by name"), ("\\p{InGreek}", "the property 'InGreek'"), ("(?d).", "the flag d"),
        ("(?w)a", "the flag w"), ("\\uD83D", "half of a surrogate pair"),
        ("(?i)sssssssssssssss", "a run of letters without case that has too many spellings"),
    ]
    forEachCase(cases) { pattern, reason in
        #expect(icuAccepts(pattern))
        let compiled = try TextPattern.matches(pattern)
        guard case .needsICU(reason, _) = compiled.kind else {
            Issue.record("\(pattern): \(compiled.kind)")
            return
        }
        #expect(compiled.matcher == nil)
    }
}

/// Every prefix of some patterns, and every change of one character, is accepted by both or rejected by both.
@Test func mutationsAreRejectedAsByICU() {
    let patterns = [
        "(?<name>[a-z&&[^aeiou]]+?)|\\x{41}{2,3}$", "(?i)a(?-i:b)[[:alpha:]-[x]]*", "\\Qa.b\\E(?#c)*|^[^]\\]x-z]",
        "(?x) a {2} # c\n (b|) ", "\\p{Lu}\\P{Alphabetic=No}\\0101\\cA[\\d--1]",
    ]
    let inserted = Array("()[]{}*?\\|-&^:1a, ")
    for pattern in patterns {
        let characters = Array(pattern)
        for index in TestDepth.some(Array(characters.indices), every: 4) {
            var variants = [Array(characters[..<index]), Array(characters[..<index] + characters[(index + 1)...])]
            for character in inserted {
                variants.append(characters[..<index] + [character] + characters[index...])
            }
            for variant in variants.map({ String($0) }) where !variant.isEmpty {
                do throws(PatternError) {
                    let kind = try TextPattern.matches(variant).kind
                    // Only ICU can decide whether such a property or range exists.
                    if case .needsICU(let reason, _) = kind, ["the prop", "a range "].contains(reason.prefix(8)) {
                        continue
                    }
                    #expect(icuAccepts(variant), "\(variant)")
                } catch  where variant.hasSuffix("\\c") {
                    // ICU allows this at the end of a pattern.
                } catch {
                    #expect(!icuAccepts(variant) || error.exceedsLimit, "\(variant): \(error.reason)")
                }
            }
        }
    }
}

@Test(.cases) func tooLarge() {
    let cases: [String] = [
        String(repeating: "(", count: 100_000),
        String(repeating: "(", count: 300) + "a" + String(repeating: ")", count: 300),
        String(repeating: "[", count: 100_000),
    ]
    forEachCase(cases) { pattern in
        #expect {
            try TextPattern.matches(pattern)
        } throws: { error in
            guard let error = error as? PatternError else { return false }
            return error.exceedsLimit
        }
    }
}

/// An automaton would expand the repetitions and become too large. ICU counts them, within its limit.
@Test(.cases) func tooManyStates() {
    forEachCase(["(?:(?:a{1000}){1000}){1000}", "a{2147483647}", "(?:\\w{0,500}x){0,500}"] as [String]) { pattern in
        guard case .needsICU = try TextPattern.matches(pattern).kind else {
            Issue.record("the automaton took it")
            return
        }
    }
}

/// The deepest allowed pattern on the smallest stack of a thread.
@Test func deepestPatternFitsASmallStack() {
    for (open, close) in [("(?:b|", "x)*"), ("(", ")"), ("(?:", "){1,1}"), ("(?i:ss|", ")?")] {
        let text = String(repeating: open, count: 50) + "a" + String(repeating: close, count: 50)
        let matched = onSmallStack {
            (try? TextPattern.matches(text, options: .caseInsensitive))?.matcher?.matches("b")
        }
        #expect(matched != nil, "\(open)")
    }
}

/// Patterns that are equal as strings, but not by code points, are compiled separately.
@Test func equivalentPatternsAreDifferent() throws {
    let patterns = ["\u{E9}", "e\u{301}"]
    for pattern in patterns + patterns {
        let matcher = try #require(try TextPattern.matches(pattern).matcher)
        for text in patterns {
            #expect(matcher.matches(text) == text.utf8.elementsEqual(pattern.utf8))
        }
    }
}
