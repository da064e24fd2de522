// A store over any back end that returns records, asynchronously. CapabilitySplit.swift decides what the back end
// executes, RecordReads.swift asks it.

/// An asynchronous store over a back end. The back end executes what it can; the rest of each request is done in memory,
/// with the results of every other store.
///
///     let store = try RecordStore(Service())
///     let found = try await store.fetch(StoreRequest("City", where: predicate, sort: [PredicateSortKey("name")]))
///     for try await city in store.objects(request) { … }
///
/// Related objects are read beforehand, for many objects at once: those that the predicate, the sort keys and the
/// properties of a request read in memory, and those on its `prefetch` paths. Other relationships are not read when they
/// are needed: reading one throws `StoreFailure.notLoaded`, until `load(_:of:)` has read it. A `PredicateMatcher`, `value(at:)` and
/// others that cannot throw count it as nil or as no match, and the next call of the store throws the failure, once.
///
/// If the back end finds keys, the store caches records for some time. An error of the back end is thrown by the request
/// that caused it, and the store stays usable. Cancelling the task ends a request: nothing more is asked. A to-many
/// relationship needs a foreign key in the schema. The store cannot be observed.
public final class RecordStore<Source: RecordSource>: Sendable {
    public var schema: PredicateSchema { layouts.schema }
    let layouts: SchemaLayout
    let source: Source
    let batchSize: Int
    let log = FaultLog(isOfStore: true)
    private let maximumAge: Duration
    private let cache = Locked(Cache())

    private struct Cache: Sendable {
        var records: [RowIdentity: (row: [PredicateValue], time: ContinuousClock.Instant)] = [:]
        /// How often the cache was emptied. What was asked before is not kept.
        var version = 0
    }

    /// The cache size at which records that are too old are removed; if that is not enough, all are.
    private static var capacity: Int { 100_000 }

    /// - Parameters:
    ///   - source: the back end.
    ///   - maximumAge: how long a cached record is used before it is read again.
    ///   - batchSize: the largest number of records read by key in one call, at least 1.
    /// - Throws: `schema`; `request` for a batch size below 1.
    public init(
        _ source: Source, maximumAge: Duration = .seconds(60), batchSize: Int = 100
    ) throws(StoreFailure) {
        try StoreFailure.ofRequest { () throws(PredicateFailure) in
            try PredicateFailure.require("batchSize", batchSize, atLeast: 1)
        }
        self.source = source
        self.maximumAge = maximumAge
        self.batchSize = batchSize
        if let document = source.schema.documents.values.min(by: { $0.place < $1.place }) {
            throw .schema("only stores over SQL read values inside JSON, such as '\(document.name)'")
        }
        layouts = try SchemaLayout(source.schema)
    }

    /// Empties the cache, so that all records are read again.
    public func refresh() { cache.withLock { $0 = Cache(version: $0.version + 1) } }

    /// Returns the part of the request that the back end executes and the part that is done in memory.
    public func split(_ request: StoreRequest) -> CapabilitySplit {
        let compared = request.atOneInstant(in: schema).comparingPosition(in: schema)
        return CapabilitySplit(compared, source.capabilities, in: schema)
    }

    // MARK: Reading

    /// Returns all objects.
    ///
    /// - Throws: `StoreFailure.request` with every error in the request; the failures of the back end.
    public func fetch(_ request: StoreRequest) async throws(StoreFailure) -> [StoredObject] {
        var cursor = try RecordCursor(self, request)
        return try await cursor.rest()
    }

    /// Returns the object that a request selects; nil if there is none.
    ///
    /// - Throws: `notUnique` if there are several.
    public func one(_ request: StoreRequest) async throws(StoreFailure) -> StoredObject? {
        let found = try await fetch(request.forOne)
        if found.count > 1 { throw .notUnique(entity: request.entity) }
        return found.first
    }

    /// Returns the objects as values of a published type. To-one relationships are read only if `prefetch` names them.
    public func fetch<Row: Storable>(_ type: Row.Type, _ request: StoreRequest) async throws(StoreFailure) -> [Row] {
        try await fetch(request).map { (object) throws(StoreFailure) in try object.built(type) }
    }

    /// Returns the objects of the entity that has the name of a published type; see the store's `fetch`.
    public func fetch<Row: Storable>(
        _ type: Row.Type, where format: String, _ arguments: (any FormatArgumentConvertible)?...,
        sort: [PredicateSortKey] = [], limit: Int? = nil, prefetch: [String] = []
    ) async throws(StoreFailure) -> [Row] {
        try await fetch(type, StoreRequest(type, format, arguments, sort: sort, limit: limit, prefetch: prefetch))
    }

    /// The same with a predicate, by default for all objects.
    public func fetch<Row: Storable>(
        _ type: Row.Type, where predicate: FormatPredicate = .constant(true), sort: [PredicateSortKey] = [],
        limit: Int? = nil, prefetch: [String] = []
    ) async throws(StoreFailure) -> [Row] {
        try await fetch(type, StoreRequest("\(type)", where: predicate, sort: sort, limit: limit, prefetch: prefetch))
    }

    /// Returns the objects decoded as a Decodable type.
    @_disfavoredOverload
    public func fetch<Row: Decodable>(_ type: Row.Type, _ request: StoreRequest) async throws(StoreFailure) -> [Row] {
        try await fetch(request).map { (object) throws(StoreFailure) in try object.decoded(as: type) }
    }

    /// Returns the objects one at a time. Related objects are read for each batch of objects.
    public func objects(_ request: StoreRequest) -> StoredObjectSequence {
        StoredObjectSequence {
            var cursor: RecordCursor<Source>?
            return { () async throws(StoreFailure) -> ArraySlice<StoredObject> in
                if cursor == nil { cursor = try RecordCursor(self, request) }
                return try await cursor?.next().map { [$0] } ?? []
            }
        }
    }

    /// Returns values of the objects, or of groups of them; see `records(_:)` of `PredicateStore`.
    public func records(_ request: StoreRequest) async throws(StoreFailure) -> [ValueDictionary] {
        let request = request.atOneInstant(in: schema)
        var records = RecordCollector(try RecordShape(request, schema), request)
        var cursor = try RecordCursor(self, records.objects)
        while let object = try await cursor.next() { try records.add(object) }
        return try records.finish()
    }

    /// Returns the number of objects in the request's window, or of records if it has groups or distinct values.
    public func count(_ request: StoreRequest) async throws(StoreFailure) -> Int {
        var all = request
        if request.after == nil { all.sort = [] }
        if request.hasGroups { return try await records(all).count }
        try schema.check(request)
        all.prefetch = []
        return try await fetch(all).count
    }

    /// Reads related objects of fetched objects, so that their values can be read: all relationships on the paths.
    ///
    ///     try await service.load(["employer.title"], of: [object])
    ///     object.value(at: "employer.title")
    ///
    /// What was read before is not read again.
    ///
    /// - Throws: `request`, for a path that an entity does not have; `schema`, for objects of another store; the failures
    ///   of the back end. Cost: one call of the back end for many objects if it tests `IN` of the key that links them, or
    ///   finds keys; else one for each key if it tests equality, eight of them at the same time; else one for all.
    public func load(_ paths: [String], of objects: [StoredObject]) async throws(StoreFailure) {
        try log.check()
        for entity in Set(objects.map(\.entity)) {
            let findings = paths.compactMap { schema.finding(path: $0, of: entity) }
            if !findings.isEmpty { throw .request(PredicateFailure(findings, source: "")) }
        }
        guard objects.allSatisfy({ $0.isOf(self) }) else { throw .schema("the objects are those of another store") }
        var reads = RecordReads(self)
        try await reads.load(PathReads(StoreRequest("", prefetch: paths).prefetchPaths, of: objects))
    }

    // MARK: Writing

    /// Inserts objects. Returns their number.
    ///
    /// - Throws: `request`, for an unknown key or a value that does not fit; `readOnly`; the failures of the back end,
    ///   which alone tests constraints.
    @discardableResult
    public func insert(_ objects: [ValueDictionary], into entity: String) async throws(StoreFailure) -> Int {
        try await insertReturningKeys(objects, into: entity).count
    }

    /// Inserts objects and returns their primary keys.
    public func insertReturningKeys(
        _ objects: [ValueDictionary], into entity: String
    ) async throws(StoreFailure) -> [[PredicateValue]] {
        try log.check()
        let layout = try layouts.layout(entity)
        let records = try objects.map { (object) throws(StoreFailure) in
            _ = try layout.stored(object, in: schema, .ansi)
            return try layout.assigned(object, in: schema)
        }
        if records.isEmpty { return [] }
        let keys = try await change { [source] in try await source.insert(records, into: entity) }
        return try keys.map { (key) throws(StoreFailure) in try layout.key(key) }
    }

    /// Sets keys of the objects in the request's window. Returns their number. The objects are fetched, and changed by
    /// their keys; expressions are computed before the first one is changed.
    ///
    /// - Throws: as `update` of `PredicateStore`; `readOnly`; the failures of the back end. A back end without
    ///   transactions may then have changed some objects.
    @discardableResult
    public func update(_ request: StoreRequest, set assignments: [KeyAssignment]) async throws(StoreFailure) -> Int {
        var request = request
        request.clock = request.clock.stopped
        let layout = try layouts.layout(request.entity)
        let values = try AssignedValues(assignments, layout, schema, request)
        let (objects, end) = try await selected(request, values.paths)
        let changes = try objects.map { (object) throws(StoreFailure) in
            let fields = try values.columns(of: object) { (assignments) throws(PredicateFailure) in
                _ = try schema.columns(assignments, of: layout.entity)
                return assignments.map { ($0.key, $0.constant ?? .null) }
            }
            return (key: object.primaryKey.asKey, values: try layout.assigned(ValueDictionary(fields), in: schema))
        }
        if !changes.isEmpty {
            try await change(until: end) { [source] in try await source.update(changes, in: layout.entity) }
        }
        return changes.count
    }

    /// Deletes the objects in the request's window. Returns their number. The objects are fetched, and deleted by their
    /// keys; what then happens to objects that refer to them is decided by the back end. Throws as `update` does.
    @discardableResult
    public func delete(_ request: StoreRequest) async throws(StoreFailure) -> Int {
        let (objects, end) = try await selected(request)
        let keys = objects.map(\.primaryKey.asKey)
        if !keys.isEmpty {
            try await change(until: end) { [source] in try await source.delete(keys, from: request.entity) }
        }
        return keys.count
    }

    /// The objects to change, which are not read from the cache, and the time at which the change must end.
    private func selected(
        _ request: StoreRequest, _ paths: [[String]] = []
    ) async throws(StoreFailure) -> ([StoredObject], end: ContinuousClock.Instant?) {
        let layout = try layouts.layout(request.entity)
        try layout.requireKey()
        try request.checkCondition(of: schema)
        refresh()
        var cursor = try RecordCursor(self, request)
        let objects = try await cursor.rest(loading: paths)
        _ = try layout.named(objects.map(\.primaryKey))
        return (objects, cursor.end)
    }

    /// Changes the back end. Even if that fails, cached records may no longer be right.
    private func change<Result: Sendable>(
        until end: ContinuousClock.Instant? = nil, _ body: @escaping @Sendable () async throws -> Result
    ) async throws(StoreFailure) -> Result {
        defer { refresh() }
        return try await Self.ask(until: end, body)
    }

    // MARK: Asking

    /// Calls the back end, unless the task is cancelled. At the end of the time, the call is cancelled.
    static func ask<Answer: Sendable>(
        until end: ContinuousClock.Instant?, _ body: @escaping @Sendable () async throws -> Answer
    ) async throws(StoreFailure) -> Answer {
        if Task.isCancelled { throw .cancelled }
        do {
            guard let end else { return try await body() }
            if end <= .now { throw StoreFailure.deadlineExceeded }
            return try await withThrowingTaskGroup(of: Answer.self) { group in
                group.addTask(operation: body)
                group.addTask {
                    try await Task.sleep(until: end, clock: .continuous)
                    throw StoreFailure.deadlineExceeded
                }
                defer { group.cancelAll() }
                guard let answer = try await group.next() else { throw StoreFailure.cancelled }
                return answer
            }
        } catch {
            if Task.isCancelled || error is CancellationError { throw .cancelled }
            throw error as? StoreFailure ?? .backEnd(error)
        }
    }

    /// The rows that exist with the keys, at most `batchSize`, from the cache or the back end.
    func rows(
        _ layout: EntityLayout, _ keys: [PredicateValue], until end: ContinuousClock.Instant?
    ) async throws(StoreFailure) -> [[PredicateValue]] {
        let now = ContinuousClock.now
        let identities = try keys.map { (key) throws(StoreFailure) in
            RowIdentity(table: layout.entity, key: try layout.key(key))
        }
        var (known, version) = cache.withLock { cache in
            let known = identities.map { cache.records[$0].flatMap { $0.time + maximumAge > now ? $0.row : nil } }
            return (known, cache.version)
        }
        let missing = zip(keys, known).filter { $1 == nil }.map(\.0)
        if missing.isEmpty { return known.compactMap(\.self) }
        var read: [RowIdentity: [PredicateValue]] = [:]
        let records = try await Self.ask(until: end) { [source] in
            try await source.records(of: layout.entity, keys: missing)
        }
        for record in records {
            let row = try self.row(record, layout)
            read[RowIdentity(table: layout.entity, key: layout.primaryKey.map { row[$0] })] = row
        }
        for index in keys.indices where known[index] == nil { known[index] = read[identities[index]] }
        cache.withLock { [read] cache in
            if cache.version != version { return }
            if cache.records.count + read.count > Self.capacity {
                cache.records = cache.records.filter { $0.value.time + maximumAge > now }
                if cache.records.count + read.count > Self.capacity { cache.records = [:] }
            }
            for (key, row) in read { cache.records[key] = (row, now) }
        }
        return known.compactMap(\.self)
    }

    /// The values of a record's columns.
    func row(_ record: ValueDictionary, _ layout: EntityLayout) throws(StoreFailure) -> [PredicateValue] {
        var row = [PredicateValue](repeating: .null, count: layout.columns.count)
        for (key, value) in zip(record.keys, record.values) {
            if let position = layout.position(ofAttribute: key) {
                guard let converted = layout.value(of: value, layout.kinds[position], at: position) else {
                    throw layout.unfit(value, at: position, key: key)
                }
                row[position] = converted
            } else if let relationship = layout.relationships[key], case .column(let names)? = relationship.link {
                if value.isNil { continue }
                let target = try layouts.layout(relationship.target)
                guard target.primaryKey.count == names.count, let parts = try? target.key(value) else {
                    throw .schema("a record of \(layout.entity) has no key of '\(key)'")
                }
                for (name, part) in zip(names, parts) { layout.position(ofColumn: name).map { row[$0] = part } }
            } else if let position = layout.position(ofColumn: key) {
                row[position] = value
            }
        }
        return row
    }
}

extension RecordStore: ObjectSource {
    /// Related objects are only read beforehand.
    func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ keys: [[PredicateValue]], _ log: FaultLog
    ) throws(StoreFailure) -> [[StoredObject]] {
        _ = try layout.columns(of: place)
        throw .notLoaded(entity: layout.entity, key: layout.keyNames.joined(separator: ", "))
    }
}

extension EntityLayout {
    /// The parts of a primary key, with the types of the schema.
    func key(_ value: PredicateValue) throws(StoreFailure) -> [PredicateValue] {
        guard let parts = value.key(of: primaryKey.count) else { throw .schema("\(value) is no key of \(entity)") }
        return zip(primaryKey, parts).map { kinds[$0].value(of: $1) ?? $1 }
    }

    /// The positions of the columns that link objects to their owner.
    ///
    /// - Throws: `schema`, for another place and for columns that no record has.
    func columns(of place: ObjectPlace) throws(StoreFailure) -> [Int] {
        guard case .columns(let columns) = place else {
            throw .schema("a relationship of \(entity) needs a foreign key")
        }
        let positions = columns.compactMap(position(ofColumn:))
        guard positions.count == columns.count else {
            throw .schema("\(entity) has no key for the columns \(columns.joined(separator: ", "))")
        }
        return positions
    }
}

extension PredicateStore {
    func countInMemory(_ request: StoreRequest) throws(StoreFailure) -> Int {
        if request.hasGroups { return try countOfRecords(request) }
        var all = request
        if request.after == nil { all.sort = [] }
        let cursor = try cursor(all)
        var count = 0
        while try cursor.next() != nil { count += 1 }
        return count
    }
}
