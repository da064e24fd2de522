/// Spelling suggestions ("did you mean"): the nearest word by edit distance.
package enum Suggestions {
    /// Returns the candidate with the smallest edit distance, if that is at most a third of the word's length
    /// (at least one, at most three). Ignores case; a swap of two neighbouring letters counts as one edit. If
    /// candidates tie, returns the first.
    ///
    ///     Suggestions.nearest(to: "BEGINWITH", in: ["BEGINSWITH", "ENDSWITH"])    // "BEGINSWITH"
    ///
    /// Cost: the product of the lengths, for each candidate of similar length.
    package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        let target = Array(word.lowercased().utf8)
        guard !target.isEmpty, target.count <= 64 else { return nil }
        let allowed = min(3, max(1, target.count / 3))
        var best: (distance: Int, word: String)?
        for candidate in candidates {
            let other = Array(candidate.lowercased().utf8)
            guard abs(other.count - target.count) <= allowed else { continue }
            let distance = distance(target, other)
            // Two different single letters have nothing in common.
            guard distance < max(target.count, other.count) else { continue }
            if distance <= allowed, distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.word
    }

    /// The edit distance: inserting, deleting, replacing, swapping neighbours.
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            row.reserveCapacity(right.count + 1)
            for j in right.indices {
                var cost = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, before[j - 1] + 1)
                }
                row.append(cost)
            }
            before = previous
            previous = row
        }
        return previous[right.count]
    }
}
