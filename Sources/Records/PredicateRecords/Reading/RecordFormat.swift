// The record formats, and how they are recognised: by the file name or the first bytes.

package enum RecordFormat: String, Sendable, Hashable, CaseIterable {
    /// One JSON array with a record per element. Any other JSON value is a single record.
    case json
    /// JSON Lines: one JSON value a line.
    case jsonl
    /// Comma-separated values with a header line (RFC 4180); other delimiters by option.
    case csv
    /// A property list: an array with a record per element, or a single record. XML and binary are read, XML is
    /// written.
    case plist

    /// The format for a file extension: `.json .jsonl .ndjson .csv .tsv .plist`.
    package init?(path: String) {
        let name = Self.fileExtension(path)
        guard let known = Self.extensions.first(where: { $0.name == name }) else { return nil }
        self = known.format
    }

    /// The extensions of file names.
    package static let extensions: [(name: String, format: RecordFormat)] = [
        ("json", .json), ("jsonl", .jsonl), ("ndjson", .jsonl), ("csv", .csv), ("tsv", .csv), ("plist", .plist),
    ]

    /// Whether a file has the name of a format, also if it is compressed: `orders.csv.gz`.
    package static func isNamed(_ path: String) -> Bool {
        let isCompressed = ["gz", "zst"].contains(fileExtension(path))
        let name = isCompressed ? path.split(separator: ".").dropLast().joined(separator: ".") : path
        return RecordFormat(path: name) != nil
    }

    static func fileExtension(_ path: String) -> String {
        guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return path[path.index(after: dot)...].lowercased()
    }

    /// Guesses the format from the first bytes. An object that ends on its first line is JSON Lines; one that continues
    /// on the next line, or is followed by another on the same line, is JSON.
    package static func sniff(_ bytes: UnsafeBufferPointer<UInt8>) -> RecordFormat {
        if bytes.starts(with: BinaryPropertyList.magic) { return .plist }
        let text = bytes.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        guard let first = text.first else { return .jsonl }
        switch first {
        case UInt8(ascii: "<"): return .plist
        case UInt8(ascii: "["):
            return .json
        case UInt8(ascii: "{"):
            let line = text.prefix { $0 != UInt8(ascii: "\n") }
            var scanner = JSONScanner(endsAfterValue: true)
            guard let end = scanner.scan(UnsafeBufferPointer(rebasing: line), from: 0) else {
                return line.endIndex == text.endIndex ? .jsonl : .json
            }
            return line.dropFirst(end).allSatisfy { $0.isSpace } ? .jsonl : .json
        default: return .csv
        }
    }
}
