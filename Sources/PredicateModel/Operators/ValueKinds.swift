// The views that several operators take of a value.
public import PredicateSyntax

extension Value {
    /// The members of an array or a set, the values of a dictionary; nil for what is no collection.
    @inlinable public var elements: [Value]? {
        switch self {
        case .array(let elements), .set(let elements): elements
        case .dictionary(let dictionary): dictionary.values
        default: nil
        }
    }

    /// The 64-bit integer that a number is exactly: of `true` 1, of `3.0` 3, of `3.5` none.
    public var exactInteger: Int64? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): value
        case .float(let value): Int64(exactly: value)
        case .double(let value): Int64(exactly: value)
        case .decimal(let value): value.exactInteger
        default: nil
        }
    }

    /// A number of any class as a double; nil for what is no number.
    public var doubleValue: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.doubleValue
        default: nil
        }
    }

    @inlinable public var isNumber: Bool {
        switch self {
        case .bool, .integer, .float, .double, .decimal: true
        default: false
        }
    }

    /// `a text and an integer`
    static func pairInWords(_ left: Value, _ right: Value) -> String {
        left.typeDescription + " and " + right.typeDescription
    }
}

/// Two numbers brought to one class, so that an operator has three cases instead of twenty-five (LANGUAGE C 13): two
/// integers stay integers, a double makes both doubles, a decimal with an integer makes both decimals.
@usableFromInline enum NumberPair {
    case integers(Int64, Int64)
    case doubles(Double, Double)
    case decimals(DecimalNumber, DecimalNumber)

    /// nil where either side is no number.
    @usableFromInline init?(_ left: Value, _ right: Value) {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): self = .integers(a, b)
        case (.double(let a), .double(let b)): self = .doubles(a, b)
        case (.double, _), (_, .double), (.float, _), (_, .float):
            guard let a = left.doubleValue, let b = right.doubleValue else { return nil }
            self = .doubles(a, b)
        case (.decimal, _), (_, .decimal):
            guard let a = left.exactDecimal, let b = right.exactDecimal else { return nil }
            self = .decimals(a, b)
        default:
            guard let a = left.exactInteger, let b = right.exactInteger else { return nil }
            self = .integers(a, b)
        }
    }
}

extension Value {
    /// An integer or decimal as a decimal.
    var exactDecimal: DecimalNumber? {
        switch self {
        case .bool(let value): DecimalNumber(value ? 1 : 0)
        case .integer(let value): DecimalNumber(value)
        case .decimal(let value): value
        default: nil
        }
    }
}
