// The rows of a block of a table that are still selected, as bits in reusable memory.
import PredicateSyntax

/// Consecutive rows of a table, or consecutive elements of a column of lists; at most `BlockMask.capacity`.
struct RowSpan {
    let start: Int
    let count: Int
}

/// A bit for each row of a span. The run owns the memory (`ColumnRun.withMask`). Bits after the span are zero.
struct BlockMask {
    static let capacity = 2048
    static let wordCount = capacity / 64

    let words: UnsafeMutablePointer<UInt64>

    /// Selects the first `count` rows.
    func fill(_ count: Int) {
        for word in 0..<Self.wordCount {
            let rows = count &- word &* 64
            words[word] = rows >= 64 ? .max : rows > 0 ? (1 &<< UInt64(truncatingIfNeeded: rows)) &- 1 : 0
        }
    }

    var allWords: UnsafeBufferPointer<UInt64> { UnsafeBufferPointer(start: words, count: Self.wordCount) }

    func clear() { words.update(repeating: 0, count: Self.wordCount) }

    func copy(_ other: BlockMask) { words.update(from: other.words, count: Self.wordCount) }

    func subtract(_ other: BlockMask) {
        for word in 0..<Self.wordCount { words[word] &= ~other.words[word] }
    }

    var isEmpty: Bool {
        var all: UInt64 = 0
        for word in 0..<Self.wordCount { all |= words[word] }
        return all == 0
    }

    var count: Int {
        var count = 0
        for word in 0..<Self.wordCount { count &+= words[word].nonzeroBitCount }
        return count
    }

    @inline(__always) func contains(_ row: Int) -> Bool {
        words[row >> 6] &>> UInt64(truncatingIfNeeded: row & 63) & 1 != 0
    }

    func insert(_ row: Int) { words[row >> 6] |= 1 &<< UInt64(truncatingIfNeeded: row & 63) }
    func remove(_ row: Int) { words[row >> 6] &= ~(1 &<< UInt64(truncatingIfNeeded: row & 63)) }

    /// Selects a range of rows.
    func insert(_ range: Range<Int>) {
        var row = range.lowerBound
        while row < range.upperBound {
            let bits = min(64 &- (row & 63), range.upperBound &- row)
            let ones: UInt64 = bits == 64 ? .max : (1 &<< UInt64(truncatingIfNeeded: bits)) &- 1
            words[row >> 6] |= ones &<< UInt64(truncatingIfNeeded: row & 63)
            row &+= bits
        }
    }

    /// Calls `body` with the index of each selected row, in ascending order.
    @inline(__always) func forEachRow(_ body: (Int) -> Void) {
        for word in 0..<Self.wordCount {
            var bits = words[word]
            while bits != 0 {
                body(word &* 64 &+ bits.trailingZeroBitCount)
                bits &= bits &- 1
            }
        }
    }

    /// Keeps the rows that pass a cheap test. If most rows of a word are selected, tests all of its rows.
    @inline(__always) func narrow(_ span: RowSpan, _ absent: Absent, _ test: (_ row: Int) -> Bool) {
        narrowWords(
            span, absent,
            dense: { first in
                // Ascending by cache line, because that order is prefetched. Eight short chains of additions
                // are faster than a long one.
                var found: UInt64 = 0
                for line in 0..<8 {
                    var bits: UInt64 = 0
                    var row = first &+ line &* 8 &+ 7
                    for _ in 0..<8 {
                        bits = bits &+ bits &+ Self.bit(test(row))
                        row &-= 1
                    }
                    found |= bits &<< UInt64(truncatingIfNeeded: line &* 8)
                }
                return found
            }, sparse: test)
    }

    /// Like `narrow`, with a test of 64 rows from `first` on.
    @inline(__always) func narrowWords(
        _ span: RowSpan, _ absent: Absent, dense: (_ first: Int) -> UInt64, sparse: (_ row: Int) -> Bool
    ) {
        for word in 0..<(span.count &+ 63) >> 6 where words[word] != 0 {
            let live = words[word]
            let first = span.start &+ word &* 64
            let (asked, kept) = absent.split(live, at: first)
            if asked.nonzeroBitCount >= 16, word &* 64 &+ 64 <= span.count {
                words[word] = asked & dense(first) | kept
            } else {
                words[word] = Self.few(asked, first, sparse) | kept
            }
        }
    }

    /// A bit for each of 64 bytes.
    @inline(__always) static func bits(
        of bytes: UnsafeRawBufferPointer, at first: Int, _ test: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>
    ) -> UInt64 {
        var found: UInt64 = 0
        for part in 0..<4 {
            let bytes = bytes.loadUnaligned(fromByteOffset: first &+ part &* 16, as: SIMD16<UInt8>.self)
            let lanes = unsafeBitCast(test(bytes), to: SIMD2<UInt64>.self)
            found |= (bits(lanes.x) | bits(lanes.y) &<< 8) &<< UInt64(truncatingIfNeeded: part &* 16)
        }
        return found
    }

    /// Reduces eight bytes, each all ones or all zeros, to a bit each. The product adds the bits up in the
    /// highest byte.
    @inline(__always) private static func bits(_ lanes: UInt64) -> UInt64 {
        ((lanes.littleEndian & 0x8040_2010_0804_0201) &* 0x0101_0101_0101_0101) &>> 56
    }

    /// Keeps the rows that pass an expensive test, which is called only for selected rows.
    @inline(__always) func narrowSparsely(_ span: RowSpan, _ absent: Absent, _ test: (_ row: Int) -> Bool) {
        for word in 0..<(span.count &+ 63) >> 6 where words[word] != 0 {
            let first = span.start &+ word &* 64
            let (asked, kept) = absent.split(words[word], at: first)
            words[word] = Self.few(asked, first, test) | kept
        }
    }

    @inline(__always) private static func few(_ asked: UInt64, _ first: Int, _ test: (Int) -> Bool) -> UInt64 {
        var rest = asked
        var found: UInt64 = 0
        while rest != 0 {
            let row = rest.trailingZeroBitCount
            found |= bit(test(first &+ row)) &<< UInt64(truncatingIfNeeded: row)
            rest &= rest &- 1
        }
        return found
    }

    /// 1 or 0 without a branch.
    @inline(__always) private static func bit(_ answer: Bool) -> UInt64 {
        UInt64(unsafeBitCast(answer, to: UInt8.self))
    }
}

/// The nil rows of a column, and the answer of a comparison for them.
struct Absent: Sendable {
    let nils: Bits?
    let answer: Bool

    /// Splits the selected rows of a word into those to test and the nil rows that stay selected.
    @inline(__always) func split(_ live: UInt64, at row: Int) -> (asked: UInt64, kept: UInt64) {
        guard let nils else { return (live, 0) }
        let absent = nils.word(at: row)
        return (live & ~absent, answer ? live & absent : 0)
    }
}
