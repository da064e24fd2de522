// swift-format-ignore-file
// The Swift of "From #Predicate". `.ci/examples` puts the blocks of the article in and runs it.

import Foundation
import PredicateFoundation
import Testing

// block: struct Order: Queryable {

@Suite struct FromPredicateMacroExamples {
    @Test func examples() throws {
        // block: let clients = [
        #expect(big == ["Ada"] && all == 2)
        #expect(accents == ["Élodie"] && other == ["Ada"])

        // block: let words = ["ada", "o"]
        #expect(any == 2 && every == 0)

        // block: struct Filter: Codable {
        #expect(constants == #"(nickname == nil OR nickname IN {"Lo"}) AND orders.@count < 9"#)

        // block: let macro = #Predicate<Client> { $0.nickname == nil && $0.orders.contains { $0.total > 9 } }
        #expect(asText == "nickname == nil AND SUBQUERY(orders, $x1, $x1.total > 9).@count > 0")
        #expect(same == ["Ada"])
    }
}
