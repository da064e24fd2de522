// swift-format-ignore-file
// The Swift of the page of PredicateEditor. `.ci/examples` puts the blocks of the article in and runs it.

import PredicateEditor
import Testing

@Suite struct PredicateEditorExamples {
    @Test func overview() {
        // block: var fields = EditorFields([EditorField("title", .text), EditorField("rating", .integer)])
        #expect(predicate.description == #"title CONTAINS[cd] "swift" OR rating >= 4"#)
        #expect(words == "Title contains 'swift' or Stars is at least 4" && same)
    }
}
