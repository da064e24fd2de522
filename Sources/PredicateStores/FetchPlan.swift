// Decides which parts of a request become SQL and which are done in memory, and why. A limit never goes to SQL if there
// is a residual predicate. A sort order may, because filtering keeps the order (SQL of each construct: Bounds).
public import PredicateModel
public import PredicateSQL
import PredicateSyntax

/// How a SQL store answers a request.
public struct FetchPlan: Sendable {
    /// The statement to run. It may return more rows than match; see `residual`.
    public let statement: SQLStatement
    /// The predicate to test in memory on each returned row; nil if there is none.
    public let residual: FormatPredicate?
    /// The sort keys to apply in memory; empty if the statement sorts.
    public let sort: [SortKey]
    /// Whether limit and offset are applied in memory.
    public let limitsInMemory: Bool
    /// What is done in memory and why, one line for each part.
    public let reasons: [String]
    /// Columns and indexes that would make the query faster: for each one the reason, then the statements that add it.
    ///
    ///     try store.plan(FetchRequest("person", where: FormatPredicate("ANY orders.total > 9"))).advice.first
    ///     // no index serves the foreign key … CREATE INDEX "orders_person_id" ON "orders" ("person_id");
    public var advice: [String] { statement.query.advice }

    init(_ statement: SQLStatement, sort: [SortKey]) {
        self.statement = statement
        residual = statement.query.residual
        self.sort = statement.isSorted ? [] : sort
        limitsInMemory = !statement.isLimited
        var reasons = (statement.query.reasons + statement.sortReasons).map(\.description)
        if limitsInMemory { reasons.append("limit and offset: applied after the test in memory") }
        self.reasons = reasons
    }
}

extension SQLCompiler {
    /// Compiles a statement for the objects that match the request's predicate.
    func statement(_ sql: SQLRequest, _ request: FetchRequest) throws(PredicateFailure) -> SQLStatement {
        try statement(
            sql, request.predicate, entity: request.entity, clock: request.clock,
            allowingConstantComparisons: request.allowingConstantComparisons)
    }

    /// Plans a request.
    ///
    /// - Throws: `StoreFailure.request` with every error in the predicate and the sort keys.
    package func plan(_ request: FetchRequest) throws(StoreFailure) -> FetchPlan {
        try request.requireObjects()
        let request = request.atOneInstant(in: schema)
        try schema.check(request)
        return try StoreFailure.ofRequest { () throws(PredicateFailure) in
            let statement = try statement(
                .select(sort: request.sort, limit: request.limit, offset: request.offset), request)
            return FetchPlan(statement, sort: request.sort)
        }
    }
}
