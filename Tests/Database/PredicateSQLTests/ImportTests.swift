// An app imports only PredicateSQL: this file must compile without another module of the package.
import PredicateSQL
import Testing

@Suite struct ImportTests {
    @Test func oneImportIsEnough() throws {
        let schema = try PredicateSchema([
            .init("Book", table: "book", primaryKey: ["id"], attributes: [.init("price", .double)])
        ])
        let predicate = try FormatPredicate("price < %@", 10)
        let statement = try predicate.sql(
            .select(sort: [PredicateSortKey("price")]), .sqlite, entity: "Book", in: schema)
        #expect(statement.bindings == [PredicateValue.double(10)])
    }
}
