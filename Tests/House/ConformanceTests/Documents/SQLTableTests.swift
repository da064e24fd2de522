// The documentation's table of predicates and their SQL. Each row is translated, run on SQLite, and compared with the
// evaluator.

import Foundation
import GoldenCases
import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct SQLTableTests {
    private static let header = "| predicate | SQL |"
    private static let documents = Document.all.filter { $0.text.contains(header) }

    @Test func tableIsFound() { #expect(Self.documents.count == 1) }

    @Test(.cases) func everyRowIsTheSQLOfItsPredicate() {
        forEachCase(Self.documents) { document in
            let world = try GoldenWorld(named: "people")
            let rows = document.table(Self.header)
            #expect(rows.count >= 5)
            for row in rows {
                let cells = row.map { $0.filter { $0 != "`" } }
                let text = cells[0]
                let predicate = try FormatPredicate(text)
                let query = try predicate.sql(.sqlite, entity: world.entity, in: world.schema)
                #expect(query.text == cells[1], "\(text)")
                #expect(query.isExact, "\(text)")
                let selected = world.selected(by: predicate)
                #expect(!selected.isEmpty && selected.count < world.rows.count, "\(text) does not tell rows apart")
                if let sentence = world.disagreement(predicate, with: selected) { Issue.record("\(text): \(sentence)") }
            }
        }
    }
}
