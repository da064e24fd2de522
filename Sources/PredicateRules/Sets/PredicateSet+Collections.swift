// The predicates that select each of many objects: the rows of a table, or elements on all cores.
public import PredicateEvaluation
public import PredicateSyntax

extension PredicateSet where Root == PredicateValue {
    /// Returns the identifiers for each row of a table.
    ///
    ///     let rules = try PredicateSet<Int, PredicateValue>()
    ///     let matches = rules.matching(each: table)    // matches[row]
    ///
    /// - Complexity: makes the record of each row, then takes the time of `matching(_:)`.
    public func matching(each table: PredicateTable) -> [[ID]] { (0..<table.count).map { matching(table[$0]) } }
}

extension ConcurrentElements {
    /// Returns the identifiers of the predicates of a set that select each element, on all cores.
    ///
    ///     let routes = try await orders.concurrent.matching(rules)    // as rules.matching(each: orders)
    ///
    /// Each element is matched with the predicates that the set has at that time.
    ///
    /// - Throws: `CancellationError` soon after the task is cancelled.
    public func matching<ID>(_ set: PredicateSet<ID, Base.Element>) async throws -> [[ID]] {
        // A match of a set takes about two microseconds.
        try await map(cost: 2000) { set.matching(each: $0) }.flatMap(\.self)
    }
}
