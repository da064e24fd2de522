// The operations that every store has. InMemoryStore.swift and SQL/SQLStore.swift implement them.
public import PredicateEvaluation
public import PredicateModel
public import PredicateSQL
public import PredicateSyntax

/// A collection of stored objects.
///
///     let store = try SQLiteStore(path: "shop.sqlite")
///     for person in try store.fetch(FetchRequest("person", where: predicate, sort: [SortKey("name")])) { … }
///
/// All stores return the same rows, order and count for the same request, whatever their engines can do.
public protocol PredicateStore: Sendable {
    /// The schema of the stored objects.
    var schema: PredicateSchema { get }
    /// Returns the objects one at a time. Memory is bounded unless the objects are sorted in memory.
    ///
    /// - Throws: `StoreFailure.request` with every error in the request.
    func cursor(_ request: FetchRequest) throws(StoreFailure) -> FetchCursor
    /// Returns values of the objects, or of groups of them; see `records(_:)` in the extension for the details.
    func records(_ request: FetchRequest) throws(StoreFailure) -> [ValueDictionary]
    /// Returns the number of objects in the request's window, or of records if it has groups or distinct values.
    func count(_ request: FetchRequest) throws(StoreFailure) -> Int
    /// Sets keys of the objects in the request's window, either of all of them or of none. Returns their
    /// number.
    ///
    ///     try store.update(request, set: [KeyAssignment("total", try FormatExpression("total * 2"))])
    ///
    /// Expressions read the objects as they were before the update. They are computed by the engine in one statement if
    /// SQL expresses them exactly; else the rows are read, locked, computed and written in one transaction.
    ///
    /// - Throws: `StoreFailure.request`, also for a condition that does not depend on the object
    ///   (`FetchRequest.allowingConstantComparisons`), and with the key and the object, for a value that cannot be
    ///   computed or does not fit; `schema`, for an expression on an engine without transactions. An engine that tests
    ///   unique keys row by row may refuse `n = n + 1`. Cost: one statement, or one for each object.
    @discardableResult
    func update(_ request: FetchRequest, set assignments: [KeyAssignment]) throws(StoreFailure) -> Int
    /// Deletes the objects in the request's window, either all of them or none. Returns their number. Throws as
    /// `update` does.
    @discardableResult
    func delete(_ request: FetchRequest) throws(StoreFailure) -> Int
    /// Inserts objects. After an error none is stored. Returns the number of stored rows: a constraint with ON CONFLICT
    /// IGNORE or a trigger of the database may drop some without an error.
    ///
    ///     try store.insert([["id": 7, "name": "Ada", "employer": 1, "born": Date.now]], into: "person")
    ///
    /// A to-one relationship is the key of another object; a key of several columns is a list of values.
    ///
    /// - Throws: `request`, for an unknown key or a value that does not fit; `constraint`; `readOnly`.
    @discardableResult
    func insert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int
    /// Inserts objects and returns their primary keys. If an object has no key and the key is one integer column
    /// (`INTEGER PRIMARY KEY`, `GENERATED … AS IDENTITY`), the database makes it, after all keys that were given.
    ///
    ///     let id = try store.insertReturningKeys([["name": "Ada"]], into: "person")[0][0]
    ///
    /// - Throws: what `insert` throws; `constraint`, if the database drops a row; `schema`, for an entity without a
    ///   primary key or an engine that cannot return keys.
    func insertReturningKeys(
        _ objects: [ValueDictionary], into entity: String
    ) throws(StoreFailure) -> [[PredicateValue]]
    /// Inserts objects. An object whose primary key exists updates that row, with the keys that the object has. After an
    /// error none is stored. Returns the number of stored rows, as `insert`.
    @discardableResult
    func upsert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int
}

extension PredicateStore {
    @discardableResult
    public func update(_ request: FetchRequest, set assignments: [KeyAssignment]) throws(StoreFailure) -> Int {
        throw .readOnly
    }
    @discardableResult
    public func delete(_ request: FetchRequest) throws(StoreFailure) -> Int { throw .readOnly }
    public func insert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int {
        throw .readOnly
    }
    public func insertReturningKeys(
        _ objects: [ValueDictionary], into entity: String
    ) throws(StoreFailure) -> [[PredicateValue]] { throw .readOnly }
    public func upsert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int {
        throw .readOnly
    }

    /// Inserts objects of a published type. Keys that the entity does not have are ignored.
    ///
    ///     try store.insert(people, into: "person")
    ///
    /// The objects of a to-one relationship must exist in the store. Those of a to-many relationship are inserted in the
    /// same transaction; one that exists must have the stored values, and then is only linked. Returns the number of
    /// `objects` without these.
    ///
    /// - Throws: what inserting dictionaries throws; `constraint`, for an object of a relationship that does not exist or
    ///   has other values. Cost: a few statements for each object if some has objects in to-many relationships.
    @discardableResult
    public func insert(_ objects: [some Queryable], into entity: String) throws(StoreFailure) -> Int {
        try write(objects, entity, updates: false)
    }

    /// Inserts or updates objects of a published type, by primary key, and those of their to-many relationships. Objects
    /// that are no longer in such a relationship keep their link.
    @discardableResult
    public func upsert(_ objects: [some Queryable], into entity: String) throws(StoreFailure) -> Int {
        try write(objects, entity, updates: true)
    }

    /// Returns all objects.
    public func fetch(_ request: FetchRequest) throws(StoreFailure) -> [StoredObject] {
        try cursor(request).rest()
    }
}

/// Returns the objects of a request one at a time. Use a cursor from one thread or task; the store can be used in the
/// meantime.
public final class FetchCursor {
    /// Appends the next batch of objects; appends nothing at the end.
    private let pull: (inout [StoredObject]) throws(StoreFailure) -> Void
    private let close: () -> Void
    private let residual: Matcher<PredicateValue>?
    private let log: FaultLog
    /// The relationship paths to read for each batch: those that the residual reads, and those that the request
    /// prefetches.
    private let reads: [[String]]
    private let prefetch: [[String]]
    private var buffer: [StoredObject] = []
    private var position = 0
    private var skip: Int
    private var left: Int
    private var isAtEnd = false
    /// How many of the objects tested in memory so far could not be evaluated, and the first failure.
    package private(set) var failures: (count: Int, first: PredicateFailure?) = (0, nil)

    /// - Parameters:
    ///   - window: the limit and offset to apply in memory.
    ///   - sort, sortsByKey: the order to apply in memory.
    ///   - reads, prefetch: paths of relationships that are read for a whole batch of objects: those that the residual
    ///     reads, and those that the caller wants for all returned objects.
    init(
        _ layout: EntityLayout, residual: Matcher<PredicateValue>?, sort: [SortKey], sortsByKey: Bool = false,
        window: FetchRequest?, reads: [[String]] = [], prefetch: [[String]] = [],
        log: FaultLog,
        close: @escaping () -> Void = {}, pull: @escaping (inout [StoredObject]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        self.residual = residual
        self.log = log
        self.reads = reads
        self.prefetch = prefetch
        self.pull = pull
        self.close = close
        skip = window?.offset ?? 0
        left = window?.limit ?? .max
        if sort.isEmpty, !sortsByKey { return }
        // Objects with equal keys are ordered by primary key, as in SQL.
        let byKey = layout.primaryKey.map { SortKey(layout.columns[$0]) }
        let keys = sort + byKey
        var sorter = Sorter<StoredObject>(keys: keys, limit: window?.wanted, rules: keys.rules)
        let values = try SortValues(sort, layout)
        while try refill(isSorting: true) {
            var matches: [StoredObject] = []
            while let object = buffered() { if try isSelected(object) { matches.append(object) } }
            try StoredObject.prefetch(values.paths, of: matches)
            for object in matches {
                sorter.add(object, fields: try values.values(of: object) + object.primaryKey)
            }
        }
        buffer = sorter.finish()
        position = 0
        try StoredObject.prefetch(prefetch, of: buffer)
    }

    deinit { if !isAtEnd { close() } }

    /// Returns the next object; nil at the end.
    public func next() throws(StoreFailure) -> StoredObject? {
        while left > 0, let object = try isAtEnd ? buffered() : selected() {
            if skip > 0 {
                skip -= 1
                continue
            }
            left -= 1
            return object
        }
        end()
        return nil
    }

    /// Returns the remaining objects.
    func rest() throws(StoreFailure) -> [StoredObject] {
        var objects: [StoredObject] = []
        if residual == nil, skip == 0, left == .max, position == buffer.count, !isAtEnd {
            var known = -1
            while known < objects.count {
                known = objects.count
                try pull(&objects)
            }
            end()
            try StoredObject.prefetch(prefetch, of: objects)
            return objects
        }
        while let object = try next() { objects.append(object) }
        return objects
    }

    private func end() {
        if isAtEnd { return }
        isAtEnd = true
        close()
    }

    private func buffered() -> StoredObject? {
        guard position < buffer.count else { return nil }
        defer { position += 1 }
        return buffer[position]
    }

    /// Returns the next object that matches the residual. An object whose evaluation throws does not match.
    private func selected() throws(StoreFailure) -> StoredObject? {
        while true {
            if position == buffer.count, try !refill() { return nil }
            guard let object = buffered() else { return nil }
            if try isSelected(object) { return object }
        }
    }

    /// Reads the next batch. Returns false at the end.
    private func refill(isSorting: Bool = false) throws(StoreFailure) -> Bool {
        buffer.removeAll(keepingCapacity: true)
        position = 0
        try pull(&buffer)
        if buffer.isEmpty {
            end()
            return false
        }
        do throws(StoreFailure) {
            if !reads.isEmpty { try StoredObject.prefetch(reads, of: buffer.filter { !$0.isCertain }) }
        } catch {
            // The residual may not need a relationship that the schema cannot read.
            guard case .schema = error else { throw error }
        }
        if !prefetch.isEmpty, !isSorting { try StoredObject.prefetch(prefetch, of: buffer) }
        return true
    }

    /// Whether an object matches the residual.
    private func isSelected(_ object: StoredObject) throws(StoreFailure) -> Bool {
        guard let residual, !object.isCertain else { return true }
        var matches = false
        do throws(PredicateFailure) {
            matches = try residual.test(.object(ObjectReference(object)))
        } catch {
            if let failure = error.storeFailure {
                // The next call tests the object again.
                position -= 1
                try? log.check()
                throw failure
            }
            failures = (failures.count + 1, failures.first ?? error)
        }
        return matches
    }
}
