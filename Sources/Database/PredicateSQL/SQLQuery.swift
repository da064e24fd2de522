// The public result of translation: SQL, its values, whether it is exact, and the residual to test in memory.
// Four passes produce it: Resolve/, Compare/, Bound/ and Render/.

/// A predicate translated to an engine's SQL.
///
///     let query = try FormatPredicate("ANY orders.total > 100").sql(.sqlite, entity: "Person", in: schema)
///     query.text       // EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > ?)
///     query.bindings   // [100]
///     query.isExact    // true
public struct SQLQuery: Sendable, Equatable {
    /// The condition for WHERE. It refers to the tables in `from`.
    public let text: String
    /// The text for FROM: the entity's table as `t0` (`t_0` if the schema uses that name) and its joins, which
    /// neither add nor remove rows.
    public let from: String
    /// A complete SELECT of the entity's primary key and columns.
    public let statement: String
    /// The values in the order of their placeholders in `statement`: those of `from`, then those of `text`.
    public internal(set) var bindings: [PredicateValue]
    /// The types of `bindings`, in the same order.
    public let bindingTypes: [SQLType]
    /// The part of the predicate to test in memory on each row; nil if the query is exact.
    public let residual: FormatPredicate?
    /// Why there is a residual; empty if there is none.
    public let reasons: [SQLReason]
    /// What the query requires of the database, in words: `the function predicate_like is registered`, `person.name has a
    /// binary collation`.
    public var requires: [String] { requirements.map { $0.description } }
    package let requirements: [SQLRequirement]
    /// Columns and indexes that would make the query faster: for each one the reason, then the statements that add it.
    ///
    ///     let query = try FormatPredicate("name BEGINSWITH[cd] 'e'").sql(.sqlite, entity: "Person", in: schema)
    ///     query.advice.first    // no index is used for [cd] on … ALTER TABLE "person" ADD COLUMN "name_cd" TEXT; …
    ///
    /// The app must write a column with folded texts: `options.folded(name)`.
    public var advice: [String] { improvements.map { $0.description } }
    package let improvements: [SQLAdvice]

    /// Whether SQL returns exactly the rows that match in memory. If not, it returns every match and possibly more rows;
    /// test `residual` on each row to drop the rest.
    public var isExact: Bool { residual == nil }
    /// The same as a word.
    package var exactness: String { isExact ? "exact" : "superset" }
}

/// Why a part of a predicate cannot be translated exactly.
public struct SQLReason: Sendable, Hashable, CustomStringConvertible {
    /// The part of the predicate, in canonical form.
    public let construct: String
    /// Its position in the predicate's text.
    public let span: SourceSpan
    /// The column that causes it, if there is one.
    public let column: String?
    /// The reason: `it needs regular expressions, which the database does not have`
    public let sentence: String

    public var description: String { construct + ": " + sentence }

    /// A reason that concerns the whole predicate.
    static func ofPredicate(_ sentence: String) -> SQLReason {
        SQLReason(construct: "the predicate", span: .none, column: nil, sentence: sentence)
    }

    /// The reason as an error, for a query that must be exact.
    var diagnostic: PredicateDiagnostic { PredicateDiagnostic(.sqlInexact, at: span, construct, sentence) }
}

/// What a query requires of the database.
package enum SQLRequirement: Sendable, Equatable, CustomStringConvertible {
    /// The connection must have the function registered, such as `predicate_like`.
    case function(String)
    /// The column must compare texts by code points: `COLLATE "C"`, `utf8mb4_nopad_bin`.
    case binaryCollation(table: String, column: String)

    /// The connection must have the collation registered, such as `predicate_cd`.
    case collation(String)
    /// The session must have a setting such as `join_use_nulls = 1`.
    case setting(String)

    package var description: String {
        switch self {
        case .setting(let setting): "the session has \(setting)"
        case .collation(let collation): "the collation \(collation) is registered"
        case .function(let function): "the function \(function) is registered"
        case .binaryCollation(let table, let column): "\(table).\(column) has a binary collation"
        }
    }
}

extension FormatPredicate {
    /// Translates the predicate to SQL for the rows of an entity.
    ///
    /// The database must agree with the schema: no NULL in columns that are not optional, no NaN. Dates are stored as
    /// seconds since 2001 in a double unless the schema says otherwise. UUIDs are upper-case text if the engine has no
    /// UUID type. Two objects are equal if their keys are equal. A foreign key to a missing row refers to an object
    /// whose values are nil.
    ///
    /// - Parameters:
    ///   - dialect: the engine's SQL.
    ///   - entity: the entity whose rows are selected.
    ///   - schema: the entities and their tables.
    ///   - requireExact: throws if a part cannot be translated exactly, instead of leaving it to the residual.
    ///   - clock: the clock of `now()`; by default the system's. The query and its residual have the same instant.
    /// - Throws: all errors of the type checker; `sql-inexact` for every inexact part if `requireExact`, and
    ///   for a name in the schema that the engine cannot accept.
    /// - Complexity: linear in the predicate, plus compiling its patterns.
    public func sql(
        _ dialect: SQLDialect, entity: String, in schema: PredicateSchema, requireExact: Bool = false,
        clock: PredicateClock = .now
    ) throws(PredicateFailure) -> SQLQuery {
        try typeCheck(entity, schema)
        let pushdown = try Pushdown(reading(entity, schema).fixed(at: clock), dialect, schema, entity)
        let query = try pushdown.query(try pushdown.pushed()).result
        if requireExact, !query.reasons.isEmpty {
            throw PredicateFailure(query.reasons.map { $0.diagnostic }, source: source)
        }
        return query
    }
}
