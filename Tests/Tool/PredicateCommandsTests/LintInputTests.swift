// What `lint` reads: files that are left out, pipes in place of files, and very long lines.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands
@testable import PredicateRequests

@Suite struct LintInputTests {
    private static let source = "let p = NSPredicate(format: \"a === 1\")\n"

    /// Calls `body` with a folder that has a source file with one mistake.
    private func inFolder(_ body: (_ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/lint-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Self.source.write(toFile: folder + "/a.swift", atomically: true, encoding: .utf8)
        try body(folder)
    }

    /// A file that is too long does not end the run. It has a size, but no blocks on the disk.
    @Test func aLongFileIsLeftOut() throws {
        try inFolder { folder in
            #expect(FileManager.default.createFile(atPath: folder + "/b.swift", contents: nil))
            let handle = try #require(FileHandle(forWritingAtPath: folder + "/b.swift"))
            try handle.truncate(atOffset: 257 << 20)
            try handle.close()
            let run = Run(["lint", folder])
            #expect(run.err.contains("cannot read '\(folder)/b.swift': it has more than 256 MB"))
            #expect(run.out.contains("/a.swift:1:32: error[single-equals-chain]"))
            #expect(run.out.hasSuffix("\n1 predicate in 2 files, 1 wrong; 1 file cannot be read\n"))
        }
    }

    /// A file that two operands name is one file.
    @Test func filesAreReadOnce() throws {
        try inFolder { folder in
            for operands in [
                [folder, folder + "/a.swift"], [folder + "/a.swift", folder + "/./a.swift", folder + "/"],
            ] {
                let run = Run(["lint"] + operands)
                #expect(run.out.hasSuffix("\n1 predicate in 1 file, 1 wrong\n"), "\(run.out)")
            }
        }
    }

    /// Also if the current folder is the root, whose path ends with a slash.
    @Test func configurationsAreShownRelativeToTheCurrentFolder() throws {
        try inFolder { folder in
            try "{\"call\": []}".write(toFile: folder + "/.predicate.json", atomically: true, encoding: .utf8)
            for current in ["/", FileManager.default.temporaryDirectory.path] {
                let name = String(folder.dropFirst(current.count).drop { $0 == "/" })
                let run = Run(["lint", name], directory: current)
                let lines = (run.out + run.err).split(separator: "\n")
                #expect(
                    lines.contains { $0.hasPrefix("\(name)/.predicate.json:1:1: unknown field 'call'") }, "\(lines)")
            }
        }
    }

    /// Files that a configuration names, and that a profile or a model consists of, are regular files. Reading a pipe
    /// could wait without end.
    @Test(.cases) func pipesAreNotRead() {
        forEachCase([
            #"{"schema": "pipe.json"}"#, #"{"schema": "pipe.sqlite"}"#, #"{"schema": "/dev/stdin"}"#,
            #"{"schema": "M.xcdatamodeld"}"#, #"{"profile": "./pipe.json"}"#, #"{"profile": "./ours.json"}"#,
            #"{"baseline": "pipe.json"}"#, "",
        ]) { configuration in
            try inFolder { folder in
                let model = folder + "/M.xcdatamodeld/M.xcdatamodel"
                try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
                try #"{"name": "ours", "extends": "pipe.json"}"#.write(
                    toFile: folder + "/ours.json", atomically: true, encoding: .utf8)
                let pipes = ["/pipe.json", "/pipe.sqlite", "/M.xcdatamodeld/M.xcdatamodel/contents"]
                for name in pipes + (configuration.isEmpty ? ["/.predicate.json"] : []) {
                    #expect(mkfifo(folder + name, 0o600) == 0)
                }
                if !configuration.isEmpty {
                    try configuration.write(toFile: folder + "/.predicate.json", atomically: true, encoding: .utf8)
                }
                let run = Run(["lint", folder + "/a.swift"])
                #expect(run.code == 5, "\(configuration)")
                #expect(run.err.contains("it is not a"), "\(configuration): \(run.err)")
            }
        }
    }

    /// A pipe of the command line can be read only once, and is the schema of files with a configuration, too.
    @Test func aPipeOfTheCommandLineIsReadOnce() throws {
        try inFolder { folder in
            let pipe = folder + "/schema"
            #expect(mkfifo(pipe, 0o600) == 0)
            try #"{"strict": true}"#.write(toFile: folder + "/.predicate.json", atomically: true, encoding: .utf8)
            try "let p = NSPredicate(format: \"nmae == 1\")\n"
                .write(toFile: folder + "/b.swift", atomically: true, encoding: .utf8)
            let writing = Thread {
                let schema = #"{"entities": {"P": {"attributes": {"name": "integer"}}}}"#
                try? FileHandle(forWritingAtPath: pipe)?.write(contentsOf: Data(schema.utf8))
            }
            writing.start()
            let run = Run(["lint", "--schema", pipe, "--entity", "P", folder + "/b.swift"])
            #expect(run.out.contains("b.swift:1:30: error[unknown-key]: P has no key 'nmae'"))
            #expect(run.out.hasSuffix("\n1 predicate in 1 file, 1 wrong\n"))
        }
    }

    /// An entry of a baseline has a part of a very long line, so that its size does not grow with the line.
    @Test func baselinesOfLongLinesAreShort() throws {
        let line = String(repeating: "p(NSPredicate(format: \"é === 1\")); ", count: 500)
        let lines = BaselineLines(path: "a.swift", source: "x\r\n" + line + "\r\ny")
        for offset in stride(from: 0, to: line.utf8.count, by: 97) {
            let entry = lines.entry(PredicateDiagnostic(.unknownOperator, at: SourceSpan(3 + offset, 3 + offset)))
            #expect(entry.utf8.count < 500 && entry.contains("p(NSPredicate"))
        }
        #expect(
            lines.entry(PredicateDiagnostic(.unknownOperator, at: SourceSpan(0, 1))) == "a.swift: unknown-operator: x")
    }

    @Test func commentsOfWindowsFilesHideFindings() {
        let comments = IgnoreComments(Array("a\r\nb // predicate:ignore\r\nc\r\n".utf8))
        let finding = PredicateDiagnostic(.unknownOperator, at: SourceSpan(0, 1))
        #expect((1...4).map { comments.ignores(finding, line: $0) } == [false, true, false, false])
    }
}
