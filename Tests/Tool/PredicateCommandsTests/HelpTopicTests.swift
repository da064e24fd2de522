// The example predicates of the help are valid.

import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct HelpTopicTests {
    @Test func examplesParse() {
        for topic in HelpTopic.all {
            for example in topic.examples {
                let run = Run(["check", "--extensions", "dates,typed-texts", example.predicate])
                #expect(run.code == 0, "\(topic.name): \(example.predicate)\n\(run.err)")
            }
        }
    }

    @Test func pagesAreInOrder() {
        #expect(HelpTopic.all.map(\.name) == HelpTopic.all.map(\.name).sorted())
        #expect(HelpTopic.all.count > 10)
    }
}
