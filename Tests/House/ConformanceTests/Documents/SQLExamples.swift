// swift-format-ignore-file
// The Swift of "SQL: exact, superset, residual", compiled and run.

import PredicateSQL
import Predicates
import Testing

@Suite struct SQLExamples {
    @Test func examples() throws {
        // SQL {
        let schema = try PredicateSchema([
            PredicateSchema.Entity("Person", table: "person", primaryKey: ["id"], attributes: [PredicateSchema.Attribute("name", .string)])
        ])
        let predicate = try FormatPredicate(#"name MATCHES "(.).*\\1""#)
        let query = try predicate.sql(.postgreSQL, entity: "Person", in: schema)
        let isExact = query.isExact  // false
        let reason = query.reasons.first?.sentence  // the pattern has a back-reference
        let rows: [[String: Any]] = [["name": "Anna"], ["name": "ABBA"]]  // what the engine returned
        let found = try query.residual.map { try rows.filter($0) } ?? rows  // ABBA
        // } SQL
        #expect(!isExact && reason == "the pattern has a back-reference")
        #expect(found.count == 1)
    }
}
