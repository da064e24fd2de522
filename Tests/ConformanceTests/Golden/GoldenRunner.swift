// What a golden case yields: one predicate, all its consequences. Every case is also checked for what must always hold.

import Foundation
import PredicateCommands
import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSyntax
import Testing

struct GoldenRunner {
    let path: String
    let rows: [(id: String, object: Value)]
    /// For the file's schema, about its default entity.
    let checker: TypeChecker?

    /// Labels whose makers are not here; a case may have them.
    static let reserved: Set = ["sql", "bindings", "residual", "exactness"]

    init(path: String, schema: String?) throws {
        self.path = path
        (rows, checker) = try schema.map(Self.load) ?? ([], nil)
    }

    /// `Tests/Golden/Schemas/NAME.json`: `{"entity": …, "entities": {…}, "rows": [{"id": …, …}, …]}`, rows in tagged JSON,
    /// related objects inside.
    private static func load(_ schema: String) throws -> ([(id: String, object: Value)], TypeChecker) {
        let text = try Project.text("Tests/Golden/Schemas/\(schema).json")
        guard case .dictionary(let file) = try JSON.parse(text), case .array(let rows)? = file["rows"] else {
            throw GoldenFile.Malformed(description: "schema '\(schema)' has no rows")
        }
        let described = zip(file.keys, file.values).filter { $0.0 != "rows" }
        let model = try Schema(value: .dictionary(ValueDictionary(described)))
        guard let entity = model.defaultEntity else {
            throw GoldenFile.Malformed(description: "schema '\(schema)' does not say which entity its rows are")
        }
        let objects = try rows.map { row in
            let object = try TaggedJSON.decodeValue(row)
            guard case .dictionary(let fields) = object, case .string(let id)? = fields["id"] else {
                throw GoldenFile.Malformed(description: "a row of '\(schema)' has no id")
            }
            return (id: id, object: object)
        }
        return (objects, try TypeChecker(schema: model, entity: entity))
    }

    /// The case with its outputs as they are now; records an issue for each that differs.
    func run(_ expected: GoldenCase) throws -> GoldenCase {
        let subject = try GoldenSubject(expected)
        Invariants.check(subject, "\(path): \(expected.title)")
        var actual = expected
        var labels: Set<String> = []
        for (index, output) in expected.outputs.enumerated() {
            labels.insert(output.label)
            let word = String(output.label.prefix { $0 != " " })
            if Self.reserved.contains(word) { continue }
            guard let text = subject.output(word, rows: rows, checker: checker) else {
                Issue.record("\(path): '\(expected.title)' has no '\(output.label)'")
                continue
            }
            let lines = text.isEmpty ? ["(none)"] : text.components(separatedBy: "\n")
            if lines == output.lines { continue }
            // What a predicate selects is decided by people: it is filled in, never rewritten.
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

/// The text of a case, read as its directives say.
struct GoldenSubject {
    let format: String
    let arguments: FormatArguments
    let language: LanguageOptions
    let variables: PredicateVariables
    let input: Value?
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
        let kind = golden.directives["kind"] ?? "predicate"
        guard kind == "expression" || kind == "predicate" else {
            throw GoldenFile.Malformed(description: "unknown kind \(kind)")
        }
        (tree, diagnostics) = GoldenTree.read(
            format, expression: kind == "expression", arguments: arguments, language: language)
    }

    private static func object(_ json: String) throws -> Value {
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

    private func evaluate(_ object: Value) throws(PredicateFailure) -> Value {
        var options = EvaluationOptions()
        options.language = language
        return try tree.evaluate(object, variables, options, source: format)
    }

    /// What reading finds, and then what evaluating for `input` finds.
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

    /// The same rows in columns give the same answer, all at once and each by itself.
    private func checkColumns(_ rows: [Value], _ selected: [Int]) {
        guard case .predicate(let node) = tree else { return }
        var options = EvaluationOptions()
        options.language = language
        let predicate = FormatPredicate(node, source: format)
        for group in [Array(rows.indices)] + rows.indices.map({ [$0] }) {
            var builder = TableBuilder()
            for row in group { builder.append(rows[row]) }
            // What a plan refuses at once, each evaluation raises where it comes to it.
            guard let matcher = try? predicate.compiled(for: builder.finish(), variables: variables, options: options)
            else { return }
            let found = matcher.indices().map { group[$0] }
            let expected = group.filter(selected.contains)
            if found != expected { Issue.record("\(format): columns select \(found), not \(expected)") }
        }
    }

    /// What stands under a label; nil where there can be nothing.
    func output(_ label: String, rows: [(id: String, object: Value)], checker: TypeChecker?) -> String? {
        if label == "errors" { return errors }
        guard parses else { return nil }
        switch label {
        case "check":
            return checker.map { TextRenderer().render(tree.check(by: $0, format, diagnostics), source: format) }
        case "canonical": return tree.canonical
        case "pretty": return tree.pretty
        case "tree": return tree.dump
        case "result":
            guard let value = try? evaluate(input ?? .null) else { return nil }
            return TaggedJSON.text(value)
        case "rows":
            // An object whose evaluation raises is not selected.
            let selected = rows.indices.filter { (try? evaluate(rows[$0].object)) == .bool(true) }
            checkColumns(rows.map(\.object), selected)
            return selected.map { rows[$0].id }.joined(separator: "\n")
        default: return nil
        }
    }
}
