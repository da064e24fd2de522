// Decimal arithmetic with 38 digits, rounding half away from zero like NSDecimalNumber. Does not need Foundation.

extension DecimalNumber {
    /// The limit of a result's exponent. Above it the result overflows; below its negative the result is zero.
    static let exponentBound = 10_000

    package static prefix func - (value: DecimalNumber) -> DecimalNumber {
        DecimalNumber(coefficient: 0 - value.coefficient, exponent: value.exponent)
    }

    /// The correctly rounded double.
    public var doubleValue: Double { Double("\(coefficient)e\(exponent)") ?? .nan }

    /// The decimal with the same text as a double; nil for NaN and the infinities.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.init(value.description)
    }

    /// `magnitude × 10^exponent`, rounded to 38 digits.
    package init?(rounding magnitude: WideMagnitude, exponent: Int, isNegative: Bool) {
        guard let value = try? Self.make(isNegative, magnitude, exponent) else { return nil }
        self.init(coefficient: value.coefficient, exponent: value.exponent)
    }

    var exactInteger: Int64? {
        guard exponent >= 0, exponent < 19 else { return coefficient == 0 ? 0 : nil }
        let (product, overflow) = coefficient.multipliedReportingOverflow(by: WideInteger(Self.powers[exponent]))
        return overflow ? nil : Int64(exactly: product)
    }

    /// The exponent, clamped so that sums of two cannot overflow: a decimal built in code may have any
    /// exponent.
    private var scale: Int { max(-10 * Self.exponentBound, min(10 * Self.exponentBound, exponent)) }

    /// 10^0 … 10^38.
    static let powers: [WideMagnitude] = (0..<38).reduce(into: [1]) { powers, _ in
        powers.append((powers.last ?? 1) * 10)
    }

    private static func digits(_ value: WideMagnitude) -> Int {
        // 1233 / 4096 is a little less than the digits of one bit.
        let least = (value.bitWidth * 1233) >> 12
        return value < powers[least] ? least : least + 1
    }

    /// Makes a result from sign, magnitude and exponent: rounds to 38 digits and checks the exponent.
    private static func make(_ negative: Bool, _ magnitude: WideMagnitude, _ exponent: Int) throws(EvaluationFault)
        -> DecimalNumber
    {
        var magnitude = magnitude
        var exponent = exponent
        while magnitude >= powers[38] {
            magnitude = rounded(magnitude, 10)
            exponent += 1
        }
        if magnitude == 0 || exponent < -exponentBound { return DecimalNumber(0) }
        if exponent > exponentBound { throw EvaluationFault(.integerOverflow, "a decimal operation") }
        return DecimalNumber(coefficient: WideInteger(magnitude, isNegative: negative), exponent: exponent)
    }

    /// `value / divisor`, rounded half away from zero.
    private static func rounded(_ value: WideMagnitude, _ divisor: WideMagnitude) -> WideMagnitude {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder >= divisor - remainder ? quotient + 1 : quotient
    }

    package func adding(_ other: DecimalNumber) throws(EvaluationFault) -> DecimalNumber {
        let (high, low) = scale >= other.scale ? (self, other) : (other, self)
        if high.coefficient == 0 { return low }
        if low.coefficient == 0 { return high }
        // Scale the number with the larger exponent up as far as it fits, and the other one down by the rest.
        let gap = high.scale - low.scale
        let room = max(0, 38 - Self.digits(high.coefficient.magnitude))
        let up = min(gap, room)
        let down = gap - up
        let a = high.coefficient.magnitude.multipliedReportingOverflow(by: Self.powers[up]).partialValue
        let b = down > 38 ? 0 : Self.rounded(low.coefficient.magnitude, Self.powers[down])
        let exponent = low.scale + down
        if (high.coefficient < 0) == (low.coefficient < 0) {
            let (sum, overflow) = a.addingReportingOverflow(b)
            if overflow {
                return try Self.make(high.coefficient < 0, Self.rounded(a, 10) + Self.rounded(b, 10), exponent + 1)
            }
            return try Self.make(high.coefficient < 0, sum, exponent)
        }
        return a >= b
            ? try Self.make(high.coefficient < 0, a - b, exponent) : try Self.make(low.coefficient < 0, b - a, exponent)
    }

    package func multiplied(by other: DecimalNumber) throws(EvaluationFault) -> DecimalNumber {
        let negative = (coefficient < 0) != (other.coefficient < 0)
        let exponent = scale + other.scale
        let product = coefficient.magnitude.multipliedFullWidth(by: other.coefficient.magnitude)
        if product.high == 0 { return try Self.make(negative, product.low, exponent) }
        // Find the smallest power of ten that leaves 38 digits.
        for power in 1...38 {
            let bound = Self.powers[38].multipliedFullWidth(by: Self.powers[power])
            guard product.high < bound.high || (product.high == bound.high && product.low < bound.low) else { continue }
            let (quotient, remainder) = Self.powers[power].dividingFullWidth(product)
            let up: WideMagnitude = remainder >= Self.powers[power] - remainder ? 1 : 0
            return try Self.make(negative, quotient + up, exponent + power)
        }
        throw EvaluationFault(.integerOverflow, "a decimal operation")
    }

    package func divided(by other: DecimalNumber) throws(EvaluationFault) -> DecimalNumber {
        guard other.coefficient != 0 else { throw EvaluationFault(.divisionByZero, at: .right) }
        let divisor = other.coefficient.magnitude
        var (quotient, remainder) = coefficient.magnitude.quotientAndRemainder(dividingBy: divisor)
        var exponent = scale - other.scale
        while remainder != 0, quotient < Self.powers[37] {
            let step = divisor.dividingFullWidth(remainder.multipliedFullWidth(by: 10))
            quotient = quotient * 10 + step.quotient
            remainder = step.remainder
            exponent -= 1
        }
        if remainder != 0, remainder >= divisor - remainder { quotient += 1 }
        return try Self.make((coefficient < 0) != (other.coefficient < 0), quotient, exponent)
    }

    /// Returns -1, 0 or 1. Exact for any exponents.
    package func order(against other: DecimalNumber) -> Int {
        let sign = coefficient.signum()
        guard sign == other.coefficient.signum(), sign != 0 else {
            return sign < other.coefficient.signum() ? -1 : sign == other.coefficient.signum() ? 0 : 1
        }
        let size = Self.digits(coefficient.magnitude) + scale
        let otherSize = Self.digits(other.coefficient.magnitude) + other.scale
        if size != otherSize { return (size < otherSize) == (sign > 0) ? -1 : 1 }
        // Both have the same number of digits before the point. Padding the shorter coefficient fits.
        let gap = scale - other.scale
        let a = coefficient.magnitude.multipliedReportingOverflow(by: Self.powers[min(38, max(0, gap))]).partialValue
        let b = other.coefficient.magnitude
            .multipliedReportingOverflow(by: Self.powers[min(38, max(0, -gap))]).partialValue
        return a == b ? 0 : (a < b) == (sign > 0) ? -1 : 1
    }

    /// The nearest whole number by a rounding rule.
    package func rounded(_ rule: FloatingPointRoundingRule) throws(EvaluationFault) -> DecimalNumber {
        if exponent >= 0 { return self }
        let negative = coefficient < 0
        let power = -scale
        let (whole, rest) =
            power > 38
            ? (0, 1) : coefficient.magnitude.quotientAndRemainder(dividingBy: Self.powers[power])
        let away = rest != 0 && ((rule == .up && !negative) || (rule == .down && negative))
        return try Self.make(negative, away ? whole + 1 : whole, 0)
    }
}
