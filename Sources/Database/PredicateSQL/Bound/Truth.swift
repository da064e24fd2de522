// Conditions whose evaluation may fail, for example by integer overflow or division by zero. An object whose evaluation
// fails does not match, even under NOT (LANGUAGE C 3). So such a condition is a pair: where it is true, and where it is
// false. AND and OR evaluate their terms from left to right.

extension Condition {
    /// Whether evaluation may fail.
    var isPartial: Bool {
        switch self {
        case .partial: true
        case .all(let parts), .any(let parts): parts.contains { $0.isPartial }
        default: false
        }
    }

    /// Holds where evaluation gives true. Contains no partial conditions.
    var truth: Condition {
        guard isPartial else { return self }
        switch self {
        case .partial(let whenTrue, _): return whenTrue
        case .all(let parts): return .every(parts.map { $0.truth })
        case .any(let parts):
            var before: [Condition] = []
            var choices: [Condition] = []
            for part in parts {
                choices.append(.every(before + [part.truth]))
                if part.isPartial { before.append(part.falsity) }
            }
            return .some(choices)
        default: return self
        }
    }

    /// Holds where evaluation gives false. Contains no partial conditions.
    var falsity: Condition { Condition.not(self).truth }

    /// Holds where evaluation fails.
    var failure: Condition { isPartial ? .every([.not(truth), .not(falsity)]) : .constant(false) }

    /// Upper bound: may also hold where evaluation fails.
    var upperTruth: Condition {
        guard isPartial else { return self }
        switch self {
        case .partial(let whenTrue, _): return whenTrue
        case .all(let parts): return .every(parts.map { $0.upperTruth })
        case .any(let parts): return .some(parts.map { $0.upperTruth })
        default: return self
        }
    }

    /// The estimated number of leaves in `truth` and in `falsity`.
    private var size: (truth: Int, falsity: Int) {
        func sum(_ sizes: [(truth: Int, falsity: Int)], _ parts: [Condition], isAny: Bool) -> (Int, Int) {
            var (all, some, before) = (0, 0, 0)
            for (size, part) in zip(sizes, parts) {
                let (good, bad) = isAny ? (size.truth, size.falsity) : (size.falsity, size.truth)
                all += bad
                some += before + good
                if part.isPartial { before += bad }
            }
            let cap = 1 << 20
            return isAny ? (min(cap, some), min(cap, all)) : (min(cap, all), min(cap, some))
        }
        switch self {
        case .all(let parts): return sum(parts.map { $0.size }, parts, isAny: false)
        case .any(let parts): return sum(parts.map { $0.size }, parts, isAny: true)
        default: return (1, 1)
        }
    }

    /// Whether `truth` is small enough to use.
    var hasSmallTruth: Bool { !isPartial || size.truth < 500 }
}
