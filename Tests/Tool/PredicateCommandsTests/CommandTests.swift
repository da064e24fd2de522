// Tests of the command line that sessions cannot express: terminals, colours, closed pipes, and flushing of output.
// Tests/Tool/Sessions has the other tests.

import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

/// Runs a command line in process and keeps its output.
final class Run {
    private(set) var out = ""
    private(set) var err = ""
    private(set) var code: Int32 = -1

    init(
        _ arguments: [String], text: String? = nil, environment: [String: String] = [:], directory: String? = nil,
        terminal: Bool = false
    ) {
        let output = CommandOutput(
            isTerminal: terminal, errorIsTerminal: terminal, write: { self.out += String(decoding: $0, as: UTF8.self) },
            writeError: { self.err += String(decoding: $0, as: UTF8.self) })
        code = PredicateCommand.run(
            arguments, input: CommandInput(text: text, environment: environment, directory: directory),
            output: output)
    }
}

private struct Closed: Error {}

@Suite struct CommandTests {
    @Test func coloursNeedATerminal() {
        let wrong = ["check", "a =="]
        #expect(Run(wrong, terminal: true).out.contains("\u{1B}[1;31m"))
        #expect(Run(wrong, environment: ["NO_COLOR": "", "TERM": "xterm"], terminal: true).out.contains("\u{1B}["))
        let plain = [
            Run(wrong), Run(wrong + ["--no-color"], terminal: true),
            Run(wrong, environment: ["NO_COLOR": "1"], terminal: true),
            Run(wrong, environment: ["TERM": "dumb"], terminal: true),
        ]
        for run in plain {
            #expect(!run.out.contains("\u{1B}"))
            #expect(run.out.hasPrefix("error["))
            #expect(run.code == 3)
        }
    }

    @Test func resultsAndDiagnosticsUseDifferentStreams() {
        // The findings are the result of `check` and `lint`.
        for form in ["text", "json", "github"] {
            let checked = Run(["check", "--output", form, "name == Kyle"])
            #expect(checked.out.contains("bare-keys-compared"))
            #expect(checked.err == "")
        }
        #expect(Run(["check", "--schema", "missing.json", "a == 1"]).out == "")
        let evaluated = Run(["eval", "name == Kyle", "--object", "{}"])
        #expect(evaluated.out == "true\n")
        #expect(evaluated.err.hasPrefix("warning[bare-keys-compared]"))
        #expect(Run(["format", "a =="]).out == "")
    }

    /// Like `predicate … | head -1`.
    @Test func closedPipeIsNoFailure() {
        var written = 0
        let output = CommandOutput(
            write: {
                written += $0.count
                throw Closed()
            },
            writeError: { _ in Issue.record("nothing is to be said") })
        let lines = String(repeating: "a == 1\n", count: 100_000)
        #expect(PredicateCommand.run(["format"], input: CommandInput(text: lines), output: output) == 0)
        #expect(written > 0 && written < 200_000, "it ends at the first refusal")
    }

    @Test func fullDiskIsAFailure() {
        for arguments in [["format", "a == 1"], ["filter", "TRUEPREDICATE"]] {
            var said = ""
            let output = CommandOutput(
                write: { _ in throw OutputProblem.failed("No space left on device") },
                writeError: { said += String(decoding: $0, as: UTF8.self) })
            #expect(PredicateCommand.run(arguments, input: CommandInput(text: "[1]"), output: output) == 5)
            #expect(said.hasSuffix(": cannot write: No space left on device\n"))
        }
    }

    @Test func closedErrorStreamIsIgnored() {
        let output = CommandOutput(write: { _ in }, writeError: { _ in throw Closed() })
        #expect(PredicateCommand.run(["check", "a =="], input: CommandInput(text: nil), output: output) == 3)
    }

    /// A sender that waits for an answer before its next request receives the answer.
    @Test func batchAnswersBeforeItWaits() {
        var requests = ["{\"format\": \"a == 1\"}\n{\"format\"", ": \"b == 2\"}\n", "{\"format\": \"c == 3\"}"]
        var answers: [String] = []
        var answersSeen: [Int] = []
        let input = CommandInput(isTerminal: false) {
            answersSeen.append(answers.joined().split(separator: "\n").count)
            return requests.isEmpty ? [] : Array(requests.removeFirst().utf8)
        }
        let output = CommandOutput(write: { answers.append(String(decoding: $0, as: UTF8.self)) }, writeError: { _ in })
        #expect(PredicateCommand.run(["check", "--batch", "-"], input: input, output: output) == 0)
        #expect(answersSeen == [0, 1, 2, 2])
        #expect(
            answers.joined() == """
                {"id":null,"ok":true,"canonical":"a == 1"}
                {"id":null,"ok":true,"canonical":"b == 2"}
                {"id":null,"ok":true,"canonical":"c == 3"}

                """)
    }

    /// Every line gets an answer, with any bytes.
    @Test func batchAcceptsAnyBytes() {
        var lines: [[UInt8]] = (0...255).map { [$0 == 10 ? 32 : $0] }
        lines += (0...60).map {
            Array("{\"id\": 1, \"format\": \"a == 'é'\", \"input\": {\"a\": [1]}}".utf8.prefix($0))
        }
        lines.append(Array(String(repeating: "[", count: 100_000).utf8))
        for command in ["check", "format", "eval"] {
            var bytes = Array(lines.joined(separator: [10]))[...]
            var text = ""
            let input = CommandInput(isTerminal: false) {
                defer { bytes = bytes.dropFirst(7) }
                return Array(bytes.prefix(7))
            }
            let output = CommandOutput(write: { text += String(decoding: $0, as: UTF8.self) }, writeError: { _ in })
            #expect(PredicateCommand.run([command, "--batch", "-"], input: input, output: output) == 0)
            let answers = text.split(separator: "\n")
            #expect(answers.count == lines.count)
            #expect(answers.allSatisfy { $0.hasPrefix("{\"id\":") && $0.hasSuffix("}") })
        }
    }

    @Test(.cases) func linesMaySpanChunks() {
        forEachCase([1, 2, 3, 1000] as [Int]) { size in
            var rest = Array("a\r\n\nbb\n\rc".utf8)[...]
            var reader = LineReader {
                defer { rest = rest.dropFirst(size) }
                return Array(rest.prefix(size))
            }
            var lines: [String] = []
            while let line = try reader.line() { lines.append(String(decoding: line, as: UTF8.self)) }
            #expect(lines == ["a", "", "bb", "\rc"])
        }
    }

    /// The parser, the help and the suggestions use these descriptions.
    @Test(.cases) func commandDescriptionsAreComplete() {
        forEachCase(PredicateCommand.commands.map(\.name)) { name in
            let command = try #require(PredicateCommand.commands.first { $0.name == name })
            let names = command.options.flatMap { [$0.name] + ($0.short.map { [$0] } ?? []) }
            #expect(Set(names).count == names.count, "an option is listed twice")
            for option in command.options {
                #expect(option.name.hasPrefix("--"))
                #expect(!option.summary.isEmpty)
            }
            let help = Run(["help", name])
            #expect(help.code == 0 && help.err.isEmpty)
            #expect(names.allSatisfy(help.out.contains))
            #expect(help.out.split(separator: "\n").allSatisfy { $0.count <= 120 })
        }
    }
}
