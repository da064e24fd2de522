// Standard library types that published keys can have. Bridges/ has those of Foundation.
public import PredicateSyntax

extension QueryableValue where Self: PredicateValueConvertible {
    public var queryValue: PredicateValue { predicateValue }
}

extension Bool: QueryableValue {
    public static var queryType: QueryType { .boolean }
}
extension String: QueryableValue {
    public static var queryType: QueryType { .string }
}
extension Substring: QueryableValue {
    public static var queryType: QueryType { .string }
}
extension Character: QueryableValue {
    public static var queryType: QueryType { .string }
}
extension Double: QueryableValue {
    public static var queryType: QueryType { .double }
}
extension Float: QueryableValue {
    public static var queryType: QueryType { .double }
}
extension DecimalNumber: QueryableValue {
    public static var queryType: QueryType { .decimal }
}
extension UniversalID: QueryableValue {
    public static var queryType: QueryType { .uuid }
}
/// A value of any type, checked when it is read.
extension PredicateValue: QueryableValue {
    public static var queryType: QueryType { .any }
}
extension ValueDictionary: QueryableValue {
    public static var queryType: QueryType { .dictionary(.any) }
}

extension QueryableValue where Self: BinaryInteger {
    public static var queryType: QueryType { .integer }
}
/// Values above `Int64.max` are decimals.
extension UInt: QueryableValue {
    public static var queryType: QueryType { .number }
}
extension UInt64: QueryableValue {
    public static var queryType: QueryType { .number }
}
extension Int: QueryableValue {}
extension Int8: QueryableValue {}
extension Int16: QueryableValue {}
extension Int32: QueryableValue {}
extension Int64: QueryableValue {}
extension UInt8: QueryableValue {}
extension UInt16: QueryableValue {}
extension UInt32: QueryableValue {}

extension Optional: QueryableValue where Wrapped: QueryableValue {
    public var queryValue: PredicateValue { self?.queryValue ?? .null }
    public static var queryType: QueryType { .optional(Wrapped.queryType) }
}
extension Array: QueryableValue where Element: QueryableValue {
    public var queryValue: PredicateValue { .array(map(\.queryValue)) }
    public static var queryType: QueryType { .list(Element.queryType) }
}
extension ContiguousArray: QueryableValue where Element: QueryableValue {
    public var queryValue: PredicateValue { .array(map(\.queryValue)) }
    public static var queryType: QueryType { .list(Element.queryType) }
}
extension Set: QueryableValue where Element: QueryableValue {
    public var queryValue: PredicateValue { .set(map(\.queryValue)) }
    public static var queryType: QueryType { .set(Element.queryType) }
}
extension Dictionary: QueryableValue where Key == String, Value: QueryableValue {
    public var queryValue: PredicateValue {
        .dictionary(ValueDictionary(sorted { $0.key < $1.key }.map { ($0.key, $0.value.queryValue) }))
    }
    public static var queryType: QueryType { .dictionary(Value.queryType) }
}
