// The corrections of `lint --fix --diff` as a unified diff, which `patch` and `git apply` read.

enum Patch {
    /// The number of unchanged lines around a change.
    private static let context = 3

    /// The difference of two texts of a file.
    static func text(_ path: String, _ old: [UInt8], _ new: [UInt8]) -> String {
        let (before, after) = (lines(old), lines(new))
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in after.difference(from: before) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        // The lines of both texts in order, with the number of lines before each.
        var rows: [(sign: Character, line: String, old: Int, new: Int)] = []
        var (left, right) = (0, 0)
        while left < before.count || right < after.count {
            if removed.contains(left) {
                rows.append(("-", before[left], left, right))
                left += 1
            } else if inserted.contains(right) {
                rows.append(("+", after[right], left, right))
                right += 1
            } else {
                rows.append((" ", before[left], left, right))
                (left, right) = (left + 1, right + 1)
            }
        }
        let changes = rows.indices.filter { rows[$0].sign != " " }
        let name = path.hasPrefix("/") ? (path, path) : ("a/" + path, "b/" + path)
        var text = "--- \(name.0)\n+++ \(name.1)\n"
        var next = changes.startIndex
        while next < changes.endIndex {
            var last = next
            while last + 1 < changes.endIndex, changes[last + 1] - changes[last] <= 2 * context + 1 { last += 1 }
            let hunk = rows[max(0, changes[next] - context)..<min(rows.count, changes[last] + context + 1)]
            func place(_ start: Int, without sign: Character) -> String {
                "\(start + 1),\(hunk.count { $0.sign != sign })"
            }
            let first = hunk[hunk.startIndex]
            text += "@@ -\(place(first.old, without: "+")) +\(place(first.new, without: "-")) @@\n"
            for row in hunk { text += "\(row.sign)\(row.line)\n" }
            next = last + 1
        }
        return text
    }

    /// The lines of a file. The last one says whether it has no newline.
    private static func lines(_ bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if lines.last == "" { lines.removeLast() } else { lines[lines.count - 1] += "\n\\ No newline at end of file" }
        return lines
    }
}
