// The frequency of each generated construct, with the reason: Tests/Engines/weights.json.

import Foundation
import PredicateTestSupport

struct Weights: Decodable, Sendable {
    struct Entry: Decodable, Sendable {
        let weight: UInt64
        let why: String
    }

    let why: String
    let structure: [String: Entry]
    let leaves: [String: Entry]
    let options: [String: Entry]

    static func read() throws -> Weights {
        try JSONDecoder().decode(Weights.self, from: Data(contentsOf: Run.file("weights.json")))
    }

    /// One name, drawn by weight.
    static func pick(_ entries: [String: Entry], _ random: inout SplitMix) -> String {
        let sorted = entries.sorted { $0.key < $1.key }
        var place = random.next() % max(1, sorted.reduce(0) { $0 + $1.value.weight })
        for (name, entry) in sorted {
            if place < entry.weight { return name }
            place -= entry.weight
        }
        return sorted.last?.key ?? ""
    }
}
