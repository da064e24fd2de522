// swift-format-ignore-file
// The Swift of "Start here", compiled and run.

import PredicateSQL

// Start-here {
import Predicates

struct Book: Queryable {
    var title: String
    var price: Double
    var tags: [String]

    static let keys: KeyTable<Book> = [.key("title", \.title), .key("price", \.price), .key("tags", \.tags)]
}
// } Start-here

import PredicateStores
import Testing

@Suite struct StartHereExamples {
    @Test func anApp() throws {
        // Start-here {
        let books = [
            Book(title: "Germinal", price: 9.5, tags: ["novel"]), Book(title: "Walden", price: 12, tags: ["essay"]),
        ]
        let predicate = try FormatPredicate("price < %@ AND ANY tags == %@", 10, "novel")
        let cheap = try books.filter(predicate).map(\.title)  // ["Germinal"]
        // } Start-here
        #expect(cheap == ["Germinal"])

        // Start-here {
        do {
            _ = try books.filter(FormatPredicate(text: "pirce < 10"))
        } catch {
            for finding in error.diagnostics {
                print(finding.message, finding.suggestion ?? "")  // Book publishes no key 'pirce' price
            }
        }
        // } Start-here
    }

    @Test func aStore() throws {
        // Start-here {
        let schema = try PredicateSchema([
            PredicateSchema.Entity(
                "Book", table: "book", primaryKey: ["id"],
                attributes: [PredicateSchema.Attribute("title", .string), PredicateSchema.Attribute("price", .double, isOptional: true)])
        ])
        let query = try FormatPredicate("price < %@", 10).sql(.postgreSQL, entity: "Book", in: schema)
        let statement = query.statement  // SELECT … WHERE "t0"."price" < $1::float8
        let bindings = query.bindings  // [10.0]
        let left = query.residual  // nil: the SQL selects exactly the rows for which the predicate is true
        // } Start-here
        #expect(statement.hasSuffix(#"WHERE "t0"."price" < $1::float8"#))
        #expect(bindings == [.double(10)])
        #expect(left == nil)

        Project.enter()
        do {
            // Start-here {
            let store = try SQLiteStore(path: "Tests/Tool/Sessions/fixtures/shop.sqlite")
            let adults = try store.fetch(StoreRequest("person", where: FormatPredicate("age >= 21"), sort: [PredicateSortKey("name")]))
            let names = adults.map { $0["name"] }
            // } Start-here
            #expect(names == ["Ada", "Grace", "Zoë", "Élodie"].map(PredicateValue.string))
        }
    }
}
