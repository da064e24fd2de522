// A client: a search field. NewCodeTests.swift runs it and compiles it in other modes.

import Foundation
import PredicateFoundation

enum SearchingClient {
    static func run() throws -> [String] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        let search = PredicateSearch(
            ["title": .string, "notes": .string, "year": .integer, "due": .date, "done": .boolean], calendar: calendar)
        let typed = [
            "", "blue -live", "year:1959..1965 \"two words", "year:>3 year:<=1e3", "year: -", "year:abc", "due:today",
            "due:>2024-02 -due:2024-02-30", "DONE:yes", "--:\"'%@\\", "title:x 🎷",
        ]
        return typed.map { search.predicate(for: $0, now: Date(timeIntervalSinceReferenceDate: 3600)).description }
    }
}
