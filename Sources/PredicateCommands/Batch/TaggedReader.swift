// The tags that only a request has: what to filter, with which variables, and expressions as arguments. The tags of values
// ({"$date": …}, {"$set": …}) are PredicateRecords'.

import PredicateModel
import PredicateRecords
import PredicateSyntax

/// Why a request, an argument or an object cannot be understood.
struct RequestProblem: Error {
    let message: String
    /// The byte of the line, where it is known.
    let offset: Int

    init(_ message: String, offset: Int = 0) {
        self.message = message
        self.offset = offset
    }
}

/// Reads tagged JSON.
struct TaggedReader {
    private let json: Value

    init(_ json: Value) { self.json = json }

    /// Any value.
    func value() throws -> Value {
        do {
            return try TaggedJSON.value(json)
        } catch {
            throw RequestProblem("\(error)")
        }
    }

    /// A value, or `{"$expr": "text"}`.
    func argument(_ language: LanguageOptions) throws -> FormatArgument {
        guard case .dictionary(let fields) = json, fields.count == 1, let text = fields["$expr"] else {
            return .value(try value())
        }
        guard case .string(let text) = text else { throw RequestProblem("$expr takes a text") }
        let parsed = FormatExpression.parse(text, options: language)
        if let error = parsed.diagnostics.first(where: { $0.severity == .error }) {
            throw RequestProblem("the expression '\(text)' does not parse: \(error.message)")
        }
        return .expression(parsed.tree)
    }

    func arguments(_ language: LanguageOptions) throws -> [FormatArgument] {
        guard case .array(let elements) = json else { throw RequestProblem("arguments are an array") }
        return try elements.map { try TaggedReader($0).argument(language) }
    }

    func variables(_ language: LanguageOptions) throws -> [String: FormatArgument] {
        guard case .dictionary(let fields) = json else { throw RequestProblem("variables are an object") }
        var variables: [String: FormatArgument] = [:]
        for (name, value) in zip(fields.keys, fields.values) {
            variables[name] = try TaggedReader(value).argument(language)
        }
        return variables
    }

    /// `{"$filter": […]}`, `{"$object": …, "$variables"?: {…}, "$substitute"?: {…}}`, `{"$substitute": {…}}`,
    /// `{"$object_without_key": k}`, or an object.
    func evaluationInput(_ language: LanguageOptions) throws -> EvaluationInput {
        guard case .dictionary(let fields) = json, !fields.isEmpty, Set(fields.keys).isSubset(of: Self.tags) else {
            return EvaluationInput(object: try value())
        }
        var input = EvaluationInput(object: .null)
        if let variables = fields["$variables"] { input.variables = try TaggedReader(variables).variables(language) }
        if let variables = fields["$substitute"] {
            input.substitutions = try TaggedReader(variables).variables(language)
        }
        if let object = fields["$object"] { input.object = try TaggedReader(object).value() }
        if fields["$object_without_key"] != nil { input.object = .object(ObjectReference(KeylessObject())) }
        if let elements = fields["$filter"] {
            guard case .array(let elements) = elements else { throw RequestProblem("$filter takes an array") }
            input.filtered = try elements.map { try TaggedReader($0).value() }
        }
        return input
    }

    private static let tags: Set = ["$filter", "$object", "$variables", "$substitute", "$object_without_key"]
}

/// What a text is evaluated for.
struct EvaluationInput {
    var object: Value
    /// The objects to filter, in place of one.
    var filtered: [Value]?
    var variables: [String: FormatArgument] = [:]
    var substitutions: [String: FormatArgument] = [:]

    init(object: Value) { self.object = object }

    /// The value for the object, or the array of the objects for which the predicate is true.
    func evaluate(
        _ text: PredicateText, _ defaults: [String: FormatArgument]
    ) throws(PredicateFailure) -> Value {
        let variables = defaults.merging(variables) { $1 }
        guard let filtered else { return try text.evaluate(object, variables: variables) }
        var selected: [Value] = []
        for object in filtered where try text.evaluate(object, variables: variables) == .bool(true) {
            selected.append(object)
        }
        return .array(selected)
    }
}

/// An object that publishes no key at all: every look-up is an error, as for a typed object without the key.
private struct KeylessObject: KeyedObject {
    func value(forKey key: String) -> Value? { nil }
    func isEqual(to other: any KeyedObject) -> Bool { other is KeylessObject }
    var publishedKeys: [String] { [] }
    var typeName: String { "object" }
}
