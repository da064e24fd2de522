// swift-format-ignore-file
// The Swift of "Dialects and how to add one". `.ci/examples` puts the blocks of the article in and runs it.

import PredicateSQL
import Predicates
import Testing

@Suite struct DialectsExamples {
    @Test func examples() throws {
        // block: let dialect = SQLDialect.named("mariadb")  // .mySQL
        #expect(dialect == .mySQL)
        #expect(names == ["sqlite", "sqlite-plain", "postgresql", "mysql", "duckdb", "clickhouse", "spark", "ansi"])
    }
}
