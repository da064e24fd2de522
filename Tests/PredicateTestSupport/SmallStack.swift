// Work on threads whose stacks are as small as those that an app's work may run on.
import Dispatch
import Foundation
import Synchronization

/// Runs work on a thread of its own, and waits for it.
///
/// - Parameter kilobytes: the size of its stack. 512 KB have secondary threads on Apple platforms. The address sanitizer makes
///   frames larger, so that its stacks are, too.
public func onSmallStack<Result: Sendable>(kilobytes: Int = 512, _ work: @escaping @Sendable () -> Result) -> Result {
    let result = Mutex<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let found = work()
        result.withLock { $0 = found }
        done.signal()
    }
    let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil
    thread.stackSize = (kilobytes << 10) * (isSanitized ? 8 : 1)
    thread.start()
    done.wait()
    guard let found = result.withLock({ $0 }) else { preconditionFailure("the work signals after it has a result") }
    return found
}
