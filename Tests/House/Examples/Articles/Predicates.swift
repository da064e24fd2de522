// swift-format-ignore-file
// The Swift of the article "Predicates". `.ci/examples` puts the blocks of the article in and runs it.

import Predicates
import Testing

// block: struct Film: Queryable {

@Suite struct PredicatesExamples {
    @Test func films() throws {
        // block: let films = [Film(title: "Metropolis", year: 1927), Film(title: "M", year: 1931), Film(title: "Vertigo", year: 1958)]
        #expect(old == ["Metropolis"])
        #expect(order == ["Vertigo", "M", "Metropolis"])
    }
}
