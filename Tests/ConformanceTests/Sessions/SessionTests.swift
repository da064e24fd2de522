// Runs Tests/Sessions/*.session and the sessions of README.md. `UPDATE_GOLDEN=1` rewrites the session files.

import Foundation
import Testing

@Suite struct SessionTests {
    static let files = Project.files(under: "Tests/Sessions", suffix: ".session")
    static let directory = Project.file("Tests/Sessions/fixtures").path

    @Test(arguments: files) func session(_ path: String) throws {
        let text = try Project.text(path)
        let session = Session(text)
        #expect(!session.steps.isEmpty, "\(path) has no commands")
        #expect(session.text == text)
        let actual = try session.run(path, directory: Self.directory, isUpdating: Expectation.isUpdating)
        if Expectation.isUpdating { try Expectation.update(path, from: text, to: actual.text) }
    }

    /// Without files the other tests would pass.
    @Test func sessionsAreFound() throws {
        #expect(Self.files.count >= 10)
    }

    @Test func words() throws {
        let pipeline = try ShellPipeline(#"NO_COLOR=1 predicate eval 'a == "b c"' "it's \"x\"" --x=1 < in.json | cat"#)
        #expect(pipeline.commands[0].words == ["predicate", "eval", #"a == "b c""#, #"it's "x""#, "--x=1"])
        #expect(pipeline.commands[1].words == ["cat"])
        #expect(pipeline.commands[0].environment == ["NO_COLOR": "1"])
        #expect(pipeline.commands[0].inputFile == "in.json")
        #expect(throws: ShellPipeline.Malformed.self) { try ShellPipeline("predicate 'open") }
        #expect(throws: ShellPipeline.Malformed.self) { try ShellPipeline("predicate |") }
    }
}

/// All examples of README.md work as shown.
@Suite(.enabled(if: Project.exists("README.md"))) struct ReadmeTests {
    @Test func sessions() throws {
        let blocks = try blocks("console")
        #expect(!blocks.isEmpty)
        for block in blocks { _ = try Session(block).run("README.md", directory: SessionTests.directory) }
    }

    /// Every Swift block is in ReadmeExamples.swift, which is compiled and run.
    @Test func swiftBlocks() throws {
        let examples = Set(
            try Project.text("Tests/ConformanceTests/ReadmeExamples.swift").components(separatedBy: "// README {\n")
                .dropFirst().map { Self.unindented($0.components(separatedBy: "// } README")[0]) })
        let blocks = try blocks("swift").map(Self.unindented)
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(examples.contains(block), "not in ReadmeExamples.swift:\n\(block)") }
        for example in examples { #expect(blocks.contains(example), "no longer in README.md:\n\(example)") }
    }

    private func blocks(_ language: String) throws -> [String] {
        try Project.text("README.md").components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
    }

    private static func unindented(_ text: String) -> String {
        var lines = text.components(separatedBy: "\n")
        while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
        let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
    }
}
