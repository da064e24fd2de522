// A store over a back end that first returns the keys of matching records, and later the records themselves. It suits
// back ends where reading a record costs more than finding it. RecordStore.swift suits those that return records at
// once.
import PredicateEvaluation
public import PredicateModel
import PredicateSQL
public import PredicateSyntax

/// A back end that finds keys and returns records by key.
///
///     struct Service: IncrementalSource {
///         let schema: PredicateSchema
///         let capabilities = StoreCapabilities(operators: ["city": [.equal]])
///
///         func keys(_ request: FetchRequest) throws(StoreFailure) -> [PredicateValue] { … }
///         func records(of entity: String, keys: [PredicateValue]) throws(StoreFailure) -> [ValueDictionary] { … }
///     }
///     let store = try IncrementalStore(Service(schema: schema), maximumAge: .seconds(30))
///
/// Each entity of the schema has a primary key.
public protocol IncrementalSource: StoreSource {
    /// Returns the primary keys of the records that match the request, in its order, limited to its window. The request
    /// contains only what the capabilities allow. A primary key of several columns is a list of values.
    func keys(_ request: FetchRequest) throws(StoreFailure) -> [PredicateValue]
    /// Returns the records with the keys, in any order, without those that no longer exist.
    func records(of entity: String, keys: [PredicateValue]) throws(StoreFailure) -> [ValueDictionary]
}

/// A store that reads the records of a back end on demand, in batches, and caches them for some time.
///
/// A cursor that is not read to its end reads only the batches it needs. Use `store.async` in async code: cancelling
/// the task ends the request between two calls of the back end. An error of the back end is thrown by the request that
/// caused it, and the store stays usable. The store is read-only. A to-many relationship needs a foreign key in the
/// schema.
public final class IncrementalStore<Source: IncrementalSource>: PredicateStore, ObjectSource {
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
    ///   - batchSize: the largest number of records read by one call.
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
        let layout = try layouts.layout(request.entity)
        let split = split(request)
        var keys: ArraySlice<PredicateValue>?
        return try recordCursor(request, split, layout) { () throws(StoreFailure) in
            if keys == nil { keys = try self.source.keys(split.request)[...] }
            var rest = keys ?? []
            defer { keys = rest }
            var records: [ValueDictionary] = []
            // A batch may be empty because its records no longer exist; that is not the end.
            while records.isEmpty, !rest.isEmpty {
                let size = request.batchSize.map { max(1, $0) } ?? self.batchSize
                records = try self.records(layout, Array(rest.prefix(size))).compactMap(\.self)
                rest = rest.dropFirst(size)
            }
            return records
        }
    }

    /// The records with the keys; nil for those that do not exist.
    private func records(
        _ layout: EntityLayout, _ keys: [PredicateValue]
    ) throws(StoreFailure) -> [ValueDictionary?] {
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
        if read.isEmpty { return known }
        for index in keys.indices where known[index] == nil { known[index] = read[identity(keys[index])] }
        let found = read
        cache.withLock { cache in
            if cache.count + found.count > Self.capacity {
                cache = cache.filter { $0.value.time + maximumAge > now }
                if cache.count + found.count > Self.capacity { cache = [:] }
            }
            for (key, record) in found { cache[key] = (record, now) }
        }
        return known
    }

    func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ keys: [[PredicateValue]], _ log: FaultLog
    ) throws(StoreFailure) -> [[StoredObject]] {
        try relatedObjects(layout, place, keys, log) { (request) throws(StoreFailure) in
            if case .columns(layout.keyColumns) = place {
                return try records(layout, keys.map { $0.count == 1 ? $0[0] : .array($0) }).compactMap(\.self)
            }
            return try records(layout, source.keys(split(request).request)).compactMap(\.self)
        }
    }

    public func count(_ request: FetchRequest) throws(StoreFailure) -> Int { try countInMemory(request) }
}
