// Objects in a SQLite database. SQLiteConnection.swift is the connection, SQLiteIntrospection.swift reads a
// schema from a database, SQLitePreconditions.swift checks a schema against it.
import PredicateEvaluation
public import PredicateModel
public import PredicateSQL
public import PredicateSyntax
import Synchronization

/// A store over the system's SQLite library, which is loaded when the first store is created.
///
///     let store = try SQLiteStore(path: "shop.sqlite")     // the schema is read from the database
///     let adults = try store.fetch(FetchRequest("person", where: FormatPredicate("age >= 21"), sort: [SortKey("name")]))
///
/// The store has one connection behind a lock and may be used from many threads. The lock is held while rows
/// are read, in small batches, and never while a predicate is evaluated in memory. A cursor therefore does not
/// block other threads for long. Cancelling a task ends its statements.
public final class SQLiteStore: PredicateStore, ObjectSource {
    /// What a store may do with its database.
    public enum Mode: Sendable, Hashable {
        case readOnly
        case readWrite
        /// Creates the database if it does not exist.
        case create
    }

    /// The path of the database, or `:memory:`.
    public let path: String
    /// The schema of the tables.
    public let schema: PredicateSchema
    public let mode: Mode
    /// The SQL dialect of the store.
    public let dialect: SQLDialect
    let layouts: SchemaLayout
    private let planner: FetchPlanner
    private let connection: Locked<SQLiteConnection>
    private let signal: SQLiteSignal
    /// SQL texts that read related objects, one per relationship.
    private let faults = Locked<[String: [ObjectPlace: String]]>([:])
    /// Held by writers, outside of the connection's lock.
    private let writers = Locked(0)

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: a file, or `:memory:`.
    ///   - schema: the entities of the tables; nil reads them from the database. For a Core Data store, the
    ///     codes of entities that share a table and the join tables are always read from the database.
    ///   - mode: reading, writing, or creating the database.
    ///   - busyTimeout: how long a statement waits for another connection's lock.
    /// - Throws: `noLibrary`; `cannotOpen` for a missing file or one that is not a database; `schema`.
    public convenience init(
        path: String, schema: PredicateSchema? = nil, mode: Mode = .readOnly, busyTimeout: Duration = .seconds(5)
    ) throws(StoreFailure) {
        let signal = SQLiteSignal()
        let flags =
            switch mode {
            case .readOnly: SQLiteCode.openReadOnly
            case .readWrite: SQLiteCode.openReadWrite
            case .create: SQLiteCode.openReadWrite | SQLiteCode.openCreate
            }
        let milliseconds = Int32(clamping: busyTimeout.components.seconds &* 1000)
        let connection = try SQLiteConnection(path, flags: flags, busyMilliseconds: milliseconds, signal: signal)
        let found: PredicateSchema
        let dialect: SQLDialect
        do throws(StoreFailure) {
            // Opening reads nothing, so read something to find an invalid file.
            try connection.run("PRAGMA schema_version")
            if let schema {
                found = try ManagedObjectTables(connection).completing(schema)
            } else {
                found = try SQLiteIntrospection(connection).schema()
            }
            let introspection = SQLiteIntrospection(connection)
            dialect = .sqlite(
                collatedColumns: try introspection.collatedColumns(of: found),
                numericColumns: try introspection.numericColumns(of: found))
        } catch {
            guard case .engine(_, let message, _) = error else { throw error }
            throw .cannotOpen(path: path, reason: message)
        }
        try self.init(path, found, mode, dialect, SchemaLayout(found), connection, signal)
    }

    private init(
        _ path: String, _ schema: PredicateSchema, _ mode: Mode, _ dialect: SQLDialect, _ layouts: SchemaLayout,
        _ connection: sending SQLiteConnection, _ signal: SQLiteSignal
    ) throws(StoreFailure) {
        self.path = path
        self.schema = schema
        self.mode = mode
        self.dialect = dialect.naming(schema)
        self.layouts = layouts
        planner = FetchPlanner(schema: schema, dialect: dialect)
        self.signal = signal
        self.connection = Locked(connection)
    }

    /// Ends the statements that are running on the store, on any thread, with `StoreFailure.cancelled`. Takes
    /// effect within microseconds, also for a statement without rows so far and for a cursor between two rows.
    /// Does not affect later statements.
    ///
    ///     let watch = Task { try await Task.sleep(for: .seconds(5)); store.interrupt() }
    ///     defer { watch.cancel() }
    ///     let found = try store.fetch(request)
    ///
    /// Safe to call from any thread at any time: it sets a flag, takes no lock and does not wait. SQLite checks
    /// the flag, and whether the task is cancelled, while it works (`sqlite3_progress_handler`).
    public func interrupt() { signal.isInterrupted.store(true, ordering: .relaxed) }

    /// Runs `body` with exclusive access to the connection.
    func withConnection<Result: Sendable>(
        _ body: (SQLiteConnection) throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        try connection.withLock { (connection) throws(StoreFailure) in
            signal.isInterrupted.store(false, ordering: .relaxed)
            return try body(connection)
        }
    }

    // MARK: Statements of the caller

    /// Runs a statement and returns its rows by storage class: integers, doubles, texts, data and nil.
    public func rows(_ sql: String, _ bindings: [PredicateValue] = []) throws(StoreFailure) -> [[PredicateValue]] {
        try writers.withLock { (_) throws(StoreFailure) in
            try withConnection { (connection) throws(StoreFailure) in
                var rows: [[PredicateValue]] = []
                try connection.run(sql, bindings) { rows.append($0.values) }
                return rows
            }
        }
    }

    // MARK: Requests

    /// Returns the plan of a request, without running it.
    public func plan(_ request: FetchRequest) throws(StoreFailure) -> FetchPlan {
        try planner.plan(request)
    }

    /// Returns SQLite's query plan for a request: the lines of EXPLAIN QUERY PLAN, indented.
    public func explain(_ request: FetchRequest) throws(StoreFailure) -> [String] {
        let plan = try plan(request)
        let rows = try rows("EXPLAIN QUERY PLAN " + plan.statement.text, plan.statement.bindings)
        var depths: [PredicateValue: Int] = [:]
        return rows.compactMap { row in
            guard row.count >= 4, case .string(let text) = row[3] else { return nil }
            let depth = depths[row[1]].map { $0 + 1 } ?? 0
            depths[row[0]] = depth
            return String(repeating: "  ", count: depth) + text
        }
    }

    public func cursor(_ request: FetchRequest) throws(StoreFailure) -> FetchCursor {
        try cursor(request, sure: nil)
    }

    /// - Parameter sure: called for a row that does not need the residual, instead of making its object.
    private func cursor(_ request: FetchRequest, sure: (() -> Void)?) throws(StoreFailure) -> FetchCursor {
        let plan = try plan(request)
        let layout = try layouts.layout(request.entity)
        let log = FaultLog()
        let token = try withConnection { (connection) throws(StoreFailure) in
            try connection.beginCursor(plan.statement.text, plan.statement.bindings)
        }
        var size = 16
        var maker = ObjectMaker(layout, self, log, dropsSome: plan.residual != nil || plan.limitsInMemory)
        return try FetchCursor(
            layout, residual: try plan.matcher(request.options), sort: plan.sort, rules: request.options.rules,
            window: plan.limitsInMemory ? request : nil, log: log,
            close: { [self] in
                connection.withLock { $0.endCursor(token) }
            },
            pull: { [self] (objects) throws(StoreFailure) in
                // Start with few rows, so that the first one is available soon.
                defer { size = min(1024, size * 4) }
                try pull(&objects, &maker, layout, token, size, plan.statement.hasSure, sure)
            })
    }

    /// Reads the next rows of a cursor.
    private func pull(
        _ objects: inout [StoredObject], _ maker: inout ObjectMaker, _ layout: EntityLayout, _ token: Int, _ size: Int,
        _ hasSure: Bool, _ tally: (() -> Void)?
    ) throws(StoreFailure) {
        try connection.withLock { (connection) throws(StoreFailure) in
            guard let statement = connection.cursor(token) else { return }
            if Task.isCancelled || signal.isInterrupted.load(ordering: .relaxed) { throw StoreFailure.cancelled }
            let sure = hasSure ? Int32(truncatingIfNeeded: layout.columns.count) : nil
            let row = SQLiteRow(connection.library, statement.handle)
            var left = size
            while left > 0 {
                guard try connection.step(statement) else {
                    // Another step would restart the statement.
                    connection.endCursor(token)
                    break
                }
                let isSure = sure.map { row.integer($0) == 1 } ?? false
                if isSure, let tally {
                    tally()
                    continue
                }
                try maker.add(to: &objects, isSure: isSure) { (values) throws(StoreFailure) in
                    try row.read(layout, into: &values)
                }
                left -= 1
            }
            maker.finish(&objects)
        }
    }

    func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ key: [PredicateValue], _ log: FaultLog
    ) throws(StoreFailure) -> [StoredObject] {
        let sql = faults.withLock { texts in
            let known = texts[layout.entity]?[place]
            let text = known ?? place.statement(layout, dialect)
            if known == nil { texts[layout.entity, default: [:]][place] = text }
            return text
        }
        var maker = ObjectMaker(layout, self, log)
        return try connection.withLock { (connection) throws(StoreFailure) in
            var objects: [StoredObject] = []
            try connection.run(sql, key + (layout.codes?.codes ?? [])) { (row) throws(StoreFailure) in
                try maker.add(to: &objects) { (values) throws(StoreFailure) in try row.read(layout, into: &values) }
            }
            maker.finish(&objects)
            return objects
        }
    }

    // MARK: Counting and changing

    public func count(_ request: FetchRequest) throws(StoreFailure) -> Int {
        let statement: SQLStatement
        do throws(PredicateFailure) {
            statement = try planner.statement(.count, request)
        } catch {
            guard error.isOnlyInexact else { throw .request(error) }
            // Count rows that surely match and test the others in memory, with a limit only as many as needed.
            var (sure, tested) = (0, 0)
            var all = request
            (all.sort, all.limit, all.offset) = ([], request.wanted, 0)
            let cursor = try cursor(all, sure: request.limit == nil ? { sure += 1 } : nil)
            while try cursor.next() != nil { tested += 1 }
            return request.window(of: sure + tested)
        }
        let rows = try rows(statement.text, statement.bindings)
        guard case .integer(let count)? = rows.first?.first else { return 0 }
        return request.window(of: Int(count))
    }

    /// Returns the lower and upper bound of the number of objects in the request's window, with a single
    /// statement and without evaluation in memory. For an exact predicate both bounds are the count.
    ///
    ///     try store.bounds(FetchRequest("person", where: FormatPredicate("age > 60 OR name MATCHES '(?!Z).*'")))  // 12...90
    ///
    /// - Throws: `StoreFailure.request` with everything wrong with the request; errors of the engine.
    package func bounds(_ request: FetchRequest) throws(StoreFailure) -> ClosedRange<Int> {
        let statement: SQLStatement
        do throws(PredicateFailure) {
            statement = try planner.statement(.bounds, request)
        } catch {
            throw .request(error)
        }
        let row = try rows(statement.text, statement.bindings).first ?? []
        guard row.count == 2, case .integer(let lower) = row[0], case .integer(let upper) = row[1] else { return 0...0 }
        let most = request.window(of: Int(upper))
        return min(request.window(of: Int(lower)), most)...most
    }

    public func update(
        _ request: FetchRequest, set assignments: [SQLAssignment]
    ) throws(StoreFailure) -> Int {
        if assignments.isEmpty { return try count(request) }
        return try change(request, .update(assignments))
    }

    public func delete(_ request: FetchRequest) throws(StoreFailure) -> Int { try change(request, .delete) }

    /// Uses one statement if the predicate is exact. Otherwise selects and filters the keys, then changes each
    /// row by its key.
    private func change(_ request: FetchRequest, _ change: SQLRequest) throws(StoreFailure) -> Int {
        if mode == .readOnly { throw .readOnly }
        // Rows selected in memory are changed in a transaction, during which no other thread may write.
        return try writers.withLock { (_) throws(StoreFailure) in try changeAlone(request, change) }
    }

    private func changeAlone(_ request: FetchRequest, _ change: SQLRequest) throws(StoreFailure) -> Int {
        let statement: SQLStatement
        do throws(PredicateFailure) {
            // This also finds errors in the assignments.
            statement = try planner.statement(change, request)
        } catch {
            guard error.isOnlyInexact else { throw .request(error) }
            return try changeByKey(request, change)
        }
        if request.limit != nil || request.offset > 0 { return try changeByKey(request, change) }
        return try withConnection { (connection) throws(StoreFailure) in
            try connection.run(statement.text, statement.bindings)
            return connection.changes
        }
    }

    private func changeByKey(_ request: FetchRequest, _ change: SQLRequest) throws(StoreFailure) -> Int {
        guard !schema.primaryKey(of: request.entity).isEmpty else {
            throw .schema("\(request.entity) has no primary key")
        }
        let written: (text: String, bindings: [PredicateValue])?
        do throws(PredicateFailure) {
            written = try change.byKey(dialect, entity: request.entity, in: schema)
        } catch {
            throw .request(error)
        }
        guard let written else { return 0 }
        try withConnection { (connection) throws(StoreFailure) in try connection.run("BEGIN IMMEDIATE") }
        do throws(StoreFailure) {
            let keys = try fetch(request).map(\.primaryKey)
            return try withConnection { (connection) throws(StoreFailure) in
                for key in keys { try connection.run(written.text, written.bindings + key) }
                try connection.run("COMMIT")
                return keys.count
            }
        } catch {
            try? withConnection { (connection) throws(StoreFailure) in try connection.run("ROLLBACK") }
            throw error
        }
    }
}

extension ObjectPlace {
    fileprivate func statement(_ layout: EntityLayout, _ dialect: SQLDialect) -> String {
        let keys = layout.primaryKey.map { layout.columns[$0] }
        switch self {
        case .columns(let columns):
            return dialect.selectRows(
                of: layout.table, layout.columns, where: columns, pairs: nil, orderedBy: keys,
                codes: layout.codes)
        case .pairs(let table, let from, let to):
            return dialect.selectRows(
                of: layout.table, layout.columns, where: keys, pairs: (table, from, to), orderedBy: keys,
                codes: layout.codes)
        }
    }
}

extension FetchPlan {
    /// nil if there is no residual.
    func matcher(_ options: EvaluationOptions) throws(StoreFailure) -> Matcher<PredicateValue>? {
        guard let residual else { return nil }
        do throws(PredicateFailure) {
            return try residual.compiled(options: options)
        } catch {
            throw .request(error)
        }
    }
}

extension PredicateFailure {
    /// Whether the only problem is that SQL cannot express the predicate exactly.
    var isOnlyInexact: Bool { diagnostics.allSatisfy { $0.id == .sqlInexact || $0.severity != .error } }
}
