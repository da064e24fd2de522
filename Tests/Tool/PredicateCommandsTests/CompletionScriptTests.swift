// Runs the completion scripts in their shells, if they are installed. bash completes; the other shells only check the
// syntax.
import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct CompletionScriptTests {
    /// The output of a program; nil if it is not installed.
    private func output(_ program: String, _ arguments: [String]) throws -> (text: String, code: Int32)? {
        let folders = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        guard let path = folders.map({ "\($0)/\(program)" }).first(where: FileManager.default.isExecutableFile) else {
            return nil
        }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }

    @Test(.cases) func bashCompletesWords() {
        let cases: [([String], String)] = [
            (["fo"], "format"), (["format", "--pr"], "--pretty"), (["check", "--output", ""], "text json github"),
            (["filter", "--to", "js"], "json jsonl"), (["help", "sq"], "sql"),
            (["completions", ""], "--help bash zsh fish"), (["sql", "--dialect", "post"], "postgresql"),
            (["check", "--profile", "coredata"], "coredata-sqlite"), (["explain", "unknown-o"], "unknown-operator"),
        ]
        forEachCase(cases) { words, expected in
            let script = CompletionScript.bash(PredicateCommand.commands)
            let quoted = (["predicate"] + words).map { "'\($0)'" }.joined(separator: " ")
            let ask =
                "\(script)\nCOMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count); _predicate; echo \"${COMPREPLY[*]}\""
            guard let found = try output("bash", ["-c", ask]) else { return }
            let completions = found.text.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(completions.hasPrefix(expected), "\(words)")
            #expect(found.code == 0)
        }
    }

    /// Completes the keys of the file on the command line, also after a comma.
    @Test func bashCompletesKeysOfTheFile() throws {
        let script = CompletionScript.bash(PredicateCommand.commands)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Sessions/fixtures/people.json").standardized.path
        let answer = Run(["complete", "", file]).out
        #expect(!answer.isEmpty)
        let ask = """
            \(script)
            predicate() { if [ "$1" = complete ] && [ "$3" = '\(file)' ]; then echo "$KEYS"; fi; }
            COMP_WORDS=(predicate filter 'age > 3' '\(file)' --keys 'name,a'); COMP_CWORD=5
            _predicate; echo "${COMPREPLY[*]}"
            COMP_WORDS[4]=--sort; COMP_WORDS[5]=age,-na; _predicate; echo "${COMPREPLY[*]}"
            """
        let keys = "KEYS='\(answer.replacingOccurrences(of: "'", with: ""))'\n"
        guard let found = try output("bash", ["-c", keys + ask]) else { return }
        #expect(found.text == "name,age\nage,-name\n")
    }

    @Test(.cases) func scriptsHaveValidSyntax() {
        let cases: [(String, @Sendable ([CommandDescription]) -> String)] = [
            ("bash", CompletionScript.bash), ("zsh", CompletionScript.zsh), ("fish", CompletionScript.fish),
        ]
        forEachCase(cases) { shell, script in
            let text = script(PredicateCommand.commands)
            for command in PredicateCommand.commands {
                for option in command.options {
                    #expect(text.contains(option.name.dropFirst(2)), "\(shell) \(option.name)")
                }
            }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(shell)")
            try text.write(to: file, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(at: file) }
            if let checked = try output(shell, ["-n", file.path]) { #expect(checked.code == 0, "\(shell)") }
        }
    }
}
