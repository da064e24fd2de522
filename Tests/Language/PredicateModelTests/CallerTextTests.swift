// What the type checker tells an app about a text that a person has typed: variables, and places in a combined predicate.
import PredicateSyntax
import Testing

@testable import PredicateModel

@Suite struct CallerTextTests {
    /// A variable without a declaration is an error of a text that is evaluated as it is.
    @Test func undeclaredVariables() throws {
        let checker = try Fixtures.checker()
        for (text, places) in [
            ("$x == 1", [0]), ("name MATCHES $p", [13]), ("age > $least AND name == $known", [6]),
            ("SUBQUERY(pets, $p, $p.weight > $n).@count > 0 AND $p == 1", [31, 50]),
            ("($y := age) == 30 AND $y > 29", []), ("age > 1", []),
        ] {
            let predicate = try FormatPredicate(text: text)
            let found = checker.check(predicate, declaring: ["known"]).filter { $0.id == .unboundVariable }
            #expect(found.map(\.span.start) == places && found.allSatisfy { $0.severity == .error }, "\(text)")
            let parsed = checker.check(FormatPredicate.parse(text), declaring: ["known"])
            #expect(parsed.filter { $0.severity == .error } == found)
        }
        let sum = checker.check(FormatExpression.parse("age + $x")).diagnostics
        #expect(sum.map(\.id) == [.unboundVariable])
    }

    /// A mistake in one part of a combined predicate has its place in the text of that part.
    @Test func placesInAPart() throws {
        let rule = try FormatPredicate("age == 1 OR\n employer.title == 'é'")
        let (checker, other) = (try Fixtures.checker(), try FormatPredicate("z == 1"))
        for (text, start, end) in [("nam == 'é'", 0, 3), ("age > 1 AND\n nam == 2", 13, 16), ("name == $x", 8, 10)] {
            let typed = try FormatPredicate(text: text)
            for joined in [rule && typed, typed && rule, !(rule || typed), rule && typed && rule] {
                let failure = PredicateFailure(checker.check(joined), source: joined.source)
                let found = failure.located(in: typed)
                #expect(found.map(\.start) == [start] && found.map(\.end) == [end], "\(joined)")
                #expect(found == PredicateFailure(checker.check(typed), source: text).located)
                #expect(failure.located(in: rule).isEmpty && failure.located(in: other).isEmpty)
            }
        }
    }
}
