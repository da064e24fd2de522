// The other way round: every text whose fold is a given text, as a pattern. ICU's flag `i` needs it for a run of
// letters, SQL for
// `[c]` and `[d]` on a column (SQL.md 3.6).

extension FoldTable {
    /// The pattern of every text whose fold is `folded`, which must be folded itself.
    ///
    /// ```swift
    /// FoldTable.caseInsensitive.preimage(of: "strasse".unicodeScalars.map(\.value))   // (?:[Ssſ][Tt]|[ﬅﬆ])[Rr][Aa]…
    /// ```
    /// - Returns: nil where overlapping expansions would make more than `limit` spellings of one stretch.
    package func preimage(of folded: [UInt32], limit: Int = 64) -> RegularPattern? {
        let vanishing =
            vanishing.isEmpty
            ? RegularPattern.empty : .repetition(.set(vanishing), minimum: 0, maximum: nil)
        let edges = folded.indices.map { self.edges(from: $0, folded) }
        var parts = [vanishing]
        var start = 0
        var reach = 0
        for index in folded.indices {
            reach = max(reach, edges[index].map(\.end).max() ?? index + 1)
            guard reach == index + 1 else { continue }
            guard let stretch = Self.stretch(start, reach, edges, vanishing, limit) else { return nil }
            parts.append(stretch)
            parts.append(vanishing)
            start = reach
        }
        return .joined(parts)
    }

    private typealias Edge = (set: CodePointSet, end: Int)

    /// The ways to read one scalar at `start`: those whose fold is the next one to four folded scalars.
    private func edges(from start: Int, _ folded: [UInt32]) -> [Edge] {
        var edges: [Edge] = []
        for length in 1...4 where start + length <= folded.count {
            let text = Array(folded[start..<start + length])
            var scalars = inverse[text] ?? []
            if length == 1, fold(text[0]) == text { scalars.append(text[0]) }
            if foldsHangul, let syllable = Hangul.composed(text) { scalars.append(syllable) }
            if !scalars.isEmpty { edges.append((CodePointSet(scalars: scalars), start + length)) }
        }
        return edges
    }

    /// The pattern of a stretch that no way leads across the ends of.
    private static func stretch(
        _ start: Int, _ end: Int, _ edges: [[Edge]], _ between: RegularPattern, _ limit: Int
    ) -> RegularPattern? {
        var ways = [Int: Int]()
        var patterns = [Int: RegularPattern]()
        ways[end] = 1
        patterns[end] = .empty
        for index in (start..<end).reversed() {
            var count = 0
            var choices: [RegularPattern] = []
            for edge in edges[index] {
                count += ways[edge.end] ?? 0
                guard let rest = patterns[edge.end] else { continue }
                choices.append(.joined([.set(edge.set), edge.end == end ? .empty : between, rest]))
            }
            if count > limit { return nil }
            ways[index] = count
            patterns[index] = .either(choices)
        }
        return patterns[start]
    }
}

extension Hangul {
    /// The syllable that decomposes to these, where there is one.
    static func composed(_ jamo: [UInt32]) -> UInt32? {
        guard jamo.count == 2 || jamo.count == 3 else { return nil }
        let (l, v) = (jamo[0] &- leading, jamo[1] &- vowel)
        let t = jamo.count == 3 ? jamo[2] &- trailing : 0
        guard l < 19, v < 21, t < 28, jamo.count == 2 || t > 0 else { return nil }
        return syllables.lowerBound + (l * 21 + v) * 28 + t
    }
}
