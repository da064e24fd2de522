// Runs long work that the user can cancel. The work runs on another thread while this thread watches for
// cancellation, and does not wait for work that goes on in spite of it.

import Foundation

enum Interruptible {
    /// Milliseconds between two checks, too short for a person to notice.
    private static let pause = 50
    /// How long cancelled work may still take.
    private static let patience = Duration.milliseconds(500)

    /// Runs `work` and returns its result, and whether it was cancelled. Cannot be cancelled on platforms without
    /// threads.
    ///
    /// The result is nil if the work does not end soon after it was cancelled, such as a sort or a read of a pipe. It
    /// then goes on by itself, and its result is dropped, so it may use nothing that the caller changes later.
    ///
    /// - Parameters:
    ///   - isCancelled: polled on the caller's thread; true cancels the work.
    ///   - interrupt: makes the work end soon, besides cancelling its task. Called repeatedly until it ends; the first
    ///     call may come before the work starts.
    /// - Throws: the error of `work`.
    static func run<Result, Failure: Error>(
        isCancelled: () -> Bool, interrupt: () -> Void = {},
        _ work: @escaping () throws(Failure) -> Result
    ) throws(Failure) -> (result: Result?, wasCancelled: Bool) {
        #if canImport(Dispatch)
            let outcome = Outcome(work)
            let end = DispatchSemaphore(value: 0)
            let task = Task.detached(priority: .userInitiated) {
                outcome.result = Swift.Result(catching: outcome.work)
                end.signal()
            }
            var limit: ContinuousClock.Instant?
            while end.wait(timeout: .now() + .milliseconds(pause)) == .timedOut {
                if limit == nil, isCancelled() { limit = .now + patience }
                guard let limit else { continue }
                task.cancel()
                interrupt()
                if ContinuousClock.now > limit { return (nil, true) }
            }
            return (try outcome.result?.get(), limit != nil)
        #else
            return (try work(), false)
        #endif
    }
}

#if canImport(Dispatch)
    // @unchecked Sendable: one thread does the work and sets the result before its signal, another reads the result after
    // the signal. Work that goes on uses nothing that is changed later.
    private final class Outcome<Success, Failure: Error>: @unchecked Sendable {
        let work: () throws(Failure) -> Success
        var result: Result<Success, Failure>?

        init(_ work: @escaping () throws(Failure) -> Success) { self.work = work }
    }
#endif
