// The interface between a store and a database: a connection that runs statements, and the rows of a statement.
// SQLStore.swift uses it; SQLite/SQLiteConnection.swift implements it.

/// A connection to a database, for `SQLStore`.
///
/// A connection need not be thread-safe: the store uses it from one thread at a time.
public protocol SQLConnection: AnyObject, SendableMetatype {
    associatedtype Rows: SQLRows

    /// Begins a statement. Other statements may run before all of its rows are read; an engine that does not allow this
    /// must read all rows here.
    ///
    /// - Parameters:
    ///   - statement: the text, with the dialect's placeholders.
    ///   - bindings: the values in the order of their placeholders. Bind them; never write them into the text.
    ///   - types: their types, in the same order.
    /// - Throws: `StoreFailure.engine`.
    func run(
        _ statement: String, _ bindings: [PredicateValue], types: [SQLType]
    ) throws(StoreFailure) -> Rows

    /// Runs a statement once for each row of values. The default runs it with `run` and reads its rows; implement this
    /// where a prepared statement is faster, or for an engine that counts changes in another way.
    ///
    /// - Parameters:
    ///   - statement: the text, with the dialect's placeholders.
    ///   - values: the values of all rows, one row after another.
    ///   - types: the types of one row; none for a statement without values, which runs once.
    /// - Returns: the number of changed rows; nil if the engine does not report it.
    /// - Throws: the first error. The rows before it stay changed; the store runs this in a transaction.
    func change(_ statement: String, each values: [PredicateValue], types: [SQLType]) throws(StoreFailure) -> Int?

    /// Whether a transaction is open; nil, the default, if the client does not report it. SQLite, for example, ends a
    /// transaction by itself in a trigger with `RAISE(ROLLBACK)`. If the state is unknown, a transaction cannot go on
    /// after an error, except after a rollback to a savepoint.
    var isInTransaction: Bool? { get }

    /// Begins a transaction. The default runs the statement `BEGIN`.
    func begin() throws(StoreFailure)

    /// Commits the transaction. The default runs the statement `COMMIT`.
    func commit() throws(StoreFailure)

    /// Undoes the changes of the transaction, or those since a savepoint, which is then released. Works even if the
    /// task is cancelled. The default runs the statements `ROLLBACK`, `ROLLBACK TO SAVEPOINT`, `RELEASE SAVEPOINT`.
    func rollback(to savepoint: String?) throws(StoreFailure)

    /// Makes the running statements end with `StoreFailure.cancelled`. It may be called from any thread at any time,
    /// and must not wait for a statement.
    var cancel: @Sendable () -> Void { get }

    // MARK: What some engines do

    /// Whether a statement that fails has changed no row; true by default.
    static var changesWholly: Bool { get }

    /// The number of rows that all statements have changed so far, with triggers and foreign keys; nil by default, if
    /// the engine does not count them.
    var totalChanges: Int? { get }

    /// Whether a name is that of a view whose changed rows the engine does not count; false by default.
    func isView(_ name: String) throws(StoreFailure) -> Bool

    /// Whether a constraint of a table may delete stored rows for a new one; false by default. Then the store writes
    /// `INSERT OR ABORT` and `UPDATE OR ABORT`.
    func replacesRows(_ table: String) throws(StoreFailure) -> Bool

    /// Lets the rows of the transaction refer to rows that it inserts later. The default does nothing.
    func deferForeignKeys() throws(StoreFailure)

    /// The greatest key that a table has given to a row, even if the row is deleted; nil by default, if it is unknown.
    func greatestGivenKey(of table: String) throws(StoreFailure) -> Int64?

    /// A number that changes when other connections change the database; nil by default, if the engine has none.
    func foreignVersion() throws(StoreFailure) -> Int64?
}

/// The rows of a statement.
public protocol SQLRows: AnyObject {
    /// Returns the next rows: at least one and about `count` at most; an empty list at the end.
    ///
    /// A value has its column's type, or is a text that the store converts by its schema: `42`, `12.50`, `t`,
    /// `2024-01-31 13:45:00`, `[1, 2]`.
    func next(_ count: Int) throws(StoreFailure) -> [[PredicateValue]]

    /// The number of rows that the statement has changed. Valid after the last row.
    var changes: Int { get }

    /// Releases the rows that were not read.
    func close()
}

/// The rows of a statement, for connections that receive all rows at once.
///
///     return SQLRowArray([[1, "Ada"]])
public final class SQLRowArray: SQLRows {
    private var rows: ArraySlice<[PredicateValue]>
    public let changes: Int

    /// - Parameters:
    ///   - rows: all rows, each with a value for each column.
    ///   - changes: the number of rows that the statement has changed.
    public init(_ rows: [[PredicateValue]], changes: Int = 0) {
        self.rows = rows[...]
        self.changes = changes
    }

    public func next(_ count: Int) -> [[PredicateValue]] {
        defer { rows = rows.dropFirst(count) }
        return Array(rows.prefix(count))
    }

    public func close() { rows = [] }
}

extension SQLConnection {
    public var isInTransaction: Bool? { nil }

    public func begin() throws(StoreFailure) { try change("BEGIN") }

    public func commit() throws(StoreFailure) { try change("COMMIT") }

    public func rollback(to savepoint: String?) throws(StoreFailure) { try undo(to: savepoint) }

    public static var changesWholly: Bool { true }
    public var totalChanges: Int? { nil }
    public func isView(_ name: String) -> Bool { false }
    public func replacesRows(_ table: String) -> Bool { false }
    public func deferForeignKeys() {}
    public func greatestGivenKey(of table: String) -> Int64? { nil }
    public func foreignVersion() -> Int64? { nil }

    /// The connection, if it is one to SQLite.
    var sqlite: SQLiteConnection? { self as? SQLiteConnection }

    func undo(to savepoint: String?) throws(StoreFailure) {
        guard let savepoint else { return _ = try change("ROLLBACK") }
        try change("ROLLBACK TO SAVEPOINT " + savepoint)
        try change("RELEASE SAVEPOINT " + savepoint)
    }

    public func change(
        _ statement: String, each values: [PredicateValue], types: [SQLType]
    ) throws(StoreFailure) -> Int? {
        var (count, rest) = (0, values[...])
        repeat {
            let rows = try run(statement, Array(rest.prefix(types.count)), types: types)
            defer { rows.close() }
            while try !rows.next(1024).isEmpty {}
            count += rows.changes
            rest = rest.dropFirst(max(1, types.count))
        } while !rest.isEmpty
        return count
    }

    /// Runs a statement to its end and returns its rows.
    func rows(
        _ statement: String, _ bindings: [PredicateValue] = [], types: [SQLType]? = nil
    ) throws(StoreFailure) -> [[PredicateValue]] {
        let rows = try run(statement, bindings, types: types ?? bindings.map { SQLType($0) ?? .text })
        defer { rows.close() }
        var found: [[PredicateValue]] = []
        while true {
            let batch = try rows.next(1024)
            if batch.isEmpty { return found }
            found += batch
        }
    }

    /// Runs a statement once and returns the number of changed rows; 0 if the engine does not report it.
    ///
    /// - Parameter types: nil if they follow from the values.
    @discardableResult
    func change(
        _ statement: String, _ bindings: [PredicateValue] = [], types: [SQLType]? = nil
    ) throws(StoreFailure) -> Int {
        try change(statement, each: bindings, types: types ?? bindings.map { SQLType($0) ?? .text }) ?? 0
    }
}
