// Converts values back to Swift's types: the inverse of `predicateValue`. Bridges/HostObjects.swift converts them to
// objects of Foundation.

extension PredicateValue {
    /// The value as a Swift type if the conversion is exact, else nil.
    ///
    ///     row["age"]?.as(Int.self)            // 36
    ///     row["tags"]?.as([String].self)      // ["vip"]
    ///     row["status"]?.as(Status.self)      // .active, an enum with raw values
    ///     PredicateValue.double(1.5).as(Int.self)    // nil
    ///
    /// Supports Swift's numbers, texts, Booleans, Date, UUID, URL, Data, Decimal, enums with such raw values,
    /// optionals, arrays, sets and dictionaries of these, and the types of the app's own objects.
    ///
    /// Cost: some tens of nanoseconds for each value.
    public func `as`<Value>(_ type: Value.Type = Value.self) -> Value? {
        // A cast of no value at all to an Optional would succeed.
        Self.read(self, type).flatMap { $0 as? Value }
    }

    fileprivate static func read(_ value: PredicateValue, _ type: Any.Type) -> Any? {
        switch type {
        case let type as any StandardValue.Type: type.read(value)
        case let type as any ReadableContainer.Type: type.object(value, Self.read)
        case let type as any RawRepresentable.Type: type.object(value, Self.read)
        default: value.anyValue
        }
    }
}

extension PredicateValue {
    /// The largest number of cases of a type that are kept.
    private static let caseLimit = 256

    /// The cases of an enum, of an optional enum, or of the elements of a collection; empty for other types.
    static func cases(of type: Any.Type) -> [PredicateValue] {
        switch type {
        case let type as any ReadableContainer.Type: return cases(of: type.content)
        case let type as any (QueryableValue & CaseIterable).Type:
            let values = type.values(most: caseLimit + 1)
            let isKept = values.allSatisfy { if case .object = $0 { false } else { !$0.isNil } }
            return isKept && values.count <= caseLimit ? values : []
        default: return []
        }
    }
}

extension CaseIterable where Self: QueryableValue {
    fileprivate static func values(most count: Int) -> [PredicateValue] { allCases.prefix(count).map { $0.queryValue } }
}

extension PredicateSchema.SwiftValues {
    /// nil for a type that represents all values of its type in the language, or that converts them itself.
    convenience init?(of type: Any.Type) {
        guard Self.isNarrow(type) else { return nil }
        let wrapped = type is any ExpressibleByNilLiteral.Type ? (type as? any ReadableContainer.Type)?.content : nil
        self.init(of: "\(wrapped ?? type)") { PredicateValue.read($0, type) != nil }
    }

    private static func isNarrow(_ type: Any.Type) -> Bool {
        switch type {
        case let type as any ReadableContainer.Type: isNarrow(type.content)
        case is Int.Type, is Int64.Type: false
        case is any FixedWidthInteger.Type: true
        case let type as any (RawRepresentable & QueryableValue).Type: type.isStoredAsRawValue
        default: false
        }
    }
}

extension RawRepresentable where Self: QueryableValue {
    /// Whether its values in the language are the raw values, as far as their type shows.
    fileprivate static var isStoredAsRawValue: Bool {
        guard let raw = RawValue.self as? any QueryableValue.Type else { return false }
        return QueryType(of: raw).type.kind == QueryType(of: Self.self).type.kind
    }
}

extension RawRepresentable {
    fileprivate static func object(_ value: PredicateValue, _ read: (PredicateValue, Any.Type) -> Any?) -> Any? {
        read(value, RawValue.self).flatMap { $0 as? RawValue }.flatMap(Self.init(rawValue:))
    }
}

/// Optionals and collections of readable types.
package protocol ReadableContainer {
    static var content: Any.Type { get }
    /// Converts a value to the type, or returns nil; `read` converts the elements.
    static func object<Failure: Error>(
        _ value: PredicateValue, _ read: (PredicateValue, Any.Type) throws(Failure) -> Any?
    ) throws(Failure) -> Any?
}

extension Optional: ReadableContainer {
    package static var content: Any.Type { Wrapped.self }
    package static func object<Failure: Error>(
        _ value: PredicateValue, _ read: (PredicateValue, Any.Type) throws(Failure) -> Any?
    ) throws(Failure) -> Any? {
        if value.isNil { return Self.none as Any }
        return try read(value, Wrapped.self).flatMap { $0 as? Wrapped }.map { Self.some($0) as Any }
    }
}

extension Array: ReadableContainer {
    package static var content: Any.Type { Element.self }
    package static func object<Failure: Error>(
        _ value: PredicateValue, _ read: (PredicateValue, Any.Type) throws(Failure) -> Any?
    ) throws(Failure) -> Any? {
        guard let values = value.elements else { return nil }
        var elements: Self = []
        for value in values {
            guard let found = try read(value, Element.self), let element = found as? Element else { return nil }
            elements.append(element)
        }
        return elements
    }
}

extension Set: ReadableContainer {
    package static var content: Any.Type { Element.self }
    package static func object<Failure: Error>(
        _ value: PredicateValue, _ read: (PredicateValue, Any.Type) throws(Failure) -> Any?
    ) throws(Failure) -> Any? {
        try [Element].object(value, read).flatMap { $0 as? [Element] }.map { Self($0) }
    }
}

extension Dictionary: ReadableContainer {
    package static var content: Any.Type { Value.self }
    package static func object<Failure: Error>(
        _ value: PredicateValue, _ read: (PredicateValue, Any.Type) throws(Failure) -> Any?
    ) throws(Failure) -> Any? {
        guard case .dictionary(let record) = value else { return nil }
        var result: Self = [:]
        for (name, entry) in zip(record.keys, record.values) {
            guard let key = name as? Key, let found = try read(entry, Value.self), let object = found as? Value else {
                return nil
            }
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
        if let number = value.integer(Int64.self) { return Self(exactly: number) }
        return value.integer(UInt64.self).flatMap { Self(exactly: $0) }
    }
}

extension PredicateValue {
    /// The number as an integer, if it is one. Compiled for two types only.
    @inline(never)
    fileprivate func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        switch self {
        case .integer(let number): Number(exactly: number)
        case .double(let number): Number(exactly: number)
        case .decimal(let number): Number(number.description)
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
