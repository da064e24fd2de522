// swift-format-ignore-file
// The Swift of "Saved searches at scale". `.ci/examples` puts the blocks of the article in and runs it.

import PredicateRules
import Testing

private struct Article: Queryable {
    var title: String
    var price: Double
    var tags: [String]
    static let keys: KeyTable<Article> = [.key("title", \.title), .key("price", \.price), .key("tags", \.tags)]
}

@Suite struct SavedSearchesExamples {
    @Test func searches() async throws {
        // block: let alerts = try PredicateSet<String, Article>()
        #expect(found == ["cheap", "accents", "tools"])

        // block: let saw = Article(title: "Saw", price: 120, tags: ["saw"])
        #expect(each == [["cheap", "accents", "tools"], ["tools", "dear"]] && onAllCores)

        // block: var sold = rake
        #expect(news == (["dear"], ["accents", "tools"], ["cheap"]))

        // block: try alerts.insert(FormatPredicate("title.length > 40"), for: "long")
        #expect(reasons == ["!=, NOT and ALL are true for most objects"])
    }
}
