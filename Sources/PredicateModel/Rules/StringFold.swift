// How texts compare (LANGUAGE C 9, C 10): code point by code point, folded by a table where `c` or `d` says so. The
// only such rule of the project: the evaluator, the functions given to SQLite and ORDER BY call it. Swift's own `==`
// on strings is never used for a predicate, since it takes canonically equivalent spellings for equal.

package import PredicateSyntax

/// Comparisons of two texts. Where one of them is a constant, use `Needle`.
///
/// `[l]` is no business of this type: it compares in a locale, which only Foundation can.
package enum StringFold {
    /// The folded text; the text itself where the options fold nothing.
    package static func fold(_ text: String, _ options: ComparisonOptions) -> String {
        guard let table = FoldTable.table(options) else { return text }
        return text.withBytes { bytes in
            String(unsafeUninitializedCapacity: bytes.count &* FoldTable.growth) { table.write(bytes, into: $0) }
        }
    }

    /// `left ==[options] right`. Two empty texts are equal.
    package static func equal(_ left: String, _ right: String, options: ComparisonOptions) -> Bool {
        compare(left, right, options: options) == 0
    }

    /// Negative, zero or positive: the order of the folded texts by code points, which is also that of their UTF-8
    /// bytes.
    package static func compare(_ left: String, _ right: String, options: ComparisonOptions) -> Int {
        let table = FoldTable.table(options)
        return left.withBytes { left in
            right.withBytes { right in
                // Equal beginnings need no folding, but only whole scalars may be skipped: ASCII ones.
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

    /// `text BEGINSWITH[options] prefix`. False where the prefix is empty, or folds to nothing.
    package static func hasPrefix(_ text: String, _ prefix: String, options: ComparisonOptions) -> Bool {
        Needle(prefix, options: options).isPrefix(of: text)
    }

    /// `text ENDSWITH[options] suffix`. False where the suffix is empty, or folds to nothing.
    package static func hasSuffix(_ text: String, _ suffix: String, options: ComparisonOptions) -> Bool {
        Needle(suffix, options: options).isSuffix(of: text)
    }

    /// `text CONTAINS[options] needle`. False where the needle is empty, or folds to nothing. A match may begin and end
    /// inside what one scalar folds to, `'ß' CONTAINS[c] 's'`, but not inside a letter.
    package static func contains(_ text: String, _ needle: String, options: ComparisonOptions) -> Bool {
        Needle(needle, options: options).isContained(in: text)
    }
}
