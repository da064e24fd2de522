// Computes the outputs of a golden case. Also checks general invariants for every case.

import Foundation
import PredicateCommands
import PredicateModel
import PredicateRecords
import PredicateSQL
import PredicateSyntax
import Testing

@testable import PredicateEvaluation

struct GoldenRunner {
    let path: String
    /// The file's schema and its rows.
    let world: GoldenWorld?

    init(path: String, schema: String?) throws {
        self.path = path
        world = try schema.map(GoldenWorld.init)
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
            if word == "rows", let sentence = subject.disagreement(world, text) {
                // A bug: there is no correct output to write.
                Issue.record("\(path): '\(expected.title)': \(sentence)")
                continue
            }
            let lines = text.isEmpty ? ["(none)"] : text.components(separatedBy: "\n")
            if lines == output.lines { continue }
            // Rows and results are decided by people: they are filled in, but never overwritten.
            if Expectation.isUpdating, output.lines.isEmpty || !["rows", "result"].contains(word) {
                actual.outputs[index].lines = lines
            } else {
                let difference = Expectation.difference(
                    output.lines.joined(separator: "\n"), lines.joined(separator: "\n"))
                Issue.record("\(path): '\(expected.title)', \(output.label):\n\(difference)")
            }
        }
        if subject.hasErrors, !labels.contains("errors") {
            Issue.record("\(path): '\(expected.title)' has errors that it does not expect:\n\(subject.errors)")
        }
        return actual
    }
}

/// The text of a case, parsed with its directives.
struct GoldenSubject {
    let format: String
    let arguments: FormatArguments
    let language: LanguageOptions
    let variables: PredicateVariables
    let input: PredicateValue?
    /// The sort keys for rows.
    let order: [SortKey]
    let tree: GoldenTree
    let diagnostics: [Diagnostic]

    init(_ golden: GoldenCase) throws {
        format = golden.format
        var language: LanguageOptions = []
        for name in golden.directives["extensions"]?.split(separator: ",") ?? [] {
            switch name.trimmingCharacters(in: .whitespaces) {
            case "ddm": language.insert(.deviceManagementTerms)
            case "unicode": language.insert(.unicodeIdentifiers)
            case "concat": language.insert(.stringConcatenation)
            default: throw GoldenFile.Malformed(description: "unknown extension \(name)")
            }
        }
        self.language = language
        let options = language
        if golden.directives["args"] == "none" {
            arguments = .none
        } else if let body = golden.directives["args"], case .array(let elements) = try JSON.parse("[\(body)]") {
            arguments = .bound(try elements.map { try Self.argument(TaggedJSON.decode($0), options) })
        } else {
            arguments = .unbound
        }
        var variables: PredicateVariables = [:]
        if let body = golden.directives["variables"], case .dictionary(let fields) = try JSON.parse(body) {
            for (name, value) in zip(fields.keys, fields.values) {
                variables[name] = try Self.argument(TaggedJSON.decode(value), options)
            }
        }
        self.variables = variables
        input = try golden.directives["input"].map(Self.object)
        guard let order = golden.directives["order"].map(SortKey.list) ?? [] else {
            throw GoldenFile.Malformed(description: "an order is a list of keys: \(golden.directives["order"] ?? "")")
        }
        self.order = order
        let kind = golden.directives["kind"] ?? "predicate"
        guard kind == "expression" || kind == "predicate" else {
            throw GoldenFile.Malformed(description: "unknown kind \(kind)")
        }
        (tree, diagnostics) = GoldenTree.read(
            format, expression: kind == "expression", arguments: arguments, language: language)
    }

    private static func object(_ json: String) throws -> PredicateValue {
        switch try TaggedJSON.decode(JSON.parse(json)) {
        case .value(let value): return value
        case .objectWithoutKey: return .object(ObjectReference(KeylessObject()))
        default: throw GoldenFile.Malformed(description: "an input is an object: \(json)")
        }
    }

    private static func argument(_ input: TaggedInput, _ language: LanguageOptions) throws -> FormatArgument {
        switch input {
        case .value(let value): return .value(value)
        case .expression(let text): return .expression(FormatExpression.parse(text, options: language).tree)
        default: throw GoldenFile.Malformed(description: "an argument is a value or {\"$expr\": …}")
        }
    }

    var parses: Bool { !diagnostics.contains { $0.severity == .error } }

    private func evaluate(_ object: PredicateValue) throws(PredicateFailure) -> PredicateValue {
        var options = EvaluationOptions()
        options.language = language
        return try tree.evaluate(object, variables, options, source: format)
    }

    /// The diagnostics of parsing, and those of evaluation for `input`.
    private var findings: [Diagnostic] {
        guard parses, let input else { return diagnostics }
        do {
            _ = try evaluate(input)
            return diagnostics
        } catch {
            return diagnostics + error.diagnostics
        }
    }

    var hasErrors: Bool { findings.contains { $0.severity == .error } }
    var errors: String { TextRenderer().render(findings, source: format) }

    /// Checks that a table of the same rows gives the same results and errors, for all rows and for each row.
    private func checkColumns(_ rows: [PredicateValue]) {
        guard case .predicate(let node) = tree else { return }
        var options = EvaluationOptions()
        options.language = language
        let predicate = FormatPredicate(node, source: format)
        let answers = rows.map { row in
            Result { () throws(PredicateFailure) in
                try predicate.evaluate(row, variables: variables, options: options)
            }
        }
        for group in [Array(rows.indices)] + rows.indices.map({ [$0] }) {
            var builder = PredicateTableBuilder()
            for row in group { builder.append(rows[row]) }
            // Compiling reports at once what evaluation reports later.
            let binding = Binding(variables: variables, options: options)
            guard let plan = try? binding.plan(predicate, isStrict: true).plan else { return }
            // Without the type check, so that operands of the wrong type are compared, too.
            let matcher = TableMatcher(predicate, plan, builder.finish(), [])
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

    /// The predicate with its variables replaced.
    private var predicate: FormatPredicate? {
        guard case .predicate(let node) = tree else { return nil }
        let predicate = FormatPredicate(node, source: format)
        return variables.isEmpty ? predicate : try? predicate.substituting(variables)
    }

    private func query(_ world: GoldenWorld?, _ dialect: SQLDialect?) -> SQLQuery? { selection(world, dialect)?.query }

    private func selection(_ world: GoldenWorld?, _ dialect: SQLDialect?) -> SQLStatement? {
        guard let world, let dialect, let predicate else { return nil }
        do throws(PredicateFailure) {
            return try predicate.sql(.select(sort: order), dialect, entity: world.entity, in: world.schema)
        } catch {
            Issue.record("\(format) has no SQL: \(error)")
            return nil
        }
    }

    /// How SQLite's rows differ; nil if they are equal, or if the predicate does not fit the schema.
    func disagreement(_ world: GoldenWorld?, _ rows: String) -> String? {
        guard let world, let predicate, language.isEmpty else { return nil }
        if world.checker.check(predicate.root).contains(where: { $0.severity == .error }) { return nil }
        return world.disagreement(predicate, by: order, with: rows.isEmpty ? [] : rows.components(separatedBy: "\n"))
    }

    /// The diagnostics of binding the predicate to a published type.
    func bound(_ type: String) -> String? {
        guard parses, case .predicate(let node) = tree else { return nil }
        return GoldenTypes.findings(FormatPredicate(node, source: format, warnings: diagnostics), variables, type)
    }

    /// The text of an output; nil if the case cannot have it.
    ///
    /// - Parameter dialect: the dialect of the last `--- sql`.
    func output(_ label: String, _ world: GoldenWorld?, _ dialect: SQLDialect?) -> String? {
        if label == "errors" { return errors }
        guard parses else { return nil }
        switch label {
        case "check":
            return (world?.checker).map {
                TextRenderer().render(tree.check(by: $0, format, diagnostics), source: format)
            }
        case "canonical": return tree.canonical
        case "exact": return tree.exact
        case "pretty": return tree.pretty
        case "tree": return tree.dump
        case "result":
            guard let value = try? evaluate(input ?? .null) else { return nil }
            return TaggedJSON.text(value)
        case "rows":
            // An object whose evaluation throws does not match.
            guard let world else { return nil }
            let selected = world.rows.indices.filter { (try? evaluate(world.rows[$0].object)) == .bool(true) }
            checkColumns(world.rows.map(\.object))
            return world.sorted(selected, by: order).map { world.rows[$0].id }.joined(separator: "\n")
        case "sql":
            return order.isEmpty
                ? query(world, dialect).map(GoldenWorld.text) : selection(world, dialect).map(GoldenWorld.text)
        case "requires": return selection(world, dialect)?.requires.map(\.description).joined(separator: "\n")
        case "bindings": return query(world, dialect)?.bindings.map(TaggedJSON.text).joined(separator: "\n")
        case "exactness": return query(world, dialect)?.exactness.rawValue
        case "reasons": return query(world, dialect)?.reasons.map(\.description).joined(separator: "\n")
        default: return nil
        }
    }
}
