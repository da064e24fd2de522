// The predicates that select each of many objects: the rows of a table, or elements on all cores.

extension PredicateSet where Root == PredicateValue {
    /// Returns the identifiers for each row of a table.
    ///
    ///     let rules = try PredicateSet<Int, PredicateValue>()
    ///     let matches = rules.matching(each: table)    // matches[row]
    ///
    /// - Complexity: makes the record of each row, then takes the time of `matching(_:)`.
    public func matching(each table: PredicateTable) -> [[ID]] { (0..<table.count).map { matching(table[$0]) } }
}

extension PredicateSet where Root: Sendable {
    /// Returns the identifiers for each of many objects, on all cores.
    ///
    ///     let routes = try await rules.matching(concurrently: orders)    // as rules.matching(each: orders)
    ///
    /// Each element is matched with the predicates that the set has at that time.
    ///
    /// - Throws: `CancellationError` soon after the task is cancelled.
    public func matching(
        concurrently objects: some RandomAccessCollection<Root> & Sendable
    ) async throws -> [[ID]] {
        // A match of a set takes about two microseconds.
        try await objects.concurrentParts(cost: 2000) { self.matching(each: $0) }.flatMap { $0 }
    }
}
