// swift-format-ignore-file
// The Swift of "Speed: which call to use". `.ci/examples` puts the blocks of the article in and runs it.

import Predicates
import Testing

// block: struct Song: Queryable {

@Suite struct SpeedExamples {
    @Test func examples() async throws {
        // block: let songs = [Song(title: "Élégie", plays: 12), Song(title: "Blues", plays: 3)]
        #expect(found == ["Élégie"] && !one && many == 1)

        // block: var builder = PredicateTableBuilder()
        #expect(played == 2)
    }
}
