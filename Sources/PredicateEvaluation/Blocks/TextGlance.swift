// What the two words of a text tell about it (StorageLayout.swift). Most texts are refused or taken by them: the bytes
// of a short text are in them, of a long one the length is, and whether it is ASCII.
import PredicateModel
import PredicateSyntax

/// Tells of most texts whether they are equal to a constant, or begin with it.
struct TextGlance: Sendable {
    private static let highest: UInt64 = 0x8080_8080_8080_8080
    private static let highBytes: UInt64 = 0x00FF_FFFF_FFFF_FFFF

    private let count: Int
    /// The constant's first fifteen bytes, where a small text has them, and their bits.
    private var words = TextWords(low: 0, high: 0)
    private var masks = TextWords(low: 0, high: 0)
    /// Whether texts are folded; then a glance tells only where all is ASCII, which folds byte by byte.
    private let isFolded: Bool
    private let lowers: Bool
    private let isASCII: Bool
    private let isWhole: Bool

    /// - Parameter isWhole: for equality; else for a prefix.
    init(_ needle: Needle, _ options: ComparisonOptions, isWhole: Bool) {
        let folds = !options.contains(.normalized)
        lowers = folds && options.contains(.caseInsensitive)
        isFolded = lowers || folds && options.contains(.diacriticInsensitive)
        self.isWhole = isWhole
        let text = Array(needle.folded.utf8)
        count = text.count
        isASCII = text.allSatisfy { $0 < 0x80 }
        for (place, byte) in text.prefix(15).enumerated() {
            let shift = UInt64(place & 7) * 8
            let (bits, mask) = (UInt64(byte) << shift, 0xFF << shift as UInt64)
            words = TextWords(
                low: words.low | (place < 8 ? bits : 0), high: words.high | (place < 8 ? 0 : bits))
            masks = TextWords(
                low: masks.low | (place < 8 ? mask : 0), high: masks.high | (place < 8 ? 0 : mask))
        }
    }

    /// nil where the whole text must be looked at.
    @inline(__always) func answer(_ text: TextWords) -> Bool? {
        if !text.isSmall {
            guard text.isPlain, !isFolded || isASCII && text.isKnownASCII else { return nil }
            return isWhole ? text.largeCount != count ? false : nil : text.largeCount < count ? false : nil
        }
        var (low, high) = (text.low, text.high & Self.highBytes)
        if isFolded {
            if (low | high) & Self.highest != 0 { return nil }
            if lowers { (low, high) = (Self.lowered(low), Self.lowered(high)) }
        }
        // Without branches: short texts are random.
        let different: UInt64
        if isWhole {
            different = (low ^ words.low) | (high ^ words.high) | UInt64(truncatingIfNeeded: text.smallCount ^ count)
            return different == 0
        }
        different = (low ^ words.low) & masks.low | (high ^ words.high) & masks.high
        let isLong = Rows.bit(text.smallCount >= count) & Rows.bit(count > 0)
        return Rows.bit(different == 0) & isLong != 0
    }

    /// ASCII capitals as small letters, eight at a time; no byte is above 0x7F, so no sum carries over.
    @inline(__always) private static func lowered(_ bytes: UInt64) -> UInt64 {
        let fromA = bytes &+ 0x3F3F_3F3F_3F3F_3F3F
        let aboveZ = bytes &+ 0x2525_2525_2525_2525
        return bytes | (fromA & ~aboveZ & highest) &>> 2
    }
}

/// Tells by the last eight bytes of most texts whether they end in a constant that is not folded.
struct TextTail: Sendable {
    private let bytes: UInt64
    private let mask: UInt64
    /// Whether the constant fits in eight bytes; else they only refuse.
    private let isWhole: Bool
    private let isUsable: Bool

    init(_ needle: Needle, _ options: ComparisonOptions) {
        let folding: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        let text = Array(needle.folded.utf8)
        isUsable = !text.isEmpty && (options.contains(.normalized) || options.isDisjoint(with: folding))
        isWhole = text.count <= 8
        var (bytes, mask): (UInt64, UInt64) = (0, 0)
        for (place, byte) in text.reversed().prefix(8).enumerated() {
            bytes |= UInt64(byte) << UInt64(56 - place * 8)
            mask |= 0xFF << UInt64(56 - place * 8)
        }
        (self.bytes, self.mask) = (bytes, mask)
    }

    /// nil where the whole text must be looked at.
    @inline(__always) func answer(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard isUsable, text.count >= 8 else { return nil }
        let raw = UnsafeRawBufferPointer(text)
        let last = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self))
        if (last ^ bytes) & mask != 0 { return false }
        return isWhole ? true : nil
    }
}
