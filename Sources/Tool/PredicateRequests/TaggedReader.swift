// Reads the arguments, variables and objects of command lines and requests. They are tagged JSON (see TaggedJSON in
// PredicateRecords).

/// The reason why a request, an argument or an object cannot be read.
package struct RequestProblem: Error {
    package let message: String
    /// The offset in the line; 0 if unknown.
    package let offset: Int

    package init(_ message: String, offset: Int = 0) {
        self.message = message
        self.offset = offset
    }
}

/// Reads parsed tagged JSON.
package struct TaggedReader {
    private let json: PredicateValue

    package init(_ json: PredicateValue) { self.json = json }

    /// The elements of an array, which are values or expressions.
    package func arguments(_ environment: PredicateEnvironment) throws(RequestProblem) -> [FormatArgument] {
        guard case .array(let elements) = json else { throw RequestProblem("arguments must be an array") }
        return try elements.map { (element) throws(RequestProblem) in
            try Self.argument(Self.decoded(element), environment)
        }
    }

    /// The members of an object, which are values or expressions.
    package func variables(_ environment: PredicateEnvironment) throws(RequestProblem) -> PredicateVariables {
        guard case .dictionary(let fields) = json else { throw RequestProblem("variables must be an object") }
        var variables: PredicateVariables = [:]
        for (name, value) in zip(fields.keys, fields.values) {
            variables[name] = try Self.argument(Self.decoded(value), environment)
        }
        return variables
    }

    /// The object to evaluate, with its variables.
    package func evaluationInput(_ environment: PredicateEnvironment) throws(RequestProblem) -> EvaluationInput {
        var input = EvaluationInput(object: .null)
        switch try Self.decoded(json) {
        case .value(let object): input.object = object
        case .expression: throw RequestProblem("$expr is an argument, not an object")
        case .filter(let elements): input.filtered = elements
        case .objectWithoutKey: input.object = .object(ObjectReference(KeylessObject()))
        case .evaluation(let object, let variables, let substitutions):
            input.object = object
            for binding in variables { input.variables[binding.name] = try Self.argument(binding.input, environment) }
            for binding in substitutions {
                input.substitutions[binding.name] = try Self.argument(binding.input, environment)
            }
        }
        return input
    }

    private static func decoded(_ json: PredicateValue) throws(RequestProblem) -> TaggedInput {
        do throws(TaggedValueProblem) {
            return try TaggedJSON.decode(json)
        } catch {
            throw RequestProblem(error.message)
        }
    }

    private static func argument(
        _ input: TaggedInput, _ environment: PredicateEnvironment
    ) throws(RequestProblem) -> FormatArgument {
        switch input {
        case .value(let value): return .value(value)
        case .expression(let text):
            let parsed = FormatExpression.parse(text, in: environment)
            let found = TypeChecker.text(environment)
                .check(parsed.tree, source: parsed.source, adding: parsed.diagnostics).diagnostics
            if let error = found.first(where: { $0.severity == .error }) {
                throw RequestProblem("the expression '\(text)' does not parse: \(error.message)")
            }
            return .expression(parsed.tree)
        default: throw RequestProblem("an argument must be a value or {\"$expr\": …}")
        }
    }
}

package struct EvaluationInput {
    package var object: PredicateValue
    /// The objects to filter, instead of a single object.
    package var filtered: [PredicateValue]?
    package var variables: PredicateVariables = [:]
    package var substitutions: PredicateVariables = [:]

    package init(object: PredicateValue) { self.object = object }

    /// The types of the objects.
    package var shape: FieldShape {
        let shape = FieldShape()
        for object in filtered ?? [object] { shape.add(object) }
        return shape
    }

    /// Evaluates the text for the object. With `filtered`, returns the array of objects that match.
    package func evaluate(
        _ text: PredicateText, _ defaults: PredicateVariables
    ) throws(PredicateFailure) -> PredicateValue {
        let variables = defaults.merging(variables) { $1 }
        guard let filtered else { return try text.evaluate(object, variables: variables) }
        var selected: [PredicateValue] = []
        for object in filtered where try text.evaluate(object, variables: variables) == .bool(true) {
            selected.append(object)
        }
        return .array(selected)
    }
}
