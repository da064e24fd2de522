// Tests of Core Data stores: entities that share a table, and many-to-many relationships, by the entity numbers
// of the store.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct ManagedObjectTablesTests {
    /// The schema of the model: tables and columns, but neither entity numbers nor join tables.
    private static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Note", table: "ZNOTE", primaryKey: ["Z_PK"],
                attributes: [.init("title", .string, isOptional: true, column: "ZTITLE")],
                relationships: [.init("tags", toMany: "Tag", inverse: "notes")]),
            .init("Memo", table: "ZNOTE", primaryKey: ["Z_PK"], parent: "Note"),
            .init("Sticker", table: "ZNOTE", primaryKey: ["Z_PK"], parent: "Memo"),
            .init(
                "Tag", table: "ZTAG", primaryKey: ["Z_PK"],
                attributes: [.init("word", .string, isOptional: true, column: "ZWORD")],
                relationships: [
                    .init("notes", toMany: "Note", inverse: "tags"),
                    .init("related", toMany: "Tag", inverse: "related"),
                ]),
        ])
    }

    private static func store() throws -> (SQLiteStore, String) {
        let path = NSTemporaryDirectory() + "managed-\(UInt64.random(in: 0 ... .max)).sqlite"
        let maker = try SQLiteStore(path: path, schema: PredicateSchema([]), mode: .create)
        for statement in [
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 4), (2, 'Memo', 1, 0), (3, 'Sticker', 2, 0), (7, 'Tag', 0, 2)",
            "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR)",
            "INSERT INTO ZNOTE VALUES (1, 1, 1, 'a'), (2, 2, 1, 'b'), (3, 3, 1, 'c'), (4, 1, 1, 'd')",
            "CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWORD VARCHAR)",
            "INSERT INTO ZTAG VALUES (1, 7, 1, 'red'), (2, 7, 1, 'blue')",
            "CREATE TABLE Z_1TAGS (Z_1NOTES1 INTEGER, Z_7TAGS INTEGER, PRIMARY KEY (Z_1NOTES1, Z_7TAGS))",
            "INSERT INTO Z_1TAGS VALUES (1, 1), (3, 1), (3, 2)",
        ] { _ = try maker.rows(statement) }
        return (try SQLiteStore(path: path, schema: schema()), path)
    }

    @Test(.cases) func rowsBelongToTheirEntity() {
        let cases: [(String, String, [String])] = [
            ("Note", "TRUEPREDICATE", ["a", "b", "c", "d"]), ("Memo", "TRUEPREDICATE", ["b", "c"]),
            ("Sticker", "TRUEPREDICATE", ["c"]), ("Note", "ANY tags.word == 'red'", ["a", "c"]),
            ("Memo", "tags.@count == 2", ["c"]), ("Note", "NONE tags.word == 'blue'", ["a", "b", "d"]),
            // Evaluated in memory.
            ("Note", "ANY tags.word MATCHES '(b)lue(?=$)'", ["c"]),
        ]
        forEachCase(cases) { entity, text, titles in
            let (store, path) = try Self.store()
            defer { try? FileManager.default.removeItem(atPath: path) }
            let request = StoreRequest(entity, where: try FormatPredicate(text), sort: [PredicateSortKey("title")])
            #expect(try store.fetch(request).map { $0["title"] } == titles.map(PredicateValue.string))
            #expect(try store.violations().isEmpty)
        }
    }

    @Test func manyToManyLinksAreRead() throws {
        let (store, path) = try Self.store()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let request = StoreRequest("Tag", where: try FormatPredicate("ANY notes.title == 'c' AND notes.@count == 1"))
        #expect(try store.fetch(request).map { $0["word"] } == [.string("blue")])
        // It is not known how Core Data stores a relationship that is its own inverse. So the relationship has no link.
        #expect(store.schema.entity("Tag")?.relationships.last?.link == nil)
    }

    /// Without the entity numbers, memos cannot be distinguished from other rows.
    @Test func subentitiesNeedTheStoresNumbers() throws {
        let error = #expect(throws: PredicateFailure.self) {
            try FormatPredicate("title == 'b'").sql(.sqlite, entity: "Memo", in: Self.schema())
        }
        #expect(error?.diagnostics.map(\.id) == [.sqlInexact])
        #expect(try FormatPredicate("title == 'b'").sql(.sqlite, entity: "Note", in: Self.schema()).isExact)
    }
}
