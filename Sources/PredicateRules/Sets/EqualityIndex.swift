// Finds the predicates that compare a key with the value of an object, by a hash table of their constants.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// A predicate found by an index: its number, and whether it surely matches, so that no matcher is needed.
struct Candidate: Comparable, Sendable {
    private let word: UInt32

    init(_ number: Int, isDecided: Bool) {
        word = UInt32(truncatingIfNeeded: number) << 1 | (isDecided ? 1 : 0)
    }
    private init(word: UInt32) { self.word = word }

    var number: Int { Int(word >> 1) }
    var isDecided: Bool { word & 1 != 0 }

    /// The candidate with its number moved to a run that begins at `base`.
    @inline(__always) func moved(by base: UInt32) -> Candidate { Candidate(word: word &+ base << 1) }
    var undecided: Candidate { Candidate(word: word & ~1) }

    @inline(__always) static func < (left: Candidate, right: Candidate) -> Bool { left.word < right.word }
}

/// The candidates for one object, collected from the indexes.
// Uses its own memory, because an array would test at each append whether it is shared. `unchecked` is safe because one
// thread uses the list.
final class CandidateList {
    @exclusivity(unchecked) private var start = UnsafeMutablePointer<Candidate>.allocate(capacity: 64)
    @exclusivity(unchecked) private var capacity = 64
    @exclusivity(unchecked) private var count = 0
    /// The first number of the run whose indexes are being searched.
    @exclusivity(unchecked) var base: UInt32 = 0
    /// The size at which duplicates are removed. A long text may find the same candidate a thousand times.
    @exclusivity(unchecked) private var limit = 4096

    deinit { start.deallocate() }

    var items: UnsafeMutableBufferPointer<Candidate> { UnsafeMutableBufferPointer(start: start, count: count) }

    @inline(__always) func removeAll() {
        count = 0
        limit = 4096
    }

    @inline(__always) func add(_ candidate: Candidate) {
        if count == capacity { grow() }
        start[count] = candidate.moved(by: base)
        count &+= 1
    }

    @inline(__always) func add(_ candidates: FixedValues<Candidate>, _ first: UInt32, _ end: UInt32) {
        for index in first..<end { add(candidates[Int(index)]) }
        if count > limit { removeRepeated() }
    }

    @inline(__always) func add(_ candidates: FixedValues<Candidate>) {
        add(candidates, 0, UInt32(truncatingIfNeeded: candidates.count))
    }

    @inline(never) private func grow() {
        let larger = UnsafeMutablePointer<Candidate>.allocate(capacity: capacity * 2)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
        capacity *= 2
    }

    @inline(never) private func removeRepeated() {
        sort()
        var kept = 0
        for index in 0..<count where kept == 0 || start[kept - 1] != start[index] {
            start[kept] = start[index]
            kept += 1
        }
        count = kept
        limit = max(4096, kept * 2)
    }

    /// Sorts the candidates by number. Of several with the same number, the decided one is last.
    func sort() {
        var items = items
        guard count <= 24 else { return items.sort() }
        for index in items.indices.dropFirst() {
            let one = items[index]
            var place = index
            while place > 0, one < items[place &- 1] {
                items[place] = items[place &- 1]
                place &-= 1
            }
            items[place] = one
        }
    }
}

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

    private static func hash(_ number: Double) -> UInt64 { mix(number.bitPattern ^ seed, 0x8EBC_6AF0_9C88_C6E3) }

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
    struct Item {
        let hash: UInt64
        let value: PredicateValue
        let candidate: Candidate
    }

    private struct Group: Sendable {
        let value: PredicateValue
        let first: UInt32
        var end: UInt32
    }

    /// One group for each constant. Different constants may have the same hash, such as 1 and 1.0.
    private let groups: FixedValues<Group>
    private let candidates: FixedValues<Candidate>
    /// A hash table: the upper half of the group's hash, and the number of the group from 1. 0 is a free slot.
    private let slots: FixedValues<UInt64>

    init(_ items: [Item]) {
        let items = items.sorted { ($0.hash, $0.candidate) < ($1.hash, $1.candidate) }
        candidates = FixedValues(items.map(\.candidate))
        var groups: [Group] = []
        var slots: [UInt64] = []
        var last: UInt64?
        for (index, item) in items.enumerated() {
            let place = UInt32(truncatingIfNeeded: index)
            if last == item.hash, groups[groups.count - 1].value == item.value {
                groups[groups.count - 1].end = place + 1
            } else {
                groups.append(Group(value: item.value, first: place, end: place + 1))
                slots.append(item.hash)
            }
            last = item.hash
        }
        self.groups = FixedValues(groups)
        self.slots = FixedValues(Self.table(slots))
    }

    private static func table(_ hashes: [UInt64]) -> [UInt64] {
        var slots = [UInt64](repeating: 0, count: capacity(hashes.count))
        for (index, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = hash & ~0xFFFF_FFFF | UInt64(index + 1)
        }
        return slots
    }

    /// The number of slots: a power of two, so large that less than half of the slots are used.
    static func capacity(_ count: Int) -> Int {
        var capacity = 4
        while capacity < count * 2 { capacity *= 2 }
        return capacity
    }

    /// Finds the predicates whose constant equals a value.
    func collect(_ value: PredicateValue, _ found: CandidateList) {
        guard let hash = ConstantHash.hash(value) else { return }
        forEachGroup(hash) { group in
            if group.pointee.value.isEqual(to: value) {
                found.add(candidates, group.pointee.first, group.pointee.end)
            }
        }
    }

    /// Finds the predicates whose constant equals a text. The bytes must be valid UTF-8.
    func collect(_ text: UnsafeBufferPointer<UInt8>, _ found: CandidateList) {
        forEachGroup(ConstantHash.hash(UnsafeRawBufferPointer(text))) { group in
            if case .string(let constant) = group.pointee.value, constant.utf8.elementsEqual(text) {
                found.add(candidates, group.pointee.first, group.pointee.end)
            }
        }
    }

    /// Calls `body` with the groups that probably have a hash.
    @inline(__always) private func forEachGroup(_ hash: UInt64, _ body: (UnsafePointer<Group>) -> Void) {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if slots[slot] >> 32 == hash >> 32 { body(groups.start + (Int(slots[slot] & 0xFFFF_FFFF) &- 1)) }
            slot = (slot &+ 1) & mask
        }
    }
}
