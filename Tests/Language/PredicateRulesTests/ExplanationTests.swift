// Explanations: the part that decided, and changes with the promised effect.
import Foundation
import PredicateRules
import PredicateTestSupport
import Testing

@Suite struct ExplanationTests {
    /// A predicate, an object, the outcome, the parts that decided, and the changes.
    private struct Case {
        let text: String
        let object: [String: Any?]
        let outcome: String
        let decided: [String]
        var changes: [String]?
    }

    private static var cases: [Case] {
        [
            Case(
                text: "age >= 18 AND name BEGINSWITH 'A'", object: ["age": 17, "name": "Ada"], outcome: "false",
                decided: ["age >= 18"], changes: ["age: 17 → at least 18"]),
            Case(
                text: "age >= 18 AND name BEGINSWITH 'A'", object: ["age": 17, "name": "Bob"], outcome: "false",
                decided: ["age >= 18"],
                changes: ["age: 17 → at least 18; name: \"Bob\" → any text that begins with \"A\""]),
            Case(
                text: "a == 1 OR b == 2", object: ["a": 0, "b": 2], outcome: "true", decided: ["b == 2"],
                changes: ["b: 2 → anything but 2"]),
            Case(
                text: "NOT (a == 1 OR b == 2)", object: ["a": 1, "b": 2], outcome: "false", decided: ["a == 1"],
                changes: ["a: 1 → anything but 1; b: 2 → anything but 2"]),
            Case(
                text: "NOT (a == 1 AND b == 2)", object: ["a": 1, "b": 2], outcome: "false",
                decided: ["a == 1", "b == 2"],
                changes: ["a: 1 → anything but 1", "b: 2 → anything but 2"]),
            Case(
                text: "ANY tags == 'x'", object: ["tags": ["a", "x"]], outcome: "true", decided: ["ANY tags == \"x\""],
                changes: ["tags: {\"a\", \"x\"} → without one element"]),
            Case(
                text: "NONE orders.total > 10", object: ["orders": [["total": 5], ["total": 12]]], outcome: "false",
                decided: ["ANY orders.total > 10"]),
            Case(
                text: "ANY orders.total >= 10", object: ["orders": [["total": 5]]], outcome: "false",
                decided: ["ANY orders.total >= 10"],
                changes: ["orders: {{total=5}} → one more element with total at least 10"]),
            Case(
                text: "a > 'x' AND b == 1", object: ["a": 5, "b": 1], outcome: "raised", decided: ["a > \"x\""],
                changes: ["a: 5 → more than \"x\""]),
            Case(text: "a > 3 AND a < 2", object: ["a": 5], outcome: "false", decided: ["a < 2"], changes: []),
            Case(
                text: "a > 3 AND a < 7", object: ["a": 1], outcome: "false", decided: ["a > 3"],
                changes: ["a: 1 → 4"]),
            Case(
                text: "name == nil OR a.b IN {2, 3}", object: ["name": "x", "a": ["b": 1]], outcome: "false",
                decided: ["name == nil", "a.b IN {2, 3}"], changes: ["name: \"x\" → nil", "a.b: 1 → 2", "a.b: 1 → 3"]),
            Case(
                text: "SUBQUERY(orders, $o, $o.total > 10 AND $o.paid == YES).@count > 0",
                object: ["orders": [["total": 12, "paid": false]]], outcome: "false",
                decided: ["SUBQUERY(orders, $o, $o.total > 10 AND $o.paid == 1).@count > 0"]),
            Case(
                text: "NOT a BETWEEN {5, 1}", object: ["a": 3], outcome: "false", decided: ["a BETWEEN {5, 1}"],
                changes: ["a: 3 → not between 1 and 5"]),
            Case(
                text: "'x' IN tags", object: ["tags": ["a"]], outcome: "false", decided: ["\"x\" IN tags"],
                changes: ["tags: {\"a\"} → with \"x\""]),
            Case(text: "TRUEPREDICATE", object: [:], outcome: "true", decided: ["TRUEPREDICATE"], changes: []),
            Case(
                text: "($x := a) == 1 AND $x == 1", object: ["a": 1], outcome: "true",
                decided: ["$x := a == 1 AND $x == 1"], changes: []),
        ]
    }

    private static func decided(_ part: PredicateExplanation.Part) -> [String] {
        let inner = part.parts.filter { $0.decides && $0.element == nil }
        return part.decides ? (inner.isEmpty ? [part.text] : inner.flatMap(decided)) : []
    }

    @Test(.cases) func decidingParts() {
        forEachCase(Self.cases) { one in
            let explanation = try FormatPredicate(one.text).explanation(for: v(one.object.mapValues { $0 as Any }))
            #expect(explanation.outcome.rawValue == one.outcome)
            #expect(Self.decided(explanation.root) == one.decided)
            if let changes = one.changes {
                let texts = explanation.changes.map { set in
                    set.map { "\($0.key): \($0.from) → \($0.to)" }.joined(separator: "; ")
                }
                #expect(texts == changes)
            }
        }
    }

    @Test func elementsOfQuantifiersAndSubqueries() throws {
        let any = try FormatPredicate("ANY tags == 'x'").explanation(for: v(["tags": ["a", "x", "b"]]))
        #expect(any.root.parts.map(\.element) == [0, 1])
        #expect(any.root.parts.map(\.outcome) == [.false, .true])
        #expect(any.root.parts.map(\.decides) == [false, true])
        let kept = try FormatPredicate("SUBQUERY(l, $x, $x.a > 1 AND $x.b == 2).@count > 0").explanation(
            for: v(["l": [["a": 1, "b": 2], ["a": 2, "b": 2]]]))
        #expect(kept.root.parts.map(\.outcome) == [.false, .true])
        #expect(kept.root.parts[0].parts.map(\.outcome) == [.false, .skipped])
        #expect(kept.root.parts[1].parts.map { $0.operands[0].value } == ["2", "2"])
    }

    @Test func textHasCarets() throws {
        let rule = try FormatPredicate("age >= 18 AND name BEGINSWITH 'A'")
        let text = try rule.explanation(for: v(["age": 17, "name": "Ada"])).description
        #expect(
            text == """
                false
                  age >= 18 AND name BEGINSWITH 'A'
                  ^^^^^^^^^ false: age is 17
                true with age: 17 → at least 18
                """)
        // A predicate built in code: the positions refer to the canonical text.
        let built = FormatPredicate.and([.constant(true), .comparison(.key("a"), .equal, .value(1))])
        #expect(try built.explanation(for: v(["a": 1])).description.contains("^^^^^^ true: a is 1"))
    }

    private struct Person: Queryable {
        var age = 17
        var name = "Ada"
        static let keys: KeyTable<Person> = [.key("age", \.age), .key("name", \.name)]
    }

    @Test func publishedObjects() throws {
        let explanation = try FormatPredicate("age >= 18").explanation(for: Person())
        #expect(
            explanation.changes.map { $0.map { [$0.key, $0.from, $0.to, $0.value] } } == [
                [["age", "17", "at least 18", "18"]]
            ])
        #expect(throws: PredicateFailure.self) { try FormatPredicate("agee >= 18").explanation(for: Person()) }
    }

    @Test func everyChangeChangesTheAnswer() throws {
        var random = RandomPredicates(30)
        var checked = 0
        for _ in 0..<TestDepth.count(6_000) {
            let predicate = FormatPredicate(random.predicate(depth: 2))
            guard case .dictionary(let object) = random.object() else { continue }
            let outcome = predicate.outcome(.dictionary(object))
            guard let explanation = try? predicate.explanation(for: object) else { continue }
            let isAnswer = outcome == "true" || outcome == "false"
            #expect(explanation.outcome.rawValue == (isAnswer ? outcome : "raised"), "\(predicate) for \(object)")
            for set in explanation.changes {
                var fields = Dictionary(zip(object.keys, object.values), uniquingKeysWith: { first, _ in first })
                // Values are shown as predicates print them; decimals and NaN cannot be read again.
                let values = set.map { try? FormatExpression($0.value).evaluate(PredicateValue.null) }
                guard set.allSatisfy({ !$0.key.contains(".") }), values.allSatisfy({ $0 != nil }) else { continue }
                for (change, value) in zip(set, values) { fields[change.key] = value ?? .null }
                let changed = predicate.outcome(.dictionary(ValueDictionary(fields.map { ($0, $1) })))
                checked += 1
                #expect(changed == (outcome == "true" ? "false" : "true"), "\(predicate) for \(object) with \(set)")
            }
        }
        #expect(checked > TestDepth.least(50))
    }
}
