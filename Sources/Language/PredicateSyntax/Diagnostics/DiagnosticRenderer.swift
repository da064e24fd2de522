// Formats diagnostics for a terminal. SourceLines computes positions, DisplayText widths.

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
    var text = ""
    /// The columns before the mark, and the width of the mark, at least one.
    var indent = 0
    var marks = 0

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
        let isCut = near != line
        // Most lines have one column for each byte and need no cells.
        let plain = lines.bytes[near].allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        let cells = plain ? [] : Self.cells(lines, near)
        let count = plain ? near.count : cells.count
        func width(_ index: Int) -> Int { plain ? 1 : cells[index].columns }
        func total(_ range: Range<Int>) -> Int { plain ? range.count : cells[range].reduce(0) { $0 + $1.columns } }
        let first =
            plain ? min(marked.lowerBound - start, count) : cells.firstIndex { $0.end > marked.lowerBound } ?? count
        let end =
            plain
            ? min(marked.upperBound - start, count)
            : cells.lastIndex { $0.start < marked.upperBound }.map { $0 + 1 } ?? first
        let last = max(first, end)
        var shown = 0..<count
        // One more column, for a caret after the end.
        if isCut || total(shown) + 1 > columns {
            shown = Self.window(count, first, last, columns: columns - 2, width: width)
        }
        let cutBefore = shown.lowerBound > 0 || near.lowerBound > line.lowerBound
        let cutAfter = shown.upperBound < count || near.upperBound < line.upperBound
        let visible =
            plain
            ? lines.text(start + shown.lowerBound..<start + shown.upperBound) : cells[shown].map { $0.text }.joined()
        text = (cutBefore ? "…" : "") + visible + (cutAfter ? "…" : "")
        indent = (cutBefore ? 1 : 0) + total(shown.lowerBound..<first)
        let stop = min(last, shown.upperBound)
        marks = first < stop ? max(1, total(first..<stop)) : 1
        if marked.isEmpty { marks = 1 }
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
        _ count: Int, _ first: Int, _ last: Int, columns: Int, width: (Int) -> Int
    ) -> Range<Int> {
        var lower = first
        var upper = first
        var room = columns
        while upper < last, width(upper) <= room {
            room -= width(upper)
            upper += 1
        }
        guard upper == last else { return lower..<upper }
        while true {
            let before = room
            if upper < count, width(upper) <= room {
                room -= width(upper)
                upper += 1
            }
            if lower > 0, width(lower - 1) <= room {
                lower -= 1
                room -= width(lower)
            }
            if room == before { return lower..<upper }
        }
    }
}
