// Bit vectors, one bit per row: Boolean columns, and the nil rows of a column.

/// A vector of bits in 64-bit words; the first bit is the lowest.
struct Bits: Sendable {
    private(set) var words: [UInt64] = []
    private(set) var count = 0

    init() {}

    /// `count` equal bits.
    init(repeating bit: Bool, count: Int) { append(bit, count: count) }

    mutating func append(_ bit: Bool) {
        if count & 63 == 0 { words.append(0) }
        if bit { words[count >> 6] |= 1 << UInt64(count & 63) }
        count += 1
    }

    mutating func append(_ bit: Bool, count more: Int) {
        var left = more
        while left > 0, count & 63 != 0 {
            append(bit)
            left -= 1
        }
        words.append(contentsOf: repeatElement(bit ? .max : 0, count: left / 64))
        count += left / 64 * 64
        for _ in 0..<left % 64 { append(bit) }
    }

    subscript(index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 != 0 }

    /// The 64 bits from `index` on; zeros after the end.
    @inline(__always) func word(at index: Int) -> UInt64 {
        words.withUnsafeBufferPointer { words in
            let (place, shift) = (index >> 6, UInt64(index & 63))
            guard place < words.count else { return 0 }
            let low = words[place] &>> shift
            if shift == 0 || place &+ 1 == words.count { return low }
            return low | words[place &+ 1] &<< (64 &- shift)
        }
    }
}
