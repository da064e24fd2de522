// The layout of the prompt: rows of cells and a cursor position. ScreenRenderer.swift draws it without knowing the
// structure of an input.

/// A character with a style, `columns` wide.
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

    /// The width of a row in columns.
    static func width(_ row: some Sequence<Cell>) -> Int { row.reduce(0) { $0 + $1.columns } }

    /// Returns at most `count` rows, including the row with the cursor.
    package func fitted(to count: Int) -> Frame {
        guard rows.count > count, count > 0 else { return self }
        let start = min(max(0, cursorRow - count + 1), rows.count - count)
        return Frame(
            rows: Array(rows[start..<(start + count)]), cursorRow: cursorRow - start, cursorColumn: cursorColumn)
    }
}

/// Lays text out in rows and wraps it at the width of the terminal.
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

    /// Records the cursor position before the next cell.
    private mutating func markCursor() {
        if width >= columns { newRow() }
        cursor = (rows.count - 1, width)
    }

    private mutating func append(_ character: Character, _ style: CellStyle) {
        let shown = DisplayText.cell(character, atColumn: width)
        let cell = Cell(text: shown.text, columns: min(shown.columns, columns), style: style)
        if width + cell.columns > columns { newRow() }
        rows[rows.count - 1].append(cell)
        width += cell.columns
    }

    /// Appends a text of one line.
    /// - Parameter isCut: whether the text is cut at the end of the row; if not, it is wrapped.
    package mutating func append(_ text: StyledText, isCut: Bool = false) {
        for (character, style) in text.characters {
            if isCut, width + DisplayText.cell(character, atColumn: width).columns > columns { return }
            append(character, style)
        }
    }

    /// Appends the input, with a prompt before each line and a style for each byte.
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
                append(character, styles[at])
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
