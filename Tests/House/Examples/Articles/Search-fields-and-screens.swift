// swift-format-ignore-file
// The Swift of "Search fields, errors on screens, Codable objects". `.ci/examples` puts the blocks of the article in and runs it.

import Foundation
import PredicateFoundation
import Predicates
import Testing

// block: struct Ticket: Queryable {

// block: struct PredicateField {

// block: struct Invoice: Codable {

// block: struct Visit: Queryable {

@Suite struct SearchFieldsExamples {
    @Test func searching() throws {
        // block: let search = PredicateSearch(["title": .string, "author": .string, "year": .integer, "due": .date])
        let article = try Project.text("Sources/Foundation/PredicateFoundation/PredicateFoundation.docc/Search-fields-and-screens.md")
        #expect(article.contains("```text\n\(predicate)\n```"), "\(predicate)")
    }

    @Test func completion() throws {
        // block: var field = PredicateField(text: "sta", schema: try PredicateSchema(of: Ticket.self))
        #expect(Array(values.prefix(3)) == ["\"open\"", "\"waiting\"", "\"done\""])
        #expect(advice == "did you mean \"open\"?" && underlined == "'opn'")
        #expect(field.read().predicate != nil)
        field.text = "status ="
        #expect(field.read().predicate == nil && !field.read().found.isEmpty)
    }

    @Test func errors() {
        // block: do {
    }

    private func present(_ sentence: String, _ advice: String?, _ place: NSRange, _ text: AttributedString, _ fixed: String?) {
        #expect(fixed == "name BEGINSWITH 'A'")
        #expect(sentence == "'BEGINWITH' is not an operator.")
        #expect(advice == "Did you mean BEGINSWITH?")
        #expect(place == NSRange(location: 5, length: 9))
        #expect(String(text.characters) == "name BEGINWITH 'A'")
    }

    @Test func encodableObjects() throws {
        // block: let invoice = Invoice(total: Decimal(string: "0.1")!, state: .paid(on: .now))
        #expect(isPaid)

        // block: let total = try FormatExpression("total * 3").evaluate(value).as(Decimal.self)  // 0.3
        #expect(total == Decimal(string: "0.3") && rounded == nil)
    }

    @Test func warningsAndNotes() throws {
        // block: let environment = PredicateEnvironment(language: [.typedTexts])
        #expect(warnings.isEmpty && notes.map(\.message) == ["read as a date"])
        let article = try Project.text("Sources/Foundation/PredicateFoundation/PredicateFoundation.docc/Search-fields-and-screens.md")
        for typed in ["uuid == '550e8400-e29b-41d4-a716-446655440000'", "n == '3'", "date == '2026-01-01'"] {
            let plain = try FormatPredicate(text: typed).compiled(for: Visit.self).warnings
            let read = try FormatPredicate(text: typed, in: environment).compiled(for: Visit.self).warnings
            #expect(article.contains("| `\(typed)` | \(plain[0].message) | \(read[0].message) |"))
        }
    }
}
