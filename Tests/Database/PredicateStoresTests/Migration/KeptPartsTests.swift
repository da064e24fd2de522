// What a migration keeps, what stops it by name, and that it changes nothing when it is stopped.
import Foundation
import PredicateRecords
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct KeptPartsTests {
    private static func database(_ statements: String...) throws -> (path: String, store: SQLiteStore) {
        let path = MigrationTests.file()
        let store = try SQLiteStore(path: path, mode: .create)
        for statement in statements { _ = try store.rows(statement) }
        return (path, store)
    }

    /// A schema with one entity, Item in the table `item`, and more attributes.
    private static func schema(_ attributes: String, version: String = "2", more: String = "") throws -> PredicateSchema
    {
        try MigrationTests.schema(
            """
            { "version": "\(version)", "entities": { "Item": { "table": "item", "primaryKey": "id",
                "attributes": { "id": "integer"\(attributes.isEmpty ? "" : ", ")\(attributes) } }\(more) } }
            """)
    }

    private static func texts(_ store: SQLiteStore) throws -> [String] {
        try store.rows(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'predicate%' ORDER BY rowid"
        )
        .compactMap(\.[0].stringValue)
    }

    @Test func textsBecomeDates() throws {
        let (path, store) = try Self.database(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, born TEXT)",
            "INSERT INTO item VALUES (1, '2024-01-01T00:00:00Z'), (2, NULL)")
        defer { WritingTests.remove(path) }
        let old = try Self.schema("\"born\": {\"type\": \"string\", \"optional\": true}", version: "1")
        let new = try Self.schema("\"born\": {\"type\": \"date\", \"optional\": true}")
        let found = try StoreMigration(path: path, to: new, from: old).check().obstacles.map(\.description)
        #expect(
            found == ["Item.born: it was string and is date: give a mapping for it, such as \"CAST(born, 'NSDate')\""])
        for value in ["CAST(born, 'NSDate')", "born"] {
            let mapping = try MigrationMapping(
                value: JSON.parse(
                    "{\"entities\": {\"Item\": {\"from\": \"Item\", \"values\": {\"born\": \"\(value)\"}}}}"))
            let migration = try StoreMigration(path: path, to: new, from: old, mapping: mapping)
            #expect(try migration.check().obstacles == [], "\(value)")
            if value == "born" { try migration.run() }
        }
        #expect(
            try store.rows("SELECT born, typeof(born) FROM item ORDER BY id") == [
                [.double(725_760_000), .string("real")], [.null, .string("null")],
            ])
    }

    /// Obstacles of all kinds are reported together: a type, values, references and an index.
    @Test func allObstaclesAreListed() throws {
        let (path, _) = try Self.database(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, a TEXT, b INTEGER, c TEXT)", "CREATE INDEX by_c ON item (c)",
            "CREATE TABLE tag (id INTEGER PRIMARY KEY, word TEXT)",
            "CREATE TABLE note (item REFERENCES item(id), tag REFERENCES tag(id))",
            "INSERT INTO item VALUES (1, 'x', NULL, 'c'), (2, 'y', 5, 'c')",
            "INSERT INTO tag VALUES (1, 'one'), (2, 'two')", "INSERT INTO note VALUES (1, 1), (2, 2)")
        defer { WritingTests.remove(path) }
        let tag =
            ", \"Tag\": { \"table\": \"tag\", \"primaryKey\": \"id\", \"attributes\": { \"id\": \"integer\", \"word\": "
        let old = try Self.schema(
            "\"a\": \"string\", \"b\": {\"type\": \"integer\", \"optional\": true}, \"c\": \"string\"", version: "1",
            more: tag + "\"string\" } }")
        let new = try Self.schema("\"a\": \"integer\", \"b\": \"integer\"", more: tag + "\"string\" } }")
        var mapping = MigrationMapping()
        mapping.add("Tag", from: "Tag", where: try FormatPredicate("id == 1"))
        let migration = try StoreMigration(path: path, to: new, from: old, mapping: mapping)
        let report = try migration.check()
        #expect(
            report.obstacles.map(\.description) == [
                "Item.a: it was string and is integer: give a mapping for it",
                "item: the index 'by_c' cannot be kept: it names 'c', which is dropped; change it first, or allow losing 'by_c'",
                "Item.b: 1 of 2 rows have nil, and it is required: give it a default, or a mapping",
                "note: 1 rows of 'note' refer to a row of 'tag' that does not exist: give a mapping that leaves them out",
            ])
        #expect(report.steps.last.map { [$0.read, $0.made, $0.leftOut] } == [2, 1, 1])
    }

    @Test func viewsAreNoEntitiesToMigrate() throws {
        let (path, store) = try Self.database(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO item VALUES (1, 'a'), (2, 'b')",
            "CREATE VIEW names AS SELECT id, name AS title FROM item")
        defer { WritingTests.remove(path) }
        let found = try SQLiteStore(path: path).schema
        #expect(found.entity("names") != nil)
        let entity = try #require(found.entity("item"))
        var added = entity
        added.attributes.append(PredicateSchema.Attribute("size", .integer, isOptional: true))
        let view = try #require(found.entity("names"))
        // The view is in both versions, or only in the old one, or a mapping reads its rows.
        var copy = PredicateSchema.Entity("Copy", table: "copy", primaryKey: ["id"])
        copy.attributes = [
            PredicateSchema.Attribute("id", .integer), PredicateSchema.Attribute("title", .string, isOptional: true),
        ]
        var mapping = MigrationMapping()
        mapping.add("Copy", from: "names", where: try FormatPredicate("title == 'b'"))
        for (entities, mapping) in [
            ([added, view], MigrationMapping()), ([added], MigrationMapping()), ([added, view, copy], mapping),
        ] {
            let migration = try StoreMigration(path: path, to: PredicateSchema(entities), from: found, mapping: mapping)
            let report = try migration.check()
            #expect(report.obstacles == [])
            #expect(report.notes == (entities.count == 1 ? ["'names' is a view, and stays"] : []))
        }
        try StoreMigration(path: path, to: PredicateSchema([added, view, copy]), from: found, mapping: mapping).run()
        #expect(try store.rows("SELECT * FROM copy") == [[.integer(2), .string("b")]])
        #expect(try store.rows("SELECT count(*) FROM names") == [[.integer(2)]])
        mapping = MigrationMapping()
        mapping.add("names", from: "item")
        let wrong = try StoreMigration(path: path, to: PredicateSchema([added, view, copy]), mapping: mapping).check()
        #expect(wrong.obstacles.map(\.description) == ["names: 'names' is a view: leave it out of the mapping"])
    }

    /// A new foreign key of a table that exists gets an index, unless another index serves it. The index is dropped
    /// with the key, and the report names it.
    @Test func foreignKeysHaveIndexes() throws {
        let (path, store) = try Self.database(
            "CREATE TABLE list (id INTEGER PRIMARY KEY)",
            "CREATE TABLE todo (id INTEGER PRIMARY KEY, old_id INTEGER REFERENCES list, b_id INTEGER)",
            "CREATE INDEX own ON todo (b_id, id)")
        defer { WritingTests.remove(path) }
        func todo(_ names: [String], _ version: String) throws -> PredicateSchema {
            try PredicateSchema(
                [
                    PredicateSchema.Entity("list", primaryKey: ["id"], attributes: [.init("id", .integer)]),
                    PredicateSchema.Entity(
                        "todo", primaryKey: ["id"],
                        attributes: [.init("id", .integer), .init("b_id", .integer, isOptional: true)],
                        relationships: names.map {
                            .init($0, to: "list", isOptional: true, link: .column($0 + "_id"))
                        }),
                ], version: version)
        }
        func indexes() throws -> [String] {
            try store.rows("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
                .compactMap(\.[0].stringValue)
        }
        let (first, second) = (try todo(["old"], "1"), try todo(["old", "a", "b", "new"], "2"))
        #expect(try StoreMigration(path: path, to: second, from: first).run().notes == [])
        let own = "CREATE INDEX own ON todo (b_id, id)"
        let made = ["a", "new"].map { "CREATE INDEX \"todo_\($0)_id\" ON \"todo\" (\"\($0)_id\")" }
        #expect(try indexes() == [own] + made)
        let report = try StoreMigration(path: path, to: try todo(["old", "b", "new"], "3")).run()
        #expect(report.notes == ["the index 'todo_a_id' is dropped with the relationship that it serves"])
        #expect(try indexes() == [own, made[1]])
    }

    /// A table is created again next to everything that its text, its rows and its numbers have.
    @Test func everythingElseStays() throws {
        let text = """
            CREATE TABLE item (
                id INTEGER PRIMARY KEY AUTOINCREMENT, -- the key (
                name VARCHAR(20) COLLATE NOCASE DEFAULT 'it''s, ' /* , */ CHECK (item.name <> ''),
                size INT NOT NULL ON CONFLICT ROLLBACK, "twice" INT GENERATED ALWAYS AS (size * 2) STORED,
                CONSTRAINT pair UNIQUE (size) ON CONFLICT ROLLBACK CHECK (size < 100)
            )
            """
        let (path, store) = try Self.database(
            text, "CREATE VIEW broken AS SELECT missing FROM nowhere",
            "INSERT INTO item (name, size) VALUES ('a', 1), ('b', 2)",
            "DELETE FROM item WHERE id = 2", "CREATE INDEX by_name ON item (upper(name)) WHERE size > 0")
        defer { WritingTests.remove(path) }
        let old = try Self.schema("\"size\": \"integer\"", version: "1")
        let new = try Self.schema("\"size\": \"integer\", \"isNew\": {\"type\": \"boolean\", \"default\": true}")
        try StoreMigration(path: path, to: new, from: old).run()
        let wanted = [
            "CREATE TABLE sqlite_sequence(name,seq)",
            text.replacing("CREATE TABLE item (", with: "CREATE TABLE \"item\" (")
                .replacing("(item.name", with: "(\"item\".name")
                .replacing("STORED,\n    ", with: "STORED,\n    \"isNew\" BOOLEAN NOT NULL DEFAULT 1, ")
                .replacing("ROLLBACK CHECK", with: "ROLLBACK, CHECK"),
            "CREATE INDEX by_name ON item (upper(name)) WHERE size > 0",
            "CREATE VIEW broken AS SELECT missing FROM nowhere",
        ]
        let found = try Self.texts(store)
        #expect(found.count == wanted.count)
        for (text, wanted) in zip(found, wanted) { #expect(text == wanted) }
        _ = try store.rows("INSERT INTO item (size) VALUES (7)")
        #expect(
            try store.rows("SELECT * FROM item ORDER BY id") == [
                [.integer(1), .string("a"), .integer(1), .integer(2), .integer(1)],
                [.integer(3), .string("it's, "), .integer(7), .integer(14), .integer(1)],
            ])
        // A constraint of the table that would end the transaction is an obstacle like any other.
        var mapping = MigrationMapping()
        mapping.add("Item", from: "Item", values: ["size": .expression(try FormatExpression("1"))])
        let fourth = try StoreMigration(
            path: path, to: Self.schema("\"size\": \"integer\", \"isNew\": \"boolean\"", version: "3"), mapping: mapping
        )
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(
            try fourth.check().obstacles.map(\.description) == [
                "Item: 1 of 2 rows have the key of another row (size, such as 3): map the key to different values"
            ])
        #expect(throws: MigrationFailure.self) { try fourth.run() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    /// SQLite reads the quoted name of a missing column as a text, and does not check the columns of UPDATE OF.
    @Test func whatDependsOnDroppedColumnsIsNamed() throws {
        let (path, _) = try Self.database(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, a TEXT, b TEXT, g AS (b), h AS (g), CHECK (h <> 1))",
            "CREATE INDEX quoted ON item (\"b\")", "CREATE VIEW seen AS SELECT \"b\" FROM item",
            "CREATE VIEW again AS SELECT * FROM seen",
            "CREATE TRIGGER says AFTER INSERT ON item BEGIN UPDATE item SET a = \"b\" WHERE id = new.id; END",
            "CREATE TRIGGER quoted AFTER UPDATE OF b ON item BEGIN SELECT 1; END",
            "CREATE TRIGGER stays AFTER UPDATE OF a ON item BEGIN SELECT 'b'; END")
        defer { WritingTests.remove(path) }
        let text = "{\"type\": \"string\", \"optional\": true}"
        let old = try Self.schema("\"a\": \(text), \"b\": \(text)", version: "1")
        let allowed: Set<String> = ["QUOTED", "seen", "again", "says", "g", "h", "CHECK (h <> 1)"]
        for (new, column) in [
            ("\"a\": \(text)", "a"), ("\"b\": {\"type\": \"string\", \"optional\": true, \"formerly\": \"a\"}", "b"),
        ] {
            let found = try StoreMigration(path: path, to: Self.schema(new), from: old).check().obstacles
            let names = found.compactMap { $0.message.split(separator: "'").dropFirst().first.map(String.init) }
            #expect(
                names == ["g", "h", "CHECK (h <> 1)", "quoted", "seen", "again", "says", "quoted"],
                "\(found.map(\.description))")
            let report = try StoreMigration(path: path, to: Self.schema(new), from: old, allowingLossOf: allowed)
                .check()
            #expect(report.obstacles == [] && report.notes.count == 8, "\(column): \(report.obstacles)")
        }
    }

    /// A database that refuses or ignores the record of the version is not migrated.
    @Test func triggersCannotEndTheMigration() throws {
        for action in ["ROLLBACK, 'no'", "ABORT, 'no'", "IGNORE"] {
            let (path, store) = try Self.database("CREATE TABLE item (id INTEGER PRIMARY KEY)")
            defer { WritingTests.remove(path) }
            try StoreMigration(path: path, to: Self.schema("", version: "1")).run()
            _ = try store.rows("CREATE TRIGGER t BEFORE INSERT ON predicate_version BEGIN SELECT RAISE(\(action)); END")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            let migration = try StoreMigration(
                path: path, to: Self.schema("\"name\": {\"type\": \"string\", \"optional\": true}"))
            #expect(throws: StoreFailure.self, "\(action)") { try migration.check() }
            #expect(throws: StoreFailure.self, "\(action)") { try migration.run() }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes, "\(action)")
        }
    }

    /// The recorded schema describes the tables that it names; other tables are read from the database.
    @Test func theRecordedSchemaIsUsed() throws {
        let (path, store) = try Self.database(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)",
            "CREATE TABLE log (line TEXT, item REFERENCES item)")
        defer { WritingTests.remove(path) }
        let new = try Self.schema("\"label\": {\"type\": \"string\", \"optional\": true, \"column\": \"name\"}")
        try StoreMigration(path: path, to: new, from: Self.schema("\"name\": \"string\"", version: "1")).run()
        let schema = try SQLiteStore(path: path).schema
        #expect(schema.entityNames == ["Item", "log"] && schema.version == "2")
        #expect(schema.entity("Item") == new.entity("Item"))
        _ = try store.rows("ALTER TABLE item RENAME COLUMN name TO title")
        #expect(try SQLiteStore(path: path).schema.entityNames == ["item", "log"], "the record does not fit the table")
    }
}
