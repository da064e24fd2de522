// Tests of the async calls of stores: they block no thread of the cooperative pool, and stop when their task is
// cancelled.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct AsyncStoreTests {
    @Test func asyncCallsAreThoseOfTheStore() async throws {
        let (_, database) = try Shop.stores()
        let request = StoreRequest("Person", where: try FormatPredicate("age > 30"), sort: [PredicateSortKey("id")])
        let expected = try database.fetch(request).map(\.primaryKey)
        let found = try await database.async.fetch(request)
        #expect(found.map(\.primaryKey) == expected)
        #expect(try await database.async.count(request) == expected.count)
        var grouped = StoreRequest("Person")
        grouped.groupBy = ["age"]
        #expect(try await database.async.records(grouped).count == database.records(grouped).count)
        for size in [nil, 1, 7, 1000] as [Int?] {
            var batched = request
            batched.batchSize = size
            var keys: [[PredicateValue]] = []
            for try await object in database.async.objects(batched) { keys.append(object.primaryKey) }
            #expect(keys == expected)
        }
        let new = ValueDictionary([("id", .integer(900)), ("name", .string("New"))])
        #expect(try await database.async.insert([new], into: "Person") == 1)
        let one = StoreRequest("Person", matching: ["id": .integer(900)])
        #expect(try await database.async.update(one, set: [KeyAssignment("nick", .string("n"))]) == 1)
        #expect(try await database.async.one(one)?["nick"] == .string("n"))
        #expect(try await database.async.delete(one) == 1)
        await #expect(throws: StoreFailure.self) { try await database.async.fetch(StoreRequest("Persn")) }
    }

    /// An app may not know the type of its store.
    @Test func anyStoreHasAsyncCalls() async throws {
        for store in try [Shop.stores().0, Shop.stores().1] as [any PredicateStore] {
            let count = try store.count(StoreRequest("Person"))
            #expect(try await store.async.count(StoreRequest("Person")) == count)
            #expect(try await store.async.run { store in try store.count(StoreRequest("Person")) } == count)
            let people = [Visitor(id: 901, name: "Ada"), Visitor(id: 902, name: "Bob")]
            #expect(try await store.async.insert(people, into: "Person") == 2)
            var names: [PredicateValue] = []
            let request = StoreRequest("Person", where: try FormatPredicate("id > 900"), sort: [PredicateSortKey("id")])
            for try await person in store.async.objects(request) { names.append(person["name"]) }
            #expect(names == ["Ada", "Bob"])
        }
    }

    /// One of two objects exists, and keeps the keys that its type does not have.
    @Test func publishedTypesAreUpserted() async throws {
        let schema = try PredicateSchema(of: [StoredVisitor.self])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try database.create(schema)
        for store in [database, try InMemoryStore(schema, [:])] as [any PredicateStore] {
            let people: [ValueDictionary] = [
                ["id": 1, "name": "Ada", "nick": "a"], ["id": 2, "name": "Bob", "nick": "b"],
            ]
            #expect(try await store.async.insert(people, into: "StoredVisitor") == 2)
            let changed = [Visitor(id: 2, name: "Bea"), Visitor(id: 3, name: "Cy")]
            #expect(try await store.async.upsert(changed, into: "StoredVisitor") == 2)
            let request = StoreRequest("StoredVisitor", sort: [PredicateSortKey("id")])
            let all = try await store.async.fetch(StoredVisitor.self, request)
            #expect(all.map(\.name) == ["Ada", "Bea", "Cy"] && all.map(\.nick) == ["a", "b", nil])
            #expect(try await store.async.upsert([["id": 3, "nick": "c"]], into: "StoredVisitor") == 1)
            let keys = try await store.async.insertReturningKeys([["id": 4, "name": "Di"]], into: "StoredVisitor")
            #expect(keys == [[4]])
            #expect(try await store.async.fetch(VisitorRow.self, request).map(\.name) == ["Ada", "Bea", "Cy", "Di"])
            let page = try await store.async.page(StoredVisitor.self, request)
            #expect(page.objects.map(\.nick) == ["a", "b", "c", nil] && page.next == nil)
        }
    }

    private struct VisitorRow: Decodable {
        var name: String
    }

    private struct StoredVisitor: Storable {
        var id: Int
        var name: String
        var nick: String?
        static let keys: KeyTable<StoredVisitor> = [.key("id", \.id), .key("name", \.name), .key("nick", \.nick)]

        init(_ object: StoredObject) throws {
            id = try object.read("id")
            name = try object.read("name")
            nick = try object.read("nick")
        }
    }

    private struct Visitor: Queryable {
        var id: Int
        var name: String
        static let keys: KeyTable<Visitor> = [.key("id", \.id), .key("name", \.name)]
    }

    @Test func transactionsCommitCompletelyOrNotAtAll() async throws {
        let (_, database) = try Shop.stores()
        let all = StoreRequest("Order")
        let count = try database.count(all)
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            try await database.async.transaction { store in
                _ = try store.delete(all)
                let left = try store.count(all)
                #expect(left == 0)
                throw Stop()
            }
        }
        #expect(try await database.async.count(all) == count)
        let left = try await database.async.transaction { store in
            _ = try store.delete(StoreRequest("Order", where: FormatPredicate("id >= 10")))
            return try store.count(all)
        }
        #expect(left == 10)
    }

    /// A statement that does not end unless it is interrupted.
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"

    private final class Flag: Sendable {
        let isOver = Mutex(false)
    }

    /// Other tasks still run if more calls wait than the pool has threads.
    @Test func waitingBlocksNoOtherTask() async throws {
        let count = ProcessInfo.processInfo.activeProcessorCount + 1
        let (_, store) = try Shop.stores()
        let flag = Flag()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await store.async.run { store in
                        while !flag.isOver.withLock({ $0 }) { usleep(1000) }
                        return try store.count(StoreRequest("Person"))
                    }
                }
            }
            // Each of these tasks needs a thread of the pool.
            for turn in 0..<5 {
                try await Task.sleep(for: .microseconds(100))
                #expect(await Task { turn }.value == turn)
            }
            flag.isOver.withLock { $0 = true }
            for try await found in group { #expect(found == 200) }
        }
    }

    @MainActor private static func fetch(_ store: SQLiteStore) async throws -> [StoredObject] {
        try await store.async.run { store in
            #expect(!Thread.isMainThread)
            return try store.fetch(StoreRequest("Person"))
        }
    }

    @Test func actorsDoNotWait() async throws {
        let (_, database) = try Shop.stores()
        #expect(try await Self.fetch(database).count == 200)
    }

    @Test func cancellingATaskEndsItsStatementOnly() async throws {
        let store = try SQLiteStore(path: ":memory:", mode: .create)
        let task = Task { try await store.async.run { store in try store.rows(Self.endless) } }
        try await Task.sleep(for: .milliseconds(20))
        // The statement does not end by itself.
        task.cancel()
        await #expect(throws: StoreFailure.self) { try await task.value }
        #expect(try await store.async.run { store in try store.rows("SELECT 1") } == [[.integer(1)]])
        // A sequence ends between two batches.
        let (_, shop) = try Shop.stores()
        var batched = StoreRequest("Person")
        batched.batchSize = 2
        let reader = Task { [batched] in
            var count = 0
            for try await _ in shop.async.objects(batched) {
                count += 1
                if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return count
        }
        await #expect(throws: StoreFailure.self) { try await reader.value }
    }

    /// More tasks at the same time than threads.
    @Test func manyCallsAtOnce() async throws {
        let (_, database) = try Shop.stores()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for turn in 0..<100 {
                group.addTask {
                    if turn % 10 == 0 {
                        try await database.async.transaction { store in
                            let request = StoreRequest("Person", matching: ["id": .integer(Int64(turn))])
                            _ = try store.update(request, set: [KeyAssignment("nick", .string("t"))])
                        }
                    }
                    return try await database.async.count(StoreRequest("Person"))
                }
            }
            for try await count in group { #expect(count == 200) }
        }
        #expect(try await database.async.count(StoreRequest("Person", matching: ["nick": .string("t")])) == 10)
    }
}
