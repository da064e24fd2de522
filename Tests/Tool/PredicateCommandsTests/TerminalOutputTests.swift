// The output at a terminal: errors on separate lines, SQL over several lines, prompts without escape sequences.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct TerminalOutputTests {
    /// Runs a command with one terminal as standard output and standard error.
    private func screen(
        _ arguments: [String], lines: [String]? = nil, environment: [String: String] = [:], width: Int = 60
    ) -> String {
        var screen = ""
        let output = CommandOutput(
            isTerminal: true, errorIsTerminal: true, width: width,
            write: { screen += String(decoding: $0, as: UTF8.self) },
            writeError: { screen += String(decoding: $0, as: UTF8.self) })
        var rest = (lines ?? [])[...]
        let input = CommandInput(isTerminal: lines != nil, environment: environment) {
            rest.popFirst().map { Array(($0 + "\n").utf8) } ?? []
        }
        _ = PredicateCommand.run(arguments, input: input, output: output)
        return screen
    }

    @Test func errorsBeginALine() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try #"[{"a": 1}, {"a": 2}, {"a": }]"#.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let shown = screen(["filter", "a > 0", file.path, "--to", "json"], environment: ["NO_COLOR": "1"])
        let lines = shown.split(separator: "\n")
        #expect(lines.filter { $0.contains("unexpected") }.allSatisfy { $0.hasPrefix(file.path) }, "\(shown)")
        #expect(lines.contains { $0.hasPrefix(file.path) })
    }

    #if os(macOS) || os(Linux)
        /// Shells pass `<(…)` as `/dev/fd/63`, on Linux a symbolic link to a pipe.
        @Test func pipesAreReadFromTheirFirstByte() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let schema = #"{"entities": {"Person": {"attributes": {"age": "integer"}}}}"#
            let commands: [(arguments: [String], content: String, expected: String)] = [
                (
                    ["filter", "age > 30", "--from", "csv", "--to", "jsonl"], "name,age\nAda,36\n",
                    #"{"name":"Ada","age":36}"#
                ),
                (["check", "age > 30", "--schema"], schema, "ok"),
            ]
            for (index, command) in commands.enumerated() {
                let pipe = Pipe()
                try pipe.fileHandleForWriting.write(contentsOf: Data(command.content.utf8))
                try pipe.fileHandleForWriting.close()
                let link = folder.appendingPathComponent("link\(index)").path
                try FileManager.default.createSymbolicLink(
                    atPath: link, withDestinationPath: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
                let shown = screen(command.arguments + [link], environment: ["NO_COLOR": "1"])
                #expect(shown == command.expected + "\n")
            }
        }
    #endif

    @Test func dumbTerminalsGetPromptsWithoutEscapes() {
        let shown = screen(
            ["repl", "--no-history"], lines: ["id == 3 AND", "done == NO", ".mode csv", ".mod", ".quit"],
            environment: ["TERM": "dumb", "HOME": "/"])
        #expect(!shown.contains("\u{1B}"))
        #expect(shown.contains("todo> "))
        #expect(shown.contains("   …> "))
        #expect(shown.contains("1 of 24 records\n"))
        #expect(shown.contains("mode: csv\n"))
        #expect(shown.contains("did you mean .mode?\n"))
    }

    @Test func statementsAreLaidOutAtATerminal() {
        let statement = """
            SELECT "t0"."id", "t0"."name" FROM "person" AS "t0" LEFT JOIN "company" AS "t1" ON "t1"."id" = "t0"."employer" \
            WHERE "t0"."age" BETWEEN ? AND ? AND EXISTS (SELECT 1 FROM "orders" AS "t2" WHERE "t2"."person" = "t0"."id" \
            AND ("t2"."note" = 'a (  AND b' OR CASE WHEN "t2"."total" > ? THEN 1 ELSE 0 END = 1)) ORDER BY "t0"."name" LIMIT 5
            """
        #expect(
            SQLLayout.text(statement, width: 60) == """
                SELECT "t0"."id", "t0"."name"
                FROM "person" AS "t0"
                LEFT JOIN "company" AS "t1" ON "t1"."id" = "t0"."employer"
                WHERE "t0"."age" BETWEEN ? AND ?
                  AND EXISTS (
                    SELECT 1
                    FROM "orders" AS "t2"
                    WHERE "t2"."person" = "t0"."id"
                      AND (
                        "t2"."note" = 'a (  AND b'
                          OR CASE WHEN "t2"."total" > ? THEN 1 ELSE 0 END = 1
                      )
                  )
                ORDER BY "t0"."name"
                LIMIT 5
                """)
        // A difficult statement: formatting may only change white space between tokens.
        let nested = String(repeating: "(a AND ", count: 60)
        for text in [statement, nested, "((((", "))))", "'open", "AND AND ,,, BETWEEN"] {
            for width in [1, 20, 200] {
                func tokens(_ text: String) -> String { text.filter { !$0.isWhitespace } }
                #expect(tokens(SQLLayout.text(text, width: width)) == tokens(text))
            }
        }
        #expect(SQLLayout.text("SELECT 1", width: 60) == "SELECT 1")
        #expect(SQLLayout.text("SELECT a, b, c, d FROM t", width: 14) == "SELECT a, b,\n  c, d\nFROM t")
    }

    /// Compressed bytes on a pipe and from a file as standard input.
    @Test func compressedStandardInputIsRead() throws {
        guard ["/bin/gzip", "/usr/bin/gzip"].contains(where: FileManager.default.isExecutableFile) else { return }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Sessions/fixtures/zipped.csv.gz").standardized
        func run(_ descriptor: Int32) -> String {
            var text = ""
            let output = CommandOutput(
                write: { text += String(decoding: $0, as: UTF8.self) },
                writeError: { text += String(decoding: $0, as: UTF8.self) })
            let input = CommandInput(isTerminal: false, descriptor: descriptor) { [] }
            _ = PredicateCommand.run(["filter", "TRUEPREDICATE", "--from", "csv"], input: input, output: output)
            return text
        }
        let handle = try FileHandle(forReadingFrom: file)
        let fromFile = run(handle.fileDescriptor)
        let pipe = Pipe()
        let bytes = try Data(contentsOf: file)
        Thread.detachNewThread {
            try? pipe.fileHandleForWriting.write(contentsOf: bytes)
            try? pipe.fileHandleForWriting.close()
        }
        #expect(run(pipe.fileHandleForReading.fileDescriptor) == fromFile)
        let plain = Run(["filter", "TRUEPREDICATE", file.path])
        #expect(fromFile == plain.out && plain.code == 0 && !plain.out.isEmpty)
    }
}
