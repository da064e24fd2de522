import PredicateTestSupport
import Testing

@testable import PredicateSyntax

@Suite struct SuggestionsTests {
    static let operators = Keywords.operatorWords

    @Test(.cases) func nearestOperatorIsSuggested() {
        let cases: [(String, String?)] = [
            ("BEGINWITH", "BEGINSWITH"), ("begniswith", "BEGINSWITH"), ("CONTAIN", "CONTAINS"), ("ENDWITH", "ENDSWITH"),
            ("LIEK", "LIKE"), ("MATCH", nil), ("MATCHE", "MATCHES"), ("BETWENE", "BETWEEN"), ("xyz", nil), ("", nil),
            ("IN", "IN"), ("I", "IN"),
        ]
        forEachCase(cases) { word, expected in
            #expect(Suggestions.nearest(to: word, in: Self.operators) == expected, "\(word)")
        }
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
        let cases: [(String, String, Int)] = [
            ("", "", 0), ("a", "", 1), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "axc", 1),
            ("abcd", "badc", 2), ("kitten", "sitting", 3),
        ]
        forEachCase(cases) { left, right, expected in
            #expect(Suggestions.distance(Array(left.utf8), Array(right.utf8)) == expected)
            #expect(Suggestions.distance(Array(right.utf8), Array(left.utf8)) == expected)
        }
    }
}
