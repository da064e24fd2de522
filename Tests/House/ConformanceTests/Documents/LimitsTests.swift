// swift-format-ignore-file
// The Swift of "What is promised, and how it is tested", compiled and run. Also checks its table of limits.

import PredicateTestSupport
import Predicates
import Testing

@Suite struct LimitsTests {
    @Test func examples() throws {
        // What-is-promised {
        var limits = PredicateLimits()
        limits.time = .seconds(5)
        let patient = PredicateEnvironment(limits: limits)
        let report = try FormatPredicate("ANY SELF > 2", in: patient).evaluate([1, 2, 3])  // true
        // } What-is-promised
        #expect(report)
        // What-is-promised {
        let run = PredicateRun(deadline: .now + .seconds(2))
        let found = try [1, 2, 3].filter(FormatPredicate("SELF > 2"), run: run)  // [3]
        // } What-is-promised
        #expect(found == [3])
    }

    /// The table has a row for each limit, with its default.
    @Test func theTableHasEveryLimit() throws {
        let text = try Project.text("Sources/Language/Predicates/Predicates.docc/What-is-promised.md")
        for (name, value) in Mirror(reflecting: PredicateLimits.standard).children {
            let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(name ?? "")` |") }
            let cell = try #require(row, "\(name ?? "")").split(separator: "|")[1]
            guard let number = value as? Int else { continue }
            #expect(cell.filter(\.isNumber) == "\(number)", "\(name ?? "")")
        }
    }
}
