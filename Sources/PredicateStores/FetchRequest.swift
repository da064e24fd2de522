// What is asked of a store. How a store answers is Store.swift; what becomes SQL, FetchPlanner.swift.
import PredicateEvaluation
public import PredicateModel

/// The objects of an entity for which a predicate is true, in an order, cut to a window.
///
///     FetchRequest("Person", where: try FormatPredicate("age >= 21"), sort: [SortKey("name")], limit: 10)
public struct FetchRequest: Sendable, Hashable {
    public var entity: String
    public var predicate: FormatPredicate
    /// Objects that are level come in the order of their primary keys. Without keys, and without a limit or offset, the
    /// order is the store's own.
    public var sort: [SortKey]
    /// How many at most; nil is all of them, and zero is none.
    public var limit: Int?
    /// How many of the first are left out.
    public var offset: Int
    /// The locale of `[l]` in the predicate and in sort keys, `de_DE`; nil is the current one. Stores compare so in memory.
    public var localeIdentifier: String?

    public init(
        _ entity: String, where predicate: FormatPredicate = .constant(true), sort: [SortKey] = [],
        limit: Int? = nil, offset: Int = 0, localeIdentifier: String? = nil
    ) {
        self.entity = entity
        self.predicate = predicate
        self.sort = sort
        self.limit = limit.map { max(0, $0) }
        self.offset = max(0, offset)
        self.localeIdentifier = localeIdentifier
    }

    /// How what stays in memory is evaluated.
    var options: EvaluationOptions {
        var options = EvaluationOptions()
        options.localeIdentifier = localeIdentifier
        return options
    }

    /// How many of those that the predicate selects are in the window.
    func window(of count: Int) -> Int { min(max(0, count - offset), limit ?? .max) }

    /// How many of the first must be found; nil is all of them.
    var wanted: Int? {
        guard let limit else { return nil }
        let (sum, overflow) = limit.addingReportingOverflow(offset)
        return overflow ? nil : sum
    }
}
