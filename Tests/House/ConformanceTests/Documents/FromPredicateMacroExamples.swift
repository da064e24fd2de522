// swift-format-ignore-file
// The Swift of "From #Predicate", compiled and run.

import Foundation
import PredicateFoundation
import Testing

// From-Predicate-macro {
struct Order: Queryable {
    var total: Int
    static let keys: KeyTable<Order> = [.key("total", \.total)]
}

struct Client: Queryable {
    var name: String
    var nickname: String?
    var orders: [Order]

    static let keys: KeyTable<Client> = [
        .key("name", \.name), .key("nickname", \.nickname), .key("orders", \.orders),
    ]
}
// } From-Predicate-macro

@Suite struct FromPredicateMacroExamples {
    @Test func examples() throws {
        // From-Predicate-macro {
        let clients = [
            Client(name: "Ada", nickname: nil, orders: [Order(total: 5), Order(total: 12)]),
            Client(name: "Élodie", nickname: "Lo", orders: []),
        ]
        let big = try clients.filter(FormatPredicate("ANY orders.total > 9")).map(\.name)  // ["Ada"]
        let all = try clients.filter(FormatPredicate("ALL orders.total > 3")).count  // 2: ALL is true of no orders
        let accents = try clients.filter(FormatPredicate("name CONTAINS[cd] 'elo'")).map(\.name)  // ["Élodie"]
        let other = try clients.filter(FormatPredicate("nickname != 'Lo'")).map(\.name)  // ["Ada"]: nil is not 'Lo'
        // } From-Predicate-macro
        #expect(big == ["Ada"] && all == 2)
        #expect(accents == ["Élodie"] && other == ["Ada"])

        // From-Predicate-macro {
        let words = ["ada", "o"]
        let parts = try words.map { try FormatPredicate("name CONTAINS[cd] %@", $0) }
        let any = try clients.filter(FormatPredicate.or(parts)).count  // 2
        let every = try clients.filter(FormatPredicate.and(parts)).count  // 0
        // } From-Predicate-macro
        #expect(any == 2 && every == 0)

        // From-Predicate-macro {
        struct Filter: Codable {
            var least = 9
            var names: [String?] = ["Lo", nil]
        }

        let filter = Filter()
        let captured = #Predicate<Client> { filter.names.contains($0.nickname) && $0.orders.count < filter.least }
        let constants = try FormatPredicate(captured).description
        // (nickname == nil OR nickname IN {"Lo"}) AND orders.@count < 9
        // } From-Predicate-macro
        #expect(constants == #"(nickname == nil OR nickname IN {"Lo"}) AND orders.@count < 9"#)

        // From-Predicate-macro {
        let macro = #Predicate<Client> { $0.nickname == nil && $0.orders.contains { $0.total > 9 } }
        let asText = try FormatPredicate(macro).description
        // nickname == nil AND SUBQUERY(orders, $x1, $x1.total > 9).@count > 0

        let stored = try FormatPredicate("ANY orders.total > 9 AND name BEGINSWITH 'A'")
        let foundation = try stored.foundationPredicate(for: Client.self)
        let same = try clients.filter(foundation).map(\.name)  // ["Ada"]
        // } From-Predicate-macro
        #expect(asText == "nickname == nil AND SUBQUERY(orders, $x1, $x1.total > 9).@count > 0")
        #expect(same == ["Ada"])
    }
}
