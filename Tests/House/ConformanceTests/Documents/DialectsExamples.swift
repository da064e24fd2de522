// swift-format-ignore-file
// The Swift of "Dialects and how to add one", compiled and run.

import PredicateSQL
import Predicates
import Testing

@Suite struct DialectsExamples {
    @Test func examples() throws {
        // Dialects {
        let dialect = SQLDialect.named("mariadb")  // .mySQL
        let names = SQLDialect.all.map(\.name)
        // sqlite, sqlite-plain, postgresql, mysql, duckdb, clickhouse, spark, ansi
        // } Dialects
        #expect(dialect == .mySQL)
        #expect(names == ["sqlite", "sqlite-plain", "postgresql", "mysql", "duckdb", "clickhouse", "spark", "ansi"])
    }
}
