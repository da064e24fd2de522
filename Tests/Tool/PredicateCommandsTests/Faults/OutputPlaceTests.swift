// Every command that writes a file, with every kind of place: what is written, what the place is afterwards, and the
// exit code. The commands run as processes, because a descriptor such as /dev/stdout belongs to a process.

#if os(Linux)
    import Foundation
    import PredicateTestSupport
    import Testing

    @testable import PredicateCommands

    @Suite struct OutputPlaceTests {
        /// A command prefix for a user who is not root. Root can write everywhere.
        private static let otherUser = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        private static let attributes = FileAttributeKey("NSFileExtendedAttributes")

        /// A command that writes a file.
        struct Writer {
            let name: String
            /// The script; PLACE is the file.
            let script: String
            /// The end of the file's name, which `.save` needs.
            let suffix: String
            /// What a file has to contain so that it may be replaced, and a part of what the command writes.
            let old, new: String
            /// The exit codes of success and of a refusal.
            var success: Int32 = 0
            var refusal: Int32 = 2
            /// The file that the command reads, and its database.
            var input = "in.jsonl"
            var store: String?
        }

        static let writers = [
            Writer(
                name: "losses",
                script: "$P import in.jsonl --into shop.sqlite --entity person --keep-going --losses PLACE",
                suffix: "lost", old: #"{"at":"old:1"}"# + "\n", new: #"{"at":"in.jsonl:1""#, success: 1,
                store: "shop.sqlite"),
            Writer(
                name: "baseline", script: "$P lint in.swift --write-baseline PLACE", suffix: "base",
                old: #"{"findings": []}"#, new: "in.swift: unknown-operator", input: "in.swift"),
            Writer(
                name: "stamp", script: "$P lint in.swift --ignore unknown-operator --stamp PLACE", suffix: "stamp",
                old: "// no errors\n", new: "// no errors", input: "in.swift"),
            Writer(
                name: "save", script: "printf 'a > 0\\n.save PLACE\\n' | $P repl in.jsonl", suffix: "out.jsonl",
                old: "{\"a\":7}\n", new: "{\"a\":1,\"nam\":\"Ada\"}"),
            Writer(
                name: "save of a database",
                script: "printf \"name == 'Ada'\\n.save PLACE\\n\" | $P repl shop.sqlite", suffix: "out.json",
                old: "[]\n", new: "\"Ada\"", input: "shop.sqlite", store: "shop.sqlite"),
        ]

        /// A folder with the inputs. Other users can write into it.
        private func inFolder(_ body: (URL) throws -> Void) throws {
            try inTemporaryFolder { folder in
                chmod(folder.path, 0o777)
                let shop = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                    .appendingPathComponent("../../Sessions/fixtures/shop.sqlite")
                try FileManager.default.copyItem(at: shop, to: folder.appendingPathComponent("shop.sqlite"))
                try Data("{\"a\":1,\"nam\":\"Ada\"}\n".utf8).write(to: folder.appendingPathComponent("in.jsonl"))
                try Data("let p = NSPredicate(format: \"a BEGINWITH 'x'\")\n".utf8)
                    .write(to: folder.appendingPathComponent("in.swift"))
                try body(folder)
            }
        }

        /// Runs a script. Returns its exit code, its output and its errors.
        private func run(_ script: String, in folder: URL) throws -> (code: Int32, output: String, errors: String) {
            let process = bash(script, in: folder)
            let (output, errors) = (Pipe(), folder.appendingPathComponent("errors"))
            try Data().write(to: errors)
            process.standardOutput = output
            process.standardError = try FileHandle(forWritingTo: errors)
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text, try String(contentsOf: errors, encoding: .utf8))
        }

        /// A place, and how it is checked.
        private struct Place {
            let name: String
            /// Shell commands that make the place PLACE; OLD is a file with the old content, INPUT the input of the
            /// command, STORE its database.
            let setUp: String
            /// A shell condition that is true afterwards; NEW is true if the file `$1` has the new content.
            let check: String
            /// Whether the command writes the place.
            var isWritten = true
            /// The exit code if the place is not written; nil means that of a refusal.
            var code: Int32?
            /// Shell commands before and after that of the writer.
            var begin = "", end = ""
        }

        private static let places = [
            Place(name: "nothing", setUp: "true", check: "NEW PLACE && [ $(stat -c %a PLACE) = 644 ]"),
            Place(
                name: "a private input", setUp: "chmod 600 INPUT", check: "NEW PLACE && [ $(stat -c %a PLACE) = 600 ]"),
            Place(name: "a file", setUp: "cp OLD PLACE", check: "NEW PLACE && [ $(stat -c %a PLACE) = 644 ]"),
            Place(
                name: "a private file of another user",
                setUp: "cp OLD PLACE; chmod 600 PLACE; chown 65533:65532 PLACE 2> /dev/null || true",
                check: "NEW PLACE && [ $(stat -c %a:%u:%g PLACE) = $(cat owner) ]"),
            Place(
                name: "a file with two names", setUp: "cp OLD PLACE; chmod 640 PLACE; ln PLACE other",
                check: "NEW PLACE && NEW other && [ PLACE -ef other ] && [ $(stat -c %a other) = 640 ]"),
            Place(
                name: "a link to a file", setUp: "mkdir in; cp OLD in/file; chmod 600 in/file; ln -s in/file PLACE",
                check: "[ -L PLACE ] && NEW in/file && [ $(stat -c %a in/file) = 600 ]"),
            Place(
                name: "a link to nothing", setUp: "mkdir in; ln -s in/file between; ln -s between PLACE",
                check: "[ -L PLACE ] && [ -L between ] && NEW in/file"),
            Place(name: "a device", setUp: "ln -s /dev/null PLACE", check: "[ -L PLACE ] && [ -c /dev/null ]"),
            Place(
                name: "a full device", setUp: "ln -s /dev/full PLACE", check: "[ -L PLACE ] && [ -c /dev/full ]",
                isWritten: false, code: 5),
            Place(
                name: "standard output", setUp: "ln -s /dev/stdout PLACE", check: "[ -L PLACE ] && NEW output",
                end: "| cat > output"),
            Place(
                name: "standard output in a file",
                setUp: "ln -s /dev/fd/1 PLACE; echo first > output; stat -c %i output > inode",
                check: "NEW output && grep -q first output && [ $(stat -c %i output) = $(cat inode) ]",
                end: ">> output"),
            Place(name: "a descriptor", setUp: "ln -s /proc/self/fd/7 PLACE", check: "NEW seven", end: "7> seven"),
            Place(
                name: "a closed descriptor", setUp: "ln -s /dev/fd/9 PLACE", check: "true", isWritten: false, code: 5),
            Place(
                name: "a pipe", setUp: "mkfifo PLACE", check: "[ -p PLACE ] && NEW piped",
                begin: "timeout 20 cat PLACE > piped &", end: "; code=${PIPESTATUS[1]:-$?}; wait; (exit $code)"),
            Place(name: "a folder", setUp: "mkdir PLACE", check: "[ -d PLACE ]", isWritten: false, code: 5),
            Place(name: "no folder", setUp: "ln -s none/file PLACE", check: "true", isWritten: false, code: 5),
            Place(
                name: "its input", setUp: "cp INPUT copy; ln -s INPUT PLACE", check: "cmp INPUT copy", isWritten: false),
            Place(
                name: "another name of its input", setUp: "cp INPUT copy; ln INPUT PLACE", check: "cmp INPUT copy",
                isWritten: false),
            Place(
                name: "another file", setUp: "cp $P.swift PLACE; cp PLACE copy", check: "cmp PLACE copy",
                isWritten: false),
            Place(name: "a database", setUp: "cp shop.sqlite PLACE", check: "cmp PLACE shop.sqlite", isWritten: false),
        ]

        private static let ofStores = [
            Place(name: "its database", setUp: "ln -s STORE PLACE", check: "[ -L PLACE ]", isWritten: false),
            Place(
                name: "another name of its database", setUp: "ln STORE PLACE", check: "[ PLACE -ef STORE ]",
                isWritten: false),
            Place(
                name: "the log of its database", setUp: "ln -s $PWD/STORE-wal PLACE", check: "[ ! -e STORE-wal ]",
                isWritten: false),
            Place(
                name: "the journal of its database", setUp: "ln -s ./STORE-JOURNAL PLACE",
                check: "[ ! -e STORE-JOURNAL ]", isWritten: false),
        ]

        @Test(.cases) func everyWriterAndEveryPlace() throws {
            var cases = Self.writers.flatMap { writer in Self.places.map { (writer, $0) } }
            cases += Self.writers.filter { $0.store != nil }.flatMap { writer in Self.ofStores.map { (writer, $0) } }
            forEachCase(TestDepth.some(cases, every: 1)) { writer, place in
                try inFolder { folder in
                    func shell(_ text: String, _ end: String = "") throws -> (
                        code: Int32, output: String, errors: String
                    ) {
                        let head = "NEW() { grep -qF '\(writer.new)' \"$1\"; }; "
                        var text = text
                        for (word, value) in [
                            ("INPUT", writer.input), ("STORE", writer.store ?? ""), ("OLD", "old"),
                            ("$P.swift", "in.swift"), ("PLACE", writer.suffix),
                        ] { text = text.replacingOccurrences(of: word, with: value) }
                        return try run(head + text + " " + end, in: folder)
                    }
                    try Data(writer.old.utf8).write(to: folder.appendingPathComponent("old"))
                    let made = try shell(place.setUp + "\nstat -c %a:%u:%g PLACE > owner 2> /dev/null; true")
                    #expect(made.code == 0, "\(place.name): \(made.errors)")
                    let found = try shell(place.begin + " " + writer.script, place.end + "; exit ${PIPESTATUS[1]:-$?}")
                    let code = place.isWritten ? writer.success : place.code ?? writer.refusal
                    let isPiped = place.end.hasPrefix("|")
                    #expect(isPiped || found.code == code, "\(writer.name) to \(place.name): \(found)")
                    if !place.isWritten { #expect(found.errors.contains("'\(writer.suffix)'"), "\(found)") }
                    let check = try shell(place.check)
                    #expect(check.code == 0, "\(writer.name) to \(place.name): \(place.check): \(found)")
                    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    #expect(left.filter { $0.hasPrefix(".predicate") } == [], "\(writer.name) to \(place.name)")
                }
            }
        }

        /// Files that a user may write, in folders where a user may make no file, and the reverse.
        @Test func permissionsHold() throws {
            for writer in Self.writers {
                try inFolder { folder in
                    guard try run("\(Self.otherUser)$P version", in: folder).code == 0 else { return }
                    let script =
                        Self.otherUser.isEmpty
                        ? writer.script : writer.script.replacing("$P", with: Self.otherUser + "$P")
                    try Data(writer.old.utf8).write(to: folder.appendingPathComponent("old"))
                    chmod(folder.appendingPathComponent("shop.sqlite").path, 0o666)
                    func attempt(_ place: String, _ setUp: String) throws -> (
                        code: Int32, errors: String, state: String
                    ) {
                        let made = try run(setUp + "; stat -c %a:%u:%i \(place)", in: folder)
                        let found = try run(script.replacing("PLACE", with: place), in: folder)
                        let state = try run("stat -c %a:%u:%i \(place)", in: folder)
                        #expect(state.output == made.output, "\(writer.name): \(found)")
                        return (found.code, found.errors, try run("cat \(place)", in: folder).output)
                    }
                    let name = writer.suffix
                    let locked = try attempt(name, "cp old \(name); chmod 444 \(name)")
                    #expect(locked.code == 5 && locked.errors.contains("Permission denied"), "\(locked)")
                    #expect(locked.state == writer.old)
                    let closed = try attempt(
                        "closed/\(name)",
                        "mkdir closed; cp old closed/\(name); chmod 666 closed/\(name); chmod 555 closed")
                    #expect(closed.code == 5 && closed.errors.contains("its folder takes no new file"), "\(closed)")
                    #expect(closed.state == writer.old)
                    chmod(folder.appendingPathComponent("closed").path, 0o755)
                    guard getuid() == 0 else { return }
                    // Only root may give a file to another user, so the file is written in place.
                    let shared = try attempt("shared-\(name)", "cp old shared-\(name); chmod 666 shared-\(name)")
                    #expect(shared.code == writer.success && shared.state.contains(writer.new), "\(shared)")
                }
            }
        }

        /// `lint --fix` writes its own inputs.
        @Test func correctionsKeepTheFile() throws {
            for setUp in [
                "true", "chmod 600 in.swift", "chmod 755 in.swift; ln in.swift other.swift",
                "mv in.swift real; ln -s real in.swift", "chown 65533:65532 in.swift 2> /dev/null || true",
            ] {
                try inFolder { folder in
                    let state = "stat -L -c %a:%u:%g:%h in.swift; readlink in.swift; true"
                    let before = try run(setUp + "; " + state, in: folder).output
                    let path = folder.appendingPathComponent("in.swift").path
                    let note = Data("note".utf8)
                    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
                    try FileManager.default.setAttributes([Self.attributes: ["user.note": note]], ofItemAtPath: real)
                    let isKept = try attribute(real) == note  // not all file systems have attributes
                    let found = try run("$P lint --fix in.swift", in: folder)
                    #expect(found.code == 0, "\(setUp): \(found)")
                    #expect(try run(state, in: folder).output == before, "\(setUp)")
                    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("BEGINSWITH"))
                    #expect(try !isKept || attribute(real) == note, "\(setUp)")
                }
            }
        }

        private func attribute(_ path: String) throws -> Data? {
            let all = try FileManager.default.attributesOfItem(atPath: path)[Self.attributes] as? [String: Data]
            return all?["user.note"]
        }

        /// The rows are stored, and the report says so.
        @Test func lossesThatCannotBeWrittenLeaveTheReport() throws {
            try inFolder { folder in
                let script = "$P import in.jsonl --into shop.sqlite --entity person --keep-going --losses /dev/full"
                let found = try run(script, in: folder)
                #expect(found.code == 5 && found.output.contains("1 loss"), "\(found)")
                #expect(found.errors.contains("cannot write '/dev/full': No space left on device"), "\(found)")
            }
        }

        /// A shell opens the output before the command reads the same file.
        @Test func anInputIsNotTheOutput() throws {
            try inFolder { folder in
                for command in ["filter 'a > 0' in.jsonl", "schema in.jsonl", "filter 'a > 0' in.jsonl --count"] {
                    let before = try run("cat in.jsonl", in: folder).output
                    let found = try run("$P \(command) >> in.jsonl", in: folder)
                    #expect(found.code == 5 && found.errors.contains("in.jsonl: it is also the output"), "\(found)")
                    #expect(try run("cat in.jsonl", in: folder).output == before)
                }
                #expect(try run("$P filter 'a > 0' in.jsonl >> other; cat other", in: folder).output.contains("Ada"))
            }
        }

        /// The text that `.edit` gives to the editor.
        @Test func temporaryFilesArePrivate() throws {
            try inFolder { folder in
                let input = CommandInput(text: "", directory: folder.path)
                try OutputPlace("text", input, isPrivate: true).write(Array("a == 1\n".utf8))
                #expect(try run("stat -c %a text; cat text", in: folder).output == "600\na == 1\n")
            }
        }

        /// A disk that becomes full leaves the old content, whether the file is renamed or written in place.
        @Test func fullDisksLeaveTheOldContent() throws {
            try inFolder { folder in
                let old = "{\"a\":7}\n"
                for setUp in ["true", "ln out.jsonl other"] {
                    try Data(old.utf8).write(to: folder.appendingPathComponent("out.jsonl"))
                    let many = (0..<2000).map { "{\"a\":\($0)}\n" }.joined()
                    try Data(many.utf8).write(to: folder.appendingPathComponent("many.jsonl"))
                    // The limit of a file's size acts as a full disk.
                    let script = "\(setUp); printf 'a >= 0\\n.save out.jsonl\\n' | (ulimit -f 4; $P repl many.jsonl)"
                    let found = try run(script, in: folder)
                    #expect(found.code == 5 && found.errors.contains("File too large"), "\(found)")
                    #expect(try String(contentsOf: folder.appendingPathComponent("out.jsonl"), encoding: .utf8) == old)
                    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    #expect(left.filter { $0.hasPrefix(".predicate") } == [])
                }
            }
        }
    }
#endif
