// The command as a process under bad conditions: full disks, closed pipes, few files, little stack and memory, folders
// of other users, and kills at any moment. Each run ends with an exit code and a message, and destroys no file.

#if os(Linux)
    import Foundation
    import PredicateTestSupport
    import Testing

    @Suite struct FaultTests {
        /// Calls `body` with a folder that contains files of records, and a folder `closed` without permission to
        /// write.
        private func inFolder(_ body: (URL) throws -> Void) throws {
            try inTemporaryFolder { folder in
                let closed = folder.appendingPathComponent("closed")
                try FileManager.default.createDirectory(at: closed, withIntermediateDirectories: true)
                defer { chmod(closed.path, 0o755) }
                let records = (0..<20_000).map {
                    "{\"a\": \($0), \"s\": \"\(String(repeating: "x", count: 40))\"}\n"
                }
                try Data(records.joined().utf8).write(to: folder.appendingPathComponent("many.jsonl"))
                try Data("{\"a\": 1}\n".utf8).write(to: folder.appendingPathComponent("one.jsonl"))
                try Data("let p = NSPredicate(format: \"a BEGINWITH 'x'\")\n".utf8)
                    .write(to: closed.appendingPathComponent("x.swift"))
                chmod(closed.appendingPathComponent("x.swift").path, 0o444)
                chmod(closed.path, 0o555)
                try body(folder)
            }
        }

        /// A command prefix that changes root to another user, because root can write everywhere. nil if that user
        /// cannot run the command.
        private func otherUser(in folder: URL) throws -> String? {
            guard getuid() == 0 else { return "" }
            let user = "setpriv --reuid=65534 --regid=65534 --clear-groups "
            let process = bash("\(user)$P version > /dev/null 2>&1", in: folder)
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus == 0 ? user : nil
        }

        @Test(.cases) func faultsAreMessages() throws {
            let nots = "$(printf 'NOT %.0s' $(seq 190)) a == 1"
            try inFolder { folder in
                var cases: [(String, Int32, String)] = [
                    ("$P filter 'a > 0' many.jsonl > /dev/full", 5, "cannot write: No space left on device"),
                    ("$P filter 'a > 0' many.jsonl | head -1 > first; exit ${PIPESTATUS[0]}", 0, ""),
                    ("$P check 'a >' 2> /dev/full", 3, ""),
                    ("$P filter 'a > 0' one.jsonl >&-", 5, "cannot write: Bad file descriptor"),
                    ("$P filter 'a > 0' - <&-", 5, "cannot read"),
                    ("ulimit -n 5; $P filter 'a > 0' one.jsonl > few", 0, ""),
                    ("ulimit -v 900000; $P filter 'a > 0' many.jsonl > little", 0, ""),
                    ("ulimit -s 128; $P check \"\(nots)\" >&2", 3, "limit-exceeded"),
                    ("$P check --file /dev/zero", 5, "a line has more than 8 MB"),
                    ("$P check 'a == 1' --schema /dev/zero", 5, "it has more than 256 MB"),
                ]
                if let user = try otherUser(in: folder) {
                    let save = "cd closed; printf 'a > 0\\n.save out.json\\n' | \(user)$P repl ../one.jsonl > /dev/null"
                    cases += [
                        ("\(user)$P lint --fix closed/x.swift", 5, "cannot write 'closed/x.swift'"),
                        (save, 5, "cannot write 'out.json'"),
                    ]
                }
                forEachCase(cases) { script, code, message in
                    let process = bash(script, in: folder)
                    let errors = Pipe()
                    process.standardError = errors
                    try process.run()
                    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                    process.waitUntilExit()
                    #expect(process.terminationStatus == code, "\(script): \(text)")
                    #expect(message.isEmpty ? text.isEmpty : text.contains(message), "\(script): \(text)")
                }
                let source = folder.appendingPathComponent("closed/x.swift")
                #expect(try String(contentsOf: source, encoding: .utf8).contains("BEGINWITH"))
            }
        }

        /// Starts the prompt and saves the records to an existing file.
        private func saver(in folder: URL) throws -> Process {
            let script = folder.appendingPathComponent("script")
            try Data("a >= 0\n.save saved.jsonl overwrite\n".utf8).write(to: script)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: builtCommand)
            process.arguments = ["repl", "many.jsonl"]
            process.currentDirectoryURL = folder
            process.standardInput = try FileHandle(forReadingFrom: script)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }

        /// When the process is killed while it replaces a file, the file has either the old or the new content.
        @Test func killedSavesLeaveAWholeFile() throws {
            try inFolder { folder in
                var random = SplitMix(11)
                let file = folder.appendingPathComponent("saved.jsonl")
                let clock = ContinuousClock()
                let time = try clock.measure { try saver(in: folder).waitUntilExit() }
                let new = try Data(contentsOf: file)
                #expect(new.count > 1_000_000)
                let old = Data("{\"old\": true}\n".utf8)
                for _ in 0..<TestDepth.count(100, full: 200) {
                    try old.write(to: file)
                    let process = try saver(in: folder)
                    usleep(UInt32(random.below(Int(time / .microseconds(1)))))
                    kill(process.processIdentifier, SIGKILL)
                    process.waitUntilExit()
                    let found = try Data(contentsOf: file)
                    #expect(found == old || found == new, "\(found.count) bytes")
                }
            }
        }
    }
#endif
