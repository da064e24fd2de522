// Tests a table of predicates and their SQL in every dialect. `~` before a text means that it selects a
// superset. `UPDATE_GOLDEN=1` rewrites the rows, which all change when a dialect is added.

import Foundation
import PredicateModel
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite struct TranslationTests {
    struct Case: CustomStringConvertible, Sendable {
        let format: String
        var arguments: [PredicateValue] = []
        let expected: String
        var description: String { format }

        init(_ format: String, _ arguments: [PredicateValue] = [], _ expected: String) {
            self.format = format
            self.arguments = arguments
            self.expected = expected
        }
    }

    /// One line for each distinct text, after the names of the dialects that write it; then the bindings.
    static func table(_ format: String, _ arguments: [PredicateValue]) throws -> String {
        let schema = try Fixtures.schema()
        let predicate = try FormatPredicate(format, arguments: arguments)
        var lines: [(text: String, names: [String])] = []
        for dialect in SQLDialect.all {
            let query = try predicate.sql(dialect, entity: "Person", in: schema)
            var text = (query.exactness == .exact ? "" : "~ ") + query.text
            text += " [" + query.bindings.map(Self.shown).joined(separator: ", ") + "]"
            // The scalars that extend a letter need hundreds of ranges.
            text.replace(/(\[[^\[\],]{40})[^\[\],]{160,}\]/) { $0.1 + "…]" }
            if let residual = query.residual, residual != predicate { text += " residual: \(residual)" }
            if let index = lines.firstIndex(where: { $0.text == text }) {
                lines[index].names.append(dialect.name)
            } else {
                lines.append((text, [dialect.name]))
            }
        }
        return lines.map { $0.names.joined(separator: " ") + ": " + $0.text }.joined(separator: "\n")
    }

    private static func shown(_ value: PredicateValue) -> String {
        FormatExpression.value(value).description
    }

    @Test(.cases) func translationIsThatOfTheTable() {
        forEachCase(Self.cases + Self.computedCases + Self.listCases) { try translationIsThatOfTheTable($0) }
    }

    private func translationIsThatOfTheTable(_ each: Case) throws {
        let actual = try Self.table(each.format, each.arguments)
        if actual != each.expected, ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try rewrite(each, actual)
        }
        #expect(actual == each.expected, "\(each.format)\n\(actual)")
    }

    /// Replaces the expected text of a case in the source of the table.
    private func rewrite(_ each: Case, _ actual: String) throws {
        func literal(_ text: String) -> String {
            text.split(separator: "\n").map { "            \($0)\n" }.joined()
        }
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        for name in ["TranslationTable", "TranslationTable+Computed", "TranslationTable+Lists"] {
            let file = folder.appendingPathComponent(name + ".swift")
            var source = try String(contentsOf: file, encoding: .utf8)
            guard let start = source.range(of: "#\"\(each.format)\"#,"),
                let old = source.range(of: literal(each.expected), range: start.upperBound..<source.endIndex)
            else { continue }
            source.replaceSubrange(old, with: literal(actual))
            try source.write(to: file, atomically: true, encoding: .utf8)
            return
        }
    }
}
