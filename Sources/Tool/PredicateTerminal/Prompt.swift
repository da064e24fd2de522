// Reads input at a terminal: passes keys to LineEditor and draws its state on the screen. An assistant provides
// prompts, colours and completions, and decides whether an input is complete.

/// Provides everything that depends on the language of the input.
package protocol InputAssistant: AnyObject {
    /// The prompt before a line of the input.
    /// - Parameters:
    ///   - line: the index of the line, from 0.
    ///   - before: the input up to that line.
    func prompt(line: Int, before: Substring) -> StyledText
    /// The colours of the input, and a note to show below it for this cursor position.
    func appearance(of text: String, cursor: Int) -> (spans: [StyleSpan], note: StyledText)
    /// Whether Enter accepts the input.
    func isWhole(_ text: String) -> Bool
    func completions(of text: String, cursor: Int) -> PredicateCompletions
}

/// Reads inputs that a user types.
package final class Prompt {
    /// The time to wait after a single Escape, in milliseconds.
    private static let escapeDelay = 40

    private let terminal: any Terminal
    private let assistant: any InputAssistant
    private let isColored: Bool
    private var decoder = KeyDecoder()
    /// Keys that arrived after the previous input ended.
    private var waiting: [Key] = []

    /// The result of `read`.
    package enum Answer: Sendable, Equatable {
        case input(String)
        /// Ctrl-C: the input is discarded.
        case interrupted
        /// Ctrl-D, or the terminal was closed.
        case ended
    }

    package init(terminal: any Terminal, assistant: any InputAssistant, colored: Bool) {
        self.terminal = terminal
        self.assistant = assistant
        isColored = colored
    }

    /// Reads one input.
    package func read(history: History) -> Answer {
        terminal.enterRawMode()
        var editor = LineEditor(history: history)
        var screen = ScreenRenderer(columns: terminal.size.columns, colored: isColored)
        draw(editor, &screen)
        while true {
            guard let keys = nextKeys(&screen) else { return .ended }
            for (index, key) in keys.enumerated() {
                let answer = perform(editor.handle(key), &editor, &screen)
                guard let answer else { continue }
                waiting = Array(keys[(index + 1)...])
                draw(editor, &screen, isFinal: true)
                terminal.write(screen.finish())
                return answer
            }
            draw(editor, &screen)
        }
    }

    /// Whether Ctrl-C arrived together with the Enter of the previous input. Discards the keys up to it.
    package func takeInterrupt() -> Bool {
        guard let last = waiting.lastIndex(of: .control("c")) else { return false }
        waiting.removeSubrange(...last)
        return true
    }

    /// Waits for keys. Returns an empty list if only the size changed, and nil at the end.
    private func nextKeys(_ screen: inout ScreenRenderer) -> [Key]? {
        if !waiting.isEmpty {
            defer { waiting = [] }
            return waiting
        }
        switch terminal.next(within: decoder.isWaiting ? Self.escapeDelay : nil) {
        case .bytes(let bytes): return decoder.feed(bytes)
        case .timeout: return decoder.timeout()
        case .resized:
            terminal.write(screen.resize(to: terminal.size.columns))
            return []
        case .ended: return nil
        }
    }

    private func perform(
        _ effect: LineEditor.Effect, _ editor: inout LineEditor, _ screen: inout ScreenRenderer
    ) -> Answer? {
        switch effect {
        case .none: return nil
        case .enter:
            let text = editor.buffer.text
            // An empty last line accepts an incomplete input.
            if assistant.isWhole(text) || text.hasSuffix("\n") { return .input(text) }
            editor.continueInput()
        case .submit: return .input(editor.buffer.text)
        case .complete(let isRepeated):
            let list = assistant.completions(of: editor.buffer.text, cursor: editor.buffer.cursor)
            editor.complete(list, isRepeated: isRepeated)
        case .interrupt: return .interrupted
        case .end: return .ended
        case .clearScreen:
            terminal.write("\u{1B}[H\u{1B}[2J")
            screen.forget()
        case .suspend:
            terminal.write(screen.finish())
            terminal.suspend()
        }
        return nil
    }

    // MARK: The frame

    private func draw(_ editor: LineEditor, _ screen: inout ScreenRenderer, isFinal: Bool = false) {
        let size = terminal.size
        let frame = Self.frame(of: editor, assistant, size: size, isFinal: isFinal)
        terminal.write(screen.render(frame.fitted(to: size.rows)))
    }

    /// The input with its prompts, and the rows below it. The final frame has no rows below the input.
    package static func frame(
        of editor: LineEditor, _ assistant: any InputAssistant, size: TerminalSize, isFinal: Bool = false
    ) -> Frame {
        let text = editor.buffer.text
        let appearance = assistant.appearance(of: text, cursor: isFinal ? -1 : editor.buffer.cursor)
        var spans = appearance.spans
        var below: [StyledText] = []
        if let search = editor.search {
            if !search.query.isEmpty, let start = text.utf8.offset(of: search.query) {
                spans.append(StyleSpan(start..<(start + search.query.utf8.count), .inverse))
            }
            below.append(searchLine(search))
        } else if let list = editor.listed {
            below = ListLayout.rows(list.items, columns: size.columns, limit: max(3, size.rows / 2))
        } else if !appearance.note.isEmpty {
            below.append(appearance.note)
        }
        var builder = FrameBuilder(columns: size.columns)
        builder.append(
            input: text, styles: StyledText.styled(text, spans),
            cursor: isFinal ? text.utf8.count : editor.buffer.cursor
        ) { line, before in
            let start = text.utf8.index(text.startIndex, offsetBy: before)
            return assistant.prompt(line: line, before: text[..<start])
        }
        for row in isFinal ? [] : below {
            builder.newRow()
            builder.append(row, isCut: true)
        }
        return builder.frame
    }

    private static func searchLine(_ search: HistorySearch) -> StyledText {
        var line = StyledText(search.hasFailed ? "not in the history: " : "search the history: ", .dim)
        line.append(search.query, search.hasFailed ? .error : .bold)
        return line
    }
}
