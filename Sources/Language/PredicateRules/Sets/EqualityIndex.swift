// Finds the predicates that compare a key with the value of an object, by a hash table of their constants.

/// The hash of a scalar. Values that are equal in the language have the same hash.
enum ConstantHash {
    /// Random in each process, so that an attacker cannot prepare constants with equal hashes.
    private static let seed = UInt64.random(in: .min ... .max)

    /// nil for collections and objects, and for nil.
    static func hash(_ value: PredicateValue) -> UInt64? {
        switch value {
        case .null, .nsNull, .array, .set, .dictionary, .object: return nil
        case .integer(let number): return hash(Double(number))
        case .bool, .float, .double, .decimal: return hash((value.doubleValue ?? 0) + 0)
        case .date(let seconds): return mix((seconds + 0).bitPattern ^ seed, 0xA076_1D64_78BD_642F)
        case .string(var text), .url(var text), .type(var text):
            return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
        case .data(let bytes): return bytes.withUnsafeBytes { hash($0) }
        case .uuid(let id): return mix(id.high ^ seed, id.low ^ 0xE703_7ED1_A0B4_28DB)
        }
    }

    static func hash(_ number: Double) -> UInt64 { mix(number.bitPattern ^ seed, 0x8EBC_6AF0_9C88_C6E3) }

    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var state = seed ^ UInt64(truncatingIfNeeded: bytes.count)
        var index = 0
        while index &+ 8 <= bytes.count {
            state = mix(state ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self), 0xA076_1D64_78BD_642F)
            index &+= 8
        }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index &+= 1
        }
        return mix(state ^ rest, 0xE703_7ED1_A0B4_28DB)
    }

    /// The 128-bit product of two numbers, folded to one word.
    @inline(__always) static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

/// Candidates by their constants.
struct EqualityIndex {
    struct Entry {
        let hash: UInt64
        let value: PredicateValue
        let candidate: Candidate
    }

    /// A constant: an integer, the offset of a text in `bytes`, or the index of another value in `others`.
    private struct Group: Sendable {
        enum Kind: UInt32 { case integer, text, other }

        let payload: UInt64
        /// Its candidates.
        let first: UInt32
        /// The number of candidates, and in the lower two bits the kind.
        private var word: UInt32

        init(_ kind: Kind, _ payload: UInt64, first: Int) {
            self.payload = payload
            self.first = UInt32(truncatingIfNeeded: first)
            word = 4 | kind.rawValue
        }

        @inline(__always) var count: UInt32 { word &>> 2 }
        @inline(__always) var kind: Kind { word & 2 != 0 ? .other : word & 1 != 0 ? .text : .integer }

        mutating func addCandidate() { word += 4 }

        @inline(__always) func text(_ bytes: FixedValues<UInt8>) -> UnsafeBufferPointer<UInt8> {
            let offset = Int(truncatingIfNeeded: payload >> 32)
            return UnsafeBufferPointer(
                start: bytes.start + offset, count: Int(truncatingIfNeeded: payload & 0xFFFF_FFFF))
        }
    }

    /// One group for each constant. Different constants may have the same hash, such as 1 and 1.0.
    private let groups: FixedValues<Group>
    private let bytes: FixedValues<UInt8>
    private let others: FixedValues<PredicateValue>
    private let candidates: FixedValues<Candidate>
    /// A hash table: the upper half of the group's hash, and the number of the group from 1. 0 is a free slot.
    private let slots: FixedValues<UInt64>

    /// An entry while the entries are sorted.
    private struct SortedEntry {
        let hash: UInt64
        let candidate: Candidate
        let entry: UInt32
    }

    init(_ entries: [Entry], _ memory: IndexMemory) {
        var sorted: [SortedEntry] = []
        sorted.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            let number = UInt32(truncatingIfNeeded: index)
            sorted.append(SortedEntry(hash: entry.hash, candidate: entry.candidate, entry: number))
        }
        sorted.sort { $0.hash == $1.hash ? $0.candidate < $1.candidate : $0.hash < $1.hash }
        var builder = Builder()
        builder.groups.reserveCapacity(entries.count)
        var slots = [UInt64](repeating: 0, count: Self.capacity(entries.count))
        for (index, one) in sorted.enumerated() {
            let isRepeated =
                index > 0 && sorted[index - 1].hash == one.hash
                && entries[Int(sorted[index - 1].entry)].value == entries[Int(one.entry)].value
            if isRepeated {
                builder.groups[builder.groups.count - 1].addCandidate()
                continue
            }
            builder.add(entries[Int(one.entry)].value, first: index)
            var slot = Int(truncatingIfNeeded: one.hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = one.hash & ~0xFFFF_FFFF | UInt64(builder.groups.count)
        }
        groups = memory.fixed(builder.groups)
        bytes = memory.fixed(builder.bytes)
        others = memory.fixed(builder.others)
        candidates = memory.fixed(sorted.map { $0.candidate })
        self.slots = memory.fixed(slots)
    }

    private struct Builder {
        var groups: [Group] = []
        var bytes: [UInt8] = []
        var others: [PredicateValue] = []

        mutating func add(_ value: PredicateValue, first: Int) {
            switch value {
            case .integer(let number):
                groups.append(Group(.integer, UInt64(bitPattern: number), first: first))
            case .string(let text) where bytes.count < 1 << 31 && text.utf8.count < 1 << 30:
                let start = UInt64(bytes.count)
                bytes += text.utf8
                let count = UInt64(bytes.count) - start
                groups.append(Group(.text, start << 32 | count, first: first))
            default:
                groups.append(Group(.other, UInt64(others.count), first: first))
                others.append(value)
            }
        }
    }

    /// The number of slots: a power of two, so large that less than half of the slots are used.
    static func capacity(_ count: Int) -> Int {
        var capacity = 4
        while capacity < count * 2 { capacity *= 2 }
        return capacity
    }

    /// Finds the predicates whose constant equals a value.
    func collect(_ value: PredicateValue, _ found: CandidateList) {
        switch value {
        case .integer(let number): collect(number, found)
        case .string(var text): text.withUTF8 { collect($0, found) }
        default:
            guard let hash = ConstantHash.hash(value) else { return }
            forEachGroup(hash) { group in
                switch group.kind {
                case .integer: PredicateValue.integer(Int64(bitPattern: group.payload)).isEqual(to: value)
                // Only a text equals a text.
                case .text: false
                case .other: others[Int(truncatingIfNeeded: group.payload)].isEqual(to: value)
                }
            } found: {
                add($0, found)
            }
        }
    }

    /// Finds the predicates whose constant equals an integer.
    func collect(_ number: Int64, _ found: CandidateList) {
        forEachGroup(ConstantHash.hash(Double(number))) { group in
            switch group.kind {
            case .integer: Int64(bitPattern: group.payload) == number
            case .text: false
            case .other: others[Int(truncatingIfNeeded: group.payload)].isEqual(to: .integer(number))
            }
        } found: {
            add($0, found)
        }
    }

    /// Finds the predicates whose constant equals a text. The bytes must be valid UTF-8.
    func collect(_ text: UnsafeBufferPointer<UInt8>, _ found: CandidateList) {
        forEachGroup(ConstantHash.hash(UnsafeRawBufferPointer(text))) { group in
            switch group.kind {
            case .integer: return false
            case .text: return group.text(bytes).isSame(as: text)
            // A text that is too long for `bytes`.
            case .other:
                guard case .string(let constant) = others[Int(truncatingIfNeeded: group.payload)] else { return false }
                return constant.utf8.elementsEqual(text)
            }
        } found: {
            add($0, found)
        }
    }

    @inline(__always) private func add(_ group: Group, _ found: CandidateList) {
        found.add(candidates, group.first, group.first &+ group.count)
    }

    /// Calls `found` with the groups that have a hash and pass a test.
    @inline(__always) private func forEachGroup(
        _ hash: UInt64, _ isEqual: (Group) -> Bool, found: (Group) -> Void
    ) {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] >> 32 == hash >> 32 {
                let group = groups[Int(slots[slot] & 0xFFFF_FFFF) &- 1]
                if isEqual(group) { found(group) }
            }
            slot = (slot &+ 1) & mask
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether two texts have the same bytes. Eight at a time: the library compares elements.
    @inline(__always) fileprivate func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        var index = 0
        while index &+ 8 <= count {
            let one = left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if one != right.loadUnaligned(fromByteOffset: index, as: UInt64.self) { return false }
            index &+= 8
        }
        while index < count {
            if left[index] != right[index] { return false }
            index &+= 1
        }
        return true
    }
}
