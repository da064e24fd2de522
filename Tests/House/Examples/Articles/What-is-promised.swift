// swift-format-ignore-file
// The Swift of "What is promised, and how it is tested". `.ci/examples` puts the blocks of the article in and runs it.

import Predicates
import Testing

@Suite struct WhatIsPromisedExamples {
    @Test func examples() throws {
        // block: var limits = PredicateLimits()
        #expect(report)
        // block: let run = PredicateRun(deadline: .seconds(2))
        #expect(found == [3])
    }
}
