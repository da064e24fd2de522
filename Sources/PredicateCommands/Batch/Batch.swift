// Batch mode: reads one request per line and writes one answer per line, in order. An invalid line gets an
// answer too.

import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSyntax

/// One request.
struct Request {
    let fields: ValueDictionary
    let text: String
    let reader: TextReader
    /// The variables of the command line.
    let variables: PredicateVariables

    func read() -> PredicateText { reader.read(text) }

    /// The object to evaluate; nil evaluates the same object as without `input`.
    func input() throws -> EvaluationInput {
        guard let input = fields["input"] else { return EvaluationInput(object: .null) }
        return try TaggedReader(input).evaluationInput(reader.environment)
    }
}

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
        let output = invocation.output
        let source = try invocation.input.source(name)
        // Flush before waiting for input, because the sender of the next request may wait for this answer.
        var lines = LineReader {
            try output.flush()
            return try source()
        }
        while let line = try lines.line() {
            var id: PredicateValue?
            var result: Answer
            do {
                let request = try JSON.parse(Array(line))
                guard case .dictionary(let fields) = request else {
                    throw RequestProblem("a request must be an object")
                }
                id = fields["id"]
                result = try answer(self.request(fields))
                result.id = id ?? .null
            } catch let failure as PredicateFailure {
                result = Answer(failure, id: id ?? .null)
            } catch let problem as RequestProblem {
                result = Answer(problem, id: id ?? .null)
            } catch let problem as JSONProblem {
                result = Answer(RequestProblem(problem.description, offset: problem.offset), id: .null)
            }
            try output.line(result.json)
        }
        return .success
    }

    private func request(_ fields: ValueDictionary) throws -> Request {
        guard case .string(let text)? = fields["format"] else { throw RequestProblem("\"format\" must be a text") }
        var reader = reader
        if let kind = fields["kind"] {
            guard case .string(let name) = kind, let kind = TextReader.Kind(rawValue: name) else {
                throw RequestProblem("\"kind\" must be \"predicate\" or \"expression\"")
            }
            reader.kind = kind
        }
        if let arguments = fields["arguments"] {
            reader.arguments = .bound(try TaggedReader(arguments).arguments(reader.environment))
        }
        if !evaluates, let input = fields["input"] {
            reader.substitutions.merge(try TaggedReader(input).evaluationInput(reader.environment).substitutions) { $1 }
        }
        try addCheckers(fields["entity"], to: &reader)
        return Request(fields: fields, text: text, reader: reader, variables: variables)
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
