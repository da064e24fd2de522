// Drawing the difference to the previous frame gives the same screen as drawing everything.

import PredicateTerminal
import PredicateTestSupport
import Testing

@Suite struct RendererTests {
    private static let words = ["a", "predicate", "陳美", "e\u{301}", "👩‍👧", " ", "x y", "|"]

    private func frame(_ columns: Int, _ generator: inout some RandomNumberGenerator) -> Frame {
        var builder = FrameBuilder(columns: columns)
        for row in 0..<Int.random(in: 1...5, using: &generator) {
            if row > 0 { builder.newRow() }
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let style: TextStyle = Bool.random(using: &generator) ? .keyword : .plain
                builder.append(StyledText(Self.words.randomElement(using: &generator) ?? "", style))
            }
        }
        var frame = builder.frame.fitted(to: 40)
        frame.cursorRow = Int.random(in: 0..<frame.rows.count, using: &generator)
        frame.cursorColumn = Int.random(in: 0..<columns, using: &generator)
        return frame
    }

    @Test(.cases) func differencesGiveTheWholeFrame() {
        forEachCase([2, 5, 9, 20] as [Int]) { columns in
            var generator = SplitMix(1)
            for _ in 0..<TestDepth.count(300) {
                var model = ScreenModel(columns: columns, rows: 40)
                var renderer = ScreenRenderer(columns: columns, colored: true)
                for _ in 0..<8 {
                    let frame = frame(columns, &generator)
                    model.write(renderer.render(frame))
                    var expected = ScreenModel(columns: columns, rows: 40)
                    var whole = ScreenRenderer(columns: columns, colored: true)
                    expected.write(whole.render(frame))
                    #expect(model.lines == expected.lines)
                    #expect(model.styles == expected.styles)
                    #expect(model.row == frame.cursorRow && model.column == frame.cursorColumn)
                }
                #expect(model.unknown.isEmpty)
            }
        }
    }

    /// A key press sends few bytes: unchanged text is not sent again.
    @Test func unchangedTextIsNotSentAgain() {
        var renderer = ScreenRenderer(columns: 80, colored: true)
        func frame(_ text: String) -> Frame {
            var builder = FrameBuilder(columns: 80)
            let styles = StyledText.styled(text, [])
            builder.append(input: text, styles: styles, cursor: text.utf8.count) { _, _ in StyledText("> ", .prompt) }
            return builder.frame
        }
        let text = String(repeating: "name == 'x' AND ", count: 30)
        _ = renderer.render(frame(text))
        #expect(renderer.render(frame(text + "a")).count < 40)
        #expect(renderer.render(frame(text + "a")).isEmpty)
    }
}
