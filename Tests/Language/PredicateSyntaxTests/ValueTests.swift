import PredicateTestSupport
import Testing

// The values of a tree: equality and hashes, decimals, identifiers, dictionaries, dates.
@testable import PredicateSyntax

@Suite struct ValueTests {
    /// One value of every kind. No two are equal.
    static let everyKind: [PredicateValue] = [
        .null, .nsNull, .bool(false), .integer(1), .integer(.min), .float(1.5), .double(1.5), .double(.nan),
        .double(.infinity), .double(-1e300), .decimal(DecimalNumber(coefficient: 15, exponent: -1)), .string("x"),
        .string("é"), .string("e\u{301}"), .string(""), .date(1.5), .data([1, 2]), .data([]),
        .uuid(UniversalID(high: 1, low: .max)), .url("x"), .array([.integer(1), .null]), .array([]),
        .set([.integer(1), .null]), .dictionary(ValueDictionary([("a", .integer(1)), ("b", .array([]))])), .type("x"),
    ]

    @Test func differentKindsDiffer() {
        for (i, left) in Self.everyKind.enumerated() {
            for (j, right) in Self.everyKind.enumerated() { #expect((left == right) == (i == j), "\(left) \(right)") }
        }
    }

    @Test(.cases) func equalValuesHashAlike() {
        let cases: [(PredicateValue, PredicateValue)] = [
            (PredicateValue.bool(true), PredicateValue.integer(1)), (.bool(false), .integer(0)),
            (.double(0), .double(-0.0)), (.float(0), .float(-0.0)), (.double(.nan), .double(-.nan)),
            (.date(.nan), .date(.nan)), (.set([.integer(1), .integer(2)]), .set([.integer(2), .integer(1)])),
            (
                .decimal(DecimalNumber(coefficient: 100, exponent: 0)),
                .decimal(DecimalNumber(coefficient: 1, exponent: 2))
            ),
            (
                .dictionary(ValueDictionary([("a", .null), ("b", .null)])),
                .dictionary(ValueDictionary([("b", .null), ("a", .null)]))
            ),
        ]
        forEachCase(cases) { left, right in
            #expect(left == right)
            #expect(left.hashValue == right.hashValue)
        }
    }

    // MARK: Decimals

    @Test(.cases) func decimalTextsAreRead() {
        let cases: [(String, Int, Int)] = [
            ("0", 0, 0), ("-0", 0, 0), ("12.50", 125, -1), ("-12.50", -125, -1), ("+3", 3, 0), ("1e-3", 1, -3),
            ("1200", 12, 2), ("0.001", 1, -3), (".5", 5, -1), ("5.", 5, 0), ("1E+2", 1, 2), ("000123", 123, 0),
            ("1e9999", 1, 9999),
        ]
        forEachCase(cases) { text, coefficient, exponent in
            let number = DecimalNumber(text)
            #expect(number?.coefficient == WideInteger(coefficient), "\(text)")
            #expect(number?.exponent == exponent, "\(text)")
        }
    }

    @Test(.cases) func otherTextsAreNotDecimals() {
        let cases: [String] = [
            "", "-", "+", ".", "e5", "1e", "1e+", "1ee5", "1.2.3", "--1", "1 ", " 1", "0x10", "1_000", "nan", "inf",
            "1e10000", "1e-10000", "1e99999999999999999999", "999999999999999999999999999999999999999", "١",
        ]
        forEachCase(cases) { text in #expect(DecimalNumber(text) == nil, "\(text)") }
    }

    @Test func decimalsHave38Digits() {
        let nines = String(repeating: "9", count: 38)
        #expect(DecimalNumber(nines)?.description == nines)
        #expect(DecimalNumber("-" + nines)?.description == "-" + nines)
        #expect(DecimalNumber("1" + String(repeating: "0", count: 38)) == nil)
        #expect(DecimalNumber(Int64.min).description == "-9223372036854775808")
    }

    @Test(.cases) func decimalsPrintAsTheyRead() {
        forEachCase(
            ["12.5", "-0.001", "1200", "0", "-7", "123456789.987654321", "0.1", "1e61", "1e-61", "-25e-70"] as [String]
        ) { text in #expect(DecimalNumber(text)?.description == text) }
    }

    @Test func decimalExtremesDoNotTrap() {
        for exponent in [Int.max, .min, .max - 40, 0] {
            for coefficient in [WideInteger.max, .min, 10, -10, 0, 1] {
                let number = DecimalNumber(coefficient: coefficient, exponent: exponent)
                #expect(!number.description.isEmpty)
            }
        }
    }

    // MARK: Identifiers

    @Test func universalIDsAreReadAndPrinted() {
        let id = UniversalID("e621e1f8-c36c-495a-93fc-0c247a3e6e5f")
        #expect(id?.description == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(id == UniversalID(high: 0xE621_E1F8_C36C_495A, low: 0x93FC_0C24_7A3E_6E5F))
        #expect(UniversalID(high: 0, low: 0).description == "00000000-0000-0000-0000-000000000000")
        #expect(UniversalID(high: .max, low: .max).description == "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")
        for text in [
            "", "e621e1f8c36c495a93fc0c247a3e6e5f", "{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}",
            "E621E1F8-C36C-495A-93FC-0C247A3E6E5", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F0",
            "G621E1F8-C36C-495A-93FC-0C247A3E6E5F", "E621E1F8-C36C-495A-93FC_0C247A3E6E5F",
            "é621E1F8-C36C-495A-93FC-0C247A3E6E5", "E621E1F8-C36C-495A-93FC-", String(repeating: "-", count: 36),
        ] { #expect(UniversalID(text) == nil, "\(text)") }
    }

    // MARK: Dictionaries

    @Test func dictionariesKeepKeyOrder() {
        let one = ValueDictionary([("b", .integer(1)), ("a", .integer(2)), ("b", .integer(3))])
        #expect(one.keys == ["b", "a"])
        #expect(one.values == [.integer(3), .integer(2)])
        #expect(one["b"] == .integer(3) && one["c"] == nil && one.count == 2 && !one.isEmpty)
        #expect(ValueDictionary([]).isEmpty)
        let shape = ValueDictionary.Shape(["x", "y"])
        #expect(ValueDictionary(shape: shape, values: [.integer(1)])["y"] == .null)
        #expect(ValueDictionary(shape: shape, values: [.null, .null, .integer(1)]).count == 2)
        #expect(
            ValueDictionary(shape: shape, values: [.null, .null]) == ValueDictionary([("y", .null), ("x", .null)]))
        #expect(ValueDictionary([("x", .null)]) != ValueDictionary([("y", .null)]))
        let many = ValueDictionary((0..<40).map { ("k\($0)", .integer(Int64($0))) })
        #expect((0..<40).allSatisfy { many["k\($0)"] == .integer(Int64($0)) } && many["k40"] == nil)
        let repeated = ValueDictionary(shape: .init(["a", "a"]), values: [.integer(1), .integer(2)])
        #expect(repeated["a"] == .integer(1))
    }

    // MARK: Dates

    @Test(.cases) func datesArePrinted() {
        let cases: [(Double, String)] = [
            (0, "2001-01-01 00:00:00 +0000"), (-1, "2000-12-31 23:59:59 +0000"),
            (441_763_200, "2015-01-01 00:00:00 +0000"), (-978_307_200, "1970-01-01 00:00:00 +0000"),
            (0.999, "2001-01-01 00:00:00 +0000"), (-0.5, "2000-12-31 23:59:59 +0000"),
            (-26_611_200, "2000-02-28 00:00:00 +0000"), (-26_524_800, "2000-02-29 00:00:00 +0000"),
            (-26_438_400, "2000-03-01 00:00:00 +0000"), (-63_113_904_000, "0001-01-01 00:00:00 +0000"),
            (-63_145_526_400, "0000-01-01 00:00:00 +0000"), (-63_145_526_401, "-0001-12-31 23:59:59 +0000"),
            (252_423_993_599, "9999-12-31 23:59:59 +0000"),
        ]
        forEachCase(cases) { seconds, expected in
            let date = CalendarDate(secondsSince2001: seconds)
            #expect(date?.description == expected)
            #expect(date?.secondsSince2001 == seconds)
        }
    }

    @Test func everyDayOfFourCenturiesIsReadBack() {
        for day in stride(from: -150_000.0, through: 150_000, by: 7) {
            let seconds = day * 86_400 + 12_345
            guard let date = CalendarDate(secondsSince2001: seconds) else { return #expect(Bool(false), "\(day)") }
            #expect(date.secondsSince2001 == seconds && (1...12).contains(date.month) && (1...31).contains(date.day))
        }
    }

    @Test func impossibleDatesAreNil() {
        for seconds in [Double.nan, .infinity, -.infinity, 3e13, -3e13, .greatestFiniteMagnitude] {
            #expect(CalendarDate(secondsSince2001: seconds) == nil)
        }
        for seconds in [2.9e13, -2.9e13] { #expect(CalendarDate(secondsSince2001: seconds) != nil) }
    }

    @Test(.cases) func fixedNotationHasSixDigits() {
        let cases: [(Double, String)] = [
            (0, "0.000000"), (592_299_475.57712, "592299475.577120"), (-1.5, "-1.500000"), (0.000_000_4, "0.000000"),
            (-0.000_000_1, "0.000000"), (0.999_999_9, "1.000000"), (-0.999_999_9, "-1.000000"),
            (1e14, "100000000000000.000000"), (1e15, "1000000000000000.0"), (1e16, "1e+16"), (.nan, "nan"),
            (.infinity, "inf"), (-.infinity, "-inf"), (123.000_001, "123.000001"), (0.5e-6, "0.000000"),
            (1.5e-6, "0.000002"),
        ]
        forEachCase(cases) { value, expected in #expect(ValuePrinter.fixed(value) == expected) }
    }

    @Test func literalsAreValues() {
        let values: [PredicateValue] = [5, -2.5, "Ada", true, [1, "a", [.null]], .null, "x\(1)"]
        let list = PredicateValue.array([.integer(1), .string("a"), .array([.null])])
        #expect(values == [.integer(5), .double(-2.5), .string("Ada"), .bool(true), list, .null, .string("x1")])
        // nil tests whether there is a value.
        let found: PredicateValue? = values.last
        #expect(found != nil && found == "x1")
    }

    @Test func dictionariesAreMadeFromDictionariesAndChanged() {
        let numbers: [String: Int] = ["b": 2, "a": 1]
        var record = ValueDictionary(numbers)
        #expect(record.keys == ["a", "b"] && record == ["a": 1, "b": 2])
        let shared = record
        record["c"] = "new"
        record["a"] = .null
        record["b"] = nil
        record["none"] = nil
        #expect(record.keys == ["a", "c"] && record.values == [.null, "new"])
        #expect(shared == ["a": 1, "b": 2])
        let mixed: [String: (any PredicateValueConvertible)?] = ["x": nil, "y": true]
        #expect(ValueDictionary(mixed) == ["x": nil, "y": true])
        // Many keys are found by a hash table.
        var wide = ValueDictionary((0..<20).map { ("k\($0)", .integer(Int64($0))) })
        wide["k20"] = 20
        wide["k3"] = nil
        #expect(wide.count == 20 && wide["k20"] == 20 && wide["k3"] == nil && wide["k4"] == 4)
    }
}
