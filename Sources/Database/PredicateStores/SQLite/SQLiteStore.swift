// Opens a SQLite database as a store. SQLiteIntrospection.swift reads a schema from a database,
// SQLitePreconditions.swift checks a schema against it.

/// A store over the system's SQLite library, which is loaded when the first store is created.
///
///     let store = try SQLiteStore(path: "shop.sqlite")     // the schema is read from the database
///     let adults = try store.fetch(StoreRequest("person", where: FormatPredicate("age >= 21"), sort: [PredicateSortKey("name")]))
public typealias SQLiteStore = SQLStore<SQLiteConnection>

extension SQLStore where Connection == SQLiteConnection {
    /// The path of the database, or `:memory:`.
    public var path: String { location }

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: a file, or `:memory:`.
    ///   - schema: the entities of the tables; nil takes those that `StoreMigration` recorded, and reads the others from
    ///     the database. For a Core Data store, the codes of
    ///     entities that share a table, and the join tables, are always read from the database.
    ///   - mode: reading, writing, or creating the database.
    ///   - busyTimeout: how long a statement waits for another connection's lock, in milliseconds.
    ///   - writeAheadLog: whether to switch the database to a write-ahead log (`PRAGMA journal_mode = WAL`). The
    ///     setting is permanent and applies to all programs. Readers then do not wait for a writer, and a cursor sees
    ///     one snapshot of the database.
    ///   - foreignKeys: whether changes are checked by the tables' foreign keys, and apply delete rules. The first change
    ///     checks all rows, which takes about a second for a million keys; opening and reading do not, and `.trusted`
    ///     leaves it out.
    /// - Throws: `noLibrary`; `cannotOpen` for a file that is missing or not a database; `schema`; `otherVersion` if
    ///   the database records a version (`StoreMigration`) that lacks something that the schema names.
    public convenience init(
        path: String, schema: PredicateSchema? = nil, mode: Mode = .readOnly, busyTimeout: Duration = .seconds(5),
        writeAheadLog: Bool = false, foreignKeys: ForeignKeyEnforcement = .enforced
    ) throws(StoreFailure) {
        let flags =
            switch mode {
            case .readOnly: SQLiteCode.openReadOnly
            case .readWrite: SQLiteCode.openReadWrite
            case .create: SQLiteCode.openReadWrite | SQLiteCode.openCreate
            }
        let milliseconds = busyTimeout.milliseconds
        let connection = try SQLiteConnection(path, flags: flags, busyMilliseconds: milliseconds)
        let model: (schema: PredicateSchema, dialect: SQLDialect)
        var journal = ""
        do throws(StoreFailure) {
            // Opening reads nothing. Read something now, to detect an invalid file.
            do throws(StoreFailure) { try connection.run("PRAGMA schema_version") } catch {
                switch error {
                // The database is open, so this is about the log.
                case .readOnly, .engine(SQLiteCode.cannotOpen, _, _, _):
                    throw .cannotOpen(path: path, reason: Self.needsLog(path))
                default: throw error
                }
            }
            if writeAheadLog, mode != .readOnly { try connection.run("PRAGMA journal_mode = WAL") }
            try connection.run("PRAGMA journal_mode") { journal = $0.text(0) }
            try schema?.check(against: connection.recordedSchema())
            model = try Self.model(connection, schema)
            // Readers change nothing.
            if mode != .readOnly, foreignKeys != .off {
                try connection.enforceForeignKeys(checkingRows: foreignKeys == .enforced)
            }
        } catch {
            switch error {
            case .engine(_, let message, _, _): throw .cannotOpen(path: path, reason: message)
            case .unusable(.interrupted, _):
                let command = "sqlite3 \(Self.argument(path)) .tables"
                throw .cannotOpen(path: path, reason: "\(StoreProblem.interrupted.description): \(command)")
            case .unusable(let problem, _): throw .cannotOpen(path: path, reason: problem.description)
            default: throw error
            }
        }
        let readers =
            journal != "wal"
            ? nil
            : SQLReaders<SQLiteConnection> { () throws(StoreFailure) in
                SQLSession(try SQLiteConnection(path, flags: SQLiteCode.openReadOnly, busyMilliseconds: milliseconds))
            }
        try self.init(model.schema, model.dialect, mode, location: path, SQLSession(connection), readers)
    }

    /// The reason why a database with a write-ahead log cannot be read, with commands that help.
    /// https://www.sqlite.org/wal.html#readonly
    private static func needsLog(_ path: String) -> String {
        return "it has a write-ahead log, which needs files beside the database, and its folder takes no new file: "
            + "copy it with its log to another folder (cp \(argument(path))* FOLDER), or end the log as a user who may "
            + "write (sqlite3 \(argument(path)) 'PRAGMA journal_mode = DELETE')"
    }

    /// A path as one word of a shell.
    private static func argument(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { $0.isOfWord || "-./".utf8.contains($0) }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }

    private static func model(
        _ connection: SQLiteConnection, _ schema: PredicateSchema?
    ) throws(StoreFailure) -> (schema: PredicateSchema, dialect: SQLDialect) {
        let introspection = try SQLiteIntrospection(connection)
        let found: PredicateSchema
        if let schema {
            found = try ManagedObjectTables(connection: connection).completing(schema)
        } else {
            found = try connection.schema(recordedOver: introspection.schema())
        }
        var stored = StoredColumns()
        stored.collated = try introspection.collatedColumns(of: found)
        stored.numeric = introspection.numericColumns(of: found)
        stored.rounding = introspection.roundingColumns(of: found)
        stored.unindexedKeys = try introspection.unindexedKeys(of: found)
        stored.indexedDocuments = try introspection.indexedDocuments(of: found)
        return (found, SQLDialect.sqlite.knowing(stored))
    }

    /// Returns a store over the same connections with another schema; nil reads the current schema from the database, as
    /// for a store that is opened without one.
    ///
    ///     _ = try store.rows("ALTER TABLE person ADD COLUMN city TEXT")
    ///     store = try store.refreshed()
    ///
    /// - Throws: `schema`; `otherVersion`; errors of the engine.
    public func refreshed(schema: PredicateSchema? = nil) throws(StoreFailure) -> SQLiteStore {
        if let schema { try schema.check(against: recordedVersion()) }
        return try assuming(schema)
    }

    /// Returns a store over the same connections with a schema, without comparing it to the recorded version.
    package func assuming(_ schema: PredicateSchema?) throws(StoreFailure) -> SQLiteStore {
        let model = try writing { (connection) throws(StoreFailure) in
            let model = try Self.model(connection, schema)
            switch connection.foreignKeys.state {
            case .off: break
            // Statements of this connection left no row that refers to no row.
            case .enforced: try connection.enforceForeignKeys(checkingRows: false)
            case .unchecked, .contradicted: try connection.enforceForeignKeys(checkingRows: true)
            }
            return model
        }
        return try SQLiteStore(
            model.schema, model.dialect, mode, location: path, session, readers, gate: gate, observers: observers)
    }

    /// Returns SQLite's query plan for a request: the lines of EXPLAIN QUERY PLAN, indented.
    public func explain(_ request: StoreRequest) throws(StoreFailure) -> [String] {
        try explain(plan(request).statement)
    }

    package func explain(_ statement: SQLStatement) throws(StoreFailure) -> [String] {
        let rows = try rows("EXPLAIN QUERY PLAN " + statement.text, statement.bindings)
        var depths: [PredicateValue: Int] = [:]
        return rows.compactMap { row in
            guard row.count >= 4, case .string(let text) = row[3] else { return nil }
            let depth = depths[row[1]].map { $0 + 1 } ?? 0
            depths[row[0]] = depth
            return String(repeating: "  ", count: depth) + text
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int32 {
        let seconds = min(max(0, components.seconds), 1_000_000)
        return Int32(clamping: seconds * 1000 + max(0, components.attoseconds) / 1_000_000_000_000_000)
    }
}
