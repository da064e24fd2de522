// Memory may fail: an integer overflows, something is divided by zero. An object for which it does is not selected, under NOT
// either (LANGUAGE C 3). So what may fail is two conditions, where memory finds true and where it finds false; AND and OR ask
// their terms from left to right.

extension Condition {
    /// Whether memory may fail to decide it.
    var isPartial: Bool {
        switch self {
        case .partial: true
        case .all(let parts), .any(let parts): parts.contains(where: \.isPartial)
        default: false
        }
    }

    /// Where memory finds it true. Nothing in it is partial.
    var truth: Condition {
        guard isPartial else { return self }
        switch self {
        case .partial(let whenTrue, _): return whenTrue
        case .all(let parts): return .every(parts.map(\.truth))
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

    /// Where memory finds it false.
    var falsity: Condition { Condition.not(self).truth }

    /// Where memory fails.
    var failure: Condition { isPartial ? .every([.not(truth), .not(falsity)]) : .constant(false) }

    /// True wherever memory finds true, and perhaps where it fails before it comes to that.
    var upperTruth: Condition {
        guard isPartial else { return self }
        switch self {
        case .partial(let whenTrue, _): return whenTrue
        case .all(let parts): return .every(parts.map(\.upperTruth))
        case .any(let parts): return .some(parts.map(\.upperTruth))
        default: return self
        }
    }

    /// How many leaves `truth` and `falsity` have, at most.
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
        case .all(let parts): return sum(parts.map(\.size), parts, isAny: false)
        case .any(let parts): return sum(parts.map(\.size), parts, isAny: true)
        default: return (1, 1)
        }
    }

    /// Whether `truth` can be written down.
    var hasSmallTruth: Bool { !isPartial || size.truth < 500 }
}
