// Runs the command with an input: a file for lint, or key presses for the prompt.

import Foundation
import PredicateCheckCommands
import PredicateCommands
import PredicateTerminal

enum CommandFuzzing {
    /// The file names for lint. The first byte of an input selects one.
    static let names = [
        "input.swift", "input.m", "input.plist", "input.json", "input.yaml", "input.predicates", "input",
        "Model.xcdatamodel/contents",
    ]

    private static func run(_ arguments: [String], _ input: CommandInput) -> Int32 {
        PredicateCommand.run(arguments, input: input, output: CommandOutput(write: { _ in }, writeError: { _ in }))
    }

    /// Every third run also applies the corrections. Afterwards lint must not fail because of the corrected file.
    static func lint(_ input: [UInt8]) -> String? {
        guard let choice = input.first else { return nil }
        let name = names[Int(choice) % names.count]
        if name.contains("/") {
            try? FileManager.default.createDirectory(
                atPath: "\(ScratchFile.folder)/Model.xcdatamodel", withIntermediateDirectories: true)
        }
        let file = ScratchFile(name, Array(input.dropFirst()))
        let nothing = CommandInput(text: "")
        let code = run(["lint", file.path, "--output", "json"], nothing)
        guard code == 3 || code == 4, Int(choice) / names.count % 3 == 1 else { return nil }
        _ = run(["lint", file.path, "--fix"], nothing)
        let after = run(["lint", file.path], nothing)
        return after == 2 || after == 5 ? "lint ends with \(after) after its own corrections" : nil
    }

    /// - Parameter input: the first byte is the number of bytes that arrive at once; the rest are the key presses.
    static func keys(_ input: [UInt8]) -> String? {
        guard let size = input.first else { return nil }
        let terminal = ByteTerminal(Array(input.dropFirst()), size: Int(size))
        var source = CommandInput(
            isTerminal: true, environment: ["TERM": "xterm"], directory: ScratchFile.folder, read: { [] })
        source.terminal = { terminal }
        let code = run(["repl", "--no-history"], source)
        return code == 0 ? nil : "the prompt ends with \(code)"
    }
}

/// A terminal whose key presses are bytes of the input. Replaces slashes, because commands at the prompt write files:
/// they must stay in the scratch folder.
final class ByteTerminal: Terminal {
    private var rest: ArraySlice<UInt8>
    private let step: Int
    let size: TerminalSize

    init(_ bytes: [UInt8], size: Int) {
        rest = bytes.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ":") : $0 }[...]
        step = max(1, size % 16)
        self.size = TerminalSize(columns: 20 + size, rows: 4 + size / 16)
    }

    func enterRawMode() {}
    func leaveRawMode() {}
    func suspend() {}
    func write(_ bytes: [UInt8]) {}
    func run(_ command: String, file: String) -> Int32 { 1 }

    func next(within milliseconds: Int?) -> TerminalEvent {
        if rest.isEmpty { return milliseconds == nil ? .ended : .timeout }
        defer { rest = rest.dropFirst(step) }
        return .bytes(Array(rest.prefix(step)))
    }
}
