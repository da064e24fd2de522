// Eight bytes at once, as one word: where a byte occurs, and whether all are ASCII. What JSON and CSV are skipped with.

/// Tests over the eight bytes of a word. Of a result the lowest set bit is exact: it is the high bit of the first byte
/// that was looked for; bits above it may be wrong, since a difference borrows upwards.
enum ByteWord {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The word whose first byte in memory is its lowest.
    @inline(__always) static func load(_ base: UnsafePointer<UInt8>, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The pattern to look for a byte with.
    @inline(__always) static func repeating(_ byte: UInt8) -> UInt64 { ones &* UInt64(byte) }

    @inline(__always) static func find(_ pattern: UInt64, in word: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- ones) & ~difference & highs
    }

    /// Bytes below 0x20.
    @inline(__always) static func findControls(in word: UInt64) -> UInt64 {
        (word &- ones &* 0x20) & ~word & highs
    }

    /// The position of the first byte of a result that is not zero.
    @inline(__always) static func first(_ found: UInt64) -> Int { found.trailingZeroBitCount >> 3 }

    /// The bytes before a position from 0 to 7.
    @inline(__always) static func prefix(_ word: UInt64, _ count: Int) -> UInt64 {
        word & ((1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1)
    }
}

/// Counts bytes in blocks that the compiler makes vectors of.
enum ByteCount {
    static func newlines(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        sum(bytes) { SIMD16<UInt8>(repeating: 0).replacing(with: 1, where: $0 .== 0x0A) }
    }

    /// The bytes that begin a Unicode scalar.
    static func scalars(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        sum(bytes) { SIMD16<UInt8>(repeating: 0).replacing(with: 1, where: ($0 & 0xC0) .!= 0x80) }
    }

    @inline(__always) private static func sum(
        _ bytes: UnsafeBufferPointer<UInt8>, _ hits: (SIMD16<UInt8>) -> SIMD16<UInt8>
    ) -> Int {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return 0 }
        var total = 0
        var at = 0
        while at + 16 <= bytes.count {
            // A lane holds 255 at most.
            var lanes = SIMD16<UInt8>(repeating: 0)
            let end = min(bytes.count - 15, at + 16 * 255)
            while at < end {
                lanes &+= hits(base.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self))
                at += 16
            }
            for lane in lanes.indices { total += Int(lanes[lane]) }
        }
        while at < bytes.count {
            total += Int(hits(SIMD16<UInt8>(repeating: bytes[at]))[0])
            at += 1
        }
        return total
    }
}

/// Whether the bytes are UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
func isValidUTF8(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> Bool {
    var at = range.lowerBound
    let end = range.upperBound
    func continues(_ offset: Int, _ bounds: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
        at + offset < end && bounds.contains(base[at + offset])
    }
    while at < end {
        if at + 8 <= end, ByteWord.load(base, at) & ByteWord.highs == 0 {
            at += 8
            continue
        }
        switch base[at] {
        case 0...0x7F: at += 1
        case 0xC2...0xDF:
            guard continues(1) else { return false }
            at += 2
        case 0xE0...0xEF:
            let second: ClosedRange<UInt8> = base[at] == 0xE0 ? 0xA0...0xBF : base[at] == 0xED ? 0x80...0x9F : 0x80...0xBF
            guard continues(1, second), continues(2) else { return false }
            at += 3
        case 0xF0...0xF4:
            let second: ClosedRange<UInt8> = base[at] == 0xF0 ? 0x90...0xBF : base[at] == 0xF4 ? 0x80...0x8F : 0x80...0xBF
            guard continues(1, second), continues(2), continues(3) else { return false }
            at += 4
        default: return false
        }
    }
    return true
}
