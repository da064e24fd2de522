// Conformances of standard library types that published keys can have. Bridges/ has those of Foundation.

extension Bool: QueryableValue, StandardValue {
    package static var valueType: QueryType { .boolean }
}
extension String: QueryableValue, StandardValue {
    package static var valueType: QueryType { .string }
}
extension Substring: QueryableValue, StandardValue {
    package static var valueType: QueryType { .string }
}
extension Character: QueryableValue, StandardValue {
    package static var valueType: QueryType { .string }
}
extension Double: QueryableValue, StandardValue {
    package static var valueType: QueryType { .double }
}
extension Float: QueryableValue, StandardValue {
    package static var valueType: QueryType { .double }
}
extension DecimalNumber: QueryableValue, StandardValue {
    package static var valueType: QueryType { .decimal }
}
extension UniversalID: QueryableValue, StandardValue {
    package static var valueType: QueryType { .uuid }
}
/// A value of any type, checked when it is read.
extension PredicateValue: QueryableValue, StandardValue {
    package static var valueType: QueryType { .any }
}
extension ValueDictionary: QueryableValue, StandardValue {
    package static var valueType: QueryType { .dictionary(.any) }
}

extension StandardValue where Self: BinaryInteger {
    package static var valueType: QueryType { .integer }
}
/// Values above `Int64.max` are decimals.
extension UInt: QueryableValue, StandardValue {
    package static var valueType: QueryType { .number }
}
extension UInt64: QueryableValue, StandardValue {
    package static var valueType: QueryType { .number }
}
extension Int: QueryableValue, StandardValue {}
extension Int8: QueryableValue, StandardValue {}
extension Int16: QueryableValue, StandardValue {}
extension Int32: QueryableValue, StandardValue {}
extension Int64: QueryableValue, StandardValue {}
extension UInt8: QueryableValue, StandardValue {}
extension UInt16: QueryableValue, StandardValue {}
extension UInt32: QueryableValue, StandardValue {}

extension Optional: QueryableValue, TypedValue where Wrapped: QueryableValue {
    public var queryValue: PredicateValue { self?.queryValue ?? .null }
    package static var valueType: QueryType { .optional(QueryType(of: Wrapped.self)) }
}
extension Array: QueryableValue, TypedValue where Element: QueryableValue {
    public var queryValue: PredicateValue {
        // A fast path for the most frequent lists, without a call for each element. The cast is safe because Self is
        // [String].
        if Element.self == String.self {
            return .array(unsafeBitCast(self, to: [String].self).map { .string($0) })
        }
        return .array(map { $0.queryValue })
    }
    package static var valueType: QueryType { .list(QueryType(of: Element.self)) }
}
extension ContiguousArray: QueryableValue, TypedValue where Element: QueryableValue {
    public var queryValue: PredicateValue { .array(map { $0.queryValue }) }
    package static var valueType: QueryType { .list(QueryType(of: Element.self)) }
}
extension Set: QueryableValue, TypedValue where Element: QueryableValue {
    public var queryValue: PredicateValue { .set(map { $0.queryValue }) }
    package static var valueType: QueryType { .set(QueryType(of: Element.self)) }
}
extension Dictionary: QueryableValue, TypedValue where Key: LosslessStringConvertible, Value: QueryableValue {
    public var queryValue: PredicateValue { sortedByText { $0.queryValue } }
    package static var valueType: QueryType { .dictionary(QueryType(of: Value.self)) }
}
