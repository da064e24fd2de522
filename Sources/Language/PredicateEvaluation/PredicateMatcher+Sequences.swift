// Filters sequences and collections with a matcher. `count`, `indices`, `first` and `contains` copy no elements and are
// fastest; `filter` copies the elements that match. Contiguous elements, such as those of arrays, are tested in blocks
// (PredicateMatcher+Blocks.swift). Other elements are tested one by one, with the same results.

extension Sequence {
    /// Returns the elements that match, in order.
    public func filter(_ matcher: PredicateMatcher<Element>) -> [Element] {
        if let known = withContiguousStorageIfAvailable(matcher.elements) { return known }
        var result: [Element] = []
        matcher.forEachMatch(in: self) { element in
            result.append(element)
            return true
        }
        return result
    }

    /// Returns the number of elements that match.
    public func count(matching matcher: PredicateMatcher<Element>) -> Int {
        if let known = withContiguousStorageIfAvailable(matcher.count) { return known }
        var count = 0
        matcher.forEachMatch(in: self) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Returns the first element that matches. No elements after it are tested, except those in its block of at most
    /// 256.
    public func first(matching matcher: PredicateMatcher<Element>) -> Element? {
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

    /// Returns whether some element matches. Stops early like `first`.
    public func contains(matching matcher: PredicateMatcher<Element>) -> Bool {
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
    /// Returns the indices of the elements that match, in order.
    public func indices(matching matcher: PredicateMatcher<Element>) -> [Index] {
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

extension PredicateMatcher {
    /// Calls `body` with each element and whether it matches, until it returns false.
    func forEachAnswer<Elements: Sequence<Root>>(in elements: Elements, _ body: (Root, Bool) -> Bool) {
        let state = states.take()
        defer { states.give(state) }
        var iterator = elements.makeIterator()
        var count = 0
        // A variable, because the address of a constant may be the address of a copy.
        while var element = iterator.next() {
            if count % RowMask.capacity == 0, plan.isOver { return }
            count += 1
            let answer = withUnsafePointer(to: &element) { matches(UnsafeRawPointer($0), state) }
            if !body(element, answer) { return }
        }
    }

    /// Returns the result of a run.
    /// - Throws: `limit-exceeded` if the run did not finish before its deadline; `failed-read` for an object that could
    ///   not be read.
    func complete<Result>(_ run: (PredicateMatcher) -> Result) throws(PredicateFailure) -> Result {
        let result = run(self)
        try plan.requireCompletion(for: predicate)
        return result
    }

    /// Calls `body` with each element that matches, until it returns false.
    func forEachMatch<Elements: Sequence<Root>>(in elements: Elements, _ body: (Root) -> Bool) {
        forEachAnswer(in: elements) { element, matches in !matches || body(element) }
    }
}

extension Sequence where Element: QueryableValue {
    /// Returns the elements that match: objects of a published type, or values such as texts, numbers and dates, which
    /// are `SELF`. Compiles the predicate once per call.
    ///
    ///     let adults = try people.filter(FormatPredicate("age >= 21"))
    ///     let short = try ["apple", "fig"].filter(FormatPredicate("SELF.length < 4"))    // ["fig"]
    ///
    /// - Throws: the errors of `compiled(for:)`, except those for objects that may not be Sendable; `failed-read` for an
    ///   object with a key that could not be read, such as a relationship of a `StoredObject`.
    public func filter(
        _ predicate: FormatPredicate, variables: PredicateVariables = [:],
        run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> [Element] {
        try PredicateMatcher(predicate, variables: variables, run: run).complete { filter($0) }
    }

    /// Returns the elements that match a format string.
    ///
    ///     let words = try ["apple", "pear"].filter("SELF BEGINSWITH %@", "a")    // ["apple"]
    ///
    /// - Throws: the errors of `FormatPredicate.init(_:_:)` and of `filter` with a predicate.
    public func filter(
        _ format: String, _ arguments: (any FormatArgumentConvertible)?...
    ) throws(PredicateFailure) -> [Element] {
        let arguments = arguments.map { $0?.formatArgument ?? .value(.null) }
        return try filter(FormatPredicate(format, formatArguments: arguments))
    }
}

extension Sequence where Element == [String: Any] {
    /// Returns the dictionaries that match. Compiles the predicate once per call.
    /// - Throws: the errors of `compiled(for:)`, except those for objects that may not be Sendable.
    public func filter(
        _ predicate: FormatPredicate, variables: PredicateVariables = [:],
        run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> [Element] {
        try PredicateMatcher(ObjectTest(predicate, variables: variables, run: run, AnyEntries.self)).complete {
            filter($0)
        }
    }

    /// Returns the dictionaries that match a format string: `rows.filter("age > %@", 30)`.
    /// - Throws: the errors of `FormatPredicate.init(_:_:)` and of `filter` with a predicate.
    public func filter(
        _ format: String, _ arguments: (any FormatArgumentConvertible)?...
    ) throws(PredicateFailure) -> [Element] {
        let arguments = arguments.map { $0?.formatArgument ?? .value(.null) }
        return try filter(FormatPredicate(format, formatArguments: arguments))
    }
}

// MARK: - In place, lazily, asynchronously. Inlined, so that apps that do not use them do not contain them.

extension RangeReplaceableCollection {
    /// Removes the elements that match.
    ///
    ///     var people = people
    ///     people.removeAll(matching: matcher)
    ///
    /// - Complexity: linear; elements are tested one by one.
    @inlinable public mutating func removeAll(matching matcher: PredicateMatcher<Element>) {
        removeAll { matcher.matches($0) }
    }
}

extension MutableCollection {
    /// Moves the elements that match after all others, in no particular order. Returns the index of the first match.
    ///
    ///     var people = people
    ///     let index = people.partition(matching: matcher)
    ///     people[index...]    // those that match
    @inlinable public mutating func partition(matching matcher: PredicateMatcher<Element>) -> Index {
        partition { matcher.matches($0) }
    }
}

extension LazySequenceProtocol {
    /// The elements that match, tested lazily.
    ///
    ///     people.lazy.filter(matcher).prefix(3)
    @inlinable public func filter(_ matcher: PredicateMatcher<Elements.Element>) -> LazyFilterSequence<Elements> {
        filter { matcher.matches($0) }
    }
}

extension AsyncSequence {
    /// The elements that match, tested as they arrive.
    ///
    ///     for await reading in sensor.readings.filter(matcher) { … }
    @inlinable public func filter(_ matcher: PredicateMatcher<Element>) -> AsyncFilterSequence<Self> {
        filter { matcher.matches($0) }
    }
}
