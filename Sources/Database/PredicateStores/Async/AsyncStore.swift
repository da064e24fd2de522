// Async calls of a store. StoreThreads.swift has the threads on which they wait.

/// The calls of a store for async code. They block no actor and no thread of the cooperative pool.
///
///     let adults = try await store.async.fetch(request)
///     for try await person in store.async.objects(request) { … }
///     try await store.async.transaction { store in
///         try store.delete(StoreRequest("person", where: old))
///         try store.insert(people, into: "person")
///     }
///
/// Each call runs on its own thread, as part of the calling task. If the task is cancelled, the running statement ends
/// and the call throws `StoreFailure.cancelled`. Scripts, and code that may block its thread, call the store directly.
/// `Store` is the type of the store, or `any PredicateStore`.
public struct AsyncStore<Store: Sendable>: Sendable {
    let store: Store
    /// The same store.
    fileprivate let known: any PredicateStore

    /// Returns all objects.
    public func fetch(_ request: StoreRequest) async throws(StoreFailure) -> [StoredObject] {
        try await use { (store) throws(StoreFailure) in try store.fetch(request) }
    }

    /// Returns the objects as values of a type.
    @_disfavoredOverload
    public func fetch<Row: Decodable & Sendable>(
        _ type: Row.Type, _ request: StoreRequest, unreadable: (@Sendable (StoreFailure) -> Void)? = nil
    ) async throws(StoreFailure) -> [Row] {
        try await use { (store) throws(StoreFailure) in try store.fetch(type, request, unreadable: unreadable) }
    }

    /// Returns the object that a request selects; nil if there is none.
    public func one(_ request: StoreRequest) async throws(StoreFailure) -> StoredObject? {
        try await use { (store) throws(StoreFailure) in try store.one(request) }
    }

    /// Returns values of the objects, or of groups of them.
    public func records(_ request: StoreRequest) async throws(StoreFailure) -> [ValueDictionary] {
        try await use { (store) throws(StoreFailure) in try store.records(request) }
    }

    /// Returns the number of objects or records.
    public func count(_ request: StoreRequest) async throws(StoreFailure) -> Int {
        try await use { (store) throws(StoreFailure) in try store.count(request) }
    }

    /// Sets keys of the objects. Returns their number.
    @discardableResult
    public func update(_ request: StoreRequest, set assignments: [KeyAssignment]) async throws(StoreFailure) -> Int {
        try await use { (store) throws(StoreFailure) in try store.update(request, set: assignments) }
    }

    /// Deletes the objects. Returns their number.
    @discardableResult
    public func delete(_ request: StoreRequest) async throws(StoreFailure) -> Int {
        try await use { (store) throws(StoreFailure) in try store.delete(request) }
    }

    /// Inserts objects. Returns their number.
    @discardableResult
    public func insert(_ objects: [ValueDictionary], into entity: String) async throws(StoreFailure) -> Int {
        try await use { (store) throws(StoreFailure) in try store.insert(objects, into: entity) }
    }

    /// Inserts objects and returns their primary keys; see the store's `insertReturningKeys`.
    public func insertReturningKeys(
        _ objects: [ValueDictionary], into entity: String
    ) async throws(StoreFailure) -> [[PredicateValue]] {
        try await use { (store) throws(StoreFailure) in try store.insertReturningKeys(objects, into: entity) }
    }

    /// Inserts or updates objects by primary key. Returns their number.
    @discardableResult
    public func upsert(_ objects: [ValueDictionary], into entity: String) async throws(StoreFailure) -> Int {
        try await use { (store) throws(StoreFailure) in try store.upsert(objects, into: entity) }
    }

    /// Inserts objects of a published type, with those of their to-many relationships; see the store's `insert`.
    @discardableResult
    public func insert(_ objects: [some Queryable & Sendable], into entity: String) async throws(StoreFailure) -> Int {
        try await use { (store) throws(StoreFailure) in try store.insert(objects, into: entity) }
    }

    /// Inserts objects of a published type and returns the primary key of each.
    public func insertReturningKeys(
        _ objects: [some Queryable & Sendable], into entity: String
    ) async throws(StoreFailure) -> [[PredicateValue]] {
        try await use { (store) throws(StoreFailure) in try store.insertReturningKeys(objects, into: entity) }
    }

    /// Inserts objects into the entity that has the name of their type, and returns the primary key of each.
    @discardableResult
    public func insert<Object: Queryable & Sendable>(
        _ objects: [Object]
    ) async throws(StoreFailure) -> [[PredicateValue]] {
        try await use { (store) throws(StoreFailure) in try store.insert(objects) }
    }

    /// Inserts or updates objects of a published type by primary key; see the store's `upsert`.
    @discardableResult
    public func upsert(_ objects: [some Queryable & Sendable], into entity: String) async throws(StoreFailure) -> Int {
        try await use { (store) throws(StoreFailure) in try store.upsert(objects, into: entity) }
    }

    /// Runs `body` in a transaction: all of its changes are made, or none if it throws. `body` is synchronous, so no
    /// transaction stays open while a task is suspended.
    ///
    /// - Throws: what `body` throws; `readOnly`; errors of the engine.
    public func transaction<Connection: SQLConnection, Value: Sendable>(
        _ body: @escaping @Sendable (Store) throws -> Value
    ) async throws -> Value where Store == SQLStore<Connection> {
        try await run { store in try store.transaction { try body(store) } }
    }

    /// Runs `body` on a thread of its own. `body` may use the store and block while it waits for the store. Before macOS
    /// 15 and iOS 18 it blocks a thread that tasks share.
    ///
    ///     let violations = try await store.async.run { store in try store.violations() }
    public func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (Store) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        #if canImport(Dispatch)
            let task = withUnsafeCurrentTask { $0?.hashValue }
            let result: Result<Value, Failure> = await withTaskCancellationHandler {
                guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
                    return Result { () throws(Failure) in try body(store) }
                }
                return await withTaskExecutorPreference(StoreThreads.shared) {
                    Result { () throws(Failure) in try body(store) }
                }
            } onCancel: {
                if let task, let store = store as? any InterruptibleStore { store.interrupt(task: task) }
            }
            return try result.get()
        #else
            return try body(store)
        #endif
    }

    func use<Value: Sendable>(
        _ body: @escaping @Sendable (any PredicateStore) throws(StoreFailure) -> Value
    ) async throws(StoreFailure) -> Value {
        try await run { (_) throws(StoreFailure) in try body(known) }
    }

    /// Returns the objects one at a time, read in batches of the request's size.
    ///
    ///     for try await person in store.async.objects(request) { … }
    ///
    /// Memory stays bounded unless the objects are sorted in memory. Leaving the loop ends the statement.
    public func objects(_ request: StoreRequest) -> StoredObjectSequence {
        StoredObjectSequence {
            let cursor = Locked<FetchCursor?>(nil)
            let size = Swift.max(1, request.batchSize ?? 256)
            var isAtEnd = false
            return { () async throws(StoreFailure) in
                if isAtEnd { return [] }
                let batch = try await use { (store) throws(StoreFailure) in
                    try cursor.withLock { (cursor) throws(StoreFailure) in
                        if Task.isCancelled { throw StoreFailure.cancelled }
                        if cursor == nil { cursor = try store.cursor(request) }
                        var batch: ArraySlice<StoredObject> = []
                        while batch.count < size, let object = try cursor?.next() { batch.append(object) }
                        return batch
                    }
                }
                isAtEnd = batch.count < size
                return batch
            }
        }
    }
}

extension PredicateStore {
    /// The store for async code.
    public var async: AsyncStore<any PredicateStore> { AsyncStore(store: self, known: self) }
}

// These keep the type of the store, for `run` and `transaction`.

extension SQLStore {
    /// The store for async code.
    public var async: AsyncStore<SQLStore> { AsyncStore(store: self, known: self) }
}

extension InMemoryStore {
    /// The store for async code.
    public var async: AsyncStore<InMemoryStore> { AsyncStore(store: self, known: self) }
}

/// A store that can end the statement that a task runs.
protocol InterruptibleStore {
    func interrupt(task: Int)
}

/// The objects of a request, read in batches.
public struct StoredObjectSequence: AsyncSequence, Sendable {
    public typealias Element = StoredObject
    public typealias Failure = StoreFailure

    /// Returns a function that reads the next batch, which is empty at the end.
    let begin: @Sendable () -> () async throws(StoreFailure) -> ArraySlice<StoredObject>

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: begin()) }

    /// Reads the next batch when the last is used up.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let read: () async throws(StoreFailure) -> ArraySlice<StoredObject>
        fileprivate var batch: ArraySlice<StoredObject> = []
        fileprivate var isAtEnd = false

        /// Returns the next object; nil at the end, and after an error.
        public mutating func next() async throws(StoreFailure) -> StoredObject? {
            if batch.isEmpty, !isAtEnd {
                isAtEnd = true
                batch = try await read()
                isAtEnd = batch.isEmpty
            }
            return batch.popFirst()
        }
    }
}
