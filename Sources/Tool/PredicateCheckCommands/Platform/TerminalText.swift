// Makes bytes of files safe to print on a terminal. All terminal output passes through this or StyledText.

enum TerminalText {
    /// Replaces what could change the terminal or the order of the text by visible characters: control characters,
    /// except tab and newline, characters that change the direction, line separators, and bytes that are not UTF-8.
    static func safe(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 || $0 == 0x0A }) { return bytes }
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.replacingScalars { $0 == "\t" || $0 == "\n" ? nil : DisplayText.picture(of: $0) }.utf8)
    }
}
