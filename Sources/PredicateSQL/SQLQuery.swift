// The public result: SQL, its values, whether it is exact, and what is left to be tested in memory. How it comes about is
// in Lowering/, Pushdown.swift and Emitter.swift.
public import PredicateModel
public import PredicateSyntax

/// A predicate in an engine's SQL.
///
///     let query = try FormatPredicate("ANY orders.total > 100").sql(.sqlite, entity: "Person", in: schema)
///     query.text       // EXISTS (SELECT 1 FROM "orders" AS "t1" WHERE "t1"."person_id" = "t0"."id" AND "t1"."total" > ?)
///     query.bindings   // [100]
///     query.exactness  // .exact
public struct SQLQuery: Sendable, Hashable {
    public enum Exactness: String, Sendable, Hashable {
        /// The rows are those that the predicate selects in memory.
        case exact
        /// All of them are among the rows; `residual` tells them from the others.
        case superset
    }

    /// The condition, as it stands behind WHERE. It speaks of `from`.
    public let text: String
    /// What stands behind FROM: the entity's table as `t0` (`t_0` where a table or a column of the schema is named like that), and
    /// what is joined to it, never a row more or less.
    public let from: String
    /// The whole SELECT: primary key and columns of the entity.
    public let statement: String
    /// In the order of their places in `statement`: those of `from`, where it has any, then those of `text`.
    public let bindings: [Value]
    public let bindingTypes: [SQLType]
    public let residual: FormatPredicate?
    /// Why there is a residual; empty where there is none.
    public let reasons: [SQLReason]
    /// What must hold of the database.
    public let requires: [SQLRequirement]

    public var exactness: Exactness { residual == nil ? .exact : .superset }
}

/// Why a part of a predicate is not said in SQL.
public struct SQLReason: Sendable, Hashable, CustomStringConvertible {
    /// The part in its canonical spelling.
    public let construct: String
    /// Where it stands in the predicate's text.
    public let span: SourceSpan
    /// The column that is to blame, where one is.
    public let column: String?
    /// `the engine has no regular expressions`
    public let sentence: String

    public var description: String { construct + ": " + sentence }

    /// As an error, where exactness is demanded.
    var diagnostic: Diagnostic { Diagnostic(.sqlInexact, at: span, construct, sentence) }
}

/// What a query relies on.
public enum SQLRequirement: Sendable, Hashable, CustomStringConvertible {
    /// The connection must know a function.
    case function(SQLFunction)
    /// The column must compare texts code point by code point: `COLLATE "C"`, `utf8mb4_nopad_bin`.
    case binaryCollation(table: String, column: String)

    /// The connection must know a collation.
    case collation(SQLCollation)
    /// The session must have a setting: `join_use_nulls = 1`.
    case setting(String)

    public var description: String {
        switch self {
        case .setting(let setting): "the session has \(setting)"
        case .collation(let collation): "the collation \(collation.rawValue) is registered"
        case .function(let function): "the function \(function.rawValue) is registered"
        case .binaryCollation(let table, let column): "\(table).\(column) has a binary collation"
        }
    }
}

extension FormatPredicate {
    /// The predicate in SQL, about the rows of an entity.
    ///
    /// It relies on a database that holds what the schema says: no NULL where nothing is optional, no NaN, no key of a row
    /// that is not there, dates as seconds since 2001 in a double unless the schema says otherwise, UUIDs as upper-case text
    /// where the engine has no such type.
    ///
    /// Objects are the same where their keys are.
    ///
    /// - Parameters:
    ///   - dialect: the engine's SQL.
    ///   - entity: the entity of the schema whose rows are selected.
    ///   - schema: what the tables hold.
    ///   - requireExact: throw, instead of leaving a part to the residual.
    ///   - now: seconds since 2001-01-01 00:00 UTC that `now()` stands for; without it `now()` is left to the residual.
    /// - Throws: what the type checker finds against the schema (all of it); `sql-inexact` where exactness is required, for
    ///   every part that is not, and where a name of the schema cannot be quoted.
    /// - Complexity: linear in the predicate, but for patterns, which are compiled.
    public func sql(
        _ dialect: Dialect, entity: String, in schema: Schema, requireExact: Bool = false, now: Double? = nil
    ) throws(PredicateFailure) -> SQLQuery {
        try typeCheck(entity, schema)
        let pushdown = try Pushdown(self, dialect, schema, entity, now: now)
        let query = try pushdown.query(pushdown.pushed())
        if requireExact, !query.reasons.isEmpty {
            throw PredicateFailure(query.reasons.map(\.diagnostic), source: source)
        }
        return query
    }
}
