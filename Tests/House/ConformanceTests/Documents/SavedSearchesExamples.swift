// swift-format-ignore-file
// The Swift of "Saved searches at scale", compiled and run.

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
        // Saved-searches-at-scale {
        let alerts = try PredicateSet<String, Article>()
        try alerts.insert(FormatPredicate("price < 20 AND tags CONTAINS 'garden'"), for: "cheap")
        try alerts.insert(FormatPredicate("title BEGINSWITH[cd] %@", "é"), for: "accents")
        try alerts.insert(contentsOf: [
            ("tools", FormatPredicate("ANY tags IN {'saw', 'hammer'}")), ("dear", FormatPredicate("price >= 100")),
        ])
        let rake = Article(title: "Étoile rake", price: 15, tags: ["garden", "saw"])
        let found = alerts.matching(rake)  // ["cheap", "accents", "tools"]
        // } Saved-searches-at-scale
        #expect(found == ["cheap", "accents", "tools"])

        // Saved-searches-at-scale {
        let saw = Article(title: "Saw", price: 120, tags: ["saw"])
        let each = alerts.matching(each: [rake, saw])  // [["cheap", "accents", "tools"], ["tools", "dear"]]
        let onAllCores = try await alerts.matching(concurrently: [rake, saw]) == each  // true
        // } Saved-searches-at-scale
        #expect(each == [["cheap", "accents", "tools"], ["tools", "dear"]] && onAllCores)

        // Saved-searches-at-scale {
        var sold = rake
        sold.price = 120
        let changes = alerts.changes(from: rake, to: sold)
        let news = (changes.entered, changes.stayed, changes.left)  // (["dear"], ["accents", "tools"], ["cheap"])
        // } Saved-searches-at-scale
        #expect(news == (["dear"], ["accents", "tools"], ["cheap"]))

        // Saved-searches-at-scale {
        try alerts.insert(FormatPredicate("title.length > 40"), for: "long")
        try alerts.insert(FormatPredicate("title != 'Saw'"), for: "others")
        let reasons = alerts.statistics.unindexed.filter { $0.id == "others" }.map(\.reason)
        // ["!=, NOT and ALL are true for most objects"]
        // } Saved-searches-at-scale
        #expect(reasons == ["!=, NOT and ALL are true for most objects"])
    }
}
