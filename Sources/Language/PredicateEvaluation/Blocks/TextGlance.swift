// Tests texts by their two words alone (StorageLayout.swift). This decides most texts: the words contain the bytes of a
// short text, or the length and an ASCII flag of a long one.

/// Compares a text with a constant, for equality or as a prefix, by its words alone.
struct TextGlance: Sendable {
    private let count: Int
    /// The first fifteen bytes of the constant, as they are in a small text, and a mask of their bits.
    private var words = TextWords(low: 0, high: 0)
    private var masks = TextWords(low: 0, high: 0)
    /// Whether comparison folds case or diacritics. Then only ASCII texts can be decided, which fold byte by
    /// byte.
    private let isFolded: Bool
    private let lowers: Bool
    private let isASCII: Bool
    private let isWhole: Bool

    /// - Parameter isWhole: true for equality, false for a prefix.
    init(_ needle: Needle, _ options: ComparisonOptions, isWhole: Bool) {
        self.init(Array(needle.folded.utf8), options, isWhole: isWhole)
    }

    /// - Parameter text: a folded constant.
    init(_ text: [UInt8], _ options: ComparisonOptions, isWhole: Bool) {
        let folds = !options.contains(.normalized)
        lowers = folds && options.contains(.caseInsensitive)
        isFolded = lowers || folds && options.contains(.diacriticInsensitive)
        self.isWhole = isWhole
        count = text.count
        isASCII = text.allSatisfy { $0 < 0x80 }
        for (place, byte) in text.prefix(15).enumerated() {
            let shift = UInt64(place & 7) * 8
            let (bits, mask) = (UInt64(byte) << shift, 0xFF << shift as UInt64)
            words = TextWords(low: words.low | (place < 8 ? bits : 0), high: words.high | (place < 8 ? 0 : bits))
            masks = TextWords(low: masks.low | (place < 8 ? mask : 0), high: masks.high | (place < 8 ? 0 : mask))
        }
    }

    /// The same test without branches, for short texts; nil if it would decide too few texts.
    var quick: QuickText? {
        // The bytes after a short text are zero, so the constant must not contain zero bytes.
        let hasZero = (0..<min(count, 15)).contains { place in
            let word = place < 8 ? words.low : words.high
            return (word >> UInt64(place & 7 * 8)) & 0xFF == 0
        }
        if isFolded && !lowers || count == 0 || count > 15 || hasZero { return nil }
        return QuickText(words, masks, count: isWhole ? count : nil, lowers: lowers)
    }

    /// Whether the text passes; nil if the whole text must be read.
    @inline(__always) func answer(_ text: TextWords) -> Bool? {
        if !text.isSmall {
            guard text.isPlain, !isFolded || isASCII && text.isKnownASCII else { return nil }
            return isWhole ? text.largeCount != count ? false : nil : text.largeCount < count ? false : nil
        }
        var (low, high) = (text.low, text.high & TextWords.highBytes)
        if isFolded {
            if !text.isSmallASCII { return nil }
            if lowers { (low, high) = (TextWords.small(low), TextWords.small(high)) }
        }
        // Without branches, because the lengths of short texts are unpredictable.
        let different: UInt64
        if isWhole {
            different = (low ^ words.low) | (high ^ words.high) | UInt64(truncatingIfNeeded: text.smallCount ^ count)
            return different == 0
        }
        different = (low ^ words.low) & masks.low | (high ^ words.high) & masks.high
        let isLong = Rows.bit(text.smallCount >= count) & Rows.bit(count > 0)
        return Rows.bit(different == 0) & isLong != 0
    }
}

/// Compares short texts with a constant, for equality or as a prefix, in a few instructions without branches.
struct QuickText: Sendable {
    private static let isSmall: UInt64 = 1 << 61
    private static let highest: UInt64 = 0x8080_8080_8080_8080

    private let words: TextWords
    private let masks: TextWords
    /// Whether ASCII capitals are converted to lower case first. Then only ASCII texts are decided.
    let lowers: Bool

    /// - Parameter count: the required length; nil allows any.
    init(_ words: TextWords, _ masks: TextWords, count: Int?, lowers: Bool) {
        self.lowers = lowers
        let length = UInt64(count ?? 0) << 56
        self.words = TextWords(low: words.low, high: words.high | length | Self.isSmall)
        self.masks =
            count == nil
            ? TextWords(low: masks.low, high: masks.high | Self.isSmall)
            : TextWords(low: .max, high: TextWords.highBytes | 15 << 56 | Self.isSmall)
    }

    /// The test for texts that are first converted to lower or upper case; nil if it would not be the same for
    /// all ASCII texts.
    func ofTexts(in mapping: TextMapping) -> QuickText? {
        if lowers { return self }
        let bytes = TextWords(low: words.low, high: words.high & TextWords.highBytes)
        let small = TextWords(low: TextWords.small(bytes.low), high: TextWords.small(bytes.high))
        let capitals = TextWords(low: TextWords.capitals(bytes.low), high: TextWords.capitals(bytes.high))
        let other = mapping == .lower ? small : capitals
        // A constant in the other case equals no text, and a constant that is not ASCII equals no ASCII text.
        let isPossible = bytes.low == other.low && bytes.high == other.high
        guard isPossible, (bytes.low | bytes.high) & Self.highest == 0 else { return nil }
        return QuickText(
            TextWords(low: small.low, high: small.high | words.high & ~TextWords.highBytes), masks, lowers: true)
    }

    private init(_ words: TextWords, _ masks: TextWords, lowers: Bool) {
        self.words = words
        self.masks = masks
        self.lowers = lowers
    }

    /// 1 if the text is short and passes.
    @inline(__always) func holds(_ text: TextWords) -> UInt64 {
        Rows.bit((text.low ^ words.low) & masks.low | (text.high ^ words.high) & masks.high == 0)
    }

    /// 1 if the text is not short, so that it is undecided.
    @inline(__always) func isUnknown(_ text: TextWords) -> UInt64 { Rows.bit(text.high & Self.isSmall == 0) }

    @inline(__always) func holdsLowered(_ text: TextWords) -> UInt64 {
        let high = TextWords.small(text.high & TextWords.highBytes) | text.high & ~TextWords.highBytes
        return holds(TextWords(low: TextWords.small(text.low), high: high))
    }

    @inline(__always) func isUnknownLowered(_ text: TextWords) -> UInt64 {
        Rows.bit(
            (text.high ^ Self.isSmall) & Self.isSmall | (text.low | text.high & TextWords.highBytes) & Self.highest != 0
        )
    }
}

/// Compares the last eight bytes of a text with the end of an unfolded constant.
struct TextTail: Sendable {
    private let bytes: UInt64
    private let mask: UInt64
    private let count: Int
    private let isUsable: Bool

    init(_ needle: Needle, _ options: ComparisonOptions) {
        let folding: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        self.init(
            Array(needle.folded.utf8), isUsable: options.contains(.normalized) || options.isDisjoint(with: folding))
    }

    init(_ text: [UInt8], isUsable: Bool = true) {
        count = text.count
        self.isUsable = isUsable && !text.isEmpty
        var (bytes, mask): (UInt64, UInt64) = (0, 0)
        for (place, byte) in text.reversed().prefix(8).enumerated() {
            bytes |= UInt64(byte) << UInt64(56 - place * 8)
            mask |= 0xFF << UInt64(56 - place * 8)
        }
        (self.bytes, self.mask) = (bytes, mask)
    }

    /// Whether the text passes; nil if the whole text must be read.
    @inline(__always) func answer(_ text: TextWords) -> Bool? {
        guard isUsable else { return nil }
        if text.isSmall {
            // The last eight bytes in memory order, or a shorter text preceded by zeros. Without branches, because the
            // lengths of short texts are unpredictable. The masks avoid shifts by 64.
            let length = text.smallCount
            let isLong = length > 8
            let high = text.high & TextWords.highBytes
            let shift = UInt64(truncatingIfNeeded: (length &* 8) & 63)
            let long = text.low &>> shift | high &<< ((64 &- shift) & 63)
            let short = text.low &<< ((64 &- shift) & 63)
            let last = isLong ? long : short
            let isEqual = Rows.bit((last ^ bytes) & mask == 0) & Rows.bit(length >= count)
            if count <= 8 { return isEqual != 0 }
            return isEqual != 0 ? nil : false
        }
        guard text.isPlain else { return nil }
        // The text has more than fifteen bytes, or is a substring of such a text.
        let length = text.largeCount
        if length < count { return false }
        guard length >= 8, let end = UnsafeRawPointer(bitPattern: text.address &+ UInt(length)) else { return nil }
        let last = UInt64(littleEndian: (end - 8).loadUnaligned(as: UInt64.self))
        if (last ^ bytes) & mask != 0 { return false }
        return count <= 8 ? true : nil
    }
}
