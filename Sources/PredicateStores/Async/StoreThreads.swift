// The threads on which async calls of stores wait for their engines, so that they block no thread of the cooperative pool.
#if canImport(Dispatch)
    import Dispatch
#endif
import Synchronization

#if canImport(Dispatch)
    /// Runs the jobs of async calls on threads of its own, each to its end.
    ///
    /// A job never waits for another job that has not begun: a transaction is one job. So a bounded number of threads cannot
    /// deadlock.
    final class StoreThreads: TaskExecutor {
        static let shared = StoreThreads()

        /// More calls wait for a thread. A store has one connection that writes and up to eight that are kept for reading.
        private static let most = 16

        private struct State {
            var waiting: [UnownedJob] = []
            /// Queues without a thread.
            var idle: [DispatchQueue] = []
            var count = 0
        }

        private let state = Mutex(State())

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let queue = state.withLock { state -> DispatchQueue? in
                state.waiting.append(job)
                if let queue = state.idle.popLast() { return queue }
                if state.count == Self.most { return nil }
                state.count += 1
                // A serial queue always gets a thread. A concurrent one shares its threads with the cooperative pool, which
                // busy engines would use up.
                return DispatchQueue(label: "PredicateStores.\(state.count)")
            }
            if let queue { queue.async { self.work(queue) } }
        }

        private func work(_ queue: DispatchQueue) {
            while let job = next(queue) { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }

        /// The next job; nil gives the queue back.
        private func next(_ queue: DispatchQueue) -> UnownedJob? {
            state.withLock { state in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                state.idle.append(queue)
                return nil
            }
        }
    }
#endif
