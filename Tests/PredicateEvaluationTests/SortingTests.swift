// Sorting by numbers that have the order of the values, compared with sorting the values.

import PredicateEvaluation
import PredicateModel
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite struct SortingTests {
    private static let values: [PredicateValue] = [
        .null, .nsNull, .bool(true), .integer(0), .integer(1), .integer(1 << 48),
        .integer(1 << 48 + 1), .integer(.max),
        .integer(.min), .integer(.max - 1), .integer(-1), .double(-0.0), .double(.nan), .double(.infinity),
        .double(0.1),
        .double(0.1.nextUp), .double(-.leastNonzeroMagnitude), .double(1), .float(0.1), .float(1), .date(.nan),
        .date(0), .date(0.1), .date(0.1.nextUp), .string(""), .string("a"), .string("a\0"), .string("A"),
        .string("abcdefg"), .string("abcdefgh"), .string("abcdefgi"), .string("ABCDEFGH"), .string("é"),
        .string("e\u{301}"), .string(String(repeating: "ab", count: 40)),
        .string(String(repeating: "ab", count: 40) + "c"),
        .string(String(repeating: "aB", count: 40)), .string("abcdefghijklmn"), .string("abcdefghijklmno"),
        .string("ß"), .string("ss"), .url("b:"), .data([0]), .data([0, 0]), .data([1, 2, 3, 4, 5, 6, 7, 8]),
        .data([1, 2, 3, 4, 5, 6, 7, 9]), .uuid(UniversalID(high: 1, low: 2)), .uuid(UniversalID(high: 1, low: 1)),
        .array([.integer(2)]), .array([.integer(1)]), .set([.integer(1)]), .type("T"),
        .decimal(DecimalNumber(coefficient: 1, exponent: -1)), .decimal(DecimalNumber(coefficient: 1, exponent: 0)),
        .decimal(DecimalNumber(coefficient: 7, exponent: 2)),
    ]

    @Test func theNumbersOrderLikeTheValues() throws {
        var random = SplitMix(7)
        let options: [ComparisonOptions] = [
            [], [.caseInsensitive], [.caseInsensitive, .diacriticInsensitive], [.normalized],
        ]
        for round in 0..<200 {
            // Many elements are sorted by the bytes of their numbers.
            let values = (0..<(round % 10 == 0 ? 700 : 60)).map { _ in
                Self.values.randomElement(using: &random) ?? .null
            }
            let key = SortKey(
                "SELF", descending: round & 1 == 1, options: options[round / 2 % options.count],
                nils: round & 8 == 0 ? nil : round & 16 == 0 ? .first : .last)
            var sorter = Sorter<PredicateValue>(keys: [key])
            for value in values { sorter.add(value, fields: [value]) }
            #expect(try values.sorted(by: [key]) == sorter.finish(), "\(key)")
        }
    }

    @Test func severalKeysOrderLikeTheirValues() throws {
        var random = SplitMix(8)
        for round in 0..<20 {
            let keys = [
                SortKey("a", descending: round & 1 == 1), SortKey("b", descending: round & 2 == 2), SortKey("c"),
            ]
            let rows = (0..<300).map { _ in
                ["a", "b", "c"].map { ($0, Self.values.randomElement(using: &random) ?? .null) }
            }
            var sorter = Sorter<PredicateValue>(keys: keys)
            for row in rows { sorter.add(.dictionary(ValueDictionary(row)), fields: row.map(\.1)) }
            let sorted = try rows.map { PredicateValue.dictionary(ValueDictionary($0)) }.sorted(by: keys)
            #expect(sorted == sorter.finish(), "\(keys)")
        }
    }

    @Test func laterKeysOrderEqualElements() throws {
        let rows: [PredicateValue] = [(2, "b"), (1, "a rather long text"), (2, "a"), (1, "a rather long name")].map {
            .dictionary(ValueDictionary([("n", .integer($0.0)), ("t", .string($0.1))]))
        }
        let sorted = try rows.sorted(by: [SortKey("n", descending: true), SortKey("t")])
        #expect(sorted == [rows[2], rows[0], rows[3], rows[1]])
        #expect(try rows.sorted(by: []) == rows)
    }
}
