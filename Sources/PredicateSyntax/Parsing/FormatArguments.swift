// What the conversions of a format string take: %@ a value or a whole expression, %K a key, %d a number. An argument
// becomes a node of the tree; its text is never pasted into the format (LANGUAGE 2.1).

/// One argument of a format string.
public enum FormatArgument: Sendable, Hashable {
    case value(Value)
    /// Spliced in as a sub-tree.
    case expression(ExpressionNode)
}

/// The arguments of a format string, as its reader sees them.
public enum FormatArguments: Sendable {
    /// None are known yet: conversions stay in the tree and are printed as they were. For checking and formatting.
    case unbound
    /// Consumed from left to right; too few and too many are errors.
    case bound([FormatArgument])
    /// A text without arguments: a `%` outside quotes is an error that says so.
    case none
}

/// What can stand for a `%@`: values (`PredicateValueConvertible`) and expressions.
public protocol FormatArgumentConvertible {
    var formatArgument: FormatArgument { get }
}

/// A Swift type that is a value of the language. Numbers, strings, Booleans, optionals, arrays, sets and dictionaries
/// conform here; Date, UUID, URL, Data and Decimal in PredicateEvaluation.
public protocol PredicateValueConvertible: FormatArgumentConvertible {
    var predicateValue: Value { get }
}

extension PredicateValueConvertible {
    public var formatArgument: FormatArgument { .value(predicateValue) }
}

extension Value: PredicateValueConvertible {
    public var predicateValue: Value { self }
}
extension FormatArgument: FormatArgumentConvertible {
    public var formatArgument: FormatArgument { self }
}
extension ExpressionNode: FormatArgumentConvertible {
    public var formatArgument: FormatArgument { .expression(self) }
}
extension Bool: PredicateValueConvertible {
    public var predicateValue: Value { .bool(self) }
}
extension String: PredicateValueConvertible {
    public var predicateValue: Value { .string(self) }
}
extension Substring: PredicateValueConvertible {
    public var predicateValue: Value { .string(String(self)) }
}
extension Character: PredicateValueConvertible {
    public var predicateValue: Value { .string(String(self)) }
}
extension Double: PredicateValueConvertible {
    public var predicateValue: Value { .double(self) }
}
extension Float: PredicateValueConvertible {
    public var predicateValue: Value { .float(self) }
}
extension DecimalNumber: PredicateValueConvertible {
    public var predicateValue: Value { .decimal(self) }
}
extension UniversalID: PredicateValueConvertible {
    public var predicateValue: Value { .uuid(self) }
}
extension ValueDictionary: PredicateValueConvertible {
    public var predicateValue: Value { .dictionary(self) }
}

extension BinaryInteger where Self: PredicateValueConvertible {
    /// An integer of 64 bits; a larger one becomes a decimal, which holds it exactly.
    public var predicateValue: Value {
        Int64(exactly: self).map(Value.integer) ?? .decimal(DecimalNumber(coefficient: Int128(self), exponent: 0))
    }
}
extension Int: PredicateValueConvertible {}
extension Int8: PredicateValueConvertible {}
extension Int16: PredicateValueConvertible {}
extension Int32: PredicateValueConvertible {}
extension Int64: PredicateValueConvertible {}
extension UInt: PredicateValueConvertible {}
extension UInt8: PredicateValueConvertible {}
extension UInt16: PredicateValueConvertible {}
extension UInt32: PredicateValueConvertible {}
extension UInt64: PredicateValueConvertible {}

extension Optional: FormatArgumentConvertible where Wrapped: PredicateValueConvertible {}
extension Optional: PredicateValueConvertible where Wrapped: PredicateValueConvertible {
    public var predicateValue: Value { self?.predicateValue ?? .null }
}
extension Array: FormatArgumentConvertible where Element: PredicateValueConvertible {}
extension Array: PredicateValueConvertible where Element: PredicateValueConvertible {
    public var predicateValue: Value { .array(map(\.predicateValue)) }
}
extension ArraySlice: FormatArgumentConvertible where Element: PredicateValueConvertible {}
extension ArraySlice: PredicateValueConvertible where Element: PredicateValueConvertible {
    public var predicateValue: Value { .array(map(\.predicateValue)) }
}
extension ClosedRange: FormatArgumentConvertible where Bound: PredicateValueConvertible {}
/// The pair of bounds that BETWEEN takes.
extension ClosedRange: PredicateValueConvertible where Bound: PredicateValueConvertible {
    public var predicateValue: Value { .array([lowerBound.predicateValue, upperBound.predicateValue]) }
}
extension Set: FormatArgumentConvertible where Element: PredicateValueConvertible {}
extension Set: PredicateValueConvertible where Element: PredicateValueConvertible {
    public var predicateValue: Value { .set(map(\.predicateValue)) }
}
extension Dictionary: FormatArgumentConvertible where Key == String, Value: PredicateValueConvertible {}
extension Dictionary: PredicateValueConvertible where Key == String, Value: PredicateValueConvertible {
    public var predicateValue: PredicateSyntax.Value {
        .dictionary(ValueDictionary(sorted { $0.key < $1.key }.map { ($0.key, $0.value.predicateValue) }))
    }
}
