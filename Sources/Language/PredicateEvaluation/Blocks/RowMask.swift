// A set of rows of a block, one bit per row.

struct RowMask: Sendable {
    /// 256 bits; the first row is the lowest bit of the first word.
    var words: SIMD4<UInt64>

    static let none = RowMask(words: .zero)
    static let capacity = 256

    init(words: SIMD4<UInt64>) { self.words = words }

    /// Selects the first `count` rows.
    init(first count: Int) {
        words = .zero
        for word in 0..<4 {
            let rows = count - word * 64
            words[word] = rows >= 64 ? .max : rows > 0 ? (1 << UInt64(rows)) - 1 : 0
        }
    }

    var isEmpty: Bool { words == .zero }
    var count: Int { (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount } }

    var first: Int? {
        for word in 0..<4 where words[word] != 0 { return word * 64 + words[word].trailingZeroBitCount }
        return nil
    }

    func subtracting(_ other: RowMask) -> RowMask { RowMask(words: words & ~other.words) }
    func intersection(_ other: RowMask) -> RowMask { RowMask(words: words & other.words) }
    func union(_ other: RowMask) -> RowMask { RowMask(words: words | other.words) }
    mutating func insert(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }
    mutating func remove(_ row: Int) { words[row >> 6] &= ~(1 << UInt64(row & 63)) }

    /// The rows that pass a test.
    @inline(__always) func filter(_ test: (Int) -> Bool) -> RowMask {
        var selected = RowMask.none
        for word in 0..<4 {
            var bits = words[word]
            var found: UInt64 = 0
            while bits != 0 {
                let row = bits.trailingZeroBitCount
                found |= Rows.bit(test(word &* 64 &+ row)) &<< UInt64(truncatingIfNeeded: row)
                bits &= bits &- 1
            }
            selected.words[word] = found
        }
        return selected
    }

    /// Calls `body` with each row, in ascending order.
    @inline(__always) func forEach(_ body: (Int) -> Void) {
        for word in 0..<4 {
            var bits = words[word]
            while bits != 0 {
                body(word &* 64 &+ bits.trailingZeroBitCount)
                bits &= bits &- 1
            }
        }
    }
}

extension [UInt64] {
    /// Adds the words of a mask.
    mutating func append(_ mask: RowMask) {
        for word in 0..<4 { append(mask.words[word]) }
    }
}
