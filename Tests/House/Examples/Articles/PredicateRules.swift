// swift-format-ignore-file
// The Swift of the overview of PredicateRules. `.ci/examples` puts the blocks of the article in and runs it.

import PredicateRules
import Testing

@Suite struct PredicateRulesExamples {
    @Test func examples() throws {
        // block: let rule = try FormatPredicate("total >= 50 OR member == YES")
        #expect(why == [false, true])
        #expect(rest.description == "total >= 50")
        #expect(found == ["free shipping"])
    }
}
