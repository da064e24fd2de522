// Tests of queries over foreign keys without an index, and of the deadline of a request.

import Foundation
import PredicateStores
import Testing

@Suite struct EngineTimeTests {
    /// 3,000 orders with 5,000 lines, without an index on the foreign key.
    private static func shop() throws -> SQLiteStore {
        let store = try SQLiteStore(path: ":memory:", mode: .create)
        _ = try store.rows("CREATE TABLE orders (id INTEGER PRIMARY KEY, least INTEGER)")
        _ = try store.rows(
            "CREATE TABLE lines (id INTEGER PRIMARY KEY, qty INTEGER, orders_id INTEGER REFERENCES orders (id))")
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < "
        _ = try store.rows("INSERT INTO orders \(numbers)2999) SELECT i, i % 3 FROM n")
        _ = try store.rows(
            "INSERT INTO lines \(numbers)4999) SELECT i, i % 7, CASE WHEN i % 5 THEN i * 11 % 3000 END FROM n")
        return try store.refreshed()
    }

    private static let predicates = [
        "ANY lines.qty > 5", "NONE lines.qty > 5", "lines.@count == 0",
        "lines.@count > 0 AND NOT ANY lines.qty == least",
        "SUBQUERY(lines, $l, $l.qty == 3 OR $l.qty == nil).@count > 0", "ALL lines.qty > 2",
        "SUBQUERY(lines, $l, ANY $l.orders.lines.qty == 6).@count > 0",
    ]

    @Test(arguments: predicates) func anIndexChangesNoAnswer(_ text: String) throws {
        let store = try Self.shop()
        var request = StoreRequest("orders", where: try FormatPredicate(text), sort: [PredicateSortKey("id")])
        request.deadline = .seconds(60)
        let without = try store.fetch(request).map(\.primaryKey)
        #expect(!without.isEmpty)
        #expect(try store.count(request) == without.count)
        let advice = try store.plan(request).advice
        let statement = #"CREATE INDEX "lines_orders_id" ON "lines" ("orders_id");"#
        #expect(advice == ["no index serves the foreign key lines.orders_id\n" + statement])
        _ = try store.rows(statement)
        let indexed = try store.refreshed()
        #expect(try indexed.plan(request).advice.isEmpty)
        #expect(try indexed.fetch(request).map(\.primaryKey) == without)
    }

    @Test func withoutAnIndexTheTableIsReadOnce() throws {
        let store = try Self.shop()
        let plan = try store.plan(StoreRequest("orders", where: try FormatPredicate("ANY lines.qty > 5")))
        #expect(plan.statement.text.contains(#""t0"."id" IN (SELECT "t1"."orders_id" FROM "lines""#))
        // A query that reads the outer row cannot be separated.
        let joined = try store.plan(
            StoreRequest("orders", where: try FormatPredicate("SUBQUERY(lines, $l, $l.qty == least).@count > 0")))
        #expect(joined.statement.text.contains("EXISTS"))
        #expect(joined.advice.count == 1)
    }

    @Test func partialIndexesAndIndexesOnOtherColumnsDoNotServe() throws {
        let store = try Self.shop()
        _ = try store.rows("CREATE INDEX a ON lines (qty, orders_id)")
        _ = try store.rows("CREATE INDEX b ON lines (orders_id) WHERE qty > 2")
        let request = StoreRequest("orders", where: try FormatPredicate("ANY lines.qty > 5"))
        #expect(try store.refreshed().plan(request).advice.count == 1)
        _ = try store.rows("CREATE INDEX c ON lines (orders_id, qty)")
        #expect(try store.refreshed().plan(request).advice.isEmpty)
    }

    // MARK: Deadlines

    /// Correlated, so that SQLite reads 15 million rows.
    private static let slow = "SUBQUERY(lines, $l, $l.qty == least).@count > 100"

    @Test func aDeadlineEndsARequest() throws {
        let store = try Self.shop()
        var request = StoreRequest("orders", where: try FormatPredicate(Self.slow))
        request.deadline = .milliseconds(20)
        let start = ContinuousClock.now
        for _ in 0..<2 {
            #expect(throws: StoreFailure.self) { try store.fetch(request) }
            do { _ = try store.count(request) } catch {
                guard case .deadlineExceeded = error else { throw error }
            }
        }
        #expect(ContinuousClock.now - start < .seconds(10))
        // Later requests are not affected.
        request.predicate = try FormatPredicate("id < 10")
        #expect(try store.fetch(request).count == 10)
        request.deadline = .zero
        #expect(throws: StoreFailure.self) { try store.fetch(request) }
    }

    @Test func aDeadlineEndsAnUpdate() throws {
        let store = try Self.shop()
        var request = StoreRequest("orders", where: try FormatPredicate(Self.slow))
        request.deadline = .milliseconds(20)
        let error = try #require(throws: StoreFailure.self, "the update had the time") {
            try store.update(request, set: [KeyAssignment("least", 1)])
        }
        guard case .deadlineExceeded = error else { throw error }
    }

    @Test func theTimeOfTheReaderDoesNotCount() async throws {
        let store = try Self.shop()
        var request = StoreRequest("orders")
        request.batchSize = 10
        request.deadline = .seconds(1)
        let cursor = try store.cursor(request)
        var count = 0
        while try cursor.next() != nil {
            count += 1
            if count % 1000 == 0 { try await Task.sleep(for: .milliseconds(600)) }
        }
        #expect(count == 3000)
    }

    /// A connection that does not know deadlines is cancelled from another thread.
    @Test func aDriverIsCancelled() throws {
        final class Driver: SQLConnection {
            let connection: SQLiteConnection
            init() throws { connection = try SQLiteConnection(":memory:", flags: 6, busyMilliseconds: 0) }
            func run(
                _ statement: String, _ bindings: [PredicateValue], types: [SQLType]
            ) throws(StoreFailure) -> SQLiteRows { try connection.run(statement, bindings, types: types) }
            var cancel: @Sendable () -> Void { connection.cancel }
        }
        let schema = try PredicateSchema([.init("n", primaryKey: ["i"], attributes: [.init("i", .integer)])])
        let store = try SQLStore(schema: schema, dialect: .sqlite, connection: Driver())
        _ = try store.rows(
            """
            CREATE VIEW n AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000)
            SELECT i FROM n
            """)
        var request = StoreRequest("n", where: try FormatPredicate("i < 0"))
        request.deadline = .milliseconds(50)
        let error = try #require(throws: StoreFailure.self, "the request ended") { try store.fetch(request) }
        guard case .deadlineExceeded = error else { throw error }
    }

    // MARK: Created tables

    @Test func createdTablesHaveIndexesOnForeignKeys() throws {
        let schema = try PredicateSchema([
            .init(
                "item", primaryKey: ["id"], attributes: [.init("id", .integer)],
                relationships: [
                    .init("list", to: "list", link: .column("list_id")),
                    .init("tags", toMany: "tag", link: .join(table: "item_tag", from: "item_id", to: "tag_id")),
                ]),
            .init(
                "list", primaryKey: ["id"], attributes: [.init("id", .integer)],
                relationships: [.init("items", toMany: "item", link: .foreignKey("list_id"))]),
            .init(
                "tag", primaryKey: ["id"], attributes: [.init("id", .integer)],
                relationships: [
                    .init("items", toMany: "item", link: .join(table: "item_tag", from: "tag_id", to: "item_id"))
                ]),
        ])
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("indexes-\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try StoreMigration(path: path, to: schema, mode: .create).run()
        let store = try SQLiteStore(path: path, schema: schema)
        let names = try store.rows(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
        #expect(names == [[.string("item_list_id")], [.string("item_tag_tag_id")]])
        for (entity, text) in [("list", "ANY items.id > 3"), ("tag", "ANY items.id > 3"), ("item", "ANY tags.id > 3")] {
            #expect(try store.plan(StoreRequest(entity, where: FormatPredicate(text))).advice.isEmpty)
        }
    }
}
