// Runs Tests/Tool/Sessions/*.session; `UPDATE_GOLDEN=1` rewrites them. Documents/DocumentTests.swift runs the sessions in
// documents.

import Foundation
import PredicateCheckCommands
import PredicateTestSupport
import Testing

@Suite struct SessionTests {
    static let files = Project.files(under: "Tests/Tool/Sessions", suffix: ".session")
    static let directory = Project.file("Tests/Tool/Sessions/fixtures").path

    @Test(.cases) func outputsAreThoseOfTheSession() {
        forEachCase(Self.files) { path in
            let text = try Project.text(path)
            let session = Session(text)
            #expect(!session.steps.isEmpty, "\(path) has no commands")
            #expect(session.text == text)
            let actual = try session.run(path, directory: Self.directory, isUpdating: Expectation.isUpdating)
            if Expectation.isUpdating { try Expectation.update(path, from: text, to: actual.text) }
        }
    }

    /// The small program prints the same, but for databases, which it does not read, and the list of its commands.
    @Test(.inCI) func outputsOfTheSmallProgramAreTheSame() throws {
        var compared = 0
        for path in Self.files {
            var shell = SessionShell(directory: Self.directory, program: .check)
            for step in Session(try Project.text(path)).steps where try shell.has(step.command) {
                let others = ["--database", ".sqlite", "--advise", "$?", "predicate help", "--words", ".gz"]
                if others.contains(where: step.command.contains) { continue }
                #expect(try shell.run(step.command) == step.expected, "\(path): \(step.command)")
                compared += 1
            }
        }
        #expect(compared > 300)
        var shell = SessionShell(directory: Self.directory, program: .check)
        for command in [
            "check --database shop.sqlite", "sql --advise --dialect sqlite --schema store.json --entity Person",
        ] {
            let refused = try shell.run("predicate \(command) 'age > 21'")
            #expect(refused.last == "exit 5")
            #expect(refused[0].hasSuffix("predicate-check reads no databases; predicate does"))
        }
    }

    /// Without files the other tests would pass.
    @Test func sessionsAreFound() throws { #expect(Self.files.count >= 10) }

    @Test func shellLinesAreSplitIntoWords() throws {
        let pipeline = try ShellPipeline(#"NO_COLOR=1 predicate eval 'a == "b c"' "it's \"x\"" --x=1 < in.json | cat"#)
        #expect(pipeline.commands[0].words == ["predicate", "eval", #"a == "b c""#, #"it's "x""#, "--x=1"])
        #expect(pipeline.commands[1].words == ["cat"])
        #expect(pipeline.commands[0].environment == ["NO_COLOR": "1"])
        #expect(pipeline.commands[0].inputFile == "in.json")
        #expect(throws: ShellPipeline.Malformed.self) { try ShellPipeline("predicate 'open") }
        #expect(throws: ShellPipeline.Malformed.self) { try ShellPipeline("predicate |") }
    }
}
