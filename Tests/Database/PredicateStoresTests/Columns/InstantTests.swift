// `now()` in requests: SQL and memory use the same instant, and a request may set it.

import Foundation
import PredicateStores
import Testing

@Suite struct InstantTests {
    private static func stores() throws -> [any PredicateStore] {
        let schema = try PredicateSchema([
            .init(
                "Task", table: "task", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("due", .date), .init("title", .string)])
        ])
        let rows = [(1, 50.0, "a"), (2, 100, "b"), (3, 150, "A"), (4, 1e12, "c")]
        let objects = rows.map { id, due, title in
            ValueDictionary([("id", .integer(Int64(id))), ("due", .date(due)), ("title", .string(title))])
        }
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try database.rows("CREATE TABLE task (id INTEGER PRIMARY KEY, due REAL, title TEXT)")
        for (id, due, title) in rows {
            _ = try database.rows(
                "INSERT INTO task VALUES (?, ?, ?)", [.integer(Int64(id)), .double(due), .string(title)])
        }
        return [try InMemoryStore(schema, ["Task": objects]), database]
    }

    private static let later = "due > now() AND (title MATCHES '(?=a).*' OR due > now())"

    @Test func aRequestCanSetTheInstant() throws {
        for store in try Self.stores() {
            for (now, ids) in [(75.0, [2, 3, 4]), (100, [3, 4]), (200, [4])] {
                let request = StoreRequest(
                    "Task", where: try FormatPredicate(Self.later), sort: [PredicateSortKey("id")], clock: .at(now))
                #expect(try store.fetch(request).map { $0["id"] } == ids.map { .integer(Int64($0)) }, "\(store)")
                #expect(try store.count(request) == ids.count)
            }
        }
    }

    @Test func aDateIsAnInstant() { #expect(PredicateClock.at(Date(timeIntervalSinceReferenceDate: 75)) == .at(75)) }

    /// Without a clock in SQL, the test in memory reads it.
    @Test func theClockOfMemoryIsReadThere() throws {
        for store in try Self.stores() {
            let request = StoreRequest("Task", where: try FormatPredicate("due > now()"), clock: .memory)
            #expect(try store.fetch(request).map { $0["id"] } == [.integer(4)])
            #expect(try (store as? SQLiteStore)?.plan(request).residual != nil || store is InMemoryStore)
        }
    }

    @Test func theSystemsClockIsTheDefault() throws {
        for store in try Self.stores() {
            let request = StoreRequest("Task", where: try FormatPredicate("due > now()"))
            #expect(try store.fetch(request).map { $0["id"] } == [.integer(4)])
        }
    }

    @Test func theInstantIsBound() throws {
        guard let store = try Self.stores().last as? SQLiteStore else { return }
        for now in [1.5, 2.5] {
            let request = StoreRequest("Task", where: try FormatPredicate("due <= now()"), clock: .at(now))
            let plan = try store.plan(request)
            #expect(plan.residual == nil && plan.statement.bindings == [.date(now)], "\(plan.statement.text)")
        }
    }

    @Test func deletingUsesTheInstantOfTheRequest() throws {
        for store in try Self.stores() {
            let past = StoreRequest("Task", where: try FormatPredicate("due < now()"), clock: .at(120))
            #expect(try store.delete(past) == 2)
            #expect(try store.count(StoreRequest("Task")) == 2)
        }
    }
}
