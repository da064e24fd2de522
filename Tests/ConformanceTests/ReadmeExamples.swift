// swift-format-ignore-file: the blocks stand here as they stand in the README.
// The Swift of README.md, compiled and run; SessionTests compares its blocks with the README.

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
    @Test func examples() throws {
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
        let matcher = try predicate.compiled(for: Person.self)  // bound once; unknown keys are found here
        let count = people.count(matching: matcher)
        let first = people.first(matching: matcher)
        let isThere = people.contains(matching: matcher)

        let holds = try predicate.evaluate(["age": 30, "name": "Élodie"])  // dictionaries, too

        let both = predicate && !FormatPredicate.comparison(.key("tags"), .contains, .value("vip"))
        let text = both.description  // age >= 21 AND name BEGINSWITH[cd] "e" AND (NOT tags CONTAINS "vip")
        // } README
        // README {
        let since = try FormatPredicate("seen > %@", Date(timeIntervalSinceReferenceDate: 0.25))
        let saved = since.exactDescription  // seen > CAST(0.25, "$date")
        let again = try FormatPredicate(text: saved)
        // } README
        #expect(saved == #"seen > CAST(0.25, "$date")"#)
        #expect(again == since)
        #expect(count == 1)
        #expect(first?.name == "Élodie")
        #expect(isThere && holds)
        #expect(text == #"age >= 21 AND name BEGINSWITH[cd] "e" AND (NOT tags CONTAINS "vip")"#)
    }
    @Test func many() async throws {
        let people = [Person(name: "Ada", age: 36, tags: [])]
        let matcher = try FormatPredicate("age > 30").compiled(for: Person.self)
        // README {
        let everybody = try await people.concurrent.count(matching: matcher)  // cancellable, in order

        var builder = TableBuilder()
        try builder.append(["name": "Ada", "age": 36])
        let table = builder.finish()
        let adults = try FormatPredicate("age >= 21").compiled(for: table).count()
        // } README
        #expect(everybody == 1 && adults == 1)
    }

    @Test func stores() throws {
        let path = Project.file("Tests/Sessions/fixtures/shop.sqlite").path
        // README {
        let store = try SQLiteStore(path: path)
        let request = FetchRequest("person", where: try FormatPredicate("age > 30"), sort: [SortKey("name")], limit: 10)
        let titles = try store.fetch(request).map { $0.value(at: "employer.title") }
        // } README
        #expect(titles.contains(.string("Compilers")))
    }
}
