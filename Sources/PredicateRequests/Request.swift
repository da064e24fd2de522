// One request of a batch: `{"id"?, "format", "arguments"?: […], "input"?, "kind"?: "expression"}`. Answer.swift has its
// answer.

package import PredicateEvaluation
import PredicateModel
import PredicateRecords
package import PredicateSyntax

/// One request.
package struct Request {
    package let fields: ValueDictionary
    private let text: String
    package var reader: TextReader
    /// The variables of the command line.
    package let variables: PredicateVariables

    /// - Parameters:
    ///   - reader: the reader of the command line.
    ///   - replacesVariables: whether the variables of `input` are replaced in the tree; else they are evaluated.
    package init(
        _ fields: ValueDictionary, _ reader: TextReader, variables: PredicateVariables, replacesVariables: Bool
    ) throws {
        guard case .string(let text)? = fields["format"] else { throw RequestProblem("\"format\" must be a text") }
        (self.fields, self.text, self.reader, self.variables) = (fields, text, reader, variables)
        if let kind = fields["kind"] {
            guard case .string(let name) = kind, let kind = TextReader.Kind(rawValue: name) else {
                throw RequestProblem("\"kind\" must be \"predicate\" or \"expression\"")
            }
            self.reader.kind = kind
        }
        if let arguments = fields["arguments"] {
            self.reader.arguments = .bound(try TaggedReader(arguments).arguments(reader.environment))
        }
        if replacesVariables { self.reader.substitutions.merge(try input().substitutions) { $1 } }
    }

    package func read() -> PredicateText { reader.read(text) }

    /// The object to evaluate; nil evaluates the same object as without `input`.
    package func input() throws -> EvaluationInput {
        guard let input = fields["input"] else { return EvaluationInput(object: .null) }
        return try TaggedReader(input).evaluationInput(reader.environment)
    }
}

extension Answer {
    /// The answer to a line of a batch, which may be malformed.
    package init(line: ArraySlice<UInt8>, _ answer: (ValueDictionary) throws -> Answer) throws {
        var id: PredicateValue?
        do {
            guard case .dictionary(let fields) = try JSON.parse(Array(line)) else {
                throw RequestProblem("a request must be an object")
            }
            id = fields["id"]
            self = try answer(fields)
        } catch let failure as PredicateFailure {
            self.init(failure)
        } catch let problem as RequestProblem {
            self.init(problem)
        } catch let problem as JSONProblem {
            self.init(RequestProblem(problem.description, offset: problem.offset))
        }
        self.id = id ?? .null
    }
}
