// Compares the fast search and match code with simple implementations: a search position by position, and an
// automaton over folded texts. Covers every border of sixteen bytes and of a folded piece.
import PredicateTestSupport
import Testing

@testable import PredicateModel

private func contains(_ text: String, _ needle: String, _ options: ComparisonOptions) -> Bool {
    let text = Array(StringFold.fold(text, options).unicodeScalars)
    let needle = Array(StringFold.fold(needle, options).unicodeScalars)
    guard !needle.isEmpty, text.count >= needle.count else { return false }
    let table = FoldTable.table(options)
    func isBoundary(_ place: Int) -> Bool {
        place == 0 || place == text.count || !(table?.extends(text[place].value) ?? false)
    }
    return (0...(text.count - needle.count)).contains { place in
        let end = place + needle.count
        return text[place] == needle[0] && isBoundary(place) && isBoundary(end)
            && text[place..<end].elementsEqual(needle)
    }
}

@Test(.cases) func searchesAtEveryPlace() {
    forEachCase(["", "c", "d", "cd"] as [String]) { letters in
        let options = options(letters)
        let needles = [
            "x", "Nee", "needle", "NEEDLE", "né", "e\u{301}t", "sixteen bytes and more", "ﬁn", "ß", "@[`{", "\u{301}",
        ]
        let all = Array(0..<40) + [200, 240, 248, 250, 252, 253, 254, 255, 256, 257, 300, 505, 510, 515]
        let places = TestDepth.isQuick ? [0, 1, 15, 16, 31, 256] : all
        for needle in needles {
            for filling in ["a", "é", "N", "ne", "e\u{301}", "日", "ß"] {
                for place in places {
                    let before = String(repeating: filling, count: place)
                    for text in [before + needle, before + needle + before, before + needle.dropLast() + "~", before] {
                        if StringFold.contains(text, needle, options: options) != contains(text, needle, options) {
                            Issue.record("\(needle) behind \(place) times \(filling)")
                        }
                    }
                }
            }
        }
    }
}

@Test(.cases) func searchesRandomTexts() {
    forEachCase([UInt64(1), 2, 3, 4] as [UInt64]) { seed in
        var random = SplitMix(seed)
        let alphabet = ["a", "b", "A", "B", "é", "É", "k", "\u{212A}", "@", "`"]
        func text(_ count: Int) -> String {
            (0..<count).map { _ in alphabet[random.below(2 + random.below(8))] }.joined()
        }
        for _ in 0..<TestDepth.count(3000) {
            let (haystack, needle) = (text(random.below(80)), text(1 + random.below(4)))
            for letters in ["", "c", "d", "cd"] {
                let options = options(letters)
                if StringFold.contains(haystack, needle, options: options) != contains(haystack, needle, options) {
                    Issue.record("\(needle) in \(haystack), [\(letters)]")
                }
            }
        }
    }
}

/// LIKE with several pieces, and MATCHES with required texts, compared with the automaton alone.
@Test(.cases) func piecesAndRequiredTexts() {
    forEachCase([UInt64(1), 2, 3, 4] as [UInt64]) { seed in
        var random = SplitMix(seed)
        let letters = ["a", "b", "ab", "é", "E", "ba"]
        let parts = ["a", "b", "ab", "abba", "é", "E", "*", "*", "?", "[ab]", "a+", "(b|é)", ".", "\r\n", "(?s:.)"]
        for _ in 0..<TestDepth.count(240, full: 6_000) {
            let pattern = (0..<(1 + random.below(6))).map { _ in parts[random.below(parts.count)] }.joined()
            for name in ["", "c", "cd"] {
                let options = options(name)
                let patterns = [
                    try? TextPattern.like(pattern, options: options),
                    try? TextPattern.matches(pattern, options: options),
                    try? TextPattern.matches("a" + pattern + "ba", options: options),
                    try? TextPattern.matches(".*aba" + pattern + ".*", options: options),
                ]
                for case let compiled? in patterns {
                    guard case .core(let core) = compiled.kind, let matcher = compiled.matcher else { continue }
                    let automaton = try PatternMatcher(matching: core)
                    for _ in 0..<12 {
                        let middle = (0..<random.below(6)).map { _ in letters[random.below(letters.count)] }.joined()
                        for text in [middle, "a" + middle + "ba", "x" + middle + "abay", "a\r\n" + middle] {
                            if matcher.matches(text) != automaton.matches(StringFold.fold(text, options)) {
                                Issue.record("\(text) and \(compiled.text)")
                            }
                        }
                    }
                }
            }
        }
    }
}

/// U+000D counts as special only before U+000A; non-ASCII scalars take a separate path.
@Test func automatonAtEveryByte() throws {
    let matcher = try #require(try TextPattern.matches("(?s)(a|é|.)*z").matcher)
    for text in ["z", "\r\nz", "\r", "aéz", "日本z", "\rz", "a\rz", "\n\rz", "éé", "\u{0}z", "\u{7F}z"] {
        #expect(matcher.matches(text) == text.hasSuffix("z"), "\(text.utf8.map { $0 })")
    }
}
