// The texts of an IN's list, by their UTF-8.
import PredicateSyntax

/// A set of texts that is asked for bytes. Most texts are refused by their length and first byte; others are hashed
/// with the process's random seed, so that no list makes it slow.
struct TextSet: Sendable {
    private var members: [[UInt8]] = []
    /// Open addressing: members by hash, -1 where there is none; a power of two of them, at most half full.
    private var slots: [Int32]
    /// A bit for each length, 63 and more in one.
    private var lengths: UInt64 = 0
    private var hasFirst = [Bool](repeating: false, count: 256)

    /// - Parameter elements: what is no text among them is left out: no text equals it.
    init(_ elements: [Value]) {
        var size = 8
        while size < elements.count * 2 { size *= 2 }
        slots = [Int32](repeating: -1, count: size)
        for case .string(let text) in elements { insert(Array(text.utf8)) }
    }

    private mutating func insert(_ bytes: [UInt8]) {
        let slot = bytes.withUnsafeBufferPointer { place(of: $0) }
        guard slots[slot] < 0 else { return }
        slots[slot] = Int32(truncatingIfNeeded: members.count)
        members.append(bytes)
        lengths |= 1 << UInt64(min(bytes.count, 63))
        if let first = bytes.first { hasFirst[Int(first)] = true }
    }

    func contains(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard lengths >> UInt64(min(text.count, 63)) & 1 != 0 else { return false }
        guard let first = text.first else { return true }
        return hasFirst[Int(first)] && slots[place(of: text)] >= 0
    }

    /// Where a text is, or would be.
    private func place(of text: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(text))
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] >= 0, !members[Int(slots[slot])].elementsEqual(text) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }
}
