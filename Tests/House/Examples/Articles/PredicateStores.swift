// swift-format-ignore-file
// The Swift of "PredicateStores". `.ci/examples` puts the blocks of the article in and runs it.

import PredicateStores
import PredicateSQL
import Predicates
import Testing

// block: struct Author: Storable {

@Suite struct PredicateStoresExamples {
    @Test func types() throws {
        // block: let schema = try PredicateSchema(of: [Author.self, Novel.self])
        #expect(titles == ["Notes by Ada"] && raised == 1 && prices == [18, 20] && shown == [20.0, 18.0])
        #expect(second == nil)
    }

    @Test func sqlite() throws {
        Project.enter()
        // block: let store = try SQLiteStore(path: "Tests/Tool/Sessions/fixtures/shop.sqlite")
        #expect(count == 3 && !explanation.isEmpty)
        // block: do {
    }

    @Test func pages() throws {
        Project.enter()
        let store = try SQLiteStore(path: "Tests/Tool/Sessions/fixtures/shop.sqlite")
        // block: var people = StoreRequest("person", sort: [PredicateSortKey("age", descending: true), PredicateSortKey("name")], limit: 2)
        #expect(text == #"{"person, -age, name", 42, "Zoë", 5}"# && following == ["Ada", "Élodie"])
    }

    @Test func records() async throws {
        Project.enter()
        let store = try SQLiteStore(path: "Tests/Tool/Sessions/fixtures/shop.sqlite")
        let request = StoreRequest("person", where: try FormatPredicate("age > 30"), sort: [PredicateSortKey("name")], limit: 10)
        // block: var teams = StoreRequest("person", sort: [PredicateSortKey("@count", descending: true)])
        #expect(people.count == 3 && found.count == 3 && groups.allSatisfy { $0["employer.title"] != .null })
    }
}
