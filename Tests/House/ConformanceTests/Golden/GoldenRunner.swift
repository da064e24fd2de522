// Computes the outputs of a golden case. Also checks general invariants for every case.

import Foundation
import GoldenCases
import PredicateRecords
import PredicateSQL
import Testing

@testable import PredicateEvaluation

struct GoldenRunner {
    let path: String
    /// The file's schema and its rows.
    let world: GoldenWorld?

    init(path: String, schema: String?) throws {
        self.path = path
        world = try schema.map(GoldenWorld.init(named:))
    }

    /// Returns the case with its current outputs. Records an issue for each output that differs.
    func run(_ expected: GoldenCase) throws -> GoldenCase {
        let subject = try GoldenSubject(expected)
        Invariants.check(subject, "\(path): \(expected.title)")
        var actual = expected
        var labels: Set<String> = []
        var dialect: SQLDialect?
        for (index, output) in expected.outputs.enumerated() {
            labels.insert(output.label)
            let word = String(output.label.prefix { $0 != " " })
            if word == "sql" {
                dialect = SQLDialect.named(String(output.label.dropFirst(4)))
                if dialect == nil { Issue.record("\(path): '\(expected.title)': there is no engine '\(output.label)'") }
            }
            let argument = String(output.label.dropFirst(word.count + 1))
            guard let text = word == "bound" ? subject.bound(argument) : subject.output(word, world, dialect) else {
                Issue.record("\(path): '\(expected.title)' has no '\(output.label)'")
                continue
            }
            if word == "rows", let world { subject.checkColumns(world.rows.map(\.object)) }
            if word == "rows", let sentence = subject.disagreement(world, text) {
                // A bug: there is no correct output to write.
                Issue.record("\(path): '\(expected.title)': \(sentence)")
                continue
            }
            let lines = text.isEmpty ? ["(none)"] : text.textLines
            if lines == output.lines { continue }
            // A person decides which rows and results are correct. So missing ones are written, but existing ones are
            // never replaced.
            if Expectation.isUpdating, output.lines.isEmpty || !["rows", "result", "means"].contains(word) {
                actual.outputs[index].lines = lines
            } else {
                let difference = Expectation.difference(
                    output.lines.joined(separator: "\n"), lines.joined(separator: "\n"))
                Issue.record("\(path): '\(expected.title)', \(output.label):\n\(difference)")
            }
        }
        if subject.hasErrors, labels.isDisjoint(with: ["errors", "corrected"]) {
            Issue.record("\(path): '\(expected.title)' has errors that it does not expect:\n\(subject.errors)")
        }
        return actual
    }
}

extension GoldenSubject {
    /// Checks that a table of the same rows gives the same results and errors, for all rows and for each row.
    fileprivate func checkColumns(_ rows: [PredicateValue]) {
        guard case .predicate(let node) = tree else { return }
        let predicate = FormatPredicate(node, source: format, in: environment)
        let answers = rows.map { row in
            Result { () throws(PredicateFailure) in try predicate.evaluate(row, variables: variables) }
        }
        for group in [Array(rows.indices)] + rows.indices.map({ [$0] }) {
            var builder = PredicateTableBuilder()
            for row in group { builder.append(rows[row]) }
            // Compiling finds errors that the other plans find on evaluation.
            let binding = Binding(variables: variables, run: PredicateRun())
            // Without the type check, so that operands of the wrong type are also compared.
            guard let matcher = try? TableMatcher(predicate, binding, builder.finish()) else { return }
            let evaluation = matcher.evaluation()
            let found = evaluation.selected.map { group[$0] }
            let expected = group.filter { (try? answers[$0].get()) == true }
            if found != expected || matcher.indices() != Array(evaluation.selected) {
                Issue.record("\(format): columns select \(found), not \(expected)")
            }
            let failures = group.filter { (try? answers[$0].get()) == nil }
            let failed = evaluation.failed.map { group[$0] }
            if failed != failures { Issue.record("\(format): columns fail for \(failed), not \(failures)") }
            guard let (row, failure) = evaluation.firstFailure else { continue }
            #expect(throws: failure, "\(format)") { try answers[group[row]].get() }
        }
    }

    /// Returns how the rows of SQLite differ; nil if they are equal, or if the predicate does not fit the schema.
    fileprivate func disagreement(_ world: GoldenWorld?, _ rows: String) -> String? {
        guard let world, let predicate, environment.language.isEmpty else { return nil }
        if world.checker.check(predicate.root).contains(where: { $0.severity == .error }) { return nil }
        return world.disagreement(predicate, by: order, with: rows.isEmpty ? [] : rows.textLines)
    }

    /// The diagnostics of binding the predicate to a published type.
    fileprivate func bound(_ type: String) -> String? {
        guard parses, case .predicate(let node) = tree else { return nil }
        return GoldenTypes.findings(FormatPredicate(node, source: format, warnings: syntax), variables, type)
    }
}

extension GoldenWorld {
    init(named name: String) throws {
        try self.init(
            name, json: Project.text("Tests/Golden/Schemas/\(name).json"),
            mayLackSQLite: ProcessInfo.processInfo.environment["CI"] == nil)
    }
}
