// Tests that wait for another process.
import Dispatch

/// Runs a test on a thread of its own. On the threads of tasks, which are as many as there are processors, it would keep the other
/// tests from running while it waits.
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
