// Finds the ranges that contain a number, with an interval tree in three arrays.

struct RangeIndex {
    struct Entry {
        let range: ClosedRange<Double>
        let candidate: Candidate
    }

    /// The lower bounds, sorted.
    private let lows: FixedValues<Double>
    private let highs: FixedValues<Double>
    /// The greatest upper bound of each part of the arrays, stored at the middle of the part.
    private let greatest: FixedValues<Double>
    private let candidates: FixedValues<Candidate>

    init(_ entries: [Entry], _ memory: IndexMemory) {
        let entries = entries.sorted { $0.range.lowerBound < $1.range.lowerBound }
        lows = memory.fixed(entries.map { $0.range.lowerBound })
        let highs = entries.map { $0.range.upperBound }
        self.highs = memory.fixed(highs)
        candidates = memory.fixed(entries.map { $0.candidate })
        var greatest = highs
        func fill(_ first: Int, _ last: Int) -> Double {
            if first >= last { return -.infinity }
            let middle = (first + last) / 2
            greatest[middle] = max(highs[middle], fill(first, middle), fill(middle + 1, last))
            return greatest[middle]
        }
        _ = fill(0, entries.count)
        self.greatest = memory.fixed(greatest)
    }

    /// Finds the predicates whose range contains a number.
    /// - Parameter isExact: whether the number is the value itself, and not the double nearest to a decimal.
    func collect(_ number: Double, isExact: Bool, _ found: CandidateList) {
        if number.isNaN { return }
        let tree = Tree(
            lows: lows.start, highs: highs.start, greatest: greatest.start, candidates: candidates,
            low: isExact ? number : number.nextDown, high: isExact ? number : number.nextUp, isExact: isExact)
        tree.visit(0, lows.count, found)
    }

    private struct Tree {
        let lows: UnsafePointer<Double>
        let highs: UnsafePointer<Double>
        let greatest: UnsafePointer<Double>
        let candidates: FixedValues<Candidate>
        let low: Double
        let high: Double
        let isExact: Bool

        /// Finds the ranges that overlap `low...high`. The recursion depth is the logarithm of the count.
        func visit(_ first: Int, _ last: Int, _ found: CandidateList) {
            var (first, last) = (first, last)
            while first < last {
                let middle = (first &+ last) / 2
                if greatest[middle] < low { return }
                if lows[middle] > high {
                    last = middle
                    continue
                }
                if first < middle, greatest[(first &+ middle) / 2] >= low { visit(first, middle, found) }
                if highs[middle] >= low { found.add(isExact ? candidates[middle] : candidates[middle].undecided) }
                first = middle &+ 1
            }
        }
    }
}
