// A query for a store. PredicateStore.swift executes it; FetchPlanner.swift translates it to SQL.
import PredicateEvaluation
public import PredicateModel

/// A query for the objects of an entity that match a predicate, with an order and a window.
///
///     FetchRequest("Person", where: try FormatPredicate("age >= 21"), sort: [SortKey("name")], limit: 10)
public struct FetchRequest: Sendable, Hashable {
    /// The entity's name in the schema.
    public var entity: String
    /// The predicate that the objects must match.
    public var predicate: FormatPredicate
    /// The order. Objects with equal keys are ordered by primary key. Without sort keys, limit and offset, the
    /// order is undefined.
    public var sort: [SortKey]
    /// The maximum number of objects; nil means no limit, zero returns none.
    public var limit: Int?
    /// The number of objects to skip.
    public var offset: Int
    /// The instant of `now()`, in seconds since 2001-01-01 00:00 UTC. nil asks the system's clock, once for each use of the
    /// request.
    public var now: Double?
    /// The locale of `[l]` in the predicate and the sort keys, such as `de_DE`; nil means the current locale.
    public var localeIdentifier: String?

    /// Paths of relationships that are read together with the objects, a few statements for all of them, rather than at
    /// the first access: `["employer", "orders.items"]`.
    public var prefetch: [String]

    /// A request. A negative limit or offset counts as zero.
    public init(
        _ entity: String, where predicate: FormatPredicate = .constant(true), sort: [SortKey] = [],
        limit: Int? = nil, offset: Int = 0, now: Double? = nil, localeIdentifier: String? = nil, prefetch: [String] = []
    ) {
        self.entity = entity
        self.predicate = predicate
        self.sort = sort
        self.limit = limit.map { max(0, $0) }
        self.offset = max(0, offset)
        self.now = now
        self.localeIdentifier = localeIdentifier
        self.prefetch = prefetch
    }

    var prefetchPaths: [[String]] { prefetch.map { $0.split(separator: ".").map(String.init) } }

    /// The options for evaluation in memory.
    var options: EvaluationOptions { EvaluationOptions(localeIdentifier: localeIdentifier) }

    /// The number of objects in the window, out of `count` matches.
    func window(of count: Int) -> Int { min(max(0, count - offset), limit ?? .max) }

    /// The number of matches needed for the window; nil means all.
    var wanted: Int? {
        guard let limit else { return nil }
        let (sum, overflow) = limit.addingReportingOverflow(offset)
        return overflow ? nil : sum
    }
}
