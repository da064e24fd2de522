// The deadline of a request: limits the time in which an engine works for it.
#if canImport(Dispatch)
    import Dispatch
#endif

/// The time of an engine for one call, until `end`.
struct EngineTime {
    private let limit: Duration
    private let start = ContinuousClock.now
    private let alarm: Alarm?

    /// Begins the time. nil if there is no deadline.
    ///
    /// - Parameter left: what is left of the deadline.
    /// - Throws: `deadlineExceeded`.
    init?(_ left: Duration?, _ connection: some SQLConnection) throws(StoreFailure) {
        guard let left else { return nil }
        if left <= .zero { throw .deadlineExceeded }
        limit = left
        if let sqlite = connection.sqlite {
            sqlite.end(at: start + limit)
            alarm = nil
        } else {
            alarm = Alarm(after: limit, connection.cancel)
        }
    }

    /// Ends the time and returns what is left of the deadline.
    func end(_ connection: some SQLConnection) -> Duration {
        connection.sqlite?.end(at: nil)
        alarm?.stop()
        return limit - (ContinuousClock.now - start)
    }

    /// Returns `deadlineExceeded` if the time is the reason why a statement was cancelled; else the same failure.
    func failure(_ failure: StoreFailure) -> StoreFailure {
        guard case .cancelled = failure, !Task.isCancelled, ContinuousClock.now >= start + limit else { return failure }
        return .deadlineExceeded
    }
}

extension SQLConnection {
    /// Runs statements in at most the given time; nil is no limit.
    ///
    /// - Throws: `deadlineExceeded`.
    func limited<Result>(
        to deadline: Duration?, _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        let time = try EngineTime(deadline, self)
        defer { _ = time?.end(self) }
        do throws(StoreFailure) { return try body() } catch { throw time?.failure(error) ?? error }
    }
}

/// Calls a closure after some time, unless it is stopped before. Where there are no threads, it never calls it; then
/// the time is tested between two batches of rows.
private struct Alarm {
    private let isActive = Locked(true)

    init(after time: Duration, _ ring: @escaping @Sendable () -> Void) {
        #if canImport(Dispatch)
            let (seconds, attoseconds) = time.components
            let nanoseconds =
                Int(clamping: min(seconds, 1_000_000_000)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [isActive] in
                // Under the lock, so that a later statement is not cancelled.
                isActive.withLock { if $0 { ring() } }
            }
        #endif
    }

    func stop() { isActive.withLock { $0 = false } }
}
