// Predicates of one shape have one text: compiled once, and for other values only the bindings change. What counts as
// one shape is QueryShape.swift; how the values' places are found is QueryTemplate.swift.
public import PredicateModel
public import PredicateSyntax
import Synchronization

/// Compiles predicates about one schema for one engine, and remembers the shapes that it saw.
///
///     let compiler = SQLCompiler(.sqlite, schema: schema)
///     try compiler.query(FormatPredicate("age > %@ AND name == %@", 21, "Ada"), entity: "Person")
///     try compiler.query(FormatPredicate("age > %@ AND name == %@", 65, "Bob"), entity: "Person")  // remembered
///
/// It answers what `FormatPredicate.sql` answers. Remembered are queries that are exact. Sendable: a lock, held for a
/// look-up only.
public final class SQLCompiler: Sendable {
    public let dialect: Dialect
    public let schema: Schema
    private let capacity: Int
    private let known = Mutex<[UInt64: [QueryTemplate]]>([:])

    /// Templates whose shapes hash alike, which is so where only constants differ that change the text.
    private static let bucketSize = 8

    /// - Parameter capacity: how many shapes are remembered.
    public init(_ dialect: Dialect, schema: Schema, capacity: Int = 256) {
        self.dialect = dialect
        self.schema = schema
        self.capacity = max(1, capacity)
    }

    /// The predicate in SQL; see `FormatPredicate.sql(_:entity:in:requireExact:)`.
    /// - Complexity: for a shape that is known, one pass over the predicate.
    public func query(_ predicate: FormatPredicate, entity: String) throws(PredicateFailure) -> SQLQuery {
        var shape = QueryShape()
        shape.read(predicate.root)
        let key = shape.hash
        let templates = known.withLock { $0[key] } ?? []
        for template in templates where template.entity == entity {
            var constants: [Value] = []
            constants.reserveCapacity(template.constantCount)
            if template.matches(predicate.root, &constants) { return template.query(constants) }
        }
        let query = try predicate.sql(dialect, entity: entity, in: schema)
        guard query.exactness == .exact,
            let template = QueryTemplate(learning: predicate, query, entity: entity, dialect, schema)
        else { return query }
        known.withLock { known in
            if known.count >= capacity { known.removeAll(keepingCapacity: true) }
            known[key] = [template] + (known[key] ?? []).prefix(Self.bucketSize - 1)
        }
        return query
    }
}
