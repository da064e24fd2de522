// Records of GRDB by predicates: what SQLite can express exactly is in the statement, the rest is tested on the records.

import Foundation
public import GRDB
public import PredicateStores

extension TableRecord where Self: FetchableRecord & Queryable {
    /// A request for the records that a predicate selects.
    ///
    ///     let request = try Player.filter(predicate, in: schema, sort: [SortKey("name")], limit: 20)
    ///     let players = try queue.read { db in try request.fetchAll(db) }
    ///
    /// - Throws: every error in the predicate, with its place.
    public static func filter(
        _ predicate: FormatPredicate, in schema: PredicateSchema, sort: [SortKey] = [], limit: Int? = nil
    ) throws(PredicateFailure) -> PredicateRequest<Self> {
        let statement = try predicate.sql(
            .select(sort: sort, limit: limit), .sqlite, entity: "\(Self.self)", in: schema)
        return PredicateRequest(statement: statement, sort: sort, limit: limit)
    }
}

/// Reads records with one statement, and does in memory what the statement does not.
public struct PredicateRequest<Record: FetchableRecord & Queryable>: Sendable {
    public let statement: SQLStatement
    let sort: [SortKey]
    let limit: Int?

    /// - Parameter run: has the deadline for the test in memory. Cancelling the task ends the statement.
    public func fetchAll(_ db: Database, run: PredicateRun = PredicateRun()) throws -> [Record] {
        let values = StatementArguments(statement.bindings.map { SQLBinding($0).databaseValue })
        var records = try Record.fetchAll(db, sql: statement.text, arguments: values)
        if let residual = statement.query.residual { records = try records.filter(residual, run: run) }
        if !statement.isSorted { records = try records.sorted(by: sort, run: run) }
        return statement.isLimited ? records : Array(records.prefix(limit ?? .max))
    }
}

extension SQLBinding {
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .boolean(let value): value.databaseValue
        case .integer(let value): value.databaseValue
        case .double(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .data(let value): Data(value).databaseValue
        }
    }
}

extension Configuration {
    /// Registers the functions that statements for SQLite call, with each connection.
    public mutating func registerPredicateFunctions() {
        prepareDatabase { db in
            if let connection = db.sqliteConnection { try SQLiteFunctions.register(on: connection) }
        }
    }
}
