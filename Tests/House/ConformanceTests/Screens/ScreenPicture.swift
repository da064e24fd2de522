// A screen as an SVG image: the picture of the prompt in README and in the articles.

import Foundation

/// Draws the rows and styles that a `colors` step of a screen file shows.
struct ScreenPicture {
    /// The rows (`|…`), each followed by its styles (`·…`), and the line with the position of the cursor.
    let lines: [String]

    private static let cell = (width: 8.4, height: 18.0)
    private static let margin = 14.0

    /// The last screen with colours of a case; nil if the case has none.
    init?(caseNamed name: String, of file: String) {
        let parts = file.components(separatedBy: "=== ").dropFirst()
        guard let part = parts.first(where: { $0.hasPrefix(name + "\n") }) else { return nil }
        let lines = part.components(separatedBy: "\n")
        guard let start = lines.lastIndex(of: "colors") else { return nil }
        self.lines = lines[(start + 1)...].prefix { !$0.isEmpty && !$0.hasPrefix("keys ") }.map { $0 }
    }

    private struct Row {
        var characters: [Character]
        var styles: [Character]
    }

    private var rows: [Row] {
        var rows: [Row] = []
        for line in lines {
            let rest = Array(line.dropFirst())
            if line.hasPrefix("|") { rows.append(Row(characters: rest, styles: [])) }
            if line.hasPrefix("·"), !rows.isEmpty { rows[rows.count - 1].styles = rest }
        }
        return rows
    }

    /// The SVG document. Each run of one style has its own position, so that columns are aligned in any
    /// fixed-width font.
    var svg: String {
        let rows = rows
        let columns = rows.map(\.characters.count).max() ?? 0
        let width = Self.number(Double(columns) * Self.cell.width + 2 * Self.margin)
        let height = Self.number(Double(rows.count) * Self.cell.height + 2 * Self.margin)
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
            <rect width="100%" height="100%" rx="8" fill="#1e2127"/>

            """
        for (index, row) in rows.enumerated() { text += runs(of: row, index) }
        return text + cursor + "</svg>\n"
    }

    private func runs(of row: Row, _ index: Int) -> String {
        var text = ""
        var start = 0
        while start < row.characters.count {
            let style = start < row.styles.count ? row.styles[start] : "."
            var end = start + 1
            while end < row.characters.count, (end < row.styles.count ? row.styles[end] : ".") == style { end += 1 }
            let run = String(row.characters[start..<end])
            if run.contains(where: { $0 != " " }) {
                let y = Self.number(Self.margin + Double(index) * Self.cell.height + 13)
                let length = Self.number(Double(end - start) * Self.cell.width)
                text += "<text x=\"\(x(start))\" y=\"\(y)\" textLength=\"\(length)\" xml:space=\"preserve\""
                text += " \(Self.attributes(style))>\(Self.escaped(run))</text>\n"
            }
            start = end
        }
        return text
    }

    private var cursor: String {
        guard let line = lines.first(where: { $0.hasPrefix("cursor ") }) else { return "" }
        let place = line.split(separator: " ").compactMap { Int($0) }
        let y = Self.number(Self.margin + Double(place[0]) * Self.cell.height)
        return "<rect x=\"\(x(place[1]))\" y=\"\(y)\" width=\"8\" height=\"17\" fill=\"#d7dae0\"/>\n"
    }

    private func x(_ column: Int) -> String { Self.number(Self.margin + Double(column) * Self.cell.width) }

    /// A number with one digit after the point.
    private static func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    /// The colour of a style letter of ScreenModel.
    private static func attributes(_ style: Character) -> String {
        switch style {
        case "b": "fill=\"#d7dae0\" font-weight=\"bold\""
        case "d": "fill=\"#868d99\""
        case "r", "!": "fill=\"#f07178\""
        case "g": "fill=\"#98c379\""
        case "y": "fill=\"#e5c07b\""
        case "f", "p": "fill=\"#61afef\""
        case "k": "fill=\"#c678dd\""
        case "o", "v": "fill=\"#56b6c2\""
        case "_": "fill=\"#f07178\" text-decoration=\"underline\""
        default: "fill=\"#d7dae0\""
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
