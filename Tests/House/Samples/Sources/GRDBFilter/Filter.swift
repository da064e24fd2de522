// Records of GRDB by predicates: what SQLite can express exactly is in the statement, the rest is tested on the records.

import Foundation
public import GRDB
public import PredicateStores

extension TableRecord where Self: FetchableRecord & Queryable {
    /// A request for the records that a predicate selects.
    ///
    ///     let request = try Player.filter(predicate, in: schema, sort: [PredicateSortKey("name")], limit: 20)
    ///     let players = try queue.read { db in try request.fetchAll(db) }
    ///
    /// - Parameter after: the end of the page before this one; the order ends with the primary key.
    /// - Throws: every error in the predicate, with its place.
    public static func filter(
        _ predicate: FormatPredicate, in schema: PredicateSchema, sort: [PredicateSortKey] = [], limit: Int? = nil,
        after: FetchPosition? = nil
    ) throws(StoreFailure) -> PredicateRequest<Self> {
        var request = StoreRequest("\(Self.self)", where: predicate, sort: sort, limit: limit)
        request.after = after
        return try PredicateRequest(plan: request.plan(.sqlite, in: schema), limit: limit)
    }
}

/// Reads records with one statement, and does in memory what the statement does not.
public struct PredicateRequest<Record: FetchableRecord & Queryable>: Sendable {
    public let plan: FetchPlan
    let limit: Int?

    /// - Parameter run: has the deadline for the test in memory. Cancelling the task ends the statement.
    public func fetchAll(_ db: Database, run: PredicateRun = PredicateRun()) throws -> [Record] {
        let values = StatementArguments(plan.statement.bindings.map { SQLBinding($0).databaseValue })
        var records = try Record.fetchAll(db, sql: plan.statement.text, arguments: values)
        if let residual = plan.residual { records = try records.filter(residual, run: run) }
        if !plan.sort.isEmpty { records = try records.sorted(by: plan.sort, run: run) }
        return plan.limitsInMemory ? Array(records.prefix(limit ?? .max)) : records
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
