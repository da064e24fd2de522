// Prints records as a table. Numbers are right-aligned. Each column is as wide as its contents. If the terminal is too
// narrow, long texts are wrapped; if that is not enough, the last columns are left out, or the table is scrolled
// (Pager).

/// The display text of a value.
struct ValueText {
    let text: String
    let isNumber: Bool
    let isDate: Bool
    let isNil: Bool

    init(_ value: PredicateValue) {
        isNil = value.isNil
        isNumber = if case .bool = value { false } else { value.isNumber }
        isDate = if case .date = value { true } else { false }
        text = Self.text(value)
    }

    static func text(_ value: PredicateValue) -> String {
        switch value {
        case .null, .nsNull: "nil"
        case .string(let text), .url(let text), .type(let text): DisplayText.visible(text, limit: 2_000)
        case .bool(let flag): flag ? "true" : "false"
        case .date(let seconds): date(seconds)
        case .uuid(let id): id.description
        case .float(let number): number.description
        case .double(let number): number.description
        default: DisplayText.visible(JSON.text(value), limit: 2_000)
        }
    }

    /// A date in UTC such as `2026-03-02 09:00`. A time of zero, and seconds of zero, are left out.
    private static func date(_ seconds: Double) -> String {
        guard let text = CalendarDate.iso8601(seconds) else { return "\(seconds)" }
        let parts = text.dropLast().split(separator: "T").map(String.init)
        guard parts.count == 2, parts[1] != "00:00:00" else { return parts[0] }
        return parts[0] + " " + (parts[1].hasSuffix(":00") ? String(parts[1].dropLast(3)) : parts[1])
    }
}

/// The columns of a list of records, in the order in which they first occur.
package enum Columns {
    package static func names(of records: [PredicateValue]) -> [String] {
        var keys = KeyList()
        for record in records { keys.add(record) }
        return keys.names
    }

    /// The value in a column. A record that is not a dictionary has one column with its value.
    package static func value(_ record: PredicateValue, _ name: String) -> PredicateValue {
        guard case .dictionary(let fields) = record else { return record }
        return fields[name] ?? .null
    }
}

package struct TablePrinter {
    /// The maximum number of lines in a cell; longer text ends in an ellipsis.
    private static let cellLines = 3
    /// The minimum width of a text column.
    private static let narrowest = 6
    /// Words up to these widths are kept whole if there is room; the larger width is tried first.
    private static let wordWidths = [24, 10]
    /// Numbers and dates up to this width are never broken.
    private static let numberWidth = 24
    private static let separator = " │ "

    /// The number of lines above the rows.
    package static let headerLines = 2
    /// The maximum width of a column in a scrolled table, as a fraction (1/n) of the screen.
    private static let widestPart = 2

    private let columns: [Column]
    private let count: Int

    package init(_ records: [PredicateValue]) {
        let names = Columns.names(of: records)
        columns = (names.isEmpty ? ["value"] : names).map { Column($0, records) }
        count = records.count
    }

    private struct Column {
        let name: String
        let cells: [ValueText]
        var width: Int
        let isNumeric: Bool
        /// The width of the longest word in its cells.
        let word: Int

        init(_ name: String, _ records: [PredicateValue]) {
            let cells = records.map { ValueText(Columns.value($0, name)) }
            self.cells = cells
            self.name = DisplayText.visible(name)
            width = cells.reduce(DisplayText.columns(self.name)) { max($0, DisplayText.columns($1.text)) }
            isNumeric = cells.allSatisfy { $0.isNumber || $0.isNil } && cells.contains(where: \.isNumber)
            word = cells.reduce(0) { max($0, TablePrinter.widestWord($1.text)) }
        }

        /// The minimum width at which words up to `wordWidth`, numbers and dates are not broken.
        func least(_ wordWidth: Int) -> Int {
            let words = min(word, isNumeric || cells.contains(where: \.isDate) ? TablePrinter.numberWidth : wordWidth)
            return min(width, max(words, min(DisplayText.columns(name), max(wordWidth, TablePrinter.narrowest))))
        }
    }

    /// Whether all columns fit into a width, with long texts wrapped between words where necessary.
    package func fits(_ width: Int) -> Bool { Self.least(columns, Self.wordWidths[0]) <= width }

    /// The table in a width; nil for no limit.
    /// - Parameter advice: tells the user how to see columns that do not fit.
    package func lines(width: Int?, advice: String = ".mode line shows all") -> [StyledText] {
        let shown = width.map(fit) ?? columns
        let left = columns[shown.count...].map(\.name)
        let note = StyledText("not shown: \(left.joined(separator: ", ")) (\(advice))", .dim)
        return lines(of: shown) + (left.isEmpty ? [] : [note])
    }

    /// The table with all columns, for a screen that shows a part of it. Only very wide columns are wrapped.
    package func wideLines(screen: Int) -> [StyledText] {
        let widest = max(Self.numberWidth, screen / Self.widestPart)
        return lines(
            of: columns.map { column in
                var column = column
                column.width = min(column.width, widest)
                return column
            })
    }

    private func lines(of columns: [Column]) -> [StyledText] {
        [header(columns), rule(columns)] + (0..<count).flatMap { row(columns, $0) }
    }

    private static func widestWord(_ text: String) -> Int {
        text.split(separator: " ").reduce(0) { max($0, DisplayText.columns(String($1))) }
    }

    /// The width of a table with the narrowest columns that keep words of this width whole.
    private static func least(_ columns: [Column], _ wordWidth: Int) -> Int {
        columns.reduce(-separator.count) { $0 + $1.least(wordWidth) + separator.count }
    }

    /// Narrows the widest columns until all columns fit. If that is not enough, leaves out the last columns.
    private func fit(_ width: Int) -> [Column] {
        var shown = columns
        var wordWidth = Self.wordWidths.first { Self.least(shown, $0) <= width } ?? Self.narrowest
        while shown.count > 1, Self.least(shown, wordWidth) > width { shown.removeLast() }
        if Self.least(shown, wordWidth) > width { wordWidth = 1 }
        let room = max(shown.count, width - Self.separator.count * (shown.count - 1))
        func widths(_ cap: Int) -> [Int] { shown.map { min($0.width, max(cap, $0.least(wordWidth))) } }
        // Binary search for the largest maximum width at which all columns fit.
        var low = 1
        var high = shown.map(\.width).max() ?? 1
        while low < high {
            let middle = (low + high + 1) / 2
            if widths(middle).reduce(0, +) <= room { low = middle } else { high = middle - 1 }
        }
        var spare = room - widths(low).reduce(0, +)
        for (index, narrow) in widths(low).enumerated() {
            let extra = narrow < shown[index].width && spare > 0 ? 1 : 0
            shown[index].width = min(narrow + extra, room)
            spare -= extra
        }
        return shown
    }

    private func header(_ columns: [Column]) -> StyledText {
        var line = StyledText()
        for (index, column) in columns.enumerated() {
            if index > 0 { line.append(Self.separator, .dim) }
            let name = Self.wrapped(column.name, width: column.width, limit: 1)[0]
            let isLast = index == columns.count - 1
            line.append(Self.padded(name, column.width, right: column.isNumeric, isLast: isLast), .bold)
        }
        return line
    }

    private func rule(_ columns: [Column]) -> StyledText {
        StyledText(columns.map { String(repeating: "─", count: $0.width) }.joined(separator: "─┼─"), .dim)
    }

    private func row(_ columns: [Column], _ index: Int) -> [StyledText] {
        let cells = columns.map { Self.wrapped($0.cells[index].text, width: $0.width, limit: Self.cellLines) }
        return (0..<(cells.map(\.count).max() ?? 1)).map { part in
            var line = StyledText()
            for (place, column) in columns.enumerated() {
                if place > 0 { line.append(Self.separator, .dim) }
                let text = part < cells[place].count ? cells[place][part] : ""
                let padded = Self.padded(
                    text, column.width, right: column.isNumeric, isLast: place == columns.count - 1)
                line.append(padded, column.cells[index].isNil ? .dim : .plain)
            }
            return line
        }
    }

    /// Pads a text. The last column gets no trailing spaces.
    private static func padded(_ text: String, _ width: Int, right: Bool, isLast: Bool) -> String {
        let space = String(repeating: " ", count: max(0, width - DisplayText.columns(text)))
        return right ? space + text : isLast ? text : text + space
    }

    /// Wraps a text at spaces, if possible, into at most `limit` lines.
    static func wrapped(_ text: String, width: Int, limit: Int) -> [String] {
        guard DisplayText.columns(text) > width else { return [text] }
        var lines: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            let isLast = lines.count == limit - 1
            var end = rest.startIndex
            var columns = 0
            var blank: Substring.Index?
            while end < rest.endIndex {
                let next = columns + DisplayText.cell(rest[end], atColumn: columns).columns
                if next > width { break }
                if rest[end] == " " { blank = end }
                columns = next
                end = rest.index(after: end)
            }
            if end == rest.endIndex {
                lines.append(String(rest))
                break
            }
            // A character may be wider than the column.
            if end == rest.startIndex { end = rest.index(after: end) }
            if isLast {
                lines.append(cut(rest[..<end], to: width - 1) + "…")
                break
            }
            // Break a word rather than leave most of the line empty.
            if let found = blank, rest.distance(from: rest.startIndex, to: found) * 4 > width { end = found }
            lines.append(String(rest[..<end]))
            rest = rest[end...].drop { $0 == " " }
        }
        return lines
    }

    private static func cut(_ text: Substring, to width: Int) -> String {
        var text = String(text)
        while !text.isEmpty, DisplayText.columns(text) > width { text.removeLast() }
        return text
    }
}
