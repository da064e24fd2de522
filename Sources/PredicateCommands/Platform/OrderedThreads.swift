// Work on as many threads as there are processors, its results in order. The one place that starts threads.

import Foundation

/// What there is to do next.
enum NextWork<Work> {
    case work(Work)
    /// Nothing for now; more may come.
    case wouldWait
    case end
}

enum OrderedThreads {
    /// More threads than this are not started, since each holds work of its own in memory.
    static let maximum = 64

    /// How many threads are worth starting.
    static var available: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

    /// Does all work there is, and hands over the results in the order of the work.
    ///
    /// Only as much work is taken at a time as keeps the threads busy, so memory stays bounded; `next` and `finish` are
    /// called by one thread at a time.
    /// - Parameters:
    ///   - next: the next piece of work. Told to wait only where no work is under way, so that a result never waits for
    ///     input.
    ///   - worker: makes what does the work on one thread.
    ///   - finish: takes a result; false stops.
    /// - Throws: what `next` and `finish` throw.
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

/// The state that the threads share.
// @unchecked Sendable: all of it is used under the lock only, but for the constants; the closures are called under it too.
private final class OrderedQueue<Work: Sendable, Result: Sendable>: @unchecked Sendable {
    private let limit: Int
    private let next: (Bool) throws -> NextWork<Work>
    private let finish: (Result) throws -> Bool
    private let lock = NSCondition()
    private var taken = 0
    private var finished = 0
    /// Results that an earlier one is missing for.
    private var results: [Int: Result] = [:]
    private var isAtEnd = false
    private var isStopped = false
    private var error: (any Error)?

    init(limit: Int, next: @escaping (Bool) throws -> NextWork<Work>, finish: @escaping (Result) throws -> Bool) {
        self.limit = limit
        self.next = next
        self.finish = finish
    }

    /// Does work until there is none.
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
