// Batch mode: reads one request per line and writes one answer per line, in order. An invalid line gets an
// answer too.

import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSyntax

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
            let result = try Answer(line: line) { fields in
                var request = try Request(fields, reader, variables: variables, replacesVariables: !evaluates)
                try addCheckers(fields["entity"], to: &request.reader)
                return try answer(request)
            }
            try output.line(result.json)
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
