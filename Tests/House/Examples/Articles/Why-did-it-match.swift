// swift-format-ignore-file
// The Swift of "Why did it match?". `.ci/examples` puts the blocks of the article in and runs it.

import PredicateRules
import Testing

@Suite struct WhyExamples {
    @Test func explaining() throws {
        // block: let rule = try FormatPredicate("age >= 18 AND name BEGINSWITH 'A'")
        let article = try Project.text("Sources/Language/PredicateRules/PredicateRules.docc/Why-did-it-match.md")
        #expect(article.contains("```text\n\(text)\n```"), "\(text)")

        // block: let tags = try FormatPredicate("ANY tags == 'late'").explanation(for: ["tags": ["new", "late", "red"]])
        #expect(elements == [.false, .true])
        #expect(hit == 1)

        // block: let offer = try FormatPredicate("total >= 50 OR member == YES")
        #expect(advice == [["total → at least 50"], ["member → 1"]])
    }
}
