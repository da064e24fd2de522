// swift-format-ignore-file
// The Swift of "Search fields, errors on screens, Codable objects", compiled and run.

import Foundation
import PredicateFoundation
import Testing

// Search-fields-and-screens {
struct Invoice: Codable {
    enum State: Codable { case open, paid(on: Date) }

    var total: Decimal
    var state: State
}
// } Search-fields-and-screens

@Suite struct SearchFieldsExamples {
    @Test func searching() throws {
        // Search-fields-and-screens {
        let search = PredicateSearch(["title": .string, "author": .string, "year": .integer, "due": .date])
        let typed = #"emma -"jane austen" year:1800..1820"#
        let predicate = search.predicate(for: typed)
        // } Search-fields-and-screens
        let article = try Project.text("Sources/Foundation/PredicateFoundation/PredicateFoundation.docc/Search-fields-and-screens.md")
        #expect(article.contains("```text\n\(predicate)\n```"), "\(predicate)")
    }

    @Test func errors() {
        // Search-fields-and-screens {
        do {
            _ = try FormatPredicate(text: "name BEGINWITH 'A'")
        } catch {
            let sentence = error.localizedDescription  // 'BEGINWITH' is not an operator.
            let advice = error.recoverySuggestion  // Did you mean BEGINSWITH?
            let range = error.diagnostics[0].span.range(in: error.source)
            let place = NSRange(range, in: error.source)  // {5, 9}, in UTF-16
            let text = error.markedSource  // for SwiftUI's Text
            let fixed = error.diagnostics[0].correcting(error.source)  // name BEGINSWITH 'A'
            present(sentence, advice, place, text, fixed)
        }
        // } Search-fields-and-screens
    }

    private func present(_ sentence: String, _ advice: String?, _ place: NSRange, _ text: AttributedString, _ fixed: String?) {
        #expect(fixed == "name BEGINSWITH 'A'")
        #expect(sentence == "'BEGINWITH' is not an operator.")
        #expect(advice == "Did you mean BEGINSWITH?")
        #expect(place == NSRange(location: 5, length: 9))
        #expect(String(text.characters) == "name BEGINWITH 'A'")
    }

    @Test func encodableObjects() throws {
        // Search-fields-and-screens {
        let invoice = Invoice(total: Decimal(string: "0.1")!, state: .paid(on: .now))
        let value = try PredicateValue.encoding(invoice)
        let isPaid = try FormatPredicate("total == %@ AND state.paid.on <= now()", invoice.total).evaluate(value)  // true
        // } Search-fields-and-screens
        #expect(isPaid)

        // Search-fields-and-screens {
        let total = try FormatExpression("total * 3").evaluate(value).as(Decimal.self)  // 0.3
        let rounded = PredicateValue.double(1.5).as(Int.self)  // nil
        // } Search-fields-and-screens
        #expect(total == Decimal(string: "0.3") && rounded == nil)
    }
}
