// Filtering sequences and collections by a matcher. `count`, `indices`, `first` and `contains` copy no elements and are
// the fast forms; `filter` copies what it selects. An array of structs, or whatever else offers its elements contiguously,
// is tested in blocks (Matcher+Blocks.swift); anything else one by one, with the same answers.
public import PredicateModel
public import PredicateSyntax

extension Sequence {
    /// The elements that satisfy the predicate, in order.
    public func filter(_ matcher: Matcher<Element>) -> [Element] {
        if let known = withContiguousStorageIfAvailable(matcher.elements) ?? nil { return known }
        var run = Matcher<Element>.Run(matcher)
        var result: [Element] = []
        for element in self where run.matches(element) { result.append(element) }
        return result
    }

    /// How many elements satisfy the predicate.
    public func count(matching matcher: Matcher<Element>) -> Int {
        if let known = withContiguousStorageIfAvailable(matcher.count) ?? nil { return known }
        var run = Matcher<Element>.Run(matcher)
        var count = 0
        for element in self where run.matches(element) { count += 1 }
        return count
    }

    /// The first element that satisfies the predicate.
    public func first(matching matcher: Matcher<Element>) -> Element? {
        let known = withContiguousStorageIfAvailable { objects in
            matcher.firstPosition(in: objects).map { $0 < 0 ? nil : objects[$0] }
        }
        if case .some(.some(let element)) = known { return element }
        var run = Matcher<Element>.Run(matcher)
        for element in self where run.matches(element) { return element }
        return nil
    }

    /// Whether some element satisfies the predicate.
    public func contains(matching matcher: Matcher<Element>) -> Bool {
        if let known = withContiguousStorageIfAvailable(matcher.firstPosition) ?? nil { return known >= 0 }
        var run = Matcher<Element>.Run(matcher)
        for element in self where run.matches(element) { return true }
        return false
    }
}

extension Collection {
    /// The indices of the elements that satisfy the predicate, in order.
    public func indices(matching matcher: Matcher<Element>) -> [Index] {
        if let known = withContiguousStorageIfAvailable(matcher.positions) ?? nil {
            var index = startIndex
            var position = 0
            return known.map { next in
                formIndex(&index, offsetBy: next - position)
                position = next
                return index
            }
        }
        var run = Matcher<Element>.Run(matcher)
        return indices.filter { run.matches(self[$0]) }
    }
}

extension Sequence where Element: Queryable {
    /// The elements that satisfy the predicate, which is bound once for this call.
    ///
    ///     let adults = try people.filter(FormatPredicate("age >= 21"))
    ///
    /// - Throws: what `compiled(for:)` throws.
    public func filter(
        _ predicate: FormatPredicate, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> [Element] {
        filter(try predicate.compiled(for: Element.self, variables: variables, options: options))
    }
}

extension Sequence where Element == Value {
    /// The values that satisfy the predicate, which is compiled once for this call.
    /// - Throws: what `compiled(for:)` throws.
    public func filter(
        _ predicate: FormatPredicate, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> [Value] {
        filter(try predicate.compiled(for: Value.self, variables: variables, options: options))
    }
}
