// Coverage: the outcomes of terms, and objects for the outcomes that are missing.
import Foundation
import PredicateRules
import PredicateTestSupport
import Testing

@Suite struct CoverageTests {
    /// A rule, objects, and for each term what is missing.
    private static var cases: [(rule: String, objects: [[String: Any?]], gaps: [String], percentage: Double)] {
        [
            ("a == 1", [], ["a == 1: never evaluated"], 0),
            ("a == 1", [["a": 1], ["a": 2]], [], 100),
            ("a == 1 AND b == 2", [["a": 0]], ["a == 1: never true", "b == 2: never evaluated"], 25),
            ("a == 1 OR b == 2", [["a": 1]], ["a == 1: never false", "b == 2: never evaluated"], 25),
            ("NOT (a == 1 OR NOT b == 2)", [["a": 0, "b": 2]], ["a == 1: never true", "b == 2: never false"], 50),
            ("a > 'x'", [["a": 5]], ["a > \"x\": never true, never false"], 0),
            ("TRUEPREDICATE", [], [], 100),
            ("TRUEPREDICATE AND a == 1", [["a": 1]], ["a == 1: never false"], 50),
            // The same term twice.
            (
                "a == 1 OR (b == 2 AND a == 1)", [["a": 1]],
                [
                    "a == 1: never false", "b == 2: never evaluated",
                    "a == 1: never evaluated, can never be true here",
                ], 20
            ),
            // What earlier terms exclude does not count.
            (
                "s IN {'paid', 'shipped'} AND NOT s == 'refunded'", [["s": "paid"], ["s": "new"]],
                ["s == \"refunded\": can never be true here"], 100
            ),
            (
                "a == 1 AND a == 2 AND b == 3", [["a": 1]],
                [
                    "a == 1: never false", "a == 2: can never be true here",
                    "b == 3: can never be true here, can never be false here",
                ], 200.0 / 3
            ),
            // The elements of ANY are not its result.
            ("ANY l == 2", [["l": [1, 3]]], ["ANY l == 2: never true"], 50),
            (
                "SUBQUERY(l, $x, $x > 1 AND $x < 4).@count > 0", [["l": [1, 2]]],
                ["SUBQUERY(l, $x, $x > 1 AND $x < 4).@count > 0: never false", "$x < 4: never false"], 400.0 / 6
            ),
            // Explained as a whole.
            ("($x := a) == 1 AND $x == 1", [["a": 1]], ["$x := a == 1 AND $x == 1: never false"], 50),
        ]
    }

    private func coverage(_ rule: FormatPredicate, _ objects: [PredicateValue]) throws -> RuleCoverage {
        var coverage = RuleCoverage(rule)
        for object in objects { coverage.record(try rule.explanation(for: object)) }
        return coverage
    }

    @Test(.cases) func gaps() {
        forEachCase(Self.cases) { one in
            let objects = one.objects.map { v($0.mapValues { $0 as Any }) }
            let found = try coverage(FormatPredicate(one.rule), objects)
            #expect(found.terms.compactMap { term in term.gap.map { "\(term.text): \($0)" } } == one.gaps)
            #expect(abs(found.percentage - one.percentage) < 1e-9)
        }
    }

    @Test func gapsAreMarked() throws {
        let rule = try FormatPredicate("name == 'é' OR\n\tage > 3")
        #expect(
            try coverage(rule, [v(["name": "é"])]).description == """
                  name == 'é' OR  age > 3
                  ^^^^^^^^^^^ never false
                                  ^^^^^^^ never evaluated
                """)
    }

    @Test func explanationsOfOthersAreIgnored() throws {
        let rule = try FormatPredicate("a == 1")
        var all = RuleCoverage(rule)
        all.record(try FormatPredicate("b == 1").explanation(for: v(["b": 1])))
        #expect(all.percentage == 0)
        for value in [1, 2] { all.record(try rule.explanation(for: v(["a": value]))) }
        #expect(all.percentage == 100)
        // Built in code: the positions are those of the canonical text.
        let built = FormatPredicate.and([
            .comparison(.key("a"), .equal, .value(1)), .comparison(.key("b"), .equal, .value(2)),
        ])
        #expect(try coverage(built, [v(["a": 1, "b": 1])]).terms.map(\.gap) == ["never false", "never true"])
    }

    /// A rule, the objects of its cases, a term and its outcome, and the object.
    @Test func objectsHaveOnlyWhatMatters() throws {
        let rule = try FormatPredicate("role == 'admin' OR (tenant == $t AND archived != YES AND weight < 10)")
        let cases: [PredicateValue] = [
            .dictionary(ValueDictionary([("role", .string("admin")), ("other", .integer(1))])),
            .dictionary(
                ValueDictionary([("role", .string("guest")), ("tenant", .integer(5)), ("other", .integer(2))])),
        ]
        let coverage = try coverage(rule.substituting(["t": 5]), cases)
        func object(_ term: Int, _ outcome: Bool, _ objects: [PredicateValue]) -> PredicateValue? {
            coverage.object(coveringTerm: term, as: outcome, from: objects)
        }
        #expect(object(0, true, cases) == v(["role": "admin"]))
        #expect(object(2, false, cases) == v(["role": "guest", "tenant": 5, "archived": true]))
        #expect(object(3, true, cases) == v(["role": "guest", "tenant": 5, "weight": 9]))
        #expect(object(3, false, []) != nil)
        #expect(object(4, true, cases) == nil)
        let never = RuleCoverage(try FormatPredicate("a > 3 AND a < 2 AND b == 1"))
        #expect(never.object(coveringTerm: 2, as: true, from: []) == nil)
        let variable = RuleCoverage(try FormatPredicate("a == $x"))
        let found = variable.object(coveringTerm: 0, as: true, from: [], variables: ["x": 7])
        #expect(found?.description == "{a=7}")
    }

    /// Every object gives the term the outcome for which it was made, and what was recorded is what the terms are.
    @Test func everyObjectCovers() throws {
        var random = RandomPredicates(31)
        var (checked, recorded) = (0, 0)
        for _ in 0..<TestDepth.count(1_000) {
            let text = FormatPredicate(random.predicate(depth: 2)).exactDescription
            guard let rule = try? FormatPredicate(text: text), (try? rule.explanation(for: v([:]))) != nil else {
                continue
            }
            let objects = [random.object(), random.object()]
            let coverage = try coverage(rule, objects)
            recorded += coverage.counts.covered
            for index in coverage.terms.indices.prefix(3) {
                for outcome in [true, false] {
                    guard let object = coverage.object(coveringTerm: index, as: outcome, from: objects) else {
                        continue
                    }
                    checked += 1
                    var one = RuleCoverage(rule)
                    one.record(try rule.explanation(for: object))
                    #expect(one.terms[index].outcomes == [outcome ? .true : .false], "\(rule) \(index) for \(object)")
                }
            }
        }
        #expect(checked > TestDepth.least(50) && recorded > TestDepth.least(10))
    }
}
