// Draws a frame over the previous one with few bytes: unchanged rows are skipped, and a changed row is written from its
// first difference. Cursor movements are relative, so a frame can begin on any row of the screen.

/// Draws frames, each over the previous one.
package struct ScreenRenderer: Sendable {
    private var shown = Frame.empty
    private var columns: Int
    private let isColored: Bool

    package init(columns: Int, colored: Bool) {
        self.columns = columns
        isColored = colored
    }

    /// Returns the bytes that change the shown frame into the given one.
    package mutating func render(_ frame: Frame) -> [UInt8] {
        var output = Output(
            row: shown.cursorRow, column: shown.cursorColumn, columns: columns, isColored: isColored)
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
        // Hides the cursor while rows change, to avoid flicker.
        return Array((isMove ? output.body : "\u{1B}[?25l" + output.body + "\u{1B}[?25h").utf8)
    }

    /// Returns the bytes that move the cursor below the frame. The next frame begins there.
    package mutating func finish() -> [UInt8] {
        var output = Output(
            row: shown.cursorRow, column: shown.cursorColumn, columns: columns, isColored: isColored)
        output.move(toRow: shown.rows.count - 1)
        shown = .empty
        return Array((output.body + "\r\n").utf8)
    }

    /// Call this after the screen was cleared and the cursor moved to the top.
    package mutating func forget() { shown = .empty }

    /// Call this after the terminal got a new width and wrapped the rows again. Returns the bytes that erase the shown
    /// frame.
    package mutating func resize(to columns: Int) -> [UInt8] {
        defer {
            self.columns = columns
            shown = .empty
        }
        // A row that is now too long occupies several rows.
        func height(_ width: Int) -> Int { max(1, (width + columns - 1) / columns) }
        let above = shown.rows[..<shown.cursorRow].reduce(0) { $0 + height(Frame.width($1)) }
        let within = shown.cursorColumn / columns
        let up = above + within
        return Array(("\r" + (up > 0 ? "\u{1B}[\(up)A" : "") + "\u{1B}[J").utf8)
    }

    /// The bytes so far, and the cursor position after them.
    private struct Output {
        var body = ""
        var row: Int
        /// nil if unknown, for example after the last column.
        var column: Int?
        var style = CellStyle()
        let columns: Int
        let isColored: Bool

        mutating func move(toRow target: Int) {
            if target < row { body += "\u{1B}[\(row - target)A" }
            if target > row { body += "\u{1B}[\(target - row)B" }
            row = target
        }

        /// Starts a row that is not on the screen yet. Only a line feed can add a row at the bottom.
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
