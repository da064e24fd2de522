// Decimal arithmetic with 38 digits, compared with results computed by hand and with exact integers.
import PredicateTestSupport
import Testing

private func number(_ text: String) -> DecimalNumber { DecimalNumber(text) ?? DecimalNumber(0) }

struct DecimalTests {
    static let nines = String(repeating: "9", count: 38)

    @Test(.cases) func sumsHave38Digits() {
        let cases: [(String, String, String)] = [
            ("0.1", "0.2", "0.3"), ("1", "-1", "0"), ("1e30", "1e-7", "1000000000000000000000000000000.0000001"),
            ("1e50", "1e-50", "100000000000000000000000000000000000000000000000000"),
            (Self.nines, "1", "1" + String(repeating: "0", count: 38)),
            (Self.nines, Self.nines, "2" + String(repeating: "0", count: 38)), ("-5", "3.25", "-1.75"), ("0", "7", "7"),
            ("7", "0", "7"), ("1e9999", "1e-9999", number("1e9999").description),
            // Half a unit of the last digit is rounded away from zero.
            (Self.nines, "0.5", "1" + String(repeating: "0", count: 38)), (Self.nines, "0.49", Self.nines),
            // The second is just under one unit of the last digit of the first.
            (Self.nines + "e38", Self.nines, number("1e76").description),
        ]
        forEachCase(cases) { (a, b, expected) throws in
            #expect(try number(a).adding(number(b)).description == expected)
            #expect(try number(b).adding(number(a)).description == expected)
        }
    }

    @Test func zerosAreEqualWithAnyExponent() {
        #expect(number("0").order(against: number("0")) == 0)
        #expect(number("0").order(against: number("-0e9")) == 0)
        #expect(number("0").order(against: number("1e-9")) == -1)
        #expect(number("0").order(against: number("-1e-9")) == 1)
    }

    @Test func exponentsHaveALimit() throws {
        #expect(throws: EvaluationFault.self) { try number("1e5000").multiplied(by: number("1e5001")) }
        #expect(
            try number("1e5000").multiplied(by: number("1e5000")) == DecimalNumber(coefficient: 1, exponent: 10_000))
    }

    @Test func largeExponentsAreIntegersOnlyIfTheyFit() {
        for (text, expected) in [("1e18", 1_000_000_000_000_000_000), ("1e19", nil), ("3e40", nil), ("0e40", 0)]
            as [(String, Int?)]
        {
            #expect(PredicateValue.decimal(number(text)).exactInteger == expected.map(Int64.init), "\(text)")
        }
    }

    @Test(.cases) func productsHave38Digits() {
        let cases: [(String, String, String)] = [
            ("1.5", "1.5", "2.25"), ("-2", "3", "-6"), ("0", "5", "0"),
            (Self.nines, Self.nines, "99999999999999999999999999999999999998e38"),
            ("12345678901234567890", "98765432109876543210", "12193263113702179522374638011112635269e2"),
            ("1e-6000", "1e-6000", "0"),
            // Half a unit of the last digit is rounded away from zero.
            ("40000000000000000001", "10000000000000000005", "40000000000000000021000000000000000001e1"),
        ]
        forEachCase(cases) { a, b, expected in
            let product = try number(a).multiplied(by: number(b))
            #expect(product.order(against: number(expected)) == 0, "\(product)")
        }
    }

    @Test(.cases) func quotientsHave38Digits() {
        let cases: [(String, String, String)] = [
            ("1", "8", "0.125"), ("1", "3", "0.33333333333333333333333333333333333333"),
            ("2", "3", "0.66666666666666666666666666666666666667"), ("-7", "2", "-3.5"), ("0", "3", "0"),
            ("1", "1e20", "0.00000000000000000001"), (Self.nines, Self.nines, "1"),
        ]
        forEachCase(cases) { (a, b, expected) throws in
            #expect(try number(a).divided(by: number(b)).description == expected)
        }
    }

    /// Every small pair, compared with integers scaled by 100.
    @Test func agreesWithIntegers() throws {
        for a in TestDepth.some(Array(stride(from: Int64(-250), through: 250, by: 7)), every: 5) {
            for b in stride(from: Int64(-250), through: 250, by: 11) {
                let x = DecimalNumber(coefficient: a, exponent: -2)
                let y = DecimalNumber(coefficient: b, exponent: -2)
                #expect(try x.adding(y) == DecimalNumber(coefficient: a + b, exponent: -2))
                #expect(try x.multiplied(by: y) == DecimalNumber(coefficient: a * b, exponent: -4))
                #expect(x.order(against: y) == (a - b).signum())
                if b != 0 { #expect(try x.divided(by: y).multiplied(by: y).order(against: x) == 0 || (a % b) != 0) }
            }
        }
    }

    @Test func orderAcrossExponents() {
        let ascending = [
            "-1e100", "-2", "-1.5", "-1e-100", "0", "1e-100", "0.99999999999999999999", "1", "10", Self.nines, "1e100",
        ]
        for (i, a) in ascending.enumerated() {
            for (j, b) in ascending.enumerated() {
                #expect(number(a).order(against: number(b)) == (i - j).signum(), "\(a) \(b)")
            }
        }
    }

    @Test func conversions() {
        #expect(DecimalNumber(0.1)?.description == "0.1")
        #expect(DecimalNumber(1e-7)?.description == "0.0000001")
        #expect(DecimalNumber(Double.nan) == nil)
        #expect(DecimalNumber(Double.infinity) == nil)
        #expect(number("0.1").doubleValue == 0.1)
        #expect(number("1e400").doubleValue == .infinity)
    }

    @Test(.cases) func rounding() {
        let cases: [(String, FloatingPointRoundingRule, String)] = [
            ("1.5", FloatingPointRoundingRule.down, "1"), ("-1.5", .down, "-2"), ("1.5", .up, "2"), ("-1.5", .up, "-1"),
            ("-1.5", .towardZero, "-1"), ("7", .down, "7"), ("1e-60", .up, "1"), ("-1e-60", .down, "-1"),
        ]
        forEachCase(cases) { (a, rule, expected) throws in
            #expect(try number(a).rounded(rule).description == expected)
        }
    }

    /// No decimal built in code causes a trap.
    @Test func extremesDoNotTrap() throws {
        let odd = [
            DecimalNumber(coefficient: .max, exponent: 0), DecimalNumber(coefficient: .min, exponent: 0),
            DecimalNumber(coefficient: .max, exponent: 9_999), DecimalNumber(coefficient: -1, exponent: -10_000),
            DecimalNumber(coefficient: 1, exponent: .max), DecimalNumber(coefficient: 1, exponent: .min),
            number(Self.nines),
        ]
        for a in odd {
            for b in odd {
                _ = try? a.adding(b)
                _ = try? a.multiplied(by: b)
                _ = try? a.divided(by: b)
                #expect(
                    a.order(against: b) == -b.order(against: a) || abs(a.exponent) > 10_000 || abs(b.exponent) > 10_000)
            }
            _ = -a
            _ = try? a.rounded(.up)
            _ = a.doubleValue
        }
    }
}
