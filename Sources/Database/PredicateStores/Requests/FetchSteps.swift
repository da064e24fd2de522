// What is done in memory with the objects that a database or a back end returns: the test of the residual, the order and
// the window. Nothing here reads. A cursor performs the steps: FetchCursor on its thread, RecordCursor asynchronously.

/// The part of a request that is done in memory: the test, the position, the order, and limit and offset, in this order.
struct MemoryPart: Sendable {
    /// The predicate to test on each row; nil if there is none.
    var residual: FormatPredicate?
    /// The position after which the rows are; nil if all rows are.
    var after: FetchPosition?
    /// The order of the rows; empty if they are in it.
    var sort: [PredicateSortKey]
    /// Whether limit and offset are applied.
    var limits: Bool
}

struct FetchSteps {
    enum Step {
        /// Read the next batch of objects, with `fill`.
        case read
        /// Read related objects.
        case load(PathReads)
        case object(StoredObject)
        case end
    }

    private enum Phase {
        case reading, filled, testing, ordering, delivering
    }

    let residual: PredicateMatcher<PredicateValue>?
    /// nil if all objects are after the position of the request.
    private let start: PositionTest?
    /// The relationship paths to read for each batch: those that the residual reads, and for all returned objects those
    /// that the caller wants.
    private let reads: [[String]]
    let prefetch: [[String]]
    /// The order to apply in memory; nil when all objects are in it.
    private var sorter: Sorter<StoredObject>?
    private let sortValues: SortValues
    private var phase = Phase.reading
    private var buffer: [StoredObject] = []
    private var position = 0
    /// Objects of the batch that match and wait for related objects.
    private var matches: [StoredObject] = []
    private var skip: Int
    private var left: Int
    /// Whether there are no more batches.
    private(set) var isExhausted = false
    /// How many of the objects tested so far could not be evaluated, and the first failure.
    private(set) var failures: (count: Int, first: PredicateFailure?) = (0, nil)

    /// - Parameters:
    ///   - request: the whole request.
    ///   - sortsByKey: whether rows without sort keys are sorted by primary key.
    ///   - readsAhead: whether the relationships that the residual reads are read for a whole batch of objects.
    init(
        _ layout: EntityLayout, _ part: MemoryPart, of request: StoreRequest, sortsByKey: Bool = false,
        readsAhead: Bool = true
    ) throws(StoreFailure) {
        residual = try part.residual?.matcher()
        start = try part.after.map { (after) throws(StoreFailure) in try PositionTest(request, after, layout) }
        reads = (readsAhead ? part.residual?.pathsRead ?? [] : []) + (start?.paths ?? [])
        prefetch = request.prefetchPaths
        skip = part.limits ? request.offset : 0
        left = part.limits ? request.limit ?? .max : .max
        sortValues = try SortValues(part.sort, layout)
        if part.sort.isEmpty, !sortsByKey { return }
        // Objects with equal keys are ordered by primary key, as in SQL.
        let keys = part.sort + layout.primaryKey.map { PredicateSortKey(layout.columns[$0]) }
        sorter = Sorter(keys: keys, limit: part.limits ? request.wanted : nil, rules: keys.rules)
    }

    /// Whether objects are still read, to sort them.
    var isSorting: Bool { sorter != nil }

    /// Whether all other objects are returned as they are read.
    var passesAll: Bool {
        residual == nil && start == nil && !isSorting && skip == 0 && left == .max && position == buffer.count
            && !isExhausted
    }

    /// Reads a batch. If that fails, the objects read so far are the batch.
    mutating func fill(
        _ pull: (inout [StoredObject]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        buffer.removeAll(keepingCapacity: true)
        position = 0
        phase = .filled
        try pull(&buffer)
        isExhausted = buffer.isEmpty
    }

    /// Ends: all objects were returned in another way.
    mutating func finish() { (isExhausted, phase) = (true, .reading) }

    /// Returns the next step. A `load` that failed is not repeated.
    mutating func next() throws(StoreFailure) -> Step {
        while true {
            switch phase {
            case .reading:
                if left > 0, !isExhausted { return .read }
                guard let sorted = sorter?.finish() else { return .end }
                sorter = nil
                isExhausted = true
                return deliver(sorted)
            case .filled:
                phase = .testing
                // The residual may not need a relationship that the schema cannot read.
                let doubtful = reads.isEmpty ? [] : buffer.filter { start != nil || !$0.isCertain }
                if !doubtful.isEmpty { return .load(PathReads(reads, of: doubtful, skipsUnreadable: true)) }
            case .testing where isSorting || !prefetch.isEmpty:
                while let object = try selected() { matches.append(object) }
                let found = matches
                if !isSorting {
                    matches = []
                    return deliver(found)
                }
                phase = .ordering
                return .load(PathReads(sortValues.paths, of: found))
            case .ordering:
                for object in matches {
                    sorter?.add(object, fields: try sortValues.values(of: object) + object.primaryKey)
                }
                matches = []
                phase = .reading
            case .testing, .delivering:
                while left > 0, let object = try selected() {
                    if skip > 0 {
                        skip -= 1
                        continue
                    }
                    left -= 1
                    return .object(object)
                }
                phase = .reading
            }
        }
    }

    /// Returns the objects after their related objects are read.
    private mutating func deliver(_ objects: [StoredObject]) -> Step {
        (buffer, position, phase) = (objects, 0, .delivering)
        return .load(PathReads(prefetch, of: Array(objects.dropFirst(skip).prefix(left))))
    }

    /// Returns the next object of the batch that matches the residual; nil at its end.
    private mutating func selected() throws(StoreFailure) -> StoredObject? {
        while position < buffer.count {
            let object = buffer[position]
            // If the test cannot read an object, the next call tests it again.
            let matches = phase == .delivering ? true : try isSelected(object)
            position += 1
            if matches { return object }
        }
        return nil
    }

    /// Whether an object matches the residual and is after the position. An object whose evaluation throws does not match.
    private mutating func isSelected(_ object: StoredObject) throws(StoreFailure) -> Bool {
        do throws(PredicateFailure) {
            if let residual, !object.isCertain, try !residual.test(.object(ObjectReference(object))) { return false }
        } catch {
            if let failure = error.storeFailure {
                try? object.checkFaults()
                throw failure
            }
            failures = (failures.count + 1, failures.first ?? error)
            return false
        }
        return try start?.selects(object) ?? true
    }
}
