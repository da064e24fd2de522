// Inputs that are not what their names say: compressed files that are cut off or damaged, names and arguments that are
// not UTF-8, texts of a database that are not UTF-8, and databases whose log cannot be opened.

#if os(Linux)
    import Foundation
    import PredicateStores
    import PredicateTestSupport
    import Testing

    @testable import PredicateCommands

    @Suite struct DamagedInputTests {
        /// Runs a script. Returns its exit code and its output with its errors.
        private func run(_ script: String, in folder: URL) throws -> (code: Int32, output: String) {
            let process = bash("set -o pipefail; " + script, in: folder)
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }

        /// Files cut in the header, in the middle and in the checksum, and files with a changed byte in the middle and
        /// in the checksum.
        @Test func damagedCompressedFilesAreErrors() throws {
            try inTemporaryFolder { folder in
                var store = try SQLiteStore(path: folder.appendingPathComponent("t.sqlite").path, mode: .create)
                _ = try store.rows("CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)")
                store = try store.refreshed()
                let records = (1...5000).map { "{\"id\": \($0), \"n\": \"name \($0 &* 7919 % 5000)\"}\n" }
                try Data(records.joined().utf8).write(to: folder.appendingPathComponent("t.jsonl"))
                for (program, end) in [("gzip", "gz"), ("zstd", "zst")] {
                    guard try run("\(program) -qkf t.jsonl", in: folder).code == 0 else { continue }
                    let whole = try Data(contentsOf: folder.appendingPathComponent("t.jsonl.\(end)"))
                    var damaged = [14, whole.count / 2, whole.count - 1].map { whole.prefix($0) }
                    for place in [whole.count / 2, whole.count - 2] {
                        var bent = whole
                        bent[place] ^= 0x55
                        damaged.append(bent)
                    }
                    for (index, bytes) in TestDepth.some(damaged, every: 1).enumerated() {
                        let name = "t\(index).jsonl.\(end)"
                        try bytes.write(to: folder.appendingPathComponent(name))
                        for command in [
                            "filter 'id > 0' \(name)", "filter 'id > 0' \(name) --on-error skip --to csv",
                            "filter 'id > 0' --count < \(name)", "schema \(name)", "repl \(name) < /dev/null",
                        ] {
                            let found = try run("$P \(command) | tail -c 500", in: folder)
                            let file = command.contains("<") && command.hasPrefix("filter") ? "<stdin>" : name
                            #expect(found.code == 5 && found.output.contains(file), "\(command): \(found)")
                        }
                        for input in ["\(name)", "- < \(name)"] {
                            let into = "--into t.sqlite --entity t --keep-going"
                            let found = try run("$P import \(into) \(input)", in: folder)
                            #expect(found.code == 5, "\(found)")
                            #expect(found.output.contains("the compressed data is damaged or cut off"), "\(found)")
                        }
                        let piped = try run(
                            "cat \(name) | $P import - --into t.sqlite --entity t --keep-going", in: folder)
                        #expect(piped.code == 5, "\(piped)")
                        #expect(try store.count(StoreRequest("t")) == 0)
                    }
                    let limited = try run("$P filter 'id > 0' t.jsonl.\(end) --limit 2 | wc -l", in: folder)
                    #expect(limited.code == 0 && limited.output == "2\n")
                    let good = try run("$P import t.jsonl.\(end) --into t.sqlite --entity t", in: folder)
                    #expect(good.code == 0 && good.output == "t: 5000 rows\n", "\(good)")
                    _ = try store.rows("DELETE FROM t")
                }
            }
        }

        @Test func namesThatAreNotUTF8AreExplained() throws {
            try inTemporaryFolder { folder in
                let made = try run(
                    "echo '{\"a\":1}' > $'b\\xff.jsonl'; echo > $'s\\xff.swift'; echo > t.swift", in: folder)
                #expect(made.code == 0)
                for command in ["filter 'a > 0' $'b\\xff.jsonl'", "check $'a == \"\\xff\"'", "lint $'s\\xff.swift'"] {
                    let found = try run("$P \(command)", in: folder)
                    #expect(found.code == 2 && found.output.contains("is not UTF-8"), "\(found)")
                    #expect(found.output.contains("mv") && found.output.contains("predicate … < FILE"))
                }
                let piped = try run("$P filter 'a > 0' < $'b\\xff.jsonl'", in: folder)
                #expect(piped.code == 0 && piped.output == "{\"a\":1}\n")
                let searched = try run("$P lint .", in: folder)
                #expect(searched.code == 5 && searched.output.contains("its name is not UTF-8"), "\(searched)")
            }
        }

        /// SQLite does not check texts. A changed text would be a wrong answer.
        @Test func textsOfADatabaseThatAreNotUTF8AreErrors() throws {
            try inTemporaryFolder { folder in
                let store = try SQLiteStore(path: folder.appendingPathComponent("t.sqlite").path, mode: .create)
                _ = try store.rows("CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)")
                _ = try store.rows(
                    "INSERT INTO t VALUES (1, 'good'), (2, CAST(x'62ff' AS TEXT)), (3, CAST(x'f09f98' AS TEXT))")
                let good = try run("$P fetch 'id == 1' --database t.sqlite --entity t --to jsonl", in: folder)
                #expect(good.code == 0 && good.output.contains("\"n\":\"good\""), "\(good)")
                for id in [2, 3] {
                    let bad = try run("$P fetch 'id == \(id)' --database t.sqlite --entity t --to jsonl", in: folder)
                    #expect(bad.code == 5 && !bad.output.contains("\u{FFFD}"), "\(bad)")
                    #expect(bad.output.contains("t.n has text that is not UTF-8, but the schema says"), "\(bad)")
                }
                #expect(try store.rows("SELECT n FROM t WHERE id = 2") == [[.data([0x62, 0xFF])]])
            }
        }

        /// The messages name the cause and a command that helps.
        @Test func databasesWithALogAreExplained() throws {
            try inTemporaryFolder { folder in
                let user = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
                guard try run("\(user)$P version", in: folder).code == 0 else { return }
                for name in ["closed", "killed"] {
                    let path = folder.appendingPathComponent(name)
                    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
                    let file = path.appendingPathComponent("t.sqlite").path
                    do {
                        let store = try SQLiteStore(path: file, mode: .create, writeAheadLog: true)
                        _ = try store.rows("CREATE TABLE t (id INTEGER PRIMARY KEY)")
                        // A writer that was killed leaves its log.
                        if name == "killed" {
                            try FileManager.default.copyItem(atPath: file + "-wal", toPath: file + "-copy")
                        }
                    }
                    if name == "killed" {
                        try FileManager.default.moveItem(atPath: file + "-copy", toPath: file + "-wal")
                    }
                    chmod(path.path, 0o555)
                    defer { chmod(path.path, 0o755) }
                    let found = try run("\(user)$P fetch 'id > 0' --database \(name)/t.sqlite --entity t", in: folder)
                    #expect(found.code == 5 && found.output.contains("write-ahead log"), "\(found)")
                    #expect(found.output.contains("cp \(name)/t.sqlite* FOLDER"), "\(found)")
                    #expect(
                        found.output.contains("sqlite3 \(name)/t.sqlite 'PRAGMA journal_mode = DELETE'"), "\(found)")
                }
            }
        }
    }
#endif
