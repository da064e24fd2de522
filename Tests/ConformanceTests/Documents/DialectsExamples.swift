// swift-format-ignore-file: the blocks stand here as they stand in the article "Dialects and how to add one".
// The Swift of article "Dialects and how to add one", compiled and run; DocumentTests.swift compares the blocks.

import Predicates
import Testing

@Suite struct DialectsExamples {
    @Test func examples() throws {
        // Dialects {
        let dialect = Dialect.named("mariadb")  // .mySQL
        let names = Dialect.all.map(\.name)
        // sqlite, sqlite-plain, postgresql, mysql, duckdb, clickhouse, spark, ansi
        // } Dialects
        #expect(dialect == .mySQL)
        #expect(names == ["sqlite", "sqlite-plain", "postgresql", "mysql", "duckdb", "clickhouse", "spark", "ansi"])
    }
}
