// The block plan gives the results of the dynamic plan: for every comparison that it supports, for those that it passes
// on, at every border of a block, and for thousands of random predicates.
import Foundation
import PredicateTestSupport
import Predicates
import Testing

@testable import PredicateEvaluation

struct BlockPlanTests {
    /// Two whole words of a mask and a part of a third word.
    static let rows = BlockRow.make(150)

    /// The results of the dynamic plan, object by object. The row plan must give the same.
    static func expected(_ matcher: PredicateMatcher<BlockRow>, _ rows: some Sequence<BlockRow>) -> [Int] {
        let state = matcher.states.take()
        defer { matcher.states.give(state) }
        return rows.enumerated().filter { _, row in
            state.context.begin(row.queryValue)
            let meaning = Result { () throws(EvaluationFault) in try matcher.plan.test(&state.context) }
            let isSelected = (try? meaning.get()) ?? false
            #expect(matcher.matches(row) == isSelected, "\(matcher.predicate), one row")
            let tested = Result { () throws(PredicateFailure) in try matcher.test(row) }
            #expect((try? tested.get()) == (try? meaning.get()), "\(matcher.predicate), test")
            return isSelected
        }.map(\.offset)
    }

    static let numbers = [
        "id", "small", "large", "age", "short", "score", "ratio", "weight", "active", "flag", "address.floor",
    ]
    static let textKeys = ["name", "nick", "address.city", "SELF.name"]
    static let dates = ["born", "seen"]
    static let orders = ["==", "!=", "<", "<=", ">", ">="]
    static let numberConstants = [
        "0", "1", "-1", "3", "30", "127", "128", "-128", "-129", "255", "9223372036854775807", "-9223372036854775808",
        "1.5", "9007199254740993", "9007199254740993.0", "9.3e18", "1e300", "-1e300", "YES", "NO",
        "CAST('0.1', 'NSDecimalNumber')", "CAST('18446744073709551615', 'NSDecimalNumber')", "18446744073709551615.0",
        "nil", "$nan", "$infinity", "$float",
    ]
    static let textConstants =
        BlockRow.texts.map { text in "'" + text.map { $0 == "\n" ? "\\n" : "\($0)" }.joined() + "'" } + ["nil"]
    static var variables: PredicateVariables {
        [
            "nan": Double.nan, "infinity": Double.infinity, "float": Float(0.1),
            "d": Date(timeIntervalSinceReferenceDate: 1),
            "e": Date(timeIntervalSinceReferenceDate: -5), "list": ["a", "ÄRGER", "zebra"],
            "mixed": PredicateValue.array([.integer(3), .string("a"), .null, .double(1.5), .bool(true)]),
            "long": PredicateValue.array((0..<40).map { .integer($0 * 1_000_003) } + [.integer(.max), .string("abc")]),
            "set": PredicateValue.set((0..<20).map { .string("t\($0)") } + [.string("é"), .string("")]),
            "seconds": PredicateValue.array([.date(0), .date(1.5), .double(1), .null]),
        ]
    }

    /// Comparisons that blocks must evaluate.
    static let native: [String] = {
        var texts: [String] = []
        for key in numbers {
            for order in orders { texts += numberConstants.map { "\(key) \(order) \($0)" } }
            texts += ["{0, 3}", "{30, 1}", "{1.5, 64}", "{-1, 9.3e18}", "{nil, 3}", "{$nan, 3}"].map {
                "\(key) BETWEEN \($0)"
            }
            texts += ["{1, 3, 30}", "{-128, 127, 9223372036854775807}", "{}", "{1.5, nil, 'a'}", "{1, 1000000}"].map {
                "\(key) IN \($0)"
            }
            texts += ["\(key) == 'a'", "\(key) != 'a'", "\(key) IN $mixed", "\(key) IN $long"]
        }
        for key in textKeys {
            for order in orders { texts += textConstants.map { "\(key) \(order) \($0)" } }
            for name in ["==", "!=", "BEGINSWITH", "ENDSWITH", "CONTAINS"] {
                for options in ["", "[c]", "[d]", "[cd]", "[n]"] {
                    texts += textConstants.map { "\(key) \(name)\(options) \($0)" }
                }
            }
            for options in ["", "[c]", "[cd]"] {
                texts += ["a*", "*b*", "*R", "?rger", "*", "a?c*h", "stra*e", ""].map {
                    "\(key) LIKE\(options) '\($0)'"
                }
                texts += ["a.*", "[a-z]+", ".{3}", "(abc|zebra)", "\\\\w+", ""].map {
                    "\(key) MATCHES\(options) '\($0)'"
                }
            }
            texts += [
                "\(key) IN {'a', 'ABC', 'é', nil, 5}", "\(key) IN $list", "\(key) IN $set", "\(key) IN[c] $list",
                "\(key) == 5", "\(key) != 5",
            ]
        }
        for key in dates {
            for order in orders { texts += ["\(key) \(order) $d", "\(key) \(order) $e", "\(key) \(order) nil"] }
            texts += [
                "\(key) BETWEEN {$e, $d}", "\(key) BETWEEN {$d, $e}", "\(key) IN $seconds", "\(key) == 1",
                "\(key) != 'a'",
            ]
        }
        for key in ["tags", "labels"] {
            for quantifier in ["ANY", "ALL", "NONE"] {
                for name in ["==", "!=", "BEGINSWITH[c]", "ENDSWITH", "CONTAINS[cd]", "==[cd]"] {
                    texts += ["'a'", "'ärger'", "''", "'abc'"].map { "\(quantifier) \(key) \(name) \($0)" }
                }
                texts.append("\(quantifier) \(key) IN {'a', 'é', 'zebra'}")
            }
            texts += ["\(key) CONTAINS 'a'", "\(key) CONTAINS[c] 'A'", "\(key) CONTAINS 5"]
        }
        return texts + ["labels == nil", "labels != nil", "tags == nil"]
    }()

    @Test func everyComparisonAgreesWithTheDynamicPlan() throws {
        var constant = 0
        for text in TestDepth.some(Self.native) {
            let matcher = try FormatPredicate(text).unchecked(for: BlockRow.self, variables: Self.variables)
            #expect(matcher.blocks != nil, "\(text)")
            let indices = Self.rows.indices(matching: matcher)
            #expect(indices == Self.expected(matcher, Self.rows), "\(text)")
            if indices.isEmpty || indices.count == Self.rows.count { constant += 1 }
        }
        // Most comparisons must select some rows and not others; otherwise the test would prove little.
        #expect(TestDepth.isQuick || constant * 2 < Self.native.count, "\(constant) of \(Self.native.count)")
    }

    /// Comparisons that blocks pass on to the dynamic plan, combined with one that they support.
    static let others = [
        "name < 3", "score > 'a'", "name + 1 == 2", "nick BEGINSWITH 5", "home.city == 'a'", "street == 'a'",
        "initials == 'a'", "home == nil", "name ==[l] 'a'", "name MATCHES '(a)\\\\1*'", "name MATCHES nick",
        "ANY tags.length > 3", "SUBQUERY(tags, $t, $t == 'a').@count > 0", "tags.@count == 2", "ANY tags < 'b'",
        "ANY tags LIKE 'a*'", "ANY name == 'a'", "tags == {'a'}", "born < now()", "name <[c] 'b'", "name IN 'abc'",
        "TERNARY(active == YES, name, nick) == 'a'", "'a' == name", "id BETWEEN {1, 'a'}", "age IN 5",
        "ANY tags == nil", "SELF == 5", "id IN {9007199254740993.0}", "name LIKE nick",
    ]

    @Test(.cases) func otherTermsUseTheDynamicPlan() {
        forEachCase(Self.others) { text in
            for form in [
                text, "\(text) AND id > 0", "active == YES OR \(text)", "NOT (\(text) AND active == YES)",
                "NOT (\(text) OR score > 1)", "(\(text) OR id > 3) AND (name != 'a' OR \(text))",
                "active == YES AND \(text) AND \(text)",
            ] {
                let matcher = try FormatPredicate(form).unchecked(for: BlockRow.self)
                #expect(form == text || matcher.blocks != nil, "\(form)")
                #expect(Self.rows.indices(matching: matcher) == Self.expected(matcher, Self.rows), "\(form)")
            }
        }
    }

    /// If the result depends on the order of evaluation, the dynamic plan keeps the order of the text.
    @Test(.cases) func visibleOrderIsThatOfTheText() {
        forEachCase(
            ["random() > 0.5 AND id > 0", "($x := id) > 0 AND id == $x AND score > 1"] as [String]
        ) { (text) throws in #expect(try FormatPredicate(text).unchecked(for: BlockRow.self).blocks == nil) }
    }

    /// Two ranges of a key become one if they are neighbours. If other terms are between them, one of which may throw, they
    /// become one only where all enclosing nodes are ANDs.
    @Test(.cases) func rangesAroundATermThatThrows() {
        let rows = Self.rows.map { row in
            var row = row
            (row.id, row.age) = (row.id % 100, [0, 5, nil][abs(row.id % 3)])
            return row
        }
        forEachCase(
            [
                "id >= 21 AND 10 / age > 1 AND id < 65", "NOT (id >= 21 AND 10 / age > 1 AND id < 65)",
                "id < 65 AND 10 / age > 1 AND name ENDSWITH 'a' AND id >= 0 OR id > 90",
                "NOT (name MATCHES 'a.*' AND 10 / age > 1 AND small > 0)",
                "NOT (id >= 21 AND id < 65 AND 10 / age > 1)",
            ] as [String]
        ) { text in
            let matcher = try FormatPredicate(text).compiled(for: BlockRow.self)
            #expect(rows.indices(matching: matcher) == Self.expected(matcher, rows))
            let values = try FormatPredicate(text).compiled()
            for row in rows {
                let one = Result { () throws(PredicateFailure) in try values.test(row.queryValue) }
                let other = Result { () throws(PredicateFailure) in try matcher.test(row) }
                #expect((try? one.get()) == (try? other.get()), "\(row)")
            }
        }
    }

    /// ANY counts steps in blocks as it does row by row.
    @Test func stepsAreCounted() throws {
        for environment in PredicateEnvironment.ofFewSteps {
            for text in [
                "ANY tags == 'a'", "NOT ANY tags == 'a'", "ALL tags == 'a' OR ANY labels == 'b' OR id > 0",
                "ANY tags != 'x' AND (tags[SIZE] > 1 OR SUBQUERY(tags, $t, $t != '').@count > 1)",
            ] {
                let matcher = try FormatPredicate(text, in: environment).unchecked(for: BlockRow.self)
                #expect(matcher.blocks != nil)
                #expect(
                    Self.rows.indices(matching: matcher) == Self.expected(matcher, Self.rows),
                    "\(environment.limits.steps): \(text)"
                )
            }
        }
    }

    @Test(.cases) func borders() {
        forEachCase([0, 1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1000] as [Int]) {
            try borders($0)
        }
    }

    private func borders(_ count: Int) throws {
        let rows = BlockRow.make(count, seed: 7)
        for text in [
            "active == YES", "id >= 0 AND name CONTAINS 'a'", "NOT (flag == YES OR age == nil)", "id == 64",
            "TRUEPREDICATE OR id == 1", "large > 3 AND large > 5", "large < 9 AND large <= 5 AND large > 1",
        ] {
            let matcher = try FormatPredicate(text).unchecked(for: BlockRow.self)
            let expected = Self.expected(matcher, rows)
            #expect(rows.indices(matching: matcher) == expected)
            #expect(rows.count(matching: matcher) == expected.count)
            #expect(rows.contains(matching: matcher) == !expected.isEmpty)
            #expect(rows.first(matching: matcher).map { "\($0)" } == expected.first.map { "\(rows[$0])" })
            #expect(rows.filter(matcher).map { "\($0)" } == expected.map { "\(rows[$0])" })
            let slice = rows.dropFirst(3)
            #expect(slice.indices(matching: matcher) == expected.filter { $0 >= 3 })
            #expect(ContiguousArray(rows).count(matching: matcher) == expected.count)
            // Without contiguous storage elements are tested one by one.
            #expect(rows.lazy.map(\.self).count(matching: matcher) == expected.count)
            #expect(rows.lazy.map(\.self).filter(matcher).count == expected.count)
        }
    }

    /// A single match at every position of a block. Each row must get its own result.
    @Test func singleMatchIsFoundAtEveryPosition() throws {
        let matcher = try FormatPredicate("name == 'needle' AND score == 1.5").unchecked(for: BlockRow.self)
        var rows = BlockRow.make(300, seed: 3)
        for index in rows.indices {
            let saved = rows[index]
            rows[index].name = "needle"
            rows[index].score = 1.5
            #expect(rows.indices(matching: matcher) == [index])
            #expect(rows.filter(matcher).count == 1)
            rows[index] = saved
        }
    }

    @Test(.cases) func randomPredicatesAgreeWithTheDynamicPlan() {
        forEachCase(0..<TestDepth.count(30)) { seed in
            var random = SplitMix(UInt64(seed))
            let rows = Array(Self.rows.prefix(80))
            var inBlocks = 0
            for _ in 0..<100 {
                let text = Self.predicate(&random, depth: 3)
                let matcher = try FormatPredicate(text).unchecked(for: BlockRow.self, variables: Self.variables)
                if matcher.blocks != nil { inBlocks += 1 }
                #expect(rows.indices(matching: matcher) == Self.expected(matcher, rows), "\(text)")
            }
            #expect(inBlocks > 50)
        }
    }

    static func predicate(_ random: inout SplitMix, depth: Int) -> String {
        switch depth == 0 ? 0 : random.below(6) {
        case 1, 2: return "(\(predicate(&random, depth: depth - 1)) AND \(predicate(&random, depth: depth - 1)))"
        case 3, 4: return "(\(predicate(&random, depth: depth - 1)) OR \(predicate(&random, depth: depth - 1)))"
        case 5: return "NOT (\(predicate(&random, depth: depth - 1)))"
        default: return random.below(5) == 0 ? random.pick(others) : random.pick(native)
        }
    }

    /// Keys that no plan can read at an offset are read through the key table.
    @Test func keysWithoutAFieldHaveNoOffset() {
        #expect(Field.find(["id"], in: BlockRow.self)?.offset == 0)
        #expect(Field.find(["address", "floor"], in: BlockRow.self)?.isOptional == true)
        for keys in [
            ["nope"], ["self"], ["name", "@count"], ["tags", "@sum"], ["tags", "length"], ["address", "nope"],
        ] {
            #expect(Field.find(keys[...], in: BlockRow.self)?.offset == nil, "\(keys)")
        }
    }
}
