// Text comparison (LANGUAGE C 9, C 10): by code points, after folding for `c` or `d`. The evaluator, the functions
// registered with SQLite, and ORDER BY use it. Predicates never use Swift's `==` on strings, which treats canonically
// equivalent texts as equal.

/// Compares two texts. For a constant side use `Needle`.
///
/// Ignores `[l]`, which needs a locale and therefore Foundation.
package enum StringFold {
    /// The folded text; the text itself if the options do not fold.
    package static func fold(_ text: String, _ options: ComparisonOptions) -> String {
        guard let table = FoldTable.table(options) else { return text }
        return text.withBytes { bytes in
            String(unsafeUninitializedCapacity: bytes.count &* FoldTable.growth) { table.write(bytes, into: $0) }
        }
    }

    /// Calls `body` with the folded bytes of a text, which is valid UTF-8. The bytes are only valid during the call.
    package static func withFolded(
        _ text: UnsafeBufferPointer<UInt8>, _ options: ComparisonOptions, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        guard let table = FoldTable.table(options) else { return body(text) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count &* FoldTable.growth) { output in
            let count = table.write(text, into: output)
            body(UnsafeBufferPointer(rebasing: output[..<count]))
        }
    }

    /// `left ==[options] right`. Two empty texts are equal.
    package static func equal(_ left: String, _ right: String, options: ComparisonOptions) -> Bool {
        compare(left, right, options: options) == 0
    }

    /// Returns a negative number, zero or a positive number: the order of the folded texts by code points,
    /// which is the order of their UTF-8 bytes.
    package static func compare(_ left: String, _ right: String, options: ComparisonOptions) -> Int {
        let table = FoldTable.table(options)
        return left.withBytes { left in
            right.withBytes { right in
                // An equal prefix needs no folding. Skip only ASCII bytes, so that no scalar is split.
                let shorter = min(left.count, right.count)
                var same = 0
                while same < shorter, left[same] == right[same], left[same] < 0x80 { same &+= 1 }
                return order(
                    UnsafeBufferPointer(rebasing: left[same...]), UnsafeBufferPointer(rebasing: right[same...]), table)
            }
        }
    }

    private static func order(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>, _ table: FoldTable?
    ) -> Int {
        var lefts = FoldedScalars(left, table)
        var rights = FoldedScalars(right, table)
        while true {
            switch (lefts.next(), rights.next()) {
            case (nil, nil): return 0
            case (nil, _): return -1
            case (_, nil): return 1
            case (let a?, let b?) where a != b: return a < b ? -1 : 1
            default: continue
            }
        }
    }

    /// `text BEGINSWITH[options] prefix`. False if the folded prefix is empty.
    package static func hasPrefix(_ text: String, _ prefix: String, options: ComparisonOptions) -> Bool {
        Needle(prefix, options: options).isPrefix(of: text)
    }

    /// `text ENDSWITH[options] suffix`. False if the folded suffix is empty.
    package static func hasSuffix(_ text: String, _ suffix: String, options: ComparisonOptions) -> Bool {
        Needle(suffix, options: options).isSuffix(of: text)
    }

    /// `text CONTAINS[options] needle`. False if the folded needle is empty. A match may begin and end inside
    /// the fold of one scalar, `'ß' CONTAINS[c] 's'`, but not inside a letter.
    package static func contains(_ text: String, _ needle: String, options: ComparisonOptions) -> Bool {
        Needle(needle, options: options).isContained(in: text)
    }
}
