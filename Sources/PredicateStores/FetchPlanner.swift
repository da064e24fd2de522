// What of a request becomes SQL and what stays in memory, with the reasons. SQL.md 2.2: a limit is never pushed past a
// residual, an order may be, because filtering keeps it.
public import PredicateModel
public import PredicateSQL

/// How a store with SQL answers a request.
public struct FetchPlan: Sendable {
    public let statement: SQLStatement
    /// Tested in memory on each row that comes back.
    public let residual: FormatPredicate?
    /// The order that is made in memory; empty where the statement makes it.
    public let sort: [SortKey]
    /// Whether limit and offset are kept in memory.
    public let limitsInMemory: Bool
    /// What stays in memory and why: a line for each part.
    public let reasons: [String]
}

/// Plans requests for one engine.
public struct FetchPlanner: Sendable {
    public let schema: Schema
    public let dialect: Dialect

    public init(schema: Schema, dialect: Dialect) {
        self.schema = schema
        self.dialect = dialect
    }

    /// - Throws: all that does not fit the schema, sort keys included.
    public func plan(_ request: FetchRequest) throws(StoreFailure) -> FetchPlan {
        do {
            try SortKeyChecker(schema: schema).check(request)
            let statement = try request.predicate.sql(
                .select(sort: request.sort, limit: request.limit, offset: request.offset), dialect,
                entity: request.entity, in: schema)
            var reasons = (statement.query.reasons + statement.sortReasons).map(\.description)
            if !statement.isLimited { reasons.append("limit and offset: they count what is left in memory") }
            return FetchPlan(
                statement: statement, residual: statement.query.residual,
                sort: statement.isSorted ? [] : request.sort, limitsInMemory: !statement.isLimited,
                reasons: reasons)
        } catch {
            throw .request(error)
        }
    }
}
