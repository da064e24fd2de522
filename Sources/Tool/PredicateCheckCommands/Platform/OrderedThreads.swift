// Runs work on one thread per processor and delivers the results in order. The only code that starts threads.

#if canImport(Dispatch)
    import Dispatch
#endif

/// The next piece of work.
enum NextWork<Work> {
    case work(Work)
    /// No work yet; more may come.
    case wouldWait
    case end
}

enum OrderedThreads {
    /// The maximum number of threads. Each thread holds a piece of work in memory.
    static let maximum = 64

    /// The useful number of threads: the number of active processors.
    static var available: Int { max(1, SystemFile.processors) }

    /// Does all work and passes the results to `finish` in the order of the work.
    ///
    /// It takes only enough work to keep the threads busy, so memory stays bounded. `next` and `finish` are called by
    /// one thread at a time.
    /// - Parameters:
    ///   - next: returns the next piece of work. `waits` is true only if no other work is running; then `next` may
    ///     block, because no finished result has to wait for input.
    ///   - worker: creates the function that does the work on one thread.
    ///   - finish: receives a result; returning false stops.
    /// - Throws: the errors of `next` and `finish`.
    static func run<Work: Sendable, Result: Sendable>(
        threads: Int, next: @escaping (_ waits: Bool) throws -> NextWork<Work>,
        worker: @escaping @Sendable () -> (Work) -> Result, finish: @escaping (Result) throws -> Bool
    ) throws {
        let queue = OrderedQueue(limit: 2 * threads, next: next, finish: finish)
        #if canImport(Dispatch)
            if threads > 1 {
                DispatchQueue.concurrentPerform(iterations: threads) { _ in queue.work(worker()) }
                return try queue.end()
            }
        #endif
        queue.work(worker())
        try queue.end()
    }
}

/// A lock under which a thread can wait for a change that another one makes. Platforms without Dispatch have one thread.
// @unchecked Sendable: `waiting` is used only under the lock.
private final class SharedLock: @unchecked Sendable {
    #if canImport(Dispatch)
        private let free = DispatchSemaphore(value: 1)
        private let changes = DispatchSemaphore(value: 0)
        private var waiting = 0

        func lock() { free.wait() }
        func unlock() { free.signal() }

        /// Gives up the lock until a change; it may return without one.
        func wait() {
            waiting += 1
            unlock()
            changes.wait()
            lock()
            waiting -= 1
        }

        func broadcast() { for _ in 0..<waiting { changes.signal() } }
    #else
        func lock() {}
        func unlock() {}
        func wait() {}
        func broadcast() {}
    #endif
}

/// The state shared by the threads.
// @unchecked Sendable: the mutable state is used and the closures are called only under the lock; the rest is
// constant.
private final class OrderedQueue<Work: Sendable, Result: Sendable>: @unchecked Sendable {
    private let limit: Int
    private let next: (Bool) throws -> NextWork<Work>
    private let finish: (Result) throws -> Bool
    private let lock = SharedLock()
    private var taken = 0
    private var finished = 0
    /// Results that wait for an earlier result.
    private var results: [Int: Result] = [:]
    private var isAtEnd = false
    private var isStopped = false
    private var error: (any Error)?

    init(limit: Int, next: @escaping (Bool) throws -> NextWork<Work>, finish: @escaping (Result) throws -> Bool) {
        self.limit = limit
        self.next = next
        self.finish = finish
    }

    /// Does work until none is left.
    func work(_ body: (Work) -> Result) {
        lock.lock()
        defer { lock.unlock() }
        while let (number, work) = take() {
            lock.unlock()
            let result = body(work)
            lock.lock()
            results[number] = result
            finishResults()
            lock.broadcast()
        }
    }

    func end() throws {
        if let error { throw error }
    }

    private func take() -> (Int, Work)? {
        while !isAtEnd {
            let isBusy = taken > finished
            if taken - finished < limit {
                do {
                    switch try next(!isBusy) {
                    case .work(let work):
                        taken += 1
                        return (taken - 1, work)
                    case .wouldWait: break
                    case .end: isAtEnd = true
                    }
                } catch {
                    stop(error)
                }
            }
            if isAtEnd { lock.broadcast() } else if isBusy { lock.wait() }
        }
        return nil
    }

    private func finishResults() {
        while !isStopped, let result = results.removeValue(forKey: finished) {
            finished += 1
            do {
                if try !finish(result) { stop(nil) }
            } catch {
                stop(error)
            }
        }
    }

    private func stop(_ error: (any Error)?) {
        isAtEnd = true
        isStopped = true
        self.error = self.error ?? error
    }
}
