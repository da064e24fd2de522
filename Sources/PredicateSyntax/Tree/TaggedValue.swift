// Exact values where only a few kinds of values have a form: in JSON and other coders, and in the text of a predicate
// (LANGUAGE, Appendix A). Any other value stands under a tag. This file is the whole list of tags, the only code that
// writes them and the only code that reads them; who uses it: coding (PredicateModel), TaggedJSON (PredicateRecords),
// CanonicalPrinter and the parser's CAST.
//
//     in JSON                       in a text                      the value
//     {"$null": true}               CAST(YES, "$null")             NSNull (null is nil)
//     {"$date": 1.5}                CAST(1.5, "$date")             seconds since 2001-01-01 UTC
//     {"$double": "nan"}            CAST("nan", "$double")         a double; "inf", "-inf"
//     {"$float": "0.1"}             CAST("0.1", "$float")          a 32-bit float
//     {"$decimal": "12.50"}         CAST("12.50", "$decimal")      a decimal number
//     {"$data": "AQI="}             CAST("AQI=", "$data")          bytes, in Base64
//     {"$uuid": "E621…"}            CAST("E621…", "$uuid")         a UUID
//     {"$url": "https://…"}         CAST("https://…", "$url")      a URL
//     {"$class": "NSDate"}          CAST("NSDate", "$class")       a class, by name
//     {"$set": [1, 2]}              CAST({1, 2}, "$set")           a set
//     {"$array": [1, 2]}            CAST({1, 2}, "$array")         an array: one constant, not a list of expressions
//     {"$dictionary": [["a", 1]]}   CAST({{"a", 1}}, "$dictionary")  a dictionary, in pairs or as an object
//     {"$string": "$null"}          CAST("$null", "$string")       a text

/// A tag: the kind of the value that stands under it.
package enum ValueTag: String, CaseIterable, Sendable {
    case null = "$null"
    case date = "$date"
    case double = "$double"
    case float = "$float"
    case decimal = "$decimal"
    case data = "$data"
    case uuid = "$uuid"
    case url = "$url"
    case type = "$class"
    case set = "$set"
    case array = "$array"
    case dictionary = "$dictionary"
    case string = "$string"

    /// A key that is no plain word, only in a text: `CAST("first name", "$key") == "Ada"`.
    package static let key = "$key"

    /// The tags of whole inputs, which only TaggedJSON reads.
    package static let inputs: Set = [
        "$expr", "$filter", "$object", "$variables", "$substitute", "$object_without_key",
    ]

    /// What stands under the tag, in words.
    package var body: String {
        switch self {
        case .null: "true"
        case .date: "a number of seconds"
        case .double, .float: "a number, or its text"
        case .decimal: "the text of a decimal number"
        case .data: "text in Base64"
        case .uuid: "the text of a UUID"
        case .url, .string: "text"
        case .type: "a name"
        case .set, .array: "an array"
        case .dictionary: "an object, or an array of pairs"
        }
    }

    /// The value that a body stands for, whose own parts are values already; nil where the body does not fit.
    package func value(_ body: Value) -> Value? {
        switch (self, body) {
        case (.null, .bool(true)): .nsNull
        case (.date, _): Self.double(body).map(Value.date)
        case (.double, _): Self.double(body).map(Value.double)
        case (.float, .string(let text)): Float(text).map(Value.float)
        case (.float, _): Self.double(body).map { .float(Float($0)) }
        case (.decimal, .string(let text)): DecimalNumber(text).map(Value.decimal)
        case (.data, .string(let text)): Base64.bytes(text).map(Value.data)
        case (.uuid, .string(let text)): UniversalID(text).map(Value.uuid)
        case (.url, .string(let text)): .url(text)
        case (.type, .string(let name)): .type(name)
        case (.string, .string(let text)): .string(text)
        case (.array, .array): body
        case (.set, .array(let members)): .set(Self.distinct(members))
        case (.dictionary, .dictionary): body
        case (.dictionary, .array(let pairs)): Self.dictionary(pairs).map(Value.dictionary)
        default: nil
        }
    }

    private static func double(_ body: Value) -> Double? {
        switch body {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .string(let text): Double(text)
        default: nil
        }
    }

    private static func distinct(_ members: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return members.filter { seen.insert($0).inserted }
    }

    private static func dictionary(_ pairs: [Value]) -> ValueDictionary? {
        var read: [(String, Value)] = []
        for pair in pairs {
            guard case .array(let parts) = pair, parts.count == 2, case .string(let key) = parts[0] else { return nil }
            read.append((key, parts[1]))
        }
        return ValueDictionary(read)
    }
}

extension Value {
    /// The tag and the body of a value of a kind that only a tag can name; nil for the plain kinds, doubles and strings,
    /// and for objects of a host, which have no exact form. Elements are not looked into.
    package var tagged: (tag: ValueTag, body: Value)? {
        switch self {
        case .null, .bool, .integer, .double, .string, .array, .object: nil
        case .nsNull: (.null, .bool(true))
        case .float(let number): (.float, .string(number.description))
        case .decimal(let number): (.decimal, .string(number.description))
        case .date(let seconds): (.date, seconds.isFinite ? .double(seconds) : .string(seconds.description))
        case .data(let bytes): (.data, .string(Base64.text(bytes)))
        case .uuid(let value): (.uuid, .string(value.description))
        case .url(let text): (.url, .string(text))
        case .type(let name): (.type, .string(name))
        case .set(let members): (.set, .array(members))
        case .dictionary(let dictionary):
            (.dictionary, .array(zip(dictionary.keys, dictionary.values).map { .array([.string($0), $1]) }))
        }
    }
}

/// Why tagged values mean nothing: an unknown tag, or a body that does not fit its tag.
package struct TaggedValueProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    package var description: String { message }

    package init(_ message: String) { self.message = message }
}

/// Values to and from what JSON and other coders can hold: nil, Booleans, integers, doubles, texts, arrays and
/// dictionaries, with one-key dictionaries as tags.
package enum TaggedValue {
    /// What the values are written for.
    package enum Form: Sendable {
        /// JSON as this package writes it: `2.0` keeps its point, objects keep the order of their keys.
        case json
        /// JSON for answers: every finite number is a number, since JSON knows one kind of them.
        case answer
        /// Any coder: it may write 2.0 as 2, loses the order of keys, and takes the text `$null` for nil.
        case coder
    }

    /// Objects of a host can refer to each other in a circle: below this depth everything is nil.
    private static let maximumDepth = 1000

    /// The value with tags, which `decode` reads. Except for a coder, objects of a host become dictionaries of their
    /// published keys; for a coder they stay as they are, and cannot be coded.
    package static func encode(_ value: Value, for form: Form, depth: Int = 0) -> Value {
        if depth > maximumDepth { return .null }
        switch value {
        case .float(let number) where form == .answer && number.isFinite: return value
        case .decimal where form == .answer: return value
        case .double(let number):
            let isPlain = form == .coder ? hasFraction(number) : number.isFinite
            return isPlain ? value : tag(.double, .string(number.description))
        case .string(ValueTag.null.rawValue) where form == .coder: return tag(.string, value)
        case .array(let elements): return .array(elements.map { encode($0, for: form, depth: depth + 1) })
        case .dictionary(let dictionary) where form != .coder:
            let values = dictionary.values.map { encode($0, for: form, depth: depth + 1) }
            let encoded = Value.dictionary(ValueDictionary(shape: dictionary.shape, values: values))
            return dictionary.keys.contains { $0.hasPrefix("$") } ? tag(.dictionary, encoded) : encoded
        case .object(let reference) where form != .coder:
            let keys = reference.object.publishedKeys
            let pairs = keys.map { ($0, reference.object.value(forKey: $0) ?? .null) }
            return encode(.dictionary(ValueDictionary(pairs)), for: form, depth: depth + 1)
        default:
            guard let (name, body) = value.tagged else { return value }
            guard case .array = body else { return tag(name, body) }
            return tag(name, encode(body, for: form, depth: depth + 1))
        }
    }

    /// Whether no reader can take it for an integer.
    private static func hasFraction(_ number: Double) -> Bool {
        number.magnitude < 0x1p53 && Double(Int64(number)) != number
    }

    private static func tag(_ tag: ValueTag, _ body: Value) -> Value {
        .dictionary(ValueDictionary([(tag.rawValue, body)]))
    }

    /// The value that a plain one stands for, its tags resolved at every depth.
    /// - Throws: `TaggedValueProblem` for an unknown tag, or a body that does not fit.
    package static func decode(_ plain: Value) throws(TaggedValueProblem) -> Value {
        switch plain {
        case .array(let elements):
            return .array(try elements.map { (element) throws(TaggedValueProblem) in try decode(element) })
        case .dictionary(let dictionary):
            guard let key = dictionary.keys.first(where: { $0.hasPrefix("$") }) else {
                return .dictionary(try members(dictionary))
            }
            guard dictionary.count == 1 else {
                throw TaggedValueProblem("'\(key)' must be the only key of its object")
            }
            guard let tag = ValueTag(rawValue: key) else {
                let isInput = ValueTag.inputs.contains(key)
                throw TaggedValueProblem(
                    "'\(key)' " + (isInput ? "cannot stand inside a value" : "is not a tag that values can have"))
            }
            guard let value = tag.value(try body(tag, dictionary.values[0])) else {
                throw TaggedValueProblem("'\(key)' takes \(tag.body)")
            }
            return value
        default:
            return plain
        }
    }

    /// The body with the tags in it resolved: keys of a `$dictionary` are no tags.
    private static func body(_ tag: ValueTag, _ plain: Value) throws(TaggedValueProblem) -> Value {
        guard tag == .dictionary, case .dictionary(let dictionary) = plain else { return try decode(plain) }
        return .dictionary(try members(dictionary))
    }

    private static func members(_ dictionary: ValueDictionary) throws(TaggedValueProblem) -> ValueDictionary {
        let values = try dictionary.values.map { (value) throws(TaggedValueProblem) in try decode(value) }
        return ValueDictionary(shape: dictionary.shape, values: values)
    }
}
