// Caches compiled SQL. Predicates with the same shape have the same text; only the bindings differ.
// QueryShape.swift defines shapes, QueryTemplate.swift assigns bindings, StatementTemplate.swift caches whole
// statements.
public import PredicateModel
public import PredicateSyntax
import Synchronization

/// Compiles predicates for one schema and one engine, and caches the SQL of each shape.
///
///     let compiler = SQLCompiler(.sqlite, schema: schema)
///     try compiler.query(FormatPredicate("age > %@ AND name == %@", 21, "Ada"), entity: "Person")
///     try compiler.query(FormatPredicate("age > %@ AND name == %@", 65, "Bob"), entity: "Person")    // cached
///
/// The results equal those of `FormatPredicate.sql`. Equal shapes have equal texts, so a store can cache
/// prepared statements by text. Only exact queries are cached. Sendable: a lock is held during lookups.
public final class SQLCompiler: Sendable {
    public let dialect: SQLDialect
    public let schema: PredicateSchema
    private let capacity: Int
    private let known = Mutex<[UInt64: [KnownShape]]>([:])

    /// The maximum number of cached shapes with equal hashes. Shapes that differ only in fixed constants have
    /// equal hashes.
    private static let bucketSize = 8

    /// A compiler for one schema, with at most `capacity` cached shapes.
    public init(_ dialect: SQLDialect, schema: PredicateSchema, capacity: Int = 256) {
        self.dialect = dialect
        self.schema = schema
        self.capacity = max(1, capacity)
    }

    /// Translates a predicate; see `FormatPredicate.sql(_:entity:in:requireExact:now:)`.
    /// - Complexity: for a cached shape, linear in the predicate.
    public func query(_ predicate: FormatPredicate, entity: String) throws(PredicateFailure) -> SQLQuery {
        let key = QueryShape(predicate.root, of: entity).hash
        if let (_, query) = find(predicate, entity, key) { return query }
        let query = try predicate.sql(dialect, entity: entity, in: schema)
        learn(predicate, query, entity, key)
        return query
    }

    /// Compiles a statement for the rows that match; see `FormatPredicate.sql(_:_:entity:in:)`.
    ///
    ///     try compiler.statement(.select(sort: [SortKey("name")], limit: 10), predicate, entity: "Person")
    ///
    /// - Complexity: linear in predicate and request, if the shape was used before with a request that differs
    ///   only in its numbers and values.
    public func statement(
        _ request: SQLRequest, _ predicate: FormatPredicate, entity: String
    ) throws(PredicateFailure) -> SQLStatement {
        let key = QueryShape(predicate.root, of: entity).hash
        guard let (shape, query) = find(predicate, entity, key) else {
            let statement = try predicate.sql(request, dialect, entity: entity, in: schema)
            let written = try WrittenRequest(request, entity, dialect, schema)
            learn(predicate, statement.query, entity, key)?.remember(statement, written)
            return statement
        }
        let written = try WrittenRequest(request, entity, dialect, schema)
        if let known = shape.statement(written, query) { return known }
        let statement = try RequestCompiler(predicate, dialect, schema, entity).statement(request)
        shape.remember(statement, written)
        return statement
    }

    /// Whether the statement is in the cache.
    package func isCached(_ request: SQLRequest, _ predicate: FormatPredicate, entity: String) -> Bool {
        guard let (shape, query) = find(predicate, entity, QueryShape(predicate.root, of: entity).hash),
            let written = try? WrittenRequest(request, entity, dialect, schema)
        else { return false }
        return shape.statement(written, query) != nil
    }

    private func find(_ predicate: FormatPredicate, _ entity: String, _ key: UInt64) -> (KnownShape, SQLQuery)? {
        for shape in known.withLock({ $0[key] }) ?? [] where shape.template.entity == entity {
            var constants: [PredicateValue] = []
            constants.reserveCapacity(shape.template.constantCount)
            if shape.template.matches(predicate.root, &constants) { return (shape, shape.template.query(constants)) }
        }
        return nil
    }

    @discardableResult
    private func learn(
        _ predicate: FormatPredicate, _ query: SQLQuery, _ entity: String, _ key: UInt64
    ) -> KnownShape? {
        guard query.exactness == .exact,
            let template = QueryTemplate(learning: predicate, query, entity: entity, dialect, schema)
        else { return nil }
        let shape = KnownShape(template)
        known.withLock { known in
            if known.count >= capacity, known[key] == nil { known.removeAll(keepingCapacity: true) }
            known[key] = [shape] + (known[key] ?? []).prefix(Self.bucketSize - 1)
        }
        return shape
    }
}
