// swift-format-ignore-file
// The Swift of the article "Predicates", compiled and run.

import Predicates
import Testing

// Predicates {
struct Film: Queryable {
    var title: String
    var year: Int
    static let keys: KeyTable<Film> = [.key("title", \.title), .key("year", \.year)]
}
// } Predicates

@Suite struct PredicatesExamples {
    @Test func films() throws {
        // Predicates {
        let films = [Film(title: "Metropolis", year: 1927), Film(title: "M", year: 1931), Film(title: "Vertigo", year: 1958)]
        let typed = try FormatPredicate(text: "year < 1940")  // from a person
        let old = try films.filter(typed && FormatPredicate("title != %@", "M")).map(\.title)  // ["Metropolis"]
        let order = try films.sorted(by: [PredicateSortKey("year", descending: true)]).map(\.title)  // ["Vertigo", "M", "Metropolis"]
        // } Predicates
        #expect(old == ["Metropolis"])
        #expect(order == ["Vertigo", "M", "Metropolis"])
    }
}
