// swift-format-ignore-file
// The Swift of "Filter editors". `.ci/examples` puts the blocks of the article in and runs it. The view is compiled where there is SwiftUI.

import Foundation
import PredicateEditor
import PredicateSQL
import Testing

#if canImport(SwiftUI)
import SwiftUI
#endif

// block: struct Podcast: Queryable {

@Suite struct FilterEditorsExamples {
    @Test func fields() throws {
        // block: var fields = try EditorFields(of: Podcast.self)
        #expect(titles == ["Title", "Rating", "State", "Added", "Tags"])
        #expect(states == ["New", "Started", "Finished"])

        // block: var filter = EditorGroup(.all)
        #expect(problems == ["Rating: a value is missing"])
        #expect(words == "Title contains 'swift' and Added in the last 7 days")
        #expect(predicate.description == #"title CONTAINS[cd] "swift" AND dateAdded BETWEEN {today() - days:(7), now()}"#)
        #expect(found == 1)

        // block: let old = try FormatPredicate("rating > 3 AND ANY tags == 'weekly' AND rating * 2 < 9")
        #expect(rows == "Rating is greater than 3 and any of Tags is exactly 'weekly' and the condition “rating * 2 < 9”")

        // block: let file = #"""
        #expect(try JSONDecoder().decode(EditorGroup.self, from: again) == stored)
        #expect(german == "Rating liegt zwischen 2 und 4 oder State ist eines von New oder Started")
    }
}

#if canImport(SwiftUI)
// block: struct FilterView: View {
#endif
