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

    /// The bits of a block that begins at `index`; zeros after the end.
    @inline(__always) func mask(at index: Int) -> RowMask {
        words.withUnsafeBufferPointer { words in
            let (place, shift) = (index >> 6, UInt64(index & 63))
            if shift == 0, place &+ 4 <= words.count {
                return RowMask(words: SIMD4(words[place], words[place &+ 1], words[place &+ 2], words[place &+ 3]))
            }
            return Self.mask(at: place, shift, words)
        }
    }

    private static func mask(at place: Int, _ shift: UInt64, _ words: UnsafeBufferPointer<UInt64>) -> RowMask {
        var mask = RowMask.none
        for word in 0..<4 where place + word < words.count {
            mask.words[word] = words[place + word] >> shift
            if shift > 0, place + word + 1 < words.count { mask.words[word] |= words[place + word + 1] << (64 - shift) }
        }
        return mask
    }
}
