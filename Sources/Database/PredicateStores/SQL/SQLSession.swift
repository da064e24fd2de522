// A connection protected by a lock, with the statements of its cursors. The lock is held while a small batch of rows is
// read, and never while a predicate is evaluated in memory.

final class SQLSession<Connection: SQLConnection>: Sendable {
    private struct State {
        let connection: Connection
        /// The rows of open cursors.
        var running: [Int: Connection.Rows] = [:]
        /// What is left of the deadlines of open cursors.
        var left: [Int: Duration] = [:]
        var lastToken = 0

        /// Keeps what is left of the deadline of an open cursor.
        mutating func end(_ time: EngineTime?, _ token: Int) {
            let rest = time?.end(connection)
            if running[token] != nil { left[token] = rest }
        }

        mutating func close(_ token: Int) {
            left[token] = nil
            running.removeValue(forKey: token)?.close()
        }
    }

    private let state: Locked<State>
    private let cancel: @Sendable () -> Void
    private let isInterrupted = Mutex(false)
    /// The task whose statement runs.
    private let owner = Locked<Int?>(nil)

    init(_ connection: sending Connection) {
        cancel = connection.cancel
        state = Locked(State(connection: connection))
    }

    /// Does not take the lock of the connection.
    func interrupt() {
        isInterrupted.withLock { $0 = true }
        cancel()
    }

    /// Interrupts the running statement if the given task runs it.
    func interrupt(task: Int) { owner.withLock { if $0 == task { cancel() } } }

    private func own() {
        let task = SQLTransaction.task
        owner.withLock { $0 = task }
    }

    private func disown() { owner.withLock { $0 = nil } }

    /// Runs `body` with exclusive access to the connection.
    ///
    /// - Parameter isNew: whether this clears an earlier interruption. False when a cursor reads on.
    func use<Result: Sendable>(
        isNew: Bool = true, _ body: (Connection) throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        try state.withLock { (state) throws(StoreFailure) in
            if isNew { isInterrupted.withLock { $0 = false } }
            own()
            defer { disown() }
            return try body(state.connection)
        }
    }

    // MARK: Cursors

    /// Begins a statement. Its rows are read with `read`.
    ///
    /// - Parameter deadline: how long the engine may work for the statement; nil is no limit.
    func begin(
        _ text: String, _ bindings: [PredicateValue], _ types: [SQLType], deadline: Duration? = nil
    ) throws(StoreFailure) -> Int {
        try state.withLock { (state) throws(StoreFailure) in
            isInterrupted.withLock { $0 = false }
            own()
            defer { disown() }
            let time = try EngineTime(deadline, state.connection)
            state.lastToken += 1
            defer { state.end(time, state.lastToken) }
            do throws(StoreFailure) {
                state.running[state.lastToken] = try state.connection.run(text, bindings, types: types)
            } catch {
                throw time?.failure(error) ?? error
            }
            return state.lastToken
        }
    }

    /// Reads rows of a cursor. Does nothing after the end.
    ///
    /// - Parameter body: returns false at the end.
    func read(_ token: Int, _ body: (Connection.Rows) throws(StoreFailure) -> Bool) throws(StoreFailure) {
        try state.withLock { (state) throws(StoreFailure) in
            guard let rows = state.running[token] else { return }
            if Task.isCancelled || isInterrupted.withLock({ $0 }) { throw StoreFailure.cancelled }
            own()
            defer { disown() }
            let time = try EngineTime(state.left[token], state.connection)
            defer { state.end(time, token) }
            do throws(StoreFailure) {
                if try !body(rows) { state.close(token) }
            } catch {
                throw time?.failure(error) ?? error
            }
        }
    }

    func end(_ token: Int) { state.withLock { $0.close(token) } }
}
