// Session tests: commands as a user types them, with their outputs. The commands run in this process:
//
//     # A comment.
//     $ predicate check 'a =='
//     error[expected-expression]: …
//     exit 3
//
// `exit` is shown if the code is not 0. Standard output and standard error are shown in the order in which they
// are written.

import Foundation
import GoldenCases
import PredicateCommands
import Testing

struct Session {
    struct Step {
        let command: String
        var expected: [String] = []
        /// Comments and blank lines before the command.
        var before: [String]
    }

    var steps: [Step] = []
    var rest: [String] = []

    init(_ text: String) {
        var pending: [String] = []
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("$ ") {
                if !steps.isEmpty { pending = steps[steps.count - 1].expected.splitBlankEnd() + pending }
                steps.append(Step(command: String(line.dropFirst(2)), before: pending))
                pending = []
            } else if steps.isEmpty {
                pending.append(line)
            } else {
                steps[steps.count - 1].expected.append(line)
            }
        }
        rest = steps.isEmpty ? pending : steps[steps.count - 1].expected.splitBlankEnd()
    }

    var text: String {
        (steps.flatMap { $0.before + ["$ " + $0.command] + $0.expected } + rest).joined(separator: "\n")
    }

    /// Runs all steps and returns them with their current output. Records an issue for each difference.
    /// - Parameter isUpdating: whether the caller saves the output instead.
    func run(_ name: String, directory: String, isUpdating: Bool = false) throws -> Session {
        var actual = self
        var shell = SessionShell(directory: directory)
        for (index, step) in steps.enumerated() {
            let lines = try shell.run(step.command)
            if lines == step.expected { continue }
            actual.steps[index].expected = lines
            if !isUpdating {
                let difference = Expectation.difference(
                    step.expected.joined(separator: "\n"), lines.joined(separator: "\n"))
                Issue.record("\(name): $ \(step.command)\n\(difference)")
            }
        }
        return actual
    }
}

extension [String] {
    /// Removes and returns the blank lines and comments at the end. A comment begins with `# `.
    fileprivate mutating func splitBlankEnd() -> [String] {
        let end = lastIndex { !$0.isEmpty && !$0.hasPrefix("# ") } ?? -1
        defer { removeSubrange((end + 1)...) }
        return Array(self[(end + 1)...])
    }
}

/// Runs command lines with `predicate`, `echo`, `cat` and pipes.
struct SessionShell {
    let directory: String
    let program: PredicateCommand
    private var status: Int32 = 0

    init(directory: String, program: PredicateCommand = .predicate) {
        self.directory = directory
        self.program = program
    }

    /// Whether the program has all commands of a line.
    func has(_ line: String) throws -> Bool {
        try ShellPipeline(line).commands.allSatisfy { command in
            command.words[0] != "predicate" || program.commandNames.contains(command.words.dropFirst().first ?? "")
        }
    }

    /// The output lines of a command line, including `exit N`.
    mutating func run(_ line: String) throws -> [String] {
        var shown = ""
        var piped: String?
        for (index, command) in try ShellPipeline(line).commands.enumerated() {
            let isLast = try index == ShellPipeline(line).commands.count - 1
            let text = try command.inputFile.map(read) ?? piped
            var output = ""
            switch command.words[0] {
            case "echo": output = command.words.dropFirst().joined(separator: " ") + "\n"
            case "cat": output = try command.words.dropFirst().map(read).joined()
            case "predicate", "swift":
                let words = command.words.drop { !$0.hasPrefix("predicate") }.dropFirst()
                let captured = Captured(keepsErrors: isLast)
                let environment = ["TERM": "xterm"].merging(command.environment) { $1 }
                status = program.run(
                    Array(words), input: CommandInput(text: text, environment: environment, directory: directory),
                    output: captured.output)
                output = captured.text
                shown += captured.errors
            default: throw ShellPipeline.Malformed(description: "a session cannot run '\(command.words[0])'")
            }
            output = output.replacingOccurrences(of: "$?", with: String(status))
            if isLast { shown += output } else { piped = output }
            if command.words[0] == "echo" || command.words[0] == "cat" { status = 0 }
        }
        var lines = shown.components(separatedBy: "\n")
        lines.dropBlankEnd()
        return status == 0 ? lines : lines + ["exit \(status)"]
    }

    private func read(_ name: String) throws -> String {
        try String(contentsOfFile: directory + "/" + name, encoding: .utf8)
    }
}

/// The output of a command.
final class Captured {
    private let keepsErrors: Bool
    private var bytes: [UInt8] = []
    private var errorBytes: [UInt8] = []

    /// - Parameter keepsErrors: whether standard error is included in the output.
    init(keepsErrors: Bool) { self.keepsErrors = keepsErrors }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var errors: String { String(decoding: errorBytes, as: UTF8.self) }

    var output: CommandOutput {
        CommandOutput(
            write: { self.bytes += $0 },
            writeError: { if self.keepsErrors { self.bytes += $0 } else { self.errorBytes += $0 } })
    }
}
