// Codable in the exact form: a format in which all constants are arguments, and the arguments as tagged values.
// Encoding is exact, also for constants without a literal form. Decoding is safe: it parses and checks the
// text.
public import PredicateSyntax

extension ExactForm: Codable {
    private enum CodingKeys: String, CodingKey { case format, arguments }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            format: try container.decode(String.self, forKey: .format),
            arguments: try container.decodeIfPresent([CodedValue].self, forKey: .arguments)?.map(\.value) ?? [])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(format, forKey: .format)
        if !arguments.isEmpty { try container.encode(arguments.map(CodedValue.init), forKey: .arguments) }
    }
}

extension FormatPredicate: Codable {
    /// - Throws: `PredicateFailure` if the text cannot be parsed.
    public init(from decoder: any Decoder) throws {
        let form = try ExactForm(from: decoder)
        try self.init(form.format, arguments: form.arguments, options: .all)
    }

    /// - Throws: `EncodingError` if the tree has an object of the host or a conversion without an argument.
    public func encode(to encoder: any Encoder) throws {
        try requireCodable(root.uncodablePart, encoder)
        try ExactForm(root).encode(to: encoder)
    }
}

extension FormatExpression: Codable {
    public init(from decoder: any Decoder) throws {
        let form = try ExactForm(from: decoder)
        try self.init(form.format, arguments: form.arguments, options: .all)
    }

    public func encode(to encoder: any Encoder) throws {
        try requireCodable(root.uncodablePart, encoder)
        try ExactForm(root).encode(to: encoder)
    }
}

private func requireCodable(_ part: String?, _ encoder: any Encoder) throws {
    guard let part else { return }
    throw EncodingError.invalidValue(
        part,
        .init(codingPath: encoder.codingPath, debugDescription: "a predicate with '\(part)' in it cannot be coded"))
}

extension LanguageOptions {
    /// All extensions, because the encoded predicate was accepted before.
    static let all: LanguageOptions = [.deviceManagementTerms, .unicodeIdentifiers, .stringConcatenation]
}

extension PredicateNode {
    /// A part that cannot be decoded again: a conversion without an argument, or an error node.
    fileprivate var uncodablePart: String? {
        var found: String?
        Walker(
            predicate: { if case .error = $0.kind { found = found ?? "\($0)" } },
            expression: { found = found ?? $0.uncodableSelf }
        ).walk(self)
        return found
    }
}

extension ExpressionNode {
    fileprivate var uncodablePart: String? {
        var found: String?
        Walker(
            predicate: { if case .error = $0.kind { found = found ?? "\($0)" } },
            expression: { found = found ?? $0.uncodableSelf }
        ).walk(self)
        return found
    }

    fileprivate var uncodableSelf: String? {
        switch kind {
        case .argument, .error: description
        default: nil
        }
    }
}

/// A value in tagged form. Integers, strings, Booleans, nil and arrays are written as they are; values that
/// JSON lacks have a tag, such as `{"$date": 0}`. Doubles have a tag too, because some coders write 2.0 as 2.
struct CodedValue: Codable {
    let value: Value

    init(_ value: Value) { self.value = value }

    private struct Tag: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        init(_ name: String) { stringValue = name }
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try encode(value, encoder)
        case .integer(let value): try encode(value, encoder)
        case .string(let value): try encode(value, encoder)
        case .array(let elements): try encode(elements.map(CodedValue.init), encoder)
        // Not "$null", which property lists use for nil.
        case .nsNull: try encode(true, "$nsNull", encoder)
        case .float(let value): try encode(value.description, "$float", encoder)
        case .double(let value): try encode(value.description, "$double", encoder)
        case .decimal(let value): try encode(value.description, "$decimal", encoder)
        // JSON has no infinities.
        case .date(let seconds):
            if seconds.isFinite {
                try encode(seconds, "$date", encoder)
            } else {
                try encode(seconds.description, "$date", encoder)
            }
        case .data(let bytes): try encode(bytes, "$bytes", encoder)
        case .uuid(let value): try encode(value.description, "$uuid", encoder)
        case .url(let value): try encode(value, "$url", encoder)
        case .set(let elements): try encode(elements.map(CodedValue.init), "$set", encoder)
        case .type(let name): try encode(name, "$class", encoder)
        case .dictionary(let dictionary):
            let pairs = zip(dictionary.keys, dictionary.values).map { [CodedValue(.string($0)), CodedValue($1)] }
            try encode(pairs, "$dictionary", encoder)
        case .object(let reference):
            throw EncodingError.invalidValue(
                reference,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "an object of type \(reference.object.typeName) cannot be coded"))
        }
    }

    private func encode(_ plain: some Encodable, _ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(plain)
    }

    private func encode(_ content: some Encodable, _ tag: String, _ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Tag.self)
        try container.encode(content, forKey: Tag(tag))
    }

    init(from decoder: any Decoder) throws {
        let plain = try decoder.singleValueContainer()
        if plain.decodeNil() {
            value = .null
        } else if let bool = try? plain.decode(Bool.self) {
            value = .bool(bool)
        } else if let integer = try? plain.decode(Int64.self) {
            value = .integer(integer)
        } else if let double = try? plain.decode(Double.self) {
            value = .double(double)
        } else if let string = try? plain.decode(String.self) {
            value = .string(string)
        } else if let elements = try? plain.decode([CodedValue].self) {
            value = .array(elements.map(\.value))
        } else {
            value = try Self.tagged(decoder)
        }
    }

    private static func tagged(_ decoder: any Decoder) throws -> Value {
        let container = try decoder.container(keyedBy: Tag.self)
        guard let tag = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a tagged value has exactly one tag"))
        }
        func text() throws -> String { try container.decode(String.self, forKey: tag) }
        let mismatch = DecodingError.dataCorruptedError(
            forKey: tag, in: container, debugDescription: "this is no value of \(tag.stringValue)")
        func checked(_ value: Value?) throws -> Value {
            guard let value else { throw mismatch }
            return value
        }
        switch tag.stringValue {
        case "$nsNull": return .nsNull
        case "$float": return try checked(Float(try text()).map(Value.float))
        case "$double": return try checked(Double(try text()).map(Value.double))
        case "$decimal": return try checked(DecimalNumber(try text()).map(Value.decimal))
        case "$date":
            if let seconds = try? container.decode(Double.self, forKey: tag) { return .date(seconds) }
            return try checked(Double(try text()).map(Value.date))
        case "$bytes": return .data(try container.decode([UInt8].self, forKey: tag))
        case "$uuid": return try checked(UniversalID(try text()).map(Value.uuid))
        case "$url": return .url(try text())
        case "$class": return .type(try text())
        case "$set": return .set(try container.decode([CodedValue].self, forKey: tag).map(\.value))
        case "$dictionary":
            let pairs = try container.decode([[CodedValue]].self, forKey: tag)
            return .dictionary(
                ValueDictionary(
                    try pairs.map { pair in
                        guard pair.count == 2, case .string(let key) = pair[0].value else { throw mismatch }
                        return (key, pair[1].value)
                    }))
        default: throw mismatch
        }
    }
}
