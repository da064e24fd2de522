// Tests of the repair pass: the tree of a text with mistakes, the spans of several mistakes, and the bounds. The golden
// cases in Tests/Golden/diagnostics have the messages.
import PredicateTestSupport
import Testing

@Suite struct RepairTests {
    /// The tree of a text whose mistakes have a known correction is that of the corrected text.
    @Test(.cases) func treesAreThoseOfTheCorrectedTexts() {
        forEachCase([
            ("floor NOT > 2", "NOT floor > 2"), ("city NOT IN {'a', 'b'}", "NOT city IN {'a', 'b'}"),
            ("name BEGINWITH 'A' AND age === 3", "name BEGINSWITH 'A' AND age == 3"),
            ("a IN [1, 2] OR b ≥ 3", "a IN {1, 2} OR b >= 3"), ("name == 'Ann AND b == 1", "name == 'Ann' AND b == 1"),
        ]) { (wrong, right) in
            let parsed = FormatParser.predicate(wrong)
            #expect(parsed.hasErrors)
            #expect(parsed.tree == FormatParser.predicate(right).tree, "\(parsed.tree)")
        }
    }

    /// Each mistake is reported at its place in the original text, also behind a mistake whose correction is longer or
    /// shorter.
    @Test func spansAreThoseOfTheOriginalText() {
        let text = "a HASSUBSTRING 'é' AND b STARTS WITH 'x' AND c ≤ 5 AND d === 1 AND #any SUFFIX 'z'"
        let parsed = FormatParser.predicate(text)
        let bytes = Array(text.utf8)
        let marked = parsed.diagnostics.map { String(decoding: bytes[$0.span.range], as: UTF8.self) }
        #expect(marked == ["HASSUBSTRING", "STARTS WITH", "≤", "===", "SUFFIX"])
        let fixIts = parsed.diagnostics.flatMap(\.fixIts).sorted { $0.span.start > $1.span.start }
        var corrected = bytes
        for fix in fixIts { corrected.replaceSubrange(fix.span.range, with: fix.replacement.utf8) }
        let right = FormatParser.predicate(String(decoding: corrected, as: UTF8.self))
        #expect(right.diagnostics.isEmpty)
        #expect(right.tree == parsed.tree)
    }

    /// A text that repeats a mistake gives at most as many diagnostics as the limit, and the same one only once.
    @Test func diagnosticsAreLimited() {
        #expect(FormatParser.predicate("a == 1.. .5").diagnostics.count == 2)
        for repeated in ["' AND ", "a b ", "x === 1 OR ", "((", "[", "≤ ", "OR(a == 1, ", "1'"] {
            let text = String(repeating: repeated, count: 4000 / repeated.utf8.count)
            let found = FormatParser.predicate(text).diagnostics
            #expect((1...PredicateLimits.standard.diagnostics).contains(found.count), "\(repeated): \(found.count)")
        }
    }

    /// The control character that marks an unknown value in a repaired text is an error in the text of a person, also
    /// beside a mistake that needs such a mark.
    @Test func markOfUnknownValuesIsAnError() {
        let found = FormatParser.predicate("a == $1 AND b == \u{1A}").diagnostics.map(\.id)
        #expect(found == [.unexpectedCharacter, .unexpectedCharacter])
        #expect(FormatParser.predicate("a == $1 AND b = = 1").diagnostics.count == 2)
    }
}
