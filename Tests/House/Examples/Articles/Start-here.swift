// swift-format-ignore-file
// The Swift of "Start here". `.ci/examples` puts the blocks of the article in and runs it.

import PredicateSQL

// block: import Predicates

import PredicateStores
import Testing

// block: import Foundation

@Suite struct StartHereExamples {
    @Test func anApp() throws {
        // block: let books = [
        #expect(cheap == ["Germinal"])

        // block: do {
    }

    @Test func dates() throws {
        // block: let people = PredicateEnvironment(language: [.dates, .typedTexts])
        #expect(isInIt)
    }

    @Test func aStore() throws {
        // block: let schema = try PredicateSchema([
        #expect(statement.hasSuffix(#"WHERE "t0"."price" < $1::float8"#))
        #expect(bindings == [.double(10)])
        #expect(left == nil)

        Project.enter()
        do {
            // block: let store = try SQLiteStore(path: "Tests/Tool/Sessions/fixtures/shop.sqlite")
            #expect(names == ["Ada", "Grace", "Zoë", "Élodie"].map(PredicateValue.string))
        }
    }
}
