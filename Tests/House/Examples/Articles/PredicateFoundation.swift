// swift-format-ignore-file
// The Swift of the overview of PredicateFoundation. `.ci/examples` puts the blocks of the article in and runs it.

import Foundation
import PredicateFoundation
import Testing

@Suite struct PredicateFoundationExamples {
    @Test func examples() throws {
        // block: let library: [[String: Any]] = [["title": "Emma", "year": 1815], ["title": "Dune", "year": 1965]]
        #expect(titles == ["Dune"])
    }
}
