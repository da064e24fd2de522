// A deletion whose SQL has no condition is refused, unless it is written as TRUEPREDICATE.

import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct ChangeConditionTests {
    @Test func conditionsThatSQLDropsAreRefused() throws {
        let corpus = try Corpus(stream: 3)
        let engine = try #require(Engine.named(.sqlite))
        var dropped = 0
        for index in 0..<max(3, TestDepth.count(200)) {
            let (data, cases) = try corpus.batch(index, for: engine)
            for one in cases {
                for predicate in [one.predicate, !one.predicate] {
                    func statement(allowing: Bool) throws(PredicateFailure) -> SQLStatement {
                        try predicate.sql(
                            .delete, .sqlite, entity: one.entity, in: data.schema,
                            allowingConstantComparisons: allowing)
                    }
                    guard let text = try? statement(allowing: true).text, text.hasSuffix("WHERE 1 = 1") else {
                        continue
                    }
                    dropped += 1
                    let plain = predicate.description.replacing("TRUEPREDICATE", with: "").replacing(
                        "FALSEPREDICATE", with: "")
                    if plain.allSatisfy({ "ANDORNOT() ".contains($0) }) { continue }
                    do throws(PredicateFailure) {
                        _ = try statement(allowing: false)
                        Issue.record("\(predicate) of \(one.entity) deletes all rows")
                    } catch { #expect(error.diagnostics.contains { $0.id == .changeCondition }, "\(error)") }
                }
            }
        }
        #expect(dropped > 0)
    }
}
