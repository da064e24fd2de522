// A connection over an ADBC driver. ADBCRows.swift reads the rows of a statement; ArrowBinding.swift creates the batch
// that binds its values.
import CArrow

/// A connection over an ADBC driver, for `SQLStore`.
///
///     let driver = try ADBCDriver("libduckdb.so")
///     let connection = try ADBCConnection(driver, ["path": "shop.duckdb"])
///     let store = try SQLStore(schema: schema, dialect: .duckDB, connection: connection)
///
/// Rows arrive in batches of columns. Drivers run one statement at a time. So if another statement begins before the
/// last row was read, the remaining batches are read first and kept in memory.
public final class ADBCConnection: SQLConnection {
    private let handle: ADBCHandle
    /// The rows of the last statement, which may not be at their end.
    private weak var open: ADBCRows?
    /// Whether statements run even if the task is cancelled.
    private var isRollingBack = false

    /// Connects to a database.
    ///
    /// - Parameters:
    ///   - driver: the driver of the database.
    ///   - options: the driver's options, such as `uri`, `username` and `password`. Those whose names begin with
    ///     `adbc.connection.` are set for the connection, the others for the database.
    /// - Throws: `cannotOpen` with the driver's reason.
    public init(_ driver: ADBCDriver, _ options: [String: String] = [:]) throws(StoreFailure) {
        do throws(StoreFailure) {
            handle = try ADBCHandle(driver, options)
        } catch {
            let reason = if case .engine(_, let message, _, _) = error { message } else { error.description }
            throw .cannotOpen(path: Self.shown(options) ?? driver.library, reason: reason)
        }
    }

    /// A text for messages that names the database without a password: of an address, the part before `@` and the part
    /// after `?` are left out. Other texts are not shown, because they may contain a password anywhere.
    private static func shown(_ options: [String: String]) -> String? {
        if let path = options["path"] { return path }
        guard let parts = options["uri"]?.split(separator: "://", maxSplits: 1), parts.count == 2 else { return nil }
        let place = parts[1].prefix { $0 != "?" && $0 != ";" }
        return "\(parts[0])://\(place.split(separator: "@").last ?? "")"
    }

    public var cancel: @Sendable () -> Void { { [handle] in handle.cancel() } }

    public func rollback(to savepoint: String?) throws(StoreFailure) {
        isRollingBack = true
        defer { isRollingBack = false }
        try undo(to: savepoint)
    }

    public func run(
        _ statement: String, _ bindings: [PredicateValue], types: [SQLType]
    ) throws(StoreFailure) -> ADBCRows {
        let rows = try ADBCRows(try prepared(statement, bindings, types))
        open = rows
        return rows
    }

    /// Does not ask the driver for rows, because some drivers count changed rows only then.
    public func change(
        _ statement: String, each values: [PredicateValue], types: [SQLType]
    ) throws(StoreFailure) -> Int? {
        let made = try prepared(statement, Array(values.prefix(types.count)), types)
        var rest = values.dropFirst(types.count)
        var count: Int? = 0
        while true {
            let changed = try made.change()
            count = changed.flatMap { changed in count.map { $0 + changed } }
            if rest.isEmpty { return count }
            if Task.isCancelled || handle.isCancelled.withLock({ $0 }) { throw .cancelled }
            try made.bind(Array(rest.prefix(types.count)), types)
            rest = rest.dropFirst(max(1, types.count))
        }
    }

    private func prepared(
        _ statement: String, _ bindings: [PredicateValue], _ types: [SQLType]
    ) throws(StoreFailure) -> ADBCStatement {
        if Task.isCancelled, !isRollingBack { throw .cancelled }
        open?.readAhead()
        handle.isCancelled.withLock { $0 = false }
        return try ADBCStatement(handle, statement, bindings, types)
    }

    /// The name of the database engine, as the driver gives it: `PostgreSQL`. nil if it gives none.
    package func vendor() throws(StoreFailure) -> String? {
        let stream = try ArrowStream(handle.driver, "") { (table, stream, error) in
            var code: UInt32 = 0
            return table.pointee.ConnectionGetInfo?(self.handle.connection, &code, 1, stream, error)
        }
        while let batch = try stream.next() {
            for row in 0..<batch.length {
                let values = batch.columns.map { $0.value(at: row) }
                if values.count == 2, values[0] == .integer(0), case .string(let name)? = values[1] { return name }
            }
        }
        return nil
    }
}

/// The database and the connection of a driver. Released together with the last statement and the last cancelling
/// closure that uses them.
// @unchecked Sendable: a driver may be cancelled from any thread; all other calls come from one thread at a time, which
// SQLSession ensures.
final class ADBCHandle: @unchecked Sendable {
    let driver: ADBCDriver
    let connection = UnsafeMutablePointer<AdbcConnection>.allocate(capacity: 1)
    private let database = UnsafeMutablePointer<AdbcDatabase>.allocate(capacity: 1)
    private var hasDatabase = false
    private var hasConnection = false
    /// Whether the running statement must end. Checked between batches, for drivers that cannot cancel.
    let isCancelled = Mutex(false)

    init(_ driver: ADBCDriver, _ options: [String: String]) throws(StoreFailure) {
        self.driver = driver
        database.initialize(to: AdbcDatabase())
        connection.initialize(to: AdbcConnection())
        let options = options.sorted { $0.key < $1.key }
        let isOfConnection = { (name: String) in name.hasPrefix("adbc.connection.") }
        try driver.call { [database] in $0.pointee.DatabaseNew?(database, $1) }
        hasDatabase = true
        for (name, value) in options where !isOfConnection(name) {
            try driver.call { [database] in $0.pointee.DatabaseSetOption?(database, name, value, $1) }
        }
        try driver.call { [database] in $0.pointee.DatabaseInit?(database, $1) }
        try driver.call { [connection] in $0.pointee.ConnectionNew?(connection, $1) }
        hasConnection = true
        for (name, value) in options where isOfConnection(name) {
            try driver.call { [connection] in $0.pointee.ConnectionSetOption?(connection, name, value, $1) }
        }
        try driver.call { [connection, database] in $0.pointee.ConnectionInit?(connection, database, $1) }
    }

    deinit {
        if hasConnection { try? driver.call { [connection] in $0.pointee.ConnectionRelease?(connection, $1) } }
        if hasDatabase { try? driver.call { [database] in $0.pointee.DatabaseRelease?(database, $1) } }
        connection.deallocate()
        database.deallocate()
    }

    func cancel() {
        isCancelled.withLock { $0 = true }
        // A driver of ADBC 1.0 cannot cancel.
        try? driver.call { [connection] in $0.pointee.ConnectionCancel?(connection, $1) }
    }
}

/// A statement with its values, ready to run.
final class ADBCStatement {
    let handle: ADBCHandle
    let text: String
    private let statement = UnsafeMutablePointer<AdbcStatement>.allocate(capacity: 1)
    private var isMade = false

    init(
        _ handle: ADBCHandle, _ text: String, _ bindings: [PredicateValue], _ types: [SQLType]
    ) throws(StoreFailure) {
        self.handle = handle
        self.text = text
        statement.initialize(to: AdbcStatement())
        let driver = handle.driver
        guard !text.utf8.contains(0) else {
            throw .engine(code: 5, message: "the text has U+0000", statement: text)
        }
        try driver.call(text) { [statement] in $0.pointee.StatementNew?(handle.connection, statement, $1) }
        isMade = true
        try driver.call(text) { [statement] in $0.pointee.StatementSetSqlQuery?(statement, text, $1) }
        if bindings.isEmpty { return }
        try driver.call(text) { [statement] in $0.pointee.StatementPrepare?(statement, $1) }
        try bind(bindings, types)
    }

    /// Sets the values of the next run.
    func bind(_ bindings: [PredicateValue], _ types: [SQLType]) throws(StoreFailure) {
        let batch = try ArrowBinding(bindings, types, text)
        try handle.driver.call(text) { [statement] in
            $0.pointee.StatementBind?(statement, batch.array, batch.schema, $1)
        }
    }

    deinit {
        if isMade { try? handle.driver.call { [statement] in $0.pointee.StatementRelease?(statement, $1) } }
        statement.deallocate()
    }

    /// Runs it without reading rows, and returns the number of changed rows; nil if the driver does not report it.
    func change() throws(StoreFailure) -> Int? {
        var changes: Int64 = -1
        try handle.driver.call(text) { [statement] in
            $0.pointee.StatementExecuteQuery?(statement, nil, &changes, $1)
        }
        return changes < 0 ? nil : Int(changes)
    }

    /// Runs the statement. Returns its rows, and the number of changed rows if the driver reports it.
    func run() throws(StoreFailure) -> (rows: ArrowStream, changes: Int) {
        var changes: Int64 = -1
        let stream = try ArrowStream(handle.driver, text) { [statement] in
            $0.pointee.StatementExecuteQuery?(statement, $1, &changes, $2)
        }
        return (stream, max(0, Int(changes)))
    }
}
