// The operations that every store has. InMemoryStore.swift and SQL/SQLStore.swift implement them.

/// A collection of stored objects.
///
///     let store = try SQLiteStore(path: "shop.sqlite")
///     for person in try store.fetch(StoreRequest("person", where: predicate, sort: [PredicateSortKey("name")])) { … }
///
/// All stores return the same rows, order and count for the same request, whatever their engines can do.
public protocol PredicateStore: Sendable {
    /// The schema of the stored objects.
    var schema: PredicateSchema { get }
    /// Returns the objects one at a time. Memory is bounded unless the objects are sorted in memory.
    ///
    /// - Throws: `StoreFailure.request` with every error in the request.
    func cursor(_ request: StoreRequest) throws(StoreFailure) -> FetchCursor
    /// Returns values of the objects, or of groups of them; see `records(_:)` in the extension for the details.
    func records(_ request: StoreRequest) throws(StoreFailure) -> [ValueDictionary]
    /// Returns the number of objects in the request's window, or of records if it has groups or distinct values.
    func count(_ request: StoreRequest) throws(StoreFailure) -> Int
    /// Sets keys of the objects in the request's window, either of all of them or of none. Returns their
    /// number.
    ///
    ///     try store.update(request, set: [KeyAssignment("total", try FormatExpression("total * 2"))])
    ///
    /// Expressions read the objects as they were before the update. They are computed by the engine in one statement if
    /// SQL expresses them exactly; else the rows are read, locked, computed and written in one transaction.
    ///
    /// - Throws: `StoreFailure.request`, also for a condition that does not depend on the object
    ///   (`StoreRequest.allowingConstantComparisons`), and with the key and the object, for a value that cannot be
    ///   computed or does not fit; `schema`, for an expression on an engine without transactions. An engine that tests
    ///   unique keys row by row may refuse `n = n + 1`. Cost: one statement, or one for each object.
    @discardableResult
    func update(_ request: StoreRequest, set assignments: [KeyAssignment]) throws(StoreFailure) -> Int
    /// Deletes the objects in the request's window, either all of them or none. Returns their number. Throws as
    /// `update` does.
    @discardableResult
    func delete(_ request: StoreRequest) throws(StoreFailure) -> Int
    /// Inserts objects. After an error none is stored. Returns the number of stored rows: a constraint with ON CONFLICT
    /// IGNORE or a trigger of the database may drop some without an error. A constraint with ON CONFLICT REPLACE deletes
    /// no other row: the change is refused, as an update is.
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
    public func update(_ request: StoreRequest, set assignments: [KeyAssignment]) throws(StoreFailure) -> Int {
        throw .readOnly
    }
    @discardableResult
    public func delete(_ request: StoreRequest) throws(StoreFailure) -> Int { throw .readOnly }
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
    ///   has other values. Cost: one prepared statement for each relationship; a few statements for each object if a
    ///   child exists or is linked in a join table.
    @discardableResult
    public func insert(_ objects: [some Queryable], into entity: String) throws(StoreFailure) -> Int {
        try write(objects, entity, updates: false).count
    }

    /// Inserts objects of a published type, as `insert`, and returns the primary key of each.
    ///
    /// - Throws: what `insert` throws, and what `insertReturningKeys` of dictionaries throws.
    public func insertReturningKeys(
        _ objects: [some Queryable], into entity: String
    ) throws(StoreFailure) -> [[PredicateValue]] {
        try write(objects, entity, updates: false, returnsKeys: true).keys
    }

    /// Inserts objects into the entity that has the name of their type, and returns the primary key of each.
    ///
    ///     let id = try store.insert([book])[0][0]
    ///
    /// - Throws: what `insertReturningKeys` throws; `insert(_:into:)` needs no primary key.
    @discardableResult
    public func insert<Object: Queryable>(_ objects: [Object]) throws(StoreFailure) -> [[PredicateValue]] {
        try insertReturningKeys(objects, into: "\(Object.self)")
    }

    /// Inserts or updates objects of a published type, by primary key, and those of their to-many relationships. Objects
    /// that are no longer in such a relationship keep their link.
    @discardableResult
    public func upsert(_ objects: [some Queryable], into entity: String) throws(StoreFailure) -> Int {
        try write(objects, entity, updates: true).count
    }

    /// Returns all objects.
    public func fetch(_ request: StoreRequest) throws(StoreFailure) -> [StoredObject] {
        try cursor(request).rest()
    }
}

/// Returns the objects of a request one at a time. Use a cursor from one thread or task; the store can be used in the
/// meantime.
public final class FetchCursor {
    /// Appends the next batch of objects; appends nothing at the end.
    private let pull: (inout [StoredObject]) throws(StoreFailure) -> Void
    private let close: () -> Void
    private var steps: FetchSteps
    private var isClosed = false
    /// How many of the objects tested in memory so far could not be evaluated, and the first failure.
    package var failures: (count: Int, first: PredicateFailure?) { steps.failures }

    init(
        _ steps: FetchSteps, close: @escaping () -> Void = {},
        pull: @escaping (inout [StoredObject]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        self.steps = steps
        self.pull = pull
        self.close = close
        while self.steps.isSorting { try perform(self.steps.next()) }
    }

    deinit { end() }

    /// Returns the next object; nil at the end.
    public func next() throws(StoreFailure) -> StoredObject? {
        while true {
            switch try steps.next() {
            case .object(let object): return object
            case .end:
                end()
                return nil
            case let step: try perform(step)
            }
        }
    }

    private func perform(_ step: FetchSteps.Step) throws(StoreFailure) {
        switch step {
        case .read:
            try steps.fill(pull)
            if steps.isExhausted { end() }
        case .load(let reads): try StoredObject.prefetch(reads)
        case .object, .end: break
        }
    }

    /// Returns the remaining objects.
    func rest() throws(StoreFailure) -> [StoredObject] {
        var objects: [StoredObject] = []
        if steps.passesAll {
            var known = -1
            while known < objects.count {
                known = objects.count
                try pull(&objects)
            }
            end()
            steps.finish()
            try StoredObject.prefetch(steps.prefetch, of: objects)
            return objects
        }
        while let object = try next() { objects.append(object) }
        return objects
    }

    private func end() {
        if isClosed { return }
        isClosed = true
        close()
    }
}
