// Sorting by numbers that have the order of the values, compared with sorting the values.

import PredicateEvaluation
import PredicateTestSupport
import Testing

@Suite struct SortingTests {
    private static let values: [PredicateValue] = [
        .null, .nsNull, .bool(true), .integer(0), .integer(1), .integer(1 << 48), .integer(1 << 48 + 1), .integer(.max),
        .integer(.min), .integer(.max - 1), .integer(-1), .double(-0.0), .double(.nan), .double(.infinity),
        .double(0.1), .double(0.1.nextUp), .double(-.leastNonzeroMagnitude), .double(1), .float(0.1), .float(1),
        .date(.nan), .date(0), .date(0.1), .date(0.1.nextUp), .string(""), .string("a"), .string("a\0"), .string("A"),
        .string("abcdefg"), .string("abcdefgh"), .string("abcdefgi"), .string("ABCDEFGH"), .string("é"),
        .string("e\u{301}"), .string(String(repeating: "ab", count: 40)),
        .string(String(repeating: "ab", count: 40) + "c"), .string(String(repeating: "aB", count: 40)),
        .string("abcdefghijklmn"), .string("abcdefghijklmno"), .string("ß"), .string("ss"), .url("b:"), .data([0]),
        .data([0, 0]), .data([1, 2, 3, 4, 5, 6, 7, 8]), .data([1, 2, 3, 4, 5, 6, 7, 9]),
        .uuid(UniversalID(high: 1, low: 2)), .uuid(UniversalID(high: 1, low: 1)), .array([.integer(2)]),
        .array([.integer(1)]), .set([.integer(1)]), .type("T"), .decimal(DecimalNumber(coefficient: 1, exponent: -1)),
        .decimal(DecimalNumber(coefficient: 1, exponent: 0)), .decimal(DecimalNumber(coefficient: 7, exponent: 2)),
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
            let key = PredicateSortKey(
                "SELF", descending: round & 1 == 1, options: options[round / 2 % options.count],
                nils: round & 8 == 0 ? nil : round & 16 == 0 ? .first : .last)
            let expected = Self.sorted(values.map { [$0] }, by: [key]).map { values[$0] }
            #expect(try values.sorted(by: [key]) == expected, "\(key)")
            for limit in [nil, 0, 5, 1000] {
                var sorter = Sorter<PredicateValue>(keys: [key], limit: limit)
                for value in values { sorter.add(value, fields: [value]) }
                #expect(sorter.finish() == Array(expected.prefix(limit ?? .max)), "\(key), \(limit ?? -1)")
            }
        }
    }

    @Test func severalKeysOrderLikeTheirValues() throws {
        var random = SplitMix(8)
        for round in 0..<20 {
            let keys = [
                PredicateSortKey("a", descending: round & 1 == 1), PredicateSortKey("b", descending: round & 2 == 2),
                PredicateSortKey("c"),
            ]
            let rows = (0..<300).map { _ in
                ["a", "b", "c"].map { ($0, Self.values.randomElement(using: &random) ?? .null) }
            }
            let expected = Self.sorted(rows.map { $0.map(\.1) }, by: keys)
            let dictionaries = rows.map { PredicateValue.dictionary(ValueDictionary($0)) }
            #expect(try dictionaries.sorted(by: keys) == expected.map { dictionaries[$0] }, "\(keys)")
        }
    }

    /// The sorter drops elements that are not among the first as soon as it has more than twice their number.
    @Test func limitedSortersKeepTheFirstElements() {
        var random = SplitMix(9)
        for limit in [0, 1, 3, 100, 2000] {
            let keys = [PredicateSortKey("a", descending: limit & 1 == 1), PredicateSortKey("b")]
            let rows: [[PredicateValue]] = (0..<6000).map { index in
                [.integer(Int64.random(in: 0..<40, using: &random)), Self.values[index * 7 % Self.values.count]]
            }
            var sorter = Sorter<Int>(keys: keys, limit: limit)
            for (index, row) in rows.enumerated() { sorter.add(index, fields: row) }
            #expect(sorter.finish() == Array(Self.sorted(rows, by: keys).prefix(limit)), "\(limit)")
        }
    }

    /// The indices of the rows, sorted by comparing their values.
    private static func sorted(_ rows: [[PredicateValue]], by keys: [PredicateSortKey]) -> [Int] {
        rows.indices.sorted { left, right in
            for (index, key) in keys.enumerated() {
                let order = key.compare(rows[left][index], rows[right][index])
                if order != 0 { return order < 0 }
            }
            return left < right
        }
    }

    @Test func laterKeysOrderEqualElements() throws {
        let rows: [PredicateValue] = [(2, "b"), (1, "a rather long text"), (2, "a"), (1, "a rather long name")].map {
            .dictionary(ValueDictionary([("n", .integer($0.0)), ("t", .string($0.1))]))
        }
        let sorted = try rows.sorted(by: [PredicateSortKey("n", descending: true), PredicateSortKey("t")])
        #expect(sorted == [rows[2], rows[0], rows[3], rows[1]])
        #expect(try rows.sorted(by: []) == rows)
    }
}
