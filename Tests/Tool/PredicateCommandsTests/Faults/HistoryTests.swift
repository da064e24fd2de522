// Tests of the history file: what it contains, who can read it, and several sessions at once.

import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands
@testable import PredicateTerminal

extension HistoryFile {
    fileprivate init(path: String) { self.init(place: OutputPlace(path, CommandInput(text: nil))) }

    fileprivate var path: String { place.name }
}

@Suite struct HistoryTests {
    private func withFile(_ body: (HistoryFile) throws -> Void) rethrows {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("history-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(HistoryFile(path: folder.path + "/state/predicate/history"))
    }

    @Test func entriesAreReadBackUnchanged() {
        let entries = ["a == 'x'", "two\nlines", "back\\slash \\n", "陳 é\r", "tab\there"]
        withFile { file in
            #expect(file.load().entries.isEmpty)
            for entry in entries { file.append(entry) }
            #expect(file.load().entries == entries)
            file.clear()
            #expect(file.load().entries.isEmpty)
        }
    }

    @Test func onlyTheOwnerCanReadTheFile() throws {
        try withFile { file in
            file.append("a")
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let folder = try FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: file.path).deletingLastPathComponent().path)
            #expect((folder[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        }
    }

    /// The file is written in place, so that its mode and its links stay, also when its older half is dropped.
    @Test func theFileIsNeverReplaced() throws {
        try withFile { file in
            file.append("first")
            let files = FileManager.default
            let (other, link) = (file.path + "-other", file.path + "-link")
            try files.linkItem(atPath: file.path, toPath: other)
            try files.createSymbolicLink(atPath: link, withDestinationPath: "history")
            try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            for number in 0..<40 {
                HistoryFile(path: link).append("\(number) " + String(repeating: "x", count: 60_000))
            }
            #expect(HistoryFile(path: other).load().entries.last?.hasPrefix("39 ") == true)
            #expect(try files.destinationOfSymbolicLink(atPath: link) == "history")
            let attributes = try files.attributesOfItem(atPath: other)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
            #expect((attributes[.referenceCount] as? NSNumber)?.intValue == 2)
        }
    }

    /// Each writer opens the file separately, as sessions do.
    @Test func concurrentSessionsLoseNothing() async {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("history-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/history"
        await withTaskGroup(of: Void.self) { group in
            for session in 0..<4 {
                group.addTask {
                    for number in 0..<100 { HistoryFile(path: path).append("session \(session) line \(number)") }
                }
            }
        }
        let entries = HistoryFile(path: path).load().entries
        #expect(entries.count == 400)
        for session in 0..<4 {
            let own = entries.filter { $0.hasPrefix("session \(session) ") }
            #expect(own == (0..<100).map { "session \(session) line \($0)" })
        }
    }

    @Test func fileSizeIsLimited() throws {
        try withFile { file in
            let long = String(repeating: "x", count: 60_000)
            for number in 0..<40 { file.append("\(number) \(long)") }
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
            #expect((size?.intValue ?? .max) <= 1_200_000)
            #expect(file.load().entries.last?.hasPrefix("39 ") == true)
        }
        var history = History()
        for number in 0..<(History.limit + 10) { history.add("a == \(number)") }
        #expect(history.entries.count == History.limit)
        #expect(history.entries.first == "a == 10")
    }

    @Test func repeatedAndPrivateEntriesAreNotKept() {
        var history = History()
        for entry in ["a", "a", " private", "  ", "", "b", "a", String(repeating: "x", count: 1 << 20)] {
            history.add(entry)
        }
        #expect(history.entries == ["a", "b", "a"])
    }

    /// A file that is not a history, or one that another program has written to.
    @Test func anyBytesAreReadAsHistory() throws {
        try withFile { file in
            file.append("first")
            let bytes = [UInt8](0...255) + Array("\nlast\n".utf8)
            let handle = try #require(FileHandle(forWritingAtPath: file.path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(bytes))
            try handle.close()
            #expect(file.load().entries.first == "first")
            #expect(file.load().entries.last == "last")
        }
        let nowhere = HistoryFile(path: "/dev/null/nowhere/history")
        nowhere.append("a")
        #expect(nowhere.load().entries.isEmpty)
    }

    /// A pipe in place of the file is not read: that could wait without end.
    @Test func aPipeIsNoHistory() throws {
        try withFile { file in
            file.append("first")
            try FileManager.default.removeItem(atPath: file.path)
            #expect(mkfifo(file.path, 0o600) == 0)
            // Both ends stay open for a while, so that a reader would not wait for this test.
            let pipe = open(file.path, O_RDWR | O_NONBLOCK)
            let text = Array("from a pipe\n".utf8)
            #expect(write(pipe, text, text.count) == text.count)
            let closing = Thread {
                Thread.sleep(forTimeInterval: 2)
                close(pipe)
            }
            closing.start()
            #expect(file.load().entries.isEmpty)
            file.append("a")
            file.clear()
        }
    }

    /// A file that another process keeps locked is read, and not changed.
    @Test func aLockedFileIsRead() {
        withFile { file in
            file.append("first")
            let other = open(file.path, O_RDONLY)
            defer { close(other) }
            #expect(flock(other, LOCK_EX) == 0)
            #expect(file.load().entries == ["first"])
            file.append("second")
            #expect(flock(other, LOCK_UN) == 0)
            #expect(file.load().entries == ["first"])
        }
    }

    @Test(.cases) func standardPathFollowsTheEnvironment() {
        let cases: [([String: String], String?)] = [
            (["XDG_STATE_HOME": "/s"], "/s/predicate/history"), (["HOME": "/h"], "/h/.local/state/predicate/history"),
            (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/predicate/history"), (["HOME": ""], nil),
            ([:], nil),
        ]
        forEachCase(cases) { environment, path in
            #expect(HistoryFile.standard(CommandInput(text: nil, environment: environment))?.path == path)
        }
    }
}
