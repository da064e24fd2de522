// swift-format-ignore-file
// The Swift of "Testing rules", compiled and run.

import PredicateRules
import Testing

@Suite struct TestingRulesExamples {
    @Test func coverage() throws {
        // Testing-rules {
        let rule = try FormatPredicate("priority >= 3 AND status != 'closed'")
        var coverage = RuleCoverage(rule)
        let ticket: [String: Any] = ["priority": 4, "status": "open"]
        coverage.record(try rule.explanation(for: ticket))
        let percentage = coverage.percentage  // 50
        let gaps = coverage.terms.map(\.gap)  // "never false", "never false"
        let text = coverage.description
        let missing = coverage.object(coveringTerm: 1, as: false, from: [try PredicateValue(converting: ticket)])
        // {priority=4, status="closed"}
        // } Testing-rules
        #expect(percentage == 50)
        #expect(gaps == ["never false", "never false"])
        let article = try Project.text("Sources/Language/PredicateRules/PredicateRules.docc/Testing-rules.md")
        #expect(article.contains("```text\n\(text)\n```"), "\(text)")
        #expect(try missing == PredicateValue(converting: ["priority": 4, "status": "closed"]))
    }
}
