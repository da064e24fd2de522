// swift-format-ignore-file
// The Swift of "Filtering and sorting in memory". `.ci/examples` puts the blocks of the article in and runs it.

import Foundation
import Predicates
import Testing

// block: struct Chapter: Queryable {

@Suite struct FilteringExamples {
    @Test func filtering() async throws {
        // block: let words = try ["apple", "pear", "fig"].filter("SELF CONTAINS %@", "p")  // ["apple", "pear"]
        #expect(words == ["apple", "pear"] && late == 1)

        let stream = AsyncStream<Int> { stream in
            for number in 1...3 { stream.yield(number) }
            stream.finish()
        }
        // block: let isLarge = try FormatPredicate("SELF > $limit").compiled(for: Int.self, variables: ["limit": 2])
        #expect(count == 2 && isThere)
        #expect(first == 5 && large == [3, 5] && numbers.sorted() == [1, 2] && lazily == [3, 4] && arrived == [3])
    }

    @Test func variables() throws {
        // block: var variables: PredicateVariables = ["least": 3]
        #expect(isUnnamed)
    }

    @Test func sorting() throws {
        // block: let chapters = [
        #expect(byPages == ["part 9", "Part 10", "Index"] && descending == ["c", "b", "a"])
    }
}
