// Tests of updates whose values are expressions: in SQL, computed in memory, and in a store in memory.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

private struct Item: Queryable {
    var id = 0, name = "", count = 0, spare: Int?, total = 0.0, flag = false, price = Decimal(0), due = Date()
    var box: Box?
    static let keys: KeyTable<Item> = [
        .key("id", \.id), .key("name", \.name), .key("count", \.count), .key("spare", \.spare), .key("total", \.total),
        .key("flag", \.flag), .key("price", \.price), .key("due", \.due), .key("box", \.box),
    ]
    static func describe(_ entity: inout PredicateSchema.Entity) {
        entity[attribute: "price"]?.scale = 2
        entity[attribute: "due"]?.dateStorage = .iso8601
    }
}

private struct Box: Queryable {
    var id = 0, size = 0
    static let keys: KeyTable<Box> = [.key("id", \.id), .key("size", \.size)]
}

@Suite struct ComputedUpdateTests {
    private static let schema = Result { try PredicateSchema(of: [Item.self]) }

    private static let environment = PredicateEnvironment(language: [.dates, .typedTexts])

    private static func fill(_ store: some PredicateStore) throws {
        try store.insert([["id": 1, "size": 10], ["id": 2, "size": 20]], into: "Box")
        try store.insert(
            [
                [
                    "id": 1, "name": "apple", "count": 5, "spare": 1, "total": 2.5, "flag": false, "price": 1.25,
                    "due": PredicateValue.date(0), "box": 1,
                ],
                [
                    "id": 2, "name": "bread", "count": -7, "total": -0.5, "flag": true, "price": 3,
                    "due": PredicateValue.date(60), "box": 2,
                ],
                [
                    "id": 3, "name": "Äpfel", "count": 0, "spare": 9, "total": 1e300, "flag": true, "price": 0,
                    "due": PredicateValue.date(120),
                ],
            ], into: "Item")
    }

    /// The stores: in memory, and SQLite, with the statements that it may use.
    private static func stores() throws -> [any PredicateStore] {
        let schema = try schema.get()
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try database.create(schema)
        let stores: [any PredicateStore] = [try InMemoryStore(schema, [:]), database]
        for store in stores { try fill(store) }
        return stores
    }

    private static func values(_ key: String, _ store: any PredicateStore) throws -> [PredicateValue] {
        try store.fetch(StoreRequest("Item", sort: [PredicateSortKey("id")])).map { $0[key] }
    }

    private static func decimal(_ text: String) -> PredicateValue { DecimalNumber(text).map { .decimal($0) } ?? .null }

    /// The key, its expression, its values afterwards (none if it fails), and whether SQLite computes it in the statement.
    private struct Computed {
        let key: String, text: String, expected: [PredicateValue], inSQL: Bool

        init(_ key: String, _ text: String, _ expected: [PredicateValue], inSQL: Bool = true) {
            (self.key, self.text, self.expected, self.inSQL) = (key, text, expected, inSQL)
        }
    }

    private static let expressions: [Computed] = {
        var all: [Computed] = []
        all.append(Computed("count", "count + 1", [6, -6, 1]))
        all.append(Computed("count", "count * -2 + 3", [-7, 17, 3]))
        all.append(Computed("count", "-count", [-5, 7, 0]))
        all.append(Computed("count", "id", [1, 2, 3]))
        all.append(Computed("count", "(id + 1) * modulus:by:(count, id + 2)", [4, -9, 0]))
        all.append(Computed("count", "100 - (count - modulus:by:(id, 2))", [96, 107, 101]))
        all.append(Computed("total", "price * total", [3.125, -1.5, 0.0], inSQL: false))
        all.append(Computed("spare", "count", [5, -7, 0]))
        all.append(Computed("spare", "spare", [1, .null, 9]))
        all.append(Computed("spare", "nil", [.null, .null, .null]))
        all.append(Computed("total", "total * 2", [5.0, -1.0, 2e300]))
        all.append(Computed("total", "total + count", [7.5, -7.5, 1e300]))
        all.append(Computed("total", "1 / total", [0.4, -2.0, 1e-300], inSQL: false))
        all.append(Computed("total", "count", [5.0, -7.0, 0.0], inSQL: false))
        all.append(Computed("count", "total * 2", [], inSQL: false))
        all.append(Computed("count", "ceiling:(total / 1e300) + 6", [7, 6, 7], inSQL: false))
        all.append(Computed("flag", "TERNARY(name BEGINSWITH 'a', YES, NO)", [true, false, false]))
        all.append(Computed("flag", "TERNARY(name BEGINSWITH[cd] 'a', YES, NO)", [true, false, true], inSQL: false))
        all.append(Computed("flag", "TERNARY(box.size > 15, YES, NO)", [false, true, false], inSQL: false))
        all.append(Computed("flag", "TERNARY(spare == nil OR count > 0, YES, NO)", [true, true, false]))
        all.append(Computed("name", "name", ["apple", "bread", "Äpfel"]))
        all.append(Computed("name", "uppercase:(name)", ["APPLE", "BREAD", "ÄPFEL"], inSQL: false))
        all.append(Computed("spare", "name.length", [5, 5, 5], inSQL: false))
        all.append(Computed("count", "box.size", [], inSQL: false))
        all.append(Computed("price", "price * 2", [decimal("2.5"), decimal("6"), decimal("0")], inSQL: false))
        all.append(Computed("due", "now()", [.date(1000), .date(1000), .date(1000)]))
        all.append(Computed("count", "TERNARY(due == '2001-01-01', 1, 2)", [1, 1, 1], inSQL: false))
        all.append(Computed("count", "TERNARY(due < '2001-01-01T00:01', 1, 2)", [1, 2, 2], inSQL: false))
        all.append(Computed("flag", "TERNARY('2001-01-02' > due, YES, NO)", [true, true, true]))
        all.append(Computed("box", "TERNARY(id == 3, 2, 1)", [1, 1, 2], inSQL: false))
        all.append(Computed("box", "box", [1, 2, .null], inSQL: false))
        return all
    }()

    @Test func valuesAreComputedFromEachObject() throws {
        for one in Self.expressions {
            let (key, text, expected) = (one.key, one.text, one.expected)
            for store in try Self.stores() {
                let assignment = KeyAssignment(key, try FormatExpression(text, arguments: [], in: Self.environment))
                let request = StoreRequest("Item", clock: .at(1000))
                if expected.isEmpty {
                    let before = try Self.values(key, store)
                    #expect(throws: StoreFailure.self, "\(text)") { try store.update(request, set: [assignment]) }
                    #expect(try Self.values(key, store) == before)
                    continue
                }
                #expect(try store.update(request, set: [assignment]) == 3, "\(key) = \(text)")
                let found = try Self.values(key, store)
                // A relationship is compared by the key of its object.
                let keys = found.map { $0.as(StoredObject.self)?["id"] ?? $0 }
                #expect(keys == expected, "\(key) = \(text)")
            }
            let schema = try Self.schema.get()
            let assignment = KeyAssignment(
                key, try FormatExpression(text, arguments: [], in: Self.environment).fixed(at: .at(0)))
            let statement = try? FormatPredicate.constant(true).sql(
                .update([assignment]), .sqlite, entity: "Item", in: schema)
            #expect((statement != nil) == one.inSQL, "\(text): \(statement?.text ?? "")")
        }
    }

    /// A request reads the texts of all its expressions like those of its predicate.
    @Test func textsAreReadInEveryExpressionOfARequest() throws {
        let schema = try Self.schema.get()
        let sort = [PredicateSortKey("TERNARY(due == '2001-01-01T00:01', 0, 1)", in: Self.environment)]
        for store in try Self.stores() {
            let request = StoreRequest("Item", sort: sort, limit: 2)
            let page = try store.page(request)
            #expect(page.objects.map { $0["id"] } == [2, 1])
            #expect(try store.page(#require(page.next)).objects.map { $0["id"] } == [3])
            let row: PredicateValue = .dictionary(["id": 1, "due": PredicateValue.date(0)])
            #expect(try request.position(after: row, in: schema) == page.next?.after)
            var groups = StoreRequest("Item")
            groups.groupBy = ["name"]
            groups.having = try FormatPredicate("@max.due > '2001-01-01T00:01'", arguments: [], in: Self.environment)
            #expect(try store.records(groups).map { $0["name"] } == ["Äpfel"])
        }
    }

    @Test func theStatementComputesOldValues() throws {
        let schema = try Self.schema.get()
        let swap = [
            KeyAssignment("count", try FormatExpression("id * 2")), KeyAssignment("spare", .key("count")),
            KeyAssignment("flag", try FormatPredicate("count > 3")), KeyAssignment("name", "x"),
        ]
        let predicate = try FormatPredicate("name == 'apple'")
        let sqlite = try predicate.sql(.update(swap), .sqlite, entity: "Item", in: schema)
        #expect(
            sqlite.text == """
                UPDATE "Item" AS "t0" SET "count" = COALESCE(CASE WHEN typeof("t0"."id" * ?) = 'integer' THEN "t0"."id" * ? \
                END, abs("t0"."id" & 0 | -9223372036854775808)), "spare" = "t0"."count", \
                "flag" = CASE WHEN "t0"."count" > ? THEN ? ELSE ? END, "name" = ? WHERE "t0"."name" = ?
                """)
        let postgreSQL = try predicate.sql(.update([swap[0], swap[1]]), .postgreSQL, entity: "Item", in: schema)
        #expect(postgreSQL.text.contains(#"CAST(CAST("t0"."id" AS text) || ' cannot be computed' AS bigint))"#))
        #expect(throws: PredicateFailure.self) { try predicate.sql(.update(swap), .mySQL, entity: "Item", in: schema) }
        for store in try Self.stores() {
            #expect(try store.update(StoreRequest("Item", where: predicate), set: swap) == 1)
            let found = try #require(try store.one(StoreRequest("Item", matching: ["id": 1])))
            #expect(["count", "spare", "flag", "name"].map { found[$0] } == [2, 5, true, "x"])
        }
    }

    /// A value that fits no column fails the whole update, and the message has the object.
    @Test func aValueThatDoesNotFitFailsTheWholeUpdate() throws {
        let mistakes: [(key: String, text: String, reason: String)] = [
            ("count", "9223372036854775800 + id * 3", "(Item 3)"),
            ("count", "id * 0.5", "it is an integer, so it cannot be 0.5 (Item 1)"),
            ("count", "TERNARY(id == 2, 'two', id)", "it is an integer, so it cannot be \"two\" (Item 2)"),
            ("count", "spare", "it is not optional (Item 2)"),
            ("total", "total * 1e10 - total * 1e10 * 1e10", "(Item 3)"),
            ("count", "count / (id - 2)", "(Item 2)"), ("name", "id", "it is a text, so it cannot be 1 (Item 1)"),
        ]
        for store in try Self.stores() {
            for (key, text, reason) in mistakes {
                let before = try Self.values(key, store)
                let assignment = KeyAssignment(key, try FormatExpression(text, arguments: [], in: Self.environment))
                let request = StoreRequest("Item", sort: [PredicateSortKey("id")])
                let error = #expect(throws: StoreFailure.self, "\(text)") {
                    try store.update(request, set: [assignment])
                }
                let message = error?.description ?? ""
                #expect(message.contains("cannot set '\(key)': ") && message.contains(reason), "\(text): \(message)")
                #expect(try Self.values(key, store) == before, "\(text)")
            }
            let unknown = KeyAssignment("count", try FormatExpression("cuont + 1"))
            let error = #expect(throws: StoreFailure.self) { try store.update(StoreRequest("Item"), set: [unknown]) }
            #expect(error?.description.contains("cuont") == true)
        }
    }

    @Test func keysMustBeUnique() throws {
        for store in try Self.stores() {
            _ = try store.update(StoreRequest("Item"), set: [KeyAssignment("box", .null)])
            #expect(throws: StoreFailure.self) {
                try store.update(StoreRequest("Item"), set: [KeyAssignment("id", try FormatExpression("id / id"))])
            }
            let next = KeyAssignment("id", try FormatExpression("id + 1"))
            var failure: StoreFailure?
            do throws(StoreFailure) {
                _ = try store.update(StoreRequest("Item", sort: [PredicateSortKey("id")]), set: [next])
            } catch {
                failure = error
            }
            if let failure {
                let isExplained = failure.description.contains("keys must also be unique in between")
                #expect(isExplained && store is SQLiteStore, "\(failure)")
                #expect(try Self.values("id", store) == [1, 2, 3])
            } else {
                #expect(try Self.values("id", store) == [2, 3, 4])
            }
        }
    }

    @Test func listsFollowComputedValues() throws {
        for store in try Self.stores() {
            let request = StoreRequest(
                "Item", where: try FormatPredicate("count > 0"), sort: [PredicateSortKey("count")])
            let more = [KeyAssignment("count", try FormatExpression("count + 7"))]
            if let store = store as? InMemoryStore {
                let list = try store.observe(request)
                _ = try store.update(StoreRequest("Item"), set: more)
                #expect(list.results.map { $0["count"] } == [7, 12])
            } else if let store = store as? SQLiteStore {
                let list = try store.observe(request)
                _ = try store.update(StoreRequest("Item"), set: more)
                #expect(list.results.map { $0["count"] } == [7, 12])
            }
        }
    }

    @Test(arguments: Backend.here) func serversComputeTheSame(_ backend: Backend) throws {
        let schema = try Self.schema.get()
        for one in Self.expressions where one.key != "box" {
            let (key, text, expected) = (one.key, one.text, one.expected)
            let store = try backend.store(schema)
            try (store as? SQLStore<PostgreSQLConnection>)?.create(schema)
            try (store as? SQLStore<ADBCConnection>)?.create(schema)
            try Self.fill(store)
            let assignment = KeyAssignment(key, try FormatExpression(text, arguments: [], in: Self.environment))
            let request = StoreRequest("Item", clock: .at(1000))
            if expected.isEmpty {
                #expect(throws: StoreFailure.self, "\(text)") { try store.update(request, set: [assignment]) }
            } else {
                #expect(try store.update(request, set: [assignment]) == 3, "\(key) = \(text)")
                #expect(try Self.values(key, store) == expected, "\(key) = \(text)")
            }
        }
    }
}
