// Exact values in JSON, in other coders and in the text of a predicate. Each of these has literals for only a few
// types. Other values have a tag (LANGUAGE, Appendix A). This file defines all tags and is the only code that writes
// and reads them. Codable (PredicateModel), TaggedJSON (PredicateRecords), CanonicalPrinter and the parser of CAST use
// it.
//
//     in JSON                       in a text                      the value
//     {"$null": true}               CAST(YES, "$null")             NSNull (null is nil)
//     {"$date": 1.5}                CAST(1.5, "$date")             seconds since 2001-01-01 UTC, or ISO 8601 as a text
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
//     {"$nsNull": true}             for coders                     NSNull, where a property list would read "$null" as nil
//     {"$string": ["$", "null"]}    for coders                     a text in parts, for the same reason

/// A tag. It names the type of its value.
package enum ValueTag: String, CaseIterable, Sendable {
    case null = "$null"
    case nsNull = "$nsNull"
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

    /// The tag of keys that are not plain words. It occurs only in texts: `CAST("first name", "$key") == "Ada"`.
    package static let key = "$key"

    /// The tags that are allowed only for a whole input. Only TaggedJSON reads them.
    package static let inputs: Set = [
        "$expr", "$filter", "$object", "$variables", "$substitute", "$object_without_key",
    ]

    /// A description of the tag's content, for messages.
    package var body: String {
        switch self {
        case .null, .nsNull: "true"
        case .date: "a number of seconds or an ISO 8601 date"
        case .double, .float: "a number, or its text"
        case .decimal: "the text of a decimal number"
        case .data: "text in Base64"
        case .uuid: "the text of a UUID"
        case .url: "text"
        case .string: "an array of texts"
        case .type: "a name"
        case .set, .array: "an array"
        case .dictionary: "an object, or an array of pairs"
        }
    }

    /// Converts the tag's content, in which tags are already resolved, to a value; nil if the content does not fit.
    package func value(_ body: PredicateValue) -> PredicateValue? {
        switch (self, body) {
        case (.null, .bool(true)), (.nsNull, .bool(true)): .nsNull
        case (.date, .string(let text)): (CalendarDate.seconds(iso8601: text) ?? Double(text)).map(PredicateValue.date)
        case (.date, _): Self.double(body).map(PredicateValue.date)
        case (.double, _): Self.double(body).map(PredicateValue.double)
        case (.float, .string(let text)): Float(text).map(PredicateValue.float)
        case (.float, _): Self.double(body).map { .float(Float($0)) }
        case (.decimal, .string(let text)): DecimalNumber(text).map(PredicateValue.decimal)
        case (.data, .string(let text)): Base64.bytes(text).map(PredicateValue.data)
        case (.uuid, .string(let text)): UniversalID(text).map(PredicateValue.uuid)
        case (.url, .string(let text)): .url(text)
        case (.type, .string(let name)): .type(name)
        case (.string, .array(let parts)): Self.joined(parts).map(PredicateValue.string)
        case (.array, .array): body
        case (.set, .array(let members)): .set(members.distinct())
        case (.dictionary, .dictionary): body
        case (.dictionary, .array(let pairs)): Self.dictionary(pairs).map(PredicateValue.dictionary)
        default: nil
        }
    }

    private static func double(_ body: PredicateValue) -> Double? {
        switch body {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .string(let text): Double(text)
        default: nil
        }
    }

    private static func joined(_ parts: [PredicateValue]) -> String? {
        var text = ""
        for part in parts {
            guard case .string(let part) = part else { return nil }
            text += part
        }
        return text
    }

    private static func dictionary(_ pairs: [PredicateValue]) -> ValueDictionary? {
        var read: [(String, PredicateValue)] = []
        for pair in pairs {
            guard case .array(let parts) = pair, parts.count == 2, case .string(let key) = parts[0] else { return nil }
            read.append((key, parts[1]))
        }
        return ValueDictionary(read)
    }
}

extension PredicateValue {
    /// The tag and its content for a value that always needs a tag; nil for other values and for objects of the app,
    /// which have no exact form. Elements of the content may also need tags.
    package var tagged: (tag: ValueTag, body: PredicateValue)? {
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

/// The reason why a tagged value cannot be read: an unknown tag, or content that does not fit its tag.
package struct TaggedValueProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    package var description: String { message }

    package init(_ message: String) { self.message = message }
}

/// Converts values to and from the types that every coder supports: nil, Booleans, integers, doubles, texts, arrays and
/// dictionaries. A tag is a dictionary with one key.
package enum TaggedValue {
    /// The target of the encoding.
    package enum Target: Sendable {
        /// JSON as this package writes it: `2.0` keeps its fraction, objects keep the order of their keys.
        case json
        /// JSON for results: every finite number is a JSON number.
        case answer
        /// Any coder. Some write 2.0 as 2, lose the order of keys, or decode the text `$null` as nil.
        case coder
    }

    /// Values below this depth are encoded as nil, because objects of the app may refer to each other in a cycle.
    private static let maximumDepth = 1000

    /// Returns the value with tags, for `decode`. Objects of the app become dictionaries of their published keys. For a
    /// coder they are returned unchanged and cannot be encoded.
    package static func encode(_ value: PredicateValue, for target: Target, depth: Int = 0) -> PredicateValue {
        if depth > maximumDepth { return .null }
        switch value {
        case .float(let number) where target == .answer && number.isFinite: return value
        case .decimal where target == .answer: return value
        case .double(let number):
            let isPlain = target == .coder ? hasFraction(number) : number.isFinite
            return isPlain ? value : tag(.double, .string(number.description))
        case .nsNull where target == .coder: return tag(.nsNull, .bool(true))
        case .string("$null") where target == .coder: return tag(.string, .array([.string("$"), .string("null")]))
        case .array(let elements): return .array(elements.map { encode($0, for: target, depth: depth + 1) })
        case .dictionary(let dictionary) where target != .coder:
            let values = dictionary.values.map { encode($0, for: target, depth: depth + 1) }
            let encoded = PredicateValue.dictionary(ValueDictionary(shape: dictionary.shape, values: values))
            return dictionary.keys.contains { $0.hasPrefix("$") } ? tag(.dictionary, encoded) : encoded
        case .object(let reference) where target != .coder:
            return encode(.dictionary(reference.object.record), for: target, depth: depth + 1)
        default:
            guard let (name, body) = value.tagged else { return value }
            guard case .array = body else { return tag(name, body) }
            return tag(name, encode(body, for: target, depth: depth + 1))
        }
    }

    /// Whether the number is written with a fraction, so that a decoder cannot read it as an integer.
    private static func hasFraction(_ number: Double) -> Bool {
        number.magnitude < 0x1p53 && Double(Int64(number)) != number
    }

    private static func tag(_ tag: ValueTag, _ body: PredicateValue) -> PredicateValue {
        .dictionary(ValueDictionary([(tag.rawValue, body)]))
    }

    /// Converts a plain value and resolves tags at every depth.
    /// - Throws: `TaggedValueProblem` for an unknown tag, or content that does not fit.
    package static func decode(_ plain: PredicateValue) throws(TaggedValueProblem) -> PredicateValue {
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
                    "'\(key)' " + (isInput ? "is not allowed inside a value" : "is not the tag of a value"))
            }
            guard let value = tag.value(try body(tag, dictionary.values[0])) else {
                throw TaggedValueProblem("'\(key)' takes \(tag.body)")
            }
            return value
        default:
            return plain
        }
    }

    /// The content of a tag with its tags resolved. The keys in a `$dictionary` are not tags.
    private static func body(_ tag: ValueTag, _ plain: PredicateValue) throws(TaggedValueProblem) -> PredicateValue {
        guard tag == .dictionary, case .dictionary(let dictionary) = plain else { return try decode(plain) }
        return .dictionary(try members(dictionary))
    }

    private static func members(_ dictionary: ValueDictionary) throws(TaggedValueProblem) -> ValueDictionary {
        let values = try dictionary.values.map { (value) throws(TaggedValueProblem) in try decode(value) }
        return ValueDictionary(shape: dictionary.shape, values: values)
    }
}
