// `people.filter(concurrently: matcher)`: the operations of PredicateMatcher+Sequences.swift on all cores.

extension RandomAccessCollection where Self: Sendable, Element: Sendable {
    /// Returns the elements that match, in order, tested on all cores.
    ///
    ///     let matcher = try FormatPredicate("note CONTAINS[cd] 'ete'").compiled(for: Person.self)
    ///     let found = try await people.filter(concurrently: matcher)
    ///
    /// A large collection is split into parts, each tested by its own task. A small collection is tested by the calling
    /// task, if this takes less than about 0.2 ms: 200,000 comparisons of numbers, about 10,000 text searches, or 1,000
    /// rows that only the dynamic plan can evaluate. Several tasks are worthwhile if testing costs more than reading the
    /// elements from memory: for texts, but not for numbers in large structs. A predicate with `random()` or `:=`, whose
    /// result depends on the evaluation order, is evaluated in one part.
    /// - Throws: `CancellationError` soon after the task is cancelled; `failed-read` for a key that could not be read.
    public func filter(concurrently matcher: PredicateMatcher<Element>) async throws -> [Element] {
        let parts = try await concurrentParts(matcher) { elements, matcher in
            elements.withContiguousStorageIfAvailable(matcher.part(of:)) ?? SelectedElements(elements.filter(matcher))
        }
        return [Element](unsafeUninitializedCapacity: parts.reduce(0) { $0 + $1.count }) { result, written in
            for part in parts {
                guard let free = result.baseAddress else { return }
                written += part.move(to: free + written)
            }
        }
    }

    /// Returns the number of elements that match, tested on all cores; see `filter(concurrently:)`.
    public func count(concurrently matcher: PredicateMatcher<Element>) async throws -> Int {
        try await concurrentParts(matcher) { $0.count(matching: $1) }.reduce(0, +)
    }

    /// Returns the indices of the elements that match, tested on all cores; see `filter(concurrently:)`.
    public func indices(concurrently matcher: PredicateMatcher<Element>) async throws -> [Index] where Index: Sendable {
        try await concurrentParts(matcher) { $0.indices(matching: $1) }.flatMap { $0 }
    }

    private func concurrentParts<Result: Sendable>(
        _ matcher: PredicateMatcher<Element>,
        _ body: @escaping @Sendable (SubSequence, PredicateMatcher<Element>) -> Result
    ) async throws -> [Result] {
        let matcher = matcher.atOneInstant()
        let parts = try await concurrentParts(cost: matcher.plan.dependsOnOrder ? nil : matcher.cost) {
            body($0, matcher)
        }
        try matcher.plan.requireCompletion(for: matcher.predicate)
        return parts
    }

    /// Returns the results of `body` for parts of the elements, in order. Each part has its own task.
    ///
    /// - Parameter cost: approximate nanoseconds per element; nil means that the elements must stay one part.
    /// - Throws: `CancellationError` soon after the task is cancelled; `failed-read` for a key that could not be read.
    package func concurrentParts<Result: Sendable>(
        cost: Int?, _ body: @escaping @Sendable (SubSequence) -> Result
    ) async throws -> [Result] {
        try await ConcurrentParts(count: count, cost: cost).map { range in
            let start = self.index(self.startIndex, offsetBy: range.lowerBound)
            return body(self[start..<self.index(start, offsetBy: range.count)])
        }
    }
}

extension RandomAccessCollection where Self: Sendable, Element: Queryable & Sendable {
    /// Returns the elements that match, tested on all cores. Binds the predicate once per call.
    ///
    ///     let adults = try await people.filter(concurrently: FormatPredicate("age >= 21"))
    ///
    /// - Throws: the errors of `compiled(for:)`; `CancellationError` soon after the task is cancelled.
    public func filter(
        concurrently predicate: FormatPredicate, variables: PredicateVariables = [:],
        run: PredicateRun = PredicateRun()
    ) async throws -> [Element] {
        try await filter(concurrently: predicate.compiled(for: Element.self, variables: variables, run: run))
    }
}

/// The selected elements of one part, until they are moved to the result.
///
/// @unchecked Sendable: one task fills it, and only the task that awaits that task empties it.
final class SelectedElements<Element: Sendable>: @unchecked Sendable {
    private let start: UnsafeMutablePointer<Element>
    private(set) var count: Int

    /// - Parameter fill: initialises `count` elements, starting at the pointer.
    init(count: Int, fill: (UnsafeMutablePointer<Element>) -> Void) {
        start = .allocate(capacity: count)
        self.count = count
        fill(start)
    }

    convenience init(_ elements: [Element]) {
        self.init(count: elements.count) { start in
            for (index, element) in elements.enumerated() { (start + index).initialize(to: element) }
        }
    }

    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }

    /// Moves all elements to `target`. Returns their number.
    func move(to target: UnsafeMutablePointer<Element>) -> Int {
        defer { count = 0 }
        target.moveInitialize(from: start, count: count)
        return count
    }
}

extension PredicateMatcher where Root: Sendable {
    fileprivate func part(of objects: UnsafeBufferPointer<Root>) -> SelectedElements<Root> {
        let (blocks, count) = selections(of: objects)
        return SelectedElements(count: count) { copy(blocks, of: objects, to: $0) }
    }
}
