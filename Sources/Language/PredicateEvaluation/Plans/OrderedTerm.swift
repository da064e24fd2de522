// Determines the order in which the terms of AND and OR are evaluated.

protocol OrderedTerm {
    /// The estimated cost; cheaper terms are evaluated first.
    var cost: Int { get }
    /// Whether evaluation may throw.
    var mayRaise: Bool { get }
    /// Whether evaluation calls code of the app: a property getter. Terms before it may guard that code.
    var runsCode: Bool { get }
}

extension OrderedTerm {
    /// Sorts the terms of a compound by cost. An object whose evaluation throws is not selected. So if all enclosing
    /// nodes are ANDs, a term that may throw can move freely. Elsewhere it keeps its position, because a term evaluated
    /// before it could hide the error. A term that runs code of the app always keeps its position.
    /// Terms of equal cost keep their order.
    static func ordered(_ terms: [Self], mayReorder: Bool) -> [Self] {
        if terms.indices.dropFirst().allSatisfy({ terms[$0 - 1].cost <= terms[$0].cost }) { return terms }
        var result: [Self] = []
        let keepsPlace = { (term: Self) in term.runsCode || !mayReorder && term.mayRaise }
        for run in terms.split(omittingEmptySubsequences: false, whereSeparator: keepsPlace) {
            result += run.ordered { $0.cost < $1.cost }
            if run.endIndex < terms.endIndex { result.append(terms[run.endIndex]) }
        }
        return result
    }
}
