// What was typed before. A value; HistoryFile.swift keeps it between sessions.

/// Earlier inputs, the newest last.
package struct History: Sendable {
    /// Inputs that are kept, in memory and in the file.
    package static let limit = 2_000
    /// Longer inputs are not kept.
    package static let longestEntry = 64 << 10

    package private(set) var entries: [String] = []

    package init(_ entries: [String] = []) { self.entries = Array(entries.suffix(Self.limit)) }

    /// Whether an input is worth keeping: no blank one, none that repeats the last, none behind a blank, which is how a
    /// person says that it is private.
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

    /// The place of the newest entry before a place that holds a text.
    package func search(_ text: String, before place: Int) -> Int? {
        entries[..<min(place, entries.count)].lastIndex { $0.utf8.contains(text) }
    }

    /// The place of the oldest entry from a place on that holds a text.
    package func search(_ text: String, from place: Int) -> Int? {
        guard place < entries.count else { return nil }
        return entries[place...].firstIndex { $0.utf8.contains(text) }
    }
}

extension String.UTF8View {
    /// Whether the bytes of a text stand in it.
    fileprivate func contains(_ text: String) -> Bool { offset(of: text) != nil }

    /// Where the bytes of a text begin. Inputs are short.
    package func offset(of text: String) -> Int? {
        let needle = Array(text.utf8)
        let bytes = Array(self)
        guard needle.count <= bytes.count else { return nil }
        return (0...(bytes.count - needle.count)).first { bytes[$0...].starts(with: needle) }
    }
}

/// One entry a line: a line break in it is `\n`, a backslash `\\`.
package enum HistoryFormat {
    package static func line(_ entry: String) -> String {
        var line = ""
        for character in entry.unicodeScalars {
            switch character {
            case "\\": line += "\\\\"
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            default: line.unicodeScalars.append(character)
            }
        }
        return line + "\n"
    }

    /// The entries of a file; what is no UTF-8 is left out, and so is a last line that was cut off.
    package static func entries(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let text = String(validating: line, as: UTF8.self) else { return nil }
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
