// The changes of a transaction, and the stores that report them. StoreObservers.swift passes them to the lists.

/// The rows that a transaction changed, by table.
struct StoreChanges: Sendable {
    /// Any row of any table may have changed.
    static let unknown = StoreChanges(isUnknown: true)

    /// The primary keys of changed rows.
    private(set) var rows: [String: Set<[PredicateValue]>] = [:]
    /// Tables of which any row may have changed.
    private(set) var wholeTables: Set<String> = []
    /// Whether any row of any table may have changed.
    private(set) var isUnknown = false

    var isEmpty: Bool { !isUnknown && rows.isEmpty && wholeTables.isEmpty }

    /// Whether rows of one of the tables may have changed.
    func touch(_ tables: Set<String>) -> Bool {
        isUnknown || !wholeTables.isDisjoint(with: tables) || tables.contains { rows[$0] != nil }
    }

    /// Adds changed rows.
    ///
    /// - Parameters:
    ///   - keys: their primary keys before and after the change; nil if they are not known.
    ///   - table: their table.
    mutating func add(_ keys: [[PredicateValue]]?, of table: String) {
        // A row without a complete key cannot be found again.
        guard let keys, keys.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isNil) }) else {
            wholeTables.insert(table)
            return
        }
        if !keys.isEmpty { rows[table, default: []].formUnion(keys) }
    }

    mutating func add(_ other: StoreChanges) {
        for (table, keys) in other.rows { rows[table, default: []].formUnion(keys) }
        wholeTables.formUnion(other.wholeTables)
    }

    mutating func addUnknown() { isUnknown = true }
}

/// A store that reports its changes.
protocol ObservableStore: PredicateStore, ObjectSource {
    var observers: StoreObservers { get }
    /// Runs `body` while no other task changes the store.
    ///
    /// - Throws: `schema` inside a transaction of this task, whose changes may be undone; what `body` throws.
    func whileUnchanged<Value: Sendable>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value
    /// A number that changes when other connections change the database; nil if the engine has none.
    func foreignVersion() throws(StoreFailure) -> Int64?
}

extension InMemoryStore: ObservableStore {
    func whileUnchanged<Value: Sendable>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        try gate.withLock { (_) throws(StoreFailure) in try body() }
    }

    func foreignVersion() -> Int64? { 0 }

    /// Opens a list of objects that follows the changes of the store; see `ObservedResults`.
    ///
    /// - Parameters:
    ///   - request: the objects, their order and their window.
    ///   - sections: the key path by whose values the list is divided; nil makes one section.
    /// - Throws: `request`, for anything wrong with the request; `schema`, for an entity without a primary key.
    public func observe(_ request: StoreRequest, sections: String? = nil) throws(StoreFailure) -> ObservedResults {
        try ObservedResults.open(request, sections, polling: nil, in: self)
    }
}

extension SQLStore: ObservableStore {
    func whileUnchanged<Value: Sendable>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        if SQLTransaction.current(on: session) != nil {
            throw .schema("open and refresh a list outside of a transaction, because its changes may be rolled back")
        }
        return try StoreFailure.only { try exclusively { _ in try body() } }
    }

    func foreignVersion() throws(StoreFailure) -> Int64? {
        try session.use { (connection) throws(StoreFailure) in try connection.foreignVersion() }
    }

    /// Opens a list of objects that follows the changes of the store; see `ObservedResults`.
    ///
    ///     let open = try FormatPredicate("isDone == NO")
    ///     let list = try store.observe(StoreRequest("todo", where: open, sort: [PredicateSortKey("due")]), sections: "project.name")
    ///     for try await change in list { … }
    ///
    /// - Parameters:
    ///   - request: the objects, their order and their window.
    ///   - sections: the key path by whose values the list is divided; nil makes one section.
    ///   - interval: how often the list looks for changes of other connections and processes; nil looks only on
    ///     `refresh()`.
    /// - Throws: `request`, for anything wrong with the request; `schema`, for an entity without a primary key and
    ///   inside a transaction; errors of the engine.
    public func observe(
        _ request: StoreRequest, sections: String? = nil, polling interval: Duration? = nil
    ) throws(StoreFailure) -> ObservedResults {
        try ObservedResults.open(request, sections, polling: interval, in: self)
    }
}
