// Tests which patterns backtracking engines get, and that rewriting `*x*` does not change what the pattern matches.

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
        let cases: [(String, Bool)] = [
            ("a.*", true), ("[a-z]+", true), ("a?b?c?", true), ("a{2,3}|b", true), ("(ab)*c", true), ("(a|b)*c", true),
            ("(?i)ss", true), ("[^x]*x", true), ("(a|ab)c", false), ("(a+)+", false), ("a*a", false),
            ("(ab|cd)*e", false), ("x*y*x", false), ("(a?b)?a", false), (".*b.*", false), ("(a|b|)a", false),
        ]
        forEachCase(cases) { (pattern, expected) throws in
            #expect(try Self.core(pattern, .matches).isDeterministic == expected)
        }
    }

    @Test(.cases) func leftmostFormsAreDeterministic() {
        let cases: [(String, Bool)] = [
            (".*b.*", true), ("[ab]*a[ab]*", true), (".*[ab].+", true), ("a*b[ab]*", true),
            ("[\\s\\S]*é[\\s\\S]*", true),
            // The second run of letters cannot match everything that the first run could match.
            ("[ab]*b[bc]*", false), ("[ab]*c[ab]*c", true), (".*ab.*", false), ("[ab]+b[ab]*", false), (".*.b*", false),
        ]
        forEachCase(cases) { pattern, isDeterministic in
            let pattern = try Self.core(pattern, .matches)
            #expect(pattern.leftmost.isDeterministic == isDeterministic)
            let one = try PatternMatcher(matching: pattern)
            let other = try PatternMatcher(matching: pattern.leftmost)
            for text in Pools.words(["a", "b", "c", "é", "\n"], upTo: 5) {
                #expect(one.matches(text) == other.matches(text), "\(text)")
            }
        }
    }
}
