// swift-format-ignore-file
// The Swift of "Saving and editing predicates", compiled and run.

import Foundation
import Predicates
import Testing

@Suite struct SavingExamples {
    @Test func saving() throws {
        // Saving-and-editing-predicates {
        let format = try FormatPredicate("%K BEGINSWITH[cd] %@", "name", "O'Hara")
        let typed = try FormatPredicate(text: "name BEGINSWITH[cd] \"O'Hara\"")
        let same = format == typed  // true: predicates are compared by their trees
        // } Saving-and-editing-predicates
        #expect(same)

        // Saving-and-editing-predicates {
        let dated = try FormatPredicate("due < %@", Date(timeIntervalSinceReferenceDate: 0.125))
        let saved = try JSONEncoder().encode(dated)  // {"format":"due < %@","arguments":[{"$date":0.125}]}
        let loaded = try JSONDecoder().decode(FormatPredicate.self, from: saved)
        let isSame = loaded == dated  // true
        // } Saving-and-editing-predicates
        #expect(isSame)
        #expect(String(decoding: saved, as: UTF8.self).contains(#"[{"$date":0.125}]"#))

        // Saving-and-editing-predicates {
        let odd = try FormatPredicate("seen > %@ AND %K == %@", Date(timeIntervalSinceReferenceDate: 0.25), "first name", "Ada")
        let exact = odd.exactDescription  // seen > CAST(0.25, "$date") AND CAST("first name", "$key") == "Ada"
        let again = try FormatPredicate(text: exact)
        let isEqual = again == odd  // true
        // } Saving-and-editing-predicates
        #expect(isEqual)
        #expect(exact == #"seen > CAST(0.25, "$date") AND CAST("first name", "$key") == "Ada""#)
    }

    @Test func editing() throws {
        // Saving-and-editing-predicates {
        let search = ["age >= 21", "city == 'Paris'"].map { try? FormatPredicate(text: $0) }
        let filter = FormatPredicate.and(search.compactMap { $0 })
        let shown = filter.description  // age >= 21 AND city == "Paris"
        // } Saving-and-editing-predicates
        #expect(shown == #"age >= 21 AND city == "Paris""#)

        // Saving-and-editing-predicates {
        let template = try FormatPredicate("city == $city AND age >= $least")
        let paris = try template.substituting(["city": "Paris", "least": 21])
        let text = paris.description  // city == "Paris" AND age >= 21
        // } Saving-and-editing-predicates
        #expect(text == #"city == "Paris" AND age >= 21"#)

        // Saving-and-editing-predicates {
        var keys: Set<String> = []
        PredicateWalker(expression: { node in
            if case .keyPath(let path) = node.kind { keys.insert(path.joined(separator: ".")) }
        }).walk(filter.root)
        // keys: ["age", "city"]

        let folded = PredicateRewriter<Never>(predicate: { node in
            guard case .comparison(var comparison) = node.kind, comparison.operator == .equal else { return node }
            comparison.options = [.caseInsensitive, .diacriticInsensitive]
            return PredicateNode(.comparison(comparison), span: node.span)
        }).rewrite(filter.root)
        let relaxed = FormatPredicate(folded).description  // age >= 21 AND city ==[cd] "Paris"
        // } Saving-and-editing-predicates
        #expect(keys == ["age", "city"])
        #expect(relaxed == #"age >= 21 AND city ==[cd] "Paris""#)
    }

    @Test func renaming() throws {
        // Saving-and-editing-predicates {
        let version1 = try PredicateSchema([
            .init("Item", attributes: [.init("name", .string)], relationships: [.init("tags", toMany: "Tag")]),
            .init("Tag", attributes: [.init("name", .string)]),
        ])
        var title = PredicateSchema.Attribute("title", .string)
        title.formerly = "name"
        let version2 = try PredicateSchema([
            .init("Item", attributes: [title], relationships: [.init("tags", toMany: "Tag")]),
            .init("Tag", attributes: [.init("name", .string)]),
        ])
        let old = try FormatPredicate("name == 'x' AND SUBQUERY(tags, $t, $t.name == 'y').@count > 0")
        let new = try old.renamed(from: version1, to: version2, entity: "Item")
        let saved = new.description  // title == "x" AND SUBQUERY(tags, $t, $t.name == "y").@count > 0
        // } Saving-and-editing-predicates
        #expect(saved == #"title == "x" AND SUBQUERY(tags, $t, $t.name == "y").@count > 0"#)
    }
}
