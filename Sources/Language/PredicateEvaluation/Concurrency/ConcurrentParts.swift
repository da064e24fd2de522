// Splits work over a range into parts for several threads. Distributing very small parts costs more than their work.
// With very large parts, threads wait for each other and cancellation is delayed.

/// The parts of a range.
struct ConcurrentParts: Sendable {
    /// The parts in order. Each consists of whole blocks, except the last.
    let ranges: [Range<Int>]

    /// The minimum work for a second thread, in nanoseconds. Measured on two idle processors: the break-even is about
    /// 0.1 ms, half of which is the time to wake the thread; at 0.2 ms a fifth of the time is saved.
    static let worthwhile = 200_000
    /// The work of one part, in nanoseconds. A started part runs to its end. Twenty parts distribute more
    /// evenly over two threads than three.
    static let partSize = 100_000

    /// - Parameter cost: approximate nanoseconds per element; nil means that the range must stay one part.
    init(count: Int, cost: Int?) {
        guard let cost = cost.map({ max(1, $0) }), count > Self.worthwhile / cost else {
            ranges = [0..<count]
            return
        }
        let size = (max(1, Self.partSize / cost) + RowMask.capacity - 1) / RowMask.capacity * RowMask.capacity
        ranges = stride(from: 0, to: count, by: size).map { $0..<min(count, $0 + size) }
    }

    /// Returns the results of all parts, in order. A single part runs on the calling task.
    /// - Throws: `CancellationError` if the task is cancelled before every part has started.
    func map<Result: Sendable>(_ body: @escaping @Sendable (Range<Int>) -> Result) async throws -> [Result] {
        try Task.checkCancellation()
        if ranges.count <= 1 { return ranges.map(body) }
        return try await withThrowingTaskGroup(of: (Int, Result).self) { group in
            for (index, range) in ranges.enumerated() {
                group.addTask {
                    try Task.checkCancellation()
                    return (index, body(range))
                }
            }
            var results = [Result?](repeating: nil, count: ranges.count)
            for try await (index, result) in group { results[index] = result }
            return results.compactMap { $0 }
        }
    }
}
