// In: diagnostics and their text. Out: lines for a terminal, with the place marked under the source line. That takes only
// DiagnosticRenderer for a line of ASCII that fits the width. `Excerpt` is the price of all other lines: it shows the part
// of a long line around the mark, and counts columns instead of bytes, because `日` has three bytes and two columns.
// DisplayText has the widths of characters, SourceLines the positions of lines.

/// Formats diagnostics as text, with the place marked under the source line:
///
/// ```text
/// error[unknown-operator]: 'BEGINWITH' is not an operator
///   1 | name BEGINWITH 'A'
///     |      ^^^^^^^^^ did you mean BEGINSWITH?
/// ```
///
/// Long lines are shortened around the mark, tabs are expanded, and control characters are made visible. The layout may
/// change; programs use the JSON of the command.
public struct DiagnosticRenderer: Sendable {
    /// The width of the terminal in columns. Labels may be wider.
    package var width: Int
    /// Whether to use ANSI colours: errors red, warnings yellow, marks bold.
    package var colored: Bool
    /// The name of the file that contains the text, shown before each diagnostic as `file:line:column:`.
    package var file: String?
    /// The number of the text's first line, if the text is a part of a file.
    package var firstLine: Int

    public init(width: Int = 100, colored: Bool = false, file: String? = nil, firstLine: Int = 1) {
        self.width = max(20, width)
        self.colored = colored
        self.file = file
        self.firstLine = firstLine
    }

    /// Formats all diagnostics in order, each with its source line. Lines are separated by LF. For an empty
    /// text no source line is shown. Cost: linear in the text and in the number of diagnostics.
    public func render(_ diagnostics: [PredicateDiagnostic], source: String) -> String {
        let lines = SourceLines(source)
        return diagnostics.map { block($0, lines).joined(separator: "\n") }.joined(separator: "\n")
    }

    private func block(_ diagnostic: PredicateDiagnostic, _ lines: SourceLines) -> [String] {
        var block = [header(diagnostic, lines)]
        var label = diagnostic.label.map { DisplayText.visible($0) }
        var fix = diagnostic.suggestion == nil ? fixText(diagnostic, lines, besides: label) : nil
        if label == nil { swap(&label, &fix) }
        var gutter = 1
        if lines.bytes.isEmpty {
            if let label { block.append("   = " + label) }
        } else {
            gutter = picture(of: diagnostic, lines, label, into: &block)
        }
        if let fix { block.append(paint(String(repeating: " ", count: gutter + 2) + "= ", .gutter) + fix) }
        return block
    }

    private func header(_ diagnostic: PredicateDiagnostic, _ lines: SourceLines) -> String {
        var place = ""
        if let file {
            let position = lines.position(of: diagnostic.span.start)
            place = "\(DisplayText.visible(file)):\(position.line + firstLine - 1):\(position.column): "
        }
        let name = "\(diagnostic.severity.rawValue)[\(diagnostic.id.rawValue)]"
        return place + paint(name, .severity(diagnostic.severity))
            + paint(": " + DisplayText.visible(diagnostic.message), .bold)
    }

    /// Appends the marked lines. Returns the width of the line numbers.
    private func picture(
        of diagnostic: PredicateDiagnostic, _ lines: SourceLines, _ label: String?, into block: inout [String]
    ) -> Int {
        let start = lines.clamped(diagnostic.span.start)
        let end = max(start, lines.clamped(diagnostic.span.end))
        let first = lines.line(at: start)
        // A span that ends at the start of a line does not mark that line.
        let last = max(first, lines.line(at: max(start, end - 1)))
        let gutter = String(last + firstLine).count
        for line in first == last ? [first] : [first, last] {
            if line == last, last > first + 1 { block.append(paint(" ...", .gutter)) }
            let range = lines.range(ofLine: line)
            var from = max(range.lowerBound, min(start, range.upperBound))
            if line > first {  // do not mark the indentation of later lines
                while from < range.upperBound, lines.bytes[from] == 0x20 || lines.bytes[from] == 0x09 { from += 1 }
            }
            let marked = from..<max(from, min(end, range.upperBound))
            let excerpt = Excerpt(lines, range, marked, columns: width - gutter - 4)
            let number = String(line + firstLine)
            let space = String(repeating: " ", count: gutter - number.count)
            block.append(trimmed(paint(" \(space)\(number) | ", .gutter), excerpt.text))
            let indent = String(repeating: " ", count: excerpt.indent)
            let mark = indent + paint(String(repeating: "^", count: excerpt.marks), .mark(diagnostic.severity))
            let words = line == last ? label.map { " " + $0 } ?? "" : ""
            block.append(paint(" " + String(repeating: " ", count: gutter) + " | ", .gutter) + mark + words)
        }
        return gutter
    }

    /// The line without trailing spaces, even if its text is empty.
    private func trimmed(_ gutter: String, _ text: String) -> String {
        var line = gutter + text
        while line.last == " " { line.removeLast() }
        return line
    }

    /// The only fix-it in words, such as `fix: &&`; nil if there is none or more than one, or if the label already has
    /// the same text.
    private func fixText(_ diagnostic: PredicateDiagnostic, _ lines: SourceLines, besides label: String?) -> String? {
        guard diagnostic.fixIts.count == 1, let fix = diagnostic.fixIts.first, let words = diagnostic.fixTitle(lines)
        else { return nil }
        // The caret already shows what to remove.
        if fix.replacement.isEmpty, label?.hasPrefix("remove it") == true { return nil }
        let new = DisplayText.visible(fix.replacement).trimmingSpaces
        return " \(label ?? "") ".contains(" \(new.isEmpty ? words : new) ") ? nil : "fix: " + words
    }

    private enum Style {
        case severity(PredicateDiagnostic.Severity)
        case mark(PredicateDiagnostic.Severity)
        case bold
        case gutter
    }

    private func paint(_ text: String, _ style: Style) -> String {
        guard colored else { return text }
        let code =
            switch style {
            case .severity(.error), .mark(.error): "1;31"
            case .severity(.warning), .mark(.warning): "1;33"
            case .severity(.note), .mark(.note): "1;36"
            case .bold: "1"
            case .gutter: "34"
            }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

/// A part of a line that fits the width, around the marked range.
private struct Excerpt {
    let text: String
    /// The columns before the mark, and the width of the mark, at least one.
    let indent: Int
    let marks: Int

    /// A character as it is shown, and its place in the bytes.
    private struct Cell {
        let text: String
        let columns: Int
        let start: Int
        let end: Int
    }

    init(_ lines: SourceLines, _ line: Range<Int>, _ marked: Range<Int>, columns: Int) {
        // Read only the text around the mark, so that many diagnostics on a very long line stay cheap.
        let reach = 16 * columns
        let start = lines.clamped(max(line.lowerBound, marked.lowerBound - reach))
        let near = start..<lines.clamped(min(line.upperBound, marked.lowerBound + reach))
        let cells = Self.cells(lines, near)
        func width(_ range: Range<Int>) -> Int { cells[range].reduce(0) { $0 + $1.columns } }
        let first = cells.firstIndex { $0.end > marked.lowerBound } ?? cells.count
        let last = max(first, cells.lastIndex { $0.start < marked.upperBound }.map { $0 + 1 } ?? first)
        // One more column, for a caret after the end.
        let fits = near == line && width(cells.indices) + 1 <= columns
        let shown = fits ? cells.indices : Self.window(cells, first, last, columns: columns - 2)
        let isCutBefore = shown.lowerBound > 0 || near.lowerBound > line.lowerBound
        let isCutAfter = shown.upperBound < cells.count || near.upperBound < line.upperBound
        text = (isCutBefore ? "…" : "") + cells[shown].map { $0.text }.joined() + (isCutAfter ? "…" : "")
        indent = (isCutBefore ? 1 : 0) + width(shown.lowerBound..<first)
        marks = marked.isEmpty ? 1 : max(1, width(first..<max(first, min(last, shown.upperBound))))
    }

    private static func cells(_ lines: SourceLines, _ range: Range<Int>) -> [Cell] {
        var cells: [Cell] = []
        var column = 0
        var offset = range.lowerBound
        for character in lines.text(range) {
            let shown = DisplayText.cell(character, atColumn: column)
            let end = offset + character.utf8.count
            cells.append(Cell(text: shown.text, columns: shown.columns, start: offset, end: end))
            column += shown.columns
            offset = end
        }
        return cells
    }

    /// The cells to show. The excerpt grows alternately right and left of the mark while there is room. A mark that is
    /// too long is shown from its start.
    private static func window(
        _ cells: [Cell], _ first: Int, _ last: Int, columns: Int
    ) -> Range<Int> {
        var lower = first
        var upper = first
        var room = columns
        while upper < last, cells[upper].columns <= room {
            room -= cells[upper].columns
            upper += 1
        }
        guard upper == last else { return lower..<upper }
        while true {
            let before = room
            if upper < cells.count, cells[upper].columns <= room {
                room -= cells[upper].columns
                upper += 1
            }
            if lower > 0, cells[lower - 1].columns <= room {
                lower -= 1
                room -= cells[lower].columns
            }
            if room == before { return lower..<upper }
        }
    }
}
