// Transactions of a store. All reads and changes of the task that began a transaction belong to it. Other tasks wait,
// or read the state before the transaction.

/// An open transaction.
final class SQLTransaction: Sendable {
    /// The open transactions of all stores, outermost first. A child task inherits the list, but the transactions do
    /// not belong to it.
    @TaskLocal static var all: [SQLTransaction] = []

    private let session: ObjectIdentifier
    private let task: Int?
    private let isOpen = Mutex(true)
    /// The number of open savepoints.
    private let savepoints = Mutex(0)
    /// Whether `BEGIN` was run. A single statement needs no transaction of its own.
    let isBegun = Mutex(false)
    /// Why nothing more can be done in the transaction.
    private let failure = Locked<StoreFailure?>(nil)
    /// The changes so far, if lists observe the store.
    let changes = Locked(StoreChanges())

    init(on session: AnyObject) {
        self.session = ObjectIdentifier(session)
        task = Self.task
    }

    static var task: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// This task's transaction on a session, if any.
    static func current(on session: AnyObject) -> SQLTransaction? {
        let all = all
        if all.isEmpty { return nil }
        let task = task
        return all.last {
            $0.session == ObjectIdentifier(session) && $0.task == task && $0.isOpen.withLock { $0 }
        }
    }

    func end() { isOpen.withLock { $0 = false } }

    /// Throws the failure that ended the transaction.
    func check() throws(StoreFailure) { if let failure = failure.withLock({ $0 }) { throw failure } }

    /// Notes the failure that ended the transaction, and returns the first one. nil goes on after a rollback to a
    /// savepoint.
    @discardableResult
    func note(_ new: StoreFailure?) -> StoreFailure? {
        failure.withLock { failure in
            failure = new == nil ? nil : failure ?? new
            return failure
        }
    }

    /// Runs `body` with a name for a savepoint that no open one has. The next one takes it again, and with it the
    /// prepared statements.
    func withSavepoint<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        let number = savepoints.withLock { count in
            count += 1
            return count
        }
        defer { savepoints.withLock { $0 -= 1 } }
        return try body("predicate_\(number)")
    }
}

extension SQLStore {
    /// Runs `body` in a transaction: all of its changes are made, or none if it throws.
    ///
    ///     try store.transaction {
    ///         try store.delete(StoreRequest("order", where: old))
    ///         try store.insert(orders, into: "order")
    ///     }
    ///
    /// All reads and changes of this task on the store inside `body` are part of the transaction. Other tasks wait,
    /// except that readers of a SQLite database with a write-ahead log see the state before the transaction. Inside
    /// another transaction of the same task, this one is a savepoint: if `body` throws and the caller catches the
    /// error, the outer transaction continues without these changes. DuckDB has no savepoints: there the outer one cannot
    /// continue.
    ///
    /// - Throws: what `body` throws; `readOnly`; errors of the engine, such as `unusable(.locked)`.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        if mode == .readOnly { throw StoreFailure.readOnly }
        if let outer = SQLTransaction.current(on: session) { return try nested(outer, body) }
        return try exclusively { transaction in try committing(transaction, body) }
    }

    /// Runs `body` while no other task uses the writing connection. `body` begins the transaction if it needs one.
    func exclusively<Value>(_ body: (SQLTransaction) throws -> Value) throws -> Value {
        var result: Result<Value, any Error>?
        gate.withLock { _ in
            let transaction = SQLTransaction(on: session)
            defer { transaction.end() }
            result = Result {
                try SQLTransaction.$all.withValue(SQLTransaction.all + [transaction]) { try body(transaction) }
            }
        }
        guard let result else { throw StoreFailure.cancelled }
        return try result.get()
    }

    private func committing<Value>(_ transaction: SQLTransaction, _ body: () throws -> Value) throws -> Value {
        try session.use { (connection) throws(StoreFailure) in try connection.begin() }
        transaction.isBegun.withLock { $0 = true }
        let value: Value
        do {
            value = try body()
            // A body may catch the error of a statement that ended the transaction.
            try transaction.check()
            try session.use { (connection) throws(StoreFailure) in try connection.commit() }
        } catch {
            // The engine may already have rolled back by itself.
            try? session.use { (connection) throws(StoreFailure) in try connection.rollback(to: nil) }
            throw error
        }
        // Lists read the store after the commit.
        transaction.isBegun.withLock { $0 = false }
        observers.tell(transaction.changes.withLock { $0 }, of: self)
        return value
    }

    private func nested<Value>(_ outer: SQLTransaction, _ body: () throws -> Value) throws -> Value {
        guard dialect.changes.hasSavepoints else { return try joined(outer, body) }
        return try outer.withSavepoint { try nested(outer, in: $0, body) }
    }

    private func nested<Value>(
        _ outer: SQLTransaction, in savepoint: String, _ body: () throws -> Value
    ) throws -> Value {
        let known = outer.changes.withLock { $0 }
        // Outside of a transaction, a savepoint would begin one.
        try outer.check()
        try session.use { (connection) throws(StoreFailure) in _ = try connection.change("SAVEPOINT " + savepoint) }
        do {
            let value = try body()
            try outer.check()
            try session.use { (connection) throws(StoreFailure) in
                _ = try connection.change("RELEASE SAVEPOINT " + savepoint)
            }
            return value
        } catch {
            outer.changes.withLock { $0 = known }
            try session.use { (connection) throws(StoreFailure) in
                do throws(StoreFailure) {
                    // Fails if the database has ended the transaction.
                    try connection.rollback(to: savepoint)
                    outer.note(nil)
                } catch let rollback {
                    outer.note(.transactionEnded(reason: ((error as? StoreFailure) ?? rollback).reason))
                }
            }
            throw error
        }
    }

    /// Runs a transaction as a part of an outer one, which cannot go on if `body` throws.
    private func joined<Value>(_ outer: SQLTransaction, _ body: () throws -> Value) throws -> Value {
        try outer.check()
        do {
            let value = try body()
            try outer.check()
            return value
        } catch {
            let reason = (error as? StoreFailure)?.reason ?? "\(error)"
            outer.note(.transactionEnded(reason: reason + "; \(dialect.name) has no savepoints"))
            throw error
        }
    }

    /// Runs a transaction whose body throws only `StoreFailure`.
    func atomically<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value {
        try StoreFailure.only { try transaction(body) }
    }

    /// Runs a part of a transaction. If the transaction then no longer exists, nothing more is done in it: each
    /// statement would be stored at once.
    private func part<Value: Sendable>(
        of transaction: SQLTransaction, _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        guard transaction.isBegun.withLock({ $0 }) else { return try body() }
        try transaction.check()
        var failure: StoreFailure?
        do throws(StoreFailure) {
            let value = try body()
            if try isInTransaction() != false { return value }
        } catch {
            failure = error
        }
        let isOpen = try isInTransaction()
        guard let failure else {
            throw transaction.note(.transactionEnded(reason: "a statement in it was COMMIT or ROLLBACK")) ?? .cancelled
        }
        if isOpen == true || isOpen == nil && !failure.isOfEngine { throw failure }
        let ended: StoreFailure =
            switch failure {
            case .cancelled, .deadlineExceeded, .unusable: failure
            default: .transactionEnded(reason: failure.reason)
            }
        transaction.note(ended)
        throw isOpen == nil ? failure : ended
    }

    private func isInTransaction() throws(StoreFailure) -> Bool? {
        try session.use(isNew: false) { (connection) in connection.isInTransaction }
    }

    /// Runs a statement that changes several rows, all or none of them.
    func wholly<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value {
        Connection.changesWholly ? try body() : try atomically(body)
    }

    // MARK: Changes for lists

    /// Runs `body`, which changes rows of a table. If lists observe the store, `body` runs in a transaction, and the
    /// lists are updated afterwards.
    ///
    /// - Parameter body: its argument says whether to return the primary keys of the rows before and after the change;
    ///   it returns nil if they are unknown.
    func recording<Value: Sendable>(
        _ table: String, _ body: (Bool) throws(StoreFailure) -> (Value, count: Int, keys: [[PredicateValue]]?)
    ) throws(StoreFailure) -> Value {
        func record(in transaction: SQLTransaction) throws(StoreFailure) -> Value {
            if observers.isEmpty { return try body(false).0 }
            let before = try totalChanges()
            let (value, count, keys) = try body(true)
            let after = try totalChanges()
            let isUncounted = try session.use { (connection) throws(StoreFailure) in try connection.isView(table) }
            transaction.changes.withLock { changes in
                changes.add(keys, of: table)
                // Triggers or foreign keys have changed other rows. SQLite does not count the rows that the triggers of
                // a view change.
                if let before, let after, after - before > count || isUncounted { changes.addUnknown() }
            }
            return value
        }
        if let transaction = SQLTransaction.current(on: session) { return try record(in: transaction) }
        return try StoreFailure.only {
            try exclusively { transaction in
                observers.isEmpty
                    ? try record(in: transaction)
                    : try committing(transaction) { try record(in: transaction) }
            }
        }
    }

    /// Runs a statement of the caller, which may change any row.
    func recordingUnknown<Value: Sendable>(
        _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        func run(_ tell: () -> Void) throws(StoreFailure) -> Value {
            if observers.isEmpty { return try body() }
            let before = try totalChanges()
            let value = try body()
            let after = try totalChanges()
            // If the engine does not count changes, assume that there are some.
            if before == nil || before != after { tell() }
            return value
        }
        if let transaction = SQLTransaction.current(on: session) {
            return try run { transaction.changes.withLock { $0.addUnknown() } }
        }
        return try StoreFailure.only { try exclusively { _ in try run { observers.tell(.unknown, of: self) } } }
    }

    /// The number of rows that the writing connection has changed so far; nil if the engine does not count them.
    private func totalChanges() throws(StoreFailure) -> Int? {
        try session.use { (connection) in connection.totalChanges }
    }

    // MARK: Waiting for transactions

    /// Runs `body` while no other task has a transaction on the session.
    func alone<Value: Sendable>(
        on used: SQLSession<Connection>, _ body: () throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        if used !== session || mode == .readOnly { return try body() }
        if let transaction = SQLTransaction.current(on: session) { return try part(of: transaction, body) }
        return try gate.withLock { (_) throws(StoreFailure) in try body() }
    }

    /// Returns a session for reading. The caller must return it.
    func reader() throws(StoreFailure) -> SQLSession<Connection> {
        guard let readers, SQLTransaction.current(on: session) == nil else { return session }
        return try readers.take()
    }

    func giveBack(_ reader: SQLSession<Connection>) { if reader !== session { readers?.give(reader) } }

    /// Runs `body` with a connection for reading.
    func reading<Value: Sendable>(
        isNew: Bool = true, _ body: (Connection) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        let reader = try reader()
        defer { giveBack(reader) }
        return try alone(on: reader) { () throws(StoreFailure) in try reader.use(isNew: isNew, body) }
    }

    /// Runs `body` with the writing connection.
    func writing<Value: Sendable>(
        _ body: (Connection) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        try alone(on: session) { () throws(StoreFailure) in try session.use(body) }
    }
}
