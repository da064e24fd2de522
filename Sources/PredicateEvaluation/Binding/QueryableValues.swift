// Conformances of standard library types that published keys can have. Bridges/ has those of Foundation.
public import PredicateSyntax

extension Bool: QueryableScalar {
    public static var queryType: QueryType { .boolean }
}
extension String: QueryableScalar {
    public static var queryType: QueryType { .string }
}
extension Substring: QueryableScalar {
    public static var queryType: QueryType { .string }
}
extension Character: QueryableScalar {
    public static var queryType: QueryType { .string }
}
extension Double: QueryableScalar {
    public static var queryType: QueryType { .double }
}
extension Float: QueryableScalar {
    public static var queryType: QueryType { .double }
}
extension DecimalNumber: QueryableScalar {
    public static var queryType: QueryType { .decimal }
}
extension UniversalID: QueryableScalar {
    public static var queryType: QueryType { .uuid }
}
/// A value of any type, checked when it is read.
extension PredicateValue: QueryableScalar {
    public static var queryType: QueryType { .any }
}
extension ValueDictionary: QueryableScalar {
    public static var queryType: QueryType { .dictionary(.any) }
}

extension QueryableValue where Self: BinaryInteger {
    public static var queryType: QueryType { .integer }
}
/// Values above `Int64.max` are decimals.
extension UInt: QueryableScalar {
    public static var queryType: QueryType { .number }
}
extension UInt64: QueryableScalar {
    public static var queryType: QueryType { .number }
}
extension Int: QueryableScalar {}
extension Int8: QueryableScalar {}
extension Int16: QueryableScalar {}
extension Int32: QueryableScalar {}
extension Int64: QueryableScalar {}
extension UInt8: QueryableScalar {}
extension UInt16: QueryableScalar {}
extension UInt32: QueryableScalar {}

extension Optional: QueryableValue where Wrapped: QueryableValue {
    public var queryValue: PredicateValue { self?.queryValue ?? .null }
    public static var queryType: QueryType { .optional(Wrapped.queryType) }
}
// Closures, because a key path of a generic type is created again at each call, which takes longer than the conversion.
extension Array: QueryableValue where Element: QueryableValue {
    public var queryValue: PredicateValue {
        // A fast path for the most frequent lists, without a call for each element. The cast is safe because Self is
        // [String].
        if Element.self == String.self {
            return .array(unsafeBitCast(self, to: [String].self).map { .string($0) })
        }
        return .array(map { $0.queryValue })
    }
    public static var queryType: QueryType { .list(Element.queryType) }
}
extension ContiguousArray: QueryableValue where Element: QueryableValue {
    public var queryValue: PredicateValue { .array(map { $0.queryValue }) }
    public static var queryType: QueryType { .list(Element.queryType) }
}
extension Set: QueryableValue where Element: QueryableValue {
    public var queryValue: PredicateValue { .set(map { $0.queryValue }) }
    public static var queryType: QueryType { .set(Element.queryType) }
}
extension Dictionary: QueryableValue where Key: LosslessStringConvertible, Value: QueryableValue {
    public var queryValue: PredicateValue { sortedByText { $0.queryValue } }
    public static var queryType: QueryType { .dictionary(Value.queryType) }
}
