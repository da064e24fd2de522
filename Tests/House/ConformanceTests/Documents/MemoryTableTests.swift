// The table "What is left to memory" in the article about dialects: its first column has predicates, and the test computes
// the other cells and the reasons below it. `UPDATE_GOLDEN=1` rewrites them.

import Foundation
import GoldenCases
import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct MemoryTableTests {
    private static let path = "Sources/Database/PredicateSQL/PredicateSQL.docc/Dialects.md"
    private static let heading = "## What is left to memory\n"

    /// The reasons in the order of their numbers.
    private struct Reasons {
        var sentences: [String] = []

        mutating func number(_ sentence: String) -> Int {
            if let index = sentences.firstIndex(of: sentence) { return index + 1 }
            sentences.append(sentence)
            return sentences.count
        }
    }

    /// In debug it takes half a minute, for the patterns of folded texts.
    @Test(.enabled(if: !TestDepth.isQuick || Expectation.isUpdating)) func cellsAreWhatTheCompilerDoes() throws {
        let world = try GoldenWorld(named: "translations")
        let text = try Project.text(Self.path)
        let start = try #require(text.range(of: Self.heading)?.upperBound)
        let end = text.range(of: "\n## ", range: start..<text.endIndex)?.lowerBound ?? text.endIndex
        let lines = text[start..<end].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let predicates = lines.filter { $0.hasPrefix("| `") }.map { line in
            String(line.dropFirst(3).prefix { $0 != "`" }).replacingOccurrences(of: "\\|", with: "|")
        }
        #expect(predicates.count > 40)

        var reasons = Reasons()
        let names = SQLDialect.all.map(\.name)
        var table = ["| | " + names.joined(separator: " | ") + " |", "|---|" + names.map { _ in "---|" }.joined()]
        for predicate in predicates {
            let cells = try SQLDialect.all.map { try cell(predicate, $0, world, &reasons) }
            let first = predicate.replacingOccurrences(of: "|", with: "\\|")
            table.append("| `\(first)` | " + cells.joined(separator: " | ") + " |")
        }
        let prose = lines.prefix { !$0.hasPrefix("|") }
        let numbered = reasons.sentences.enumerated().map { "\($0 + 1). \($1)" }
        let parts: [[String]] = [Array(prose), table, [""], numbered, [""]]
        let section = parts.joined().joined(separator: "\n")
        let rewritten = text.replacingCharacters(in: start..<end, with: section)
        if Expectation.isUpdating {
            try Expectation.update(Self.path, from: text, to: rewritten)
        } else {
            #expect(rewritten == text, "UPDATE_GOLDEN=1 rewrites the table")
        }
    }

    /// Whether a dialect expresses the predicate: exact, a superset, or nothing of it; then the numbers of the reasons.
    private func cell(
        _ text: String, _ dialect: SQLDialect, _ world: GoldenWorld, _ reasons: inout Reasons
    ) throws -> String {
        let query = try FormatPredicate(text).sql(dialect, entity: world.entity, in: world.schema)
        if query.isExact { return "exact" }
        var sentences: [String] = []
        for reason in query.reasons.map(\.sentence) where !sentences.contains(reason) { sentences.append(reason) }
        #expect(!sentences.isEmpty, "\(dialect) gives no reason for \(text)")
        let numbers = sentences.map { String(reasons.number($0)) }.joined(separator: ", ")
        let all = try FormatPredicate("TRUEPREDICATE").sql(dialect, entity: world.entity, in: world.schema)
        return (query.text == all.text ? "memory " : "superset ") + numbers
    }
}
