// What a command answers about one text, in the form that programs read. The keys and their order are API.

import PredicateEvaluation
import PredicateRecords
import PredicateSQL
import PredicateSyntax

/// `{"id", "ok", "canonical"?, "result"?, "diagnostics"?}`
struct Answer {
    /// What the request called itself; any JSON.
    var id: Value?
    var canonical: String?
    /// As JSON.
    var result: String?
    var query: SQLQuery?
    /// What is done with the rows, where that is more than to select them.
    var statement: SQLStatement?
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var source: String
    private(set) var code: ExitCode

    /// About a text that is only read.
    init(checking text: PredicateText, id: Value? = nil) {
        self.id = id
        canonical = text.hasErrors ? nil : text.canonical
        diagnostics = text.diagnostics
        source = text.source
        code = text.code
    }

    /// About a text that is evaluated, unless it has errors.
    init(evaluating text: PredicateText, input: EvaluationInput, variables: PredicateVariables) {
        let text = text.substituting(input.substitutions)
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

    /// About a request, or a command line, whose schema does not have the entity.
    init(_ failure: PredicateFailure, id: Value? = nil) {
        self.id = id
        diagnostics = failure.diagnostics
        source = failure.source
        code = .refused
    }

    /// About a request that could not be read.
    init(_ problem: RequestProblem, id: Value?) {
        self.id = id
        diagnostics = [Diagnostic(.malformedRequest, at: SourceSpan(problem.offset, problem.offset), problem.message)]
        source = ""
        code = .usage
    }

    /// What the text says cannot be done.
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
        if let result { fields.append("\"result\":" + result) }
        if let query { fields += query.jsonFields(statement) }
        if !diagnostics.isEmpty {
            fields.append("\"diagnostics\":" + JSONRenderer().render(diagnostics, source: source))
        }
        return "{" + fields.joined(separator: ",") + "}"
    }
}
