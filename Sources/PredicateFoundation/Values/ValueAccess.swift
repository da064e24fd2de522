// Converts values back to objects of Swift and Foundation.
import Foundation
import PredicateEvaluation
public import PredicateSyntax

extension PredicateValue {
    /// The value as an object: String, NSNumber, Date, UUID, URL, Data or NSDecimalNumber; arrays, dictionaries and
    /// NSSet of these, with NSNull for nil inside; or the app's own object. nil for nil.
    ///
    ///     PredicateValue.array([.integer(1), .null]).anyValue    // [1, <null>]
    public var anyValue: Any? { HostValue.object(self) }

    /// The value as a Swift type if the conversion is exact, else nil.
    ///
    ///     row["age"]?.as(Int.self)            // 36
    ///     row["tags"]?.as([String].self)      // ["vip"]
    ///     row["status"]?.as(Status.self)      // .active, an enum with raw values
    ///     PredicateValue.double(1.5).as(Int.self)    // nil
    ///
    /// Supports Swift's numbers, texts, Booleans, Date, UUID, URL, Data, Decimal, enums with such raw values,
    /// optionals, arrays and dictionaries of these, and the types of the app's own objects.
    public func `as`<Value>(_ type: Value.Type = Value.self) -> Value? { Self.read(self, type) as? Value }

    private static func read(_ value: PredicateValue, _ type: Any.Type) -> Any? {
        switch type {
        case let type as any PredicateConstant.Type: type.constant(value)
        case let type as any ReadableContainer.Type: type.object(value, Self.read)
        case let type as any RawRepresentable.Type: type.object(value, Self.read)
        default: HostValue.object(value)
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
