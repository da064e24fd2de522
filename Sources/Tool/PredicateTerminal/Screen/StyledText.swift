// Text with styles, and the terminal colours of the styles. The assistant (Prompt.swift) chooses the style of
// each token.

/// The role of a piece of text, which determines its colour.
package enum TextStyle: UInt8, Sendable, Hashable {
    case plain
    case keyword, operation, string, number, key, function, variable, constant
    /// A bracket whose partner is at the cursor.
    case matched
    /// A bracket without a partner.
    case unmatched
    case prompt, dim, bold, error, warning, inverse

    /// The SGR parameters (colour codes).
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

/// A style with optional underline.
package struct CellStyle: Sendable, Hashable {
    package var style: TextStyle
    package var isUnderlined: Bool

    package init(_ style: TextStyle = .plain, underlined: Bool = false) {
        self.style = style
        isUnderlined = underlined
    }

    /// The escape sequence that switches to this style from any other.
    var sequence: String {
        let code = style.code + (isUnderlined ? (style.code.isEmpty ? "4" : ";4") : "")
        return "\u{1B}[0" + (code.isEmpty ? "" : ";" + code) + "m"
    }
}

/// Text in pieces, each with a style.
package struct StyledText: Sendable, Hashable {
    package var runs: [(text: String, style: CellStyle)] = []

    package init() {}
    package init(_ text: String, _ style: TextStyle = .plain) { append(text, style) }

    package mutating func append(_ text: String, _ style: TextStyle = .plain) {
        append(text, CellStyle(style))
    }

    package mutating func append(_ text: String, _ style: CellStyle) {
        if let last = runs.indices.last, runs[last].style == style {
            runs[last].text += text
        } else if !text.isEmpty {
            runs.append((text, style))
        }
    }

    var characters: [(character: Character, style: CellStyle)] {
        runs.flatMap { run in run.text.map { ($0, run.style) } }
    }

    /// Wraps the text into rows of the given width.
    package func wrapped(to columns: Int) -> [StyledText] {
        guard DisplayText.columns(plain) > columns else { return [self] }
        var rows = [StyledText()]
        var width = 0
        for (character, style) in characters {
            let next = DisplayText.cell(character).columns
            if width + next > columns {
                rows.append(StyledText())
                width = 0
            }
            rows[rows.count - 1].append(String(character), style)
            width += next
        }
        return rows
    }

    /// The text without its first columns. A wide character that is cut in half becomes a space.
    package func dropping(columns: Int) -> StyledText {
        guard columns > 0 else { return self }
        var rest = StyledText()
        var at = 0
        for (character, style) in characters {
            let width = DisplayText.cell(character, atColumn: at).columns
            if at >= columns || at + width > columns { rest.append(at < columns ? " " : String(character), style) }
            at += width
        }
        return rest
    }

    /// A copy with another style for a range of bytes.
    package func marked(_ range: Range<Int>, _ style: TextStyle) -> StyledText {
        var marked = StyledText()
        var at = 0
        for (character, old) in characters {
            marked.append(String(character), range.contains(at) ? CellStyle(style) : old)
            at += character.utf8.count
        }
        return marked
    }

    package var plain: String { runs.map { $0.text }.joined() }
    package var isEmpty: Bool { runs.isEmpty }

    package static func == (left: StyledText, right: StyledText) -> Bool {
        left.runs.elementsEqual(right.runs) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(plain) }

    /// The text with escape sequences for its colours. Control characters of the text are replaced.
    package var colored: String {
        runs.map { run in
            let text = Self.harmless(run.text)
            return run.style == CellStyle() ? text : run.style.sequence + text + "\u{1B}[0m"
        }.joined()
    }

    /// The text for a terminal without colours. Control characters are replaced.
    package var uncolored: String { Self.harmless(plain) }

    private static func harmless(_ text: String) -> String {
        let isHarmless = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A }
        if isHarmless { return text }
        return text.map { $0 == "\t" || $0 == "\n" ? String($0) : DisplayText.cell($0).text }.joined()
    }

    /// Returns a style for each byte of a text. If spans overlap, the last one is used.
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

/// A style for a range of bytes.
package struct StyleSpan: Sendable, Hashable {
    package var range: Range<Int>
    /// nil keeps the current style.
    package var style: TextStyle?
    package var isUnderlined: Bool

    package init(_ range: Range<Int>, _ style: TextStyle?, underlined: Bool = false) {
        self.range = range
        self.style = style
        isUnderlined = underlined
    }
}
