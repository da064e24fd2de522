// Runs work on threads with small stacks, as an app's background threads have.
import Dispatch
import Foundation
import PredicateSyntax

/// The address sanitizer's options; nil if the tests run without it.
public let sanitizerOptions = ProcessInfo.processInfo.environment["ASAN_OPTIONS"]

/// Runs work on a separate thread, and waits for its end.
///
/// - Parameter kilobytes: the size of the stack. Secondary threads on Apple platforms have 512 KB. With the address
///   sanitizer the stack is larger, because the sanitizer makes frames larger.
public func onSmallStack<Result: Sendable>(kilobytes: Int = 512, _ work: @escaping @Sendable () -> Result) -> Result {
    let result = Mutex<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let found = work()
        result.withLock { $0 = found }
        done.signal()
    }
    thread.stackSize = (kilobytes << 10) * (sanitizerOptions == nil ? 1 : 8)
    thread.start()
    done.wait()
    guard let found = result.withLock({ $0 }) else { preconditionFailure("the work signals after it has a result") }
    return found
}
