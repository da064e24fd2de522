// Connections that read while another one writes, for engines in which a reader sees an unchanged snapshot of the
// database. Each cursor has its own connection.

final class SQLReaders<Connection: SQLConnection>: Sendable {
    private struct State {
        var idle: [SQLSession<Connection>] = []
        var all: [SQLSession<Connection>] = []
    }

    /// The number of idle connections that are kept. If more cursors run at once, more connections are opened.
    private static var kept: Int { 8 }

    private let connect: @Sendable () throws(StoreFailure) -> SQLSession<Connection>
    private let state = Locked(State())

    init(_ connect: @escaping @Sendable () throws(StoreFailure) -> SQLSession<Connection>) { self.connect = connect }

    func take() throws(StoreFailure) -> SQLSession<Connection> {
        if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
        let session = try connect()
        state.withLock { $0.all.append(session) }
        return session
    }

    func give(_ session: SQLSession<Connection>) {
        state.withLock { state in
            if state.idle.count < Self.kept {
                state.idle.append(session)
            } else {
                state.all.removeAll { $0 === session }
            }
        }
    }

    func interrupt(task: Int) { for session in state.withLock({ $0.all }) { session.interrupt(task: task) } }

    func interrupt() { for session in state.withLock({ $0.all }) { session.interrupt() } }
}
