// Uses everything in one process for a long time. Checks that memory does not grow and that nothing fails.

import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateRules
import PredicateSQL
import PredicateStores
import PredicateSyntax
import PredicateTestSupport

final class Soak {
    private let seeds: [String]
    private let store: SQLiteStore
    private let lists: [ObservedResults]
    private var random = SplitMix(19)
    private var failures = 0
    private var turns = 0

    /// - Parameter seeds: the path of a file with one predicate per line.
    init(seeds: String) throws {
        self.seeds = try String(contentsOfFile: seeds, encoding: .utf8).split(separator: "\n").map(String.init)
        let path = "\(ScratchFile.folder)/soak.sqlite"
        try? FileManager.default.removeItem(atPath: path)
        let store = try StoreFuzzing.database(path)
        self.store = store
        let requests = [
            StoreRequest("Person", where: try FormatPredicate("age > 20"), sort: [PredicateSortKey("name")]),
            StoreRequest(
                "Person", where: try FormatPredicate("ANY orders.total > 30"), sort: [PredicateSortKey("id")], limit: 5),
        ]
        lists = try requests.map { try store.observe($0) }
    }

    /// Runs, and prints the memory about once a minute. Returns 0 if nothing failed, and if the memory in the second
    /// half is at most 5 % above that of the second quarter.
    func run(seconds: Int) throws -> Int32 {
        let start = ContinuousClock.now
        var samples: [Int] = []
        for second in 1...max(4, seconds) {
            let end = start + .seconds(second)
            repeat { turn() } while ContinuousClock.now < end
            samples.append(try Self.memory())
            if second % 60 == 0 {
                print("\(second) s, \(turns) turns, \(samples[second - 1] >> 10) KB, \(failures) failures")
            }
            fflush(nil)
        }
        let early = samples[samples.count / 4..<samples.count / 2].max() ?? 0
        let late = samples[(samples.count / 2)...].max() ?? 0
        print(
            "\(turns) turns, \(failures) failures; at most \(early >> 10) KB in the second quarter, \(late >> 10) KB later"
        )
        return failures == 0 && Double(late) <= Double(early) * 1.05 ? 0 : 1
    }

    private func turn() {
        turns += 1
        do {
            try change()
            for list in lists where list.results.count > 10_000 { failures += 1 }
        } catch {
            failures += 1
            print("turn \(turns): \(error)")
        }
        let text = random.pick(seeds)
        guard let predicate = try? FormatPredicate(text: text, in: LanguageFuzzing.environment()) else { return }
        // Most seeds have keys that are not in the schema, or cannot be evaluated for a person: skip them.
        guard let matcher = try? predicate.compiled(run: LanguageFuzzing.run) else { return }
        _ = (1...16).map { People.person($0) }.filter(matcher)
        _ = predicate.simplified()
        _ = try? JSONDecoder().decode(FormatPredicate.self, from: JSONEncoder().encode(predicate))
        _ = try? store.fetch(StoreRequest("Person", where: predicate, prefetch: ["orders"]))
        _ = try? predicate.explanation(for: People.person(Int64(random.below(16))))
    }

    private func change() throws {
        let id = Int64(random.below(200))
        switch random.below(4) {
        case 0:
            guard case .dictionary(let person) = People.person(id) else { return }
            try store.upsert([person], into: "Person")
        case 1: _ = try store.delete(StoreRequest("Person", where: FormatPredicate("id == %@", id)))
        case 2:
            let assignment = KeyAssignment("age", .integer(Int64(random.below(90))))
            _ = try store.update(StoreRequest("Person", where: FormatPredicate("id == %@", id)), set: [assignment])
        default:
            try store.transaction {
                let order: [(String, PredicateValue)] = [
                    ("id", .integer(id)), ("total", .double(Double(random.below(90)))), ("owner", .integer(id % 20)),
                ]
                try store.upsert([ValueDictionary(order)], into: "Order")
            }
        }
    }

    /// The resident memory in bytes.
    private static func memory() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (Int(fields[1]) ?? 0) * 4096
    }
}
