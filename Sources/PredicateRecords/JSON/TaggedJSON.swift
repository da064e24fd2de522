// JSON in which every value is exact: arguments, variables and results of the batch commands (LANGUAGE,
// Appendix A). An object with one key that begins with `$` is a tag. All tags:
//
//     {"$date": 1.5}         seconds since 2001-01-01 UTC       {"$null": true}        NSNull (null is nil)
//     {"$set": [1, 2]}       a set                              {"$class": "NSDate"}   a class, by name
//     {"$data": "AQI="}      bytes, in Base64                   {"$uuid": "E621…"}     a UUID
//     {"$url": "https://…"}  a URL                              {"$decimal": "12.50"}  a decimal number
//     {"$float": 0.1}        a 32-bit float                     {"$number": "nan"}     "nan", "inf", "-inf"
//     {"$dictionary": {…}}   a dictionary whose keys begin with `$` and are no tags
//
// Allowed only as a whole input, not inside a value:
//
//     {"$expr": "text"}      an expression argument             {"$filter": […]}       a collection to filter
//     {"$object_without_key": "k"}                              an object that has no key k
//     {"$object": o, "$variables": {…}, "$substitute": {…}}     an object, bindings, replacements; each optional

public import PredicateSyntax

/// The meaning of one tagged JSON input.
public enum TaggedInput: Sendable, Hashable {
    case value(Value)
    /// `{"$expr": "text"}`: the text of an expression, for the caller to parse.
    case expression(String)
    /// `{"$filter": […]}`
    case filter([Value])
    /// `{"$object_without_key": "k"}`
    case objectWithoutKey(String)
    /// `{"$object": o, "$variables": {…}, "$substitute": {…}}`. Bindings are values or expressions, in the
    /// order of the text.
    case evaluation(object: Value, variables: [Binding], substitutions: [Binding])

    /// A variable and its replacement.
    public struct Binding: Sendable, Hashable {
        public let name: String
        /// Either `.value` or `.expression`.
        public let input: TaggedInput

        public init(name: String, input: TaggedInput) {
            self.name = name
            self.input = input
        }
    }
}

/// Why tagged JSON cannot be read: an unknown tag, or content that does not fit its tag.
public struct TaggedJSONProblem: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String
    public var description: String { message }
}

/// Every value exactly, as JSON.
public enum TaggedJSON {
    /// Returns the exact text of a value: `decodeValue(JSON.parse(text(value)))` is the same value. A host
    /// object becomes a dictionary of its published keys.
    public static func text(_ value: Value) -> String {
        var output: [UInt8] = []
        JSONWriter.write(value, to: &output, style: .tagged)
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the text of a result: like `text`, but a decimal is a JSON number with all its digits. Results
    /// are compared by value, so they need no tag for decimals.
    public static func answer(_ value: Value) -> String {
        var output: [UInt8] = []
        JSONWriter.write(value, to: &output, style: .answer)
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the value of parsed JSON and resolves tags at every depth.
    /// - Throws: `TaggedJSONProblem` for a tag that is unknown or not allowed inside a value.
    public static func decodeValue(_ json: Value) throws(TaggedJSONProblem) -> Value {
        switch json {
        case .array(let elements):
            return .array(try elements.map { (element) throws(TaggedJSONProblem) in try decodeValue(element) })
        case .dictionary(let dictionary):
            guard let key = dictionary.keys.first(where: { $0.hasPrefix("$") }) else {
                return .dictionary(try decodeMembers(dictionary))
            }
            guard dictionary.count == 1 else {
                throw TaggedJSONProblem(message: "'\(key)' must be the only key of its object")
            }
            return try decodeTag(key, dictionary.values[0])
        default:
            return json
        }
    }

    /// Returns the input of parsed JSON: a value, or a tag that is allowed only at the top.
    public static func decode(_ json: Value) throws(TaggedJSONProblem) -> TaggedInput {
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
            object: try dictionary["$object"].map { (object) throws(TaggedJSONProblem) in try decodeValue(object) }
                ?? .null,
            variables: try bindings(dictionary["$variables"], "$variables"),
            substitutions: try bindings(dictionary["$substitute"], "$substitute"))
    }

    private static func bindings(_ json: Value?, _ tag: String) throws(TaggedJSONProblem) -> [TaggedInput.Binding] {
        guard let json else { return [] }
        guard case .dictionary(let dictionary) = json else { throw misfit(tag, "an object") }
        var bindings: [TaggedInput.Binding] = []
        for (name, value) in zip(dictionary.keys, dictionary.values) {
            let input = try decode(value)
            switch input {
            case .value, .expression: bindings.append(TaggedInput.Binding(name: name, input: input))
            default: throw misfit(tag, "an object of values and expressions")
            }
        }
        return bindings
    }

    private static func decodeMembers(_ dictionary: ValueDictionary) throws(TaggedJSONProblem) -> ValueDictionary {
        let values = try dictionary.values.map { (value) throws(TaggedJSONProblem) in try decodeValue(value) }
        return ValueDictionary(shape: dictionary.shape, values: values)
    }

    private static func decodeTag(_ tag: String, _ body: Value) throws(TaggedJSONProblem) -> Value {
        switch (tag, body) {
        case ("$date", .integer(let seconds)): return .date(Double(seconds))
        case ("$date", .double(let seconds)): return .date(seconds)
        case ("$date", .dictionary):
            guard case .double(let seconds) = try decodeValue(body) else { throw misfit(tag, "a number of seconds") }
            return .date(seconds)
        case ("$null", .bool(true)): return .nsNull
        case ("$class", .string(let name)): return .type(name)
        case ("$url", .string(let text)): return .url(text)
        case ("$float", .integer(let value)): return .float(Float(value))
        case ("$float", .double(let value)): return .float(Float(value))
        case ("$float", .string(let text)):
            return .float(Float(try special(text, tag)))
        case ("$number", .string(let text)):
            return .double(try special(text, tag))
        case ("$set", .array(let members)):
            var seen: Set<Value> = []
            let values = try members.map { (member) throws(TaggedJSONProblem) in try decodeValue(member) }
            return .set(values.filter { seen.insert($0).inserted })
        case ("$data", .string(let text)):
            guard let bytes = Base64.bytes(text) else { throw misfit(tag, "text in Base64") }
            return .data(bytes)
        case ("$uuid", .string(let text)):
            guard let value = UniversalID(text) else { throw misfit(tag, "the text of a UUID") }
            return .uuid(value)
        case ("$decimal", .string(let text)):
            guard let value = DecimalNumber(text) else { throw misfit(tag, "the text of a decimal number") }
            return .decimal(value)
        case ("$dictionary", .dictionary(let dictionary)): return .dictionary(try decodeMembers(dictionary))
        default: throw misfit(tag)
        }
    }

    private static func special(_ text: String, _ tag: String) throws(TaggedJSONProblem) -> Double {
        switch text {
        case "nan": return .nan
        case "inf": return .infinity
        case "-inf": return -.infinity
        default: throw misfit(tag, #""nan", "inf" or "-inf""#)
        }
    }

    private static let bodies: [String: String] = [
        "$date": "a number of seconds", "$null": "true", "$class": "a name", "$url": "text", "$float": "a number",
        "$number": #""nan", "inf" or "-inf""#, "$set": "an array", "$data": "text in Base64",
        "$uuid": "the text of a UUID", "$decimal": "the text of a decimal number", "$dictionary": "an object",
    ]

    private static func misfit(_ tag: String) -> TaggedJSONProblem {
        if let body = bodies[tag] { return misfit(tag, body) }
        if ["$expr", "$filter", "$object", "$variables", "$substitute", "$object_without_key"].contains(tag) {
            return TaggedJSONProblem(message: "'\(tag)' cannot stand inside a value")
        }
        return TaggedJSONProblem(message: "'\(tag)' is not a tag that values can have")
    }

    private static func misfit(_ tag: String, _ body: String) -> TaggedJSONProblem {
        TaggedJSONProblem(message: "'\(tag)' takes \(body)")
    }
}
