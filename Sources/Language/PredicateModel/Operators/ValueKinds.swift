// Conversions of values that several operators use.

extension PredicateValue {
    /// The elements of an array or a set, or the values of a dictionary; nil for other values.
    @inlinable package var elements: [PredicateValue]? {
        switch self {
        case .array(let elements), .set(let elements): elements
        case .dictionary(let dictionary): dictionary.values
        default: nil
        }
    }

    /// The number as an exact 64-bit integer: 1 for `true`, 3 for `3.0`, nil for `3.5`.
    package var exactInteger: Int64? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): value
        case .float(let value): Int64(exactly: value)
        case .double(let value): Int64(exactly: value)
        case .decimal(let value): value.exactInteger
        default: nil
        }
    }

    /// The number as a double; nil for other values.
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

    @inlinable package var isNumber: Bool {
        switch self {
        case .bool, .integer, .float, .double, .decimal: true
        default: false
        }
    }

    /// The types of two values in words: `a text and an integer`.
    static func pairInWords(_ left: PredicateValue, _ right: PredicateValue) -> String {
        left.typeDescription + " and " + right.typeDescription
    }
}

/// Two numbers converted to a common type, so that operators need three cases instead of twenty-five (LANGUAGE C 13).
/// Two integers stay integers. If one number is a double, both become doubles. A decimal and an integer become
/// decimals.
@usableFromInline enum NumberPair {
    case integers(Int64, Int64)
    case doubles(Double, Double)
    case decimals(DecimalNumber, DecimalNumber)

    /// nil if a side is not a number.
    @usableFromInline init?(_ left: PredicateValue, _ right: PredicateValue) {
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

extension PredicateValue {
    /// The integer or decimal as a decimal; nil for other values.
    var exactDecimal: DecimalNumber? {
        switch self {
        case .bool(let value): DecimalNumber(value ? 1 : 0)
        case .integer(let value): DecimalNumber(value)
        case .decimal(let value): value
        default: nil
        }
    }
}
