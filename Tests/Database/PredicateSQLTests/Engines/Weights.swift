// The frequency of each generated construct, with the reason: Tests/House/Engines/weights.json.

import Foundation
import PredicateTestSupport

struct Weights: Decodable, Sendable {
    struct Entry: Decodable, Sendable {
        let weight: UInt64
        let why: String
    }

    /// Names with their weights, in the order of the names.
    struct Choice: Decodable, Sendable {
        private let entries: [(name: String, weight: UInt64)]
        private let total: UInt64

        init(from decoder: any Decoder) throws {
            entries = try [String: Entry](from: decoder).map { ($0.key, $0.value.weight) }.sorted { $0.name < $1.name }
            total = max(1, entries.reduce(0) { $0 + $1.weight })
        }

        /// One name, drawn by weight.
        func pick(_ random: inout SplitMix) -> String {
            var place = random.next() % total
            for (name, weight) in entries {
                if place < weight { return name }
                place -= weight
            }
            return entries.last?.name ?? ""
        }
    }

    let why: String
    let structure: Choice
    let leaves: Choice
    let options: Choice

    static func read() throws -> Weights {
        try JSONDecoder().decode(Weights.self, from: Data(contentsOf: Run.file("weights.json")))
    }
}
