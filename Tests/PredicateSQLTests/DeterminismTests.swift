// Which patterns engines that match by trying are given, and that the rewriting of `*x*` keeps what they match.

import PredicateModel
import PredicateSyntax
import Testing

@testable import PredicateSQL

@Suite struct DeterminismTests {
    private static func core(_ pattern: String, _ operator: ComparisonOperator) throws -> RegularPattern {
        let compiled = try `operator` == .like ? TextPattern.like(pattern) : TextPattern.matches(pattern)
        guard case .core(let core) = compiled.kind else { throw Failure() }
        return core
    }

    private struct Failure: Error {}

    @Test(arguments: [
        ("a.*", true), ("[a-z]+", true), ("a?b?c?", true), ("a{2,3}|b", true), ("(ab)*c", true), ("(a|b)*c", true),
        ("(?i)ss", true), ("[^x]*x", true), ("(a|ab)c", false), ("(a+)+", false), ("a*a", false), ("(ab|cd)*e", false),
        ("x*y*x", false), ("(a?b)?a", false), (".*b.*", false), ("(a|b|)a", false),
    ]) func oneWayToGoOn(_ pattern: String, _ expected: Bool) throws {
        #expect(try Self.core(pattern, .matches).isDeterministic == expected)
    }

    @Test(arguments: ["a*b*", "*a*b*", "*é*", "?*a*", "*a?*", "a*a*a*"]) func leftmost(_ glob: String) throws {
        let pattern = try Self.core(glob, .like)
        let one = try PatternMatcher(matching: pattern)
        let other = try PatternMatcher(matching: pattern.leftmost)
        for text in ["", "a", "b", "ab", "ba", "aab", "abab", "xaxbx", "é", "aéa", "aaa", "a\nb", "\n"] {
            #expect(one.matches(text) == other.matches(text), "\(text)")
        }
    }
}
