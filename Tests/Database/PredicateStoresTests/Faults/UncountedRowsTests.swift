// Rows that SQLite changes, keeps or deletes without counting them: an observed list has them, and `delete` counts only
// those that are gone.

import PredicateStores
import Testing

@Suite struct UncountedRowsTests {
    private static func row(_ id: Int64, _ name: String) -> ValueDictionary {
        ValueDictionary([("id", .integer(id)), ("name", .string(name))])
    }

    private static func entity(_ name: String) -> PredicateSchema.Entity {
        PredicateSchema.Entity(name, primaryKey: ["id"], attributes: [.init("id", .integer), .init("name", .string)])
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
        _ = try store.rows("INSERT INTO item VALUES (3, 'a')")
        #expect(try Self.ids(list.results) == [2, 3] && Self.ids(store.fetch(Self.all)) == [2, 3])
    }

    /// A change never deletes other rows by a constraint with ON CONFLICT REPLACE.
    @Test func noChangeReplacesRows() throws {
        let store = try Self.store("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT REPLACE)")
        try store.insert([Self.row(1, "a"), Self.row(2, "b")], into: "item")
        let same = [KeyAssignment("name", "x")]
        let tested = StoreRequest("item", where: try FormatPredicate("{name}[0] != 'x'"))
        let writers: [(SQLiteStore) throws -> Int] = [
            { try $0.update(Self.all, set: same) }, { try $0.update(tested, set: same) },
            { try $0.update(Self.all, set: [KeyAssignment("name", try FormatExpression("lowercase:('X')"))]) },
            { try $0.insert([Self.row(3, "a")], into: "item") }, { try $0.upsert([Self.row(3, "a")], into: "item") },
            { try $0.upsert([Self.row(1, "b")], into: "item") },
            { try $0.upsert([["id": 1, "name": "b"]], into: "item") },
        ]
        for (index, write) in writers.enumerated() {
            let error = try #require(throws: StoreFailure.self, "\(index)") { try write(store) }
            guard case .constraint(let constraint) = error else { throw error }
            #expect(constraint.kind == .unique && constraint.columns == ["name"], "\(index)")
            #expect(try Self.ids(store.fetch(Self.all)) == [1, 2], "\(index)")
        }
    }

    /// Rows with NULL in the primary key are rows like others for a condition in SQL. One by one, they have no name.
    @Test func rowsWhoseKeysAreNull() throws {
        let sentence = "the primary key (id) of a row of t is NULL, and the rows are changed one by one, by their keys"
        let cases: [(predicate: String, answer: Int?)] = [
            ("TRUEPREDICATE", 3), ("id == nil", 2), ("u > 1", 2), ("name.length > 0", 3), ("id != nil", 1),
            ("{name}[0] != 'x'", nil), ("{name}[0] != 'x' AND id != nil", 1), ("boss.u == 2", nil),
        ]
        for (text, answer) in cases {
            for deletes in [true, false] {
                let made = try Self.store(
                    "CREATE TABLE t (id TEXT PRIMARY KEY, u INTEGER, name TEXT, boss_id TEXT REFERENCES t (id))",
                    "INSERT INTO t VALUES ('a', 1, 'x1', NULL), (NULL, 2, 'b', NULL), (NULL, 3, 'c', NULL)",
                    text.contains("boss") ? "UPDATE t SET boss_id = 'a', u = 2" : "SELECT 1")
                let store = try made.refreshed()
                let request = StoreRequest("t", where: try FormatPredicate(text))
                do {
                    let count =
                        try deletes ? store.delete(request) : store.update(request, set: [KeyAssignment("u", 9)])
                    let left = deletes ? "SELECT 3 - count(*) FROM t" : "SELECT count(*) FROM t WHERE u = 9"
                    let done = try store.rows(left)
                    #expect(count == answer && done == [[.integer(Int64(count))]], "\(text)")
                } catch {
                    #expect(answer == nil && error.description == sentence, "\(text) \(error)")
                }
            }
        }
    }

    /// SQLite gives the rows of a view to its triggers. The view has no primary key.
    @Test func changesOfAView() throws {
        func store(_ triggers: [String] = ["INSERT", "UPDATE", "DELETE"]) throws -> SQLiteStore {
            let changes = [
                "INSERT": "INSERT INTO item VALUES (NEW.id, NEW.name)",
                "UPDATE": "UPDATE item SET name = NEW.name WHERE id = OLD.id",
                "DELETE": "DELETE FROM item WHERE id = OLD.id",
            ]
            let made = try Self.store(
                "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)",
                "CREATE VIEW shown AS SELECT id, name FROM item", "INSERT INTO item VALUES (1, 'a'), (2, 'b'), (3, 'c')"
            )
            for name in triggers {
                let change = changes[name] ?? ""
                _ = try made.rows("CREATE TRIGGER on_\(name) INSTEAD OF \(name) ON shown BEGIN \(change); END")
            }
            return try made.refreshed()
        }
        let some = StoreRequest("shown", where: try FormatPredicate("id > 1"))
        let tested = StoreRequest("shown", where: try FormatPredicate("{name}[0] != 'x'"))
        let writers: [(name: String, write: (SQLiteStore) throws -> Int, left: String)] = [
            ("update", { try $0.update(some, set: [KeyAssignment("name", "z")]) }, "2: a z z"),
            (
                "computed", { try $0.update(some, set: [KeyAssignment("name", try FormatExpression("name"))]) },
                "2: a b c"
            ),
            ("delete", { try $0.delete(some) }, "2: a"),
            ("insert", { try $0.insert([Self.row(4, "d")], into: "shown") }, "1: a b c d"),
            ("tested", { try $0.update(tested, set: [KeyAssignment("name", "z")]) }, "shown has no primary key: a b c"),
            ("delete tested", { try $0.delete(tested) }, "shown has no primary key: a b c"),
        ]
        for (name, write, left) in writers {
            let store = try store()
            let answer: String
            do { answer = "\(try write(store))" } catch { answer = "\(error)" }
            let names = try store.rows("SELECT name FROM item ORDER BY id").map { $0[0].stringValue ?? "" }
            #expect("\(answer): \(names.joined(separator: " "))" == left, "\(name)")
        }
        let fixed = try store([])
        #expect(throws: StoreFailure.self) { try fixed.update(some, set: [KeyAssignment("name", "z")]) }
        #expect(throws: StoreFailure.self) { try fixed.delete(some) }
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
