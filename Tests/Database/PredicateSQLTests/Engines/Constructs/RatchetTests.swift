// Tests that the share of random predicates that each dialect translates exactly does not decrease.
// Tests/House/Engines/ratchet.json contains the shares. No predicate is evaluated, so all dialects get the same predicates.
// PREDICATE_REASONS=1 prints why predicates are not exact.

import Foundation
import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct RatchetTests {
    struct Ratchet: Decodable {
        struct Share: Decodable {
            /// The percentage that must be exact.
            let least: Double
            /// The goal; nil for dialects without one.
            let goal: Double?
        }
        let why: String
        let shares: [String: Share]
    }

    /// Not in a quick run: the shares need two thousand predicates, each compiled for every dialect.
    @Test(.enabled(if: !TestDepth.isQuick, "a quick run leaves it to CI"))
    func shareOfExactPredicatesDoesNotFall() throws {
        let ratchet = try JSONDecoder().decode(Ratchet.self, from: Data(contentsOf: Run.file("ratchet.json")))
        let corpus = try Corpus(state: 1)
        let engine = try #require(Engine.named(.sqlite))
        var exact: [SQLDialect: Int] = [:]
        var reasons: [SQLDialect: [String: Int]] = [:]
        var total = 0
        for index in 0..<80 {
            let (data, cases) = try corpus.batch(index, for: engine)
            for one in cases {
                let queries = try? SQLDialect.all.map {
                    ($0, try one.predicate.sql($0, entity: one.entity, in: data.schema))
                }
                guard let queries else { continue }
                total += 1
                for (dialect, query) in queries {
                    if query.isExact { exact[dialect, default: 0] += 1 }
                    for sentence in Set(query.reasons.map(\.sentence)) {
                        reasons[dialect, default: [:]][sentence, default: 0] += 1
                    }
                }
            }
        }
        for dialect in SQLDialect.all {
            let share = Double(exact[dialect] ?? 0) * 100 / Double(total)
            let written = String(format: "%.1f", share)
            let kept = try #require(ratchet.shares[dialect.name], "ratchet.json has no share for \(dialect)")
            let goal = kept.goal.map { ", goal \($0)" } ?? ""
            TestDepth.note(
                "\(dialect): \(written) % of \(total) random predicates are exact (at least \(kept.least)\(goal))")
            // Rounded to a tenth, as in the file.
            #expect(share + 0.05 >= kept.least, "\(dialect): \(written) % are exact, and \(kept.least) % were")
            if share >= kept.least + 1 { TestDepth.note("\(dialect): raise ratchet.json to \(written)") }
            guard Run.environment["PREDICATE_REASONS"] != nil else { continue }
            for (sentence, count) in (reasons[dialect] ?? [:]).sorted(by: { $0.value > $1.value }) {
                TestDepth.note("    \(count)  \(sentence)")
            }
        }
        #expect(total > 1_800)
    }
}
