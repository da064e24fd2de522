// swift-format-ignore-file
// The Swift of "PredicateStores", compiled and run.

import PredicateStores
import PredicateSQL
import Predicates
import Testing

@Suite struct PredicateStoresExamples {
    @Test func sqlite() throws {
        Project.enter()
        // PredicateStores {
        let store = try SQLiteStore(path: "Tests/Sessions/fixtures/shop.sqlite")
        let request = FetchRequest("person", where: try FormatPredicate("age > 30"), sort: [SortKey("name")], limit: 10)
        for person in try store.fetch(request) {
            print(person["name"], person.value(at: "employer.title"))
        }
        let count = try store.count(request)
        let explanation = try store.explain(request)  // the SQL, what stays in memory and why, the engine's plan
        // } PredicateStores
        #expect(count == 3 && !explanation.isEmpty)
    }

    @Test func memory() throws {
        // PredicateStores {
        let schema = try PredicateSchema([
            PredicateSchema.Entity("Item", primaryKey: ["id"], attributes: [PredicateSchema.Attribute("id", .integer), PredicateSchema.Attribute("done", .boolean)])
        ])
        let items = try InMemoryStore(
            schema,
            [
                "Item": [
                    ValueDictionary([("id", .integer(1)), ("done", .bool(false))]),
                    ValueDictionary([("id", .integer(2)), ("done", .bool(true))]),
                ]
            ])
        let open = FetchRequest("Item", where: try FormatPredicate("done == NO"))
        let changed = try items.update(open, set: [SQLAssignment("done", .bool(true))])  // 1
        let left = try items.count(open)  // 0
        // } PredicateStores
        #expect(changed == 1 && left == 0)
    }
}
