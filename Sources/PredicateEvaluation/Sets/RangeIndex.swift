// Which of many ranges hold a number: an interval tree in three arrays.

struct RangeIndex {
    struct Item {
        let range: ClosedRange<Double>
        let candidate: Candidate
    }

    /// By lower bound.
    private let lows: [Double]
    private let highs: [Double]
    /// For the middle of each part of the arrays, the greatest upper bound of the part.
    private let greatest: [Double]
    private let candidates: [Candidate]

    init(_ items: [Item]) {
        let items = items.sorted { $0.range.lowerBound < $1.range.lowerBound }
        lows = items.map(\.range.lowerBound)
        let highs = items.map(\.range.upperBound)
        self.highs = highs
        candidates = items.map(\.candidate)
        var greatest = highs
        func fill(_ first: Int, _ last: Int) -> Double {
            if first >= last { return -.infinity }
            let middle = (first + last) / 2
            greatest[middle] = max(highs[middle], fill(first, middle), fill(middle + 1, last))
            return greatest[middle]
        }
        _ = fill(0, items.count)
        self.greatest = greatest
    }

    /// Finds the predicates whose range holds a number.
    /// - Parameter isExact: whether the number is the value, and not the nearest double to a decimal.
    func collect(_ number: Double, isExact: Bool, _ found: inout CandidateList) {
        if number.isNaN { return }
        lows.withUnsafeBufferPointer { lows in
            highs.withUnsafeBufferPointer { highs in
                greatest.withUnsafeBufferPointer { greatest in
                    candidates.withUnsafeBufferPointer { candidates in
                        let tree = Tree(
                            lows: lows, highs: highs, greatest: greatest, candidates: candidates,
                            low: isExact ? number : number.nextDown, high: isExact ? number : number.nextUp,
                            isExact: isExact)
                        tree.visit(0, lows.count, &found)
                    }
                }
            }
        }
    }

    private struct Tree {
        let lows: UnsafeBufferPointer<Double>
        let highs: UnsafeBufferPointer<Double>
        let greatest: UnsafeBufferPointer<Double>
        let candidates: UnsafeBufferPointer<Candidate>
        let low: Double
        let high: Double
        let isExact: Bool

        /// Finds the ranges that overlap `low...high`. As deep as the logarithm of the count.
        func visit(_ first: Int, _ last: Int, _ found: inout CandidateList) {
            var (first, last) = (first, last)
            while first < last {
                let middle = (first &+ last) / 2
                if greatest[middle] < low { return }
                if lows[middle] > high {
                    last = middle
                    continue
                }
                visit(first, middle, &found)
                if highs[middle] >= low { found.add(isExact ? candidates[middle] : candidates[middle].undecided) }
                first = middle &+ 1
            }
        }
    }
}
