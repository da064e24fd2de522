// Integers of 128 bits, compared with the standard library's.

import PredicateTestSupport
import Testing

/// The standard library's integers.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private enum Reference {
    static let count = 20_000
    static let edges: [Int128] = [
        .min, .min + 1, .max, .max - 1, Int128(Int64.min), Int128(Int64.max), Int128(UInt64.max), 0, 1, -1, 10, -10,
    ]

    /// Pairs of numbers of every size, and next to powers of two.
    static func pairs(_ count: Int = count) -> [(Int128, Int128)] {
        var random = SplitMix(128)
        func number() -> Int128 {
            if Int.random(in: 0..<8, using: &random) == 0 { return random.pick(edges) }
            let bits = Int128.random(in: .min ... .max, using: &random) >> Int.random(in: 0..<128, using: &random)
            return bits &+ Int128.random(in: -2...2, using: &random)
        }
        return (0..<count).map { _ in (number(), number()) }
    }

    static func value(_ number: WideInteger) -> Int128 { Int128(number.high) << 64 | Int128(number.low) }
    static func value(_ number: WideMagnitude) -> UInt128 { UInt128(number.high) << 64 | UInt128(number.low) }
    static func magnitude(_ number: UInt128) -> WideMagnitude {
        WideMagnitude(high: UInt64(number >> 64), low: UInt64(truncatingIfNeeded: number))
    }
}

@Suite struct WideIntegerTests {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func sumsAndOrder() {
        for (a, b) in Reference.pairs() {
            let (x, y) = (WideInteger(a), WideInteger(b))
            #expect(Reference.value(x + y) == a &+ b, "\(a) + \(b)")
            #expect(Reference.value(x - y) == a &- b, "\(a) - \(b)")
            #expect((x < y) == (a < b) && (x == y) == (a == b), "\(a) < \(b)")
            #expect(x.signum() == Int(a.signum()) && Reference.value(x.magnitude) == a.magnitude, "\(a)")
            let middle = (a >> 1) + (b >> 1) + (a & b & 1)
            #expect(Reference.value(WideInteger.middle(x, y)) == middle, "\(a) \(b)")
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func products() {
        for (a, b) in Reference.pairs() {
            let (x, y) = (WideInteger(a), WideInteger(b))
            let (product, overflow) = x.multipliedReportingOverflow(by: y)
            let expected = a.multipliedReportingOverflow(by: b)
            #expect(overflow == expected.overflow, "\(a) * \(b)")
            #expect(Reference.value(product) == expected.partialValue, "\(a) * \(b)")
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func magnitudes() {
        for (a, b) in Reference.pairs().map({ (UInt128(bitPattern: $0), UInt128(bitPattern: $1)) }) {
            let (x, y) = (Reference.magnitude(a), Reference.magnitude(b))
            let product = x.multipliedFullWidth(by: y)
            let expected = a.multipliedFullWidth(by: b)
            #expect(Reference.value(product.high) == expected.high, "\(a) * \(b)")
            #expect(Reference.value(product.low) == expected.low, "\(a) * \(b)")
            #expect(x.addingReportingOverflow(y).overflow == a.addingReportingOverflow(b).overflow, "\(a) + \(b)")
            if a >= b { #expect(Reference.value(x - y) == a - b, "\(a) - \(b)") }
            #expect((x < y) == (a < b), "\(a) < \(b)")
            #expect(WideMagnitude(words: x.words) == x, "\(a)")
            if b == 0 { continue }
            let (quotient, remainder) = x.quotientAndRemainder(dividingBy: y)
            #expect(Reference.value(quotient) == a / b && Reference.value(remainder) == a % b, "\(a) / \(b)")
            // Divides a × b + a % b, which has up to 256 bits.
            if b > 1 << 127 { continue }
            let (low, carry) = expected.low.addingReportingOverflow(a % b)
            let high = expected.high + (carry ? 1 : 0)
            let divided = y.dividingFullWidth((Reference.magnitude(high), Reference.magnitude(low)))
            #expect(divided.quotient == x && divided.remainder == remainder, "\(a) * \(b) / \(b)")
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func conversions() {
        for (a, b) in Reference.pairs() {
            let number = WideInteger(a)
            #expect(Reference.value(number) == a)
            #expect(Int64(exactly: number) == Int64(exactly: a), "\(a)")
            #expect(Double(number) == Double(a), "\(a)")
            #expect(WideInteger(Int64(truncatingIfNeeded: a)) == WideInteger(Int128(Int64(truncatingIfNeeded: a))))
            // Half of a double, so that it also has a fraction.
            let double = Double(a) / 2 + Double(Int8(truncatingIfNeeded: b)) / 4
            #expect(Reference.value(WideInteger(double)) == Int128(double), "\(double)")
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func texts() {
        for (a, _) in Reference.pairs(2000) {
            let number = WideInteger(a)
            #expect(number.description == a.description)
            #expect(number.magnitude.description == a.magnitude.description)
            #expect(WideInteger(a.description) == number)
            #expect(WideMagnitude(a.magnitude.description) == number.magnitude)
        }
        let texts = [
            "", "-", "+", "+5", "-0", "007", "1a", "--1", "+-1", "1 ", "١", "170141183460469231731687303715884105727",
            "170141183460469231731687303715884105728", "340282366920938463463374607431768211455",
            "340282366920938463463374607431768211456", "1000000000000000000000000000000000000000",
        ]
        for text in texts {
            #expect(WideInteger(text)?.description == Int128(text)?.description, "\(text)")
            if !text.hasPrefix("+") {
                #expect(
                    WideMagnitude(text)?.description == (text == "-0" ? nil : UInt128(text)?.description), "\(text)")
            }
        }
    }
}
