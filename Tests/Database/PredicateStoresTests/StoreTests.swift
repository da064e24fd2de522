// Tests that SQLite and memory return the same objects, for any part that is evaluated in memory, and tests of each
// store alone.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

enum Shop {
    static func schema() throws -> PredicateSchema {
        var boss = PredicateSchema.Relationship("boss", to: "Person", link: .column("boss_id"))
        var orders = PredicateSchema.Relationship("orders", toMany: "Order", link: .foreignKey("person_id"))
        var friends = PredicateSchema.Relationship(
            "friends", toMany: "Person", link: .join(table: "friendship", from: "a", to: "b"))
        (boss.onDelete, orders.onDelete, friends.onDelete) = (.nullify, .cascade, .nullify)
        var fans = PredicateSchema.Relationship(
            "fans", toMany: "Person", link: .join(table: "friendship", from: "b", to: "a"))
        fans.onDelete = .nullify
        return try PredicateSchema([
            .init(
                "Person", table: "person", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("name", .string), .init("nick", .string, isOptional: true),
                    .init("age", .integer, isOptional: true), .init("tags", .list(of: .string), isOptional: true),
                ],
                relationships: [boss, orders, friends, fans]),
            .init(
                "Order", table: "orders", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("total", .double)],
                relationships: [.init("owner", to: "Person", isOptional: false, link: .column("person_id"))]),
        ])
    }

    static let names = ["Ada", "ada", "Élodie", "elodie", "Zoë", "", "ß", "ss", "a_c", "Grace"]

    private static func person(_ id: Int) -> ValueDictionary {
        var fields: [(String, PredicateValue)] = [
            ("id", .integer(Int64(id))), ("name", .string(names[id * 7 % names.count])),
        ]
        fields.append(("nick", id % 3 == 0 ? .null : .string(names[id * 3 % names.count])))
        fields.append(("age", id % 5 == 0 ? .null : .integer(Int64(id * 31 % 90))))
        fields.append(("tags", id % 4 == 0 ? .null : .array([.string("t\(id % 3)")])))
        fields.append(("boss", id % 2 == 0 ? .null : .integer(Int64(id / 2))))
        fields.append(("friends", .array((0..<(id % 4)).map { .integer(Int64((id + $0 * 17) % 200)) })))
        return ValueDictionary(fields)
    }

    static func objects() -> [String: [ValueDictionary]] {
        let people = (0..<200).map(person)
        let orders = (0..<150).map { (id: Int) -> ValueDictionary in
            let total = PredicateValue.double(Double(id * 13 % 70))
            return ValueDictionary([
                ("id", PredicateValue.integer(Int64(id))), ("total", total),
                ("owner", PredicateValue.integer(Int64(id * 11 % 90))),
            ])
        }
        return ["Person": people, "Order": orders]
    }

    /// The same objects in memory and in SQLite.
    static func stores() throws -> (memory: InMemoryStore, database: SQLiteStore) {
        let schema = try schema()
        let tables = try StoredTables(schema, objects())
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        let declared = ["name": "TEXT", "nick": "TEXT", "tags": "TEXT", "total": "REAL"]
        for (name, table) in tables.tables {
            let columns = table.columns.map { "\($0) \(declared[$0] ?? "INTEGER")" }.joined(separator: ", ")
            _ = try database.rows("CREATE TABLE \(name) (\(columns))")
            let places = table.columns.map { _ in "?" }.joined(separator: ", ")
            for row in table.rows {
                let values = row.map { value in
                    guard case .array(let elements) = value, case .string(let text)? = elements.first else {
                        return value
                    }
                    return PredicateValue.string("[\"\(text)\"]")
                }
                _ = try database.rows("INSERT INTO \(name) VALUES (\(places))", values)
            }
        }
        return (try InMemoryStore(schema, tables), database)
    }
}

@Suite struct StoreTests {
    static let predicates = [
        "TRUEPREDICATE", "age > 30", "name.length > 3", "age > 30 AND name.length > 3", "ANY orders.total > 50",
        "boss.name == 'Ada'", "boss.name.length > 3", "ANY friends.boss.name BEGINSWITH[c] 'a'", "tags CONTAINS 't1'",
        "orders.@sum.total > 60", "NOT nick ==[cd] 'ELODIE'", "SUBQUERY(orders, $o, $o.owner.age > 40).@count > 1",
    ]
    static let sorts = [
        "", "name", "-name,age", "name[cd],-id", "nick:nils-last", "-boss.name", "age,-nick[c]", "tags,-id",
    ]

    @Test(.cases) func bothStoresSelectTheSameObjects() {
        forEachCase(Self.predicates) { text in
            let (memory, database) = try Shop.stores()
            let predicate = try FormatPredicate(text)
            let windows = [(nil, 0), (7, 0), (7, 5), (nil, 150), (0, 0), (500, 3)] as [(Int?, Int)]
            let requests = Self.sorts.flatMap { sort in windows.map { (sort, $0.0, $0.1) } }
            for (sort, limit, offset) in TestDepth.some(requests, every: 7) {
                let request = StoreRequest(
                    "Person", where: predicate, sort: sort.isEmpty ? [] : try #require(PredicateSortKey.list(sort)),
                    limit: limit, offset: offset)
                var expected = try memory.fetch(request).map(\.primaryKey)
                var found = try database.fetch(request).map(\.primaryKey)
                if sort.isEmpty, limit == nil, offset == 0 {
                    expected.sort { "\($0)" < "\($1)" }
                    found.sort { "\($0)" < "\($1)" }
                }
                #expect(found == expected, "\(text), \(sort), \(limit as Int?), \(offset)")
                #expect(try database.count(request) == expected.count)
                #expect(try memory.count(request) == expected.count)
            }
        }
    }

    @Test(.cases) func bothStoresChangeTheSameObjects() {
        forEachCase(Self.predicates) { text in
            let predicate = try FormatPredicate(text)
            for (limit, offset) in [(nil, 0), (3, 2)] as [(Int?, Int)] {
                let (memory, database) = try Shop.stores()
                var request = StoreRequest(
                    "Person", where: predicate, sort: [PredicateSortKey("age")], limit: limit, offset: offset)
                request.allowingConstantComparisons = true
                let assignments = [KeyAssignment("nick", .string("changed")), KeyAssignment("boss", .null)]
                #expect(try database.update(request, set: assignments) == memory.update(request, set: assignments))
                let all = StoreRequest("Person", sort: [PredicateSortKey("id")])
                #expect(try database.fetch(all).map(\.attributes) == memory.fetch(all).map(\.attributes))
                #expect(try database.delete(request) == memory.delete(request))
                #expect(try database.fetch(all).map(\.primaryKey) == memory.fetch(all).map(\.primaryKey))
            }
        }
    }

    @Test func sortAndLimitArePushedDown() throws {
        let (_, database) = try Shop.stores()
        func plan(_ text: String, _ sort: String, limit: Int?) throws -> FetchPlan {
            try database.plan(
                StoreRequest(
                    "Person", where: FormatPredicate(text), sort: try #require(PredicateSortKey.list(sort)),
                    limit: limit))
        }
        let exact = try plan("age > 3", "name[cd]", limit: 5)
        #expect(exact.residual == nil && exact.sort.isEmpty && !exact.limitsInMemory && exact.reasons.isEmpty)
        #expect(exact.statement.text.hasSuffix("LIMIT ?"))
        // The residual keeps the order. A limit in SQL would drop rows that the residual selects.
        let inexact = try plan("name MATCHES[l] '(?!Z).*'", "name", limit: 5)
        #expect(inexact.residual != nil && inexact.sort.isEmpty && inexact.limitsInMemory)
        #expect(!inexact.statement.text.contains("LIMIT"))
        // A key that SQL cannot sort by is sorted in memory, and the limit is applied after that.
        let unsorted = try plan("age > 3", "tags", limit: 5)
        #expect(unsorted.statement.query.isExact && unsorted.sort == [PredicateSortKey("tags")])
        #expect(unsorted.limitsInMemory && !unsorted.statement.text.contains("LIMIT"))
    }

    /// If the age decides, the residual with its pattern is not evaluated.
    @Test func sureRowsSkipTheResidual() throws {
        let (memory, database) = try Shop.stores()
        let text = "age > 30 OR name MATCHES[l] '(?!Z).*'"
        let request = StoreRequest("Person", where: try FormatPredicate(text), sort: [PredicateSortKey("id")])
        let statement = try database.plan(request).statement
        #expect(statement.hasCertain && statement.text.contains(#"("t0"."age" > ?) IS TRUE AS "__sure""#))
        let found = try database.fetch(request)
        #expect(found.map(\.primaryKey) == (try memory.fetch(request).map(\.primaryKey)))
        let sure = found.filter(\.isCertain)
        #expect(sure.count == found.count { if case .integer(let age) = $0["age"] { age > 30 } else { false } })
        #expect(!sure.isEmpty && sure.count < found.count)
        for (limit, offset) in [(nil, 0), (nil, 150), (7, 5), (500, 3), (0, 0)] as [(Int?, Int)] {
            let window = StoreRequest("Person", where: request.predicate, limit: limit, offset: offset)
            #expect(try database.count(window) == memory.count(window), "\(limit as Int?), \(offset)")
        }
        // The pattern is the first term and may fail, so the age cannot make a row sure.
        let mirrored = try FormatPredicate("name MATCHES[l] '(?!Z).*' OR age > 30")
        #expect(try !database.plan(StoreRequest("Person", where: mirrored)).statement.hasCertain)
    }

    /// For the long name ICU exceeds its limit: the pattern neither matches nor fails to match, in SQL and in memory.
    @Test(.cases) func patternsThatGiveUpSelectNothing() {
        let cases: [(String, [Int64])] = [
            ("name MATCHES '(a+)+(?=b)b'", [3]), ("NOT name MATCHES '(a+)+(?=b)b'", [1, 2]),
            ("name MATCHES '(a+)+(?=b)b' OR id < 3", [1, 2, 3]), ("id == 0 OR name MATCHES '(a+)+(?=b)b'", [0, 3]),
        ]
        forEachCase(cases) { text, ids in
            let attributes = [
                PredicateSchema.Attribute("id", .integer), PredicateSchema.Attribute("name", .string, isOptional: true),
            ]
            let schema = try PredicateSchema([.init("Word", table: "word", primaryKey: ["id"], attributes: attributes)])
            let names: [PredicateValue] = [
                .string(String(repeating: "a", count: 60)), .string("b"), .null, .string("aab"),
            ]
            let objects = names.enumerated().map { id, name in
                ValueDictionary([("id", .integer(Int64(id))), ("name", name)])
            }
            let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
            _ = try database.rows("CREATE TABLE word (id INTEGER PRIMARY KEY, name TEXT)")
            for (id, name) in names.enumerated() {
                _ = try database.rows("INSERT INTO word VALUES (?, ?)", [.integer(Int64(id)), name])
            }
            let request = StoreRequest("Word", where: try FormatPredicate(text), sort: [PredicateSortKey("id")])
            #expect(try database.plan(request).statement.query.isExact)
            #expect(try database.fetch(request).map(\.primaryKey) == ids.map { [.integer($0)] })
            let memory = try InMemoryStore(schema, ["Word": objects])
            #expect(try memory.fetch(request).map(\.primaryKey) == ids.map { [.integer($0)] })
        }
    }

    @Test func boundsContainTheCount() throws {
        let (_, database) = try Shop.stores()
        func counted(
            _ text: String, limit: Int? = nil, offset: Int = 0
        ) throws -> (count: Int, bounds: ClosedRange<Int>) {
            let request = StoreRequest("Person", where: try FormatPredicate(text), limit: limit, offset: offset)
            let count = try database.count(request)
            let statement = try request.predicate.sql(.bounds, .sqlite, entity: "Person", in: database.schema)
            let bounds = try database.rows(statement.text, statement.bindings)[0].map { bound in
                guard case .integer(let number) = bound else { return 0 }
                return min(max(0, Int(number) - offset), limit ?? .max)
            }
            return (count, bounds[0]...bounds[1])
        }
        let sure = try counted("age > 30").count
        #expect(try counted("age > 30").bounds == sure...sure)
        let pattern = "name MATCHES[l] '(?!Z).*'"
        let inexact = try counted("age > 30 OR \(pattern)")
        #expect(inexact.bounds == sure...200 && inexact.bounds.contains(inexact.count) && inexact.count < 200)
        #expect(try counted("age > 30 OR \(pattern)", limit: 150, offset: 10).bounds == sure - 10...150)
        // The cases: a subquery makes some rows sure; no condition makes a row sure; a condition follows one that may
        // fail.
        let orders = try counted("orders.@count > 1").count
        #expect(try counted("orders.@count > 1 OR \(pattern)").bounds == orders...200)
        #expect(try counted(pattern).bounds == 0...200)
        #expect(try counted("\(pattern) OR age > 30").bounds == 0...200)
        #expect(try counted("\(pattern) AND age > 30").bounds == 0...sure)
        #expect(throws: StoreFailure.self) { try counted("agge > 30") }
    }

    /// Numbers that are too small, and paths that are no relationships, are refused by every call.
    @Test func impossibleRequestsAreRefused() throws {
        let cases: [((inout StoreRequest) -> Void, String)] = [
            ({ $0.limit = -1 }, "'limit' cannot take -1: give 0 or more"),
            ({ $0.offset = -2 }, "'offset' cannot take -2: give 0 or more"),
            ({ $0.batchSize = 0 }, "'batchSize' cannot take 0: give 1 or more"),
            ({ $0.prefetch = ["name"] }, "'prefetch' cannot take the attribute 'name': name relationships"),
            ({ $0.prefetch = ["boss.name"] }, "'prefetch' cannot take the attribute 'name': name relationships"),
        ]
        for store in [try Shop.stores().memory, try Shop.stores().database] as [any PredicateStore] {
            for (change, message) in cases {
                var request = StoreRequest("Person", sort: [PredicateSortKey("id")])
                change(&request)
                let calls: [(StoreRequest) throws -> Void] = [
                    { _ = try store.fetch($0) }, { _ = try store.count($0) }, { _ = try store.one($0) },
                    { _ = try store.page($0) }, { _ = try store.delete($0) },
                    { _ = try store.update($0, set: [KeyAssignment("name", "x")]) },
                    { _ = try store.update($0, set: []) }, { _ = try store.records($0) },
                    { request in
                        var request = request
                        (request.properties, request.groupBy, request.sort) = (["@count"], ["name"], [])
                        _ = try store.records(request)
                    },
                ]
                for (index, call) in calls.enumerated() {
                    let failure = #expect(throws: StoreFailure.self) { try call(request) }
                    let found = failure?.diagnostics.map { "\($0.message): \($0.label ?? "")" }
                    #expect(found == [message], "call \(index)")
                }
            }
            #expect(try store.fetch(StoreRequest("Person", limit: 0)).isEmpty)
        }
        #expect(throws: StoreFailure.self) { try Shop.stores().database.violations(sample: -1) }
        let select = SQLQuery.Request.select(limit: -1)
        #expect(throws: PredicateFailure.self) {
            try FormatPredicate.constant(true).sql(select, .sqlite, entity: "Person", in: Shop.schema())
        }
    }

    @Test func everyCallChecksTheRequest() throws {
        for store in [try Shop.stores().memory, try Shop.stores().database] as [any PredicateStore] {
            var request = StoreRequest("Person", matching: ["id": 3])
            request.prefetch = ["bos"]
            #expect(throws: StoreFailure.self) { try store.fetch(request) }
            #expect(throws: StoreFailure.self) { try store.count(request) }
            #expect(throws: StoreFailure.self) { try store.delete(request) }
            #expect(throws: StoreFailure.self) { try store.update(request, set: [KeyAssignment("name", "x")]) }
            let constant = StoreRequest("Person", where: try FormatPredicate("1 == 1"))
            #expect(throws: StoreFailure.self) { try store.update(constant, set: []) }
            #expect(try store.count(StoreRequest("Person", matching: ["id": 3])) == 1)
        }
    }

    @Test func relationshipsAreLoadedOnAccess() throws {
        for store in [try Shop.stores().memory, try Shop.stores().database] as [any PredicateStore] {
            let object = try #require(try store.fetch(StoreRequest("Person", where: FormatPredicate("id == 11"))).first)
            #expect(object["name"] == .string("Grace") || object["name"] != .null)
            #expect(object.value(at: "boss.id") == .integer(5))
            #expect(object.value(at: "boss.boss.id") == .integer(2))
            #expect(object.value(at: "friends.id") == .array([.integer(11), .integer(28), .integer(45)]))
            #expect(object.value(at: "nothing") == .null)
            try object.checkFaults()
        }
    }

    @Test func openCursorsAllowOtherRequests() throws {
        let (_, database) = try Shop.stores()
        let cursor = try database.cursor(StoreRequest("Person"))
        var count = 0
        while let person = try cursor.next() {
            if count == 3 { #expect(try database.count(StoreRequest("Person")) == 200) }
            _ = person.value(forKey: "orders")
            count += 1
        }
        #expect(count == 200)
        #expect(try cursor.next() == nil)
    }

    @Test func errorsAreTyped() throws {
        let (_, database) = try Shop.stores()
        #expect(errorText { _ = try database.fetch(StoreRequest("Persn")) }.contains("did you mean Person?"))
        let sorted = StoreRequest("Person", sort: [PredicateSortKey("nme"), PredicateSortKey("agge")])
        let sentence = errorText { _ = try database.fetch(sorted) }
        #expect(sentence.contains("did you mean name?") && sentence.contains("did you mean age?"))
        #expect(errorText { _ = try database.rows("SELEC") }.contains("syntax error"))
        #expect(
            errorText { _ = try SQLiteStore(path: "/nowhere/at/all.sqlite") }
                == "cannot open '/nowhere/at/all.sqlite': unable to open database file")
        let update = [KeyAssignment("age", .string("old"))]
        #expect(errorText { _ = try database.update(StoreRequest("Person"), set: update) }.contains("cannot set 'age'"))
        _ = try database.rows("UPDATE person SET age = 'old' WHERE id = 1")
        #expect(
            errorText { _ = try database.fetch(StoreRequest("Person")) }
                == "person.age has a text, but the schema says an integer")
    }

    @Test(.cases) func valuesOfAnotherTypeAreReportedAndOtherRowsReturned() {
        forEachCase(["TRUEPREDICATE", "name MATCHES '(?!zz).*'"] as [String]) { text in
            let (_, database) = try Shop.stores()
            _ = try database.rows("UPDATE person SET age = 'old' WHERE id IN (0, 21, 22, 199)")
            let known = try database.rows("SELECT id, name, nick FROM person WHERE typeof(age) <> 'text' ORDER BY id")
            let cursor = try database.cursor(
                StoreRequest("Person", where: FormatPredicate(text), sort: [PredicateSortKey("id")]))
            var (found, failures): ([[PredicateValue]], Int) = ([], 0)
            while true {
                do throws(StoreFailure) {
                    guard let object = try cursor.next() else { break }
                    found.append([object["id"], object["name"], object["nick"]])
                } catch {
                    failures += 1
                }
            }
            #expect(failures == 4)
            #expect(found == known)
        }
    }

    @Test func cancelledTasksThrow() async throws {
        let (_, database) = try Shop.stores()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try database.fetch(StoreRequest("Person")).count
        }
        task.cancel()
        await #expect(throws: StoreFailure.self) { try await task.value }
    }
}

@Suite struct IntrospectionTests {
    static func open(_ statements: [String]) throws -> (store: SQLiteStore, path: String) {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
        let writer = try SQLiteStore(path: path, mode: .create, foreignKeys: .off)
        for statement in statements { _ = try writer.rows(statement) }
        return (try SQLiteStore(path: path), path)
    }

    static let tables = [
        "CREATE TABLE company (id INTEGER PRIMARY KEY, title TEXT NOT NULL)",
        """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, "odd.name" TEXT COLLATE NOCASE, age INT,
        height DOUBLE, photo BLOB, vip BOOLEAN, mixed INTEGER, what, born NUMERIC, upper TEXT AS (upper(name)) VIRTUAL,
        employer_id INTEGER REFERENCES company, boss_id INTEGER REFERENCES person(id))
        """,
        "CREATE TABLE tag (word TEXT PRIMARY KEY) WITHOUT ROWID",
        "CREATE TABLE person_tag (p INTEGER REFERENCES person(id), t TEXT REFERENCES tag(word), PRIMARY KEY (p, t))",
        "CREATE TABLE plain (x TEXT)",
        "CREATE TABLE pair (a INTEGER, b TEXT, PRIMARY KEY (b, a))",
        "CREATE VIEW grown AS SELECT id, name FROM person WHERE age > 20",
        "INSERT INTO company VALUES (1, 'Engines')",
        """
        INSERT INTO person (id, name, "odd.name", age, height, vip, mixed, what, born, employer_id, boss_id)
        VALUES (1, 'Ada', 'X', 36, 1, 1, 'text', 'w', 1.5, 1, 1), (2, 'Bob', 'x', 20, NULL, 0, 3, NULL, 2, NULL, 1)
        """,
        "INSERT INTO tag VALUES ('math')", "INSERT INTO person_tag VALUES (1, 'math')",
        "INSERT INTO plain VALUES ('y')",
    ]

    @Test func schemaIsRead() throws {
        let (store, path) = try Self.open(Self.tables)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let schema = store.schema
        #expect(schema.entityNames == ["company", "grown", "pair", "person", "person_tag", "plain", "tag"])
        let person = try #require(schema.entity("person"))
        let types = Dictionary(uniqueKeysWithValues: person.attributes.map { ($0.name, $0.type) })
        #expect(types["name"] == .string && types["odd_name"] == .string && types["age"] == .integer)
        #expect(types["height"] == .double && types["photo"] == .data && types["vip"] == .boolean)
        #expect(
            types["mixed"] == .any && types["what"] == .string && types["born"] == .double && types["upper"] == .string)
        #expect(person.attributes.first { $0.name == "name" }?.isOptional == false)
        #expect(person.attributes.first { $0.name == "age" }?.isOptional == true)
        #expect(person.relationships.map(\.name).sorted() == ["boss", "employer", "person_boss", "tag"])
        #expect(schema.entity("company")?.relationships.map(\.name) == ["person"])
        #expect(schema.entity("plain")?.primaryKey == ["rowid"])
        #expect(schema.entity("pair")?.primaryKey == ["b", "a"])
        #expect(schema.entity("tag")?.relationships.map(\.name) == ["person"])
    }

    @Test(.cases) func predicatesOnAReadSchema() {
        let cases: [(String, [String])] = [
            ("employer.title == 'Engines'", ["Ada"]), ("ANY person_boss.name == 'Bob'", ["Ada"]),
            ("ANY tag.word == 'math'", ["Ada"]), ("odd_name == 'x'", ["Bob"]), ("odd_name BEGINSWITH 'X'", ["Ada"]),
            ("odd_name IN {'x', 'y'}", ["Bob"]), ("mixed == 3", ["Bob"]), ("upper == 'ADA'", ["Ada"]),
            ("born < 1.75", ["Ada"]),
        ]
        forEachCase(cases) { text, names in
            let (store, path) = try Self.open(Self.tables)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let found = try store.fetch(
                StoreRequest("person", where: FormatPredicate(text), sort: [PredicateSortKey("name")]))
            #expect(found.map { $0["name"] } == names.map(PredicateValue.string))
        }
    }

    /// An index has the collation of its column. The rows that the index finds are then compared exactly.
    @Test(.cases) func indicesOfCollatedColumnsAreUsed() {
        forEachCase(
            ["odd_name == 'x'", "odd_name IN {'x', 'y'}", "odd_name == 'x' OR odd_name == 'y'"] as [String]
        ) { text in
            let (store, path) = try Self.open(Self.tables + ["CREATE INDEX by_odd_name ON person (\"odd.name\")"])
            defer { try? FileManager.default.removeItem(atPath: path) }
            let request = StoreRequest("person", where: try FormatPredicate(text))
            let plan = try store.explain(request)
            #expect(plan.contains { $0.contains("USING INDEX by_odd_name") }, "\(plan)")
            #expect(try store.fetch(request).map { $0["name"] } == [.string("Bob")])
        }
    }

    @Test func readOnlyStoresChangeNothing() throws {
        let (store, path) = try Self.open(Self.tables)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: StoreFailure.self) { try store.delete(StoreRequest("plain")) }
        #expect(throws: StoreFailure.self) { try store.rows("DELETE FROM plain") }
        #expect(try store.count(StoreRequest("plain")) == 1)
    }

    @Test func violationsAreReported() throws {
        let schema = try PredicateSchema([
            .init(
                "person", primaryKey: ["id"],
                attributes: [
                    .init("name", .string), .init("age", .string, isOptional: true), .init("height", .double),
                    .init("gone", .string),
                ],
                relationships: [.init("employer", to: "company", link: .column("employer_id"))]),
            .init("company", primaryKey: ["id"], attributes: [.init("title", .string)]),
            .init("nowhere", attributes: [.init("x", .string)]),
        ])
        let (_, path) = try Self.open(Self.tables + ["UPDATE person SET employer_id = 77 WHERE id = 2"])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let found = try SQLiteStore(path: path, schema: schema).violations().map(\.description)
        #expect(
            found == [
                "person.gone does not exist", "person.age is INT, which converts numeric texts to numbers",
                "person.age has integer, but the schema says string (2 rows, the first with rowid 1)",
                "person.height has NULL, but the schema says that it is not optional (1 row with rowid 2)",
                "person.employer_id refers to rows of company that do not exist (1 row with rowid 2)",
                "nowhere does not exist",
            ])
    }
}

/// The text of the error that `body` throws, which it has to do.
func errorText(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) -> String {
    let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try body() }
    return error.map { "\($0)" } ?? ""
}
