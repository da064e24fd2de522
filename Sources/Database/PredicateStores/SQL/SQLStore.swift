// A store over a database, with any connection. SQLConnection.swift is the connection, SQLStore+Changes.swift counts
// and changes objects, SQLite/SQLiteStore.swift opens SQLite.

/// What a store may do with its database.
public enum SQLStoreMode: Sendable, Hashable {
    case readOnly
    case readWrite
    /// Creates the database if it does not exist.
    case create
}

/// A store over a database.
///
///     let store = try SQLStore(schema: schema, dialect: .postgreSQL, connection: PostgreSQLConnection(address))
///     let adults = try store.fetch(StoreRequest("person", where: FormatPredicate("age >= 21"), sort: [PredicateSortKey("name")]))
///
/// The store may be used from many threads. It has one connection, protected by a lock; for a SQLite database with a
/// write-ahead log it has more connections for reading, so that readers do not wait for a writer. The lock is held
/// while a small batch of rows is read, and never while a predicate is evaluated in memory. So a cursor does not block
/// other threads for long. Cancelling a task ends its statements.
public final class SQLStore<Connection: SQLConnection>: PredicateStore, ObjectSource, InterruptibleStore {
    public typealias Mode = SQLStoreMode

    /// The schema of the tables.
    public let schema: PredicateSchema
    public let mode: Mode
    /// The SQL dialect of the store.
    public let dialect: SQLDialect
    /// The path of the database file; empty if the database is not in a file.
    let location: String
    let layouts: SchemaLayout
    let compiler: SQLCompiler
    /// The connection that writes; it also reads if there are no connections for reading.
    let session: SQLSession<Connection>
    let readers: SQLReaders<Connection>?
    /// The SQL texts of statements that read related objects.
    let relatedTexts = Locked<[RelatedText: String]>([:])
    /// The last SQL text that inserted rows into each table.
    let insertions = Locked<[String: InsertionText]>([:])
    /// Held by transactions, and by code that must wait for them. Taken before the session's lock.
    let gate: Locked<Void>
    let observers: StoreObservers

    /// A store over a connection.
    ///
    /// - Parameters:
    ///   - schema: the entities of the tables.
    ///   - dialect: the engine's SQL.
    ///   - mode: `.readOnly` refuses changes.
    ///   - connection: an open connection, which only the store uses from now on.
    /// - Throws: `schema`.
    public convenience init(
        schema: PredicateSchema, dialect: SQLDialect, mode: Mode = .readWrite, connection: sending Connection
    ) throws(StoreFailure) {
        try self.init(schema, dialect, mode, location: "", SQLSession(connection), nil)
    }

    init(
        _ schema: PredicateSchema, _ dialect: SQLDialect, _ mode: Mode, location: String,
        _ session: SQLSession<Connection>, _ readers: SQLReaders<Connection>?, gate: Locked<Void> = Locked(()),
        observers: StoreObservers = StoreObservers()
    ) throws(StoreFailure) {
        self.schema = schema
        self.mode = mode
        self.dialect = dialect.naming(schema)
        self.location = location
        layouts = try SchemaLayout(schema, hasDocuments: !dialect.readsJSON, rounding: dialect.stored.rounding)
        compiler = SQLCompiler(dialect, schema: schema)
        self.session = session
        self.readers = readers
        self.gate = gate
        self.observers = observers
    }

    /// Makes all running statements of the store, on any thread, end with `StoreFailure.cancelled`. Takes effect within
    /// microseconds, also for a statement that has returned no rows yet and for a cursor between two rows. Does not
    /// affect later statements.
    ///
    ///     let watch = Task { try await Task.sleep(for: .seconds(5)); store.interrupt() }
    ///     defer { watch.cancel() }
    ///     let found = try store.fetch(request)
    ///
    /// Safe to call from any thread at any time: it does not wait for a statement. For SQLite it sets a flag that
    /// SQLite checks while it works; cancellation of a task does the same (`sqlite3_progress_handler`).
    public func interrupt() {
        session.interrupt()
        readers?.interrupt()
    }

    func interrupt(task: Int) {
        session.interrupt(task: task)
        readers?.interrupt(task: task)
    }

    // MARK: SQL of the caller

    /// Runs a SQL statement and returns its rows as they are stored: integers, doubles, texts, data and nil.
    ///
    /// - Throws: `engine` for a text that is not exactly one statement, and if the number of parameters is not that of
    ///   `bindings`; `constraint`, `unusable` and other errors of the engine.
    public func rows(_ sql: String, _ bindings: [PredicateValue] = []) throws(StoreFailure) -> [[PredicateValue]] {
        try recordingUnknown { () throws(StoreFailure) in
            try writing { (connection) throws(StoreFailure) in try connection.rows(sql, bindings) }
        }
    }

    // MARK: Requests

    /// Returns the plan of a request, without running it.
    ///
    /// For a request with groups, this is the plan that computes the groups, or the plan that reads the objects if they
    /// are grouped in memory.
    public func plan(_ request: StoreRequest) throws(StoreFailure) -> FetchPlan {
        guard request.hasGroups else { return try compiler.plan(request) }
        if let plan = try compiler.records(request) { return plan.fetch }
        return try compiler.plan(RecordShape(request, schema).objects(request, isOrdered: true))
    }

    public func cursor(_ request: StoreRequest) throws(StoreFailure) -> FetchCursor {
        try cursor(compiler.plan(request))
    }

    /// Runs a plan of this store for objects.
    package func cursor(_ plan: FetchPlan) throws(StoreFailure) -> FetchCursor {
        try cursor(plan, layouts.layout(plan.request.entity))
    }

    /// Runs a plan whose rows have the given layout.
    ///
    /// - Parameters:
    ///   - certain: called for a row that certainly matches, instead of making its object.
    ///   - lock: follows the statement.
    func cursor(
        _ plan: FetchPlan, _ layout: EntityLayout, certain: (() -> Void)? = nil, lock: String = ""
    ) throws(StoreFailure) -> FetchCursor {
        let request = plan.request
        let steps = try FetchSteps(layout, plan.inMemory, of: request)
        let log = FaultLog()
        let statement = plan.statement
        let session = try reader()
        let token: Int
        do throws(StoreFailure) {
            token = try alone(on: session) { () throws(StoreFailure) in
                try session.begin(
                    statement.text + lock, statement.bindings, statement.bindingTypes, deadline: request.deadline)
            }
        } catch {
            giveBack(session)
            throw error
        }
        var size = request.batchSize ?? 16
        var reader = RowReader(
            layout: layout,
            maker: ObjectMaker(layout, self, log, dropsSome: plan.residual != nil || plan.limitsInMemory),
            hasCertain: statement.hasCertain, tally: certain)
        return try FetchCursor(
            steps,
            close: { [self] in
                session.end(token)
                giveBack(session)
            },
            pull: { [self] (objects) throws(StoreFailure) in
                // Start with few rows, so that the first one is returned soon.
                defer { if request.batchSize == nil { size = min(1024, size * 4) } }
                try alone(on: session) { () throws(StoreFailure) in
                    try session.read(token) { (rows) throws(StoreFailure) in
                        try reader.read(&objects, size, from: rows)
                    }
                }
            })
    }
}

extension FormatPredicate {
    func matcher() throws(StoreFailure) -> PredicateMatcher<PredicateValue> {
        try StoreFailure.ofRequest { () throws(PredicateFailure) in try compiled() }
    }
}
