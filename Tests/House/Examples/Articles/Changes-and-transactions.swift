// swift-format-ignore-file
// The Swift of "Changes and transactions". `.ci/examples` puts the blocks of the article in and runs it.

import PredicateStores
import Testing

@Suite struct ChangesAndTransactionsExamples {
    @Test func writing() throws {
        // block: let shop = try SQLiteStore(path: ":memory:", mode: .create)
        #expect(pencil?["price"] == .double(2))
    }

    @Test func deleteRules() throws {
        // block: var items = PredicateSchema.Relationship("items", toMany: "item", link: .foreignKey("list_id"))
        #expect(left == 0)
    }
}
