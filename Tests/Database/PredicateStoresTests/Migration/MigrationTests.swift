// Versions and migrations: records of versions, differences, obstacles, kept data, and killed writers.
import Foundation
import PredicateRecords
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct MigrationTests {
    static func schema(_ text: String) throws -> PredicateSchema { try PredicateSchema(value: JSON.parse(text)) }

    static func file() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("migration-\(UUID()).sqlite").path
    }

    /// A database with items, tags and links, in version 1.
    static let first = """
        { "version": "1", "entities": {
            "Item": { "table": "item", "primaryKey": "id",
                      "attributes": { "id": "integer", "name": "string", "count": {"type": "integer", "optional": true} },
                      "relationships": { "owner": {"to": "Owner", "column": "owner_id"},
                                         "tags": {"to": "Tag", "many": true,
                                                  "join": {"table": "item_tag", "from": "item", "to": "tag"}} } },
            "Owner": { "table": "owner", "primaryKey": "id", "attributes": { "id": "integer", "name": "string" } },
            "Tag": { "table": "tag", "primaryKey": "word", "attributes": { "word": "string" } } } }
        """

    /// The schema of the first version, with changes in its text.
    static func second(_ changes: KeyValuePairs<String, String>) throws -> PredicateSchema {
        var text = first.replacingOccurrences(of: "\"version\": \"1\"", with: "\"version\": \"2\"")
        for (old, new) in changes {
            #expect(text.contains(old))
            text = text.replacingOccurrences(of: old, with: new)
        }
        return try schema(text)
    }

    static func database() throws -> String {
        let path = file()
        try StoreMigration(path: path, to: schema(first), mode: .create).run()
        let store = try SQLiteStore(path: path, mode: .readWrite)
        for statement in [
            "INSERT INTO owner VALUES (1, 'Ada'), (2, 'Grace')", "INSERT INTO tag VALUES ('red'), ('blue')",
            "INSERT INTO item (id, name, count, owner_id) VALUES (1, 'apple', 5, 1), (2, 'pear', NULL, 1), (3, 'fig', 7, 2)",
            "INSERT INTO item_tag VALUES (1, 'red'), (1, 'blue'), (3, 'red')",
        ] { _ = try store.rows(statement) }
        return path
    }

    // MARK: Versions

    @Test func hashesDependOnStorageAlone() throws {
        let schema = try Self.schema(Self.first)
        #expect(schema.version == "1")
        let reordered = try PredicateSchema(
            schema.entities.reversed().map { entity in
                var entity = entity
                entity.attributes.reverse()
                entity.relationships.reverse()
                entity.formerly = "Other"
                return entity
            }, version: "other")
        #expect(reordered.hash == schema.hash)
        #expect(schema.hash == "4e8c9f6c89e864fa", "the hash is the same on every platform and in every release")
        for (old, new) in [
            ("\"integer\", \"optional\": true", "\"double\", \"optional\": true"),
            ("\"optional\": true", "\"optional\": false"), ("\"column\": \"owner_id\"", "\"column\": \"holder_id\""),
            ("\"table\": \"item_tag\"", "\"table\": \"links\""),
            ("\"optional\": true", "\"optional\": true, \"default\": 3"), ("\"name\": \"string\", ", ""),
        ] {
            let other = try Self.second([old: new])
            #expect(other.hash != schema.hash, "\(old)")
            let text = SchemaText.text(other, isDatabase: true)
            #expect(try Self.schema(text) == other, "a schema file has everything: \(text)")
        }
    }

    @Test func anotherVersionIsNotOpened() throws {
        let path = try Self.database()
        defer { WritingTests.remove(path) }
        let store = try SQLiteStore(path: path)
        #expect(try store.recordedVersion()?.version == "1")
        #expect(store.schema.entity(PredicateSchema.versionTable) == nil)
        let second = try Self.second([
            "\"name\": \"string\", \"count\"": "\"name\": \"string\", \"done\": \"boolean\", \"count\""
        ])
        let error = #expect(throws: StoreFailure.self) { try SQLiteStore(path: path, schema: second) }
        guard case .otherVersion(let mismatch)? = error else { throw try #require(error) }
        #expect(mismatch.differences.map(\.description) == ["Item.done: added, required boolean"])
        #expect(mismatch.description.hasPrefix("the database has version '1', not version '2' (Item.done: added"))
        #expect(throws: StoreFailure.self) { try StoreMigration(path: path, to: second, from: second) }
        // For reading, a part of the version is sufficient.
        _ = try SQLiteStore(
            path: path, schema: PredicateSchema(Self.schema(Self.first).entities.filter { $0.name == "Tag" }))
    }

    @Test func differencesAreNamed() throws {
        let second = try Self.second([
            "\"Item\": {": "\"Thing\": { \"formerly\": \"Item\", ",
            "\"name\": \"string\", \"count\": {\"type\": \"integer\", \"optional\": true}":
                "\"title\": {\"type\": \"string\", \"formerly\": \"name\", \"default\": \"?\"}, \"count\": \"double\"",
            "\"owner\": {\"to\": \"Owner\", \"column\": \"owner_id\"},":
                "\"owner\": {\"to\": \"Owner\", \"many\": true, \"join\": {\"table\": \"o\", \"from\": \"a\", \"to\": \"b\"}},",
            "{ \"id\": \"integer\", \"name\": \"string\" } }": "{ \"id\": \"integer\" } }",
        ])
        let path = try Self.database()
        defer { WritingTests.remove(path) }
        let migration = try StoreMigration(path: path, to: second)
        #expect(
            Set(migration.differences.map(\.description)) == [
                "Thing: renamed, was Item", "Thing.title: renamed, was name",
                "Thing.title: was without a default, is with the default \"?\"", "Thing.count: was integer, is double",
                "Thing.count: was optional, is required", "Thing.owner: was to-one, is to-many", "Owner.name: dropped",
            ])
        let obstacles = try migration.check().obstacles.map(\.description)
        #expect(obstacles == ["Thing.count: 1 of 3 rows have nil, and it is required: give it a default, or a mapping"])
    }

    // MARK: Obstacles

    @Test(.cases) func obstaclesAreNamed() {
        let cases: [(String, String, String)] = [
            ("\"optional\": true}", "\"optional\": false}", "Item.count: 1 of 3 rows have nil, and it is required"),
            (
                "\"name\": \"string\", \"count\"", "\"name\": \"integer\", \"count\"",
                "Item.name: it was string and is integer"
            ),
            (
                "\"many\": true,\n",
                "\"many\": false, \"column\": \"tag\"}}},\"Rest\":{\"attributes\":{},\"relationships\":{\"r\": {\"to\": \"Tag\", \"many\": true,\n",
                "Item.tags: 1 of 3 rows refer to several objects"
            ),
            (
                "\"to\": \"Owner\", \"column\": \"owner_id\"",
                "\"to\": \"Owner\", \"many\": true, \"foreignKey\": \"item_id\"",
                "Item.owner: 1 objects belong to several"
            ),
            (
                "\"integer\", \"optional\": true", "\"integer\", \"maximum\": 6, \"optional\": true",
                "Item.count: 1 of 3 rows have values that do not fit, such as 7"
            ),
        ]
        forEachCase(cases) { old, new, message in
            let path = try Self.database()
            defer { WritingTests.remove(path) }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            let migration = try StoreMigration(path: path, to: Self.second([old: new]))
            let found = try migration.check().obstacles.map(\.description)
            #expect(found.count == 1 && found[0].hasPrefix(message), "\(found)")
            let failure = #expect(throws: MigrationFailure.self) { try migration.run() }
            #expect(failure?.obstacles.map(\.description) == found)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        }
    }

    @Test func mappingsAreChecked() throws {
        let path = try Self.database()
        defer { WritingTests.remove(path) }
        let text = """
            { "entities": { "Item": { "from": "Itm" }, "Owner": { "from": "Owner", "values": { "nam": "name" } },
                            "Tag": { "from": "Tag", "where": "wrd == 'a'", "values": { "word": "1 + nothing" } } } }
            """
        let mapping = try MigrationMapping(value: JSON.parse(text))
        let migration = try StoreMigration(path: path, to: Self.second([:]), mapping: mapping)
        let found = try migration.check().obstacles.map(\.description)
        #expect(
            found.map { $0.prefix(while: { $0 != "," }) } == [
                "Item: the old version has no entity 'Itm'", "Owner.nam: the new version has no such key",
                "Tag.word: the mapping's value: Tag has no key 'nothing'",
                "Tag: the mapping's 'where': Tag has no key 'wrd'",
            ])
        #expect(throws: SchemaError.self) {
            try MigrationMapping(
                value: JSON.parse(#"{ "entities": { "Item": { "form": "Item", "values": { "a": "1 +" } } } }"#))
        }
    }

    @Test func duplicateKeysAreObstacles() throws {
        let path = try Self.database()
        defer { WritingTests.remove(path) }
        var mapping = MigrationMapping()
        mapping.add("Owner", from: "Owner")
        mapping.add("Owner", from: "Item")
        let migration = try StoreMigration(path: path, to: Self.second([:]), mapping: mapping)
        let found = try migration.check().obstacles.map(\.description)
        #expect(
            found == ["Owner: 2 of 5 rows have the key of another row (id, such as 1): map the key to different values"]
        )
    }

    @Test func lostReferencesAreObstacles() throws {
        let path = try Self.database()
        defer { WritingTests.remove(path) }
        var mapping = MigrationMapping()
        mapping.add("Owner", from: "Owner", where: try FormatPredicate("name == 'Ada'"))
        let found = try StoreMigration(path: path, to: Self.second([:]), mapping: mapping).check().obstacles
        #expect(
            found.map(\.message) == [
                "1 rows of 'item' refer to a row of 'owner' that does not exist: give a mapping that leaves them out"
            ])
    }

    // MARK: Policies

    @Test func policiesMakeObjects() throws {
        let path = try Self.database()
        defer { WritingTests.remove(path) }
        let second = try Self.second([
            "\"name\": \"string\", \"count\"": "\"name\": \"string\", \"place\": \"integer\", \"count\""
        ])
        var mapping = MigrationMapping()
        mapping.add(
            "Item", from: "Item",
            policy: { old, values in
                if old["name"] == .string("pear") { return [] }
                let owner = old.objects("owner").first?["name"].stringValue ?? ""
                return (0..<2).map { place in
                    let name = PredicateValue.string("\(owner)'s \(old["name"].stringValue ?? "") \(place)")
                    // Without a given key, the database assigns one.
                    let key = place == 0 ? values["id"] ?? .null : .null
                    return values.merging(["id": key, "place": .integer(Int64(place)), "name": name]) { $1 }
                }
            })
        let report = try StoreMigration(path: path, to: second, mapping: mapping).run()
        #expect(report.steps.map(\.made) == [4])
        let store = try SQLiteStore(path: path, schema: second)
        #expect(
            try store.rows("SELECT id, name, place FROM item ORDER BY name") == [
                [.integer(1), .string("Ada's apple 0"), .integer(0)],
                [.integer(2), .string("Ada's apple 1"), .integer(1)],
                [.integer(3), .string("Grace's fig 0"), .integer(0)],
                [.integer(4), .string("Grace's fig 1"), .integer(1)],
            ])
        #expect(try store.count(StoreRequest("Item", where: FormatPredicate("ANY tags.word == 'red'"))) == 4)

        mapping = MigrationMapping()
        struct Refused: Error {}
        mapping.add("Owner", from: "Owner", policy: { _, _ in throw Refused() })
        let found = try StoreMigration(path: path, to: second, mapping: mapping).check().obstacles.map(\.description)
        #expect(found.first == "Owner: 2 of 2 rows are refused by the policy: Refused()")
    }

    // MARK: Databases of other programs

    @Test func partsOutsideOfTheSchemaAreKept() throws {
        let path = Self.file()
        defer { WritingTests.remove(path) }
        let maker = try SQLiteStore(path: path, mode: .create)
        for statement in [
            "CREATE TABLE thing (id INTEGER PRIMARY KEY, name VARCHAR(20), extra BLOB, size INT CHECK (size > 0))",
            "CREATE INDEX by_name ON thing (name)", "CREATE INDEX by_size ON thing (size)",
            "CREATE TABLE log (text)", "CREATE VIEW names AS SELECT name FROM thing",
            "CREATE TRIGGER logs AFTER DELETE ON thing BEGIN INSERT INTO log VALUES (old.name); END",
            "INSERT INTO thing VALUES (7, 'a', x'00ff', 3), (9, NULL, 'text', 4)",
        ] { _ = try maker.rows(statement) }
        let schema = try Self.schema(
            """
            { "version": "5", "entities": { "Thing": { "table": "thing", "primaryKey": "id", "attributes": {
                "label": {"type": "string", "optional": true, "formerly": "name"},
                "isNew": {"type": "boolean", "default": true} } } } }
            """)
        let migration = try StoreMigration(path: path, to: schema)
        let report = try migration.run()
        #expect(
            report.differences.map(\.description) == [
                "Thing.label: renamed, was name", "Thing.isNew: added, required boolean, default 1",
            ])
        #expect(report.notes == [])
        let store = try SQLiteStore(path: path, schema: schema, mode: .readWrite)
        #expect(
            try store.rows("SELECT id, label, isNew, extra, size FROM thing ORDER BY id") == [
                [.integer(7), .string("a"), .integer(1), .data([0, 255]), .integer(3)],
                [.integer(9), .null, .integer(1), .string("text"), .integer(4)],
            ])
        let parts = try store.rows("SELECT name FROM sqlite_master ORDER BY name").compactMap(\.[0].stringValue)
        #expect(parts == ["by_name", "by_size", "log", "logs", "names", "predicate_version", "thing"])
        #expect(try store.recordedVersion()?.version == "5")
        #expect(throws: StoreFailure.self) { try StoreMigration(path: path, to: schema, from: Self.schema(Self.first)) }
    }

    @Test func inheritedEntitiesStayInTheirTable() throws {
        func schema(_ more: String) throws -> PredicateSchema {
            try Self.schema(
                """
                { "entities": {
                    "Animal": { "table": "animal", "primaryKey": "id", "discriminator": "kind", "code": "animal",
                                "attributes": { "id": "integer", "name": "string"\(more) } },
                    "Dog": { "parent": "Animal", "code": "dog", "attributes": { "barks": "boolean" } },
                    "Cat": { "parent": "Animal", "code": "cat", "attributes": {} } } }
                """)
        }
        let path = Self.file()
        defer { WritingTests.remove(path) }
        try StoreMigration(path: path, to: schema(""), mode: .create).run()
        let store = try SQLiteStore(path: path, schema: schema(""), mode: .readWrite)
        for (id, entity) in ["Animal", "Dog", "Cat", "Dog"].enumerated() {
            var values: [(String, PredicateValue)] = [("id", .integer(Int64(id))), ("name", .string("\(id)"))]
            if entity == "Dog" { values.append(("barks", .bool(id == 1))) }
            try store.insert([ValueDictionary(values)], into: entity)
        }
        let second = try schema(", \"age\": {\"type\": \"integer\", \"default\": 2}")
        try StoreMigration(path: path, to: second).run()
        let migrated = try SQLiteStore(path: path, schema: second)
        #expect(
            try migrated.rows("SELECT id, kind, name, barks, age FROM animal ORDER BY id") == [
                [.integer(0), .string("animal"), .string("0"), .null, .integer(2)],
                [.integer(1), .string("dog"), .string("1"), .integer(1), .integer(2)],
                [.integer(2), .string("cat"), .string("2"), .null, .integer(2)],
                [.integer(3), .string("dog"), .string("3"), .integer(0), .integer(2)],
            ])
    }
}
