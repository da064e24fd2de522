// The threads on which async calls wait for the database engine, so that they block no thread of the cooperative pool.
#if canImport(Dispatch)
    import Dispatch

    /// Runs each job of an async call to its end on one of its own threads.
    ///
    /// A job never waits for another job that has not begun, because a transaction is one job. So a bounded number of
    /// threads cannot deadlock.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    final class StoreThreads: TaskExecutor {
        static let shared = StoreThreads()

        /// The maximum number of threads; further calls wait for a free one. A store has one connection that writes and
        /// keeps up to eight that read.
        private static let most = 16

        private struct State {
            var waiting: [UnownedJob] = []
            /// Queues that run no job.
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
                // A serial queue always gets a thread. Concurrent queues share their threads with the cooperative pool,
                // and busy engines would use all of them.
                return DispatchQueue(label: "PredicateStores.\(state.count)")
            }
            if let queue { queue.async { self.work(queue) } }
        }

        private func work(_ queue: DispatchQueue) {
            while let job = next(queue) { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }

        /// The next job; nil marks the queue as idle.
        private func next(_ queue: DispatchQueue) -> UnownedJob? {
            state.withLock { state in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                state.idle.append(queue)
                return nil
            }
        }
    }
#endif
