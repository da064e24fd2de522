// Signed integers of 128 bits, which hold the 38 digits of a decimal. The standard library's Int128 needs macOS 15 and
// iOS 18. WideMagnitude.swift has the unsigned integers, with multiplication and division.

/// An integer of 128 bits. It has only the operations that the package uses. A result that needs more bits loses the
/// highest ones.
///
///     WideInteger(Int64.max) + 1    // 9223372036854775808
@usableFromInline package struct WideInteger: Hashable, Sendable, BitwiseCopyable {
    // In this order the integer has the layout of C's `__int128` on little-endian platforms.
    @usableFromInline package let low: UInt64
    @usableFromInline package let high: Int64

    package static let max = WideInteger(high: .max, low: .max)
    package static let min = WideInteger(high: .min, low: 0)

    @inlinable package init(high: Int64, low: UInt64) { (self.high, self.low) = (high, low) }

    @inlinable package init(_ number: Int64) { self.init(high: number >> 63, low: UInt64(bitPattern: number)) }

    /// The last 128 bits of an integer of any type.
    @inlinable package init(_ number: some BinaryInteger) {
        self.init(high: Int64(truncatingIfNeeded: number >> 64), low: UInt64(truncatingIfNeeded: number))
    }

    /// The whole part of a number between -2^127 and 2^127.
    package init(_ number: Double) {
        let high = UInt64(number.magnitude * 0x1p-64)
        let low = UInt64(number.magnitude - Double(high) * 0x1p64)
        self.init(WideMagnitude(high: high, low: low), isNegative: number < 0)
    }

    @inlinable package init(_ magnitude: WideMagnitude, isNegative: Bool = false) {
        let number = WideInteger(high: Int64(bitPattern: magnitude.high), low: magnitude.low)
        self = isNegative ? 0 - number : number
    }

    /// nil if the text is not digits after an optional sign, or the number is not below 2^127.
    package init?(_ text: String) {
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        guard let magnitude = WideMagnitude(digits) else { return nil }
        self.init(magnitude, isNegative: text.first == "-")
        // Too large.
        if magnitude != 0, isNegative != (text.first == "-") { return nil }
    }

    @inlinable package var isNegative: Bool { high < 0 }

    @inlinable package var magnitude: WideMagnitude {
        let number = isNegative ? 0 - self : self
        return WideMagnitude(high: UInt64(bitPattern: number.high), low: number.low)
    }

    /// -1, 0 or 1.
    @inlinable package func signum() -> Int { isNegative ? -1 : self == 0 ? 0 : 1 }

    @inlinable package static func + (left: WideInteger, right: WideInteger) -> WideInteger {
        let (low, carry) = left.low.addingReportingOverflow(right.low)
        return WideInteger(high: left.high &+ right.high &+ (carry ? 1 : 0), low: low)
    }

    @inlinable package static func - (left: WideInteger, right: WideInteger) -> WideInteger {
        let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
        return WideInteger(high: left.high &- right.high &- (borrow ? 1 : 0), low: low)
    }

    @inlinable package static func += (left: inout WideInteger, right: WideInteger) { left = left + right }

    /// The product, and whether it needs more than 128 bits.
    @inlinable package func multipliedReportingOverflow(
        by other: WideInteger
    ) -> (partialValue: WideInteger, overflow: Bool) {
        let (magnitude, overflow) = magnitude.multipliedReportingOverflow(by: other.magnitude)
        let isNegative = isNegative != other.isNegative
        let product = WideInteger(magnitude, isNegative: isNegative)
        return (product, overflow || product.isNegative != isNegative && product != 0)
    }

    /// The mean of two integers, rounded down.
    package static func middle(_ low: WideInteger, _ high: WideInteger) -> WideInteger {
        func half(_ number: WideInteger) -> WideInteger {
            WideInteger(high: number.high >> 1, low: number.low >> 1 | UInt64(bitPattern: number.high) << 63)
        }
        return half(low) + half(high) + WideInteger(high: 0, low: low.low & high.low & 1)
    }
}

extension WideInteger: Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    @inlinable package init(integerLiteral number: Int64) { self.init(number) }

    @inlinable package static func < (left: WideInteger, right: WideInteger) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    @inlinable package var description: String { (isNegative ? "-" : "") + magnitude.description }
}

extension Int64 {
    /// nil if the number needs more than 64 bits.
    @inlinable package init?(exactly number: WideInteger) {
        self.init(bitPattern: number.low)
        if number.high != self >> 63 { return nil }
    }
}

extension Double {
    /// The nearest double.
    package init(_ number: WideInteger) {
        let magnitude = number.magnitude
        // Replaces the bits below the first 64 by one, which decides a tie. A double has only 53.
        let excess = 64 - magnitude.high.leadingZeroBitCount
        let rest: UInt64 = magnitude.low << (64 - excess) == 0 ? 0 : 1
        let first = magnitude.high << (64 - excess) | magnitude.low >> excess
        self = Double(first | rest) * Double(sign: number.isNegative ? .minus : .plus, exponent: excess, significand: 1)
    }
}
