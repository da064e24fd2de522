// Decides which parts of a request become SQL and which are done in memory, and why. A limit never goes to SQL if there
// is a residual predicate. A sort order may, because filtering keeps the order (SQL of each construct: Bounds).

/// How a SQL store answers a request.
public struct FetchPlan: Sendable {
    /// The statement to run. It may return more rows than match; see `residual`.
    public let statement: SQLStatement
    /// The predicate to test in memory on each returned row; nil if there is none.
    public var residual: FormatPredicate? { inMemory.residual }
    /// The sort keys to apply in memory; empty if the statement sorts.
    public var sort: [PredicateSortKey] { inMemory.sort }
    /// Whether limit and offset are applied in memory.
    public var limitsInMemory: Bool { inMemory.limits }
    let inMemory: MemoryPart
    /// The request that was planned. Its clock and its typed texts are values already.
    let request: StoreRequest
    /// What is done in memory and why, one line for each part.
    public let reasons: [String]
    /// Columns and indexes that would make the query faster: for each one the reason, then the statements that add it.
    ///
    ///     try store.plan(StoreRequest("person", where: FormatPredicate("ANY orders.total > 9"))).advice.first
    ///     // no index serves the foreign key … CREATE INDEX "orders_person_id" ON "orders" ("person_id");
    public var advice: [String] { statement.query.advice }

    /// - Parameter after: the position to test in memory; nil if the statement contains it.
    init(_ statement: SQLStatement, _ request: StoreRequest, after: FetchPosition? = nil) {
        self.statement = statement
        self.request = request
        inMemory = MemoryPart(
            residual: statement.query.residual, after: after, sort: statement.isSorted ? [] : request.sort,
            limits: after != nil || !statement.isLimited)
        var reasons = (statement.query.reasons + statement.sortReasons).map(\.description)
        if after != nil { reasons.append("the position: some sort key has no order in the language") }
        if inMemory.limits { reasons.append("limit and offset: applied after the test in memory") }
        self.reasons = reasons
    }
}

extension StoreRequest {
    /// Plans the request for a database client of your own: the statement to run, and what to do in memory with its rows,
    /// in the order residual, sort, offset and limit.
    ///
    ///     var request = StoreRequest("Book", where: predicate, sort: [PredicateSortKey("price")], limit: 20)
    ///     request.after = try FetchPosition(text)    // from the client
    ///     let plan = try request.plan(.sqlite, in: schema)    // plan.statement.text, plan.statement.bindings
    ///
    /// - Throws: every error in the predicate, the sort keys and the position; `position` also for sort keys that the
    ///   language cannot compare, such as texts in the order of a locale.
    /// - Complexity: the same as for `FormatPredicate.sql`.
    public func plan(_ dialect: SQLDialect, in schema: PredicateSchema) throws(StoreFailure) -> FetchPlan {
        let plan = try SQLCompiler(dialect, schema: schema).plan(self)
        if plan.inMemory.after != nil { throw .position("a statement cannot begin there, because of the sort keys") }
        return plan
    }
}

extension SQLCompiler {
    /// Compiles a statement for the objects that match the request's predicate.
    func statement(_ sql: SQLQuery.Request, _ request: StoreRequest) throws(PredicateFailure) -> SQLStatement {
        try statement(
            sql, request.predicate, entity: request.entity, clock: request.clock,
            allowingConstantComparisons: request.allowingConstantComparisons)
    }

    /// Plans a request.
    ///
    /// - Throws: `StoreFailure.request` with every error in the predicate and the sort keys.
    package func plan(_ request: StoreRequest) throws(StoreFailure) -> FetchPlan {
        try request.requireObjects()
        let request = request.atOneInstant(in: schema)
        try schema.check(request)
        let compared = request.comparingPosition(in: schema)
        // Rows after a position have an order, as those of a window.
        let limit = compared.after != nil ? .max : request.limit ?? (request.after == nil ? nil : .max)
        return try StoreFailure.ofRequest { () throws(PredicateFailure) in
            let statement = try statement(.select(sort: request.sort, limit: limit, offset: request.offset), compared)
            return FetchPlan(statement, request, after: compared.after)
        }
    }
}
