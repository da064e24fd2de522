// The width of text on a terminal, and visible replacements for characters that are invisible or move the
// cursor. The table of wide characters is small on purpose: for rare scripts a caret may be one column off.

/// The display form of a character.
package struct DisplayCell {
    package let text: String
    package let columns: Int
}

package enum DisplayText {
    /// `1 record`, `2 records`.
    package static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Returns the display form of a character. A tab extends to the next tab stop after `column`.
    package static func cell(_ character: Character, atColumn column: Int = 0) -> DisplayCell {
        if let ascii = character.asciiValue, character != "\r\n" {
            switch ascii {
            case 0x20..<0x7F: return DisplayCell(text: String(character), columns: 1)
            case 0x09:
                let columns = tabStop - column % tabStop
                return DisplayCell(text: String(repeating: " ", count: columns), columns: columns)
            default: break
            }
        }
        var text = ""
        var columns = 0
        for scalar in character.unicodeScalars {
            if let picture = picture(of: scalar, first: text.isEmpty) {
                text += picture
                columns += picture.unicodeScalars.count
            } else {
                text.unicodeScalars.append(scalar)
                columns = max(columns, width(of: scalar))
            }
        }
        // Without a base character, a combining mark would combine with the margin.
        return columns == 0 ? DisplayCell(text: "◌" + text, columns: 1) : DisplayCell(text: text, columns: columns)
    }

    /// Prepares text for one line of a message: replaces characters that could move the cursor, and shortens a very
    /// long text in the middle.
    package static func visible(_ text: String, limit: Int = 600) -> String {
        var text = text
        if text.utf8.count > 4 * limit, text.count > limit {
            text = text.prefix(limit / 2) + "…" + text.suffix(limit / 2)
        }
        let plain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        return plain ? text : text.map { $0 == "\t" ? "␉" : cell($0).text }.joined()
    }

    /// The width of a single-line text in columns.
    package static func columns(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
        return text.reduce(0) { $0 + cell($1, atColumn: $0).columns }
    }

    static let tabStop = 4

    /// The replacement for a scalar that must not reach a terminal: `␛`, `<U+202E>`; nil for all others.
    package static func picture(of scalar: Unicode.Scalar, first: Bool = false) -> String? {
        switch scalar.value {
        case 0x7F: return "\u{2421}"
        case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value).map { String(Character($0)) }
        case 0x200D where !first, 0xE0020...0xE007F where !first: return nil  // inside an emoji
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
            return "<U+" + String(scalar.value, radix: 16, uppercase: true).zeroPadded(to: 4) + ">"
        default: return nil
        }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        if scalar.value == 0xFE0F { return 2 }  // selects the emoji form of the character before it
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The East Asian Wide and Fullwidth blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}

extension String {
    /// Replaces the scalars for which `replacement` returns a text.
    package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if let text = replacement(scalar) { result += text } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
