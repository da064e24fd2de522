// A query for a store. PredicateStore.swift executes it; FetchPlan.swift translates it to SQL.

/// A query for the objects of an entity that match a predicate, with an order and a window.
///
///     StoreRequest("Person", where: try FormatPredicate("age >= 21"), sort: [PredicateSortKey("name")], limit: 10)
public struct StoreRequest: Sendable, Hashable {
    /// The entity's name in the schema.
    public var entity: String
    /// The predicate that the objects must match.
    public var predicate: FormatPredicate
    /// The sort keys. Objects with equal keys are ordered by primary key. Without sort keys, limit and offset, the
    /// order is undefined.
    public var sort: [PredicateSortKey]
    /// The maximum number of objects; nil means no limit. A store refuses a negative number.
    public var limit: Int?
    /// The number of objects to skip. A store refuses a negative number.
    public var offset: Int
    /// Selects the objects that follow this place in the order: see `page(_:)` of a store. Not together with an offset.
    /// Without a limit, too, the objects are then in order.
    public var after: FetchPosition?
    /// The clock of `now()`; by default the system's clock, read once for each use of the request.
    public var clock: PredicateClock
    /// Paths of relationships to read together with the objects, such as `["employer", "orders.items"]`. They take a
    /// few statements altogether, instead of one statement for each object at the first access.
    public var prefetch: [String]

    /// The keys that `records` returns: attributes, also through to-one relationships; for groups, the keys of the
    /// group and aggregates: `["city", "employer.title", "@count", "@avg.age"]`. Empty means all attributes, or the
    /// keys of the group.
    public var properties: [String] = []
    /// Whether `records` returns each of several equal records only once. Not allowed for groups, whose keys differ
    /// anyway.
    public var isDistinct = false
    /// The keys by which `records` groups the objects. nil values form a group, and so do NaN values. Without keys,
    /// aggregates are computed over all objects.
    public var groupBy: [String] = []
    /// The predicate that a group must match, over its keys and its aggregates: `@count > 10 AND city != nil`.
    public var having = FormatPredicate.constant(true)
    /// How long the database engine, or the back end of a `RecordStore`, may work for the request, without the time in
    /// which the app handles its objects. A request that takes longer throws `StoreFailure.deadlineExceeded`. nil, the
    /// default, is no limit. Relationships that are read later, and stores in memory, are not limited.
    ///
    ///     request.deadline = .seconds(2)
    public var deadline: Duration?
    /// The number of objects that a cursor reads at a time, at least 1; nil starts with few and then reads many.
    public var batchSize: Int?
    /// Whether `update` and `delete` accept a condition that does not depend on the object, because its types never
    /// meet or because it is always true. Otherwise such a request throws `change-condition`. TRUEPREDICATE is always
    /// accepted.
    public var allowingConstantComparisons = false

    /// A request. A store checks it.
    public init(
        _ entity: String, where predicate: FormatPredicate = .constant(true), sort: [PredicateSortKey] = [],
        limit: Int? = nil, offset: Int = 0, clock: PredicateClock = .now, prefetch: [String] = []
    ) {
        self.entity = entity
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
        self.clock = clock
        self.prefetch = prefetch
    }

    /// A request for a text that a user has typed, with one type of error for the text and the store.
    ///
    ///     do {
    ///         print(try store.fetch(StoreRequest("Book", text: text, sort: [PredicateSortKey("title")])))
    ///     } catch let failure as StoreFailure {
    ///         print(failure, failure.diagnostics)
    ///     }
    ///
    /// - Throws: `StoreFailure.request` with all errors of the text, as `FormatPredicate(text:)`.
    public init(
        _ entity: String, text: String, sort: [PredicateSortKey] = [], limit: Int? = nil, offset: Int = 0,
        prefetch: [String] = [], in environment: PredicateEnvironment = .standard
    ) throws(StoreFailure) {
        let predicate = try StoreFailure.ofRequest { () throws(PredicateFailure) in
            try FormatPredicate(text: text, in: environment)
        }
        self.init(entity, where: predicate, sort: sort, limit: limit, offset: offset, prefetch: prefetch)
    }

    /// A request for a format with arguments.
    ///
    ///     try store.fetch(StoreRequest("Book", where: "price < %@ AND author == %@", 15, name, limit: 20))
    ///
    /// - Throws: `StoreFailure.request` with all errors of the format.
    public init(
        _ entity: String, where format: String, _ arguments: (any FormatArgumentConvertible)?...,
        sort: [PredicateSortKey] = [],
        limit: Int? = nil, offset: Int = 0, prefetch: [String] = [], in environment: PredicateEnvironment = .standard
    ) throws(StoreFailure) {
        let predicate = try StoreFailure.ofRequest { () throws(PredicateFailure) in
            try FormatPredicate(format, of: arguments, in: environment)
        }
        self.init(entity, where: predicate, sort: sort, limit: limit, offset: offset, prefetch: prefetch)
    }

    /// A request for the entity that has the name of a type.
    init<Row>(
        _ type: Row.Type, _ format: String, _ arguments: [(any FormatArgumentConvertible)?], sort: [PredicateSortKey],
        limit: Int?, prefetch: [String]
    ) throws(StoreFailure) {
        let predicate = try StoreFailure.ofRequest { () throws(PredicateFailure) in
            try FormatPredicate(format, of: arguments, in: .standard)
        }
        self.init("\(type)", where: predicate, sort: sort, limit: limit, prefetch: prefetch)
    }

    var prefetchPaths: [[String]] { prefetch.map { $0.split(separator: ".").map(String.init) } }

    /// The number of objects in the window, out of `count` matches.
    func window(of count: Int) -> Int { min(max(0, count - offset), limit ?? .max) }

    /// The number of matches needed for the window; nil means all.
    var wanted: Int? {
        guard let limit else { return nil }
        let (sum, overflow) = limit.addingReportingOverflow(offset)
        return overflow ? nil : sum
    }
}

extension StoreFailure {
    /// The errors in the predicate, sort keys and assignments of a request; empty for other failures. `located` has them
    /// Encodable, for the clients of a server.
    public var diagnostics: [PredicateDiagnostic] {
        if case .request(let failure) = self { failure.diagnostics } else { [] }
    }
    public var source: String { if case .request(let failure) = self { failure.source } else { "" } }
}

extension StoreRequest {
    /// Checks the condition of a change in memory: its types, and that it depends on the object.
    func checkCondition(of schema: PredicateSchema) throws(StoreFailure) {
        try StoreFailure.ofRequest { () throws(PredicateFailure) in
            try predicate.typeCheck(entity, schema, changingRows: !allowingConstantComparisons)
        }
    }
}
