// A store over any back end that returns records. CapabilitySplit.swift decides what the back end executes.
import PredicateEvaluation
public import PredicateModel
import PredicateSQL
public import PredicateSyntax

/// A back end of a store: a server, a file, another library.
///
///     struct Service: RecordSource {
///         let schema: PredicateSchema
///         let capabilities = StoreCapabilities(operators: ["city": [.equal]])
///
///         func records(_ request: FetchRequest) throws(StoreFailure) -> [ValueDictionary] {
///             // `request.predicate` is a conjunction of equalities of `city`, or TRUEPREDICATE.
///         }
///     }
///     let store = try RecordStore(Service(schema: schema))
///
/// A back end that finds records faster than it reads them declares `findsKeys`, and has `keys(_:)` and
/// `records(of:keys:)` instead.
public protocol RecordSource: Sendable {
    /// The entities of the records.
    var schema: PredicateSchema { get }
    /// The parts of a request that the back end executes.
    var capabilities: StoreCapabilities { get }
    /// Returns the records that match the request, in its order, limited to its window. The request contains only what
    /// the capabilities allow. A to-one relationship is the key of another record; a key of several columns is a list
    /// of values.
    func records(_ request: FetchRequest) throws(StoreFailure) -> [ValueDictionary]
    /// Returns the primary keys of the records that match the request, as `records(_:)` returns the records. A primary
    /// key of several columns is a list of values.
    func keys(_ request: FetchRequest) throws(StoreFailure) -> [PredicateValue]
    /// Returns the records with the keys, in any order, without those that no longer exist.
    func records(of entity: String, keys: [PredicateValue]) throws(StoreFailure) -> [ValueDictionary]
}

extension RecordSource {
    public func records(_ request: FetchRequest) throws(StoreFailure) -> [ValueDictionary] {
        try records(of: request.entity, keys: keys(request))
    }
    public func keys(_ request: FetchRequest) throws(StoreFailure) -> [PredicateValue] {
        throw .schema("the back end of \(request.entity) finds no keys")
    }
    public func records(of entity: String, keys: [PredicateValue]) throws(StoreFailure) -> [ValueDictionary] {
        throw .schema("the back end of \(entity) reads no records by key")
    }
}

/// A store over a back end. The back end executes what it can; the rest of each request is done in memory.
///
/// If the back end finds keys, a cursor reads records on demand, in batches, and the store caches each for some time.
/// Use `store.async` in async code: cancelling the task ends the request between two calls of the back end. An error of
/// the back end is thrown by the request that caused it, and the store stays usable. The store is read-only. A to-many
/// relationship needs a foreign key in the schema.
public final class RecordStore<Source: RecordSource>: PredicateStore, ObjectSource {
    public var schema: PredicateSchema { layouts.schema }
    let layouts: SchemaLayout
    private let source: Source
    private let maximumAge: Duration
    private let batchSize: Int
    private let cache = Locked<[RowIdentity: (record: ValueDictionary, time: ContinuousClock.Instant)]>([:])

    /// The cache size at which records that are too old are removed; if that is not enough, all are.
    private static var capacity: Int { 100_000 }

    /// - Parameters:
    ///   - source: the back end.
    ///   - maximumAge: how long a cached record is used before it is read again.
    ///   - batchSize: the largest number of records read by key in one call.
    /// - Throws: `schema`.
    public init(
        _ source: Source, maximumAge: Duration = .seconds(60), batchSize: Int = 100
    ) throws(StoreFailure) {
        self.source = source
        self.maximumAge = maximumAge
        self.batchSize = max(1, batchSize)
        layouts = try SchemaLayout(source.schema)
    }

    /// Empties the cache, so that all records are read again.
    public func refresh() { cache.withLock { $0 = [:] } }

    /// Returns the part of the request that the back end executes and the part that is done in memory.
    public func split(_ request: FetchRequest) -> CapabilitySplit {
        CapabilitySplit(request.atOneInstant(), source.capabilities)
    }

    public func cursor(_ request: FetchRequest) throws(StoreFailure) -> FetchCursor {
        try request.requireObjects()
        let layout = try layouts.layout(request.entity)
        try schema.check(request, withPredicate: true)
        let request = try request.comparingPosition(in: schema)
        let split = split(request)
        let matcher = try split.residual?.matcher()
        let log = FaultLog()
        var maker = ObjectMaker(layout, self, log, dropsSome: matcher != nil)
        let size = request.batchSize.map { max(1, $0) } ?? batchSize
        var isRead = false
        var keys: ArraySlice<PredicateValue> = []
        func read() throws(StoreFailure) -> [ValueDictionary] {
            let isFirst = !isRead
            isRead = true
            if isFirst, !source.capabilities.findsKeys { return try source.records(split.request) }
            if isFirst { keys = try source.keys(split.request)[...] }
            var records: [ValueDictionary] = []
            // A batch may be empty because its records no longer exist; that is not the end.
            while records.isEmpty, !keys.isEmpty {
                defer { keys = keys.dropFirst(size) }
                records = try self.records(layout, Array(keys.prefix(size)))
            }
            return records
        }
        let steps = try FetchSteps(
            layout, residual: matcher, reads: split.residual?.pathsRead ?? [], sort: split.sort,
            // A window without sort keys uses the order of primary keys, as in SQL.
            sortsByKey: split.limitsInMemory && request.sort.isEmpty, window: split.limitsInMemory ? request : nil,
            prefetch: request.prefetchPaths)
        return try FetchCursor(steps) { [schema] (objects) throws(StoreFailure) in
            if Task.isCancelled { throw .cancelled }
            for record in try read() {
                try maker.add(to: &objects) { (values) throws(StoreFailure) in
                    values += try layout.row(record, in: schema)
                }
            }
            maker.finish(&objects)
        }
    }

    /// The records that exist with the keys, from the cache or read in batches.
    private func records(
        _ layout: EntityLayout, _ keys: [PredicateValue]
    ) throws(StoreFailure) -> [ValueDictionary] {
        let now = ContinuousClock.now
        func identity(_ key: PredicateValue) -> RowIdentity {
            RowIdentity(table: layout.entity, key: key.key(of: layout.primaryKey.count) ?? [key])
        }
        var known = cache.withLock { cache in
            keys.map { key in cache[identity(key)].flatMap { $0.time + maximumAge > now ? $0.record : nil } }
        }
        let missing = zip(keys, known).filter { $1 == nil }.map(\.0)
        var read: [RowIdentity: ValueDictionary] = [:]
        for start in stride(from: 0, to: missing.count, by: batchSize) {
            if Task.isCancelled { throw .cancelled }
            let batch = Array(missing[start..<min(start + batchSize, missing.count)])
            for record in try source.records(of: layout.entity, keys: batch) {
                let row = try layout.row(record, in: schema)
                read[RowIdentity(table: layout.entity, key: layout.primaryKey.map { row[$0] })] = record
            }
        }
        for index in keys.indices where known[index] == nil { known[index] = read[identity(keys[index])] }
        cache.withLock { [read] cache in
            if cache.count + read.count > Self.capacity {
                cache = cache.filter { $0.value.time + maximumAge > now }
                if cache.count + read.count > Self.capacity { cache = [:] }
            }
            for (key, record) in read { cache[key] = (record, now) }
        }
        return known.compactMap(\.self)
    }

    func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ keys: [[PredicateValue]], _ log: FaultLog
    ) throws(StoreFailure) -> [[StoredObject]] {
        guard case .columns(let columns) = place else {
            throw .schema("a relationship of \(layout.entity) needs a foreign key")
        }
        let positions = columns.compactMap(layout.position(ofColumn:))
        guard positions.count == columns.count else {
            throw .schema("\(layout.entity) has no key for the columns \(columns.joined(separator: ", "))")
        }
        var request = FetchRequest(layout.entity)
        if let key = layout.attribute(ofColumn: columns[0]), columns.count == 1 {
            let list = ExpressionNode(.aggregate(keys.map { ExpressionNode(.value($0[0])) }))
            let node = ComparisonNode(ExpressionNode(.keyPath([key])), .in, list)
            request.predicate = FormatPredicate(PredicateNode(.comparison(node)))
        }
        // The records that match the request, and possibly more.
        let records =
            if !source.capabilities.findsKeys {
                try source.records(split(request).request)
            } else if columns == layout.keyColumns {
                try records(layout, keys.map(\.asKey))
            } else {
                try records(layout, source.keys(split(request).request))
            }
        var rows: [[PredicateValue]: [[PredicateValue]]] = [:]
        for record in records {
            let row = try layout.row(record, in: schema)
            rows[positions.map { row[$0] }, default: []].append(row)
        }
        return try keys.map { (key) throws(StoreFailure) in
            try ObjectMaker.objects(of: rows[key] ?? [], layout, self, log)
        }
    }

    public func count(_ request: FetchRequest) throws(StoreFailure) -> Int { try countInMemory(request) }
}

extension PredicateStore {
    func countInMemory(_ request: FetchRequest) throws(StoreFailure) -> Int {
        if request.hasGroups { return try countOfRecords(request) }
        var all = request
        if request.after == nil { all.sort = [] }
        let cursor = try cursor(all)
        var count = 0
        while try cursor.next() != nil { count += 1 }
        return count
    }
}

extension EntityLayout {
    /// The values of a record's columns.
    func row(
        _ record: ValueDictionary, in schema: PredicateSchema
    ) throws(StoreFailure) -> [PredicateValue] {
        var row = [PredicateValue](repeating: .null, count: columns.count)
        for (key, value) in zip(record.keys, record.values) {
            if let position = position(ofAttribute: key) {
                guard let converted = self.value(of: value, kinds[position], at: position) else {
                    throw unfit(value, at: position, key: key)
                }
                row[position] = converted
            } else if case .column(let names)? = relationships[key]?.link, !value.isNil {
                guard let parts = value.key(of: names.count) else {
                    throw .schema("a record of \(entity) has no key of '\(key)'")
                }
                for (name, part) in zip(names, parts) { position(ofColumn: name).map { row[$0] = part } }
            } else if let position = position(ofColumn: key) {
                row[position] = value
            }
        }
        return row
    }
}
