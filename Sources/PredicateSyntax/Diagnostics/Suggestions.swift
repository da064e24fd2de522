/// "Did you mean": the nearest of some words, by edit distance.
public enum Suggestions {
    /// The nearest candidate within a third of the word's length (at least one edit, at most three), in its own spelling.
    /// Case costs nothing; a swap of neighbours costs one. On a tie the earlier candidate wins.
    ///
    ///     Suggestions.nearest(to: "BEGINWITH", in: ["BEGINSWITH", "ENDSWITH"])  // "BEGINSWITH"
    ///
    /// Cost: the product of the lengths for each candidate; candidates of very different length are not looked at.
    public static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        let target = Array(word.lowercased().utf8)
        guard !target.isEmpty, target.count <= 64 else { return nil }
        let allowed = min(3, max(1, target.count / 3))
        var best: (distance: Int, word: String)?
        for candidate in candidates {
            let other = Array(candidate.lowercased().utf8)
            guard abs(other.count - target.count) <= allowed else { continue }
            let distance = distance(target, other)
            // A letter in place of a single one has nothing in common with it.
            guard distance < max(target.count, other.count) else { continue }
            if distance <= allowed, distance < best?.distance ?? .max { best = (distance, candidate) }
        }
        return best?.word
    }

    /// Edits (insert, delete, replace, swap neighbours) from one to the other.
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
