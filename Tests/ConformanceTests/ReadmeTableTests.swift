// The README's table of predicates and SQL: each predicate is translated, run on SQLite, and compared with the
// evaluator.

import Foundation
import PredicateModel
import PredicateSQL
import PredicateSyntax
import Testing

@Suite struct ReadmeTableTests {
    @Test func predicatesAndTheirSQL() throws {
        let world = try GoldenWorld("people")
        let lines = try Project.text("README.md").components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: "| predicate | SQL |"))
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        #expect(rows.count >= 8)
        for row in rows {
            let cells = row.components(separatedBy: " | ").map { $0.filter { $0 != "`" } }
            let text = String(cells[0].dropFirst(2))
            let predicate = try FormatPredicate(text)
            let query = try predicate.sql(.sqlite, entity: world.entity, in: world.schema)
            #expect(query.text == String(cells[1].dropLast(2)), "\(text)")
            #expect(query.exactness == .exact, "\(text)")
            let selected = world.selected(by: predicate)
            #expect(!selected.isEmpty && selected.count < world.rows.count, "\(text) tells no rows apart")
            if let sentence = world.disagreement(predicate, with: selected) { Issue.record("\(text): \(sentence)") }
        }
    }
}
