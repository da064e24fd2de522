// Runs Tests/Tool/Screens/*.screen; `UPDATE_GOLDEN=1` rewrites them.

import Foundation
import PredicateTestSupport
import Testing

@Suite struct ScreenTests {
    static let files = Project.files(under: "Tests/Tool/Screens", suffix: ".screen")

    @Test(.cases) func screensAreThoseOfTheFile() {
        forEachCase(Self.files) { path in
            let text = try Project.text(path)
            var before: [String] = []
            var cases: [ScreenCase] = []
            for line in text.components(separatedBy: "\n") {
                if line.hasPrefix("=== ") { cases.append(ScreenCase()) }
                if cases.isEmpty { before.append(line) } else { try cases[cases.count - 1].add(line) }
            }
            #expect(!cases.isEmpty, "\(path) has no cases")
            let runs = cases.map { $0.run(directory: SessionTests.directory) }
            let now = (before + runs).joined(separator: "\n")
            if Expectation.isUpdating { return try Expectation.update(path, from: text, to: now) }
            if now != text { Issue.record("\(path):\n\(Expectation.difference(text, now))") }
        }
    }

    /// The picture in README and in the articles is equal to the screen of its case.
    @Test func promptPictureShowsTheScreen() throws {
        let path = "Sources/Language/Predicates/Predicates.docc/prompt.svg"
        let file = try Project.text("Tests/Tool/Screens/picture.screen")
        let picture = try #require(ScreenPicture(caseNamed: "The prompt", of: file))
        let old = (try? Project.text(path)) ?? ""
        if Expectation.isUpdating { return try Expectation.update(path, from: old, to: picture.svg) }
        #expect(old == picture.svg, "UPDATE_GOLDEN=1 writes \(path)")
    }

    /// Without files the other tests would pass.
    @Test func screensAreFound() { #expect(Self.files.count >= 4) }

    @Test func modelFollowsTerminalControls() {
        var model = ScreenModel(columns: 6, rows: 3)
        model.write(Array("ab\r\n陳x\u{1B}[31mé\u{301}".utf8))
        #expect(model.lines == ["ab", "陳xé\u{301}"])
        #expect(model.styles == ["", "..r"])
        #expect(model.row == 1 && model.column == 4)
        model.write(Array("\u{1B}[0m\u{1B}[2A\rxy\u{1B}[K\r\n\u{1B}[J12345678".utf8))
        #expect(model.lines == ["xy", "123456", "78"])
        model.write(Array("\r\nz\u{1B}[?1049h\u{1B}[H\u{1B}[2Jq\u{1B}[?1049l".utf8))
        #expect(model.lines == ["123456", "78", "z"])
        model.resize(columns: 4, rows: 3)
        #expect(model.lines == ["56", "78", "z"])
        #expect(model.unknown.isEmpty)
    }
}
