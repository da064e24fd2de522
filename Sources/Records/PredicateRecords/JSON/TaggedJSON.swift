// JSON that represents every value exactly: the arguments, variables and results of the batch commands (LANGUAGE,
// Appendix A). An object with one key that begins with `$` is a tag. TaggedValue lists the tags of values. These tags
// are allowed only as a whole input, not inside a value:
//
//     {"$expr": "text"}      an expression argument             {"$filter": […]}       a collection to filter
//     {"$object_without_key": "k"}                              an object that has no key k
//     {"$object": o, "$variables": {…}, "$substitute": {…}}     an object, bindings, replacements; each optional

/// The meaning of one tagged JSON input.
package enum TaggedInput: Sendable, Hashable {
    case value(PredicateValue)
    /// `{"$expr": "text"}`: the text of an expression, for the caller to parse.
    case expression(String)
    /// `{"$filter": […]}`
    case filter([PredicateValue])
    /// `{"$object_without_key": "k"}`
    case objectWithoutKey(String)
    /// `{"$object": o, "$variables": {…}, "$substitute": {…}}`. Bindings are values or expressions, in the
    /// order of the text.
    case evaluation(object: PredicateValue, variables: [Binding], substitutions: [Binding])

    /// A variable and its replacement.
    package struct Binding: Sendable, Hashable {
        package let name: String
        /// Either `.value` or `.expression`.
        package let input: TaggedInput
    }
}

/// Exact JSON for every value.
package enum TaggedJSON {
    /// Returns the exact text of a value: `decodeValue(JSON.parse(text(value)))` is the same value. A host
    /// object becomes a dictionary of its published keys.
    package static func text(_ value: PredicateValue) -> String { JSON.text(TaggedValue.encode(value, for: .json)) }

    /// Returns the text of a result: like `text`, but every finite number is a JSON number with all its digits. Results
    /// are compared by value, so they need no tags for numbers.
    package static func answer(_ value: PredicateValue) -> String { JSON.text(TaggedValue.encode(value, for: .answer)) }

    /// Returns the exact form of a predicate or an expression: `{"format": "a == %@", "arguments": [1]}`. Codable and
    /// the batch commands read this form.
    package static func text(_ form: ExactForm) -> String {
        let arguments = form.arguments.map { TaggedValue.encode($0, for: .coder) }
        return JSON.text(
            .dictionary(ValueDictionary([("format", .string(form.format)), ("arguments", .array(arguments))])))
    }

    /// Returns the value of parsed JSON and resolves tags at every depth.
    /// - Throws: `TaggedValueProblem` for a tag that is unknown or not allowed inside a value.
    package static func decodeValue(_ json: PredicateValue) throws(TaggedValueProblem) -> PredicateValue {
        try TaggedValue.decode(json)
    }

    /// Returns the input of parsed JSON: a value, or a tag that is allowed only at the top.
    package static func decode(_ json: PredicateValue) throws(TaggedValueProblem) -> TaggedInput {
        guard case .dictionary(let dictionary) = json else { return .value(try decodeValue(json)) }
        if dictionary.count == 1 {
            switch (dictionary.keys[0], dictionary.values[0]) {
            case ("$expr", .string(let text)): return .expression(text)
            case ("$object_without_key", .string(let key)): return .objectWithoutKey(key)
            case ("$filter", let body):
                guard case .array(let elements) = try decodeValue(body) else { throw misfit("$filter", "an array") }
                return .filter(elements)
            default: break
            }
        }
        let parts: Set = ["$object", "$variables", "$substitute"]
        guard !dictionary.isEmpty, dictionary.keys.allSatisfy(parts.contains) else {
            return .value(try decodeValue(json))
        }
        return .evaluation(
            object: try dictionary["$object"].map { (object) throws(TaggedValueProblem) in try decodeValue(object) }
                ?? .null,
            variables: try bindings(dictionary["$variables"], "$variables"),
            substitutions: try bindings(dictionary["$substitute"], "$substitute"))
    }

    private static func bindings(_ json: PredicateValue?, _ tag: String) throws(TaggedValueProblem) -> [TaggedInput
        .Binding]
    {
        guard let json else { return [] }
        guard case .dictionary(let dictionary) = json else { throw misfit(tag, "an object") }
        return try zip(dictionary.keys, dictionary.values).map { (name, value) throws(TaggedValueProblem) in
            let input = try decode(value)
            switch input {
            case .value, .expression: return TaggedInput.Binding(name: name, input: input)
            default: throw misfit(tag, "an object of values and expressions")
            }
        }
    }

    private static func misfit(_ tag: String, _ body: String) -> TaggedValueProblem {
        TaggedValueProblem("'\(tag)' takes \(body)")
    }
}

/// An object without keys. Reading any key is an error, as for a typed object without the key.
package final class KeylessObject: KeyedObject, Sendable {
    package init() {}
    package func value(forKey key: String) -> PredicateValue? { nil }
    package func isEqual(to other: any KeyedObject) -> Bool { other is KeylessObject }
    package var publishedKeys: [String] { [] }
    package var typeName: String { "object" }
}
