// Changes of rows in an observed list, compared with the same changes of a store without a list.
import PredicateModel
import PredicateSQL
import PredicateStores
import PredicateSyntax

/// A store of 100,000 rows, with a list of about nine tenths of them, in order and in 26 sections.
private final class ObservedRows {
    private static let count = 100_000
    let store: SQLiteStore
    private let list: ObservedResults?
    private var round = 0

    init(isObserved: Bool) throws {
        let schema = try PredicateSchema([
            PredicateSchema.Entity(
                "Item", table: "item", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("id", .integer), PredicateSchema.Attribute("part", .string),
                    PredicateSchema.Attribute("rank", .integer),
                ])
        ])
        store = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        _ = try store.rows("CREATE TABLE item (id INTEGER PRIMARY KEY, part TEXT NOT NULL, rank INTEGER NOT NULL)")
        _ = try store.insert((0..<Self.count).map { Self.item($0, 0) }, into: "Item")
        list =
            isObserved
            ? try store.observe(
                StoreRequest("Item", where: FormatPredicate("rank >= 10000"), sort: [PredicateSortKey("rank")]),
                sections: "part"
            )
            : nil
    }

    /// A row with new values in each round: most rows move, also between sections.
    private static func item(_ id: Int, _ round: Int) -> ValueDictionary {
        let mixed = (id &+ 1) &* 7919 &+ round &* 104_729
        let part = String(UnicodeScalar(UInt8(97 + mixed % 26)))
        return ValueDictionary([
            ("id", .integer(Int64(id))), ("part", .string(part)), ("rank", .integer(Int64(mixed % 100_003))),
        ])
    }

    private func changed() -> [ValueDictionary] {
        round += 1
        return (0..<1000).map { Self.item(($0 &* 97 &+ round &* 31) % Self.count, round) }
    }

    func together() -> Int {
        _ = try? store.upsert(changed(), into: "Item")
        return list?.results.count ?? 0
    }

    func oneByOne() -> Int {
        for item in changed() { _ = try? store.upsert([item], into: "Item") }
        return list?.results.count ?? 0
    }
}

enum ObservedBenchmarks {
    static var all: [Benchmark] {
        guard let observed = try? ObservedRows(isObserved: true), let other = try? ObservedRows(isObserved: false)
        else {
            return []
        }
        return [
            Benchmark(
                "observed 1000 changes of 100,000 rows, one transaction", items: 1000, goal: 50_000_000,
                against: "no list", reference: { other.together() }, ours: { observed.together() }),
            Benchmark(
                "observed 1000 changes of 100,000 rows, a transaction each", items: 1000, goal: 50_000_000,
                against: "no list", reference: { other.oneByOne() }, ours: { observed.oneByOne() }),
        ]
    }
}
