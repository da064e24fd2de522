// Shows output that is longer or wider than the screen, page by page. Keys: space and b, Enter and k, g and G, / and n,
// the arrows, x, q. A value type that draws a whole screen; `show` runs it.

/// A text whose layout depends on the width of the screen.
package struct PagedText {
    /// The lines for a number of columns.
    package var lines: (_ columns: Int) -> [StyledText]
    /// The number of lines at the top that stay on the screen: the header of a table.
    package var header = 0
    /// Whether lines are cut at the edge of the screen and scrolled horizontally. If not, they wrap.
    package var isWide = false
    /// The same content in another form, for the key x.
    package var expanded: ((_ columns: Int) -> [StyledText])?

    package init(lines: @escaping (_ columns: Int) -> [StyledText]) { self.lines = lines }

    /// Lines that do not depend on the width.
    package init(_ lines: [StyledText]) { self.init { _ in lines } }
}

/// Text and the part of it that is visible.
package struct Pager {
    private let text: PagedText
    private var isExpanded = false
    /// The rows of the header, and the rows that scroll, wrapped to the width of the screen.
    private var header: [StyledText] = []
    private var lines: [StyledText] = []
    /// The width of the widest line.
    private var width = 0
    private var size: TerminalSize
    package private(set) var top = 0
    /// The first column that is visible.
    package private(set) var left = 0
    /// The text typed after `/`; nil if no search is being typed.
    private var typed: String?
    private var query = ""
    private var message = ""

    package init(_ text: PagedText, size: TerminalSize) {
        self.text = text
        self.size = size
        lay()
    }

    /// Whether the text, with the next prompt below it, does not fit on the screen.
    package var isNeeded: Bool { header.count + lines.count >= size.rows || isWide && width > size.columns }

    /// All rows, for a screen on which they fit.
    package var rows: [StyledText] { header + lines }

    private var isWide: Bool { text.isWide && !isExpanded }
    private var page: Int { max(1, size.rows - 1 - header.count) }
    private var lastTop: Int { max(0, lines.count - page) }
    private var lastLeft: Int { max(0, width - size.columns) }

    private mutating func lay() {
        let whole = isExpanded ? text.expanded ?? text.lines : text.lines
        let laid = whole(size.columns)
        let rows = isWide ? laid : laid.flatMap { $0.wrapped(to: size.columns) }
        // A header that wraps, or that leaves too little space, scrolls with the text.
        let fixed = isExpanded || rows.count != laid.count || text.header + 3 > size.rows ? 0 : text.header
        header = Array(rows.prefix(fixed))
        lines = Array(rows.dropFirst(fixed))
        width = isWide ? laid.reduce(0) { max($0, DisplayText.columns($1.plain)) } : 0
        top = min(top, lastTop)
        left = min(left, lastLeft)
    }

    package mutating func resize(to size: TerminalSize) {
        self.size = size
        lay()
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
        case .right where isWide: left = min(lastLeft, left + max(1, size.columns / 2))
        case .left where isWide: left = max(0, left - max(1, size.columns / 2))
        case .text("x") where text.expanded != nil:
            isExpanded.toggle()
            (top, left) = (0, 0)
            lay()
        case .text("g"), .home: top = 0
        case .text("G"), .end: top = lastTop
        case .text("/"): typed = ""
        case .text("n"): find(from: top + 1)
        case .text("h"), .text("?"):
            message =
                "space, b: page  Enter, k: line  g, G: start, end  /text, n: search  "
                + (isWide ? "← →: columns  " : "") + (text.expanded == nil ? "" : "x: expand  ") + "q: quit"
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
        for row in header {
            builder.append(row.dropping(columns: left), isCut: true)
            builder.newRow()
        }
        for row in 0..<page {
            if top + row < lines.count { builder.append(styled(lines[top + row]).dropping(columns: left), isCut: true) }
            builder.newRow()
        }
        if let typed {
            builder.append(StyledText("/" + typed), isCut: true)
        } else {
            builder.append(StyledText(message.isEmpty ? status : message, .inverse), isCut: true)
        }
        return builder.frame
    }

    private var status: String {
        let place = "lines \(top + 1)–\(min(lines.count, top + page)) of \(lines.count)"
        if isWide, width > size.columns {
            return place + ", columns \(left + 1)–\(min(width, left + size.columns)) of \(width)"
                + "  (← → x q, h: help)"
        }
        return place + (top == lastTop ? "  (end; q quits)" : "  (space: on, q: quit, h: help)")
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

    /// Shows the text until the user quits.
    package func show(on terminal: any Terminal, colored: Bool) {
        terminal.enterRawMode()
        // Uses the alternate screen, so that the earlier contents return afterwards.
        terminal.write("\u{1B}[?1049h\u{1B}[H\u{1B}[2J")
        defer { terminal.write("\u{1B}[?1049l") }
        var pager = self
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
