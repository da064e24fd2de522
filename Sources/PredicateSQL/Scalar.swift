// What engines compute of columns. Each function is a template of the dialect; what a dialect has no template for is
// evaluated in memory.
import PredicateSyntax

/// A function of columns and constants whose result SQL can compare.
enum Scalar: Hashable {
    /// An integer as a double, a boolean as 0 or 1.
    case asDouble, asInteger
    /// A timestamp as the moment that it is in UTC.
    case asMoment
    /// Of two 64-bit integers, exactly; NULL where memory fails.
    case integers(BinaryOperator)
    case remainder, negativeInteger, absoluteInteger, onesComplement
    /// Of two doubles, as IEEE 754 says; NaN may be NULL. The greatest where the engine has no infinities.
    case doubles(BinaryOperator)
    /// Of two doubles whose result is finite; a divisor is told the least that it may be, and is NULL below.
    case moderate(BinaryOperator)
    /// A double no further from zero than another.
    case held
    /// Which infinity memory computes of two doubles, where the engine has none: -1, 1, or 0 for a number; NULL for NaN.
    case infinity(BinaryOperator)
    case negative, absolute, floor, ceiling, truncate, squareRoot
    /// Said by ranges only.
    case decimals(BinaryOperator)
    /// A constant in a column's scale, for engines that must be told it.
    case decimalOfText(Int)
    /// UTF-16 units of a text.
    case length
    case uppercase, lowercase
    /// A list of doubles, and each of its elements, where the engine would read other doubles from its text.
    case listed, element

    var mayFail: Bool {
        switch self {
        case .integers(.add), .integers(.subtract), .integers(.multiply), .integers(.divide), .remainder,
            .negativeInteger, .absoluteInteger:
            true
        default: false
        }
    }

    var mayBeNaN: Bool {
        switch self {
        case .doubles, .infinity, .squareRoot: true
        default: false
        }
    }

    /// The function that SQLite must know for it.
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

/// One value of many rows.
enum Aggregate: Hashable {
    case count, minimum, maximum
    /// Of integers.
    case sum(SumWidth)
    case average(SumWidth)

    /// 0 of nothing.
    var isNeverNull: Bool {
        switch self {
        case .count, .sum: true
        case .average, .minimum, .maximum: false
        }
    }
}

/// How a sum of integers is held.
enum SumWidth: Hashable {
    /// In 64 bits, which do by what the schema says.
    case narrow
    /// In a type that holds every sum.
    case wide
    /// In 64 bits, and NULL where they do not hold it.
    case checked
}

extension Dialect {
    /// The sum of integers, 0 of none.
    func sum(_ value: SQLFragment, _ width: SumWidth, asDouble: Bool = false) -> SQLFragment {
        if width == .checked, let checkedSum { return (asDouble ? checkedSum.double : checkedSum.integer)(value) }
        let summand = width == .wide ? wideInteger?(value) ?? value : value
        let sum = SQLFragment("COALESCE(SUM(") + summand + SQLFragment("), 0)")
        return asDouble ? integerAsDouble(sum) : sum
    }

    /// Integers are computed in the wide type, and are NULL where 64 bits do not hold the result.
    func integerArithmetic(
        fits: (String) -> String = Self.fitsInteger, divide: String, remainder: String
    ) -> [Scalar: SQLTemplate] {
        let (a, b) = (wide("{0}"), wide("{1}"))
        func checked(_ value: String) -> SQLTemplate {
            SQLTemplate(stringLiteral: "CASE WHEN \(fits(value)) THEN \(value) END")
        }
        return [
            .integers(.add): checked("\(a) + \(b)"), .integers(.subtract): checked("\(a) - \(b)"),
            .integers(.multiply): checked("\(a) * \(b)"), .integers(.divide): checked(divide),
            .remainder: SQLTemplate(stringLiteral: remainder), .negativeInteger: checked("0 - \(a)"),
            .absoluteInteger: checked("abs(\(a))"),
        ]
    }

    private func wide(_ operand: String) -> String {
        wideInteger.map { $0(SQLFragment(operand)).text(in: self) } ?? operand
    }

    static func fitsInteger(_ value: String) -> String {
        "\(value) BETWEEN -9223372036854775808 AND 9223372036854775807"
    }

    /// The functions that are called alike everywhere.
    static let commonScalars: [Scalar: SQLTemplate] = [
        .negative: "(- {0})", .absolute: "abs({0})", .floor: "floor({0})", .ceiling: "ceil({0})",
        .onesComplement: "(-1 - {0})",
    ]

    func template(_ scalar: Scalar) -> SQLTemplate? {
        switch scalar {
        case .asDouble: integerAsDouble
        case .decimalOfText(let scale): decimalOfText?(scale)
        default: scalars[scalar]
        }
    }
}
