// Tests of stores on real databases, with the same calls over a connection that an app writes and over ADBC drivers.
// The answers must be those of memory.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite(.serialized) struct DriverStoreTests {
    @Test func allBackendsAreInstalledInCI() {
        guard DriverLibraries.environment["CI"] != nil, DriverLibraries.environment["PREDICATE_ENGINES"] == nil else {
            return
        }
        #expect(Backend.here == Backend.allCases)
    }

    private static func shop(_ backend: Backend) throws -> (memory: InMemoryStore, store: any TestedStore) {
        let schema = try Shop.schema()
        let store = try backend.store(
            schema,
            [
                """
                person (id bigint PRIMARY KEY, name text COLLATE "C", nick text COLLATE "C", age bigint, \
                tags text[], boss_id bigint)
                """, "orders (id bigint PRIMARY KEY, total float8, person_id bigint NOT NULL)",
                "friendship (a bigint, b bigint, PRIMARY KEY (a, b))",
            ])
        let objects = Shop.objects()
        let people = objects["Person"] ?? []
        let flat = people.map { person in
            ValueDictionary(zip(person.keys, person.values).filter { $0.0 != "friends" })
        }
        try store.insert(flat, into: "Person")
        try store.insert(objects["Order"] ?? [], into: "Order")
        let memory = try InMemoryStore(schema, ["Person": people, "Order": objects["Order"] ?? []])
        for person in try memory.fetch(StoreRequest("Person")) {
            for friend in person.objects("friends") {
                _ = try store.rows(
                    "INSERT INTO friendship VALUES ($1::bigint, $2::bigint)", [person["id"], friend["id"]])
            }
        }
        return (memory, store)
    }

    @Test(.enabled(if: PostgreSQLServer.shared != nil)) func theSameCallAsForSQLite() throws {
        let (_, database) = try Shop.stores()
        let schema = database.schema
        let address = try #require(PostgreSQLServer.shared).database()
        // Databases-and-drivers {
        func adults(in store: some PredicateStore) throws -> [StoredObject] {
            try store.fetch(
                StoreRequest("Person", where: FormatPredicate("age >= 21"), sort: [PredicateSortKey("name")]))
        }
        let postgreSQL = try SQLStore(
            schema: schema, dialect: .postgreSQL, connection: PostgreSQLConnection(address))
        // } Databases-and-drivers
        _ = try postgreSQL.rows(
            "CREATE TABLE person (id bigint, name text, nick text, age bigint, tags text, boss_id bigint)")
        #expect(try adults(in: postgreSQL).isEmpty)
        #expect(try !adults(in: database).isEmpty)
    }

    @Test(arguments: Backend.here) func requestsAgreeWithMemory(_ backend: Backend) throws {
        let (memory, store) = try Self.shop(backend)
        for text in TestDepth.some(StoreTests.predicates, every: 6) {
            for sort in StoreTests.sorts {
                for (limit, offset) in [(nil, 0), (7, 5), (nil, 150)] as [(Int?, Int)] {
                    let request = StoreRequest(
                        "Person", where: try FormatPredicate(text),
                        sort: sort.isEmpty ? [] : try #require(PredicateSortKey.list(sort)), limit: limit,
                        offset: offset)
                    var expected = try memory.fetch(request).map { "\($0.attributes)" }
                    var found = try store.fetch(request).map { "\($0.attributes)" }
                    if sort.isEmpty, limit == nil, offset == 0 {
                        expected.sort()
                        found.sort()
                    }
                    #expect(found == expected, "\(text), \(sort), \(limit as Int?), \(offset)")
                    #expect(try store.count(request) == expected.count)
                }
            }
        }
        let request = StoreRequest(
            "Person", sort: [PredicateSortKey("id")], prefetch: ["orders.owner", "friends", "boss"])
        let keys = ["orders.id", "orders.owner.name", "friends.id", "boss.name"]
        for (found, expected) in zip(try store.fetch(request), try memory.fetch(request)) {
            for key in keys { #expect(found.value(at: key) == expected.value(at: key), "\(key)") }
        }
    }

    @Test(arguments: Backend.here) func changesAgreeWithMemory(_ backend: Backend) throws {
        for text in TestDepth.some(StoreTests.predicates, every: 4) {
            let (memory, store) = try Self.shop(backend)
            for (limit, offset) in [(3, 2), (nil, 0)] as [(Int?, Int)] {
                let request = StoreRequest(
                    "Person", where: try FormatPredicate(text), sort: [PredicateSortKey("age")], limit: limit,
                    offset: offset)
                let assignments = [KeyAssignment("nick", .string("changed")), KeyAssignment("boss", .null)]
                #expect(
                    try store.update(request, set: assignments) == memory.update(request, set: assignments), "\(text)")
                let all = StoreRequest("Person", sort: [PredicateSortKey("id")])
                #expect(try store.fetch(all).map(\.attributes) == memory.fetch(all).map(\.attributes), "\(text)")
                #expect(try store.delete(request) == memory.delete(request), "\(text)")
                #expect(try store.fetch(all).map(\.primaryKey) == memory.fetch(all).map(\.primaryKey), "\(text)")
            }
        }
    }

    @Test(arguments: Backend.here) func recordsAreThoseOfMemory(_ backend: Backend) throws {
        var random = SplitMix(5)
        let (sales, places) = RecordTests.objects(&random)
        let schema = try PredicateSchema(
            RecordTests.schema().entities.map { entity in
                var entity = entity
                entity.attributes.removeAll { $0.name == "note" }
                return entity
            })
        let store = try backend.store(
            schema,
            [
                "place (id bigint PRIMARY KEY, name text COLLATE \"C\", size bigint)",
                """
                sale (id bigint PRIMARY KEY, city text COLLATE "C", amount bigint, small bigint, weight float8, \
                price numeric, day float8, "isPaid" boolean, "at" bigint, code uuid, tags text[], shop_id bigint, previous_id bigint)
                """,
            ])
        let known = sales.map { sale in ValueDictionary(zip(sale.keys, sale.values).filter { $0.0 != "note" }) }
        let memory = try InMemoryStore(schema, ["Sale": known, "Place": places])
        try store.insert(places, into: "Place")
        try store.insert(known, into: "Sale")
        var inSQL = 0
        for _ in 0..<TestDepth.count(2_000, full: 100_000) {
            let request = try RecordTests.request(&random)
            guard let expected = try? memory.records(request).map(RecordTests.text) else { continue }
            let found = try store.records(request).map(RecordTests.text)
            let isOrdered = !request.sort.isEmpty || request.limit != nil || request.offset > 0
            let what =
                "\(request.predicate) \(request.properties) by \(request.groupBy) having \(request.having) \(request.sort)"
            #expect(isOrdered ? found == expected : found.sorted() == expected.sorted(), "\(what)")
            if try !request.groupBy.isEmpty && store.plan(request).statement.text.contains("GROUP BY") { inSQL += 1 }
        }
        #expect(inSQL > TestDepth.least(10))
    }

    @Test(arguments: Backend.here) func constraintsAreTyped(_ backend: Backend) throws {
        let schema = try PredicateSchema([
            .init(
                "Item", table: "item", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("name", .string, isOptional: true),
                    .init("price", .double, isOptional: true),
                ], relationships: [.init("parent", to: "Item", link: .column("parent_id"))])
        ])
        let store = try backend.store(
            schema,
            [
                """
                item (id bigint PRIMARY KEY, name text UNIQUE NOT NULL, price float8 CHECK (price >= 0), \
                parent_id bigint REFERENCES item (id))
                """
            ])
        func item(_ id: Int64, _ name: PredicateValue, _ more: (String, PredicateValue)...) -> ValueDictionary {
            ValueDictionary([("id", .integer(id)), ("name", name)] + more)
        }
        try store.insert([item(1, .string("pen"))], into: "Item")
        func constraint(_ object: ValueDictionary) -> StoreConstraint? {
            do {
                try store.insert([item(90, .string("kept")), object], into: "Item")
                return nil
            } catch {
                if case .constraint(let constraint) = error { return constraint }
                Issue.record("\(error)")
                return nil
            }
        }
        let key = constraint(item(1, .string("x")))
        let unique = constraint(item(2, .string("pen")))
        if backend == .duckDB {
            #expect(key?.kind == .primaryKey && unique?.kind == .unique)
        } else {
            #expect(key?.kind == .primaryKey && key?.table == "item" && key?.columns == ["id"])
            #expect(unique?.kind == .unique && unique?.columns == ["name"])
        }
        let null = constraint(item(2, .null))
        #expect(null?.kind == .notNull && null?.columns == ["name"])
        #expect(constraint(item(2, .string("y"), ("price", .double(-1))))?.kind == .check)
        let foreign = constraint(item(2, .string("y"), ("parent", .integer(77))))
        #expect(foreign?.kind == .foreignKey && foreign?.columns == (backend == .duckDB ? [] : ["parent_id"]))
        #expect(try store.count(StoreRequest("Item")) == 1, "nothing is half-written")
        #expect(try store.upsert([item(1, .string("pencil")), item(2, .string("ink"))], into: "Item") == 2)
        #expect(
            try store.fetch(StoreRequest("Item", sort: [PredicateSortKey("id")])).map { $0["name"] } == [
                .string("pencil"), .string("ink"),
            ])
    }

    @Test(arguments: Backend.here) func theServerMakesKeys(_ backend: Backend) throws {
        let schema = try PredicateSchema([
            .init(
                "Item", table: "item", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("name", .string)])
        ])
        let isDuckDB = backend == .duckDB
        let store = try backend.store(schema)
        if isDuckDB { _ = try store.rows("CREATE SEQUENCE ids") }
        let made = isDuckDB ? "DEFAULT nextval('ids')" : "GENERATED BY DEFAULT AS IDENTITY"
        _ = try store.rows("CREATE TABLE item (id bigint \(made) PRIMARY KEY, name text)")
        let items = ["a", "b"].map { ValueDictionary([("name", .string($0))]) }
        #expect(try store.insertReturningKeys(items, into: "Item") == [[.integer(1)], [.integer(2)]])
    }

    /// A key that the app gives is not made again, not even after a rollback, or if it is the greatest one of a type.
    @Test(arguments: Backend.here.filter { $0 != .duckDB }) func madeKeysFollowGivenOnes(_ backend: Backend) throws {
        let key = PredicateSchema.Attribute("Id", .integer)
        let schema = try PredicateSchema([
            .init("Item", table: "The items", primaryKey: ["Id"], attributes: [key]),
            .init("Plain", table: "plain", primaryKey: ["Id"], attributes: [key]),
        ])
        let store = try backend.store(schema)
        try store.create(schema)
        func made() throws -> PredicateValue { try store.insertReturningKeys([[:]], into: "Item")[0][0] }
        #expect(try made() == 1)
        try store.insert([["Id": 5], ["Id": 3]], into: "Item")
        #expect(try made() == 6)
        try store.insert([["Id": 2]], into: "Item")
        try store.upsert([["Id": 10], ["Id": 2]], into: "Item")
        #expect(try made() == 11)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.transaction {
                try store.insert([["Id": 20]], into: "Item")
                throw Stop()
            }
        }
        let next = try made()
        #expect(next == 12 || next == 21)
        #expect(throws: StoreFailure.self) { try store.insert([["Id": 5], ["Id": 40]], into: "Item") }
        try store.insert([["Id": Int64.max], ["Id": -3]], into: "Item")
        #expect(try made() == .integer((next.as(Int64.self) ?? 0) + 1))
        _ = try store.rows("DROP TABLE plain")
        _ = try store.rows("CREATE TABLE plain (\"Id\" bigint PRIMARY KEY)")
        #expect(try store.insert([["Id": 5]], into: "Plain") == 1)
    }

    /// Engines test NOT NULL before they find the row with the key.
    @Test(arguments: Backend.here) func anUpsertNeedsOnlyTheKeysToChange(_ backend: Backend) throws {
        let schema = try PredicateSchema([
            .init(
                "Item", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("name", .string), .init("note", .string, isOptional: true)])
        ])
        let store = try backend.store(schema)
        try store.create(schema)
        try store.insert([["id": 1, "name": "a"], ["id": 2, "name": "b"]], into: "Item")
        #expect(try store.upsert([["id": 1, "note": "n"], ["id": 2, "note": "m"]], into: "Item") == 2)
        #expect(throws: StoreFailure.self) { try store.upsert([["id": 1, "note": "x"], ["id": 3]], into: "Item") }
        let items = try store.fetch(StoreRequest("Item", sort: [PredicateSortKey("id")]))
        #expect(items.map { $0["name"] } == ["a", "b"] && items.map { $0["note"] } == ["n", "m"])
    }

    @Test(arguments: Backend.here) func transactionsNest(_ backend: Backend) throws {
        let (_, store) = try Self.shop(backend)
        struct Stop: Error {}
        let all = StoreRequest("Order")
        let ten = StoreRequest("Order", where: try FormatPredicate("id < 10"))
        try store.transaction {
            if backend.hasSavepoints {
                #expect(throws: Stop.self) {
                    try store.transaction {
                        _ = try store.delete(all)
                        throw Stop()
                    }
                }
            } else {
                // It is a part of the outer one.
                let none = try store.transaction {
                    try store.delete(StoreRequest("Order", where: try FormatPredicate("id < 0")))
                }
                #expect(none == 0)
            }
            let deleted = try store.delete(ten)
            #expect(deleted == 10)
            // An error ends only the savepoint.
            if backend.hasSavepoints {
                #expect(throws: StoreFailure.self) {
                    try store.transaction { _ = try store.rows("SELECT * FROM nothing") }
                }
            }
        }
        #expect(try store.count(all) == 140)
        if !backend.hasSavepoints {
            // The failure of a part ends the whole transaction.
            #expect(throws: StoreFailure.self) {
                try store.transaction {
                    try? store.transaction {
                        _ = try store.delete(all)
                        throw Stop()
                    }
                }
            }
            #expect(try store.count(all) == 140)
        }
        #expect(throws: Stop.self) {
            try store.transaction {
                _ = try store.delete(all)
                throw Stop()
            }
        }
        #expect(try store.count(all) == 140)
    }

    /// After an error that the body ignores, nothing more is done in the transaction, and nothing is stored.
    @Test(arguments: Backend.here) func anIgnoredErrorEndsTheTransaction(_ backend: Backend) throws {
        let item = PredicateSchema.Entity(
            "Item", table: "item", primaryKey: ["id"],
            attributes: [.init("id", .integer), .init("n", .integer)])
        let store = try backend.store(PredicateSchema([item]), ["item (id bigint PRIMARY KEY, n bigint CHECK (n > 0))"])
        try store.insert([["id": 1, "n": 1], ["id": 2, "n": 2]], into: "Item")
        let one = StoreRequest("Item", where: try FormatPredicate("id == 1"))
        for goesOn in [true, false] {
            let error = try #require(throws: StoreFailure.self, "the transaction was committed") {
                try store.transaction {
                    _ = try store.update(one, set: [KeyAssignment("n", .integer(7))])
                    _ = try? store.update(one, set: [KeyAssignment("n", .integer(-1))])
                    if goesOn { _ = try store.delete(StoreRequest("Item")) }
                }
            }
            guard case .transactionEnded = error else { throw error }
            #expect(
                try store.fetch(StoreRequest("Item", sort: [PredicateSortKey("id")])).map { $0["n"] } == [
                    .integer(1), .integer(2),
                ])
        }
        guard backend != .duckDB else { return }
        // A trigger drops a row.
        _ = try store.rows(
            "CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF NEW.n = 5 THEN RETURN NULL; END IF; RETURN NEW; END'"
        )
        _ = try store.rows("CREATE TRIGGER skips BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION skip()")
        #expect(try store.insert([["id": 3, "n": 5], ["id": 4, "n": 6]], into: "Item") == 1)
        #expect(throws: StoreFailure.self) {
            try store.insertReturningKeys([["id": 5, "n": 5], ["id": 6, "n": 6]], into: "Item")
        }
        #expect(try store.count(StoreRequest("Item")) == 3)
    }

    @Test(arguments: Backend.here) func cancellingEndsTheStatement(_ backend: Backend) async throws {
        let store = try backend.store(Shop.schema())
        let long = backend == .duckDB ? "SELECT count(*) FROM range(100000000000)" : "SELECT pg_sleep(30)"
        let task = Task { try await Self.rows(long, store) }
        try await Task.sleep(for: .milliseconds(200))
        // Without cancelling, the statement would end after 30 s without an error.
        task.cancel()
        await #expect(throws: StoreFailure.self) { try await task.value }
        #expect(try await Self.rows("SELECT 1", store) == [[.integer(1)]])
    }

    private static func rows(_ sql: String, _ store: some TestedStore) async throws -> [[PredicateValue]] {
        try await store.async.run { _ in try store.rows(sql) }
    }

    @Test(arguments: Backend.here) func listsAreArrays(_ backend: Backend) throws {
        typealias Attribute = PredicateSchema.Attribute
        let schema = try PredicateSchema([
            .init(
                "Row", table: "row", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("words", .list(of: .string), isOptional: true),
                    .init("counts", .list(of: .integer)), .init("sizes", .list(of: .double)),
                    .init("flags", .list(of: .boolean)), .init("days", .list(of: .date)),
                    .init("codes", .list(of: .uuid)),
                ])
        ])
        let store = try backend.store(
            schema,
            [
                """
                row (id bigint PRIMARY KEY, words text[], counts bigint[], sizes float8[], flags boolean[], \
                days float8[], codes uuid[])
                """
            ])
        let words: [PredicateValue] = [
            "a \"b\" \\c", "x,y", "", "NULL", " é {}[] ", "line\nfeed", "'", "null",
        ].map { .string($0) }
        let rows = ([.null, .array([]), .array(words), .array([.null, .string("a"), .null])] as [PredicateValue])
            .enumerated().map { id, words in
                ValueDictionary([
                    ("id", .integer(Int64(id))), ("words", words),
                    ("counts", .array([.integer(.max), .integer(.min), .null])),
                    ("sizes", .array([.double(0.1), .double(-1e300), .double(.infinity)])),
                    ("flags", .array([.bool(true), .bool(false)])), ("days", .array([.date(0.5)])),
                    ("codes", .array([.uuid(UniversalID(high: 1, low: 2))])),
                ])
            }
        try store.insert(Array(rows.dropLast(1)), into: "Row")
        try store.upsert(Array(rows.dropFirst(1)), into: "Row")
        func found(_ text: String) throws -> [ValueDictionary] {
            try store.fetch(StoreRequest("Row", where: FormatPredicate(text), sort: [PredicateSortKey("id")])).map(
                \.attributes)
        }
        #expect(try found("TRUEPREDICATE") == rows)
        #expect(try found("words CONTAINS 'x,y' AND ANY counts > 5") == [rows[2]])
        #expect(try found("words == nil") == [rows[0]])
        // Arrays of arrays are not lists of these types.
        if backend == .postgreSQL {
            _ = try store.rows("UPDATE row SET counts = '{{1,2},{3,4}}' WHERE id = 0")
            #expect(throws: StoreFailure.self) { try found("id == 0").isEmpty }
        }
    }

    @Test(arguments: Backend.here) func allTypesAreRead(_ backend: Backend) throws {
        typealias Attribute = PredicateSchema.Attribute
        let schema = try PredicateSchema([
            .init(
                "Row", table: "row", primaryKey: ["code"],
                attributes: [
                    .init("code", .uuid), .init("flag", .boolean), .init("x", .double, isOptional: true),
                    .init("price", .decimal), .init("day", .date), .init("data", .data),
                    .init("link", .url), .init("at", .date).with { $0.dateStorage = .timestamp },
                    .init("zoned", .date).with { $0.dateStorage = .timestampWithZone },
                ])
        ])
        let store = try backend.store(
            schema,
            [
                """
                row (code uuid PRIMARY KEY, flag boolean, x float8, price numeric, day float8, data bytea, link text, \
                "at" timestamp, zoned timestamptz)
                """
            ])
        // A timestamp with time zone is printed in the time zone of the session.
        _ = try store.rows("SET TimeZone = 'UTC'")
        func row(_ code: UInt64, _ x: PredicateValue) -> ValueDictionary {
            ValueDictionary([
                ("code", .uuid(UniversalID(high: 1, low: code))), ("flag", .bool(code % 2 == 0)), ("x", x),
                ("price", .decimal(DecimalNumber("12.50") ?? DecimalNumber(0))), ("day", .date(0.5)),
                ("data", .data([0, 1, 255])), ("link", .url("https://a.example")), ("at", .date(0.5)),
                ("zoned", .date(86_400.000001)),
            ])
        }
        let rows = [row(1, .double(0.1)), row(2, .null), row(3, .double(-.infinity))]
        try store.insert(rows, into: "Row")
        let found = try store.fetch(StoreRequest("Row", sort: [PredicateSortKey("code")]))
        #expect(found.map(\.attributes) == rows)
        let byKey = StoreRequest("Row", where: try FormatPredicate("x ** 2 > 0.001 AND flag == NO"), limit: 1)
        #expect(try store.update(byKey, set: [KeyAssignment("x", .double(7))]) == 1)
        #expect(try store.delete(byKey) == 1)
        #expect(try store.count(StoreRequest("Row")) == 2)
    }
}
