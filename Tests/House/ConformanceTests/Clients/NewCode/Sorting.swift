// A client: sorting by keys. NewCodeTests.swift runs it and compiles it in other modes.

import Foundation
import PredicateFoundation

private struct ClientPart: Queryable {
    var name: String
    var size: Double?
    static let keys: KeyTable<ClientPart> = [.key("name", \.name), .key("size", \.size)]
}

enum SortingClient {
    static func run() throws -> [String] {
        let parts = [
            ClientPart(name: "part 10", size: 1), ClientPart(name: "Part 9", size: nil),
            ClientPart(name: "part 1", size: -2), ClientPart(name: "a rather long name, b", size: 1),
            ClientPart(name: "a rather long name, a", size: .nan),
        ]
        func names(_ keys: PredicateSortKey...) throws -> String { "\(try parts.sorted(by: keys).map(\.name))" }
        let rows: [[String: Any]] = [["a": 2], ["b": 1]]
        var builder = PredicateTableBuilder()
        for number in [3, 1, 2] { builder.append(.dictionary(ValueDictionary([("n", .integer(Int64(number)))]))) }
        let keys = [PredicateSortKey("size", descending: true, nils: .first), .localizedStandard("name")]
        let saved = try JSONEncoder().encode(keys)
        return [
            try names(PredicateSortKey("name")), try names(.localizedStandard("name")),
            try names(PredicateSortKey("size"), PredicateSortKey("name", options: [.caseInsensitive])),
            try names(PredicateSortKey("size", descending: true), PredicateSortKey("name")),
            "\(try ["b", "a"].sorted(by: [PredicateSortKey("SELF")])) \(try [3, 1].sorted(by: [PredicateSortKey("SELF")]))",
            "\(try rows.sorted(by: [PredicateSortKey("a")]).map(\.keys.first))",
            "\(try builder.finish().sorted(by: [PredicateSortKey("n", descending: true)]))",
            "\(try JSONDecoder().decode([PredicateSortKey].self, from: saved) == keys)",
            "\(parts.sorted(using: [try PredicateSortKey.Comparator<ClientPart>(PredicateSortKey("name"))]).map(\.name)[0])",
        ]
    }
}
