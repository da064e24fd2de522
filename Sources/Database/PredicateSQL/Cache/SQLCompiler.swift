// Caches compiled SQL. Predicates with the same shape have the same text; only the bindings differ.
// PredicateShape.swift defines shapes, KnownShape.swift computes the values of cached SQL, and
// Conditions/Constant.swift records what both need.

/// Compiles predicates for one schema and one engine, and caches the SQL of each shape.
///
///     let compiler = SQLCompiler(.sqlite, schema: schema)
///     try compiler.query(FormatPredicate("age > %@ AND name == %@", 21, "Ada"), entity: "Person")
///     try compiler.query(FormatPredicate("age > %@ AND name == %@", 65, "Bob"), entity: "Person")    // cached
///
/// The results equal those of `FormatPredicate.sql`. Equal shapes have equal texts, so a store can cache prepared
/// statements by text. Only exact queries are cached. The class is Sendable: a lock is held during lookups.
package final class SQLCompiler: Sendable {
    package let dialect: SQLDialect
    package let schema: PredicateSchema
    private let capacity: Int
    private let known = Mutex<[UInt64: [KnownShape]]>([:])

    /// The maximum number of cached shapes with the same hash. Shapes that differ only in fixed constants have the same
    /// hash.
    private static let bucketSize = 8

    /// Creates a compiler for one schema, with at most `capacity` cached shapes.
    package init(_ dialect: SQLDialect, schema: PredicateSchema, capacity: Int = 256) {
        self.dialect = dialect
        self.schema = schema
        self.capacity = max(1, capacity)
    }

    /// Translates a predicate; see `FormatPredicate.sql(_:entity:in:requireExact:clock:)`.
    /// - Complexity: for a cached shape, linear in the predicate.
    package func query(
        _ predicate: FormatPredicate, entity: String, clock: PredicateClock = .now
    ) throws(PredicateFailure) -> SQLQuery {
        let given = predicate.reading(entity, schema)
        let (predicate, key, known) = lookUp(given, entity, clock)
        if let known { return known.query }
        try given.typeCheck(entity, schema)
        let record = ConstantRecord()
        let pushdown = try Pushdown(predicate, dialect, schema, entity, record: record)
        let compiled = try pushdown.query(pushdown.pushed())
        learn(predicate, compiled, entity, record, key)
        return compiled.result
    }

    /// Compiles a statement for the rows that match; see
    /// `FormatPredicate.sql(_:_:entity:in:clock:allowingConstantComparisons:)`.
    ///
    ///     let compiler = SQLCompiler(.sqlite, schema: schema)
    ///     try compiler.statement(.select(sort: [PredicateSortKey("name")], limit: 10), predicate, entity: "Person")
    ///
    /// - Complexity: linear in the predicate and the request if a statement for the same shape was compiled before,
    ///   with a request that differs only in its numbers and values.
    package func statement(
        _ request: SQLQuery.Request, _ predicate: FormatPredicate, entity: String, clock: PredicateClock = .now,
        allowingConstantComparisons: Bool = false
    ) throws(PredicateFailure) -> SQLStatement {
        let given = predicate.reading(entity, schema)
        let isChange = request.changesRows && !allowingConstantComparisons
        // The shape has no constants, but the condition of a change may depend on them.
        if isChange { try given.typeCheck(entity, schema, changingRows: true) }
        let (predicate, key, known) = lookUp(given, entity, clock)
        // A statement for every row may be known from a request that allows it.
        if let known, !isChange || known.query.text != dialect.constants.true {
            let written = try WrittenRequest(request, entity, dialect, schema)
            if let statement = known.shape.statement(written, known.query, known.constants) { return statement }
        } else if !isChange {
            try given.typeCheck(entity, schema)
        }
        let record = ConstantRecord()
        let pushdown = try Pushdown(predicate, dialect, schema, entity, record: record)
        let (statement, query) = try pushdown.statement(request, refusesAll: isChange)
        let shape = known?.shape ?? learn(predicate, query, entity, record, key)
        shape?.remember(statement, try WrittenRequest(request, entity, dialect, schema).key, record)
        return statement.result
    }

    typealias Known = (shape: KnownShape, query: SQLQuery, constants: [PredicateValue])

    /// The predicate with a fixed clock, the hash of its shape, and the cached shape.
    private func lookUp(
        _ given: FormatPredicate, _ entity: String, _ clock: PredicateClock
    ) -> (FormatPredicate, key: UInt64, Known?) {
        let key = PredicateShape.hash(given.root, of: entity)
        // A cached shape has no now(), because a query is not exact without its value.
        if let known = find(given, entity, key) { return (given, key, known) }
        let fixed = given.fixed(at: clock)
        let fixedKey = PredicateShape.hash(fixed.root, of: entity)
        return (fixed, fixedKey, fixedKey == key ? nil : find(fixed, entity, fixedKey))
    }

    /// Whether the meaning depends on the environment, which the shape leaves out: it has a time zone, for example.
    private func isOfEnvironment(_ predicate: FormatPredicate) -> Bool {
        !predicate.environment.language.isDisjoint(with: [.dates, .typedTexts])
    }

    func find(_ predicate: FormatPredicate, _ entity: String, _ key: UInt64) -> Known? {
        if isOfEnvironment(predicate) { return nil }
        for shape in known.withLock({ $0[key] }) ?? [] {
            if let (query, constants) = shape.query(predicate, of: entity) { return (shape, query, constants) }
        }
        return nil
    }

    @discardableResult
    private func learn(
        _ predicate: FormatPredicate, _ compiled: Compiled<SQLQuery>, _ entity: String, _ record: ConstantRecord,
        _ key: UInt64
    ) -> KnownShape? {
        guard compiled.result.isExact, !isOfEnvironment(predicate) else { return nil }
        let shape = KnownShape(predicate, of: entity, compiled, record)
        known.withLock { known in
            if known.count >= capacity, known[key] == nil { known.removeAll(keepingCapacity: true) }
            known[key] = [shape] + (known[key] ?? []).prefix(Self.bucketSize - 1)
        }
        return shape
    }
}
