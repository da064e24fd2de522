// Sorts sequences in memory by sort keys. SortReader.swift reads the values, SortColumns.swift (PredicateModel) orders
// them.

extension Sequence where Element: QueryableValue {
    /// Returns the elements sorted by sort keys, the most important key first. Elements are objects of a published
    /// type, or values such as texts, numbers and dates, whose key is `SELF`. Stable: equal elements keep their order.
    ///
    ///     let sorted = try people.sorted(by: [PredicateSortKey("age", descending: true), .localizedStandard("name")])
    ///
    /// - Throws: `PredicateFailure` for a key that the type does not publish, or whose value cannot be read.
    /// - Complexity: reads each key once for each element, then takes about as long as `sorted` with a closure. Texts
    ///   with `[l]` take some hundred nanoseconds for each comparison.
    // Inlined, so that the elements are copied by code for their type.
    @inlinable public func sorted(
        by keys: [PredicateSortKey], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> [Element] {
        let elements = Array(self)
        let order = try keys.order(of: elements, run)
        return elements.withUnsafeBufferPointer { elements in order.map { elements[$0] } }
    }
}

extension Sequence where Element == [String: Any] {
    /// Returns the dictionaries sorted by sort keys; see `sorted(by:run:)` for published types. A missing key is
    /// nil.
    /// - Throws: `argument-type` for an entry of an unsupported type.
    public func sorted(
        by keys: [PredicateSortKey], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> [Element] {
        try keys.sorted(Array(self), run)
    }
}

extension PredicateTable {
    /// Returns the rows sorted by sort keys; see `sorted(by:run:)` for published types.
    public func sorted(
        by keys: [PredicateSortKey], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> [PredicateValue] {
        try keys.sorted(self, run)
    }
}
