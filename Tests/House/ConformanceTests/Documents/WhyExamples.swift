// swift-format-ignore-file
// The Swift of "Why did it match?", compiled and run.

import PredicateRules
import Testing

@Suite struct WhyExamples {
    @Test func explaining() throws {
        // Why-did-it-match {
        let rule = try FormatPredicate("age >= 18 AND name BEGINSWITH 'A'")
        let why = try rule.explanation(for: ["age": 17, "name": "Ada"])
        let text = why.description
        // } Why-did-it-match
        let article = try Project.text("Sources/Language/PredicateRules/PredicateRules.docc/Why-did-it-match.md")
        #expect(article.contains("```text\n\(text)\n```"), "\(text)")

        // Why-did-it-match {
        let tags = try FormatPredicate("ANY tags == 'late'").explanation(for: ["tags": ["new", "late", "red"]])
        let elements = tags.root.parts.map(\.outcome)  // false, true: the second element decided
        let hit = tags.root.parts.first { $0.decides }?.element  // 1, counted from 0
        // } Why-did-it-match
        #expect(elements == [.false, .true])
        #expect(hit == 1)

        // Why-did-it-match {
        let offer = try FormatPredicate("total >= 50 OR member == YES")
        let ways = try offer.explanation(for: ["total": 40, "member": false]).changes
        let advice = ways.map { set in set.map { "\($0.key) → \($0.to)" } }
        // [["total → at least 50"], ["member → 1"]]
        // } Why-did-it-match
        #expect(advice == [["total → at least 50"], ["member → 1"]])
    }
}
