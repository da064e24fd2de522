import PredicateTestSupport
import Testing

@testable import PredicateSyntax

@Suite struct SuggestionsTests {
    static let operators = Keywords.operatorWords

    @Test(.cases) func nearestOperatorIsSuggested() {
        forEachCase(
            [
                ("BEGINWITH", "BEGINSWITH"), ("begniswith", "BEGINSWITH"), ("CONTAIN", "CONTAINS"),
                ("ENDWITH", "ENDSWITH"),
                ("LIEK", "LIKE"),
                ("MATCH", nil), ("MATCHE", "MATCHES"), ("BETWENE", "BETWEEN"), ("xyz", nil), ("", nil), ("IN", "IN"),
                ("I", "IN"),
            ] as [(String, String?)]
        ) { nearestOperatorIsSuggested($0.0, $0.1) }
    }

    private func nearestOperatorIsSuggested(_ word: String, _ expected: String?) {
        #expect(Suggestions.nearest(to: word, in: Self.operators) == expected, "\(word)")
    }

    @Test func firstOfTheNearestIsSuggested() {
        #expect(Suggestions.nearest(to: "cat", in: ["bat", "rat"]) == "bat")
        #expect(Suggestions.nearest(to: "name", in: [String]()) == nil)
        #expect(Suggestions.nearest(to: "b", in: ["a", "B"]) == "B")
        #expect(Suggestions.nearest(to: "b", in: ["a", "ab"]) == "ab")
        #expect(Suggestions.nearest(to: "b", in: ["a"]) == nil)
        #expect(
            Suggestions.nearest(to: String(repeating: "a", count: 65), in: [String(repeating: "a", count: 65)]) == nil)
        #expect(Suggestions.nearest(to: "Größe", in: ["größe"]) == "größe")
    }

    @Test(.cases) func distanceCountsTranspositions() {
        forEachCase(
            [
                ("", "", 0), ("a", "", 1), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "axc", 1),
                ("abcd", "badc", 2),
                ("kitten", "sitting", 3),
            ] as [(String, String, Int)]
        ) { distanceCountsTranspositions($0.0, $0.1, $0.2) }
    }

    private func distanceCountsTranspositions(_ left: String, _ right: String, _ expected: Int) {
        #expect(Suggestions.distance(Array(left.utf8), Array(right.utf8)) == expected)
        #expect(Suggestions.distance(Array(right.utf8), Array(left.utf8)) == expected)
    }
}
