// Tests of `predicate import` that write: the rows, and the file of losses, which is imported again after a correction.

import Foundation
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct ImportCommandTests {
    /// Runs a command line in a folder. Returns the exit code, the output and the errors.
    private func run(_ words: [String], in folder: URL) -> (code: Int32, output: String, errors: String) {
        var (output, errors): ([UInt8], [UInt8]) = ([], [])
        let code = PredicateCommand.run(
            words, input: CommandInput(text: "", directory: folder.path),
            output: CommandOutput(write: { output += $0 }, writeError: { errors += $0 }))
        return (code, String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self))
    }

    @Test func lossesCanBeImportedAfterACorrection() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let fixtures = tests.appendingPathComponent("Sessions/fixtures")
        for name in ["shop.sqlite", "import-wrong.jsonl", "import.archive"] {
            try FileManager.default.copyItem(
                at: fixtures.appendingPathComponent(name), to: folder.appendingPathComponent(name))
        }
        func fetch(_ predicate: String, _ keys: String) -> String {
            let words = ["fetch", predicate, "--database", "shop.sqlite", "--entity", "person", "--keys", keys]
            return run(words + ["--to", "csv", "--sort", "id"], in: folder).output
        }
        let into = ["--into", "shop.sqlite", "--entity", "person"]
        let before = fetch("TRUEPREDICATE", "id,name")

        // A failed import changes nothing.
        #expect(run(["import", "import-wrong.jsonl"] + into, in: folder).code == 5)
        #expect(fetch("TRUEPREDICATE", "id,name") == before)

        let some = run(["import", "import-wrong.jsonl", "--keep-going", "--losses", "lost.jsonl"] + into, in: folder)
        #expect(some.code == 1 && some.output == "person: 2 rows\n5 losses\n", "\(some)")
        #expect(fetch("id > 40", "id,name,employer.title") == "id,name,employer.title\n41,Jean,\n44,Marlyn,\n")

        let lost = folder.appendingPathComponent("lost.jsonl")
        let corrected = try String(contentsOf: lost, encoding: .utf8)
            .replacingOccurrences(of: "\"nam\"", with: "\"name\"").replacingOccurrences(of: "\"many\"", with: "31")
            .replacingOccurrences(of: "\"employer\":99", with: "\"employer\":1")
            .replacingOccurrences(of: "\"name\":\"Ruth\"", with: "\"name\":\"Ruth\",\"age\":29,\"member\":true")
        try Data(corrected.utf8).write(to: lost)
        let again = run(["import", "lost.jsonl", "--update", "--losses", "still.jsonl"] + into, in: folder)
        #expect(again.code == 0 && again.output == "person: 5 rows\n", "\(again)")
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
