// swift-format-ignore-file
// The Swift of the page of PredicateEditor, compiled and run.

import PredicateEditor
import Testing

@Suite struct PredicateEditorExamples {
    @Test func overview() {
        // PredicateEditor {
        var fields = EditorFields([EditorField("title", .text), EditorField("rating", .integer)])
        fields["rating"]?.title = "Stars"
        let filter = EditorGroup(.any, [.row(EditorRow("title", .containsCD, "swift")), .row(EditorRow("rating", .greaterOrEqual, 4))])
        let predicate = filter.predicate(fields)  // title CONTAINS[cd] "swift" OR rating >= 4
        let words = filter.sentence(fields)  // Title contains 'swift' or Stars is at least 4
        let same = EditorGroup(predicate, fields: fields) == filter  // true
        // } PredicateEditor
        #expect(predicate.description == #"title CONTAINS[cd] "swift" OR rating >= 4"#)
        #expect(words == "Title contains 'swift' or Stars is at least 4" && same)
    }
}
