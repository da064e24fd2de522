// Batch mode: reads one request per line and writes one answer per line, in order. An invalid line gets an
// answer too.

/// Answers the lines of a file or of standard input as they arrive.
struct Batch {
    /// The help text for commands with batch mode.
    static let help = """
        A batch is JSON Lines. A request is {"id"?, "format", "arguments"?: […], "input"?, "kind"?: "expression"}.
        Its answer is {"id", "ok", "canonical"?, "result"?, "diagnostics"?: [{"id", "severity", "message", …}]}.
        """

    private let invocation: Invocation
    private let reader: TextReader
    private let variables: PredicateVariables
    private let evaluates: Bool
    private let schema: SchemaOption?

    init(_ invocation: Invocation) throws {
        guard invocation.operands.isEmpty, !invocation.has(.file) else {
            throw CommandEnd.usage("--batch reads predicates from its requests; give no predicate or --file")
        }
        self.invocation = invocation
        evaluates = invocation.command.name == "eval"
        var reader = try invocation.textReader(unbound: !evaluates && invocation.command.name != "sql")
        variables = try invocation.variables(reader.environment)
        if !evaluates { reader.substitutions = variables }
        if invocation.has(.expression) { reader.kind = .expression }
        schema = try invocation.schemaOption(reader.environment)
        self.reader = reader
    }

    /// - Returns: success if every line was answered, even with errors in the answers.
    func run(_ name: String, _ answer: (Request) throws -> Answer) throws -> ExitCode {
        try invocation.forEachRequest(of: name) { line in
            var ended: (any Error)?
            let result = Answer(line: line) { fields throws(AnswerProblem) in
                do {
                    var request = try Request(fields, reader, variables: variables, replacesVariables: !evaluates)
                    try addCheckers(fields["entity"], to: &request.reader)
                    return try answer(request)
                } catch let problem as RequestProblem {
                    throw .request(problem)
                } catch let failure as PredicateFailure {
                    throw .failure(failure)
                } catch {
                    ended = error
                    throw .request(RequestProblem(""))
                }
            }
            if let ended { throw ended }
            return result
        }
        return .success
    }

    /// Adds the checkers for the entity of the request, or else of the command line.
    private func addCheckers(_ entity: PredicateValue?, to reader: inout TextReader) throws {
        var name: String?
        if let entity, invocation.command.option(named: OptionDescription.schema.name) != nil {
            guard case .string(let text) = entity else { throw RequestProblem("\"entity\" must be a text") }
            guard schema != nil else { throw RequestProblem("\"entity\" needs --schema FILE") }
            name = text
        }
        do {
            reader.checker = try schema?.checker(entity: name)
            reader.otherVersions = try schema?.otherCheckers(entity: name) ?? []
        } catch let problem as NoEntity {
            throw RequestProblem(problem.message + (problem.hint.map { ": \"entity\" is " + $0 } ?? ""))
        }
    }
}
