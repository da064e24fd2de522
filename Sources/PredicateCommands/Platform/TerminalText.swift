// Makes bytes of files safe to print on a terminal. All terminal output passes through this or StyledText.

import PredicateSyntax

enum TerminalText {
    /// Replaces control characters, except tab and newline, by visible characters. All other bytes stay unchanged.
    static func safe(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.indices.contains(where: { isControl(bytes, $0) }) else { return bytes }
        var safe: [UInt8] = []
        safe.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard isControl(bytes, at) else {
                safe.append(bytes[at])
                at += 1
                continue
            }
            let isLong = bytes[at] == 0xC2
            let scalar = Unicode.Scalar(isLong ? bytes[at + 1] : bytes[at])
            safe += DisplayText.cell(Character(scalar)).text.utf8
            at += isLong ? 2 : 1
        }
        return safe
    }

    /// Whether a control character begins at the index: C0, DEL, or C1 as two bytes of UTF-8.
    private static func isControl(_ bytes: [UInt8], _ index: Int) -> Bool {
        let byte = bytes[index]
        if byte == 0xC2 { return index + 1 < bytes.count && bytes[index + 1] >= 0x80 && bytes[index + 1] < 0xA0 }
        return byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == 0x7F
    }
}
