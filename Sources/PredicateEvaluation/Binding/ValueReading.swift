// Converts values back to Swift's types: the inverse of `predicateValue`. Bridges/HostObjects.swift converts them to
// objects of Foundation.
public import PredicateSyntax

extension PredicateValue {
    /// The value as a Swift type if the conversion is exact, else nil.
    ///
    ///     row["age"].as(Int.self)            // 36
    ///     row["tags"].as([String].self)      // ["vip"]
    ///     row["status"].as(Status.self)      // .active, an enum with raw values
    ///     PredicateValue.double(1.5).as(Int.self)    // nil
    ///
    /// Supports Swift's numbers, texts, Booleans, Date, UUID, URL, Data, Decimal, enums with such raw values,
    /// optionals, arrays and dictionaries of these, and the types of the app's own objects.
    ///
    /// Cost: some tens of nanoseconds for each value.
    public func `as`<Value>(_ type: Value.Type = Value.self) -> Value? { Self.read(self, type) as? Value }

    private static func read(_ value: PredicateValue, _ type: Any.Type) -> Any? {
        switch type {
        case let type as any StandardValue.Type: type.read(value)
        case let type as any ReadableContainer.Type: type.object(value, Self.read)
        case let type as any RawRepresentable.Type: type.object(value, Self.read)
        default: value.anyValue
        }
    }
}

extension RawRepresentable {
    fileprivate static func object(_ value: PredicateValue, _ read: (PredicateValue, Any.Type) -> Any?) -> Any? {
        (read(value, RawValue.self) as? RawValue).flatMap(Self.init(rawValue:))
    }
}

/// Optionals and collections of readable types.
private protocol ReadableContainer {
    /// Converts a value to the type, or returns nil; `read` converts the elements.
    static func object(_ value: PredicateValue, _ read: (PredicateValue, Any.Type) -> Any?) -> Any?
}

extension Optional: ReadableContainer {
    fileprivate static func object(_ value: PredicateValue, _ read: (PredicateValue, Any.Type) -> Any?) -> Any? {
        if value.isNil { return Self.none as Any }
        return (read(value, Wrapped.self) as? Wrapped).map { Self.some($0) as Any }
    }
}

extension Array: ReadableContainer {
    fileprivate static func object(_ value: PredicateValue, _ read: (PredicateValue, Any.Type) -> Any?) -> Any? {
        switch value {
        case .array(let values), .set(let values):
            let elements = values.compactMap { read($0, Element.self) as? Element }
            return elements.count == values.count ? elements : nil
        default: return nil
        }
    }
}

extension Dictionary: ReadableContainer {
    fileprivate static func object(_ value: PredicateValue, _ read: (PredicateValue, Any.Type) -> Any?) -> Any? {
        guard case .dictionary(let record) = value else { return nil }
        var result: Self = [:]
        for (name, entry) in zip(record.keys, record.values) {
            guard let key = name as? Key, let object = read(entry, Value.self) as? Value else { return nil }
            result[key] = object
        }
        return result
    }
}

// MARK: Values of the standard library

extension StandardValue {
    package static func read(_ value: PredicateValue) -> Self? { value.anyValue as? Self }
}

extension StandardValue where Self: FixedWidthInteger {
    package static func read(_ value: PredicateValue) -> Self? {
        switch value {
        case .integer(let number): Self(exactly: number)
        case .double(let number): Self(exactly: number)
        case .decimal(let number): Self(number.description, radix: 10)
        default: nil
        }
    }
}

extension StandardValue where Self: BinaryFloatingPoint {
    package static func read(_ value: PredicateValue) -> Self? {
        switch value {
        case .integer(let number): Self(exactly: number)
        case .double(let number): Self(exactly: number)
        case .float(let number): Self(exactly: number)
        case .decimal(let number): Double("\(number)").map { Self($0) }
        default: nil
        }
    }
}

extension Bool {
    package static func read(_ value: PredicateValue) -> Bool? {
        switch value {
        case .bool(let answer): answer
        case .integer(0): false
        case .integer(1): true
        default: nil
        }
    }
}

extension String {
    package static func read(_ value: PredicateValue) -> String? {
        if case .string(let text) = value { text } else { nil }
    }
}

extension PredicateValue {
    package static func read(_ value: PredicateValue) -> PredicateValue? { value }
}
