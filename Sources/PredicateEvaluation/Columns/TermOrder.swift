// In what order the terms of a compound are cheapest, where that cannot be seen.

/// A term of AND or OR.
protocol OrderedTerm {
    /// What to try first; only comparisons count.
    var cost: Int { get }
    /// Whether evaluating it for a row may raise.
    var mayRaise: Bool { get }
}

extension OrderedTerm {
    /// Cheap terms first, others in their order.
    private static func sorted(_ terms: some Sequence<Self>) -> [Self] {
        terms.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }.map(\.element)
    }

    /// The terms of a compound in the order in which they are cheapest. An object whose evaluation raises is not
    /// selected. So what may raise may stand anywhere below nothing but ANDs; elsewhere, where a term that is evaluated
    /// before it could hide that, it keeps its place.
    static func ordered(_ terms: [Self], isFree: Bool) -> [Self] {
        if isFree { return sorted(terms) }
        var result: [Self] = []
        for run in terms.split(omittingEmptySubsequences: false, whereSeparator: \.mayRaise) {
            result += sorted(run)
            if run.endIndex < terms.endIndex { result.append(terms[run.endIndex]) }
        }
        return result
    }
}
