// Objects in a SQLite database. The connection is SQLiteConnection.swift, reading a schema out of a database
// SQLiteIntrospection.swift, checking one against it SQLitePreconditions.swift.
import PredicateEvaluation
public import PredicateModel
public import PredicateSQL
public import PredicateSyntax
import Synchronization

/// A store over the system's SQLite, which is opened when the first store is made.
///
///     let store = try SQLiteStore(path: "shop.sqlite")   // the schema is read from the database
///     let adults = try store.fetch(FetchRequest("person", where: FormatPredicate("age >= 21"), sort: [SortKey("name")]))
///
/// One connection behind a lock, which is held while rows are read and never while a predicate is evaluated: a store may
/// be used from many threads, one at a time gets through. Rows are read in small parts, so that a cursor does not
/// keep others out. What runs in a task ends when the task is cancelled.
public final class SQLiteStore: Store, ObjectSource {
    public enum Mode: Sendable, Hashable {
        case readOnly
        case readWrite
        /// Makes the database where there is none.
        case create
    }

    public let path: String
    public let schema: Schema
    public let mode: Mode
    /// What the store asks SQLite in.
    public let dialect: Dialect
    let layouts: SchemaLayout
    private let planner: FetchPlanner
    private let connection: Locked<SQLiteConnection>
    private let signal: SQLiteSignal
    /// The texts of what objects fault with: one for each relationship.
    private let faults = Locked<[String: [ObjectPlace: String]]>([:])
    /// Held by whoever may write, outside of the connection's lock.
    private let writers = Locked(0)

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: a file, or `:memory:`.
    ///   - schema: what the tables hold; nil reads it from the database. Where the database is a store of Core Data, what a
    ///     model does not tell is read, too: the codes of entities that share a table, the tables of pairs.
    ///   - busyTimeout: how long a statement waits for another connection's lock.
    /// - Throws: `noLibrary`, `cannotOpen` (a missing file, one that is no database), `schema`.
    public convenience init(
        path: String, schema: Schema? = nil, mode: Mode = .readOnly, busyTimeout: Duration = .seconds(5)
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
        let found: Schema
        let collated: Set<SQLColumn>
        do throws(StoreFailure) {
            // Opening reads nothing; this does.
            try connection.run("PRAGMA schema_version")
            if let schema {
                found = try ManagedObjectTables(connection).completing(schema)
            } else {
                found = try SQLiteIntrospection(connection).schema()
            }
            collated = try SQLiteIntrospection(connection).collatedColumns(of: found)
        } catch {
            guard case .engine(_, let message, _) = error else { throw error }
            throw .cannotOpen(path: path, reason: message)
        }
        try self.init(path, found, mode, .sqlite(collatedColumns: collated), SchemaLayout(found), connection, signal)
    }

    private init(
        _ path: String, _ schema: Schema, _ mode: Mode, _ dialect: Dialect, _ layouts: SchemaLayout,
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

    /// Ends what runs on the store now, in whatever thread, with `StoreFailure.cancelled`: within microseconds, also where a
    /// statement has found no row yet, and also a cursor that is between two rows. What begins later is not concerned.
    ///
    ///     let watch = Task { try await Task.sleep(for: .seconds(5)); store.interrupt() }
    ///     defer { watch.cancel() }
    ///     let found = try store.fetch(request)
    ///
    /// Any thread may call it at any time: it sets a flag, takes no lock and waits for nothing. SQLite asks for the flag
    /// while it works, as it asks whether the task was cancelled (`sqlite3_progress_handler`).
    public func interrupt() { signal.isInterrupted.store(true, ordering: .relaxed) }

    /// Runs with the connection, alone.
    func withConnection<Result: Sendable>(
        _ body: (SQLiteConnection) throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        try connection.withLock { (connection) throws(StoreFailure) in
            signal.isInterrupted.store(false, ordering: .relaxed)
            return try body(connection)
        }
    }

    // MARK: Statements of the caller

    /// The rows of a statement, by storage class: integers, doubles, texts, data and nil.
    public func rows(_ sql: String, _ bindings: [Value] = []) throws(StoreFailure) -> [[Value]] {
        try writers.withLock { (_) throws(StoreFailure) in
            try withConnection { (connection) throws(StoreFailure) in
                var rows: [[Value]] = []
                try connection.run(sql, bindings) { rows.append($0.values) }
                return rows
            }
        }
    }

    // MARK: Requests

    /// What becomes of a request.
    public func plan(_ request: FetchRequest) throws(StoreFailure) -> FetchPlan {
        try planner.plan(request)
    }

    /// How SQLite runs the request's statement: the lines of EXPLAIN QUERY PLAN, indented.
    public func explain(_ request: FetchRequest) throws(StoreFailure) -> [String] {
        let plan = try plan(request)
        let rows = try rows("EXPLAIN QUERY PLAN " + plan.statement.text, plan.statement.bindings)
        var depths: [Value: Int] = [:]
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

    /// - Parameter sure: called for a row that needs no residual, instead of making an object of it.
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
                // Few rows first, so that the first comes soon.
                defer { size = min(1024, size * 4) }
                try pull(&objects, &maker, layout, token, size, plan.statement.hasSure, sure)
            })
    }

    /// The next rows of a cursor.
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
                    // One more step would begin anew.
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
        _ layout: EntityLayout, _ place: ObjectPlace, _ key: [Value], _ log: FaultLog
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
            // What is sure is counted, the rest is tested; with a limit, no further than it.
            var (sure, tested) = (0, 0)
            let all = FetchRequest(request.entity, where: request.predicate, limit: request.wanted)
            let cursor = try cursor(all, sure: request.limit == nil ? { sure += 1 } : nil)
            while try cursor.next() != nil { tested += 1 }
            return request.window(of: sure + tested)
        }
        let rows = try rows(statement.text, statement.bindings)
        guard case .integer(let count)? = rows.first?.first else { return 0 }
        return request.window(of: Int(count))
    }

    /// How many objects there are at least, and at most, in the request's window: by one statement, without testing anything
    /// in memory. Where the predicate is exact both are the count.
    ///
    ///     try store.bounds(FetchRequest("person", where: FormatPredicate("age > 60 OR name MATCHES '(?!Z).*'")))  // 12...90
    ///
    /// - Throws: all that is wrong with the request.
    public func bounds(_ request: FetchRequest) throws(StoreFailure) -> ClosedRange<Int> {
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

    /// One statement where the predicate is exact; else the keys are selected and filtered, and each row is written by its
    /// own.
    private func change(_ request: FetchRequest, _ change: SQLRequest) throws(StoreFailure) -> Int {
        if mode == .readOnly { throw .readOnly }
        // Rows that were chosen in memory are written in a transaction, into which nobody else may write.
        return try writers.withLock { (_) throws(StoreFailure) in try changeAlone(request, change) }
    }

    private func changeAlone(_ request: FetchRequest, _ change: SQLRequest) throws(StoreFailure) -> Int {
        let statement: SQLStatement
        do throws(PredicateFailure) {
            // Also what is wrong with the assignments is found here.
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
        let written: (text: String, bindings: [Value])?
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
    fileprivate func statement(_ layout: EntityLayout, _ dialect: Dialect) -> String {
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
    /// nil where there is nothing left to test.
    func matcher(_ options: EvaluationOptions) throws(StoreFailure) -> Matcher<Value>? {
        guard let residual else { return nil }
        do throws(PredicateFailure) {
            return try residual.compiled(options: options)
        } catch {
            throw .request(error)
        }
    }
}

extension PredicateFailure {
    /// Nothing is wrong but that SQL does not say it exactly.
    var isOnlyInexact: Bool { diagnostics.allSatisfy { $0.id == .sqlInexact || $0.severity != .error } }
}
