// Screen tests: key presses for `predicate` and the resulting screens, as data:
//
//     === A typo is underlined
//     run repl people.json
//     size 60 10
//     keys nam == 3
//     screen
//     |people> nam == 3
//     keys <Enter>
//     colors
//     …
//
// `screen` shows the rows and the cursor; `colors` also shows the style of each column below its row. `keys`
// takes text and names of keys: <Enter> <Tab> <C-r> <M-b> <Up> …; `paste` takes text with \n, pasted at once.

import Foundation
import PredicateCommands
import PredicateTerminal
import Testing

struct ScreenCase {
    enum Step {
        case keys([[UInt8]])
        case size(Int, Int)
        case screen(colors: Bool)
    }

    /// The lines of the file without the expected screens.
    var lines: [String] = []
    var arguments: [String] = []
    var environment: [String: String] = [:]
    var columns = 60
    var rows = 16
    var steps: [Step] = []
    /// The index of each `screen` among the lines.
    var places: [Int] = []

    mutating func add(_ line: String) throws {
        if line.hasPrefix("|") || line.hasPrefix("·") || line.hasPrefix("cursor ") { return }
        lines.append(line)
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let verb = words.first, verb != "===", !verb.hasPrefix("#") else { return }
        let rest = words.count > 1 ? words[1] : ""
        switch verb {
        case "run": arguments = rest.split(separator: " ").map(String.init)
        case "environment":
            let pair = rest.split(separator: "=", maxSplits: 1).map(String.init)
            environment[pair[0]] = pair.count > 1 ? pair[1] : ""
        case "size":
            let numbers = rest.split(separator: " ").compactMap { Int($0) }
            try #require(numbers.count == 2, "size COLUMNS ROWS: \(line)")
            if steps.isEmpty {
                (columns, rows) = (numbers[0], numbers[1])
            } else {
                steps.append(.size(numbers[0], numbers[1]))
            }
        case "keys": steps.append(.keys(try KeyNames.bytes(rest)))
        case "paste":
            let text = rest.replacingOccurrences(of: "\\n", with: "\r")
            steps.append(.keys([Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)]))
        case "screen", "colors":
            steps.append(.screen(colors: verb == "colors"))
            places.append(lines.count)
        default: Issue.record("'\(verb)' is no step of a screen file")
        }
    }

    /// Runs the case and returns it with its current screens.
    func run(directory: String) -> String {
        let terminal = ScriptedTerminal(steps, columns: columns, rows: rows)
        var input = CommandInput(
            isTerminal: true, environment: ["TERM": "xterm"].merging(environment) { $1 }, directory: directory
        ) { [] }
        input.terminal = { terminal }
        let output = CommandOutput(
            errorIsTerminal: true, width: columns,
            write: { terminal.write($0) }, writeError: { terminal.write($0) })
        let code = PredicateCommand.run(arguments, input: input, output: output)
        terminal.playRest()
        #expect(code == 0, "\(lines.first ?? "")")
        #expect(terminal.model.unknown.isEmpty, "the screen was sent what it does not know")
        var shown = terminal.shown[...]
        var text: [String] = []
        for (index, line) in lines.enumerated() {
            if places.contains(index), let next = shown.popFirst() { text += next }
            text.append(line)
        }
        for rest in shown { text += rest }
        return text.joined(separator: "\n")
    }
}

/// A terminal that is operated by a list of steps.
final class ScriptedTerminal: Terminal {
    private(set) var model: ScreenModel
    private(set) var shown: [[String]] = []
    private var steps: ArraySlice<ScreenCase.Step>
    private var keys: ArraySlice<[UInt8]> = []

    init(_ steps: [ScreenCase.Step], columns: Int, rows: Int) {
        model = ScreenModel(columns: columns, rows: rows)
        self.steps = steps[...]
    }

    var size: TerminalSize { TerminalSize(columns: model.columns, rows: model.height) }
    func enterRawMode() {}
    func leaveRawMode() {}
    func suspend() {}

    func run(_ command: String, file: String) -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command + " \"$1\"", "sh", file]
        guard (try? process.run()) != nil else { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Converts a line feed to a new line, like a terminal in raw mode.
    func write(_ bytes: [UInt8]) { model.write(bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }) }

    func next(within milliseconds: Int?) -> TerminalEvent {
        if milliseconds == 0 { return .timeout }
        while true {
            if let key = keys.popFirst() { return .bytes(key) }
            if milliseconds != nil { return .timeout }
            guard let step = steps.popFirst() else { return .ended }
            switch step {
            case .keys(let bytes): keys = bytes[...]
            case .size(let columns, let rows):
                model.resize(columns: columns, rows: rows)
                return .resized
            case .screen(let colors): snapshot(colors)
            }
        }
    }

    /// Records the screens after the end of the command.
    func playRest() { for case .screen(let colors) in steps { snapshot(colors) } }

    private func snapshot(_ colors: Bool) {
        var lines: [String] = []
        for (line, styles) in zip(model.lines, model.styles) {
            lines.append("|" + line)
            if colors, !styles.isEmpty { lines.append("·" + styles) }
        }
        shown.append(lines + ["cursor \(model.row) \(model.column)"])
    }
}

enum KeyNames {
    /// Converts text and names of keys to the bytes of a terminal, one element per key.
    static func bytes(_ text: String) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        var rest = text[...]
        while let first = rest.first {
            if first == "<", let end = rest.firstIndex(of: ">"),
                let bytes = named(rest[rest.index(after: rest.startIndex)..<end])
            {
                keys.append(bytes)
                rest = rest[rest.index(after: end)...]
            } else {
                keys.append(Array(String(rest.removeFirst()).utf8))
            }
        }
        return keys
    }

    private static let sequences: [Substring: String] = [
        "Enter": "\r", "Tab": "\t", "Esc": "\u{1B}", "Backspace": "\u{7F}", "Delete": "\u{1B}[3~", "Up": "\u{1B}[A",
        "Down": "\u{1B}[B", "Right": "\u{1B}[C", "Left": "\u{1B}[D", "Home": "\u{1B}[H", "End": "\u{1B}[F",
        "PageUp": "\u{1B}[5~", "PageDown": "\u{1B}[6~", "M-Enter": "\u{1B}\r", "M-Backspace": "\u{1B}\u{7F}",
        "C-Left": "\u{1B}[1;5D", "C-Right": "\u{1B}[1;5C", "Space": " ",
    ]

    /// The bytes of a key name, or nil if it is not one: `<` may also be an operator.
    private static func named(_ name: Substring) -> [UInt8]? {
        if let sequence = sequences[name] { return Array(sequence.utf8) }
        guard name.count == 3, let letter = name.last?.asciiValue else { return nil }
        if name.hasPrefix("C-") { return [letter & 0x1F] }
        return name.hasPrefix("M-") ? [0x1B, letter] : nil
    }
}
