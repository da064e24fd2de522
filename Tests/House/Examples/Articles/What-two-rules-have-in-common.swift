// swift-format-ignore-file
// The Swift of "What two rules have in common". `.ci/examples` puts the blocks of the article in and runs it.

import PredicateRules
import Testing

@Suite struct ReasoningExamples {
    @Test func claims() throws {
        // block: let vip = try FormatPredicate("total > 500 AND country IN {'DE', 'FR'}")
        #expect(big == .proven)
        #expect(german == .refuted(.dictionary(ValueDictionary([("total", 501), ("country", "FR")]))))

        // block: let gap = try FormatPredicate("age > 30 AND age < 20").satisfiability()  // .refuted: no object fulfils it
        #expect(gap == .refuted)
        #expect(same == .proven)
        #expect(apart == .proven)

        // block: let schema = try PredicateSchema([
        #expect(untyped == .refuted(.dictionary(ValueDictionary([]))))
        #expect(typed == .proven)
        #expect(whole == .proven)

        // block: let doubt = try FormatPredicate("total > $least").implies(try FormatPredicate("total > 3"))
        #expect(doubt == .unknown(.variable("least")))
    }
}
