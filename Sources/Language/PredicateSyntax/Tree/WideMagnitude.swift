// Unsigned integers of 128 bits: the magnitudes of decimals.

/// An integer of 128 bits without a sign. It has only the operations that the package uses.
@usableFromInline package struct WideMagnitude: Hashable, Sendable {
    @usableFromInline package let high: UInt64
    @usableFromInline package let low: UInt64

    @inlinable package init(high: UInt64 = 0, low: UInt64) { (self.high, self.low) = (high, low) }

    /// nil if the text is not only digits, or the number is not below 2^128.
    package init?(_ digits: some StringProtocol) {
        if digits.isEmpty { return nil }
        var number: WideMagnitude = 0
        for digit in digits.utf8 {
            guard digit >= 48, digit <= 57, let next = number.appending(digit - 48) else { return nil }
            number = next
        }
        self = number
    }

    /// The number with one more decimal digit; nil if it is not below 2^128.
    @inlinable package func appending(_ digit: UInt8) -> WideMagnitude? {
        let (product, overflow) = multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(WideMagnitude(low: UInt64(digit)))
        return overflow || carry ? nil : sum
    }

    /// At most eight words of 16 bits, the least significant first.
    package init(words: some BidirectionalCollection<UInt16>) {
        self = words.reversed().reduce(0) { number, word in
            WideMagnitude(high: number.high << 16 | number.low >> 48, low: number.low << 16 | UInt64(word))
        }
    }

    /// Its eight words of 16 bits, the least significant first.
    package var words: [UInt16] {
        [low, high].flatMap { half in (0..<4).map { UInt16(truncatingIfNeeded: half >> (16 * $0)) } }
    }

    /// The number of bits without leading zeros.
    @inlinable package var bitWidth: Int {
        high == 0 ? 64 - low.leadingZeroBitCount : 128 - high.leadingZeroBitCount
    }

    // MARK: Sums

    @inlinable package func addingReportingOverflow(
        _ other: WideMagnitude
    ) -> (partialValue: WideMagnitude, overflow: Bool) {
        let (low, carry) = low.addingReportingOverflow(other.low)
        let (sum, overflow) = high.addingReportingOverflow(other.high)
        let (high, again) = sum.addingReportingOverflow(carry ? 1 : 0)
        return (WideMagnitude(high: high, low: low), overflow || again)
    }

    @inlinable package static func + (left: WideMagnitude, right: WideMagnitude) -> WideMagnitude {
        left.addingReportingOverflow(right).partialValue
    }

    /// The difference; the right number must not be greater.
    @inlinable package static func - (left: WideMagnitude, right: WideMagnitude) -> WideMagnitude {
        let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
        return WideMagnitude(high: left.high &- right.high &- (borrow ? 1 : 0), low: low)
    }

    @inlinable package static func += (left: inout WideMagnitude, right: WideMagnitude) { left = left + right }

    // MARK: Products

    /// The product of 256 bits.
    @inlinable package func multipliedFullWidth(
        by other: WideMagnitude
    ) -> (high: WideMagnitude, low: WideMagnitude) {
        func product(_ left: UInt64, _ right: UInt64) -> WideMagnitude {
            let (high, low) = left.multipliedFullWidth(by: right)
            return WideMagnitude(high: high, low: low)
        }
        if high | other.high == 0 { return (0, product(low, other.low)) }
        let (first, last) = (product(high, other.high), product(low, other.low))
        let (inner, carry) = product(high, other.low).addingReportingOverflow(product(low, other.high))
        let (middle, again) = inner.addingReportingOverflow(WideMagnitude(low: last.high))
        let carries = UInt64(carry ? 1 : 0) + (again ? 1 : 0)
        return (first + WideMagnitude(high: carries, low: middle.high), WideMagnitude(high: middle.low, low: last.low))
    }

    /// The product, and whether it needs more than 128 bits.
    @inlinable package func multipliedReportingOverflow(
        by other: WideMagnitude
    ) -> (partialValue: WideMagnitude, overflow: Bool) {
        let (high, low) = multipliedFullWidth(by: other)
        return (low, high != 0)
    }

    @inlinable package static func * (left: WideMagnitude, right: WideMagnitude) -> WideMagnitude {
        left.multipliedFullWidth(by: right).low
    }

    // MARK: Quotients

    /// The divisor must not be 0.
    @inlinable package func quotientAndRemainder(
        dividingBy divisor: WideMagnitude
    ) -> (quotient: WideMagnitude, remainder: WideMagnitude) {
        if divisor.high != 0 { return quotientAndRemainder(dividingByWide: divisor) }
        let (first, rest) = high.quotientAndRemainder(dividingBy: divisor.low)
        let (last, remainder) =
            rest == 0 ? low.quotientAndRemainder(dividingBy: divisor.low) : divisor.low.dividingFullWidth((rest, low))
        return (WideMagnitude(high: first, low: last), WideMagnitude(low: remainder))
    }

    /// Divides by a number of more than 64 bits: estimates the quotient from the first 64 bits of the divisor and
    /// corrects it by one (Warren, Hacker's Delight, 9-5).
    @usableFromInline func quotientAndRemainder(
        dividingByWide divisor: WideMagnitude
    ) -> (quotient: WideMagnitude, remainder: WideMagnitude) {
        let shift = divisor.high.leadingZeroBitCount
        let first = divisor.high << shift | divisor.low >> (64 - shift)
        let estimate = first.dividingFullWidth((high >> 1, high << 63 | low >> 1)).quotient >> (63 - shift)
        var quotient = WideMagnitude(low: estimate == 0 ? 0 : estimate - 1)
        var remainder = self - quotient * divisor
        if remainder >= divisor { (quotient, remainder) = (quotient + 1, remainder - divisor) }
        return (quotient, remainder)
    }

    /// Divides a number of 256 bits by this one, bit by bit. The divisor is at most 2^127, and greater than the high half.
    package func dividingFullWidth(
        _ dividend: (high: WideMagnitude, low: WideMagnitude)
    ) -> (quotient: WideMagnitude, remainder: WideMagnitude) {
        // The bits of the quotient replace those of the dividend.
        var (remainder, quotient) = dividend
        for _ in 0..<128 {
            remainder = remainder.doubled(adding: quotient.high >> 63)
            let fits = remainder >= self
            quotient = quotient.doubled(adding: fits ? 1 : 0)
            if fits { remainder = remainder - self }
        }
        return (quotient, remainder)
    }

    private func doubled(adding bit: UInt64) -> WideMagnitude {
        WideMagnitude(high: high << 1 | low >> 63, low: low << 1 | bit)
    }
}

extension WideMagnitude: Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    @inlinable package init(integerLiteral number: UInt64) { self.init(low: number) }

    @inlinable package static func < (left: WideMagnitude, right: WideMagnitude) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    @inlinable package var description: String {
        if high == 0 { return String(low) }
        let (first, last) = quotientAndRemainder(dividingBy: WideMagnitude(low: 10_000_000_000_000_000_000))
        return first.description + String(last.low).zeroPadded(to: 19)
    }
}
