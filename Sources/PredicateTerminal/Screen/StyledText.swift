// Text with styles, and the colours that stand for them. Which token has which style is the assistant's business.

import PredicateSyntax

/// What a piece of text is, for the eye.
package enum TextStyle: UInt8, Sendable, Hashable {
    case plain
    case keyword, operation, string, number, key, function, variable, constant
    /// A bracket whose other half stands at the cursor.
    case matched
    /// A bracket without other half.
    case unmatched
    case prompt, dim, bold, error, warning, inverse

    /// The parameters of SGR.
    var code: String {
        switch self {
        case .plain, .key: ""
        case .keyword: "35"
        case .operation: "36"
        case .string: "32"
        case .number, .constant: "33"
        case .function: "34"
        case .variable: "1;36"
        case .matched: "1;4"
        case .unmatched: "1;31"
        case .prompt: "1;34"
        case .dim: "2"
        case .bold: "1"
        case .error: "31"
        case .warning: "33"
        case .inverse: "7"
        }
    }
}

/// A style, perhaps underlined.
package struct CellStyle: Sendable, Hashable {
    package var style: TextStyle
    package var isUnderlined: Bool

    package init(_ style: TextStyle = .plain, underlined: Bool = false) {
        self.style = style
        isUnderlined = underlined
    }

    /// The sequence that switches to it from whatever was before.
    var sequence: String {
        let code = style.code + (isUnderlined ? (style.code.isEmpty ? "4" : ";4") : "")
        return "\u{1B}[0" + (code.isEmpty ? "" : ";" + code) + "m"
    }
}

/// Pieces of text with their styles.
package struct StyledText: Sendable, Hashable {
    package var runs: [(text: String, style: CellStyle)] = []

    package init() {}
    package init(_ text: String, _ style: TextStyle = .plain) { append(text, style) }

    package mutating func append(_ text: String, _ style: TextStyle = .plain) {
        append(text, CellStyle(style))
    }

    package mutating func append(_ text: String, _ style: CellStyle) {
        if !text.isEmpty { runs.append((text, style)) }
    }

    /// The text in rows of so many columns.
    package func wrapped(to columns: Int) -> [StyledText] {
        guard DisplayText.columns(plain) > columns else { return [self] }
        var rows = [StyledText()]
        var width = 0
        for run in runs {
            var piece = ""
            for character in run.text {
                let next = DisplayText.cell(character).columns
                if width + next > columns {
                    rows[rows.count - 1].append(piece, run.style)
                    rows.append(StyledText())
                    piece = ""
                    width = 0
                }
                piece.append(character)
                width += next
            }
            rows[rows.count - 1].append(piece, run.style)
        }
        return rows
    }

    /// With some bytes in another style.
    package func marked(_ range: Range<Int>, _ style: TextStyle) -> StyledText {
        var marked = StyledText()
        var at = 0
        for run in runs {
            for character in run.text {
                marked.append(String(character), range.contains(at) ? CellStyle(style) : run.style)
                at += character.utf8.count
            }
        }
        return marked
    }

    package var plain: String { runs.map(\.text).joined() }
    package var isEmpty: Bool { runs.isEmpty }

    package static func == (left: StyledText, right: StyledText) -> Bool {
        left.runs.elementsEqual(right.runs) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(plain) }

    /// With its colours as a terminal wants them.
    package var colored: String {
        runs.map { $0.style == CellStyle() ? $0.text : $0.style.sequence + $0.text + "\u{1B}[0m" }.joined()
    }

    /// Text over a whole input with the styles of its parts: later spans win.
    package static func styled(_ text: String, _ spans: [StyleSpan]) -> [CellStyle] {
        var styles = [CellStyle](repeating: CellStyle(), count: text.utf8.count)
        for span in spans {
            for offset in span.range.clamped(to: 0..<styles.count) {
                if let style = span.style { styles[offset].style = style }
                if span.isUnderlined { styles[offset].isUnderlined = true }
            }
        }
        return styles
    }
}

/// The style of some bytes of an input.
package struct StyleSpan: Sendable, Hashable {
    package var range: Range<Int>
    /// nil leaves the style as it is.
    package var style: TextStyle?
    package var isUnderlined: Bool

    package init(_ range: Range<Int>, _ style: TextStyle?, underlined: Bool = false) {
        self.range = range
        self.style = style
        isUnderlined = underlined
    }
}
