// The sorted objects of an observed list. Copies share their storage, so that each state of the list can be kept.

/// An object of the list with the values by which it is ordered.
final class ObservedEntry: Sendable {
    let object: StoredObject
    /// The values of the sort keys, then of the primary key.
    let fields: [PredicateValue]
    let key: [PredicateValue]

    init(_ object: StoredObject, _ sort: SortValues) throws(StoreFailure) {
        self.object = object
        key = object.primaryKey
        fields = try sort.values(of: object) + key
    }

    func isSame(as other: ObservedEntry) -> Bool { fields == other.fields && object.hasSameRow(as: other.object) }
}

/// A total order of entries: by the sort keys, then by the primary key.
struct EntryOrder: Sendable {
    let keys: [PredicateSortKey]
    private let rules: [OperatorRules]

    init(_ keys: [PredicateSortKey]) { (self.keys, rules) = (keys, keys.rules) }

    func compare(_ left: ObservedEntry, _ right: ObservedEntry) -> Int {
        for (index, key) in keys.enumerated() {
            let order = key.compare(left.fields[index], right.fields[index], rules: rules[index])
            if order != 0 { return order }
        }
        return 0
    }

    /// Compares values of the section key: the first sort key, and also the second one if the first has options.
    func compareSections(_ left: PredicateValue, _ right: PredicateValue) -> Int {
        let order = keys[0].compare(left, right, rules: rules[0])
        return order != 0 || keys[0].options.isEmpty ? order : keys[1].compare(left, right, rules: rules[1])
    }
}

/// Entries in order, in chunks. A search takes O(log n) comparisons, and a change copies one chunk.
struct OrderedEntries: Sendable {
    private static let chunkSize = 512

    /// The chunks, none of them empty.
    private var chunks: [[ObservedEntry]] = []
    private var counts: [Int] = []
    private(set) var count = 0
    private let order: EntryOrder

    init(_ entries: [ObservedEntry], _ order: EntryOrder) {
        self.order = order
        // The engine should return this order; a list in another order could not be searched.
        let isSorted = zip(entries, entries.dropFirst()).allSatisfy { order.compare($0, $1) <= 0 }
        let sorted = isSorted ? entries : entries.sorted { order.compare($0, $1) < 0 }
        for start in stride(from: 0, to: sorted.count, by: Self.chunkSize / 2) {
            chunks.append(Array(sorted[start..<min(start + Self.chunkSize / 2, sorted.count)]))
        }
        counts = chunks.map(\.count)
        count = sorted.count
    }

    var all: FlattenSequence<[[ObservedEntry]]> { chunks.joined() }

    subscript(position: Int) -> ObservedEntry {
        var (chunk, rest) = (0, position)
        while rest >= counts[chunk] {
            rest -= counts[chunk]
            chunk += 1
        }
        return chunks[chunk][rest]
    }

    /// The number of entries that sort before `entry`, which need not be one of them.
    func position(of entry: ObservedEntry) -> Int {
        let (chunk, offset) = place(of: entry)
        return counts[..<chunk].reduce(offset, +)
    }

    private func place(of entry: ObservedEntry) -> (chunk: Int, offset: Int) {
        let chunk = chunks.indices.first(fromWhich: { order.compare(chunks[$0][counts[$0] - 1], entry) >= 0 })
        if chunk == chunks.count { return (chunk, 0) }
        return (chunk, (0..<counts[chunk]).first(fromWhich: { order.compare(chunks[chunk][$0], entry) >= 0 }))
    }

    mutating func insert(_ entry: ObservedEntry) {
        var (chunk, offset) = place(of: entry)
        count += 1
        if chunk == chunks.count {
            guard chunk > 0 else {
                chunks = [[entry]]
                counts = [1]
                return
            }
            chunk -= 1
            offset = counts[chunk]
        }
        chunks[chunk].insert(entry, at: offset)
        counts[chunk] += 1
        if counts[chunk] <= Self.chunkSize { return }
        let half = Array(chunks[chunk][(Self.chunkSize / 2)...])
        chunks[chunk].removeLast(half.count)
        chunks.insert(half, at: chunk + 1)
        counts[chunk] -= half.count
        counts.insert(half.count, at: chunk + 1)
    }

    mutating func remove(_ entry: ObservedEntry) {
        let (chunk, offset) = place(of: entry)
        guard chunk < chunks.count, order.compare(chunks[chunk][offset], entry) == 0 else { return }
        count -= 1
        counts[chunk] -= 1
        if counts[chunk] > 0 {
            chunks[chunk].remove(at: offset)
        } else {
            chunks.remove(at: chunk)
            counts.remove(at: chunk)
        }
    }
}
