// The set of texts in IN's list, compared as UTF-8 bytes.

/// A set of texts. Short texts are compared word by word if there are few short members. Other texts are
/// rejected by length and first byte, then looked up by a seeded hash of length, start and end. If too many
/// members share such a hash, the whole texts are hashed, so that no list makes lookup slow.
struct TextSet: Sendable {
    private var members: [[UInt8]] = []
    /// A hash table with open addressing: member indices, -1 for a free slot. Its size is a power of two, and at most
    /// half of the slots are used.
    private var slots: [Int32]
    /// One bit for each length; all lengths from 63 share one bit.
    private var lengths: UInt64 = 0
    private var hasFirst = [Bool](repeating: false, count: 256)
    private let seed: UInt64
    private let hashesWhole: Bool
    /// The members with at most fifteen bytes, as the words of small texts without flags; nil if there are many.
    private var words: [SIMD2<UInt64>]?

    private static let few = 8
    private static let bytesAndCount: UInt64 = 0x0FFF_FFFF_FFFF_FFFF

    /// - Parameter elements: elements that are not texts are ignored, because no text equals them.
    init(_ elements: [PredicateValue]) {
        let quick = TextSet(elements, hashesWhole: false)
        self = quick ?? TextSet(elements, hashesWhole: true) ?? TextSet(size: 8, hashesWhole: true)
    }

    private init(size: Int, hashesWhole: Bool) {
        slots = [Int32](repeating: -1, count: size)
        seed = UInt64(truncatingIfNeeded: Hasher().finalize())
        self.hashesWhole = hashesWhole
    }

    /// nil if too many members share a hash and the hash does not cover whole texts.
    private init?(_ elements: [PredicateValue], hashesWhole: Bool) {
        var size = 8
        while size < elements.count * 2 { size *= 2 }
        self.init(size: size, hashesWhole: hashesWhole)
        var steps = 0
        for case .string(let text) in elements {
            let bytes = Array(text.utf8)
            steps += bytes.withUnsafeBufferPointer { insert($0) }
            if !hashesWhole, steps > 64 + 4 * elements.count { return nil }
        }
        let small = members.filter { $0.count <= 15 }
        if small.count <= Self.few { words = small.map(Self.words) }
    }

    private static func words(_ bytes: [UInt8]) -> SIMD2<UInt64> {
        var words = SIMD2<UInt64>(0, UInt64(bytes.count) << 56)
        for (place, byte) in bytes.enumerated() { words[place >> 3] |= UInt64(byte) << UInt64((place & 7) * 8) }
        return words
    }

    /// - Returns: the number of probes for its slot.
    private mutating func insert(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let (slot, steps) = place(of: bytes)
        guard slots[slot] < 0 else { return steps }
        slots[slot] = Int32(truncatingIfNeeded: members.count)
        members.append(Array(bytes))
        lengths |= 1 << UInt64(min(bytes.count, 63))
        if let first = bytes.first { hasFirst[Int(first)] = true }
        return steps
    }

    /// Whether a text is a member, decided by its words; nil if its bytes must be read.
    @inline(__always) func answer(_ text: TextWords) -> Bool? {
        if !text.isSmall { return text.isPlain && !mayContain(count: text.largeCount) ? false : nil }
        guard let words else { return mayContain(count: text.smallCount) ? nil : false }
        let high = text.high & Self.bytesAndCount
        var isMember: UInt64 = 0
        for word in words { isMember |= Rows.bit((word.x ^ text.low) | (word.y ^ high) == 0) }
        return isMember != 0
    }

    @inline(__always) private func mayContain(count: Int) -> Bool { lengths &>> UInt64(min(count, 63)) & 1 != 0 }

    func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard mayContain(count: text.count) else { return false }
        guard let first = text.first else { return true }
        return hasFirst[Int(first)] && slots[place(of: text).slot] >= 0
    }

    /// The slot of a text, or the free slot for it.
    private func place(of text: UnsafeBufferPointer<UInt8>) -> (slot: Int, steps: Int) {
        var slot = hash(text) & (slots.count - 1)
        var steps = 0
        while slots[slot] >= 0, !isMember(Int(slots[slot]), text) {
            slot = (slot + 1) & (slots.count - 1)
            steps += 1
        }
        return (slot, steps)
    }

    private func isMember(_ member: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard members[member].count == text.count else { return false }
        return members[member].withUnsafeBufferPointer { member in
            for place in 0..<text.count where member[place] != text[place] { return false }
            return true
        }
    }

    @inline(__always) private func hash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        if hashesWhole {
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(text))
            return hasher.finalize()
        }
        let raw = UnsafeRawBufferPointer(text)
        let (first, last): (UInt64, UInt64)
        if text.count >= 8 {
            first = raw.loadUnaligned(as: UInt64.self)
            last = raw.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self)
        } else if text.count >= 4 {
            first = UInt64(raw.loadUnaligned(as: UInt32.self))
            last = UInt64(raw.loadUnaligned(fromByteOffset: text.count &- 4, as: UInt32.self))
        } else {
            first = text.isEmpty ? 0 : UInt64(text[0]) | UInt64(text[text.count &- 1]) &<< 8
            last = text.count > 1 ? UInt64(text[1]) : 0
        }
        let mixed = (first ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let next = (mixed.low ^ mixed.high ^ last ^ UInt64(truncatingIfNeeded: text.count) &<< 56)
            .multipliedFullWidth(by: seed | 1)
        return Int(truncatingIfNeeded: next.low ^ next.high)
    }
}
