// Filtering sequences and collections by a matcher. `count`, `indices`, `first` and `contains` copy no elements and are
// the fast forms; `filter` copies what it selects. What offers its elements contiguously, as arrays do, is tested in
// blocks (Matcher+Blocks.swift); anything else one by one, with the same answers.
public import PredicateModel
public import PredicateSyntax

extension Sequence {
    /// The elements that satisfy the predicate, in order.
    public func filter(_ matcher: Matcher<Element>) -> [Element] {
        if let known = withContiguousStorageIfAvailable(matcher.elements) { return known }
        var result: [Element] = []
        matcher.forEachMatch(in: self) { element in
            result.append(element)
            return true
        }
        return result
    }

    /// How many elements satisfy the predicate.
    public func count(matching matcher: Matcher<Element>) -> Int {
        if let known = withContiguousStorageIfAvailable(matcher.count) { return known }
        var count = 0
        matcher.forEachMatch(in: self) { _ in
            count += 1
            return true
        }
        return count
    }

    /// The first element that satisfies the predicate. No element behind it is tested but for those of its block of at
    /// most 256.
    public func first(matching matcher: Matcher<Element>) -> Element? {
        let known = withContiguousStorageIfAvailable { objects in matcher.firstPosition(in: objects).map { objects[$0] }
        }
        if let known { return known }
        var first: Element?
        matcher.forEachMatch(in: self) { element in
            first = element
            return false
        }
        return first
    }

    /// Whether some element satisfies the predicate; stops as `first` does.
    public func contains(matching matcher: Matcher<Element>) -> Bool {
        if let known = withContiguousStorageIfAvailable(matcher.firstPosition) { return known != nil }
        var isFound = false
        matcher.forEachMatch(in: self) { _ in
            isFound = true
            return false
        }
        return isFound
    }
}

extension Collection {
    /// The indices of the elements that satisfy the predicate, in order.
    public func indices(matching matcher: Matcher<Element>) -> [Index] {
        guard let positions = withContiguousStorageIfAvailable(matcher.positions) else {
            var found: [Index] = []
            var index = startIndex
            matcher.forEachAnswer(in: self) { _, matches in
                if matches { found.append(index) }
                formIndex(after: &index)
                return true
            }
            return found
        }
        if let positions = positions as? [Index], startIndex as? Int == 0 { return positions }
        var index = startIndex
        var position = 0
        return positions.map { next in
            formIndex(&index, offsetBy: next - position)
            position = next
            return index
        }
    }
}

extension Matcher {
    /// Calls back with each element and whether it satisfies the predicate, until told to stop.
    func forEachAnswer<Elements: Sequence<Root>>(in elements: Elements, _ body: (Root, Bool) -> Bool) {
        let state = states.take()
        defer { states.give(state) }
        var iterator = elements.makeIterator()
        // A variable, because it is tested where it is: the address of a constant may be that of a copy.
        while var element = iterator.next() {
            let answer = withUnsafePointer(to: &element) { matches(UnsafeRawPointer($0), state) }
            if !body(element, answer) { return }
        }
    }

    /// The same for those that satisfy it.
    func forEachMatch<Elements: Sequence<Root>>(in elements: Elements, _ body: (Root) -> Bool) {
        forEachAnswer(in: elements) { element, matches in !matches || body(element) }
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

extension Sequence where Element == [String: Any] {
    /// The dictionaries that satisfy the predicate, which is compiled once for this call.
    /// - Throws: what `compiled(for:)` throws.
    public func filter(
        _ predicate: FormatPredicate, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> [Element] {
        filter(try predicate.compiled(for: Element.self, variables: variables, options: options))
    }
}
