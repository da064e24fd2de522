// `predicate migrate` on files that it changes. Tests/Tool/Sessions/migrate.session tests its messages.
import Foundation
import PredicateStores
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct MigrateCommandTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sessions/fixtures").path

    private static func path() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("migrate-\(UUID()).sqlite").path
    }

    @Test func databasesAreMadeAndMigrated() throws {
        let path = Self.path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = Self.fixtures + "/migrate/"
        let dry = Run(["migrate", "--database", path, "--to", folder + "todo-1.json", "--dry-run"])
        #expect(dry.code == 0 && !FileManager.default.fileExists(atPath: path), "\(dry.err)")
        let made = Run(["migrate", "--database", path, "--to", folder + "todo-1.json"])
        #expect(made.out == "Item: added\nthe database has version '1'\n" && made.code == 0, "\(made.err)")
        let store = try SQLiteStore(path: path, mode: .readWrite)
        _ = try store.rows("INSERT INTO item VALUES (1, 'apple', NULL, 0), (2, 'bread', NULL, 1), (3, 'axe', 5.5, 1)")
        let stopped = Run(["migrate", "--database", path, "--to", folder + "todo-2.json"])
        #expect(stopped.code == 4 && stopped.out.hasSuffix("nothing was changed\n"))
        #expect(
            stopped.err
                == "error: Item.isUrgent: 3 of 3 rows have nil, and it is required: give it a default, or a mapping\n")
        let arguments = [
            "migrate", "--database", path, "--to", folder + "todo-2.json", "--mapping", folder + "todo-mapping.json",
        ]
        let done = Run(arguments + ["--predicates", folder + "todo-saved.txt", "--entity", "Item"])
        #expect(done.code == 0 && done.err.hasSuffix(":2: renamed: title BEGINSWITH[c] \"a\"\n"), "\(done.err)")
        #expect(
            done.out.hasSuffix("Item: 2 objects from 3 of Item, 1 left out by where\nthe database has version '2'\n"),
            "\(done.out)")
        #expect(
            try store.rows("SELECT id, title, lastAlert, done, isUrgent FROM item ORDER BY id") == [
                [.integer(1), .string("apple"), .null, .integer(0), .integer(1)],
                [.integer(3), .string("axe"), .double(5.5), .integer(1), .integer(1)],
            ])
        let again = Run(["migrate", "--database", path, "--to", folder + "todo-2.json"])
        #expect(again.out == "the database has version '2'\n" && again.code == 0)
    }

    /// A Core Data store is not migrated, but the command finds its version by the columns and by the metadata.
    @Test func storesOfCoreDataAreRecognized() throws {
        let model = Self.fixtures + "/lint/model/Shop.xcdatamodeld"
        for (column, version) in [("ZAGE", "Shop"), ("ZYEARS", "Shop 2")] {
            let path = Self.path()
            defer { try? FileManager.default.removeItem(atPath: path) }
            let store = try SQLiteStore(path: path, mode: .create)
            let list = """
                <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>NSStoreModelVersionHashes</key><dict>
                <key>Order</key><data>AA==</data><key>Person</key><data>AA==</data><key>Refund</key><data>AA==</data></dict>
                <key>NSStoreModelVersionIdentifiers</key><array><string></string></array></dict></plist>
                """
            for statement in [
                "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
                "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Order', 0, 0), (2, 'Refund', 1, 0), (3, 'Person', 0, 0)",
                """
                CREATE TABLE ZORDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCUSTOMER INTEGER,
                    ZPLACED TIMESTAMP, ZTOTAL DECIMAL)
                """,
                "CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(column) INTEGER, ZNAME VARCHAR)",
                "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
            ] { _ = try store.rows(statement) }
            _ = try store.rows("INSERT INTO Z_METADATA VALUES (1, 'id', ?)", [.data(Array(list.utf8))])
            let run = Run(["migrate", "--database", path, "--to", model])
            #expect(run.code == 4)
            #expect(
                run.err.hasSuffix("only Core Data can migrate it; it is in the version '\(version)'\n"), "\(run.err)")
        }
    }

    /// A data model can be a version, with its renaming identifiers and defaults.
    @Test func dataModelsAreVersions() throws {
        let path = Self.path()
        let folder = path + "-models/"
        defer { for name in [path, folder] { try? FileManager.default.removeItem(atPath: name) } }
        for (name, attributes) in [
            "One": "<attribute name='name' attributeType='String'/><attribute name='age' attributeType='Boolean'/>",
            "Two": """
            <attribute name='title' attributeType='String' elementID='name'/>
            <attribute name='age' attributeType='Integer 32'/>
            <attribute name='size' attributeType='Double' defaultValueString='1.5'/>
            """,
        ] {
            let model = folder + name + ".xcdatamodel"
            try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
            try "<model><entity name='Person'>\(attributes)</entity></model>"
                .write(toFile: model + "/contents", atomically: true, encoding: .utf8)
        }
        let made = Run(["migrate", "--database", path, "--to", folder + "One.xcdatamodel"])
        #expect(made.code == 0 && made.out.hasSuffix("the database has version 'One'\n"), "\(made.err)")
        let store = try SQLiteStore(path: path, mode: .readWrite)
        _ = try store.rows("INSERT INTO ZPERSON (Z_PK, ZNAME, ZAGE) VALUES (7, 'a', 1)")
        let next = Run(["migrate", "--database", path, "--to", folder + "Two.xcdatamodel"])
        #expect(
            next.out == """
                Person.title: renamed, was name
                Person.age: was boolean, is integer
                Person.size: added, required double, default 1.5
                Person: 1 objects from 1 of Person
                the database has version 'Two'

                """, "\(next.err)")
        #expect(
            try store.rows("SELECT Z_PK, ZTITLE, ZAGE, ZSIZE FROM ZPERSON") == [
                [.integer(7), .string("a"), .integer(1), .double(1.5)]
            ])
    }
}
