// What the server has: books, the keys that a filter may read, and the rule that says who may read which.

import GRDB
import GRDBFilter
import PredicateRules
import PredicateStores

struct Book: Codable, FetchableRecord, PersistableRecord, Queryable {
    static let databaseTableName = "book"

    var id: Int
    var title: String
    var author: String
    var year: Int?
    var price: Double
    var shelf: Int

    static let keys: KeyTable<Book> = [
        .key("id", \.id), .key("title", \.title), .key("author", \.author), .key("year", \.year),
        .key("price", \.price), .key("shelf", \.shelf),
    ]

    static func describe(_ entity: inout PredicateSchema.Entity) { entity.table = databaseTableName }
}

/// Who asks. Here, the headers say it; a real server would have checked a token.
struct Reader: Sendable {
    var isLibrarian: Bool
    var shelf: Int
}

/// Books in SQLite, read through a pool of connections.
struct Library: Sendable {
    let pool: DatabasePool
    let schema: PredicateSchema
    /// Everything but the books of the own shelf is hidden from readers.
    let rule: FormatPredicate

    init(path: String) throws {
        var configuration = Configuration()
        configuration.registerPredicateFunctions()
        pool = try DatabasePool(path: path, configuration: configuration)
        schema = try PredicateSchema(of: [Book.self])
        rule = try FormatPredicate("$reader.isLibrarian == YES OR shelf == $reader.shelf")
        try pool.write { db in
            try db.create(table: Book.databaseTableName, ifNotExists: true) { table in
                table.primaryKey("id", .integer)
                table.column("title", .text).notNull()
                table.column("author", .text).notNull()
                table.column("year", .integer)
                table.column("price", .double).notNull()
                table.column("shelf", .integer).notNull()
            }
        }
    }

    /// The part of the rule that depends on the book.
    func access(_ reader: Reader) throws(PredicateFailure) -> FormatPredicate {
        try rule.partial(knowing: ["isLibrarian": reader.isLibrarian, "shelf": reader.shelf], as: "reader").predicate
    }
}
