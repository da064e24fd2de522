// Long work that a person may end: it is done on another thread, while this one watches the keys.

import Foundation
import Synchronization

enum Interruptible {
    /// Milliseconds between two looks: unnoticed by a person, and more than most answers take.
    private static let pause = 50

    /// The result of some work, which waits for nobody where the platform has no threads.
    ///
    /// - Parameters:
    ///   - isCancelled: whether nobody wants the result any more; asked by the caller's thread.
    ///   - interrupt: makes the work end soon, called until it has: the first time may be before there is anything to end.
    /// - Throws: what the work throws.
    static func run<Result: Sendable, Failure: Error>(
        isCancelled: () -> Bool, interrupt: () -> Void,
        _ work: @escaping @Sendable () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if canImport(Dispatch)
            let outcome = Outcome<Result, Failure>()
            let end = DispatchSemaphore(value: 0)
            DispatchQueue.global(qos: .userInitiated).async {
                outcome.result.withLock { $0 = Swift.Result(catching: work) }
                end.signal()
            }
            var isWanted = true
            while end.wait(timeout: .now() + .milliseconds(pause)) == .timedOut {
                if isWanted { isWanted = !isCancelled() }
                if !isWanted { interrupt() }
            }
            if let result = outcome.result.withLock(\.self) { return try result.get() }
        #endif
        return try work()
    }
}

#if canImport(Dispatch)
    private final class Outcome<Success: Sendable, Failure: Error>: Sendable {
        let result = Mutex<Result<Success, Failure>?>(nil)
    }
#endif
