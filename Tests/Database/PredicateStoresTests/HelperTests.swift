// Tests of the helpers for common requests.

import PredicateStores
import Testing

@Suite struct HelperTests {
    @Test func objectsAreFoundByTheirKeys() throws {
        let (memory, database) = try Shop.stores()
        for store in [memory, database] as [any PredicateStore] {
            func ids(_ request: StoreRequest) throws -> [PredicateValue] { try store.fetch(request).map { $0["id"] } }
            #expect(try ids(StoreRequest("Person", matching: ["id": 7])) == [.integer(7)])
            let both: [String: PredicateValue] = ["name": .string("Ada"), "nick": .null]
            let all = try store.fetch(StoreRequest("Person"))
            func count(_ isWanted: (StoredObject) -> Bool) -> Int { all.filter(isWanted).count }
            let isAda = { (one: StoredObject) in one["name"] == .string("Ada") }
            let isNil = { (one: StoredObject) in one["nick"].isNil }
            #expect(try ids(StoreRequest("Person", matching: both)).count == count { isAda($0) && isNil($0) })
            #expect(
                try ids(StoreRequest("Person", matching: both, any: true)).count == count { isAda($0) || isNil($0) })
            #expect(try ids(StoreRequest("Person", matching: ["boss.name": "Ada"])).count > 0)
            #expect(try ids(StoreRequest("Person", matching: [:])).count == 200)
            #expect(try ids(StoreRequest("Person", matching: [:], any: true)).isEmpty)
        }
    }

    @Test func oneReturnsTheOnlyObject() throws {
        let (memory, database) = try Shop.stores()
        for store in [memory, database] as [any PredicateStore] {
            #expect(try store.one(StoreRequest("Person", matching: ["id": 7]))?["id"] == .integer(7))
            #expect(try store.one(StoreRequest("Person", matching: ["id": -7])) == nil)
            let error = try #require(throws: StoreFailure.self) { try store.one(StoreRequest("Person")) }
            #expect(error.description == "several objects of Person match")
        }
    }

    /// One type of error for the texts of a request and the store.
    @Test func requestsTakeTexts() throws {
        let store = try Shop.stores().0
        let all = try store.count(StoreRequest("Person", where: FormatPredicate("age > 30 AND name != nil")))
        #expect(try store.count(StoreRequest("Person", text: "age > 30 AND name != nil")) == all)
        #expect(
            try store.count(StoreRequest("Person", where: "age > %@ AND name != %@", 30, nil, limit: 3)) == min(3, all))
        for text in ["age >", "age > 'x' AND", "age > %@"] {
            do throws(StoreFailure) {
                let found = try store.fetch(StoreRequest("Person", text: text))
                Issue.record("\(found.count)")
            } catch { #expect(!error.diagnostics.isEmpty && error.located.allSatisfy { $0.line == 1 }, "\(error)") }
        }
        let error = try #require(throws: StoreFailure.self) {
            try store.fetch(StoreRequest("Person", text: "nam == 'a'"))
        }
        #expect(error.located.first?.suggestions == ["name"] && error.located.first?.utf16End == 3)
        #expect(StoreFailure.readOnly.diagnostics.isEmpty)
    }

    /// Types have the same names in all messages, and a value is shown so that it differs from what was wanted.
    @Test func messagesOfValuesNameTheTypes() throws {
        let schema = try PredicateSchema([
            .init(
                "Item", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("price", .double), .init("words", .list(of: .string)),
                    .init("day", .date, isOptional: true),
                ])
        ])
        let store = try InMemoryStore(schema, [:])
        let mistakes: [(key: String, value: PredicateValue, sentence: String)] = [
            ("price", true, "it is a number, so it cannot be YES"),
            ("id", 1.5, "it is an integer, so it cannot be 1.5"),
            ("words", [1], "it is a list of texts, so it cannot be {1}"),
            ("day", "soon", "it is a date, so it cannot be \"soon\""),
        ]
        for (key, value, sentence) in mistakes {
            let error = try #require(throws: StoreFailure.self, "\(key) = \(value)") {
                try store.insert([ValueDictionary([(key, value)])], into: "Item")
            }
            #expect(error.description == "error[cannot-assign]: cannot set '\(key)': \(sentence)")
        }
        var sums = StoreRequest("Item")
        sums.properties = ["@sum.day"]
        let error = try #require(throws: StoreFailure.self, "a sum of dates") { try store.records(sums) }
        #expect(error.description == "error[operand-type]: @sum cannot take a date")
    }

    /// A key that an object does not have gets its default, may be nil, or is an error, in every store.
    @Test func keysThatAnObjectDoesNotHave() throws {
        var state = PredicateSchema.Attribute("state", .string)
        state.defaultValue = "new"
        let schema = try PredicateSchema([
            .init(
                "Item", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("name", .string), state, .init("note", .string, isOptional: true),
                ])
        ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try database.create(schema)
        for store in [database, try InMemoryStore(schema, [:])] as [any PredicateStore] {
            let error = try #require(throws: StoreFailure.self, "an object without its name") {
                try store.insert([["id": 1, "name": "a"], ["id": 2]], into: "Item")
            }
            guard case .constraint(let constraint) = error else { throw error }
            #expect(constraint.kind == .notNull && constraint.columns == ["name"])
            #expect(try store.count(StoreRequest("Item")) == 0)
            try store.insert([["id": 1, "name": "a"]], into: "Item")
            try store.upsert([["id": 1, "note": "n"]], into: "Item")
            #expect(throws: StoreFailure.self) { try store.upsert([["id": 1, "note": "m"], ["id": 2]], into: "Item") }
            try store.upsert([["id": 1]], into: "Item")
            let item = try #require(try store.one(StoreRequest("Item")))
            #expect(["name", "state", "note"].map { item[$0] } == ["a", "new", "n"])
        }
    }
}
