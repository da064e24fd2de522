// Constants by hash: which predicates compare a key with the value of an object.
import PredicateModel
import PredicateSyntax

/// A predicate that an index has found: its number in the set, and whether no matcher is needed.
struct Candidate: Comparable {
    private let word: UInt32

    init(_ number: Int, isDecided: Bool) {
        word = UInt32(truncatingIfNeeded: number) << 1 | (isDecided ? 1 : 0)
    }
    private init(word: UInt32) { self.word = word }

    var number: Int { Int(word >> 1) }
    var isDecided: Bool { word & 1 != 0 }

    /// The candidate of a run whose numbers begin at `base`.
    @inline(__always) func moved(by base: UInt32) -> Candidate { Candidate(word: word &+ base << 1) }
    var undecided: Candidate { Candidate(word: word & ~1) }

    @inline(__always) static func < (left: Candidate, right: Candidate) -> Bool { left.word < right.word }
}

/// The candidates for one object, while indexes find them.
struct CandidateList {
    private(set) var items: [Candidate] = []
    /// The first number of the run whose indexes add candidates.
    var base: UInt32 = 0
    /// The size at which repeated candidates are removed: a long text may find one a thousand times.
    private var limit = 4096

    mutating func removeAll() {
        items.removeAll(keepingCapacity: true)
        limit = 4096
    }

    @inline(__always) mutating func add(_ candidate: Candidate) { items.append(candidate.moved(by: base)) }

    @inline(__always) mutating func add(_ candidates: ArraySlice<Candidate>) {
        for candidate in candidates { items.append(candidate.moved(by: base)) }
        if items.count > limit { removeRepeated() }
    }

    @inline(never) private mutating func removeRepeated() {
        sort()
        var last: Candidate?
        items.removeAll { one in
            defer { last = one }
            return one == last
        }
        limit = max(4096, items.count * 2)
    }

    /// Sorts the candidates by number. Of equal numbers the decided one is last.
    mutating func sort() {
        guard items.count <= 24 else { return items.sort() }
        for index in items.indices.dropFirst() {
            let one = items[index]
            var place = index
            while place > 0, one < items[place - 1] {
                items[place] = items[place - 1]
                place -= 1
            }
            items[place] = one
        }
    }
}

/// The hash of a scalar. Values that are equal in the language have the same.
enum ConstantHash {
    /// Random in each process: an attacker cannot prepare constants with equal hashes.
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

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
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

    /// The product of two numbers, folded to one word.
    @inline(__always) static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

/// Candidates by constant.
struct EqualityIndex {
    struct Item {
        let hash: UInt64
        let value: PredicateValue
        let candidate: Candidate
    }

    private struct Group {
        let hash: UInt64
        let value: PredicateValue
        var candidates: Range<UInt32>
    }

    /// Groups of equal hashes are neighbours. Constants of one hash may differ: 1 and 1.0, or large numbers.
    private let groups: [Group]
    private let candidates: [Candidate]
    /// A hash table of the first groups of each hash, from 1; 0 is free.
    private let slots: [UInt32]

    init(_ items: [Item]) {
        let items = items.sorted { ($0.hash, $0.candidate) < ($1.hash, $1.candidate) }
        var groups: [Group] = []
        var slots = [UInt32](repeating: 0, count: Self.capacity(items.count))
        candidates = items.map(\.candidate)
        for (index, item) in items.enumerated() {
            let place = UInt32(truncatingIfNeeded: index)
            if let last = groups.last, last.hash == item.hash {
                if last.value == item.value {
                    groups[groups.count - 1].candidates = last.candidates.lowerBound..<place + 1
                    continue
                }
            } else {
                var slot = Int(truncatingIfNeeded: item.hash) & (slots.count - 1)
                while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
                slots[slot] = UInt32(truncatingIfNeeded: groups.count + 1)
            }
            groups.append(Group(hash: item.hash, value: item.value, candidates: place..<place + 1))
        }
        self.groups = groups
        self.slots = slots
    }

    /// A power of two, of which less than half is used.
    static func capacity(_ count: Int) -> Int {
        var capacity = 4
        while capacity < count * 2 { capacity *= 2 }
        return capacity
    }

    /// Finds the predicates whose constant equals a value.
    func collect(_ value: PredicateValue, _ found: inout CandidateList) {
        guard let hash = ConstantHash.hash(value) else { return }
        var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
        while slots[slot] != 0 {
            var index = Int(slots[slot]) &- 1
            if groups[index].hash == hash {
                while index < groups.count, groups[index].hash == hash {
                    if groups[index].value.isEqual(to: value) {
                        let range = groups[index].candidates
                        found.add(candidates[Int(range.lowerBound)..<Int(range.upperBound)])
                    }
                    index &+= 1
                }
                return
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
    }
}
