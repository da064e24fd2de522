// How much of the generated corpus each dialect says exactly, and why not the rest: nothing is run, all dialects are
// compared. PREDICATE_REASONS=1 prints what stands in the way, the most frequent first.

import Foundation
import PredicateModel
import PredicateSQL
import PredicateSyntax
import Testing

@Suite struct ShareTests {
    @Test func mostOfTheCorpusIsExact() throws {
        let schema = try Fixtures.schema()
        let explains = ProcessInfo.processInfo.environment["PREDICATE_REASONS"] != nil
        var random = Seeded(20_240_602)
        var generator = PredicateGenerator(Seeded(random.next()))
        var counts = [Int](repeating: 0, count: Dialect.all.count)
        var reasons = [[String: Int]](repeating: [:], count: Dialect.all.count)
        var total = 0
        for _ in 0..<1_000 {
            let text = generator.predicate()
            let predicate = try FormatPredicate(text, arguments: generator.arguments)
            guard let queries = try? Dialect.all.map({ try predicate.sql($0, entity: "Person", in: schema) }) else { continue }
            total += 1
            for (index, query) in queries.enumerated() {
                if query.exactness == .exact { counts[index] += 1 }
                for reason in Set(query.reasons.map(\.sentence)) { reasons[index][reason, default: 0] += 1 }
            }
        }
        for (index, dialect) in Dialect.all.enumerated() {
            print("\(dialect): \(counts[index] * 100 / total) % of \(total) exact")
            guard explains else { continue }
            for (sentence, count) in reasons[index].sorted(by: { $0.value > $1.value }) { print("    \(count)  \(sentence)") }
        }
        #expect(total > 900)
    }
}
