// Runs long work that the user can cancel. The work runs on another thread while this thread watches for
// cancellation.

import Foundation
import PredicateSyntax

enum Interruptible {
    /// Milliseconds between two checks, too short for a person to notice.
    private static let pause = 50

    /// Runs `work` and returns its result. Cannot be cancelled on platforms without threads.
    ///
    /// - Parameters:
    ///   - isCancelled: polled on the caller's thread; true cancels the work.
    ///   - interrupt: makes the work end soon, besides cancelling its task. Called repeatedly until it ends; the first
    ///     call may come before the work starts.
    /// - Throws: the error of `work`.
    static func run<Result: Sendable, Failure: Error>(
        isCancelled: () -> Bool, interrupt: () -> Void = {},
        _ work: @escaping @Sendable () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if canImport(Dispatch)
            let outcome = Outcome<Result, Failure>()
            let end = DispatchSemaphore(value: 0)
            let task = Task.detached(priority: .userInitiated) {
                outcome.result.withLock { $0 = Swift.Result(catching: work) }
                end.signal()
            }
            var isWanted = true
            while end.wait(timeout: .now() + .milliseconds(pause)) == .timedOut {
                if isWanted { isWanted = !isCancelled() }
                if !isWanted {
                    task.cancel()
                    interrupt()
                }
            }
            if let result = outcome.result.withLock({ $0 }) { return try result.get() }
        #endif
        return try work()
    }
}

#if canImport(Dispatch)
    private final class Outcome<Success: Sendable, Failure: Error>: Sendable {
        let result = Mutex<Result<Success, Failure>?>(nil)
    }
#endif
