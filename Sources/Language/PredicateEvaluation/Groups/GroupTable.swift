// Groups of records with equal keys: the only implementation, for `--group`, `.group` and records of stores. Threads
// collect keys and values of records in batches; one table takes the batches in the order of the input, so that the last
// digits of a sum do not depend on threads. Memory holds the keys and states of groups, not the records.

/// The distinct keys in the order of their first appearance. Keys are equal by `==`, and NaN equals NaN.
struct GroupIndex: Sendable {
    let width: Int
    /// `width` values for each key.
    private(set) var keys: [PredicateValue] = []
    private(set) var hashes: [UInt32] = []
    /// A hash table: positions of keys plus 1, 0 for a free place.
    private var slots: [Int32] = []

    init(width: Int) { self.width = width }

    var count: Int { hashes.count }

    static func hash(_ key: [PredicateValue]) -> UInt32 {
        var hasher = Hasher()
        for value in key { EqualityKey(value.isNaN ? .type("NaN") : value).hash(into: &hasher) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    /// The position of the key that begins at `start` of some values. Adds a new key.
    ///
    /// Equal keys may have different types. The table shows the simplest one: 1 of 1, 1.0 and YES.
    /// - Returns: also whether the key is new, or simpler than before.
    mutating func position(
        of values: [PredicateValue], from start: Int = 0, hash: UInt32
    ) -> (position: Int, isNew: Bool) {
        if 2 * hashes.count >= slots.count { grow() }
        var slot = Int(hash) & (slots.count - 1)
        next: while slots[slot] != 0 {
            let position = Int(slots[slot]) - 1
            slot = (slot + 1) & (slots.count - 1)
            if hashes[position] != hash { continue }
            for index in 0..<width {
                let (known, value) = (keys[position * width + index], values[start + index])
                guard known.isEqual(to: value) || known.isNaN && value.isNaN else { continue next }
            }
            var isSimpler = false
            for index in 0..<width {
                let rank = keys[position * width + index].rank
                let value = values[start + index]
                if rank > 0, rank > value.rank {
                    keys[position * width + index] = value
                    isSimpler = true
                }
            }
            return (position, isSimpler)
        }
        hashes.append(hash)
        keys.append(contentsOf: values[start..<start + width])
        slots[slot] = Int32(hashes.count)
        return (hashes.count - 1, true)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: max(64, 2 * slots.count))
        for (position, hash) in hashes.enumerated() {
            var slot = Int(hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(position + 1)
        }
    }
}

/// For each key that one reader has found, its group in the table.
///
/// @unchecked Sendable: only the table reads and changes the list, and it takes one batch after another.
private final class GroupPlaces: @unchecked Sendable {
    var groups: [Int32] = []
}

/// The keys that one reader has found. It sends each to the table once.
package struct GroupKeys: Sendable {
    /// With more keys a reader begins again, so that its memory is bounded.
    private static let limit = 1 << 16
    private var index: GroupIndex
    /// The position of the key of each number; negative if it is not known.
    private var numbered: [Int32] = []
    private var places = GroupPlaces()

    package init(width: Int) { index = GroupIndex(width: width) }

    /// An empty batch, which comes after all earlier ones.
    package mutating func batch(aggregates: Int) -> GroupBatch {
        if index.count >= Self.limit { self = GroupKeys(width: index.width) }
        return GroupBatch(places, knownKeys: index.count, aggregates: aggregates)
    }

    /// Adds a record whose key has a number, such as that of its text. Returns false if the number is not known.
    package func add(number: Int, to batch: inout GroupBatch) -> Bool {
        guard number < numbered.count, numbered[number] >= 0 else { return false }
        batch.groups.append(numbered[number])
        return true
    }

    /// Adds a record with its key, which this number has from now on.
    package mutating func add(_ key: [PredicateValue], number: Int?, to batch: inout GroupBatch) {
        let hash = GroupIndex.hash(key)
        let (position, isNew) = index.position(of: key, hash: hash)
        if isNew {
            batch.newKeys.append((Int32(position), hash))
            batch.keys += key
        }
        batch.groups.append(Int32(position))
        guard let number else { return }
        while numbered.count <= number { numbered.append(-1) }
        numbered[number] = Int32(position)
    }
}

/// The keys and values of consecutive records, in their order.
package struct GroupBatch: Sendable {
    fileprivate let places: GroupPlaces
    /// The number of keys that its reader has sent before.
    fileprivate let knownKeys: Int
    /// The positions and hashes of keys that the reader had not found, or found a simpler value of, and their values.
    fileprivate var newKeys: [(position: Int32, hash: UInt32)] = []
    fileprivate var keys: [PredicateValue] = []
    /// The position of each record's key.
    fileprivate var groups: [Int32] = []
    /// For each aggregate the values of the records.
    fileprivate var values: [[PredicateValue]]
    /// The values that could not be computed.
    package var failures: (count: Int, first: PredicateFailure?) = (0, nil)

    /// The number of records.
    package var count: Int { groups.count }

    /// A batch without records.
    package init() { self.init(GroupPlaces(), knownKeys: 0, aggregates: 0) }

    fileprivate init(_ places: GroupPlaces, knownKeys: Int, aggregates: Int) {
        (self.places, self.knownKeys) = (places, knownKeys)
        values = Array(repeating: [], count: aggregates)
    }

    /// Adds the value of the record for an aggregate; NSNull for a value that could not be computed.
    package mutating func add(_ value: PredicateValue, for aggregate: Int) { values[aggregate].append(value) }
}

/// Groups with a state for each aggregate.
package struct GroupTable: Sendable {
    private var index: GroupIndex
    private var columns: [AggregateColumn]
    /// The number of records of each group.
    package private(set) var counts: [Int] = []
    /// An estimate of the memory.
    package private(set) var bytes = 0

    /// - Parameters:
    ///   - width: the number of values of a key.
    ///   - operations: the aggregates; nil keeps the values of each group.
    package init(width: Int, _ operations: [CollectionOperator?]) {
        index = GroupIndex(width: width)
        columns = operations.map { AggregateColumn($0) }
    }

    package var count: Int { counts.count }

    /// Adds records with a key. Returns the position of their group.
    package mutating func add(key: [PredicateValue], count: Int = 1) -> Int {
        let group = group(of: key, hash: GroupIndex.hash(key))
        counts[group] += count
        return group
    }

    private mutating func group(of values: [PredicateValue], from start: Int = 0, hash: UInt32) -> Int {
        let (group, _) = index.position(of: values, from: start, hash: hash)
        guard group == counts.count else { return group }
        counts.append(0)
        for column in columns.indices { columns[column].begin() }
        // A hash, about three places of the hash table, a count and the states.
        bytes += 24 + 32 * columns.count
        for value in values[start..<start + index.width] { bytes += value.bytes }
        return group
    }

    /// Adds the value of a record to an aggregate of its group.
    package mutating func add(_ value: PredicateValue, for aggregate: Int, to group: Int) {
        columns[aggregate].add(value, to: group)
    }

    /// Adds the records of a batch. The batches of a reader must be added in their order.
    package mutating func add(_ batch: GroupBatch) {
        // If a file is read again from its start, the list still has keys of the first reading.
        batch.places.groups.removeSubrange(batch.knownKeys...)
        for (number, key) in batch.newKeys.enumerated() {
            let group = group(of: batch.keys, from: number * index.width, hash: key.hash)
            if key.position == batch.places.groups.count { batch.places.groups.append(Int32(group)) }
        }
        let places = batch.places.groups
        for group in batch.groups { counts[Int(places[Int(group)])] += 1 }
        for column in columns.indices {
            if columns[column].keepsValues { for value in batch.values[column] { bytes += value.bytes } }
            columns[column].add(batch.values[column], batch.groups, places)
        }
    }

    /// The value of a group for a key.
    package func key(_ key: Int, of group: Int) -> PredicateValue { index.keys[group * index.width + key] }

    /// The result of an aggregate; the list of values if it has no operator.
    package func result(of aggregate: Int, for group: Int) throws(EvaluationFault) -> PredicateValue {
        try columns[aggregate].result(of: group, count: counts[group])
    }

    /// The number of nil values of an aggregate.
    package func nilCount(of aggregate: Int) -> Int { columns[aggregate].nilCount }
}

extension PredicateValue {
    /// Orders equal values of different types: the group shows the one with the lowest rank.
    fileprivate var rank: Int {
        switch self {
        case .decimal: 1
        case .double, .float: 2
        case .bool: 3
        default: 0
        }
    }

    /// The memory of the value, roughly.
    fileprivate var bytes: Int {
        switch self {
        case .string(let text), .url(let text): text.utf8.count > 15 ? 56 + text.utf8.count : 24
        case .array(let values), .set(let values): values.reduce(56) { $0 + $1.bytes }
        case .dictionary(let dictionary): dictionary.values.reduce(88) { $0 + $1.bytes }
        default: 24
        }
    }
}
