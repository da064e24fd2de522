// What of a request becomes SQL and what stays in memory, with the reasons. SQL.md 2.2: a limit is never pushed past a
// residual, an order may be, because filtering keeps it.
public import PredicateModel
public import PredicateSQL
import PredicateSyntax

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

/// Plans requests for one engine, and remembers the shapes that it saw (`SQLCompiler`).
public struct FetchPlanner: Sendable {
    private let compiler: SQLCompiler

    public var schema: Schema { compiler.schema }
    public var dialect: Dialect { compiler.dialect }

    public init(schema: Schema, dialect: Dialect) { compiler = SQLCompiler(dialect, schema: schema) }

    /// A statement about the objects that a request's predicate selects; the one door to SQL.
    func statement(_ sql: SQLRequest, _ request: FetchRequest) throws(PredicateFailure) -> SQLStatement {
        try compiler.statement(sql, request.predicate, entity: request.entity)
    }

    /// - Throws: all that does not fit the schema, sort keys included.
    public func plan(_ request: FetchRequest) throws(StoreFailure) -> FetchPlan {
        do {
            try SortKeyChecker(schema: schema).check(request)
            let statement = try statement(
                .select(sort: request.sort, limit: request.limit, offset: request.offset), request)
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
