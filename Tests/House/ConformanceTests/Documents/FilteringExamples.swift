// swift-format-ignore-file
// The Swift of "Filtering and sorting in memory", compiled and run.

import Foundation
import Predicates
import Testing

// Filtering-and-sorting {
struct Chapter: Queryable {
    var title: String
    var pages: Int?
    static let keys: KeyTable<Chapter> = [.key("title", \.title), .key("pages", \.pages)]
}
// } Filtering-and-sorting

@Suite struct FilteringExamples {
    @Test func filtering() async throws {
        // Filtering-and-sorting {
        let words = try ["apple", "pear", "fig"].filter("SELF CONTAINS %@", "p")  // ["apple", "pear"]
        let late = try [Date.distantPast, .now].filter(FormatPredicate("SELF > %@", Date(timeIntervalSince1970: 0))).count  // 1
        // } Filtering-and-sorting
        #expect(words == ["apple", "pear"] && late == 1)

        let stream = AsyncStream<Int> { stream in
            for number in 1...3 { stream.yield(number) }
            stream.finish()
        }
        // Filtering-and-sorting {
        let isLarge = try FormatPredicate("SELF > $limit").compiled(for: Int.self, variables: ["limit": 2])
        var numbers = [1, 5, 2, 3]
        let first = numbers.first(matching: isLarge)  // 5
        let count = numbers.count(matching: isLarge)  // 2
        let isThere = numbers.contains(matching: isLarge)  // true
        let start = numbers.partition(matching: isLarge)
        let large = numbers[start...].sorted()  // [3, 5]
        numbers.removeAll(matching: isLarge)  // numbers is [1, 2], in some order
        let lazily = Array((1...).lazy.filter(isLarge).prefix(2))  // [3, 4]
        var arrived: [Int] = []
        for await number in stream.filter(isLarge) { arrived.append(number) }
        // } Filtering-and-sorting
        #expect(count == 2 && isThere)
        #expect(first == 5 && large == [3, 5] && numbers.sorted() == [1, 2] && lazily == [3, 4] && arrived == [3])
    }

    @Test func variables() throws {
        // Filtering-and-sorting {
        var variables: PredicateVariables = ["least": 3]
        variables["name"] = nil
        let isUnnamed = try FormatPredicate("count > $least AND name == $name").evaluate(["count": 4], variables: variables)
        // true
        // } Filtering-and-sorting
        #expect(isUnnamed)
    }

    @Test func sorting() throws {
        // Filtering-and-sorting {
        let chapters = [
            Chapter(title: "Part 10", pages: 8), Chapter(title: "part 9", pages: 8), Chapter(title: "Index", pages: nil),
        ]
        let byPages = try chapters.sorted(by: [PredicateSortKey("pages", descending: true), .localizedStandard("title")]).map(\.title)
        // ["part 9", "Part 10", "Index"]
        let descending = try ["b", "c", "a"].sorted(by: [PredicateSortKey("SELF", descending: true)])  // ["c", "b", "a"]
        // } Filtering-and-sorting
        #expect(byPages == ["part 9", "Part 10", "Index"] && descending == ["c", "b", "a"])
    }
}
