// The extension of GRDB: the same records as a filter in memory, in a request and in a ValueObservation.

import GRDB
import GRDBFilter
import PredicateStores
import Testing

private struct Player: Codable, FetchableRecord, PersistableRecord, Queryable {
    static let databaseTableName = "player"
    var id: Int
    var name: String
    var score: Int?

    static let keys: KeyTable<Player> = [.key("id", \.id), .key("name", \.name), .key("score", \.score)]
    static func describe(_ entity: inout PredicateSchema.Entity) { entity.table = databaseTableName }
}

struct GRDBTests {
    private let players = [
        Player(id: 1, name: "Ada", score: 30), Player(id: 2, name: "Bo", score: nil),
        Player(id: 3, name: "Zoë", score: 7), Player(id: 4, name: "zoo", score: 30),
        Player(id: 5, name: "Anna", score: -4),
    ]
    private let queue: DatabaseQueue
    private let schema: PredicateSchema

    init() throws {
        var configuration = Configuration()
        configuration.registerPredicateFunctions()
        queue = try DatabaseQueue(configuration: configuration)
        schema = try PredicateSchema(of: [Player.self])
        try queue.write { [players] db in
            try db.create(table: "player") { table in
                table.primaryKey("id", .integer)
                table.column("name", .text).notNull()
                table.column("score", .integer)
            }
            for player in players { try player.insert(db) }
        }
    }

    @Test(arguments: [
        ("score > 5", true), ("score == nil OR score < 0", true), ("name BEGINSWITH[cd] 'ZO'", true),
        ("name MATCHES '.*nn?a'", true), (#"name MATCHES "(.)n?\\1.""#, true),
        ("CAST(score, 'NSString') BEGINSWITH '3'", false), ("score > 5 AND name ==[l] 'zoo'", false),
        ("name IN {'Bo', 'Ada'}", true),
    ])
    func selectsWhatMemorySelects(text: String, isExact: Bool) throws {
        let predicate = try FormatPredicate(text: text)
        let expected = try players.filter(predicate).map(\.id)
        let request = try Player.filter(predicate, in: schema)
        #expect((request.plan.residual == nil) == isExact)
        #expect(try queue.read { db in try request.fetchAll(db) }.map(\.id).sorted() == expected)
        let sort = [PredicateSortKey("score", descending: true), PredicateSortKey("name")]
        let sorted = try Player.filter(predicate, in: schema, sort: sort, limit: 2)
        let first = try players.filter(predicate).sorted(by: sort).prefix(2).map(\.id)
        #expect(try queue.read { db in try sorted.fetchAll(db) }.map(\.id) == first)
    }

    @Test func mistakesAreErrorsWithAPlace() throws {
        let predicate = try FormatPredicate(text: "scores > 5")
        let failure = #expect(throws: StoreFailure.self) { try Player.filter(predicate, in: schema) }
        #expect(failure?.located.first?.suggestions == ["score"])
    }

    @Test func observationFollowsChanges() async throws {
        let request = try Player.filter(FormatPredicate(text: "score > 5"), in: schema, sort: [PredicateSortKey("id")])
        let observation = ValueObservation.tracking { db in try request.fetchAll(db).map(\.id) }
        var seen: [[Int]] = []
        for try await ids in observation.values(in: queue) {
            seen.append(ids)
            if ids == [1, 3, 4] {
                try await queue.write { db in try db.execute(sql: "UPDATE player SET score = 6 WHERE id = 5") }
            }
            if ids.contains(5) { break }
        }
        #expect(seen.first == [1, 3, 4] && seen.last == [1, 3, 4, 5])
    }
}
