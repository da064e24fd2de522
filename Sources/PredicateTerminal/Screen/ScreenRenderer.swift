// From one picture to the next with as few bytes as needed: rows that stay are not touched, a row that changes is
// written from its first cell that differs. Moves are relative, so that the picture may begin on any row of the screen.

/// Draws frames one over another.
package struct ScreenRenderer: Sendable {
    private var shown = Frame.empty
    private var columns: Int
    private let isColored: Bool

    package init(columns: Int, colored: Bool) {
        self.columns = columns
        isColored = colored
    }

    /// The bytes that turn what is shown into the frame.
    package mutating func render(_ frame: Frame) -> [UInt8] {
        var output = Output(shown, columns: columns, isColored: isColored)
        let common = min(shown.rows.count, frame.rows.count)
        for index in frame.rows.indices {
            let old = index < common ? shown.rows[index] : []
            let new = frame.rows[index]
            if index < common, old == new { continue }
            if index >= common { output.addRow(index) } else { output.move(toRow: index) }
            let kept = zip(old, new).prefix { $0 == $1 }.count
            output.move(toColumn: Frame.width(new[..<kept]))
            for cell in new[kept...] { output.write(cell) }
            if Frame.width(new) < Frame.width(old) { output.clearRow() }
        }
        if shown.rows.count > frame.rows.count {
            output.move(toRow: frame.rows.count)
            output.clearBelow()
        }
        output.resetStyle()
        output.move(toRow: frame.cursorRow)
        output.move(toColumn: frame.cursorColumn)
        let isMove = output.body.isEmpty || frame.rows == shown.rows
        shown = frame
        // While rows change the cursor would flicker.
        return Array((isMove ? output.body : "\u{1B}[?25l" + output.body + "\u{1B}[?25h").utf8)
    }

    /// The bytes that leave the cursor below the picture; the next frame begins there.
    package mutating func finish() -> [UInt8] {
        var output = Output(shown, columns: columns, isColored: isColored)
        output.move(toRow: shown.rows.count - 1)
        shown = .empty
        return Array((output.body + "\r\n").utf8)
    }

    /// The screen was cleared: nothing is shown, and the cursor is at its top.
    package mutating func forget() { shown = .empty }

    /// The terminal has another width and has wrapped the rows anew: the bytes that take the picture away.
    package mutating func resize(to columns: Int) -> [UInt8] {
        defer {
            self.columns = columns
            shown = .empty
        }
        // Rows that have become too long take several now.
        func height(_ width: Int) -> Int { max(1, (width + columns - 1) / columns) }
        let above = shown.rows[..<shown.cursorRow].reduce(0) { $0 + height(Frame.width($1)) }
        let within = shown.cursorColumn / columns
        let up = above + within
        return Array(("\r" + (up > 0 ? "\u{1B}[\(up)A" : "") + "\u{1B}[J").utf8)
    }

    /// Bytes, and where they leave the cursor.
    private struct Output {
        var body = ""
        var row: Int
        /// nil where it is not known, or behind the last column.
        var column: Int?
        var style = CellStyle()
        private let columns: Int
        private let isColored: Bool

        init(_ shown: Frame, columns: Int, isColored: Bool) {
            row = shown.cursorRow
            column = shown.cursorColumn
            self.columns = columns
            self.isColored = isColored
        }

        mutating func move(toRow target: Int) {
            if target < row { body += "\u{1B}[\(row - target)A" }
            if target > row { body += "\u{1B}[\(target - row)B" }
            row = target
        }

        /// A row that is not on the screen yet: only a line feed makes room for it.
        mutating func addRow(_ target: Int) {
            resetStyle()
            move(toRow: target - 1)
            body += "\r\n"
            row = target
            column = 0
        }

        mutating func move(toColumn target: Int) {
            if column == target { return }
            body += "\r"
            if target > 0 { body += "\u{1B}[\(target)C" }
            column = target
        }

        mutating func write(_ cell: Cell) {
            if isColored, cell.style != style {
                body += cell.style.sequence
                style = cell.style
            }
            body += cell.text
            column = column.map { $0 + cell.columns }.flatMap { $0 < columns ? $0 : nil }
        }

        mutating func resetStyle() {
            guard style != CellStyle() else { return }
            style = CellStyle()
            body += style.sequence
        }

        mutating func clearRow() {
            resetStyle()
            body += "\u{1B}[K"
        }

        mutating func clearBelow() {
            resetStyle()
            body += "\r\u{1B}[J"
            column = 0
        }
    }
}
