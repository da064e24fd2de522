// Shows output that is longer than the screen, page by page. Keys: space and b, Enter and k, g and G, / and n,
// q. A value that draws a whole screen; `show` runs it.

import PredicateSyntax

/// Lines of text and the part of them that is visible.
package struct Pager: Sendable {
    private let text: [StyledText]
    /// The text wrapped to the width of the screen.
    private var lines: [StyledText]
    private var size: TerminalSize
    package private(set) var top = 0
    /// The text typed after `/`; nil otherwise.
    private var typed: String?
    private var query = ""
    private var message = ""

    package init(_ text: [StyledText], size: TerminalSize) {
        self.text = text
        self.size = size
        lines = text.flatMap { $0.wrapped(to: size.columns) }
    }

    /// Whether the text and the next prompt do not fit the screen.
    package var isNeeded: Bool { lines.count >= size.rows }

    private var page: Int { max(1, size.rows - 1) }
    private var lastTop: Int { max(0, lines.count - page) }

    package mutating func resize(to size: TerminalSize) {
        self.size = size
        lines = text.flatMap { $0.wrapped(to: size.columns) }
        top = min(top, lastTop)
    }

    /// Handles a key. Returns whether to continue.
    package mutating func handle(_ key: Key) -> Bool {
        message = ""
        if typed != nil { return handleSearch(key) }
        switch key {
        case .text("q"), .control("c"), .control("d"), .escape: return false
        case .text(" "), .text("f"), .pageDown, .control("f"):
            if top == lastTop { message = "end; q quits" }
            top = min(lastTop, top + page)
        case .text("b"), .pageUp, .control("b"): top = max(0, top - page)
        case .enter, .down, .text("j"), .control("n"): top = min(lastTop, top + 1)
        case .up, .text("k"), .control("p"): top = max(0, top - 1)
        case .text("g"), .home: top = 0
        case .text("G"), .end: top = lastTop
        case .text("/"): typed = ""
        case .text("n"): find(from: top + 1)
        case .text("h"), .text("?"):
            message = "space, b: page  Enter, k: line  g, G: start, end  /text, n: search  q: quit"
        default: break
        }
        return true
    }

    private mutating func handleSearch(_ key: Key) -> Bool {
        switch key {
        case .text(let text), .paste(let text): typed?.append(text)
        case .backspace: if typed?.popLast() == nil { typed = nil }
        case .enter:
            if let typed, !typed.isEmpty { query = typed }
            typed = nil
            find(from: top)
        case .escape, .control("c"), .control("g"): typed = nil
        default: break
        }
        return true
    }

    private mutating func find(from start: Int) {
        guard !query.isEmpty else { return }
        let wanted = query.lowercased()
        guard start < lines.count,
            let found = lines[start...].firstIndex(where: { $0.plain.lowercased().utf8.offset(of: wanted) != nil })
        else {
            message = "not found: " + query
            return
        }
        top = min(found, lastTop)
        // On the last page the matching line cannot be the top line.
        if found > lastTop { message = "found: " + query }
    }

    /// The whole screen.
    package var frame: Frame {
        var builder = FrameBuilder(columns: size.columns)
        for row in 0..<page {
            if row > 0 { builder.newRow() }
            if top + row < lines.count { builder.appendCut(styled(lines[top + row])) }
        }
        builder.newRow()
        if let typed {
            builder.appendCut(StyledText("/" + typed))
        } else {
            builder.appendCut(StyledText(message.isEmpty ? status : message, .inverse))
        }
        return builder.frame
    }

    private var status: String {
        "lines \(top + 1)–\(min(lines.count, top + page)) of \(lines.count)"
            + (top == lastTop ? "  (end; q quits)" : "  (space: on, q: quit, h: help)")
    }

    /// The line with the search text highlighted.
    private func styled(_ line: StyledText) -> StyledText {
        guard !query.isEmpty else { return line }
        let plain = line.plain
        let lower = plain.lowercased()
        guard lower.utf8.count == plain.utf8.count, let start = lower.utf8.offset(of: query.lowercased()) else {
            return line
        }
        return line.marked(start..<(start + query.lowercased().utf8.count), .inverse)
    }

    /// Shows lines until the person quits.
    package static func show(_ lines: [StyledText], on terminal: any Terminal, colored: Bool) {
        terminal.enterRawMode()
        // Uses the alternate screen, so that the earlier contents return afterwards.
        terminal.write("\u{1B}[?1049h\u{1B}[H\u{1B}[2J")
        defer { terminal.write("\u{1B}[?1049l") }
        var pager = Pager(lines, size: terminal.size)
        var screen = ScreenRenderer(columns: terminal.size.columns, colored: colored)
        var decoder = KeyDecoder()
        while true {
            terminal.write(screen.render(pager.frame))
            switch terminal.next(within: decoder.isWaiting ? 40 : nil) {
            case .bytes(let bytes): for key in decoder.feed(bytes) where !pager.handle(key) { return }
            case .timeout: for key in decoder.timeout() where !pager.handle(key) { return }
            case .resized:
                pager.resize(to: terminal.size)
                screen = ScreenRenderer(columns: terminal.size.columns, colored: colored)
                terminal.write("\u{1B}[H\u{1B}[2J")
            case .ended: return
            }
        }
    }
}
