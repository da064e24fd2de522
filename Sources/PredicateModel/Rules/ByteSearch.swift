// Finds bytes in bytes: the kernel under CONTAINS. No libc, so that it is the same on every platform; two bytes of the
// needle are compared at eight places at a time, and time stays linear whatever the texts are.

/// A needle of at least one byte, prepared for many searches.
struct ByteSearch: Sendable {
    let needle: [UInt8]
    /// The places of the two bytes of the needle that texts hold most rarely.
    private let first: Int
    private let second: Int

    init(_ needle: [UInt8]) {
        self.needle = needle
        var best = 0
        for index in needle.indices where Self.frequency(needle[index]) < Self.frequency(needle[best]) { best = index }
        var next = best == 0 ? needle.count - 1 : 0
        for index in needle.indices where index != best && Self.frequency(needle[index]) < Self.frequency(needle[next])
        {
            next = index
        }
        (first, second) = (best, max(next, 0))
    }

    /// How often a byte occurs in texts, roughly: blanks and frequent letters, letters, lead bytes, the rest.
    private static func frequency(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "e"), UInt8(ascii: "a"), UInt8(ascii: "t"), UInt8(ascii: "o"): 9
        case UInt8(ascii: "i"), UInt8(ascii: "n"), UInt8(ascii: "s"), UInt8(ascii: "r"), UInt8(ascii: "l"): 8
        case 0xC3, 0xCC, 0xD0, 0xD1, 0xE2...0xE9: 8
        case UInt8(ascii: "j"), UInt8(ascii: "q"), UInt8(ascii: "x"), UInt8(ascii: "z"): 2
        case UInt8(ascii: "a")...UInt8(ascii: "z"): 6
        case 0x80...0xBF: 5
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): 4
        default: 3
        }
    }

    /// Whether `text` holds the needle. Linear time.
    func isFound(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        needle.withUnsafeBufferPointer { needle in search(UnsafeRawBufferPointer(text), UnsafeRawBufferPointer(needle))
        }
    }

    private func search(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= needle.count, !needle.isEmpty else { return false }
        let places = text.count - needle.count + 1
        let (a, b) = (needle[first], needle[second])
        // A periodic needle in a periodic text makes every place a candidate: then stop guessing.
        var patience = 64 + text.count / 4
        var place = 0
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (patternA, patternB) = (UInt64(a) &* ones, UInt64(b) &* ones)
        while place &+ 8 <= places {
            // A byte is zero where both bytes of the needle are in their places. The lowest zero is exact; a borrow may
            // show another above it, which the comparison then refuses.
            let different =
                (text.loadUnaligned(fromByteOffset: place &+ first, as: UInt64.self) ^ patternA)
                | (text.loadUnaligned(fromByteOffset: place &+ second, as: UInt64.self) ^ patternB)
            let lanes = (different.littleEndian &- ones) & ~different.littleEndian & (ones << 7)
            if lanes != 0 {
                if isHit(lanes, at: place, text, needle) { return true }
                patience &-= lanes.nonzeroBitCount &* needle.count
                if patience < 0 { return knuthMorrisPratt(text, from: place, needle) }
            }
            place &+= 8
        }
        while place < places {
            if text[place &+ first] == a, bytesEqual(text, place, needle) { return true }
            place &+= 1
        }
        return false
    }

    /// Whether the needle is at one of eight places; a candidate where the high bit of its byte is set.
    private func isHit(
        _ lanes: UInt64, at place: Int, _ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer
    ) -> Bool {
        var left = lanes
        while left != 0 {
            if bytesEqual(text, place &+ left.trailingZeroBitCount / 8, needle) { return true }
            left &= left &- 1
        }
        return false
    }

    private func knuthMorrisPratt(
        _ text: UnsafeRawBufferPointer, from start: Int, _ needle: UnsafeRawBufferPointer
    ) -> Bool {
        var borders = [Int](repeating: 0, count: needle.count)
        var length = 0
        for index in 1..<max(needle.count, 1) {
            while length > 0, needle[index] != needle[length] { length = borders[length - 1] }
            if needle[index] == needle[length] { length += 1 }
            borders[index] = length
        }
        length = 0
        for index in start..<text.count {
            while length > 0, text[index] != needle[length] { length = borders[length - 1] }
            if text[index] == needle[length] { length += 1 }
            if length == needle.count { return true }
        }
        return false
    }
}

/// Whether `text` holds all of `other` at `offset`, where there is room for it.
@inline(__always)
func bytesEqual(_ text: UnsafeRawBufferPointer, _ offset: Int, _ other: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index &+ 8 <= other.count {
        if text.loadUnaligned(fromByteOffset: offset &+ index, as: UInt64.self)
            != other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        {
            return false
        }
        index &+= 8
    }
    while index < other.count {
        if text[offset &+ index] != other[index] { return false }
        index &+= 1
    }
    return true
}
