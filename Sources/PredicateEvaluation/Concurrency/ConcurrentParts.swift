// Work over positions, on as many threads as there are: cut into parts that are neither so small that handing them out
// costs more than doing them, nor so large that a thread waits for another, or a cancellation is noticed late.
import PredicateSyntax

/// How a range of positions is cut.
struct ConcurrentParts: Sendable {
    /// The parts in order; whole blocks but for the last.
    let ranges: [Range<Int>]

    /// Work that is worth a second thread, in nanoseconds. Measured by work of known length, whole and cut in two, on two
    /// idle processors: they draw level at about 0.1 ms, of which half is waking the thread; at 0.2 ms a fifth is gained.
    static let worthwhile = 200_000
    /// Work in one part. A part that has begun is done to its end; two threads share twenty parts more evenly than three.
    static let partSize = 100_000

    /// - Parameter cost: nanoseconds for one position, roughly; nil: it must stay one part.
    init(count: Int, cost: Int?) {
        guard let cost = cost.map({ max(1, $0) }), count > Self.worthwhile / cost else {
            ranges = [0..<count]
            return
        }
        let size = (max(1, Self.partSize / cost) + RowMask.capacity - 1) / RowMask.capacity * RowMask.capacity
        ranges = stride(from: 0, to: count, by: size).map { $0..<min(count, $0 + size) }
    }

    /// The results of all parts, in order. One part is done where it is asked for.
    /// - Throws: CancellationError where the task is cancelled before every part has begun.
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
            return results.compactMap(\.self)
        }
    }
}
