// Databases that contradict their foreign keys: `import` says why they are not enforced, `fetch --verify` lists all.
import Foundation
import PredicateStores
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct ForeignKeyCommandTests {
    @Test func contradictionsAreReported() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/todo.sqlite"
        let store = try SQLiteStore(path: path, mode: .create, foreignKeys: .off)
        for statement in [
            "CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
            "CREATE TABLE todo (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES list)",
            "CREATE TABLE note (id INTEGER PRIMARY KEY, list TEXT REFERENCES list (name))",
            "INSERT INTO list VALUES (1, 'home')", "INSERT INTO todo VALUES (1, 1), (2, 7)",
            "INSERT INTO note VALUES (1, 'home'), (2, 'work')",
        ] { _ = try store.rows(statement) }
        let file = folder + "/todo.json"
        try Data(#"[{"id": 3, "list": 1}]"#.utf8).write(to: URL(fileURLWithPath: file))
        let imported = Run(["import", file, "--into", path, "--entity", "todo"])
        #expect(imported.code == 0 && imported.out == "todo: 1 row\n", "\(imported.err)")
        #expect(
            imported.err == """
                foreign keys are not enforced: note.list refers to rows of list that do not exist (1 row with rowid 2)
                foreign keys are not enforced: todo.list_id refers to rows of list that do not exist (1 row with rowid 2)

                """)
        let verified = Run(["fetch", "--verify", "--database", path])
        #expect(verified.code == 1)
        #expect(
            verified.out == """
                todo.list_id refers to rows of list that do not exist (1 row with rowid 2)
                note.list refers to rows of list that do not exist (1 row with rowid 2)

                """, "\(verified.out)")
    }
}
