// Searches for bytes in bytes; the core of CONTAINS. It does not use libc, so it is the same on every platform. It
// compares two bytes of the needle at sixteen positions at a time; the worst case is also linear.

/// A non-empty needle, prepared for many searches.
struct ByteSearch: Sendable {
    let needle: [UInt8]
    /// The indices of the two bytes of the needle that are rarest in texts.
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

    /// A rough frequency of a byte in texts.
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

    /// Whether the text contains the needle. Linear time.
    func isFound(in text: UnsafeBufferPointer<UInt8>) -> Bool { place(in: text, from: 0) >= 0 }

    /// Whether `text` contains the needle and `isEnd` accepts the index after it. Linear time.
    /// - Parameter withoutCase: whether capitals in the text are read as small letters. The needle must be ASCII
    ///   without capitals.
    @inline(__always) func isFound(
        in text: UnsafeBufferPointer<UInt8>, withoutCase: Bool, isEnd: (Int) -> Bool
    ) -> Bool {
        withoutCase ? isFound(in: text, folds: true, isEnd) : isFound(in: text, folds: false, isEnd)
    }

    /// The offset of the first match at or after `start`; -1 if there is none. Linear time.
    func place(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        needle.withUnsafeBufferPointer {
            search(UnsafeRawBufferPointer(text), from: start, UnsafeRawBufferPointer($0), folds: false) { _ in true }
        }
    }

    @inline(__always) private func isFound(
        in text: UnsafeBufferPointer<UInt8>, folds: Bool, _ isEnd: (Int) -> Bool
    ) -> Bool {
        needle.withUnsafeBufferPointer {
            search(UnsafeRawBufferPointer(text), from: 0, UnsafeRawBufferPointer($0), folds: folds, isEnd) >= 0
        }
    }

    @inline(__always) private func search(
        _ text: UnsafeRawBufferPointer, from start: Int, _ needle: UnsafeRawBufferPointer, folds: Bool,
        _ isEnd: (Int) -> Bool
    ) -> Int {
        let places = text.count - needle.count + 1
        guard start < places, !needle.isEmpty else { return -1 }
        let (a, b) = (needle[first], needle[second])
        let (patternA, patternB) = (SIMD16(repeating: a), SIMD16(repeating: b))
        let (caseA, caseB) = (SIMD16(repeating: Self.caseBit(a, folds)), SIMD16(repeating: Self.caseBit(b, folds)))
        // In a periodic text a periodic needle has many false candidates. After too many of them, a linear search
        // continues.
        var patience = 64 + text.count / 4
        var place = start
        while place &+ 16 <= places {
            let (atA, atB) = (Self.sixteen(text, place &+ first), Self.sixteen(text, place &+ second))
            let same = ((atA | caseA) .== patternA) .& ((atB | caseB) .== patternB)
            let lanes = unsafeBitCast(same, to: SIMD2<UInt64>.self)
            if lanes.x | lanes.y != 0 {
                let hit = hit(lanes, at: place, text, needle, folds, isEnd)
                if hit >= 0 { return hit }
                patience &-= (lanes.x.nonzeroBitCount &+ lanes.y.nonzeroBitCount) / 8 &* needle.count
                if patience < 0 { return knuthMorrisPratt(text, from: place, needle, folds, isEnd) }
            }
            place &+= 16
        }
        while place < places {
            if text[place &+ first] | caseA[0] == a, matches(text, place, needle, folds), isEnd(place &+ needle.count) {
                return place
            }
            place &+= 1
        }
        return -1
    }

    @inline(__always) private static func sixteen(_ text: UnsafeRawBufferPointer, _ offset: Int) -> SIMD16<UInt8> {
        text.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    }

    /// The bit that distinguishes a small letter from its capital, or 0.
    @inline(__always) private static func caseBit(_ byte: UInt8, _ folds: Bool) -> UInt8 {
        folds && byte &- UInt8(ascii: "a") < 26 ? 0x20 : 0
    }

    @inline(__always) private static func folded(_ byte: UInt8, _ folds: Bool) -> UInt8 {
        folds ? byte.lowercase : byte
    }

    /// The first match among sixteen positions, or -1. A position is a candidate if its byte in `lanes` is not
    /// zero.
    @inline(__always) private func hit(
        _ lanes: SIMD2<UInt64>, at place: Int, _ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer,
        _ folds: Bool, _ isEnd: (Int) -> Bool
    ) -> Int {
        for half in 0..<2 {
            var left = lanes[half].littleEndian & 0x8080_8080_8080_8080
            while left != 0 {
                let candidate = place &+ half &* 8 &+ left.trailingZeroBitCount / 8
                if matches(text, candidate, needle, folds), isEnd(candidate &+ needle.count) { return candidate }
                left &= left &- 1
            }
        }
        return -1
    }

    @inline(__always) private func matches(
        _ text: UnsafeRawBufferPointer, _ place: Int, _ needle: UnsafeRawBufferPointer, _ folds: Bool
    ) -> Bool {
        if !folds { return bytesEqual(text, place, needle) }
        for index in 0..<needle.count where Self.folded(text[place &+ index], true) != needle[index] { return false }
        return true
    }

    private func knuthMorrisPratt(
        _ text: UnsafeRawBufferPointer, from start: Int, _ needle: UnsafeRawBufferPointer, _ folds: Bool,
        _ isEnd: (Int) -> Bool
    ) -> Int {
        var borders = [Int](repeating: 0, count: needle.count)
        var length = 0
        for index in 1..<max(needle.count, 1) {
            while length > 0, needle[index] != needle[length] { length = borders[length - 1] }
            if needle[index] == needle[length] { length += 1 }
            borders[index] = length
        }
        length = 0
        for index in start..<text.count {
            let byte = Self.folded(text[index], folds)
            while length > 0, byte != needle[length] { length = borders[length - 1] }
            if byte == needle[length] { length += 1 }
            if length == needle.count {
                if isEnd(index + 1) { return index - length + 1 }
                length = borders[length - 1]
            }
        }
        return -1
    }
}

/// Whether the text has `other` at `offset`. There must be enough bytes.
@inline(__always)
func bytesEqual(_ text: UnsafeRawBufferPointer, _ offset: Int, _ other: UnsafeRawBufferPointer) -> Bool {
    let count = other.count
    if count < 4 {
        for index in 0..<count where text[offset &+ index] != other[index] { return false }
        return true
    }
    if count < 8 {
        return word32(text, offset) == word32(other, 0)
            && word32(text, offset &+ count &- 4) == word32(other, count &- 4)
    }
    var index = 0
    while index &+ 8 <= count {
        if word64(text, offset &+ index) != word64(other, index) { return false }
        index &+= 8
    }
    // The last word may overlap the one before.
    return index == count || word64(text, offset &+ count &- 8) == word64(other, count &- 8)
}

@inline(__always)
private func word32(_ text: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    text.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
}

@inline(__always)
private func word64(_ text: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
}
