// One request of a batch: `{"id"?, "format", "arguments"?: […], "input"?, "kind"?: "expression"}`. Answer.swift has its
// answer.

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
    ) throws(RequestProblem) {
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
    package func input() throws(RequestProblem) -> EvaluationInput {
        guard let input = fields["input"] else { return EvaluationInput(object: .null) }
        return try TaggedReader(input).evaluationInput(reader.environment)
    }
}

/// Why a request has no answer of its own.
package enum AnswerProblem: Error {
    case request(RequestProblem)
    case failure(PredicateFailure)
}

extension Answer {
    /// The answer to a request, which may be malformed.
    package init(line: ArraySlice<UInt8>, _ answer: (ValueDictionary) throws(AnswerProblem) -> Answer) {
        var id: PredicateValue?
        do throws(AnswerProblem) {
            guard case .dictionary(let fields) = try Self.json(line) else {
                throw .request(RequestProblem("a request must be an object"))
            }
            id = fields["id"]
            self = try answer(fields)
        } catch {
            switch error {
            case .request(let problem): self.init(problem)
            case .failure(let failure): self.init(failure)
            }
        }
        self.id = id ?? .null
    }

    private static func json(_ line: ArraySlice<UInt8>) throws(AnswerProblem) -> PredicateValue {
        do throws(JSONProblem) {
            return try JSON.parse(Array(line))
        } catch {
            throw .request(RequestProblem(error.description, offset: error.offset))
        }
    }
}
