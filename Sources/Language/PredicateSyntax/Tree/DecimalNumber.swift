// Decimal constants and their text form. PredicateModel implements the arithmetic.

/// A decimal number of up to 38 digits: `coefficient × 10^exponent`. Stored without trailing zeros, so that
/// equal numbers are stored equally.
public struct DecimalNumber: Hashable, Sendable, CustomStringConvertible {
    package let coefficient: WideInteger
    package let exponent: Int

    /// `coefficient × 10^exponent`.
    package init(coefficient: some BinaryInteger, exponent: Int) {
        self.init(coefficient: WideInteger(coefficient), exponent: exponent)
    }

    /// Removes trailing zeros from the coefficient.
    package init(coefficient: WideInteger, exponent: Int) {
        var magnitude = coefficient.magnitude
        var exponent = coefficient == 0 ? 0 : exponent
        while magnitude != 0, exponent < .max {
            let (quotient, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
            if digit != 0 { break }
            magnitude = quotient
            exponent += 1
        }
        self.coefficient = WideInteger(magnitude, isNegative: coefficient.isNegative)
        self.exponent = exponent
    }

    public init(_ value: Int64) { self.init(coefficient: WideInteger(value), exponent: 0) }

    /// Parses `-12.50` and `1e-3`; nil for other text and for more than 38 significant digits.
    public init?(_ text: some StringProtocol) {
        var coefficient: WideMagnitude = 0
        var exponent = 0
        var digits = 0
        var negative = false
        var point = false
        var bytes = Array(text.utf8)[...]
        if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            negative = sign == UInt8(ascii: "-")
            bytes.removeFirst()
        }
        while let byte = bytes.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
            bytes.removeFirst()
            if byte == UInt8(ascii: "."), !point {
                point = true
                continue
            }
            guard byte >= 48, byte <= 57, let next = coefficient.appending(byte - 48), next < Self.bound.magnitude
            else { return nil }
            coefficient = next
            digits += 1
            if point { exponent -= 1 }
        }
        guard digits > 0 else { return nil }
        if !bytes.isEmpty {
            guard let power = Int(String(decoding: bytes.dropFirst(), as: UTF8.self)), power.magnitude < 10_000 else {
                return nil
            }
            exponent += power
        }
        self.init(coefficient: WideInteger(coefficient, isNegative: negative), exponent: exponent)
    }

    /// 10^38, the upper bound of coefficients.
    package static let bound = WideInteger(high: 0x4B3B_4CA8_5A86_C47A, low: 0x098A_2240_0000_0000)

    /// The digits without an exponent: `12.5`, `-0.001`, `1200`. Very large and very small numbers have an
    /// exponent.
    public var description: String {
        let negative = coefficient < 0
        var digits = coefficient.magnitude.description
        if exponent >= 0 {
            if exponent > 60 { return (negative ? "-" : "") + digits + "e\(exponent)" }
            digits += String(repeating: "0", count: exponent)
        } else if exponent < -60 {
            return (negative ? "-" : "") + digits + "e\(exponent)"
        } else {
            let places = -exponent
            if digits.count <= places {
                digits = String(repeating: "0", count: places - digits.count + 1) + digits
            }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -places))
        }
        return (negative ? "-" : "") + digits
    }
}
