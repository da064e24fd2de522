// The column plan gives the results of the dynamic plan, and a table returns its rows unchanged.
import PredicateTestSupport
import Predicates
import Testing

@testable import PredicateEvaluation

struct TableTests {
    /// Texts stored as codes; sizes at the borders of mask words.
    static let coded = make(BlockRow.make(150))
    /// Few rows, so that texts are stored without codes.
    static let laidOut = make(BlockRow.make(40, seed: 5))
    /// More than two blocks.
    static let long = make(BlockRow.make(4500, seed: 11))

    struct Sample: Sendable {
        let rows: [PredicateValue]
        let table: PredicateTable
    }

    static func make(_ rows: [BlockRow]) -> Sample { make(rows.map(plain)) }

    static func make(_ rows: [PredicateValue]) -> Sample { Sample(rows: rows, table: PredicateTable(rows)) }

    /// The row as a record reader would return it.
    static func plain(_ row: BlockRow) -> PredicateValue {
        func plain(_ value: PredicateValue) -> PredicateValue {
            guard case .object(let reference) = value else { return value }
            let object = reference.object
            return .dictionary(
                ValueDictionary(object.publishedKeys.map { ($0, plain(object.value(forKey: $0) ?? .null)) }))
        }
        return .dictionary(
            ValueDictionary(
                BlockRow.keys.keys.compactMap { key in
                    // As in JSON, some nil keys are missing.
                    let value = plain(key.read(row))
                    return value.isNil && key.name.count % 2 == 0 ? nil : (key.name, value)
                }))
    }

    /// Checks that the table gives the results of the dynamic plan, row by row.
    static func check(
        _ text: String, _ sample: Sample, variables: PredicateVariables = [:],
        in environment: PredicateEnvironment = .standard
    ) throws -> TableMatcher {
        let predicate = try FormatPredicate(text, in: environment)
        let dynamic = try predicate.compiled(for: PredicateValue.self, variables: variables)
        let matcher = try predicate.unchecked(for: sample.table, variables: variables)
        let expected = sample.rows.indices.filter { dynamic.matches(sample.rows[$0]) }
        if variables.isEmpty { checkBinding(predicate, sample, expected) }
        #expect(matcher.indices() == expected, "\(text)")
        #expect(matcher.count() == expected.count, "\(text)")
        let failures = sample.rows.map { row in
            do throws(PredicateFailure) {
                _ = try dynamic.test(row)
                return PredicateFailure?.none
            } catch {
                return error
            }
        }
        let evaluation = matcher.evaluation()
        #expect(Array(evaluation.selected) == expected, "\(text)")
        let failed = failures.indices.filter { failures[$0] != nil }
        #expect(Array(evaluation.failed) == failed, "\(text)")
        #expect(evaluation.firstFailure?.row == failed.first, "\(text)")
        #expect(evaluation.firstFailure?.failure == failed.first.flatMap { failures[$0] }, "\(text)")
        return matcher
    }

    /// Checks the diagnostics of binding: a comparison with a type error matches no row, and a comparison with a
    /// constant result has this result for every row.
    private static func checkBinding(_ predicate: FormatPredicate, _ sample: Sample, _ expected: [Int]) {
        guard case .comparison(let comparison) = predicate.root.kind, comparison.modifier == .direct else { return }
        do throws(PredicateFailure) {
            let warnings = try predicate.compiled(for: sample.table).warnings
            guard let found = warnings.first(where: { $0.id == .comparisonConstant && $0.span == predicate.root.span })
            else { return }
            let all = found.details.first == "true" ? sample.rows.count : 0
            #expect(expected.count == all, "\(predicate): \(found.message)")
        } catch {
            // A key of a text is an error, also if the text is nil.
            if error.diagnostics.contains(where: { $0.id == .unknownKey && $0.severity == .error }) { return }
            #expect(expected.isEmpty, "\(predicate): \(error)")
        }
    }

    @Test func everyComparisonAgreesWithTheDynamicPlan() throws {
        for text in TestDepth.some(BlockPlanTests.native) {
            _ = try Self.check(text, Self.coded, variables: BlockPlanTests.variables)
            _ = try Self.check(text, Self.laidOut, variables: BlockPlanTests.variables)
        }
    }

    /// Columns evaluate these predicates without the dynamic plan.
    @Test(.cases) func columnsEvaluateWithoutTheDynamicPlan() {
        let cases: [String] = [
            "id > 3", "small != 3", "age BETWEEN {1, 30}", "id IN {1, 3, 30}", "score < 1.5", "weight IN {1, 1.5}",
            "active == YES", "flag == nil", "born < $d", "seen BETWEEN {$e, $d}", "name == 'a'",
            "nick BEGINSWITH[cd] 'a'", "name CONTAINS[c] 'B'", "name LIKE 'a*'", "name MATCHES '[a-z]+'", "name < 'b'",
            "name IN $list", "address.city ENDSWITH 'r'", "ANY tags == 'a'", "ALL labels IN {'a', 'b'}",
            "NONE tags == 'a'", "tags CONTAINS 'a'", "'a' IN tags", "tags.@count > 1", "labels == nil",
            "address != nil", "small IN {1, 3}", "SUBQUERY(tags, $t, $t BEGINSWITH 'a' OR $t == 'é').@count > 1",
            "nothing == 5", "active == YES AND NOT id > 3",
        ]
        forEachCase(cases) { text in
            for sample in [Self.coded, Self.laidOut] {
                let matcher = try Self.check(text, sample, variables: BlockPlanTests.variables)
                #expect(!Self.asksRows(matcher.blocks.node))
            }
        }
    }

    private static func asksRows(_ node: BlockNode) -> Bool {
        switch node {
        case .rows: true
        case .constant, .test: false
        case .and(let children), .or(let children): children.contains(where: asksRows)
        case .not(let child): asksRows(child)
        }
    }

    @Test(.cases) func otherTermsUseTheDynamicPlan() {
        forEachCase(BlockPlanTests.others) { text in
            for form in [
                text, "\(text) AND id > 0", "active == YES OR \(text)", "NOT (\(text) AND active == YES)",
                "NOT (\(text) OR score > 1)", "(\(text) OR id > 3) AND (name != 'a' OR \(text))",
                "active == YES AND \(text) AND \(text)",
            ] {
                _ = try Self.check(form, Self.coded)
                _ = try Self.check(form, Self.laidOut)
            }
        }
    }

    @Test(.cases) func randomPredicatesAgreeWithTheDynamicPlan() {
        forEachCase(0..<TestDepth.count(30)) { seed in
            var random = SplitMix(UInt64(seed) &+ 1000)
            for _ in 0..<60 {
                let text = BlockPlanTests.predicate(&random, depth: 3)
                let sample = random.below(2) == 0 ? Self.coded : Self.laidOut
                _ = try Self.check(text, sample, variables: BlockPlanTests.variables)
            }
        }
    }

    @Test(.cases) func severalBlocks() async {
        let cases: [String] = [
            "age > 30", "name CONTAINS 'a' AND NOT nick BEGINSWITH[c] 'A'", "ANY tags == 'abc' OR active == YES",
            "SUBQUERY(labels, $l, $l CONTAINS 'a' OR $l == '').@count > 1", "name.length > 3 AND score > 1",
        ]
        await forEachAsyncCase(cases) { text in
            let matcher = try Self.check(text, Self.long)
            #expect(Array(matcher.selection()) == matcher.indices())
            #expect(matcher.rows() == matcher.indices().map { Self.long.rows[$0] })
        }
    }

    @Test(.cases) func sizesAtBlockBordersAgree() {
        forEachCase(0...20) { step in
            let count = [0, 1, 63, 64, 65, 127, 128, 129, 2047, 2048, 2049, 4095, 4096, 4097][step % 14]
            let sample = Self.make(
                (0..<count).map { number -> PredicateValue in
                    ["id": .integer(Int64(number)), "even": .bool(number.isMultiple(of: 2))]
                })
            _ = try Self.check("TRUEPREDICATE", sample)
            _ = try Self.check("id == \(count - 1) OR id == 64", sample)
            _ = try Self.check("even == YES AND NOT id < 60", sample)
        }
    }

    /// Every kind of column, and values that do not fit its form.
    static let records: [PredicateValue] = [
        [
            "id": 1, "n": 5, "m": 1, "x": "a", "items": [["price": 5, "name": "pen"], ["price": 2.5]],
            "a": ["b": ["c": 1]],
        ],
        ["id": 2, "n": 2.5, "m": "one", "items": [], "a": ["b": nil]],
        ["n": nil, "id": 3, "m": nil, "x": nil, "items": nil, "a": nil],
        ["id": 4, "n": .integer(1 << 53), "x": "b", "items": [["name": nil], nil], "a": ["b": ["c": 2, "d": "x"]]],
        ["id": 5, "n": .double(.nan), "x": "é", "items": [["price": 7, "name": "ink"]], "nested": [[1, 2], [3]]],
        ["id": 6, "n": .decimal(DecimalNumber(3)), "d": .date(5), "items": [["name": "pen"], ["name": "pen"]]],
        .integer(7), .null, "text",
        ["id": 8, "set": .set([1, 2]), "u": .uuid(UniversalID(high: 1, low: 2)), "f": .float(1.5), "d": .date(-1)],
        ["id": 9, "a": 5, "items": 5, "mixed": [1, "a", nil, 2.5], "o": .nsNull],
        [:], ["id": 10, "x": "", "list": ["a", nil, "b"]], ["id": 11, "list": nil], ["list": [], "id": 12],
    ]
    static let samples: [Sample] = {
        // All records, the records before the first that does not fit, each record separately, and values that are not
        // records, also at the beginning.
        [make(records), make(Array(records.prefix(5))), make(Array(records.prefix(3)))] + records.map { make([$0]) }
            + [
                [7, nil, 3], ["text", nil, "a", ""], [["a", nil], [], nil, ["b", "b"]], [nil, nil], [1, "a", nil],
            ].flatMap { [make($0), make($0 + records)] }
    }()

    @Test(.cases) func everyColumn() {
        let cases: [String] = [
            "n > 2", "n == 5", "n == 2.5", "n != 3", "n IN {5, 2.5, 3}", "n BETWEEN {2, 5}", "n == nil", "n != nil",
            "n < 9007199254740993", "n <= 9007199254740992.0", "n > CAST('2.4', 'NSDecimalNumber')",
            "n IN {CAST('2.5', 'NSDecimalNumber')}", "m == 1", "m == 'one'", "x == 'a'", "x > 'a'", "x == ''",
            "x == nil", "items.@count == 2", "items.@count > 0", "items.@count == nil", "items.price.@count > 1",
            "ANY items.price > 3", "ALL items.price > 3", "NONE items.name == 'pen'", "ANY items.name == nil",
            "ANY items.nothing == nil", "SUBQUERY(items, $i, $i.price > 3).@count > 0",
            "SUBQUERY(items, $i, $i.name == 'pen').@count == 2",
            "SUBQUERY(items, $i, $i.price > 1 AND NOT $i.name == 'ink').@count >= 1",
            "SUBQUERY(items, $i, n > 3).@count > 0", "SUBQUERY(items, $i, $i == nil).@count == 1",
            "SUBQUERY(items, $i, $i.name.length > 2).@count != 0", "SUBQUERY(items, $i, $i.price > 3).@count == nil",
            "SUBQUERY(items, $i, TRUEPREDICATE).@count > 1", "items == nil", "items != nil", "items.price == nil",
            "a.b.c == 1", "a.b.c > 0", "a.b == nil", "a == nil", "a.b.d == 'x'", "a.b.c.@count == 1", "nothing == nil",
            "nothing.at.all == nil", "nothing > 3", "nothing.@count == nil", "ANY nothing == 3", "ALL nothing == 3",
            "SELF == 7", "SELF == 'text'", "SELF == nil", "SELF > 3", "SELF IN {3, 7}", "SELF CONTAINS 'a'",
            "SELF BEGINSWITH 't'", "ANY SELF == 'b'", "'a' IN SELF", "SELF.@count == 2", "ALL SELF != 'a'",
            "SUBQUERY(SELF, $x, $x == 'b').@count == 2", "SELF.id > 3", "self.id > 3", "d < CAST(0, 'NSDate')",
            "d == nil", "u != nil", "f > 1", "set CONTAINS 1", "1 IN set", "list CONTAINS 'a'", "'b' IN list",
            "nil IN list", "list CONTAINS nil", "ANY list == nil", "ANY list BEGINSWITH 'b'", "ALL list != 'a'",
            "list.@count == 3", "mixed CONTAINS 'a'", "ANY mixed == 2.5", "nested.@count == 2",
            "ANY nested.@count == 2", "SUBQUERY(nested, $n, $n.@count == 2).@count == 1",
            "SUBQUERY(nested, $n, ANY $n == 3).@count == 1", "SUBQUERY(nested, $n, $n CONTAINS 3).@count == 1",
            "o == nil", "o != nil", "@count > 0", "id > 3 AND (x BEGINSWITH 'b' OR items.@count > 0)",
            "SELF.@count > 1", "items.@sum.price > 5", "x.length == 1", "length == 4", "list.length == 3",
            "items[0].price == 5",
        ]
        forEachCase(cases) { text in for sample in Self.samples { _ = try Self.check(text, sample) } }
    }

    @Test func rowsAreReturnedUnchanged() {
        for sample in Self.samples + [Self.coded, Self.laidOut, Self.long] {
            #expect(sample.table.count == sample.rows.count)
            for (index, row) in sample.rows.enumerated() {
                let again = sample.table[index]
                #expect("\(again)" == "\(row)")
                #expect(again == row)
                // The order of keys, and missing keys.
                if case .dictionary(let one) = again, case .dictionary(let other) = row {
                    #expect(one.keys == other.keys)
                }
            }
        }
    }

    @Test func columnsHaveTheNarrowestForm() {
        let numbers: [(Int64, String)] = [
            (127, "integer of 8 bits"), (-128, "integer of 8 bits"), (128, "integer of 16 bits"),
            (-32769, "integer of 32 bits"), (1 << 40, "integer"),
        ]
        for (number, words) in numbers {
            #expect(
                Self.make([["k": .null], ["k": .integer(number)], ["k": 1]]).table.description == "3 rows: k \(words)")
        }
        #expect(Self.make([["k": 1], ["k": 1.5]]).table.description == "2 rows: k number")
        #expect(Self.make([["k": .integer(.max)], ["k": 1.5]]).table.description == "2 rows: k value")
        #expect(Self.make([["k": "a"], ["k": "b"]]).table.description == "2 rows: k text")
        #expect(Self.make([["k": ["a"]], ["k": ["a", "a"]]]).table.description == "2 rows: k list of text of 1")
        #expect(Self.make([["k": true], ["k": 1]]).table.description == "2 rows: k value")
        #expect(Self.make([nil, "a"]).table.description == "2 rows: text of 1")
        #expect(Self.make([nil, "a", [:]]).table.description == "3 rows: ")
        let many = Self.make((0..<5000).map { ["k": .string("\($0)"), "l": .string("\($0 % 300)")] })
        #expect(many.table.description == "5000 rows: k text, l text of 300")
        #expect(many.rows.indices.allSatisfy { many.table[$0] == many.rows[$0] })
    }

    /// Keys that are canonically equivalent but not equal byte for byte; a repeated key.
    @Test func equivalentKeysKeepTheirSpelling() throws {
        let composed: PredicateValue = .dictionary(ValueDictionary([("\u{E9}", 1)]))
        let decomposed: PredicateValue = .dictionary(ValueDictionary([("e\u{301}", 2)]))
        let twice: PredicateValue = .dictionary(
            ValueDictionary(shape: ValueDictionary.Shape(["k", "k"]), values: [1, 2]))
        let sample = Self.make([composed, decomposed, twice])
        for (index, row) in sample.rows.enumerated() {
            guard case .dictionary(let one) = sample.table[index], case .dictionary(let other) = row else { continue }
            #expect(one.keys.map { Array($0.utf8) } == other.keys.map { Array($0.utf8) })
            #expect(one.values == other.values)
        }
        _ = try Self.check("k == 1", sample)
        _ = try Self.check("#k == 2 OR k == 1", sample)
    }

    /// ANY and SUBQUERY count steps in columns as they do row by row.
    @Test func stepsAreCounted() throws {
        for environment in PredicateEnvironment.ofFewSteps {
            for text in [
                "ANY tags == 'a'", "NOT ANY tags == 'a'", "ALL tags == 'a' OR ANY labels == 'b' OR id > 0",
                "ANY tags != 'x' AND (tags[SIZE] > 1 OR SUBQUERY(tags, $t, $t != '').@count > 1)",
                "NOT SUBQUERY(tags, $t, $t != '').@count > 1",
            ] {
                _ = try Self.check(text, Self.coded, in: environment)
            }
        }
    }

    /// If the result depends on the order of evaluation, it follows the order of the text.
    @Test(.cases) func visibleOrderIsThatOfTheText() {
        let cases: [String] = [
            "random() > 0.5 AND id > 0", "($x := id) > 0 AND id == $x AND score > 1", "id > 0 AND random() < 0.3",
        ]
        forEachCase(cases) { text in
            let run = PredicateRun(seed: 7)
            let predicate = try FormatPredicate(text)
            let expected = Self.long.rows.indices(matching: try predicate.compiled(for: PredicateValue.self, run: run))
            #expect(try predicate.compiled(for: Self.long.table, run: run).indices() == expected)
        }
    }

    @Test func testThrowsTheReason() throws {
        let table = Self.make([["a": 1], ["a": "x"]]).table
        let matcher = try FormatPredicate("a > 0").compiled(for: table)
        #expect(try matcher.test(row: 0))
        #expect(throws: PredicateFailure.self) { try matcher.test(row: 1) }
        #expect(throws: PredicateFailure.self) { try FormatPredicate("a > $x").compiled(for: table) }
        #expect(Array(matcher.evaluation().failed) == [1])
        #expect(try table.filter(FormatPredicate("a == 'x'")) == [["a": "x"]])
        let selection = matcher.selection()
        #expect(selection.contains(0) && !selection.contains(1) && !selection.contains(2) && !selection.contains(-1))
        #expect(selection.count == 1)
    }

    /// Two ranges of a column become one if they are neighbours. If other terms are between them, one of which may throw,
    /// they become one only where all enclosing nodes are ANDs.
    @Test func rangesAroundATermThatThrows() throws {
        for text in [
            "id >= 1 AND 10 / small > 1 AND id < 5", "NOT (id >= 1 AND 10 / small > 1 AND id < 5)",
            "NOT (id >= 1 AND id < 5 AND 10 / small > 1)",
        ] {
            _ = try Self.check(text, Self.coded)
        }
    }

    /// A false term hides the errors of the terms after it, but not of those before it.
    @Test(.cases) func aFalseTermHidesErrorsOfLaterTerms() {
        let cases: [(String, [Int], [Int])] = [
            ("a > 0 AND b == 1", [0], [1, 2]), ("b == 1 AND a > 0", [0], [2]), ("b == 0 OR a > 0", [0, 1], [2]),
            ("NOT (b == 1 AND a > 0)", [1], [2]), ("b == 2 AND a > 0 AND a > 0", [], []), ("a > 0", [0], [1, 2]),
        ]
        forEachCase(cases) { text, selected, failed in
            let sample = Self.make([["a": 1, "b": 1], ["a": "x", "b": 0], ["a": "y", "b": 1]])
            let evaluation = try Self.check(text, sample).evaluation()
            #expect(Array(evaluation.selected) == selected)
            #expect(Array(evaluation.failed) == failed)
            #expect(evaluation.failed.count == failed.count && !evaluation.wasStopped)
        }
    }

    @Test func evaluationStops() throws {
        let matcher = try FormatPredicate("id >= 0").compiled(for: Self.long.table)
        var asked = 0
        let part = matcher.evaluation {
            asked += 1
            return asked == 2
        }
        #expect(part.wasStopped && part.selected.allSatisfy { $0 < 4096 })
        #expect(Array(part.selected) == matcher.indices().filter { $0 < 4096 })
        #expect(!part.selected.contains(4099))
    }

    @Test func projectionsShareColumns() {
        let sample = Self.make(Self.records)
        let projection = sample.table.projection(["n", "x", "nowhere"])
        #expect(projection.keys == ["n", "x"] && projection.count == sample.rows.count)
        for (index, row) in sample.rows.enumerated() {
            guard case .dictionary(let fields) = row else {
                #expect(projection[index] == row)
                continue
            }
            let expected = ValueDictionary([("n", fields["n"] ?? .null), ("x", fields["x"] ?? .null)])
            #expect("\(projection[index])" == "\(PredicateValue.dictionary(expected))")
        }
    }
}
