// Tests of `predicate import` that write: the rows, and the file of losses, which is imported again after a correction.

import Foundation
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct ImportCommandTests {
    private func run(_ words: [String], in folder: URL) -> Run { Run(words, text: "", directory: folder.path) }

    /// Makes a database of records, and reads it.
    @Test func aNewDatabaseHasTheTablesOfTheRecords() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        func exists(_ name: String) -> Bool {
            FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
        }
        func fetch(_ database: String, _ words: String...) -> String {
            run(["fetch", "TRUEPREDICATE", "--database", database, "--to", "csv"] + words, in: folder).out
        }
        // The last row decides the types.
        try write("people.csv", "id,name,code,paid\n1,Ada,12,NA\n2,Grace,007,1.25\n")
        let options = ["--into", "new.sqlite", "--null", "NA", "--types", "paid=decimal"]
        #expect(run(["import", "people.csv", "--dry-run"] + options, in: folder).code == 0 && !exists("new.sqlite"))
        let made = run(["import", "people.csv"] + options, in: folder)
        #expect(made.code == 0 && made.out == "made new.sqlite\npeople: 2 rows\n", "\(made.out)\(made.err)")
        let rows = "id,name,code,paid\n1,Ada,\"12\",\n2,Grace,007,1.25\n"
        #expect(fetch("new.sqlite") == rows)
        // A database that exists keeps what it has.
        #expect(run(["import", "people.csv"] + options, in: folder).code == 5)
        #expect(fetch("new.sqlite") == rows)
        try write("other.csv", "id,total\n9,1\n")
        #expect(run(["import", "other.csv", "--into", "new.sqlite"], in: folder).code == 5)
        #expect(fetch("new.sqlite") == rows)
        try write("more.csv", "id,name,code\n3,Jean,x\n")
        #expect(run(["import", "more.csv", "--into", "new.sqlite"], in: folder).out == "people: 1 row\n")

        // Objects and lists are tables; columns differ only in case.
        try write("a.json", #"[{"Id":"x","a":{"b":1},"list":[{"id":5,"c":"d"},{"id":6,"c":"e"}]},{"Id":"y","id":"z"}]"#)
        #expect(run(["import", "a.json", "--into", "a.sqlite"], in: folder).code == 0)
        #expect(fetch("a.sqlite", "--entity", "a", "--keys", "Id,id,a.b") == "Id,id,a.b\nx,,1\ny,z,\n")
        #expect(fetch("a.sqlite", "--entity", "a.list") == "id,c\n5,d\n6,e\n")

        // A failed import leaves no database, and other files as they are.
        try write("bad.csv", "a,b\n1,2\n3\n")
        #expect(run(["import", "bad.csv", "--into", "bad.sqlite"], in: folder).code == 5 && !exists("bad.sqlite"))
        #expect(run(["import", "bad.csv", "--into", "bad.sqlite", "--keep-going"], in: folder).code == 1)
        #expect(fetch("bad.sqlite") == "id,a,b\n1,1,2\n")
        try write("empty.sqlite", "")
        #expect(run(["import", "bad.csv", "--into", "empty.sqlite"], in: folder).code == 2 && exists("empty.sqlite"))
        #expect(run(["import", "bad.csv", "--into", "people.csv"], in: folder).code == 5)
        // The schema may be given.
        let schema = run(["schema", "people.csv"], in: folder).out
        try write("schema.json", schema)
        let given = ["import", "people.csv", "--into", "given.sqlite", "--schema", "schema.json"]
        #expect(run(given, in: folder).out == "made given.sqlite\npeople: 2 rows\n")
    }

    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func lossesCanBeImportedAfterACorrection() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let fixtures = tests.appendingPathComponent("Sessions/fixtures")
        for name in ["shop.sqlite", "import-wrong.jsonl", "import.archive"] {
            try FileManager.default.copyItem(
                at: fixtures.appendingPathComponent(name), to: folder.appendingPathComponent(name))
        }
        func fetch(_ predicate: String, _ keys: String) -> String {
            let words = ["fetch", predicate, "--database", "shop.sqlite", "--entity", "person", "--keys", keys]
            return run(words + ["--to", "csv", "--sort", "id"], in: folder).out
        }
        let into = ["--into", "shop.sqlite", "--entity", "person"]
        let before = fetch("TRUEPREDICATE", "id,name")

        // A failed import changes nothing.
        #expect(run(["import", "import-wrong.jsonl"] + into, in: folder).code == 5)
        #expect(fetch("TRUEPREDICATE", "id,name") == before)

        let some = run(["import", "import-wrong.jsonl", "--keep-going", "--losses", "lost.jsonl"] + into, in: folder)
        #expect(some.code == 1 && some.out == "person: 2 rows\n5 losses\n", "\(some.out)\(some.err)")
        #expect(fetch("id > 40", "id,name,employer.title") == "id,name,employer.title\n41,Jean,\n44,Marlyn,\n")

        let lost = folder.appendingPathComponent("lost.jsonl")
        let corrected = try String(contentsOf: lost, encoding: .utf8)
            .replacingOccurrences(of: "\"nam\"", with: "\"name\"").replacingOccurrences(of: "\"many\"", with: "31")
            .replacingOccurrences(of: "\"employer\":99", with: "\"employer\":1")
            .replacingOccurrences(of: "\"name\":\"Ruth\"", with: "\"name\":\"Ruth\",\"age\":29,\"member\":true")
        try Data(corrected.utf8).write(to: lost)
        let again = run(["import", "lost.jsonl", "--update", "--losses", "still.jsonl"] + into, in: folder)
        #expect(again.code == 0 && again.out == "person: 5 rows\n", "\(again.out)\(again.err)")
        #expect(try Data(contentsOf: folder.appendingPathComponent("still.jsonl")).isEmpty)
        #expect(
            fetch("id IN {1, 42, 43, 44, 45}", "id,name,age,employer.title")
                == "id,name,age,employer.title\n1,Frances,30,Engines\n42,Betty,30,\n43,Kay,31,\n44,Marlyn,30,Engines\n45,Ruth,29,\n"
        )

        #expect(run(["import", "import.archive"] + into, in: folder).code == 0)
        #expect(
            fetch("employer.title == 'Looms'", "name,boss.name")
                == "name,boss.name\nJacquard,Vaucanson\nVaucanson,Jacquard\n")
    }
}
