// In what order the terms of a compound are tried.

/// A term of AND or OR.
protocol OrderedTerm {
    /// What says which to try first.
    var cost: Int { get }
    /// Whether evaluating it may raise.
    var mayRaise: Bool { get }
    /// Whether evaluating it calls what the host wrote, to read a property: terms before it may guard that code.
    var runsCode: Bool { get }
}

extension OrderedTerm {
    /// Cheap terms first, others in their order.
    private static func sorted(_ terms: some Sequence<Self>) -> [Self] {
        terms.enumerated().sorted { ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset) }.map(\.element)
    }

    /// The terms of a compound in the order in which they are cheapest. An object whose evaluation raises is not
    /// selected. So what may raise may stand anywhere below nothing but ANDs; elsewhere, where a term that is evaluated
    /// before it could hide that, it keeps its place, as does what runs the host's code.
    static func ordered(_ terms: [Self], isFree: Bool) -> [Self] {
        var result: [Self] = []
        let keepsPlace = { (term: Self) in term.runsCode || !isFree && term.mayRaise }
        for run in terms.split(omittingEmptySubsequences: false, whereSeparator: keepsPlace) {
            result += sorted(run)
            if run.endIndex < terms.endIndex { result.append(terms[run.endIndex]) }
        }
        return result
    }
}
