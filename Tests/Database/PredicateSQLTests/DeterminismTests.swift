// Tests which patterns backtracking engines get, and that rewriting `*x*` does not change what the pattern matches.

import PredicateModel
import PredicateSyntax
import PredicateTestSupport
import Testing

@testable import PredicateSQL

@Suite struct DeterminismTests {
    private static func core(_ pattern: String, _ operator: ComparisonOperator) throws -> RegularPattern {
        let compiled = try `operator` == .like ? TextPattern.like(pattern) : TextPattern.matches(pattern)
        guard case .core(let core) = compiled.kind else { throw Failure() }
        return core
    }

    private struct Failure: Error {}

    @Test(.cases) func deterministicPatternsAreRecognized() {
        forEachCase(
            [
                ("a.*", true), ("[a-z]+", true), ("a?b?c?", true), ("a{2,3}|b", true), ("(ab)*c", true),
                ("(a|b)*c", true),
                ("(?i)ss", true), ("[^x]*x", true), ("(a|ab)c", false), ("(a+)+", false), ("a*a", false),
                ("(ab|cd)*e", false),
                ("x*y*x", false), ("(a?b)?a", false), (".*b.*", false), ("(a|b|)a", false),
            ] as [(String, Bool)]
        ) { try deterministicPatternsAreRecognized($0.0, $0.1) }
    }

    private func deterministicPatternsAreRecognized(_ pattern: String, _ expected: Bool) throws {
        #expect(try Self.core(pattern, .matches).isDeterministic == expected)
    }

    @Test(.cases) func leftmostFormsAreDeterministic() {
        forEachCase(
            [
                (".*b.*", true), ("[ab]*a[ab]*", true), (".*[ab].+", true), ("a*b[ab]*", true),
                ("[\\s\\S]*é[\\s\\S]*", true),
                // The second run of letters cannot match everything that the first run could match.
                ("[ab]*b[bc]*", false), ("[ab]*c[ab]*c", true), (".*ab.*", false), ("[ab]+b[ab]*", false),
                (".*.b*", false),
            ] as [(String, Bool)]
        ) { try leftmostFormsAreDeterministic($0.0, $0.1) }
    }

    private func leftmostFormsAreDeterministic(_ pattern: String, _ isDeterministic: Bool) throws {
        let pattern = try Self.core(pattern, .matches)
        #expect(pattern.leftmost.isDeterministic == isDeterministic)
        let one = try PatternMatcher(matching: pattern)
        let other = try PatternMatcher(matching: pattern.leftmost)
        for text in Pools.words(["a", "b", "c", "é", "\n"], upTo: 5) {
            #expect(one.matches(text) == other.matches(text), "\(text)")
        }
    }
}
