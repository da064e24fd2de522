// swift-format-ignore-file
// The Swift of the overview of PredicateRules, compiled and run.

import PredicateRules
import Testing

@Suite struct PredicateRulesExamples {
    @Test func examples() throws {
        // PredicateRules {
        let rule = try FormatPredicate("total >= 50 OR member == YES")
        let why = try rule.explanation(for: ["total": 40, "member": true]).root.parts.map(\.decides)  // [false, true]
        let rest = try rule.partial(knowing: ["member": false]).predicate  // total >= 50
        let offers = try PredicateSet<String, PredicateValue>()
        try offers.insert(rule, for: "free shipping")
        let found = offers.matching(try PredicateValue(converting: ["total": 60]))  // ["free shipping"]
        // } PredicateRules
        #expect(why == [false, true])
        #expect(rest.description == "total >= 50")
        #expect(found == ["free shipping"])
    }
}
