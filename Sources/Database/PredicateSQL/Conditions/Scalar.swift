// The functions that engines compute. Each is a template of the dialect. A function without a template is evaluated in
// memory.

/// A function of columns and constants with a result that SQL can compare.
enum Scalar: Hashable {
    /// Converts an integer to a double, a Boolean to 0 or 1.
    case asDouble, asInteger
    /// Converts a timestamp to a point in time in UTC.
    case asMoment
    /// Exact arithmetic of two 64-bit integers; NULL where evaluation fails.
    case integers(BinaryOperator)
    case remainder, negativeInteger, absoluteInteger, onesComplement
    /// Arithmetic of integers whose result is known to fit (KnownRanges.swift).
    case plainIntegers(BinaryOperator)
    case plainRemainder, plainNegative, plainAbsolute
    /// Bits of two integers.
    case bits(BinaryOperator)
    /// IEEE 754 arithmetic of two doubles; NaN may be NULL. Overflow gives the greatest double if the engine
    /// has no infinities.
    case doubles(BinaryOperator)
    /// Arithmetic of two doubles that overflows in no engine and is never NaN.
    case plainDoubles(BinaryOperator)
    /// Arithmetic of two doubles with a finite result. The last argument is the smallest allowed divisor; below
    /// it the result is NULL.
    case moderate(BinaryOperator)
    /// A value from a LEFT JOIN; 0 if there is no row.
    case orZero
    /// Clamps a double to the range from -limit to limit.
    case held
    /// The sign of an infinite result, for engines without infinities: -1, 1, or 0 for a number; NULL for NaN.
    case infinity(BinaryOperator)
    case negative, absolute, floor, ceiling, truncate, squareRoot
    /// Arithmetic of decimals as in memory. It is never written in SQL (Decimals.swift).
    case decimals(BinaryOperator)
    /// Arithmetic of decimals whose result the engine does not round, or of integers that represent decimals.
    case plainDecimals(BinaryOperator)
    /// A number as a decimal with few digits, for engines in which the digits of a result depend on the operands'
    /// types.
    case decimalOfDigits(DecimalDigits)
    /// A constant with a column's scale, for engines that need the scale.
    case decimalOfText(Int)
    /// The length of a text in UTF-16 units.
    case length
    /// The length of a text in UTF-8 bytes and in scalars, for engines that compute these faster.
    case byteCount, scalarCount
    case uppercase, lowercase
    /// The seconds since 2001 of a column that stores dates in another form.
    case seconds(DateStorage)
    /// A part of a date, of its seconds in the zone; nil for a year that has no parts.
    case part(DatePart)
    /// The seconds of a date a number of months later.
    case monthsLater
    /// A list of doubles and its elements, for engines that would read wrong doubles from the list's text.
    case listed, element

    var mayFail: Bool {
        switch self {
        case .integers(.add), .integers(.subtract), .integers(.multiply), .integers(.divide), .remainder,
            .negativeInteger, .absoluteInteger, .monthsLater:
            true
        default: false
        }
    }

    /// Whether its operands must be integers of 64 bits.
    var isOfIntegers64: Bool {
        switch self {
        case .plainIntegers, .plainRemainder, .plainNegative, .plainAbsolute, .bits: true
        default: false
        }
    }

    /// Whether its template is a plain operator, which costs little.
    var isPlainOperator: Bool {
        switch self {
        case .plainIntegers, .plainRemainder, .plainNegative, .plainDoubles, .plainDecimals, .bits: true
        default: false
        }
    }

    var mayBeNaN: Bool {
        switch self {
        case .doubles, .infinity, .squareRoot: true
        default: false
        }
    }

    /// The function to register with SQLite.
    var registered: SQLFunction? {
        switch self {
        case .length: .length
        case .uppercase: .uppercase
        case .lowercase: .lowercase
        case .doubles(.divide): .divide
        case .squareRoot: .squareRoot
        case .listed: .doubleBits
        case .element: .double
        default: nil
        }
    }
}

/// A function that reduces many rows to one value.
enum Aggregate: Hashable {
    case count, minimum, maximum
    case sum(SumWidth)
    case average(SumWidth)
    /// The sum minus the number of rows times a constant; its sign tells whether the mean is above the constant. NULL
    /// for no rows.
    case excess(over: Operand)

    /// COUNT and SUM of no rows are 0.
    var isNeverNull: Bool {
        switch self {
        case .count, .sum: true
        case .average, .excess, .minimum, .maximum: false
        }
    }
}

/// The type in which a sum is computed.
enum SumWidth: Hashable {
    /// 64 bits, which suffice by the ranges in the schema.
    case narrow
    /// A type that holds every sum.
    case wide
    /// 64 bits, and NULL on overflow.
    case checked
    /// As a decimal, or as an integer that represents a decimal, replaced by an infinity beyond 64 bits.
    case decimal
    /// As a double: an upper or a lower bound of the sum for every order of addition.
    case bound(isUpper: Bool)
}

extension SQLDialect {
    /// The sum of numbers; 0 for no rows.
    func sum(_ value: SQLFragment, _ width: SumWidth, asDouble: Bool = false) -> SQLFragment {
        if case .bound(let isUpper) = width { return boundOfSum(value, isUpper: isUpper) }
        if width == .decimal, let checkedSum = numbers.checkedSum { return checkedSum.clamped(value) }
        if width == .checked, let checkedSum = numbers.checkedSum {
            return (asDouble ? checkedSum.double : checkedSum.integer)(value)
        }
        let summand = width == .wide ? numbers.integers.wide?(value) ?? value : value
        let sum: SQLFragment = "COALESCE(SUM(\(summand)), 0)"
        return asDouble ? numbers.integers.asDouble(sum) : sum
    }

    /// Two sums of the same n doubles differ by at most n·2⁻⁵²·Σ|x| (Higham, *Accuracy and Stability of Numerical
    /// Algorithms*, 4.2). The margin is twice that, to include the rounding of the bound itself. It is never so small
    /// that PostgreSQL reports an underflow of the product. If an element is so large that a sum may be infinite, the
    /// bound exceeds every number with which it is compared (Totals.swift).
    private func boundOfSum(_ value: SQLFragment, isUpper: Bool) -> SQLFragment {
        let bound: SQLTemplate =
            """
            CASE WHEN MAX(ABS({0})) > 1E250 THEN {2}1E308 \
            ELSE COALESCE(SUM({1}) {2} 4.440892098500626E-16 * COUNT(*) * (SUM(ABS({1})) + 1E-250), 0) END
            """
        let small: SQLTemplate = "CASE WHEN ABS({0}) <= 1E250 THEN {0} END"
        return bound(value, small(value), SQLFragment(isUpper ? "+" : "-"))
    }

    /// An integer of a wider type, or NULL beyond 64 bits. The value is written once, so that nested arithmetic does
    /// not grow exponentially: everything beyond 64 bits is clamped to the first integer outside, which then becomes
    /// NULL.
    static func heldInteger(_ value: String, literal: (String) -> String = { $0 }) -> String {
        let (below, above) = (literal("-9223372036854775809"), literal("9223372036854775808"))
        return "NULLIF(NULLIF(GREATEST(LEAST(\(value), \(above)), \(below)), \(above)), \(below))"
    }

    /// The functions with the same syntax in all engines.
    static let commonScalars: [Scalar: SQLTemplate] = [
        .negative: "(- {0})", .absolute: "abs({0})", .floor: "floor({0})", .ceiling: "ceil({0})",
        .onesComplement: "(-1 - {0})", .orZero: "COALESCE({0}, 0)",
    ]

    func template(_ scalar: Scalar) -> SQLTemplate? {
        switch scalar {
        case .asDouble: numbers.integers.asDouble
        case .decimalOfText(let scale):
            decimals.areBoundAsText ? decimals.cast?(DecimalDigits(all: DecimalDigits.most, scale: scale)) : nil
        case .decimalOfDigits(let digits): decimals.cast?(digits)
        default: scalars[scalar]
        }
    }
}

extension [Scalar: SQLTemplate] {
    /// Adds templates, or replaces those of the same functions.
    static func += (left: inout Self, right: Self) { left.merge(right) { $1 } }
}

extension SQLEngine {
    /// Integer arithmetic in a wider type, with NULL if the result does not fit 64 bits.
    ///
    /// - Parameter held: the value, or NULL if it does not fit.
    func integerArithmetic(
        held: (String) -> String = { SQLDialect.heldInteger($0) }, divide: String, remainder: String
    ) -> [Scalar: SQLTemplate] {
        let (a, b) = (wide("{0}"), wide("{1}"))
        func checked(_ value: String) -> SQLTemplate { "\(held(value))" }
        return [
            .integers(.add): checked("\(a) + \(b)"), .integers(.subtract): checked("\(a) - \(b)"),
            .integers(.multiply): checked("\(a) * \(b)"), .integers(.divide): checked(divide),
            .remainder: "\(remainder)", .negativeInteger: checked("0 - \(a)"),
            .absoluteInteger: checked("abs(\(a))"),
        ]
    }

    private func wide(_ operand: String) -> String {
        numbers.integers.wide.map { $0(SQLFragment(operand)).text(in: SQLDialect(self)) } ?? operand
    }
}
