// Rows that SQLite changes, keeps or deletes without counting them: an observed list has them, and `delete` counts only
// those that are gone.

import PredicateModel
import PredicateStores
import PredicateSyntax
import Testing

@Suite struct UncountedRowsTests {
    private static func row(_ id: Int64, _ name: String) -> ValueDictionary {
        ValueDictionary([("id", .integer(id)), ("name", .string(name))])
    }

    private static func entity(_ name: String) -> PredicateSchema.Entity {
        PredicateSchema.Entity(
            name, primaryKey: ["id"],
            attributes: [PredicateSchema.Attribute("id", .integer), PredicateSchema.Attribute("name", .string)])
    }

    /// A store of items, made by these statements.
    private static func store(_ statements: String..., others: [PredicateSchema.Entity] = []) throws -> SQLiteStore {
        let schema = try PredicateSchema([entity("item")] + others)
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        for statement in statements { _ = try store.rows(statement) }
        return store
    }

    private static func ids(_ objects: some Sequence<StoredObject>) -> [PredicateValue] { objects.map { $0["id"] } }
    private static let all = StoreRequest("item", sort: [PredicateSortKey("id")])

    @Test func listsFollowReplacedRows() throws {
        let store = try Self.store("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT REPLACE)")
        try store.insert([Self.row(1, "a"), Self.row(2, "b")], into: "item")
        let list = try store.observe(Self.all)
        try store.insert([Self.row(3, "a")], into: "item")
        #expect(try Self.ids(list.results) == [2, 3] && Self.ids(store.fetch(Self.all)) == [2, 3])
        try store.update(StoreRequest("item", matching: ["id": 2]), set: [KeyAssignment("name", "a")])
        #expect(try Self.ids(list.results) == [2] && Self.ids(store.fetch(Self.all)) == [2])
    }

    @Test func listsFollowRowsWrittenThroughAView() throws {
        let store = try Self.store(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)", "CREATE VIEW shown AS SELECT id, name FROM item",
            """
            CREATE TRIGGER added INSTEAD OF INSERT ON shown BEGIN INSERT INTO item VALUES (NEW.id, NEW.name); END
            """, others: [Self.entity("shown")])
        let list = try store.observe(Self.all)
        try store.insert([Self.row(1, "a")], into: "shown")
        #expect(Self.ids(list.results) == [1])
    }

    @Test func onlyDeletedRowsAreCounted() throws {
        var note = Self.entity("note")
        note.relationships = [PredicateSchema.Relationship("item", to: "item", link: .column("item_id"))]
        let store = try Self.store(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)",
            "CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT, item_id INTEGER)",
            """
            CREATE TRIGGER kept BEFORE DELETE ON item WHEN OLD.name = 'kept' BEGIN SELECT RAISE(IGNORE); END
            """, others: [note])
        try store.insert([Self.row(1, "a"), Self.row(2, "kept"), Self.row(3, "c")], into: "item")
        #expect(try store.delete(StoreRequest("item")) == 2)
        #expect(try Self.ids(store.fetch(Self.all)) == [2])
    }

    /// A foreign key may delete a row before its own statement.
    @Test func rowsThatAForeignKeyDeletesAreCounted() throws {
        var part = Self.entity("part")
        part.relationships = [PredicateSchema.Relationship("whole", to: "part", link: .column("whole_id"))]
        var note = Self.entity("note")
        note.relationships = [PredicateSchema.Relationship("part", to: "part", link: .column("part_id"))]
        let store = try Self.store(
            """
            CREATE TABLE part (id INTEGER PRIMARY KEY, name TEXT,
            whole_id INTEGER REFERENCES part (id) ON DELETE CASCADE)
            """, "CREATE TABLE note (id INTEGER PRIMARY KEY, name TEXT, part_id INTEGER)", others: [part, note])
        try store.insert([Self.row(1, "a")], into: "part")
        _ = try store.rows("INSERT INTO part VALUES (2, 'b', 1), (3, 'c', 2)")
        #expect(try store.delete(StoreRequest("part")) == 3)
        #expect(try store.count(StoreRequest("part")) == 0)
    }
}
