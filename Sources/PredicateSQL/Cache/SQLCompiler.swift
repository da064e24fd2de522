// Predicates of one shape have one text: compiled once, and for other values only the bindings change. What counts as
// one shape is QueryShape.swift; how the values' places are found is QueryTemplate.swift; the statements around them are
// StatementTemplate.swift.
public import PredicateModel
public import PredicateSyntax
import Synchronization

/// Compiles predicates about one schema for one engine, and remembers the shapes that it saw.
///
///     let compiler = SQLCompiler(.sqlite, schema: schema)
///     try compiler.query(FormatPredicate("age > %@ AND name == %@", 21, "Ada"), entity: "Person")
///     try compiler.query(FormatPredicate("age > %@ AND name == %@", 65, "Bob"), entity: "Person")  // remembered
///
/// It answers what `FormatPredicate.sql` answers: equal shapes have equal texts, under which a store keeps what it
/// prepared. Remembered is what is exact. Sendable: a lock, held for a look-up only.
public final class SQLCompiler: Sendable {
    public let dialect: Dialect
    public let schema: Schema
    private let capacity: Int
    private let known = Mutex<[UInt64: [KnownShape]]>([:])

    /// Shapes that hash alike, which is so where only constants differ that change the text.
    private static let bucketSize = 8

    /// A compiler for one schema; it remembers `capacity` shapes.
    public init(_ dialect: Dialect, schema: Schema, capacity: Int = 256) {
        self.dialect = dialect
        self.schema = schema
        self.capacity = max(1, capacity)
    }

    /// The predicate in SQL; see `FormatPredicate.sql(_:entity:in:requireExact:now:)`.
    /// - Complexity: for a shape that is known, one pass over the predicate.
    public func query(_ predicate: FormatPredicate, entity: String) throws(PredicateFailure) -> SQLQuery {
        let key = QueryShape(predicate.root, of: entity).hash
        if let (_, query) = find(predicate, entity, key) { return query }
        let query = try predicate.sql(dialect, entity: entity, in: schema)
        learn(predicate, query, entity, key)
        return query
    }

    /// A statement about the rows for which the predicate is true; see `FormatPredicate.sql(_:_:entity:in:)`.
    ///
    ///     try compiler.statement(.select(sort: [SortKey("name")], limit: 10), predicate, entity: "Person")
    ///
    /// - Complexity: for a shape that is known together with a request that differs in its numbers and values at most, one
    ///   pass over both.
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

    /// Whether the statement can be made without compiling anything.
    package func knows(_ request: SQLRequest, _ predicate: FormatPredicate, entity: String) -> Bool {
        guard let (shape, query) = find(predicate, entity, QueryShape(predicate.root, of: entity).hash),
            let written = try? WrittenRequest(request, entity, dialect, schema)
        else { return false }
        return shape.statement(written, query) != nil
    }

    private func find(_ predicate: FormatPredicate, _ entity: String, _ key: UInt64) -> (KnownShape, SQLQuery)? {
        for shape in known.withLock({ $0[key] }) ?? [] where shape.template.entity == entity {
            var constants: [Value] = []
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
