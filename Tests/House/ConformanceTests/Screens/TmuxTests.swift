// Runs the command in a real pseudo-terminal, to test what the screen emulator cannot: raw mode, signals, and the
// behaviour of the terminal. Needs tmux. Without it the tests are skipped, but in CI they fail.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite(.serialized) struct TmuxTests {
    private static let tmux = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { $0 + "/tmux" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    /// The executable, which the build creates beside the tests.
    private static let command = (Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])])
        .flatMap { [$0, $0.deletingLastPathComponent()] }.map { $0.appendingPathComponent("predicate").path }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test func toolsAreInstalled() {
        if ProcessInfo.processInfo.environment["CI"] != nil {
            #expect(Self.tmux != nil, "tmux is not installed")
            #expect(Self.command != nil, "the command has not been built")
        }
    }

    @Test(.enabled(if: tmux != nil && command != nil)) func promptWorksInATerminal() throws {
        let pane = try Pane(tmux: #require(Self.tmux), command: #require(Self.command), columns: 70, rows: 16)
        defer { pane.close() }
        try pane.expect("people>")
        // Typing, diagnostics, completion.
        try pane.type("nam == 3")
        try pane.expect("did you mean name?")
        try pane.press("C-u")
        try pane.type("ag")
        try pane.press("Tab")
        try pane.type("> 30")
        try pane.expect("people> age > 30")
        try pane.press("Enter")
        try pane.expect("2 of 3 records")
        try pane.expect("│ New York")
        // Several lines, Ctrl-C.
        try pane.press("C-l")
        try pane.type("(age == 36")
        try pane.press("Enter")
        try pane.expect("     (>")
        try pane.press("C-c")
        try pane.type("city == 'x'")
        try pane.expect("people> city == 'x'")
        // Two changes of the window size.
        try pane.resize(24, 16)
        try pane.expect("== 'x'")
        try pane.resize(70, 16)
        try pane.expect("people> city == 'x'")
        // History search.
        try pane.press("C-r")
        try pane.type("30")
        try pane.expect("search the history: 30")
        try pane.expect("people> age > 30")
        try pane.press("C-g", "C-u", "C-l")
        // A pasted text of two lines runs only after Enter.
        try pane.paste("age > 20\nAND age < 30")
        try pane.expect("     …> AND age < 30")
        try pane.press("Enter")
        try pane.expect("1 of 3 records")
        // Paging.
        try pane.press("C-l")
        try pane.type(".help")
        try pane.press("Enter")
        try pane.expect("q: quit")
        try pane.press("G")
        try pane.expect("Ctrl-D leaves")
        try pane.press("q")
        try pane.expect("people> .help")
        // Exit; the history is kept for the next session.
        try pane.press("C-d")
        try pane.expect("left with 0")
        try pane.again()
        try pane.expect("people>")
        try pane.press("Up", "Up")
        try pane.expect("     …> AND age < 30")
        try pane.press("C-c", "C-d")
        try pane.expect("left with 0")
    }

    @Test(.enabled(if: tmux != nil && command != nil)) func promptReadsADatabase() throws {
        let pane = try Pane(
            tmux: #require(Self.tmux), command: #require(Self.command), columns: 70, rows: 16,
            arguments: "shop.sqlite --entity person")
        defer { pane.close() }
        try pane.expect("person>")
        try pane.type("employer.ti")
        try pane.press("Tab")
        try pane.type("== \"E")
        try pane.press("Tab", "Enter")
        try pane.expect("2 of 5 records")
        try pane.type(".entity or")
        try pane.press("Tab", "Enter")
        try pane.expect("orders>")
        try pane.press("C-l")
        try pane.type("person.agee > 3")
        try pane.expect("did you mean age?")
        try pane.press("C-c", "C-d")
        try pane.expect("left with 0")
    }

    /// Ctrl-C ends a query that never finds a row, and one that counts without end.
    @Test(.enabled(if: tmux != nil && command != nil)) func interruptEndsAnEndlessScan() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("endless-\(UUID()).sqlite")
        defer { try? FileManager.default.removeItem(at: file) }
        let rows =
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT CAST(i AS INTEGER) AS i FROM n"
        _ = try SQLiteStore(path: file.path, mode: .create).rows("CREATE VIEW number AS \(rows)")
        let pane = try Pane(
            tmux: #require(Self.tmux), command: #require(Self.command), columns: 70, rows: 16,
            arguments: "'\(file.path)'")
        defer { pane.close() }
        try pane.expect("number>")
        for predicate in ["i < -5", "i > 5"] {
            try pane.press("C-l")
            // Otherwise the message of the first query would count as that of the second.
            try pane.expect("stopped", isShown: false)
            try pane.type(predicate)
            try pane.press("Enter")
            try pane.expect("stopped", pressing: "C-c")
            try pane.expect("number>")
        }
        try pane.press("C-d")
        try pane.expect("left with 0")
    }

    /// A signal that ends the process leaves the terminal as it was: typed text is shown again.
    @Test(.enabled(if: tmux != nil && command != nil)) func aSignalRestoresTheTerminal() throws {
        let pane = try Pane(tmux: #require(Self.tmux), command: #require(Self.command), columns: 70, rows: 16)
        defer { pane.close() }
        try pane.expect("people>")
        try pane.terminate()
        try pane.expect("left with 143")
        try pane.type("shown as typed")
        try pane.expect("shown as typed")
    }

    /// On a terminal without cursor movement, the prompt reads plain lines.
    @Test(.enabled(if: tmux != nil && command != nil)) func dumbTerminalReadsPlainLines() throws {
        let pane = try Pane(
            tmux: #require(Self.tmux), command: #require(Self.command), columns: 70, rows: 16, term: "dumb")
        defer { pane.close() }
        try pane.type("age > 30")
        try pane.press("Enter")
        try pane.expect("New York")
        try pane.press("C-d")
        try pane.expect("left with 0")
    }
}

/// A tmux window that runs the command.
private struct Pane {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private let tmux: String
    private let folder: URL
    private let line: String

    init(tmux: String, command: String, columns: Int, rows: Int, term: String? = nil, arguments: String = "people.json")
        throws
    {
        self.tmux = tmux
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tmux-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let settings = "XDG_STATE_HOME='\(folder.path)'" + (term.map { " TERM=" + $0 } ?? "")
        line =
            "cd '\(SessionTests.directory)' && \(settings) '\(command)' repl \(arguments); echo left with $?; read wait"
        try run(["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", line])
    }

    func close() {
        _ = try? run(["kill-server"])
        try? FileManager.default.removeItem(at: folder)
    }

    func type(_ text: String) throws { try run(["send-keys", "-l", "--", text]) }
    func press(_ keys: String...) throws { try run(["send-keys"] + keys) }
    func resize(_ columns: Int, _ rows: Int) throws { try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"]) }
    func again() throws { try run(["respawn-pane", "-k", line]) }

    /// Sends SIGTERM to the command.
    func terminate() throws {
        let children = "pgrep -P #{pane_pid} || cat /proc/#{pane_pid}/task/#{pane_pid}/children"
        try run(["run-shell", "kill -TERM $(\(children))"])
    }

    func paste(_ text: String) throws {
        try run(["set-buffer", text])
        try run(["paste-buffer", "-p"])
    }

    /// Waits until the screen shows a text, or no longer shows it. The time limit is generous, because the machine may be
    /// busy.
    /// - Parameter key: a key that is pressed repeatedly until then. A key that arrives together with Enter belongs to
    ///   the line before.
    func expect(
        _ text: String, isShown: Bool = true, pressing key: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        var shown = ""
        for _ in 0..<200 {
            shown = try run(["capture-pane", "-p"])
            if shown.contains(text) == isShown { return }
            if let key { try press(key) }
            Thread.sleep(forTimeInterval: 0.05)
        }
        let reason = isShown ? "is not on the screen" : "is still on the screen"
        Issue.record("'\(text)' \(reason):\n\(shown)", sourceLocation: location)
        throw Missing(description: text)
    }

    /// Does not use Foundation's Process, which would also wait for the tmux server.
    @discardableResult
    private func run(_ arguments: [String]) throws -> String {
        let file = folder.appendingPathComponent("output").path
        // A separate server without the user's settings, in UTF-8.
        let words = [tmux, "-S", folder.path + "/socket", "-f", "/dev/null", "-u"] + arguments
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let environment =
            ["PATH=" + path, "TERM=xterm", "LC_ALL=C.UTF-8"] + (sanitizerOptions.map { ["ASAN_OPTIONS=" + $0] } ?? [])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Unblock signals: test threads block them, and child processes would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let pointers = (words.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
        defer { for pointer in pointers.0 + pointers.1 { free(pointer) } }
        var process: pid_t = 0
        var status: Int32 = 0
        guard posix_spawn(&process, tmux, &actions, &attributes, pointers.0, pointers.1) == 0,
            waitpid(process, &status, 0) == process
        else { throw Missing(description: "tmux cannot be started") }
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
        guard status == 0 else { throw Missing(description: "tmux \(arguments): \(text)") }
        return text
    }
}
