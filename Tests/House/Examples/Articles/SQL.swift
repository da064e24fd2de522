// swift-format-ignore-file
// The Swift of "SQL: exact, superset, residual". `.ci/examples` puts the blocks of the article in and runs it.

import PredicateSQL
import Predicates
import Testing

@Suite struct SQLExamples {
    @Test func examples() throws {
        // block: let schema = try PredicateSchema([
        #expect(!isExact && reason == "the pattern has a back-reference")
        #expect(found.count == 1)
    }
}
