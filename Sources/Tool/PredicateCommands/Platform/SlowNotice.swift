// Writes to standard error, while a database is still busy, why a query takes long.

import Foundation

/// Text for a person who waits for a query, written once when the database has worked for some time.
// @unchecked Sendable: `tell` is called only under the lock, while the caller of `wait` cannot go on.
final class SlowNotice: @unchecked Sendable {
    /// The time after which a person wonders.
    static let patience = Duration.seconds(5)

    private struct State {
        /// The time of the database before the present call.
        var before = Duration.zero
        /// When the present call began; nil outside of a call.
        var begin: ContinuousClock.Instant?
    }

    private let patience: Duration
    private let state = Mutex(State())
    private let tell: () -> Void

    /// - Parameter tell: called once, on another thread, during a call of `wait`, which does not return meanwhile; nil
    ///   does nothing.
    init(after patience: Duration = patience, tell: (() -> Void)?) {
        self.patience = patience
        self.tell = tell ?? {}
        if tell != nil { look(after: patience) }
    }

    /// Runs a call of the database.
    func wait<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        state.withLock { $0.begin = .now }
        defer {
            state.withLock { state in
                if let begin = state.begin { state.before += .now - begin }
                state.begin = nil
            }
        }
        return try body()
    }

    private func look(after time: Duration) {
        #if canImport(Dispatch)
            let milliseconds = max(10, Int(time / .milliseconds(1)))
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
                self?.look()
            }
        #endif
    }

    private func look() {
        let left = state.withLock { state -> Duration? in
            guard let begin = state.begin else { return max(.milliseconds(250), patience - state.before) }
            let left = patience - state.before - (.now - begin)
            guard left <= .zero else { return left }
            tell()
            return nil
        }
        if let left { look(after: left) }
    }
}

extension FetchPlan {
    /// The text about missing indexes; nil if there are none.
    var slowness: String? {
        let missing = statement.query.improvements.filter { $0.options == nil }
        if missing.isEmpty { return nil }
        let lines = missing.flatMap { $0.description.split(separator: "\n").map { "  " + $0 } }
        return (["the query takes long:"] + lines).joined(separator: "\n")
    }
}
