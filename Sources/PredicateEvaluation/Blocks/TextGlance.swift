// What the length and the first eight bytes of a text tell about it. Most texts are refused by them, without a call and
// without holding the text.
import PredicateModel
import PredicateSyntax

/// The length of a text in UTF-8 and its first eight bytes, the first in the lowest, zeros behind the last.
struct TextHead {
    let count: Int
    let bytes: UInt64

    /// - Parameter text: nothing is read behind its end.
    @inline(__always) init(_ text: UnsafeBufferPointer<UInt8>) {
        count = text.count
        let raw = UnsafeRawBufferPointer(text)
        if count >= 8 {
            bytes = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
        } else if count >= 4 {
            // Two halves that overlap.
            let low = UInt64(UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self)))
            let high = UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)))
            bytes = low | high &<< UInt64(truncatingIfNeeded: (count &- 4) &* 8)
        } else {
            var bytes: UInt64 = 0
            if count > 0 { bytes = UInt64(text[0]) }
            if count > 1 { bytes |= UInt64(text[1]) &<< 8 }
            if count > 2 { bytes |= UInt64(text[2]) &<< 16 }
            self.bytes = bytes
        }
    }
}

/// Tells of most heads whether the text is equal to a constant, or begins with it.
struct TextGlance: Sendable {
    private static let highest: UInt64 = 0x8080_8080_8080_8080

    private let count: Int
    private let bytes: UInt64
    /// The bits of the constant's bytes among the first eight.
    private let mask: UInt64
    /// Whether texts are folded; then a glance tells only where all is ASCII, which folds byte by byte.
    private let isFolded: Bool
    private let lowers: Bool
    /// Whether the constant is one that a glance can tell anything about.
    private let isUsable: Bool
    private let isWhole: Bool

    /// - Parameter isWhole: for equality; else for a prefix.
    init(_ needle: Needle, _ options: ComparisonOptions, isWhole: Bool) {
        let folds = !options.contains(.normalized)
        lowers = folds && options.contains(.caseInsensitive)
        isFolded = lowers || folds && options.contains(.diacriticInsensitive)
        self.isWhole = isWhole
        let text = Array(needle.folded.utf8)
        let head = text.withUnsafeBufferPointer { TextHead($0) }
        count = head.count
        bytes = head.bytes
        mask = count >= 8 ? .max : (1 << UInt64(count * 8)) - 1
        isUsable = !isFolded || text.allSatisfy { $0 < 0x80 }
    }

    /// nil where the whole text must be looked at.
    @inline(__always) func answer(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
        if !isFolded {
            // First the length, which lies in the object: the bytes of a long text do not, and are seldom in a cache.
            if isWhole ? text.count != count : text.count < count { return false }
            if (TextHead(text).bytes ^ bytes) & mask != 0 { return false }
            return isWhole || count > 0 ? (count <= 8 ? true : nil) : false
        }
        if !isUsable { return nil }
        let head = TextHead(text)
        if head.bytes & Self.highest != 0 { return nil }
        let folded = lowers ? Self.lowered(head.bytes) : head.bytes
        if head.count <= 8 {
            // The whole text is ASCII.
            if isWhole ? head.count != count : head.count < count { return false }
            return (isWhole || count > 0) && (folded ^ bytes) & mask == 0
        }
        if (folded ^ bytes) & mask != 0 { return false }
        return isWhole || count > 8 || count == 0 ? nil : true
    }

    /// ASCII capitals as small letters, eight at a time; no byte is above 0x7F, so no sum carries over.
    @inline(__always) private static func lowered(_ bytes: UInt64) -> UInt64 {
        let fromA = bytes &+ 0x3F3F_3F3F_3F3F_3F3F
        let aboveZ = bytes &+ 0x2525_2525_2525_2525
        return bytes | (fromA & ~aboveZ & highest) &>> 2
    }
}
