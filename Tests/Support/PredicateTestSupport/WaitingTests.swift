// Tests that wait for another process.
import Dispatch

/// Runs a test on a separate thread. There are only as many threads for tasks as processors; a waiting test would block
/// one and delay the other tests.
package func onOwnThread<Result>(_ body: () async throws -> sending Result) async rethrows -> Result {
    try await withTaskExecutorPreference(OwnThread()) { try await body() }
}

private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "PredicateTestSupport.OwnThread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
