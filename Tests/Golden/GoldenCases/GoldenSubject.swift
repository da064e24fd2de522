// A golden case: its text, parsed with its directives, and its current outputs. Does not use Foundation, so that
// GoldenClient can run the cases in a build without it.

package import PredicateEvaluation
package import PredicateModel
import PredicateRecords
import PredicateRules
package import PredicateSQL
package import PredicateSyntax

/// The text of a case, parsed with its directives.
package struct GoldenSubject {
    package let format: String
    package let arguments: FormatArguments
    package let environment: PredicateEnvironment
    package let variables: PredicateVariables
    package let input: PredicateValue?
    /// The sort keys for rows.
    package let order: [PredicateSortKey]
    package let tree: GoldenTree
    /// The diagnostics of the parser.
    package let syntax: [PredicateDiagnostic]
    /// The findings of a check without a schema.
    package let diagnostics: [PredicateDiagnostic]

    package init(_ golden: GoldenCase) throws {
        format = golden.format
        var language: LanguageOptions = []
        for name in golden.directives["extensions"]?.split(separator: ",") ?? [] {
            guard let option = LanguageOptions.named(String(name.drop(while: { $0 == " " }))) else {
                throw GoldenFile.Malformed(description: "unknown extension \(name)")
            }
            language.insert(option)
        }
        let environment = PredicateEnvironment(language: language)
        self.environment = environment
        if golden.directives["args"] == "none" {
            arguments = .none
        } else if let body = golden.directives["args"], case .array(let elements) = try JSON.parse("[\(body)]") {
            arguments = .bound(try elements.map { try Self.argument(TaggedJSON.decode($0), environment) })
        } else {
            arguments = .unbound
        }
        var variables: PredicateVariables = [:]
        if let body = golden.directives["variables"], case .dictionary(let fields) = try JSON.parse(body) {
            for (name, value) in zip(fields.keys, fields.values) {
                variables[name] = try Self.argument(TaggedJSON.decode(value), environment)
            }
        }
        self.variables = variables
        input = try golden.directives["input"].map(Self.object)
        guard let order = golden.directives["order"].map({ PredicateSortKey.list($0) }) ?? [] else {
            throw GoldenFile.Malformed(description: "an order is a list of keys: \(golden.directives["order"] ?? "")")
        }
        self.order = order
        let kind = golden.directives["kind"] ?? "predicate"
        guard kind == "expression" || kind == "predicate" else {
            throw GoldenFile.Malformed(description: "unknown kind \(kind)")
        }
        (tree, syntax, diagnostics) = GoldenTree.read(
            format, expression: kind == "expression", arguments: arguments, in: environment)
    }

    private static func object(_ json: String) throws -> PredicateValue {
        let parsed = try JSON.parse(json)
        if case .dictionary(let fields) = parsed, case .string(let reason)? = fields["$unreadable"] {
            return .object(ObjectReference(UnreadableObject(reason: reason)))
        }
        switch try TaggedJSON.decode(parsed) {
        case .value(let value): return value
        case .objectWithoutKey: return .object(ObjectReference(KeylessObject()))
        default: throw GoldenFile.Malformed(description: "an input is an object: \(json)")
        }
    }

    private static func argument(_ input: TaggedInput, _ environment: PredicateEnvironment) throws -> FormatArgument {
        switch input {
        case .value(let value): return .value(value)
        case .expression(let text): return .expression(FormatExpression.parse(text, in: environment).tree)
        default: throw GoldenFile.Malformed(description: "an argument is a value or {\"$expr\": …}")
        }
    }

    package var parses: Bool { !diagnostics.contains { $0.severity == .error } }

    private func evaluate(_ object: PredicateValue) throws(PredicateFailure) -> PredicateValue {
        try tree.evaluate(object, variables, source: format, in: environment)
    }

    /// The diagnostics of parsing and of evaluating for `input`.
    private var findings: [PredicateDiagnostic] {
        guard parses, let input else { return diagnostics }
        do {
            _ = try evaluate(input)
            return diagnostics
        } catch {
            return diagnostics + error.diagnostics
        }
    }

    /// Whether the case needs Foundation: it has a pattern that only ICU can match, or `[l]`.
    package var needsFoundation: Bool {
        do throws(PredicateFailure) {
            _ = try evaluate(input ?? .null)
            return false
        } catch { return error.diagnostics.contains { $0.message.contains("Foundation") } }
    }

    package var hasErrors: Bool { findings.contains { $0.severity == .error } }
    package var errors: String { DiagnosticRenderer().render(findings, source: format) }

    /// The text with all certain corrections.
    package var corrected: String {
        GoldenTree.corrected(format) {
            GoldenTree.read($0, expression: tree.isExpression, arguments: arguments, in: environment).diagnostics
        }
    }

    /// The value of the corrected text for `input`, which is what the text means in its own language.
    private var means: String? {
        let read = GoldenTree.read(corrected, expression: tree.isExpression, arguments: arguments, in: environment)
        return (try? read.tree.evaluate(input ?? .null, variables, source: corrected, in: environment))
            .map(TaggedJSON.text)
    }

    /// The predicate with its variables replaced.
    package var predicate: FormatPredicate? {
        guard case .predicate(let node) = tree else { return nil }
        let predicate = FormatPredicate(node, source: format, in: environment)
        return variables.isEmpty ? predicate : try? predicate.substituting(variables)
    }

    /// The text of an output; nil if the case cannot have it.
    ///
    /// - Parameter dialect: the dialect of the last `--- sql`.
    package func output(_ label: String, _ world: GoldenWorld?, _ dialect: SQLDialect?) -> String? {
        if label == "errors" { return errors }
        if label == "corrected" { return corrected }
        if label == "means" { return means }
        guard parses else { return nil }
        switch label {
        case "check":
            guard let world, let checker = try? world.checker(in: environment) else { return nil }
            return DiagnosticRenderer().render(
                tree.findings(source: format, syntax: syntax, by: checker), source: format)
        case "change":
            guard let world, let predicate else { return nil }
            let found = world.checker.check(change: predicate.root, source: format)
            let hints = predicate.hints(for: world.checker).filter { $0.id != .comparisonConstant }
            return DiagnosticRenderer().render(Findings(hints + found, limit: 50).inOrder, source: format)
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
            // Texts are read by the types of the schema, which the objects do not have.
            let isTyped = environment.language.contains(.typedTexts)
            let read = isTyped ? predicate?.reading(world.entity, world.schema) : nil
            let selected = world.rows.indices.filter { row in
                let object = world.rows[row].object
                if let read { return (try? read.evaluate(object)) == true }
                return (try? evaluate(object)) == .bool(true)
            }
            return world.sorted(selected, by: order).map { world.rows[$0].id }.joined(separator: "\n")
        default:
            do throws(PredicateFailure) {
                return try statementOutput(label, world, dialect)
            } catch {
                return "no SQL: \(error)"
            }
        }
    }

    private func statementOutput(
        _ label: String, _ world: GoldenWorld?, _ dialect: SQLDialect?
    ) throws(PredicateFailure) -> String? {
        guard let world, let predicate else { return nil }
        if label == "dialects" { return try GoldenWorld.dialects(predicate, world) }
        guard let dialect else { return nil }
        let statement = try predicate.sql(
            .select(sort: order), dialect, entity: world.entity, in: world.schema, clock: GoldenWorld.clock)
        switch label {
        case "sql": return order.isEmpty ? GoldenWorld.text(statement.query) : GoldenWorld.text(statement)
        case "requires": return statement.requires.joined(separator: "\n")
        case "bindings": return statement.query.bindings.map(TaggedJSON.text).joined(separator: "\n")
        case "exactness": return statement.query.exactness
        case "reasons": return statement.query.reasons.map(\.description).joined(separator: "\n")
        default: return nil
        }
    }
}

/// An object whose keys cannot be read: `{"$unreadable": "the reason"}`.
private final class UnreadableObject: KeyedObject, Sendable {
    struct Problem: Error, CustomStringConvertible { let description: String }

    let reason: String
    let typeName = "object"
    let publishedKeys: [String] = []

    init(reason: String) { self.reason = reason }

    func value(forKey key: String) -> PredicateValue? { nil }
    func readValue(forKey key: String) throws -> PredicateValue? { throw Problem(description: reason) }
    func isEqual(to other: any KeyedObject) -> Bool { false }
}
