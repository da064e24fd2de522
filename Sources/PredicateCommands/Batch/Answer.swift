// Encodes the answer to one text as JSON for other programs. The keys and their order are API.

import PredicateEvaluation
import PredicateRecords
import PredicateSQL
import PredicateSyntax

/// `{"id", "ok", "canonical"?, "tree"?, "result"?, "diagnostics"?}`
struct Answer {
    /// The ID of the request; any JSON value.
    var id: PredicateValue?
    var canonical: String?
    /// The tree, in the form of Grammar/tree.schema.json.
    var tree: PredicateValue?
    /// The result as JSON.
    var result: String?
    var query: SQLQuery?
    /// The statement, for requests other than a simple selection.
    var statement: SQLStatement?
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var source: String
    private(set) var code: ExitCode

    /// The answer for a text that is only checked.
    init(checking text: PredicateText, id: PredicateValue? = nil) {
        self.id = id
        canonical = text.hasErrors ? nil : text.canonical
        diagnostics = text.diagnostics
        source = text.source
        code = text.code
    }

    /// The answer for a text that is evaluated, if it has no errors.
    init(evaluating text: PredicateText, input: EvaluationInput, variables: PredicateVariables) {
        var text = text.substituting(input.substitutions)
        if !text.hasErrors { text = text.warned(by: input.shape.checker(text.environment)) }
        source = text.source
        diagnostics = text.diagnostics
        guard !text.hasErrors else {
            code = text.code
            return
        }
        canonical = text.canonical
        do {
            let value = try input.evaluate(text, variables)
            result = TaggedJSON.answer(value)
            code = if case .bool(false) = value, case .predicate = text.tree { .negative } else { .success }
        } catch {
            diagnostics = diagnostics.merged(with: error.diagnostics)
            code = ExitCode(evaluating: error)
        }
    }

    /// The answer if the schema does not have the entity.
    init(_ failure: PredicateFailure, id: PredicateValue? = nil) {
        self.id = id
        diagnostics = failure.diagnostics
        source = failure.source
        code = .refused
    }

    /// The answer to a malformed request.
    init(_ problem: RequestProblem, id: PredicateValue?) {
        self.id = id
        diagnostics = [Diagnostic(.malformedRequest, at: SourceSpan(problem.offset, problem.offset), problem.message)]
        source = ""
        code = .usage
    }

    /// Adds the errors of a text that cannot be evaluated or translated.
    mutating func refuse(_ failure: PredicateFailure) {
        diagnostics = diagnostics.merged(with: failure.diagnostics)
        source = failure.source
        code = .refused
    }

    var json: String {
        var fields: [String] = []
        if let id { fields.append("\"id\":" + JSON.text(id)) }
        fields.append("\"ok\":\(!diagnostics.contains { $0.severity == .error })")
        if let canonical { fields.append("\"canonical\":" + JSON.text(.string(canonical))) }
        if let tree { fields.append("\"tree\":" + JSON.text(tree)) }
        if let result { fields.append("\"result\":" + result) }
        if let query { fields += query.jsonFields(statement) }
        if !diagnostics.isEmpty {
            fields.append("\"diagnostics\":" + JSONRenderer().render(diagnostics, source: source))
        }
        return "{" + fields.joined(separator: ",") + "}"
    }
}
