// swift-format-ignore-file
// The Swift of README, compiled and run.

import PredicateSQL

// README {
import Predicates

struct Person: Queryable {
    var name: String
    var age: Int
    var tags: [String]

    static let keys: KeyTable<Person> = [.key("name", \.name), .key("age", \.age), .key("tags", \.tags)]
}
// } README

import Foundation
import PredicateStores
import Testing

@Suite struct ReadmeExamples {
    @Test func filtering() throws {
        // README {
        let people = [
            Person(name: "Élodie", age: 34, tags: ["vip"]), Person(name: "Bob", age: 19, tags: []),
        ]
        let predicate = try FormatPredicate("age >= %@ AND name BEGINSWITH[cd] %@", 21, "e")
        let found = try people.filter(predicate)
        let names = found.map(\.name)  // Élodie
        // } README
        #expect(names == ["Élodie"])

        // README {
        let matcher = try predicate.compiled(for: Person.self)
        let count = people.count(matching: matcher)
        let first = people.first(matching: matcher)
        let isThere = people.contains(matching: matcher)
        // } README
        #expect(count == 1 && isThere)
        #expect(first?.name == "Élodie")

        // README {
        let typed = try FormatPredicate(text: "NOT tags CONTAINS 'vip'")
        let both = predicate && typed
        let text = both.description  // age >= 21 AND name BEGINSWITH[cd] "e" AND (NOT tags CONTAINS "vip")
        let holds = try predicate.evaluate(["age": 30, "name": "Élodie"])  // dictionaries, too
        // } README
        #expect(holds)
        #expect(text == #"age >= 21 AND name BEGINSWITH[cd] "e" AND (NOT tags CONTAINS "vip")"#)
    }

    @Test func stores() throws {
        Project.enter()
        // README {
        let store = try SQLiteStore(path: "Tests/Sessions/fixtures/shop.sqlite")
        let request = FetchRequest("person", where: try FormatPredicate("age > 30"), sort: [SortKey("name")], limit: 10)
        let titles = try store.fetch(request).map { $0.value(at: "employer.title") }
        // } README
        #expect(titles.contains(.string("Compilers")))
    }
}
