// The arguments of a format string: a value or an expression for %@, a key for %K, a number for %d. An argument
// becomes a node of the tree; its text is never inserted into the format (LANGUAGE 2.1).

/// An argument of a format string.
public enum FormatArgument: Sendable, Hashable {
    case value(PredicateValue)
    /// Inserted as a sub-tree.
    case expression(ExpressionNode)
}

extension PredicateValue {
    /// The first object in the value that may not be Sendable; nil if there is none.
    package var confinedObject: (any KeyedObject)? {
        switch self {
        case .object(let reference): return reference.isConfined ? reference.object : nil
        case .array(let values), .set(let values): return Self.confinedObject(in: values)
        case .dictionary(let dictionary): return Self.confinedObject(in: dictionary.values)
        default: return nil
        }
    }

    /// The value for an owner that is not Sendable itself.
    package var unconfined: PredicateValue {
        if confinedObject == nil { return self }
        switch self {
        case .object(let reference): return .object(ObjectReference(confining: reference.object, false))
        case .array(let values): return .array(values.map(\.unconfined))
        case .set(let values): return .set(values.map(\.unconfined))
        case .dictionary(let record):
            return .dictionary(ValueDictionary(shape: record.shape, values: record.values.map(\.unconfined)))
        default: return self
        }
    }

    private static func confinedObject(in values: [PredicateValue]) -> (any KeyedObject)? {
        for value in values {
            if let object = value.confinedObject { return object }
        }
        return nil
    }
}

extension FormatArgument {
    /// Throws if an argument contains an object that may not be Sendable. A predicate is Sendable, so it cannot store
    /// such an object.
    /// - Throws: `argument-type` for such an object.
    package static func requireSendable(_ arguments: some Sequence<FormatArgument>, source: String = "")
        throws(PredicateFailure)
    {
        for case .value(let value) in arguments {
            guard let object = value.confinedObject else { continue }
            let found = "an object of \(object.typeName), which may not be Sendable"
            throw PredicateFailure(
                Diagnostic(
                    .argumentType, at: .none, "%@", found, "compare a key, or pass FormatArgument.object(…)"),
                source: source)
        }
    }
}

/// The arguments for parsing a format string.
public enum FormatArguments: Sendable {
    /// The arguments are unknown. Conversions stay in the tree and are printed unchanged. For checking and formatting.
    case unbound
    /// Arguments are used from left to right. Missing and surplus arguments are errors.
    case bound([FormatArgument])
    /// No arguments: a `%` outside quotes is an error.
    case none
}

/// A type that can be an argument of `%@`: values (`PredicateValueConvertible`) and expressions.
public protocol FormatArgumentConvertible {
    var formatArgument: FormatArgument { get }
}

/// A Swift type that converts to a value of the language. Numbers, strings, Booleans, optionals, arrays, sets
/// and dictionaries conform here; Date, UUID, URL, Data and Decimal conform in PredicateEvaluation.
public protocol PredicateValueConvertible: FormatArgumentConvertible {
    var predicateValue: PredicateValue { get }
}

extension PredicateValueConvertible {
    public var formatArgument: FormatArgument { .value(predicateValue) }
}

extension PredicateValue: PredicateValueConvertible {
    public var predicateValue: PredicateValue { self }
}
extension FormatArgument: FormatArgumentConvertible {
    public var formatArgument: FormatArgument { self }
}
extension ExpressionNode: FormatArgumentConvertible {
    public var formatArgument: FormatArgument { .expression(self) }
}
extension Bool: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .bool(self) }
}
extension String: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .string(self) }
}
extension Substring: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .string(String(self)) }
}
extension Character: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .string(String(self)) }
}
extension Double: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .double(self) }
}
extension Float: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .float(self) }
}
extension DecimalNumber: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .decimal(self) }
}
extension UniversalID: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .uuid(self) }
}
extension ValueDictionary: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .dictionary(self) }
}

extension BinaryInteger where Self: PredicateValueConvertible {
    /// A 64-bit integer. A larger number becomes a decimal, which is exact.
    public var predicateValue: PredicateValue {
        Int64(exactly: self).map(PredicateValue.integer)
            ?? .decimal(DecimalNumber(coefficient: Int128(self), exponent: 0))
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
    public var predicateValue: PredicateValue { self?.predicateValue ?? .null }
}
extension Array: FormatArgumentConvertible where Element: PredicateValueConvertible {}
extension Array: PredicateValueConvertible where Element: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .array(map(\.predicateValue)) }
}
extension ContiguousArray: FormatArgumentConvertible where Element: PredicateValueConvertible {}
extension ContiguousArray: PredicateValueConvertible where Element: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .array(map(\.predicateValue)) }
}
extension ArraySlice: FormatArgumentConvertible where Element: PredicateValueConvertible {}
extension ArraySlice: PredicateValueConvertible where Element: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .array(map(\.predicateValue)) }
}
extension ClosedRange: FormatArgumentConvertible where Bound: PredicateValueConvertible {}
/// A range converts to the two bounds for BETWEEN.
extension ClosedRange: PredicateValueConvertible where Bound: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .array([lowerBound.predicateValue, upperBound.predicateValue]) }
}
extension Set: FormatArgumentConvertible where Element: PredicateValueConvertible {}
extension Set: PredicateValueConvertible where Element: PredicateValueConvertible {
    public var predicateValue: PredicateValue { .set(map(\.predicateValue)) }
}
extension Dictionary: FormatArgumentConvertible
where Key: LosslessStringConvertible, Value: PredicateValueConvertible {}
/// Keys are converted to texts: `[1: "a"]` has the key `1`.
extension Dictionary: PredicateValueConvertible
where Key: LosslessStringConvertible, Value: PredicateValueConvertible {
    public var predicateValue: PredicateValue { sortedByText(\.predicateValue) }
}

extension Dictionary where Key: LosslessStringConvertible {
    /// A dictionary of the converted values, sorted by the texts of the keys.
    package func sortedByText(_ convert: (Value) -> PredicateValue) -> PredicateValue {
        let pairs = map { ($0.key.description, convert($0.value)) }
        return .dictionary(ValueDictionary(pairs.sorted { $0.0 < $1.0 }))
    }
}
