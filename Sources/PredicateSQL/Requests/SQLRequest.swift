// What is asked of the rows that a predicate selects, and the statement that asks it. How much of it may be said in SQL
// where the predicate is not exact is decided in RequestCompiler.swift (SQL.md 2.2).
public import PredicateModel
public import PredicateSyntax

/// What to do with the rows.
///
///     try predicate.sql(.select(sort: [SortKey("name")], limit: 10), .postgreSQL, entity: "Person", in: schema)
///     try predicate.sql(.update(["doNotAlert": .bool(true)]), .sqlite, entity: "Person", in: schema)
public enum SQLRequest: Sendable, Hashable {
    /// The rows, sorted; those that are level come in the order of the primary key. nil is no limit.
    case select(sort: [SortKey] = [], limit: Int? = nil, offset: Int = 0)
    /// How many there are.
    case count
    /// One row of two numbers: how many there are at least, and at most. The same where the predicate is exact. At most
    /// counts the rows that a selection has before the residual; at least, those of which SQL knows that it is true.
    case bounds
    /// Other values for attributes, or the key of another row for to-one relationships.
    case update([SQLAssignment])
    case delete
}

/// A key and the value that it gets.
public struct SQLAssignment: Sendable, Hashable {
    public let key: String
    public let value: Value

    public init(_ key: String, _ value: Value) {
        self.key = key
        self.value = value
    }
}

/// A whole statement.
public struct SQLStatement: Sendable, Hashable {
    public let text: String
    /// In the order of their places.
    public let bindings: [Value]
    public let bindingTypes: [SQLType]
    /// The predicate's own part: its exactness, its residual and the reasons.
    public let query: SQLQuery
    /// Whether the rows come in the order that was asked for.
    public let isSorted: Bool
    /// Whether limit and offset are kept. They are left to memory wherever anything else is.
    public let isLimited: Bool
    /// Whether the last column, `sureColumn`, says of each row that the residual is true of it and need not be tested:
    /// `age > 60 OR name MATCHES …` is decided by the age of many. Only what the row's own columns tell, and only where
    /// there is a residual.
    public let hasSure: Bool
    /// `SELECT …, ("t0"."age" > ?) IS TRUE AS "__sure"`
    public static let sureColumn = "__sure"
    /// Why the order is left to memory; empty where it is not.
    public let sortReasons: [SQLReason]
    /// What must hold of the database.
    public let requires: [SQLRequirement]
}

extension FormatPredicate {
    /// A statement about the rows of an entity for which the predicate is true.
    ///
    /// A selection may be wider than the predicate, as with `sql(_:entity:in:)`; then limit and offset are not said,
    /// because they would cut off rows before the residual sees them, and the caller keeps them.
    ///
    /// - Throws: what the type checker finds; `schema-key` and `cannot-assign` for an assignment that does not fit the
    ///   schema; `sql-inexact` where rows are counted, changed or deleted and the predicate is not exact (select, filter
    ///   and write by key instead, as SQLiteStore does, or ask for the bounds of a count), and where the engine changes
    ///   rows by key only.
    public func sql(
        _ request: SQLRequest, _ dialect: Dialect, entity: String, in schema: Schema
    ) throws(PredicateFailure) -> SQLStatement {
        try typeCheck(entity, schema)
        return try RequestCompiler(self, dialect, schema, entity).statement(request)
    }

    /// Throws all that the type checker finds wrong.
    func typeCheck(_ entity: String, _ schema: Schema) throws(PredicateFailure) {
        let findings = try TypeChecker(schema: schema, entity: entity).check(root, source: source)
        if findings.contains(where: { $0.severity == .error }) { throw PredicateFailure(findings, source: source) }
    }
}
