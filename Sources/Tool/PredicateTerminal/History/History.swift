// The inputs typed earlier. A value type; The prompt stores it between sessions.

/// Earlier inputs, newest last.
package struct History: Sendable {
    /// The maximum number of entries, in memory and in the file.
    package static let limit = 2_000
    /// The maximum length of an entry in bytes; longer inputs are not stored.
    package static let longestEntry = 64 << 10

    package private(set) var entries: [String] = []

    package init(_ entries: [String] = []) { self.entries = Array(entries.suffix(Self.limit)) }

    /// Whether to store an input: not blank, not equal to the last entry, not too long. A leading space keeps
    /// an input out of the history.
    package func keeps(_ entry: String) -> Bool {
        entry.contains { !$0.isWhitespace } && entry != entries.last && !entry.hasPrefix(" ")
            && entry.utf8.count <= Self.longestEntry
    }

    package mutating func add(_ entry: String) {
        guard keeps(entry) else { return }
        entries.append(entry)
        if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    }

    package mutating func clear() { entries = [] }

    /// The index of the newest entry before `place` that contains the text.
    package func search(_ text: String, before place: Int) -> Int? {
        entries[..<min(place, entries.count)].lastIndex { $0.utf8.contains(text) }
    }

    /// The index of the oldest entry from `place` on that contains the text.
    package func search(_ text: String, from place: Int) -> Int? {
        guard place < entries.count else { return nil }
        return entries[place...].firstIndex { $0.utf8.contains(text) }
    }
}

extension String.UTF8View {
    /// Whether the bytes of the text occur in it.
    fileprivate func contains(_ text: String) -> Bool { offset(of: text) != nil }

    /// The offset of the first occurrence of the text's bytes. Inputs are short, so a simple search is enough.
    package func offset(of text: String) -> Int? {
        let needle = Array(text.utf8)
        let bytes = Array(self)
        guard needle.count <= bytes.count else { return nil }
        return (0...(bytes.count - needle.count)).first { bytes[$0...].starts(with: needle) }
    }
}

/// The format of the history file: one entry per line, with a line break written `\n` and a backslash `\\`.
package enum HistoryFormat {
    package static func line(_ entry: String) -> String {
        let escapes: [Unicode.Scalar: String] = ["\\": "\\\\", "\n": "\\n", "\r": "\\r"]
        return entry.replacingScalars { escapes[$0] } + "\n"
    }

    /// The entries of a file. Skips lines that are not UTF-8 and an incomplete last line.
    package static func entries(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let text = String(validUTF8: line) else { return nil }
            var entry = ""
            var escaped = false
            for character in text.unicodeScalars {
                if escaped {
                    entry.unicodeScalars.append(character == "n" ? "\n" : character == "r" ? "\r" : character)
                    escaped = false
                } else if character == "\\" {
                    escaped = true
                } else {
                    entry.unicodeScalars.append(character)
                }
            }
            return entry
        }
    }
}
