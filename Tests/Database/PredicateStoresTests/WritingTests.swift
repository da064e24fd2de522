// Tests of inserting, upserting and transactions, and of statements that the database refuses.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct GeneratedKeyTests {
    @Test func storesMakeKeys() throws {
        let schema = try PredicateSchema([
            .init(
                "Item", table: "item", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("name", .string)])
        ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try database.rows("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT DEFAULT 'none')")
        let stores: [any PredicateStore] = [database, try InMemoryStore(schema, [:])]
        for store in stores {
            let named = ["a", "b"].map { ValueDictionary([("name", .string($0))]) }
            #expect(try store.insertReturningKeys(named, into: "Item") == [[.integer(1)], [.integer(2)]])
            let own = ValueDictionary([("id", .integer(40)), ("name", .string("c"))])
            #expect(try store.insertReturningKeys([own, named[0]], into: "Item") == [[.integer(40)], [.integer(41)]])
            #expect(try store.insert(named, into: "Item") == 2)
            #expect(throws: StoreFailure.self) { try store.insertReturningKeys([own], into: "Item") }
            #expect(throws: StoreFailure.self) { try store.insertReturningKeys([], into: "Itm") }
            let found = try store.fetch(StoreRequest("Item", sort: [PredicateSortKey("id")])).map { $0["id"] }
            #expect(found == [1, 2, 40, 41, 42, 43].map { .integer($0) })
        }
        #expect(try database.insertReturningKeys([ValueDictionary([])], into: "Item") == [[.integer(44)]])
    }
}

@Suite struct WritingTests {
    private static func file() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("writing-\(UUID()).sqlite").path
    }

    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    static func person(_ id: Int, _ fields: (String, PredicateValue)...) -> ValueDictionary {
        ValueDictionary([("id", .integer(Int64(id)))] + fields)
    }

    private static let all = StoreRequest("Person", sort: [PredicateSortKey("id")])

    /// Both stores have the same objects after the same insertions.
    @Test func bothStoresInsertTheSameObjects() throws {
        let (memory, database) = try Shop.stores()
        _ = try database.rows("CREATE UNIQUE INDEX person_key ON person (id)")
        for store in [memory, database] as [any PredicateStore] {
            let new = [
                Self.person(1000, ("name", .string("Neu")), ("age", .integer(3)), ("tags", .array([.string("t1")]))),
                Self.person(1001, ("name", .string("Ö")), ("boss", .integer(1000)), ("nick", .null)),
            ]
            #expect(try store.insert(new, into: "Person") == 2)
            let changed = [
                Self.person(1001, ("nick", .string("o")), ("name", .string("Ö"))),
                Self.person(1002, ("name", .string("z"))),
            ]
            #expect(try store.upsert(changed, into: "Person") == 2)
            let request = StoreRequest(
                "Person", where: try FormatPredicate("id >= 1000"), sort: [PredicateSortKey("id")])
            let found = try store.fetch(request)
            #expect(found.map { $0["name"] } == [.string("Neu"), .string("Ö"), .string("z")])
            #expect(found.map { $0["nick"] } == [.null, .string("o"), .null])
            #expect(found[0]["tags"] == .array([.string("t1")]))
            #expect(found[1].value(at: "boss.name") == .string("Neu"))
            let text = try FormatPredicate("ANY tags == 't1' AND id >= 1000")
            #expect(try store.count(StoreRequest("Person", where: text)) == 1)
        }
    }

    struct Company {
        var id: Int
        var title: String
    }

    struct Worker {
        var id: Int
        var name: String
        var employer: Company?
    }

    @Test func publishedTypesAreInserted() throws {
        let path = Self.file()
        defer { Self.remove(path) }
        let maker = try SQLiteStore(path: path, schema: PredicateSchema([]), mode: .create)
        _ = try maker.rows("CREATE TABLE company (id INTEGER PRIMARY KEY, title TEXT)")
        _ = try maker.rows(
            "CREATE TABLE worker (id INTEGER PRIMARY KEY, name TEXT, employer_id INTEGER REFERENCES company)")
        let store = try maker.refreshed()
        #expect(store.schema.entities.map(\.name) == ["company", "worker"])
        let company = Company(id: 5, title: "Engines")
        try store.insert([company], into: "company")
        let ada = Worker(id: 1, name: "Ada", employer: company)
        try store.insert([ada, Worker(id: 2, name: "Grace", employer: nil)], into: "worker")
        let found = try store.fetch(StoreRequest("worker", where: FormatPredicate("employer.title == 'Engines'")))
        #expect(found.map { $0["name"] } == [.string("Ada")])
        var renamed = ada
        renamed.name = "A."
        #expect(try store.upsert([renamed], into: "worker") == 1)
        #expect(try store.count(StoreRequest("worker", where: FormatPredicate("name == 'A.'"))) == 1)
    }

    /// `update` converts and refuses the values of a list attribute as `insert` does.
    @Test func listsAreUpdated() throws {
        let schema = try PredicateSchema([
            .init(
                "note", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("tags", .list(of: .string), isOptional: true),
                    .init("dates", .list(of: .date)), .init("numbers", .list(of: .double), isOptional: true),
                ])
        ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        _ = try database.rows(
            "CREATE TABLE note (id INTEGER PRIMARY KEY, tags TEXT, dates TEXT NOT NULL, numbers TEXT)")
        let memory = try InMemoryStore(schema, [:])
        let values: [(key: String, value: PredicateValue, isAccepted: Bool)] = [
            ("tags", .array([.string("a \"b\"\n\u{7F}\u{1}"), .string("é")]), true), ("tags", .null, true),
            ("tags", .array([.null, .string("x")]), true), ("tags", .array([.integer(1)]), false),
            ("tags", .string("a"), false), ("tags", .array([]), true), ("dates", .array([.date(1.5)]), true),
            ("dates", .null, false), ("dates", .array([.string("2024-01-31T00:00:00Z")]), true),
            ("numbers", .array([.integer(2), .double(0.1)]), true), ("numbers", .array([.bool(true)]), false),
        ]
        for store in [memory, database] as [any PredicateStore] {
            for (number, (key, value, isAccepted)) in values.enumerated() {
                let id = Int64(number * 2)
                let all = ValueDictionary(
                    [("id", .integer(id)), (key, value)] + (key == "dates" ? [] : [("dates", .array([]))]))
                let empty = ValueDictionary([("id", .integer(id + 1)), ("dates", .array([]))])
                try store.insert([empty], into: "note")
                func failure(_ change: () throws -> Int) -> String? {
                    do { _ = try change() } catch let failure as StoreFailure { return failure.description } catch {}
                    return nil
                }
                let inserted = failure { try store.insert([all], into: "note") }
                let request = StoreRequest("note", matching: ["id": .integer(id + 1)])
                let updated = failure { try store.update(request, set: [KeyAssignment(key, value)]) }
                #expect(inserted == updated && (inserted == nil) == isAccepted, "\(key) \(value): \(updated ?? "-")")
                guard isAccepted else { continue }
                let found = try store.fetch(StoreRequest("note", where: FormatPredicate("id >= %@", id)))
                #expect(found.count == 2 && found[0][key] == found[1][key], "\(key) \(value)")
            }
        }
        let all = StoreRequest("note", sort: [PredicateSortKey("id")])
        #expect(try memory.fetch(all).map(\.attributes) == database.fetch(all).map(\.attributes))
        #expect(try database.rows("SELECT count(DISTINCT coalesce(tags, '-')) FROM note") == [[.integer(4)]])
    }

    // MARK: Transactions

    private struct Stop: Error {}

    @Test func transactionsNest() throws {
        let (_, store) = try Shop.stores()
        let count = try store.count(Self.all)
        #expect(throws: Stop.self) {
            try store.transaction {
                try store.insert([Self.person(1000, ("name", .string("a")))], into: "Person")
                #expect(try store.count(Self.all) == count + 1)
                throw Stop()
            }
        }
        #expect(try store.count(Self.all) == count)
        try store.transaction {
            _ = try store.insert([Self.person(1000, ("name", .string("a")))], into: "Person")
            #expect(throws: Stop.self) {
                try store.transaction {
                    try store.insert([Self.person(1001, ("name", .string("b")))], into: "Person")
                    // A change that needs memory to select its rows is a separate transaction.
                    let request = StoreRequest("Person", where: try FormatPredicate("name.length > 0"))
                    #expect(try store.delete(request) > 2)
                    throw Stop()
                }
            }
            let known = try store.transaction { try store.count(Self.all) }
            #expect(known == count + 1)
        }
        #expect(try store.count(Self.all) == count + 1)
    }

    /// The work of other tasks is not part of a transaction, and does not see its changes before the commit.
    @Test(arguments: [true, false]) func transactionsAreIsolated(_ hasLog: Bool) async throws {
        let path = Self.file()
        defer { Self.remove(path) }
        let maker = try SQLiteStore(path: path, schema: PredicateSchema([]), mode: .create, writeAheadLog: hasLog)
        _ = try maker.rows("CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)")
        let store = try maker.refreshed()
        let all = StoreRequest("item")
        func item(_ id: Int64) -> ValueDictionary { ValueDictionary([("id", .integer(id)), ("n", .integer(id))]) }
        // Each task inserts two rows, and then rolls back or commits both.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<6 {
                group.addTask {
                    for turn in 0..<TestDepth.count(400) {
                        let id = Int64(task * 1_000_000 + turn * 2)
                        do {
                            try store.transaction {
                                try store.insert([item(id)], into: "item")
                                try store.insert([item(id + 1)], into: "item")
                                if turn % 2 == 0 { throw Stop() }
                            }
                        } catch is Stop {}
                    }
                }
                group.addTask {
                    for _ in 0..<TestDepth.count(400) {
                        let (counted, found) = (try store.count(all), try store.fetch(all).count)
                        #expect(counted % 2 == 0 && found % 2 == 0)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.count(all) == 6 * 2 * (TestDepth.count(400) / 2))
    }

    /// A cancelled task leaves no open transaction.
    @Test func cancelledTransactionsEnd() async throws {
        let (_, store) = try Shop.stores()
        let count = try store.count(Self.all)
        let task = Task {
            try store.transaction {
                try store.insert([Self.person(1000, ("name", .string("a")))], into: "Person")
                withUnsafeCurrentTask { $0?.cancel() }
                try store.insert([Self.person(1001, ("name", .string("a")))], into: "Person")
            }
        }
        await #expect(throws: StoreFailure.self) { try await task.value }
        #expect(try store.count(Self.all) == count)
        let inserted = try store.transaction {
            try store.insert([Self.person(1000, ("name", .string("a")))], into: "Person")
        }
        #expect(inserted == 1)
        #expect(try store.count(Self.all) == count + 1)
    }

    /// With a write-ahead log, a cursor sees one state of the database.
    @Test func cursorsSeeOneState() throws {
        let path = Self.file()
        defer { Self.remove(path) }
        let maker = try SQLiteStore(path: path, schema: PredicateSchema([]), mode: .create, writeAheadLog: true)
        _ = try maker.rows("CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)")
        let store = try maker.refreshed()
        let items = (0..<500).map { ValueDictionary([("id", .integer($0)), ("n", .integer(1))]) }
        try store.insert(items, into: "item")
        let cursor = try store.cursor(StoreRequest("item"))
        _ = try cursor.next()
        #expect(try store.update(StoreRequest("item"), set: [KeyAssignment("n", .integer(2))]) == 500)
        #expect(try store.delete(StoreRequest("item", where: FormatPredicate("id > 10"))) == 489)
        var count = 1
        while let item = try cursor.next() {
            #expect(item["n"] == .integer(1))
            count += 1
        }
        #expect(count == 500)
        #expect(try store.count(StoreRequest("item")) == 11)
    }

    // MARK: What is refused

    @Test func constraintsAreTyped() throws {
        let store = try SQLiteStore(path: ":memory:", schema: PredicateSchema([]), mode: .readWrite)
        _ = try store.rows("PRAGMA foreign_keys = ON")
        _ = try store.rows("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        _ = try store.rows(
            "CREATE TABLE b (k INTEGER, l TEXT NOT NULL, a INTEGER REFERENCES a, CHECK (k < 100), UNIQUE (k, l))")
        _ = try store.rows("INSERT INTO a VALUES (1)")
        _ = try store.rows("INSERT INTO b VALUES (1, 'x', 1)")
        let cases: [(String, StoreConstraint.Kind, String?, [String])] = [
            ("INSERT INTO a VALUES (1)", .primaryKey, "a", ["id"]),
            ("INSERT INTO b VALUES (1, 'x', 1)", .unique, "b", ["k", "l"]),
            ("INSERT INTO b VALUES (2, NULL, 1)", .notNull, "b", ["l"]),
            ("INSERT INTO b VALUES (2, 'x', 7)", .foreignKey, nil, []),
            ("INSERT INTO b VALUES (200, 'x', 1)", .check, nil, []),
        ]
        for (text, kind, table, columns) in cases {
            let error = try #require(throws: StoreFailure.self, "\(text) was accepted") { try store.rows(text) }
            guard case .constraint(let found) = error else { throw error }
            #expect(found.kind == kind && found.table == table && found.columns == columns, "\(found)")
        }
    }

    @Test func memoryRefusesASecondKey() throws {
        let (memory, _) = try Shop.stores()
        #expect(throws: StoreFailure.self) {
            try memory.insert([Self.person(1, ("name", .string("x")))], into: "Person")
        }
        #expect(throws: StoreFailure.self) { try memory.insert([Self.person(9999, ("nme", .null))], into: "Person") }
    }

    @Test func statementsRunCompletelyOrNotAtAll() throws {
        let store = try SQLiteStore(path: ":memory:", schema: PredicateSchema([]), mode: .readWrite)
        func message(_ text: String, _ bindings: [PredicateValue] = []) -> String {
            errorText { _ = try store.rows(text, bindings) }
        }
        #expect(message("CREATE TABLE a (b); CREATE TABLE c (d)").contains("several statements"))
        #expect(message("SELECT 1; SELECT oops").contains("several statements"))
        #expect(message("").contains("no statement"))
        #expect(message(" -- nothing\n ;").contains("no statement"))
        #expect(try store.rows("SELECT 1; -- and that is all\n;") == [[.integer(1)]])
        #expect(message("SELECT ?, ?", [.integer(1)]).contains("2 parameters, but there are 1 values"))
        #expect(message("SELECT 1", [.integer(1)]).contains("0 parameters"))
        #expect(message("SELECT 1 \0; SELECT 2").contains("U+0000"))
        #expect(try store.rows("SELECT count(*) FROM sqlite_master") == [[.integer(0)]])
    }
}

extension WritingTests.Company: Queryable {
    static let keys: KeyTable<WritingTests.Company> = [.key("id", \.id), .key("title", \.title)]
}

extension WritingTests.Worker: Queryable {
    static let keys: KeyTable<WritingTests.Worker> = [
        .key("id", \.id), .key("name", \.name), .key("employer", \.employer),
    ]
}
