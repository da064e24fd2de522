// Tests that relationships are read for many objects together, with the same values as reading them one by one.

import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct PrefetchTests {
    /// Counts the statements that a store runs on SQLite.
    private final class CountingConnection: SQLConnection {
        let connection: SQLiteConnection
        let count: Count

        init(_ count: Count) throws {
            connection = try SQLiteConnection(":memory:", flags: 6, busyMilliseconds: 0)
            self.count = count
        }

        func run(
            _ statement: String, _ bindings: [PredicateValue], types: [SQLType]
        ) throws(StoreFailure) -> SQLiteRows {
            count.value.withLock { $0 += 1 }
            return try connection.run(statement, bindings, types: types)
        }

        var cancel: @Sendable () -> Void { connection.cancel }
    }

    final class Count: Sendable {
        let value = Mutex(0)
    }

    private static func store(persons: Int) throws -> (SQLStore<CountingConnection>, Count) {
        let count = Count()
        let store = try SQLStore(schema: Shop.schema(), dialect: .sqlite, connection: CountingConnection(count))
        _ = try store.rows(
            "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, nick TEXT, age INTEGER, tags TEXT, boss_id INTEGER)"
        )
        _ = try store.rows("CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL, person_id INTEGER)")
        _ = try store.rows("CREATE INDEX orders_person ON orders (person_id)")
        _ = try store.rows("CREATE TABLE friendship (a INTEGER, b INTEGER, PRIMARY KEY (a, b))")
        let rows = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(persons - 1))"
        _ = try store.rows(
            "INSERT INTO person \(rows) SELECT i, 'n' || (i % 17), NULL, i % 90, NULL, i * 7 % \(persons) FROM n")
        _ = try store.rows("INSERT INTO orders \(rows) SELECT i, i % 50, i * 3 % \(persons) FROM n")
        _ = try store.rows("INSERT INTO friendship \(rows) SELECT i, i * 5 % \(persons) FROM n WHERE i % 3 = 0")
        count.value.withLock { $0 = 0 }
        return (store, count)
    }

    /// Predicates that SQL cannot express, over every kind of relationship, with the largest allowed number of
    /// statements.
    private static let cases: [(predicate: String, sort: String?, statements: Int)] = [
        ("SUBQUERY(orders, $o, $o.total ** 2 > 100).@count > 0 AND name MATCHES '(?!x).*'", nil, 40),
        ("SUBQUERY(orders, $o, $o.total ** 2 > 100 AND $o.owner.age ** 2 > 4).@count > 0", nil, 80),
        ("boss.name MATCHES '(?!n1).*'", nil, 40),
        ("ANY friends.name MATCHES '(?!n1).*'", nil, 40),
        ("name MATCHES '(?!n1).*'", "boss.boss.name:nils-last,id", 80),
    ]

    @Test func relationshipsAreReadTogether() throws {
        let persons = TestDepth.size(10_000)
        let (store, count) = try Self.store(persons: persons)
        for one in Self.cases {
            count.value.withLock { $0 = 0 }
            let sort = try one.sort.map { try #require(PredicateSortKey.list($0)) } ?? []
            let request = StoreRequest("Person", where: try FormatPredicate(one.predicate), sort: sort)
            let found = try store.fetch(request)
            #expect(!found.isEmpty && found.count < persons, "\(one.predicate)")
            #expect(count.value.withLock { $0 } <= one.statements, "\(one.predicate)")
        }
    }

    @Test func prefetchedObjectsAreTheSame() throws {
        let (store, count) = try Self.store(persons: 700)
        let paths = ["boss.orders", "orders.owner", "friends", "boss.friends.boss"]
        let plain = try store.fetch(StoreRequest("Person", sort: [PredicateSortKey("id")]))
        let ahead = try store.fetch(StoreRequest("Person", sort: [PredicateSortKey("id")], prefetch: paths))
        let known = count.value.withLock { $0 }
        #expect(known <= 20)
        func ids(_ objects: [StoredObject], _ path: String) -> [PredicateValue] { objects.map { $0.value(at: path) } }
        let keys = ["boss.orders.id", "orders.owner.name", "friends.id", "boss.friends.boss.id"]
        let found = keys.map { ids(ahead, $0) }
        #expect(count.value.withLock { $0 } == known, "everything was read ahead")
        #expect(found == keys.map { ids(plain, $0) })
        #expect(throws: StoreFailure.self) { try store.fetch(StoreRequest("Person", prefetch: ["bos"])) }
    }

    /// Keys that the collation of a column treats as equal stay different objects.
    @Test func collatedKeysAreApart() throws {
        let schema = try PredicateSchema([
            .init(
                "Tag", table: "tag", primaryKey: ["name"], attributes: [.init("name", .string)],
                relationships: [.init("notes", toMany: "Note", link: .foreignKey("tag"))]),
            .init("Note", table: "note", primaryKey: ["id"], attributes: [.init("id", .integer)]),
        ])
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try store.rows("CREATE TABLE tag (name TEXT PRIMARY KEY)")
        _ = try store.rows("CREATE TABLE note (id INTEGER PRIMARY KEY, tag TEXT COLLATE NOCASE)")
        _ = try store.rows("INSERT INTO tag VALUES ('a'), ('A'), ('b'), ('7'), ('07')")
        _ = try store.rows("INSERT INTO note VALUES (1, 'a'), (2, 'A'), (3, 'B'), (4, '7')")
        let request = StoreRequest("Tag", sort: [PredicateSortKey("name")], prefetch: ["notes"])
        let ahead = try store.fetch(request).map { $0.value(at: "notes.id") }
        var plain = request
        plain.prefetch = []
        #expect(try ahead == store.fetch(plain).map { $0.value(at: "notes.id") })
    }
}
