// The pending changes of one iteration over an observed list, in bounded memory.

final class ChangeFeed: Sendable {
    typealias Snapshot = ObservedResults.Snapshot
    typealias Change = ObservedResults.Change

    /// The maximum number of pending changes; above it they are merged into one.
    private static let capacity = 64

    private struct State: Sendable {
        var waiting: [Change] = []
        /// The state of the list that the iteration has already delivered.
        var seen: Snapshot
        var latest: Snapshot
        /// Whether the next change must be computed from `seen` because `waiting` is incomplete. True at first: the
        /// first change inserts everything.
        var isBehind = true
        var failure: StoreFailure?
    }

    /// Yields an element whenever a change was added.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let state: Locked<State>
    private let plan: ObservedPlan

    init(_ results: Snapshot, _ plan: ObservedPlan) {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        state = Locked(State(seen: plan.emptyResults, latest: results))
        self.plan = plan
    }

    func add(_ change: Change) {
        state.withLock { state in
            state.latest = change.results
            if state.isBehind { return }
            state.waiting.append(change)
            if state.waiting.count > Self.capacity {
                state.waiting = []
                state.isBehind = true
            }
        }
        signal.yield()
    }

    func fail(_ failure: StoreFailure) {
        state.withLock { $0.failure = failure }
        signal.yield()
        signal.finish()
    }

    /// Returns the next change; nil if there is none yet.
    func next() throws(StoreFailure) -> Change? {
        let behind = state.withLock { state -> (seen: Snapshot, latest: Snapshot)? in
            guard state.isBehind else { return nil }
            defer {
                state.isBehind = false
                state.seen = state.latest
            }
            return (state.seen, state.latest)
        }
        if let (seen, latest) = behind {
            return ResultsDifference.change(
                from: seen, to: latest.entries, TouchedEntry.all(seen.entries, latest.entries), plan)
        }
        return try state.withLock { (state) throws(StoreFailure) in
            if !state.waiting.isEmpty {
                let change = state.waiting.removeFirst()
                state.seen = change.results
                return change
            }
            if let failure = state.failure { throw failure }
            return nil
        }
    }
}
