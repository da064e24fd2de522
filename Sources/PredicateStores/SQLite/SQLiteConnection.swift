// A SQLite connection: opening, preparing, binding, stepping, errors. Not Sendable: SQLiteStore keeps it behind
// its lock.
import PredicateModel
import PredicateSQL
import PredicateSyntax
import Synchronization

/// A prepared statement in use.
final class SQLiteStatement {
    let text: String
    let handle: OpaquePointer
    /// The connection's use counter when the statement was last finished.
    fileprivate var lastUse = 0

    init(_ text: String, _ handle: OpaquePointer) {
        self.text = text
        self.handle = handle
    }
}

/// Whether to interrupt running statements. SQLite reads it while it works; any thread may set it.
final class SQLiteSignal: Sendable {
    let isInterrupted = Atomic(false)
}

final class SQLiteConnection {
    let library: SQLiteLibrary
    private let handle: OpaquePointer
    private let signal: SQLiteSignal
    /// Unused prepared statements by text.
    private var idle: [String: SQLiteStatement] = [:]
    private var uses = 0
    /// Statements in use by cursors.
    private var running: [Int: SQLiteStatement] = [:]
    private var lastToken = 0

    /// The maximum number of unused prepared statements.
    static let cacheSize = 64

    init(_ path: String, flags: Int32, busyMilliseconds: Int32, signal: SQLiteSignal) throws(StoreFailure) {
        guard let library = SQLiteLibrary.shared else { throw .noLibrary(SQLiteLibrary.missing) }
        var opened: OpaquePointer?
        let code = library.open(path, &opened, flags | SQLiteCode.openNoMutex, nil)
        guard code == SQLiteCode.ok, let handle = opened else {
            let reason = (library.errorMessage(opened) ?? library.errorText(code)).map { String(cString: $0) }
            _ = library.close(opened)
            throw .cannotOpen(path: path, reason: reason ?? "code \(code)")
        }
        self.library = library
        self.handle = handle
        self.signal = signal
        _ = library.busyTimeout(handle, busyMilliseconds)
        guard SQLiteFunctions.register(library, handle) == SQLiteCode.ok else { throw failure("") }
        // The store owns both the signal and the connection, so the signal is alive as long as needed.
        library.progress(
            handle, 2000,
            { data in
                guard let data else { return 0 }
                let signal = Unmanaged<SQLiteSignal>.fromOpaque(data).takeUnretainedValue()
                return signal.isInterrupted.load(ordering: .relaxed) || Task.isCancelled ? 1 : 0
            }, Unmanaged.passUnretained(signal).toOpaque())
    }

    deinit {
        for statement in idle.values { _ = library.finalize(statement.handle) }
        for statement in running.values { _ = library.finalize(statement.handle) }
        _ = library.close(handle)
    }

    /// The last error of the connection.
    func failure(_ statement: String) -> StoreFailure {
        let code = library.extendedCode(handle)
        if code & 0xFF == SQLiteCode.interrupt { return .cancelled }
        if code & 0xFF == SQLiteCode.readOnly { return .readOnly }
        let message = library.errorMessage(handle).map { String(cString: $0) } ?? "SQLite failed"
        return .engine(code: code, message: SQLiteCode.reason(code) ?? message, statement: statement)
    }

    // MARK: Statements

    /// Prepares a statement and binds its values. The caller must call `finish`.
    func begin(_ sql: String, _ bindings: [PredicateValue]) throws(StoreFailure) -> SQLiteStatement {
        if Task.isCancelled { throw .cancelled }
        let statement: SQLiteStatement
        if let known = idle.removeValue(forKey: sql) {
            statement = known
        } else {
            var prepared: OpaquePointer?
            var text = sql
            let code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    characters.baseAddress.map {
                        library.prepare(handle, $0, Int32(clamping: characters.count), &prepared, nil)
                    } ?? SQLiteCode.ok
                }
            }
            guard code == SQLiteCode.ok, let prepared else { throw failure(sql) }
            statement = SQLiteStatement(sql, prepared)
        }
        do throws(StoreFailure) {
            for (index, value) in bindings.enumerated() { try bind(value, statement, Int32(clamping: index + 1)) }
        } catch {
            finish(statement)
            throw error
        }
        return statement
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
        let current = SQLiteRow(library, statement.handle)
        while try step(statement) { try row(current) }
    }

    /// Runs `body` in a transaction that holds the write lock from its start.
    func transaction<Result>(_ body: () throws(StoreFailure) -> Result) throws(StoreFailure) -> Result {
        try run("BEGIN IMMEDIATE")
        do throws(StoreFailure) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            try? run("ROLLBACK")
            throw error
        }
    }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(library.changes(handle)) }

    // MARK: Statements of cursors

    func beginCursor(_ sql: String, _ bindings: [PredicateValue]) throws(StoreFailure) -> Int {
        let statement = try begin(sql, bindings)
        lastToken += 1
        running[lastToken] = statement
        return lastToken
    }

    func cursor(_ token: Int) -> SQLiteStatement? { running[token] }

    func endCursor(_ token: Int) {
        if let statement = running.removeValue(forKey: token) { finish(statement) }
    }

    // MARK: Values

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
