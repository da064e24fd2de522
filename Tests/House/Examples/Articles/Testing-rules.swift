// swift-format-ignore-file
// The Swift of "Testing rules". `.ci/examples` puts the blocks of the article in and runs it.

import PredicateRules
import Testing

@Suite struct TestingRulesExamples {
    @Test func coverage() throws {
        // block: let rule = try FormatPredicate("priority >= 3 AND status != 'closed'")
        #expect(percentage == 50)
        #expect(gaps == ["never false", "never false"])
        let article = try Project.text("Sources/Language/PredicateRules/PredicateRules.docc/Testing-rules.md")
        #expect(article.contains("```text\n\(text)\n```"), "\(text)")
        #expect(try missing == PredicateValue(converting: ["priority": 4, "status": "closed"]))
    }
}
