// Checks the memory layout of texts, arrays, optional texts and `Any`, which has been the same on 64-bit systems since
// Swift 5. Reading the two words of a text or the elements of a list without a call makes tests of texts about twice as
// fast as the public API (measured). The layout is not guaranteed, so it is compared with the public API on samples at
// first use. If it differs, the public API is used. No other file makes an assumption that the compiler does not
// guarantee.

enum StorageLayout {
    /// Whether a `String` is two words: a small text holds its bytes and, in the top byte, its length; other
    /// texts hold their length and the address of their bytes.
    static let hasKnownTexts: Bool = {
        guard MemoryLayout<String>.size == 16, MemoryLayout<UInt>.size == 8, 1.littleEndian == 1 else { return false }
        let short = ["", "a", "é", "seven b", "eight by", "nine byte", "fifteen bytes !", "ééééééé"]
        let long = ["more than fifteen bytes", String(repeating: "é", count: 40)]
        var grown = String(repeating: "x", count: 100)
        grown += "é"
        var kept = grown
        kept.removeLast(97)
        return (short + long + [grown, kept, String(kept.dropFirst()), String(grown.dropFirst(70))]).allSatisfy(
            isAsKnown)
    }()

    /// Compares addresses and lengths without reading memory at an address that a wrong layout would give.
    private static func isAsKnown(_ text: String) -> Bool {
        withUnsafeBytes(of: text) { raw in
            let words = TextWords(low: raw.load(as: UInt64.self), high: raw.load(fromByteOffset: 8, as: UInt64.self))
            if words.isSmall {
                return words.smallCount == text.utf8.count && raw.prefix(words.smallCount).elementsEqual(text.utf8)
                    && raw[words.smallCount..<15].allSatisfy { $0 == 0 }
            }
            guard words.isPlain else { return true }
            if words.isKnownASCII, text.utf8.contains(where: { $0 > 0x7F }) { return false }
            return text.utf8.withContiguousStorageIfAvailable {
                UInt(bitPattern: $0.baseAddress) == words.address && $0.count == words.largeCount
            } ?? false
        }
    }

    /// Whether an array is one word: the address of an object with the count after two words and the elements
    /// after four. Also whether nil is zero.
    static let hasKnownLists: Bool = {
        guard hasKnownTexts, MemoryLayout<[String]>.size == 8, MemoryLayout<[String]?>.size == 8 else { return false }
        let none: [String]? = nil
        guard withUnsafeBytes(of: none, { $0.load(as: UInt.self) == 0 }) else { return false }
        var grown = ["a", "b", "c"]
        grown.reserveCapacity(50)
        return isAsKnown([String]()) && isAsKnown(grown) && isAsKnown(["a"]) && isAsKnown([1, 2])
            && isAsKnown([UInt8(3)])
            && isAsKnown([(1.0, "b")])
    }()

    /// The offsets of the count and of the first element in an array's object, for element alignments up to 16.
    static let listCount = 16
    static let listStart = 32

    private static func isAsKnown<Element>(_ list: [Element]) -> Bool {
        withUnsafeBytes(of: list) { raw in
            let object = raw.load(as: UInt.self)
            return list.withUnsafeBufferPointer { elements in
                guard let start = UnsafeRawPointer(bitPattern: object) else { return false }
                // Every runtime object has at least its header; the count is the word after it.
                guard list.isEmpty || UInt(bitPattern: elements.baseAddress) == object + UInt(listStart) else {
                    return false
                }
                return start.load(fromByteOffset: listCount, as: Int.self) == elements.count
            }
        }
    }

    /// Whether an optional text that is not nil is stored like a text, byte for byte. If not, optional texts have no
    /// field.
    static let optionalTextIsText: Bool = {
        guard MemoryLayout<String?>.size == MemoryLayout<String>.size else { return false }
        let samples = ["", "a", "fifteen bytes !", "more than fifteen bytes", "é", String(repeating: "é", count: 40)]
        return samples.allSatisfy { begins(Optional($0), like: $0) }
    }()

    /// Whether an `Any` stores a text or a number in its first bytes. If not, the entries of dictionaries are cast.
    static let anyHoldsSmallValues: Bool =
        begins("small" as Any, like: "small")
        && begins("a text that is not stored in itself" as Any, like: "a text that is not stored in itself")
        && begins(0x1234_5678 as Any, like: 0x1234_5678) && begins(-1.5 as Any, like: -1.5)

    private static func begins<Whole, Value>(_ whole: Whole, like value: Value) -> Bool {
        withUnsafeBytes(of: value) { bytes in
            withUnsafeBytes(of: whole) { $0.count >= bytes.count && $0.prefix(bytes.count).elementsEqual(bytes) }
        }
    }
}

/// The two words of a `String`.
struct TextWords {
    let low: UInt64
    let high: UInt64

    @inline(__always) init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    @inline(__always) init(at place: UnsafeRawPointer) {
        low = place.load(as: UInt64.self)
        high = place.load(fromByteOffset: 8, as: UInt64.self)
    }

    /// Whether the words contain the bytes of the text themselves.
    @inline(__always) var isSmall: Bool { high & 1 << 61 != 0 }
    @inline(__always) var smallCount: Int { Int(truncatingIfNeeded: high &>> 56 & 15) }
    /// The part of the second word that holds bytes.
    static let highBytes: UInt64 = 0x00FF_FFFF_FFFF_FFFF
    private static let highest: UInt64 = 0x8080_8080_8080_8080
    /// For a small text: whether all bytes are ASCII.
    @inline(__always) var isSmallASCII: Bool { (low | high & Self.highBytes) & Self.highest == 0 }

    /// Converts ASCII capitals to lower case, eight bytes at a time. All bytes must be ASCII, so that no sum
    /// carries over.
    @inline(__always) static func small(_ bytes: UInt64) -> UInt64 { bytes | between(bytes, 65) }
    /// Converts ASCII lower-case letters to capitals.
    @inline(__always) static func capitals(_ bytes: UInt64) -> UInt64 { bytes & ~between(bytes, 97) }

    /// 0x20 for each byte in a range of 26 letters.
    @inline(__always) private static func between(_ bytes: UInt64, _ first: UInt64) -> UInt64 {
        let fromFirst = bytes &+ (128 &- first) &* 0x0101_0101_0101_0101
        let aboveLast = bytes &+ (102 &- first) &* 0x0101_0101_0101_0101
        return (fromFirst & ~aboveLast & highest) &>> 2
    }

    /// For a text that is not small: whether its bytes begin 32 bytes after the address.
    @inline(__always) var isPlain: Bool { high & 1 << 60 == 0 && low & 1 << 60 != 0 }
    /// For a text that is not small: whether it is marked as ASCII.
    @inline(__always) var isKnownASCII: Bool { low &>> 63 != 0 }
    @inline(__always) var largeCount: Int { Int(truncatingIfNeeded: low & 0xFFFF_FFFF_FFFF) }
    @inline(__always) var address: UInt { UInt(truncatingIfNeeded: high & 0x0FFF_FFFF_FFFF_FFFF) &+ 32 }

    /// The bytes of a plain text.
    @inline(__always) var plainBytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(bitPattern: address), count: largeCount)
    }
}
