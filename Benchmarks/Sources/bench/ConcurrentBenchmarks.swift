// Compares `filter(concurrently:)` with one thread. Measures elapsed time, because processor time does not show the gain.
import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

enum ConcurrentBenchmarks {
    private static let texts = [
        ("int >", "age > 65"), ("BEGINSWITH[c]", "lastName BEGINSWITH[c] 'sm'"),
        ("CONTAINS[cd] long", "note CONTAINS[cd] 'NEEDLE'"), ("CONTAINS long", "note CONTAINS 'needle'"),
        ("MATCHES", "lastName MATCHES 'S.*a'"), ("AND with a function", "age > 15 AND lastName.length > 8"),
    ]

    static func run(rows: Int, rounds: Int) async throws {
        let citizens = Citizen.make(rows)
        print("\(rows) rows", "one ms", "concurrent ms", "speed-up", "best", separator: "\t")
        for (name, text) in texts {
            let matcher = try FormatPredicate(text).compiled(for: Citizen.self)
            try await compare("count, \(name)", rounds) {
                citizens.count(matching: matcher)
            } _: {
                try await citizens.count(concurrently: matcher)
            }
        }
        let matcher = try FormatPredicate("note CONTAINS 'magna'").compiled(for: Citizen.self)
        try await compare("filter, many of CONTAINS", rounds) {
            citizens.filter(matcher).count
        } _: {
            try await citizens.filter(concurrently: matcher).count
        }
    }

    private static func compare(
        _ name: String, _ rounds: Int, _ one: () -> Int, _ concurrent: () async throws -> Int
    ) async throws {
        let clock = ContinuousClock()
        var times: [(Double, Double)] = []
        for _ in 0..<rounds {
            let start = clock.now
            let expected = one()
            let middle = clock.now
            let answer = try await concurrent()
            let end = clock.now
            guard answer == expected else {
                print("\(name): \(answer) instead of \(expected)")
                exit(1)
            }
            times.append(((middle - start) / .milliseconds(1), (end - middle) / .milliseconds(1)))
        }
        let ratios = times.map { $0.0 / $0.1 }
        let best = (times.map(\.0).min() ?? 0) / (times.map(\.1).min() ?? 1)
        print(
            name, Report.text(Harness.quantile(times.map(\.0), 0.5)),
            Report.text(Harness.quantile(times.map(\.1), 0.5)),
            Report.text(Harness.quantile(ratios, 0.5)), Report.text(best), separator: "\t")
    }
}
