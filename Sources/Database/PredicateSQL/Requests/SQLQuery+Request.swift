// Requests for the rows that match a predicate, and the resulting statements. Pushdown+Requests.swift decides what SQL
// may do if the predicate is not exact (SQL of each construct: Bounds).

extension SQLQuery {
    /// What to do with the matching rows.
    ///
    ///     try predicate.sql(.select(sort: [PredicateSortKey("name")], limit: 10), .postgreSQL, entity: "Person", in: schema)
    ///     try predicate.sql(.update([KeyAssignment("doNotAlert", true)]), .sqlite, entity: "Person", in: schema)
    public enum Request: Sendable, Equatable {
        /// Selects the rows in order; equal rows are ordered by primary key. A nil limit means no limit, and a negative
        /// limit or offset is refused.
        case select(sort: [PredicateSortKey] = [], limit: Int? = nil, offset: Int = 0)
        /// Counts the rows.
        case count
        /// One row with the lower and the upper bound of the count, which are equal for an exact predicate. The
        /// upper bound counts the rows before the residual is tested; the lower bound counts the rows that surely
        /// match.
        case bounds
        /// Sets attributes, and to-one relationships to the key of another row.
        case update([KeyAssignment])
        case delete

        /// Whether it changes or deletes rows.
        var changesRows: Bool {
            switch self {
            case .update, .delete: true
            case .select, .count, .bounds: false
            }
        }
    }
}

/// A key and its new value: a constant, or an expression that is computed from each object.
///
///     KeyAssignment("isDone", true)
///     KeyAssignment("total", try FormatExpression("total * 2"))
///     KeyAssignment("isEarly", try FormatPredicate("name BEGINSWITH 'a'"))
///
/// Expressions read the object as it was before the update.
public struct KeyAssignment: Sendable, Equatable {
    /// An attribute or a to-one relationship.
    public let key: String
    /// The new value; a constant for a value.
    public let expression: FormatExpression

    /// Assigns a value. For a relationship it is the key of the other row; for a key of several columns, a list of
    /// values.
    public init(_ key: String, _ value: PredicateValue) { self.init(key, .value(value)) }

    /// Assigns the value of an expression. For a relationship it is an object, or its key.
    public init(_ key: String, _ expression: FormatExpression) {
        self.key = key
        self.expression = expression
    }

    /// Assigns whether the object matches a predicate.
    public init(_ key: String, _ predicate: FormatPredicate) {
        let (yes, no) = (ExpressionNode(.value(.bool(true))), ExpressionNode(.value(.bool(false))))
        let root = ExpressionNode(.ternary(predicate.root, yes, no))
        self.init(key, FormatExpression(root, source: predicate.source, in: predicate.environment))
    }

    /// The value, if it is a constant.
    package var constant: PredicateValue? {
        if case .value(let value) = expression.root.kind { value } else { nil }
    }

    /// The value of an assignment that is known to be a constant.
    package var value: PredicateValue { constant ?? .null }

    /// The assignment with each `now()` replaced by the clock's instant.
    package func fixed(at clock: PredicateClock) -> KeyAssignment {
        KeyAssignment(key, expression.fixed(at: clock))
    }
}

/// A complete SQL statement.
public struct SQLStatement: Sendable, Equatable {
    /// The SQL text.
    public let text: String
    /// The values in the order of their placeholders.
    public internal(set) var bindings: [PredicateValue]
    /// The types of `bindings`, in the same order.
    public let bindingTypes: [SQLType]
    /// The query of the predicate: exactness, residual and reasons.
    public internal(set) var query: SQLQuery
    /// Whether the rows are in the requested order.
    public let isSorted: Bool
    /// Whether the statement applies limit and offset. It does not if the predicate is not exact or rows are sorted in
    /// memory.
    public let isLimited: Bool
    /// Whether the last column, `sureColumn`, marks rows that need no test of the residual. In `age > 60 OR name
    /// MATCHES …`, for example, the age decides many rows. The column depends only on the row itself. Always false
    /// without a residual.
    package let hasCertain: Bool
    /// `SELECT …, ("t0"."age" > ?) IS TRUE AS "__sure"`
    package static let sureColumn = "__sure"
    /// Why rows must be sorted in memory; empty if SQL sorts them.
    public let sortReasons: [SQLReason]
    /// What the statement requires of the database, in words: `the function predicate_like is registered`, `person.name has a
    /// binary collation`.
    public var requires: [String] { requirements.map { $0.description } }
    package internal(set) var requirements: [SQLRequirement]
}

extension PredicateFailure {
    /// Throws `argument-type` for a number of a request that is too small.
    package static func require(_ name: String, _ number: Int?, atLeast least: Int = 0) throws(PredicateFailure) {
        guard let number, number < least else { return }
        let advice = "give \(least) or more"
        throw PredicateFailure(.argumentType, name, "\(number)", advice)
    }
}

extension FormatPredicate {
    /// Compiles a statement for the rows of an entity that match the predicate.
    ///
    /// A selection may return more rows than match, as with `sql(_:entity:in:)`. Then the statement has no limit and
    /// offset, which the caller must apply after testing the residual: see `isLimited` and `isSorted`.
    ///
    /// - Parameters:
    ///   - clock: the clock of `now()`; by default the system's.
    ///   - allowingConstantComparisons: permits an update or a deletion whose condition does not depend on the row:
    ///     `NOT (id == '1')` of a number deletes every row.
    /// - Throws: the errors of the type checker; `argument-type` for a negative limit or offset; `unknown-key` for a sort
    ///   key; `unknown-key` and `cannot-assign` for an invalid assignment; `change-condition` for an update or a deletion if types of the predicate never meet, or if it is true for
    ///   every row and not TRUEPREDICATE; `sql-inexact` if rows are counted, changed or deleted and the predicate is not exact, or if the engine
    ///   can change rows only by key. In the inexact case select, filter and write by key, as SQLiteStore does,
    ///   or use `bounds`.
    public func sql(
        _ request: SQLQuery.Request, _ dialect: SQLDialect, entity: String, in schema: PredicateSchema,
        clock: PredicateClock = .now, allowingConstantComparisons: Bool = false
    ) throws(PredicateFailure) -> SQLStatement {
        let isChange = request.changesRows && !allowingConstantComparisons
        try typeCheck(entity, schema, changingRows: isChange)
        if case .select(let sort, _, _) = request {
            let findings = try schema.findings(sort: sort, of: entity)
            if !findings.isEmpty { throw PredicateFailure(findings, source: "") }
        }
        let read = reading(entity, schema).fixed(at: clock)
        return try Pushdown(read, dialect, schema, entity).statement(request, refusesAll: isChange).statement.result
    }

    /// Throws all errors of the type checker.
    /// - Parameter changingRows: whether a condition that does not depend on the row is an error.
    package func typeCheck(
        _ entity: String, _ schema: PredicateSchema, changingRows: Bool = false
    ) throws(PredicateFailure) {
        let checker = try TypeChecker(schema: schema, entity: entity, in: environment)
        let findings = changingRows ? checker.check(change: root, source: source) : checker.check(root, source: source)
        if findings.contains(where: { $0.severity == .error }) { throw PredicateFailure(findings, source: source) }
    }
}
