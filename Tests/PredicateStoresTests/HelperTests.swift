// Tests of the helpers for common requests.

import PredicateModel
import PredicateStores
import PredicateSyntax
import Testing

@Suite struct HelperTests {
    @Test func objectsAreFoundByTheirKeys() throws {
        let (memory, database) = try Shop.stores()
        for store in [memory, database] as [any PredicateStore] {
            func ids(_ request: FetchRequest) throws -> [PredicateValue] {
                try store.fetch(request).map { $0["id"] }
            }
            #expect(try ids(FetchRequest("Person", matching: ["id": 7])) == [.integer(7)])
            let both: [String: PredicateValue] = ["name": .string("Ada"), "nick": .null]
            let all = try store.fetch(FetchRequest("Person"))
            func count(_ isWanted: (StoredObject) -> Bool) -> Int { all.filter(isWanted).count }
            let isAda = { (one: StoredObject) in one["name"] == .string("Ada") }
            let isNil = { (one: StoredObject) in one["nick"].isNil }
            #expect(try ids(FetchRequest("Person", matching: both)).count == count { isAda($0) && isNil($0) })
            #expect(
                try ids(FetchRequest("Person", matching: both, any: true)).count == count { isAda($0) || isNil($0) })
            #expect(try ids(FetchRequest("Person", matching: ["boss.name": "Ada"])).count > 0)
            #expect(try ids(FetchRequest("Person", matching: [:])).count == 200)
            #expect(try ids(FetchRequest("Person", matching: [:], any: true)).isEmpty)
        }
    }

    @Test func oneReturnsTheOnlyObject() throws {
        let (memory, database) = try Shop.stores()
        for store in [memory, database] as [any PredicateStore] {
            #expect(try store.one(FetchRequest("Person", matching: ["id": 7]))?["id"] == .integer(7))
            #expect(try store.one(FetchRequest("Person", matching: ["id": -7])) == nil)
            do throws(StoreFailure) {
                _ = try store.one(FetchRequest("Person"))
                Issue.record("there are several")
            } catch {
                #expect(error.description == "several objects of Person match")
            }
        }
    }

    /// One type of error for the texts of a request and the store.
    @Test func requestsTakeTexts() throws {
        let store = try Shop.stores().0
        let all = try store.count(FetchRequest("Person", where: FormatPredicate("age > 30 AND name != nil")))
        #expect(try store.count(FetchRequest("Person", text: "age > 30 AND name != nil")) == all)
        #expect(
            try store.count(FetchRequest("Person", where: "age > %@ AND name != %@", 30, nil, limit: 3)) == min(3, all))
        for text in ["age >", "age > 'x' AND", "age > %@"] {
            do throws(StoreFailure) {
                let found = try store.fetch(FetchRequest("Person", text: text))
                Issue.record("\(found.count)")
            } catch {
                #expect(!error.diagnostics.isEmpty && error.diagnostics.allSatisfy { $0.line == 1 }, "\(error)")
            }
        }
        do throws(StoreFailure) {
            _ = try store.fetch(FetchRequest("Person", text: "nam == 'a'"))
        } catch {
            #expect(error.diagnostics.first?.suggestions == ["name"] && error.diagnostics.first?.utf16End == 3)
        }
        #expect(StoreFailure.readOnly.diagnostics.isEmpty)
    }
}
