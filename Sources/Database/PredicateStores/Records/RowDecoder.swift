// Decodes an object or a record as a Decodable type, with the properties read by key. Foundation's types decode
// themselves from the forms that they expect, so this file does not need Foundation.

struct RowDecoder: Decoder {
    let value: PredicateValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: PredicateValue, _ codingPath: [any CodingKey] = []) {
        self.value = Self.isMissing(value) ? .null : value
        self.codingPath = codingPath
    }

    /// Whether it is a related object that does not exist, and so has no values to decode.
    private static func isMissing(_ value: PredicateValue) -> Bool {
        guard case .object(let reference) = value else { return false }
        return (reference.object as? StoredObject)?.isMissing ?? false
    }

    /// Decodes an object or a record.
    static func row<Row: Decodable>(_ type: Row.Type, _ value: PredicateValue) throws(StoreFailure) -> Row {
        do {
            return try RowDecoder(value).decode(type)
        } catch let StoreFailure.row(_, key, reason) {
            throw .row(type: "\(type)", key: key, reason: reason)
        } catch let error as StoreFailure {
            throw error
        } catch {
            throw .row(type: "\(type)", key: "", reason: "\(error)")
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedValues(value: try fields, row: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch value {
        case .array(let elements), .set(let elements):
            ListedValues(values: elements.filter { !Self.isMissing($0) }, codingPath: codingPath)
        case .data(let bytes): ListedValues(values: bytes.map { .integer(Int64($0)) }, codingPath: codingPath)
        default: throw failure("is not a list")
        }
    }

    /// A question after an unknown key.
    func nearest(to key: String) -> String {
        switch value {
        case .object(let reference): Suggestions.question(key, in: reference.object.publishedKeys)
        case .dictionary(let dictionary): Suggestions.question(key, in: dictionary.keys)
        default: ""
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleValue(decoder: self) }

    /// Reads a key; nil if the key does not exist.
    private var fields: (String) throws -> PredicateValue? {
        get throws {
            switch value {
            case .object(let reference): { try reference.object.readValue(forKey: $0) }
            case .dictionary(let dictionary): { dictionary[$0] }
            // The forms in which Foundation's URL and Decimal encode themselves.
            case .url(let text): { $0 == "relative" ? .string(text) : nil }
            case .decimal(let number): Self.fields(number)
            default: throw failure("has no keys")
            }
        }
    }

    private static func fields(_ number: DecimalNumber) -> (String) -> PredicateValue? {
        let words = number.coefficient.magnitude.words.map { PredicateValue.integer(Int64($0)) }
        return { key in
            switch DecimalKey(rawValue: key) {
            case .exponent: .integer(Int64(number.exponent))
            case .length: .integer(Int64(words.count))
            case .isCompact: .bool(false)
            case .isNegative: .bool(number.coefficient < 0)
            case .mantissa: .array(words)
            case nil: nil
            }
        }
    }

    private enum DecimalKey: String {
        case exponent, length, isCompact, isNegative, mantissa
    }

    func failure(_ reason: String) -> StoreFailure {
        .row(
            type: "", key: codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: "."),
            reason: reason)
    }

    func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
        if type is any OptionalType.Type { return try Result(from: self) }
        if value.isNil { throw failure("is nil, but \(type) is not optional") }
        let found: Any?
        switch type {
        case is Bool.Type: found = boolean
        case is String.Type: found = text
        case is Double.Type: found = number
        case is Float.Type: found = number.map { Float($0) }
        case let integer as any FixedWidthInteger.Type: found = self.integer(integer)
        default: return try Result(from: self)
        }
        guard let found = found as? Result else {
            throw failure("is \(ExpressionNode(.value(value))), which \(type) cannot represent")
        }
        return found
    }

    private var boolean: Bool? {
        switch value {
        case .bool(let flag): flag
        case .integer(0): false
        case .integer(1): true
        default: nil
        }
    }

    private var text: String? { if case .uuid(let id) = value { id.description } else { value.stringValue } }

    /// A date as seconds since 2001, the form from which Foundation's Date decodes itself.
    private var number: Double? {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number), .date(let number): number
        case .float(let number): Double(number)
        case .decimal(let number): Double(number.description)
        default: nil
        }
    }

    private func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        switch value {
        case .integer(let number): Number(exactly: number)
        case .bool(let flag): flag ? 1 : 0
        case .double(let number): Number(exactly: number)
        case .decimal(let number): Number(number.description, radix: 10)
        default: nil
        }
    }
}

extension Suggestions {
    /// A question after an unknown word; empty if no other is similar.
    static func question(_ word: String, in words: [String]) -> String {
        nearest(to: word, in: words).map { ", did you mean \($0)?" } ?? ""
    }
}

/// Optional types, which decode themselves from nil.
private protocol OptionalType {}
extension Optional: OptionalType {}

private struct SingleValue: SingleValueDecodingContainer {
    let decoder: RowDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value.isNil }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let value: (String) throws -> PredicateValue?
    let row: RowDecoder
    var codingPath: [any CodingKey] { row.codingPath }
    var allKeys: [Key] { [] }

    private func decoder(_ key: any CodingKey) throws -> RowDecoder {
        let path = codingPath + [key]
        guard let value = try value(key.stringValue) else {
            throw RowDecoder(.null, path).failure("is not a key of the row\(row.nearest(to: key.stringValue))")
        }
        return RowDecoder(value, path)
    }

    /// A key that cannot be read exists: decoding it throws the reason.
    func contains(_ key: Key) -> Bool {
        do { return try value(key.stringValue) != nil } catch { return true }
    }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value.isNil }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decode(type)
    }

    // The common types are read without creating a decoder for each value.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        if case .bool(let flag)? = try value(key.stringValue) { flag } else { try decoder(key).decode(type) }
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if case .string(let text)? = try value(key.stringValue) { text } else { try decoder(key).decode(type) }
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        if case .double(let number)? = try value(key.stringValue) { number } else { try decoder(key).decode(type) }
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        if case .integer(let number)? = try value(key.stringValue) { number } else { try decoder(key).decode(type) }
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        if case .integer(let number)? = try value(key.stringValue), let number = Int(exactly: number) { return number }
        return try decoder(key).decode(type)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        switch try value(key.stringValue) {
        case .string(let text)?: text
        case nil, .null?, .nsNull?: nil
        case _?: try decoder(key).decode(type)
        }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        switch try value(key.stringValue) {
        case .integer(let number)?: number
        case nil, .null?, .nsNull?: nil
        case _?: try decoder(key).decode(type)
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { try decoder(RowKey(stringValue: "super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct ListedValues: UnkeyedDecodingContainer {
    let values: [PredicateValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }

    private mutating func next() throws -> RowDecoder {
        let path = codingPath + [RowKey(intValue: currentIndex)]
        if isAtEnd { throw RowDecoder(.null, path).failure("is after the end of the list") }
        defer { currentIndex += 1 }
        return RowDecoder(values[currentIndex], path)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, values[currentIndex].isNil else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}

/// The position of an element, or the key of a superclass.
private struct RowKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}
