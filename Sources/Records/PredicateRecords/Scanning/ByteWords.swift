// Searches eight bytes at once, as one 64-bit word. The readers of JSON and CSV use this to skip text.

/// Tests over the eight bytes of a word. In a result, the lowest set bit is exact: it is the high bit of the
/// first byte that matches. Higher bits may be wrong, because subtraction borrows from higher bytes.
enum ByteWord {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Loads a word; the first byte in memory becomes the lowest byte.
    @inline(__always) static func load(_ base: UnsafePointer<UInt8>, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The pattern for `find`: eight times the byte.
    @inline(__always) static func repeating(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

    @inline(__always) static func find(_ pattern: UInt64, in word: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- ones) & ~difference & highs
    }

    /// Marks bytes below 0x20.
    @inline(__always) static func findControls(in word: UInt64) -> UInt64 {
        (word &- ones &* 0x20) & ~word & highs
    }

    /// Two words at once.
    typealias Pair = SIMD2<UInt64>

    @inline(__always) static func find(_ pattern: UInt64, in pair: Pair) -> Pair {
        let difference = pair ^ Pair(repeating: pattern)
        return (difference &- Pair(repeating: ones)) & ~difference & Pair(repeating: highs)
    }

    @inline(__always) static func findControls(in pair: Pair) -> Pair {
        (pair &- Pair(repeating: ones &* 0x20)) & ~pair & Pair(repeating: highs)
    }

    /// The index of the first marked byte. The result must not be zero.
    @inline(__always) static func first(_ found: UInt64) -> Int { found.trailingZeroBitCount >> 3 }

    /// The first `count` bytes of the word; `count` is 0 to 7.
    @inline(__always) static func prefix(_ word: UInt64, _ count: Int) -> UInt64 {
        word & ((1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1)
    }

    /// Whether the first `count` bytes of the word are certainly a JSON number: digits without a leading zero, with at
    /// most one decimal point between them. `count` is 1 to 7.
    @inline(__always) static func isNumber(_ word: UInt64, _ count: Int) -> Bool {
        // Replace the bytes after the number by the digit 1.
        var digits = prefix(word, count) | repeating(0x31) &<< UInt64(truncatingIfNeeded: count &* 8)
        let point = takePoint(&digits)
        return areDigits(digits) && isPlaced(point, count, digits)
    }

    /// The same for a number of 8 to 15 bytes: the first eight, and a word with the others.
    @inline(__always) static func isNumber(_ word: UInt64, _ rest: UInt64, _ count: Int) -> Bool {
        var digits = word
        var others = prefix(rest, count &- 8) | repeating(0x31) &<< UInt64(truncatingIfNeeded: count &* 8 &- 64)
        var point = takePoint(&digits)
        if point < 0 {
            point = takePoint(&others)
            if point >= 0 { point &+= 8 }
        }
        return areDigits(digits) && areDigits(others) && isPlaced(point, count, digits)
    }

    /// Replaces the first decimal point by the digit 1. Returns its index, or -1.
    @inline(__always) private static func takePoint(_ digits: inout UInt64) -> Int {
        let point = find(repeating(0x2E), in: digits)
        guard point != 0 else { return -1 }
        let place = first(point)
        digits ^= UInt64(0x2E ^ 0x31) &<< UInt64(truncatingIfNeeded: place &* 8)
        return place
    }

    @inline(__always) private static func areDigits(_ word: UInt64) -> Bool {
        let high = repeating(0xF0)
        return word & high == repeating(0x30) && (word &+ repeating(0x06)) & high == repeating(0x30)
    }

    /// Whether a decimal point is between digits. A leading zero must be the last digit or be followed by the point.
    @inline(__always) private static func isPlaced(_ point: Int, _ count: Int, _ digits: UInt64) -> Bool {
        point != 0 && point != count &- 1 && (digits & 0xFF != 0x30 || count == 1 || point == 1)
    }

    /// Moves `at` to the first byte that `find` marks, or to the end. Combines the bytes it passes into `seen`
    /// with OR.
    ///
    /// - Parameters:
    ///   - find: marks bytes like `find(_:in:)`. It must not mark a zero byte because of the byte
    ///     before it.
    ///   - findInPair: does the same for two words, which is faster for long texts.
    @inline(__always) static func pass(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ at: inout Int, _ seen: inout UInt64, to find: (UInt64) -> UInt64,
        orIn findInPair: (Pair) -> Pair
    ) {
        let long = at &+ 16
        while at &+ 8 <= count {
            if at == long { passPairs(base, count, &at, &seen, to: findInPair) }
            guard at &+ 8 <= count else { break }
            let word = load(base, at)
            let found = find(word)
            if found != 0 {
                let first = first(found)
                seen |= prefix(word, first)
                at &+= first
                return
            }
            seen |= word
            at &+= 8
        }
        while at < count {
            // The mark of the lowest byte is exact.
            let byte = UInt64(base[at])
            if find(byte) & 0x80 != 0 { return }
            seen |= byte
            at &+= 1
        }
    }

    /// Moves `at` to the first of two bytes, or to the end.
    @inline(__always) static func pass(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ at: inout Int, _ seen: inout UInt64, to one: UInt8,
        or other: UInt8
    ) {
        let (ones, others) = (repeating(one), repeating(other))
        pass(base, count, &at, &seen) {
            find(ones, in: $0) | find(others, in: $0)
        } orIn: {
            find(ones, in: $0) | find(others, in: $0)
        }
    }

    /// Whether one of four bytes is among the bytes.
    static func hasAny(
        of first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let base = bytes.baseAddress else { return false }
        guard bytes.count >= 8 else {
            for byte in bytes where byte == first || byte == second || byte == third || byte == fourth { return true }
            return false
        }
        let patterns = (repeating(first), repeating(second), repeating(third), repeating(fourth))
        var at = 0
        while true {
            let word = load(base, at)
            let found = find(patterns.0, in: word) | find(patterns.1, in: word)
            if found | find(patterns.2, in: word) | find(patterns.3, in: word) != 0 { return true }
            if at == bytes.count &- 8 { return false }
            // The last word may overlap the one before it.
            at = min(at &+ 8, bytes.count &- 8)
        }
    }

    /// Skips all pairs of words without a mark.
    @inline(__always) private static func passPairs(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ at: inout Int, _ seen: inout UInt64, to find: (Pair) -> Pair
    ) {
        var passed = Pair(repeating: 0)
        while at &+ 16 <= count {
            let pair = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: at, as: Pair.self)
            let found = find(pair)
            if found[0] | found[1] != 0 { break }
            passed |= pair
            at &+= 16
        }
        seen |= passed[0] | passed[1]
    }
}

/// Counts bytes, sixteen at once.
enum ByteCount {
    private typealias Lanes = SIMD16<UInt8>

    static func newlines(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        count(bytes) { $0 .== Lanes(repeating: 0x0A) }
    }

    /// Counts the bytes that begin a Unicode scalar: all except 0b10xxxxxx.
    static func scalars(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        count(bytes) { $0 & Lanes(repeating: 0xC0) .!= Lanes(repeating: 0x80) }
    }

    /// Counts the bytes that pass a test.
    @inline(__always) private static func count(
        _ bytes: UnsafeBufferPointer<UInt8>, _ test: (Lanes) -> SIMDMask<Lanes.MaskStorage>
    ) -> Int {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return 0 }
        var total = 0
        var at = 0
        while at + 16 <= bytes.count {
            // Each lane of `sums` can count up to 255.
            let end = min(at + 16 * 255, bytes.count & ~15)
            var sums = Lanes.zero
            while at < end {
                let lanes = base.loadUnaligned(fromByteOffset: at, as: Lanes.self)
                sums.replace(with: sums &+ 1, where: test(lanes))
                at &+= 16
            }
            for lane in sums.indices { total += Int(sums[lane]) }
        }
        while at < bytes.count {
            if test(Lanes(repeating: bytes[at]))[0] { total += 1 }
            at += 1
        }
        return total
    }
}
