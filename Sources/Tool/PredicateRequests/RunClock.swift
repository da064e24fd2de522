// The clock of a run over many records.

/// The instant of `now()`, which is the same for all records and all expressions of a run.
package final class RunClock: Sendable {
    private let instant = Mutex(SystemClock.seconds())

    package init() {}

    /// Reads the system's clock, for the next input of the prompt or the next records of a stream.
    package func advance() { instant.withLock { $0 = SystemClock.seconds() } }

    @Sendable package func seconds() -> Double { instant.withLock { $0 } }
}
