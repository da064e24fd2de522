// What the prompt looks like: rows of cells and a place for the cursor. Laying out is separate from drawing
// (ScreenRenderer.swift), so that drawing need not know what a line of input is.

import PredicateSyntax

/// A character in a style; `columns` of the terminal wide.
package struct Cell: Sendable, Hashable {
    package var text: String
    package var columns: Int
    package var style: CellStyle
}

/// Rows of cells, none wider than the terminal, and the cursor.
package struct Frame: Sendable, Hashable {
    package var rows: [[Cell]]
    package var cursorRow: Int
    package var cursorColumn: Int

    package static let empty = Frame(rows: [[]], cursorRow: 0, cursorColumn: 0)

    /// Columns that a row takes.
    static func width(_ row: some Sequence<Cell>) -> Int { row.reduce(0) { $0 + $1.columns } }

    /// Only as many rows as there is room for, the one with the cursor among them.
    package func fitted(to count: Int) -> Frame {
        guard rows.count > count, count > 0 else { return self }
        let start = min(max(0, cursorRow - count + 1), rows.count - count)
        return Frame(
            rows: Array(rows[start..<(start + count)]), cursorRow: cursorRow - start, cursorColumn: cursorColumn)
    }
}

/// Puts text into rows, wrapping where the terminal ends.
package struct FrameBuilder {
    private let columns: Int
    private var rows: [[Cell]] = [[]]
    private var width = 0
    private var cursor: (row: Int, column: Int)?

    package init(columns: Int) { self.columns = max(2, columns) }

    package mutating func newRow() {
        rows.append([])
        width = 0
    }

    /// The cursor stands where the next cell comes to stand.
    private mutating func markCursor() {
        if width >= columns { newRow() }
        cursor = (rows.count - 1, width)
    }

    private mutating func append(_ cell: Cell) {
        if width + cell.columns > columns { newRow() }
        rows[rows.count - 1].append(cell)
        width += cell.columns
    }

    /// A text of one line.
    package mutating func append(_ text: StyledText) {
        for run in text.runs {
            for character in run.text {
                let shown = DisplayText.cell(character, atColumn: width)
                append(Cell(text: shown.text, columns: min(shown.columns, columns), style: run.style))
            }
        }
    }

    /// A text of one line, cut where the row ends.
    package mutating func appendCut(_ text: StyledText) {
        for run in text.runs {
            for character in run.text {
                let shown = DisplayText.cell(character, atColumn: width)
                guard width + shown.columns <= columns else { return }
                append(Cell(text: shown.text, columns: shown.columns, style: run.style))
            }
        }
    }

    /// The input: a prompt before each of its lines, a style for each byte.
    package mutating func append(
        input text: String, styles: [CellStyle], cursor offset: Int, prompt: (_ line: Int, _ before: Int) -> StyledText
    ) {
        append(prompt(0, 0))
        var at = 0
        var line = 0
        for character in text {
            let end = at + character.utf8.count
            if offset >= at, offset < end { markCursor() }
            if character == "\n" {
                newRow()
                line += 1
                append(prompt(line, end))
            } else {
                let shown = DisplayText.cell(character, atColumn: width)
                append(Cell(text: shown.text, columns: min(shown.columns, columns), style: styles[at]))
            }
            at = end
        }
        if offset >= at { markCursor() }
    }

    package var frame: Frame {
        Frame(
            rows: rows, cursorRow: cursor?.row ?? rows.count - 1,
            cursorColumn: cursor?.column ?? min(width, columns - 1))
    }
}
