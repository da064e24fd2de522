// Codable in the exact form: a format in which all constants are arguments, and the arguments as tagged values.
// Encoding is exact, even for constants without a literal form. Decoding is safe: it parses the text.

extension ExactForm: Codable {
    private enum CodingKeys: String, CodingKey { case format, arguments }

    /// Also decodes a text alone, as people and servers write a predicate without arguments.
    package init(from decoder: any Decoder) throws {
        let container: KeyedDecodingContainer<CodingKeys>
        do {
            container = try decoder.container(keyedBy: CodingKeys.self)
        } catch {
            guard let text = try? decoder.singleValueContainer().decode(String.self) else { throw error }
            self.init(format: text, arguments: [])
            return
        }
        self.init(
            format: try container.decode(String.self, forKey: .format),
            arguments: try container.decodeIfPresent([PredicateValue].self, forKey: .arguments) ?? [])
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(format, forKey: .format)
        if !arguments.isEmpty { try container.encode(arguments, forKey: .arguments) }
    }
}

extension FormatPredicate: Codable {
    /// Decodes a format and its arguments, or a text alone, which has no arguments.
    /// - Throws: `PredicateFailure` if the text cannot be parsed.
    public init(from decoder: any Decoder) throws {
        let form = try ExactForm(from: decoder)
        try self.init(
            FormatParser.predicate(form.format, arguments: form.bound, options: .all), in: .decoded(from: decoder))
    }

    /// - Throws: `EncodingError` if the tree contains an object of the app or a conversion without an argument.
    public func encode(to encoder: any Encoder) throws {
        try ExactForm(root).encode(to: encoder, environment) { $0.walk(root) }
    }
}

extension FormatExpression: Codable {
    public init(from decoder: any Decoder) throws {
        let form = try ExactForm(from: decoder)
        try self.init(
            FormatParser.expression(form.format, arguments: form.bound, options: .all), in: .decoded(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try ExactForm(root).encode(to: encoder, environment) { $0.walk(root) }
    }
}

extension ExactForm {
    fileprivate var bound: FormatArguments { .bound(arguments.map(FormatArgument.value)) }

    /// Throws for a part of the tree that cannot be decoded again: a conversion without an argument, or an error node.
    fileprivate func encode(
        to encoder: any Encoder, _ environment: PredicateEnvironment, checking walk: (PredicateWalker) -> Void
    ) throws {
        var found: String?
        walk(
            PredicateWalker(
                predicate: { if case .error = $0.kind { found = found ?? "\($0)" } },
                expression: { found = found ?? $0.uncodableSelf }))
        if let found {
            let reason = "a predicate with '\(found)' cannot be encoded"
            throw EncodingError.invalidValue(found, .init(codingPath: encoder.codingPath, debugDescription: reason))
        }
        try encode(to: encoder)
        try environment.encode(to: encoder)
    }
}

/// What of an environment is encoded: what a text means without the app's functions and limits.
extension PredicateEnvironment {
    private enum CodingKeys: String, CodingKey { case language, timeZone, locale }

    fileprivate func encode(to encoder: any Encoder) throws {
        if language.isEmpty, timeZone == nil, localeIdentifier == nil { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        let names = LanguageOptions.named.filter { language.contains($0.option) }.map { $0.name }
        if !names.isEmpty { try container.encode(names, forKey: .language) }
        try container.encodeIfPresent(timeZone?.description, forKey: .timeZone)
        try container.encodeIfPresent(localeIdentifier, forKey: .locale)
    }

    /// The environment of a decoded predicate: the decoder's, or else what is encoded.
    /// - Throws: `DecodingError` for an unknown extension, and for a time zone that only the app can make.
    fileprivate static func decoded(from decoder: any Decoder) throws -> PredicateEnvironment {
        if let given = decoder.userInfo[.predicateEnvironment] as? PredicateEnvironment { return given }
        // A text alone has no keys.
        guard let container = try? decoder.container(keyedBy: CodingKeys.self), !container.allKeys.isEmpty else {
            return .standard
        }
        func unknown(_ key: CodingKeys, _ name: String) -> DecodingError {
            let advice = "decode with userInfo[.predicateEnvironment]"
            return .dataCorruptedError(forKey: key, in: container, debugDescription: "unknown: \(name); \(advice)")
        }
        var language: LanguageOptions = []
        for name in try container.decodeIfPresent([String].self, forKey: .language) ?? [] {
            guard let option = LanguageOptions.named(name) else { throw unknown(.language, name) }
            language.insert(option)
        }
        let zone = try container.decodeIfPresent(String.self, forKey: .timeZone).map { name in
            guard let zone = PredicateTimeZone(name) else { throw unknown(.timeZone, name) }
            return zone
        }
        let locale = try container.decodeIfPresent(String.self, forKey: .locale)
        return PredicateEnvironment(language: language, localeIdentifier: locale, timeZone: zone)
    }
}

extension LanguageOptions {
    /// All extensions, because they may have been enabled for the encoded predicate.
    static let all = LanguageOptions(named.map { $0.option })
}

extension ExpressionNode {
    fileprivate var uncodableSelf: String? {
        switch kind {
        case .argument, .error: description
        default: nil
        }
    }
}

/// Values of types that some coders lack are written with the tags of TaggedValue, such as `{"$date": 0}`.
extension PredicateValue: Codable {
    /// - Throws: `EncodingError` for an object of the app.
    public func encode(to encoder: any Encoder) throws {
        try PlainValue(TaggedValue.encode(self, for: .coder)).encode(to: encoder)
    }

    /// - Throws: `DecodingError` for an unknown tag, or content that does not fit its tag.
    public init(from decoder: any Decoder) throws {
        let plain = try PlainValue(from: decoder).value
        do {
            self = try TaggedValue.decode(plain)
        } catch {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: error.message))
        }
    }
}

/// The types that every coder supports: nil, a Boolean, an integer, a double, a text, an array or a dictionary.
package struct PlainValue: Codable {
    package let value: PredicateValue

    package init(_ value: PredicateValue) { self.value = value }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        switch value {
        case .bool(let value): try encode(value, encoder)
        case .integer(let value): try encode(value, encoder)
        case .double(let value): try encode(value, encoder)
        case .string(let value): try encode(value, encoder)
        case .array(let elements): try encode(elements.map(PlainValue.init), encoder)
        case .dictionary(let dictionary):
            var container = encoder.container(keyedBy: Name.self)
            for (key, value) in zip(dictionary.keys, dictionary.values) {
                try container.encode(PlainValue(value), forKey: Name(stringValue: key))
            }
        case .object(let reference):
            throw EncodingError.invalidValue(
                reference,
                .init(
                    codingPath: encoder.codingPath,
                    debugDescription: "\(value.typeDescription) cannot be encoded"))
        default:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }

    private func encode(_ plain: some Encodable, _ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(plain)
    }

    package init(from decoder: any Decoder) throws {
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
        } else if let elements = try? plain.decode([PlainValue].self) {
            value = .array(elements.map { $0.value })
        } else {
            let container = try decoder.container(keyedBy: Name.self)
            value = .dictionary(
                ValueDictionary(
                    try container.allKeys.map {
                        ($0.stringValue, try container.decode(PlainValue.self, forKey: $0).value)
                    }
                ))
        }
    }
}

extension CodingUserInfoKey {
    /// The `PredicateEnvironment` of decoded predicates and expressions.
    // Never nil: the initialiser is failable only because that of RawRepresentable is.
    public static let predicateEnvironment = CodingUserInfoKey(rawValue: "PredicateEnvironment")!
}
