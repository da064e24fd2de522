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
    mutating func position(of values: [PredicateValue], from start: Int = 0, hash: UInt32) -> Int {
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
            for index in 0..<width {
                let rank = keys[position * width + index].rank
                let value = values[start + index]
                if rank > 0, rank > value.rank { keys[position * width + index] = value }
            }
            return position
        }
        hashes.append(hash)
        keys.append(contentsOf: values[start..<start + width])
        slots[slot] = Int32(hashes.count)
        return hashes.count - 1
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

/// The keys and values of consecutive records, in their order.
package struct GroupBatch: Sendable {
    fileprivate var index: GroupIndex
    /// The group of each record.
    fileprivate var groups: [Int32] = []
    /// For each aggregate the values of the records.
    fileprivate var values: [[PredicateValue]]
    /// The values that could not be computed.
    package var failures: (count: Int, first: PredicateFailure?) = (0, nil)

    /// The number of records.
    package var count: Int { groups.count }

    package init(width: Int = 0, aggregates: Int = 0) {
        index = GroupIndex(width: width)
        values = Array(repeating: [], count: aggregates)
    }

    /// Adds a record with its key.
    package mutating func add(key: [PredicateValue]) {
        groups.append(Int32(index.position(of: key, hash: GroupIndex.hash(key))))
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
        let group = index.position(of: values, from: start, hash: hash)
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

    /// Adds the records of a batch.
    package mutating func add(_ batch: GroupBatch) {
        var places: [Int] = []
        places.reserveCapacity(batch.index.count)
        for (position, hash) in batch.index.hashes.enumerated() {
            places.append(group(of: batch.index.keys, from: position * index.width, hash: hash))
        }
        for group in batch.groups { counts[places[Int(group)]] += 1 }
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
