// A SQLite connection: opening, preparing, binding, stepping, errors. Not Sendable: SQLSession keeps it behind its
// lock.

/// A prepared statement in use.
final class SQLiteStatement {
    let text: String
    let handle: OpaquePointer
    /// The value of the connection's use counter when the statement was last finished.
    fileprivate var lastUse = 0

    init(_ text: String, _ handle: OpaquePointer) {
        self.text = text
        self.handle = handle
    }
}

/// A flag that interrupts running statements. SQLite reads it while it works; any thread may set it.
final class SQLiteSignal: Sendable {
    let isInterrupted = Mutex(false)
    /// The end of the running request's time.
    let deadline = Mutex<ContinuousClock.Instant?>(nil)

    var ends: Bool {
        if isInterrupted.withLock({ $0 }) || Task.isCancelled { return true }
        return deadline.withLock { $0.map { ContinuousClock.now >= $0 } ?? false }
    }
}

/// A connection to a SQLite database, which `SQLiteStore` makes.
public final class SQLiteConnection: SQLConnection {
    let library: SQLiteLibrary
    private let handle: OpaquePointer
    let signal = SQLiteSignal()
    /// Whether statements run even if the task is cancelled.
    private var isRollingBack = false
    /// Unused prepared statements by text.
    private var idle: [String: SQLiteStatement] = [:]
    private var uses = 0
    /// What `defines` found in the transaction. No other connection changes a table in it.
    private var definitions: [String: Bool] = [:]
    var foreignKeys = SQLiteForeignKeys()

    /// The maximum number of unused prepared statements.
    static let cacheSize = 64

    package init(_ path: String, flags: Int32, busyMilliseconds: Int32) throws(StoreFailure) {
        guard let library = SQLiteLibrary.shared else { throw .noLibrary(SQLiteLibrary.missing) }
        var opened: OpaquePointer?
        // Some builds of SQLite read a name that begins with "file:" as a URI.
        let file = path.hasPrefix("file:") ? "./" + path : path
        let code = library.open(file, &opened, flags | SQLiteCode.openNoMutex, nil)
        guard code == SQLiteCode.ok, let handle = opened else {
            let reason = (library.errorMessage(opened) ?? library.errorText(code)).map { String(cString: $0) }
            _ = library.close(opened)
            throw .cannotOpen(path: path, reason: reason ?? "code \(code)")
        }
        self.library = library
        self.handle = handle
        _ = library.busyTimeout(handle, busyMilliseconds)
        guard SQLiteFunctions.register(library, handle) == SQLiteCode.ok else { throw failure("") }
        // The connection owns the signal, so the pointer stays valid while the handler may be called.
        library.progress(
            handle, 2000,
            { data in
                guard let data else { return 0 }
                return Unmanaged<SQLiteSignal>.fromOpaque(data).takeUnretainedValue().ends ? 1 : 0
            }, Unmanaged.passUnretained(signal).toOpaque())
    }

    deinit {
        for statement in idle.values { _ = library.finalize(statement.handle) }
        _ = library.close(handle)
    }

    /// The last error of the connection.
    func failure(_ statement: String) -> StoreFailure {
        let code = library.extendedCode(handle)
        if code & 0xFF == SQLiteCode.interrupt { return .cancelled }
        let message = library.errorMessage(handle).map { String(cString: $0) } ?? "SQLite failed"
        if let problem = SQLiteCode.problem(code) { return .unusable(problem, statement: statement) }
        if code & 0xFF == SQLiteCode.readOnly { return .readOnly }
        if code & 0xFF == SQLiteCode.constraint { return .constraint(StoreConstraint(code: code, message)) }
        return .engine(code: code, message: message, statement: statement)
    }

    // MARK: Statements

    /// Prepares a statement and binds its values. The caller must call `finish`.
    func begin(_ sql: String, _ bindings: [PredicateValue]) throws(StoreFailure) -> SQLiteStatement {
        if Task.isCancelled, !isRollingBack { throw .cancelled }
        // An interruption affects only statements that are already running.
        signal.isInterrupted.withLock { $0 = false }
        if !definitions.isEmpty, !Self.rowVerbs.contains(where: sql.hasPrefix) { definitions = [:] }
        let statement: SQLiteStatement
        if let known = idle.removeValue(forKey: sql) {
            statement = known
        } else {
            statement = SQLiteStatement(sql, try prepareOne(sql))
        }
        do throws(StoreFailure) {
            if case .unchecked = foreignKeys.state, library.isReadOnly(statement.handle) == 0 { try checkForeignKeys() }
            let parameters = Int(library.parameterCount(statement.handle))
            if parameters != bindings.count {
                throw .engine(
                    code: 0,
                    message: "the statement has \(parameters) parameters, but there are \(bindings.count) values",
                    statement: sql)
            }
            try bind(bindings[...], statement)
        } catch {
            finish(statement)
            throw error
        }
        return statement
    }

    /// Prepares a text that must contain exactly one statement.
    private func prepareOne(_ sql: String) throws(StoreFailure) -> OpaquePointer {
        func refused(_ message: String) -> StoreFailure { .engine(code: 0, message: message, statement: sql) }
        var text = sql
        // SQLite would read only what comes before U+0000.
        if text.utf8.contains(0) { throw refused("the text has U+0000") }
        var found: OpaquePointer?
        var rest = 0
        repeat {
            var prepared: OpaquePointer?
            var end = text.utf8.count
            let code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    guard let start = characters.baseAddress else { return SQLiteCode.ok }
                    var tail: UnsafePointer<CChar>?
                    let code = library.prepare(
                        handle, start + rest, Int32(clamping: characters.count - rest), &prepared, &tail)
                    if let tail { end = tail - start }
                    return code
                }
            }
            if code != SQLiteCode.ok || (prepared != nil && found != nil) {
                let failure =
                    found == nil ? failure(sql) : refused("the text has several statements: run them one by one")
                _ = library.finalize(prepared)
                _ = library.finalize(found)
                throw failure
            }
            found = prepared ?? found
            rest = end
        } while rest < text.utf8.count
        guard let found else { throw refused("the text has no statement") }
        return found
    }

    /// Resets a statement and keeps it for reuse.
    func finish(_ statement: SQLiteStatement) {
        _ = library.reset(statement.handle)
        _ = library.clearBindings(statement.handle)
        guard idle[statement.text] == nil else {
            _ = library.finalize(statement.handle)
            return
        }
        uses += 1
        statement.lastUse = uses
        idle[statement.text] = statement
        guard idle.count > Self.cacheSize, let oldest = idle.values.min(by: { $0.lastUse < $1.lastUse }) else { return }
        idle[oldest.text] = nil
        _ = library.finalize(oldest.handle)
    }

    /// Moves to the next row. Returns false at the end.
    func step(_ statement: SQLiteStatement) throws(StoreFailure) -> Bool {
        switch library.step(statement.handle) {
        case SQLiteCode.row: return true
        case SQLiteCode.done: return false
        default: throw failure(statement.text)
        }
    }

    /// Runs a statement to its end.
    func run(
        _ sql: String, _ bindings: [PredicateValue] = [], _ row: (SQLiteRow) throws(StoreFailure) -> Void = { _ in }
    ) throws(StoreFailure) {
        let statement = try begin(sql, bindings)
        defer { finish(statement) }
        let current = SQLiteRow(library: library, handle: statement.handle)
        while try step(statement) { try row(current) }
    }

    /// What `value` returns for the last row of a statement, usually its only one; nil if there is none.
    func value<Value>(
        _ sql: String, _ bindings: [PredicateValue] = [], _ value: (SQLiteRow) -> Value
    ) throws(StoreFailure) -> Value? {
        var found: Value?
        try run(sql, bindings) { found = value($0) }
        return found
    }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(library.changes(handle)) }

    /// Whether a name is that of a view. SQLite counts no changes of views, whose triggers write to other tables.
    public func isView(_ name: String) throws(StoreFailure) -> Bool { try defines(name, "type = 'view'") }

    /// Whether a constraint of a table may delete stored rows for a new one.
    public func replacesRows(_ table: String) throws(StoreFailure) -> Bool {
        try defines(table, "type = 'table' AND sql LIKE '%REPLACE%'")
    }

    /// The greatest key that a table with AUTOINCREMENT has given to a row, even if the row is deleted; nil for other
    /// tables. https://www.sqlite.org/autoinc.html
    public func greatestGivenKey(of table: String) throws(StoreFailure) -> Int64? {
        guard try defines("sqlite_sequence", "type = 'table'") else { return nil }
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = ? COLLATE NOCASE"
        return try value(sql, [.string(table)]) { row -> Int64? in row.isNull(0) ? nil : row.integer(0) } ?? nil
    }

    /// Whether each INSERT into a table writes one row or fails: without triggers, other actions of constraints, and
    /// the rows of a view.
    func writesOneRow(into table: String) throws(StoreFailure) -> Bool {
        let isTable = "type = 'table' AND sql LIKE 'CREATE TABLE%' AND sql NOT LIKE '%CONFLICT%'"
        guard try defines(table, isTable), try !defines(table, "type = 'trigger'", by: "tbl_name") else { return false }
        return try value("SELECT 1 FROM sqlite_temp_master WHERE type = 'trigger'") { _ in true } == nil
    }

    /// The beginnings of statements that change no table's definition.
    private static let rowVerbs = ["INSERT ", "SELECT ", "UPDATE ", "DELETE ", "SAVEPOINT ", "RELEASE "]

    private func defines(
        _ name: String, _ condition: String, by column: String = "name"
    ) throws(StoreFailure) -> Bool {
        let key = name + "\0" + condition
        if let known = definitions[key] { return known }
        let sql = "SELECT 1 FROM sqlite_master WHERE \(column) = ? COLLATE NOCASE AND \(condition)"
        let isFound = try value(sql, [.string(name)]) { _ in true } ?? false
        if isInTransaction == true { definitions[key] = isFound }
        return isFound
    }

    /// Whether a text is one statement that can be prepared.
    func accepts(_ sql: String) -> Bool {
        guard let handle = try? prepareOne(sql) else { return false }
        _ = library.finalize(handle)
        return true
    }

    /// Runs a statement for each row of values. Returns the number of rows before the first that the database refuses.
    func insert(
        _ sql: String, _ rows: ArraySlice<PredicateValue>, width: Int
    ) throws(StoreFailure) -> Int {
        let statement = try begin(sql, Array(rows.prefix(width)))
        defer { finish(statement) }
        var count = 0
        var rest = rows.dropFirst(width)
        do throws(StoreFailure) {
            while true {
                while try step(statement) {}
                count += 1
                if rest.isEmpty { return count }
                _ = library.reset(statement.handle)
                try bind(rest.prefix(width), statement)
                rest = rest.dropFirst(width)
            }
        } catch {
            if error.endsImport { throw error }
            return count
        }
    }

    /// The number of rows changed by all statements, including triggers and foreign keys.
    public var totalChanges: Int? { Int(library.totalChanges(handle)) }

    /// A number that changes when other connections change the database.
    /// https://www.sqlite.org/pragma.html#pragma_data_version
    public func foreignVersion() throws(StoreFailure) -> Int64? {
        try value("PRAGMA data_version") { $0.integer(0) }
    }

    // MARK: Statements of a store

    public var cancel: @Sendable () -> Void {
        let signal = signal
        return { signal.isInterrupted.withLock { $0 = true } }
    }

    /// Statements end with `cancelled` after this instant; nil is no limit.
    func end(at instant: ContinuousClock.Instant?) { signal.deadline.withLock { $0 = instant } }

    public func run(
        _ statement: String, _ bindings: [PredicateValue], types: [SQLType]
    ) throws(StoreFailure) -> SQLiteRows {
        SQLiteRows(self, try begin(statement, bindings))
    }

    public func change(
        _ statement: String, each values: [PredicateValue], types: [SQLType]
    ) throws(StoreFailure) -> Int? {
        let begun = try begin(statement, Array(values.prefix(types.count)))
        defer { finish(begun) }
        var rest = values.dropFirst(types.count)
        var count = 0
        while true {
            while try step(begun) {}
            count += changes
            if rest.isEmpty { return count }
            _ = library.reset(begun.handle)
            try bind(rest.prefix(types.count), begun)
            rest = rest.dropFirst(max(1, types.count))
        }
    }

    /// A trigger or a constraint with `FAIL` keeps the rows before the one that fails.
    public static var changesWholly: Bool { false }

    public var isInTransaction: Bool? { library.autocommit(handle) == 0 }

    /// Takes the write lock immediately. Otherwise a later statement of the transaction could fail because another
    /// connection has it.
    public func begin() throws(StoreFailure) {
        try run("BEGIN IMMEDIATE")
        foreignKeys.areDeferred = false
    }

    public func rollback(to savepoint: String?) throws(StoreFailure) {
        isRollingBack = true
        defer { isRollingBack = false }
        try run(savepoint.map { "ROLLBACK TO SAVEPOINT " + $0 } ?? "ROLLBACK")
        if let savepoint { try run("RELEASE SAVEPOINT " + savepoint) }
    }

    // MARK: Values

    private func bind(_ values: ArraySlice<PredicateValue>, _ statement: SQLiteStatement) throws(StoreFailure) {
        var index: Int32 = 0
        for value in values {
            index += 1
            try bind(value, statement, index)
        }
    }

    private func bind(_ value: PredicateValue, _ statement: SQLiteStatement, _ index: Int32) throws(StoreFailure) {
        let code: Int32
        switch value {
        case .null, .nsNull: code = library.bindNull(statement.handle, index)
        case .bool(let flag): code = library.bindInteger(statement.handle, index, flag ? 1 : 0)
        case .integer(let number): code = library.bindInteger(statement.handle, index, number)
        case .float(let number): code = library.bindDouble(statement.handle, index, Double(number))
        case .double(let number), .date(let number): code = library.bindDouble(statement.handle, index, number)
        case .string(let text), .url(let text): code = bind(text, statement, index)
        case .uuid(let id): code = bind(id.description, statement, index)
        case .decimal(let number): code = bind(number.description, statement, index)
        case .data(let bytes):
            code =
                bytes.isEmpty
                ? library.bindEmptyBlob(statement.handle, index, 0)
                : bytes.withUnsafeBytes {
                    library.bindBlob(
                        statement.handle, index, $0.baseAddress, Int32(clamping: $0.count), SQLiteCode.copied)
                }
        case .array, .set, .dictionary, .type, .object:
            throw .engine(
                code: 0, message: "\(value.typeDescription) cannot be bound in SQLite", statement: statement.text)
        }
        if code != SQLiteCode.ok { throw failure(statement.text) }
    }

    private func bind(_ text: String, _ statement: SQLiteStatement, _ index: Int32) -> Int32 {
        var text = text
        // Bound with its length, because a text may contain U+0000.
        return text.withUTF8 { bytes in
            bytes.isEmpty
                ? withUnsafePointer(to: 0) {
                    library.bindText(statement.handle, index, $0, 0, SQLiteCode.copied)
                }
                : library.bindText(
                    statement.handle, index, bytes.baseAddress, Int32(clamping: bytes.count), SQLiteCode.copied)
        }
    }
}

extension StoreConstraint {
    /// Parses `UNIQUE constraint failed: person.id, person.name`. https://www.sqlite.org/rescode.html#constraint
    fileprivate init(code: Int32, _ message: String) {
        let kind: Kind =
            switch code >> 8 {
            case 6, 10: .primaryKey
            case 8: .unique
            case 5: .notNull
            case 3: .foreignKey
            // ON DELETE RESTRICT is a trigger of SQLite's own.
            case 7 where message.hasPrefix("FOREIGN KEY"): .foreignKey
            case 1: .check
            default: .other
            }
        let names = message.split(separator: ": ", maxSplits: 1).dropFirst().first ?? ""
        let places = kind == .check ? [] : names.replacing(", ", with: ",").split(separator: ",")
        let columns = places.map { $0.split(separator: ".", maxSplits: 1).map(String.init) }
        let isNamed = !columns.isEmpty && columns.allSatisfy { $0.count == 2 }
        self.init(
            kind, table: isNamed ? columns[0][0] : nil, columns: isNamed ? columns.map { $0[1] } : [], message: message)
    }
}
