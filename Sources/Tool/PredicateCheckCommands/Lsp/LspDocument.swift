// A document open in an editor: its text, and the conversion of positions (line and character) to offsets.

/// How an editor counts the characters of a line.
enum PositionEncoding: String {
    case utf8 = "utf-8"
    case utf16 = "utf-16"
}

struct LspDocument {
    let uri: String
    let file: SourceFile
    /// The number that the editor gives the text.
    var version: PredicateValue?
    private var lines: SourceLines
    var bytes: [UInt8] { lines.bytes }

    /// - Parameter language: the editor's name for the language, used if the file name does not determine it.
    init(uri: String, language: String, text: String) {
        self.uri = uri
        var path = Self.path(uri) ?? uri
        if SourceFile(path).kind == .unknown, let ending = Self.endings[language] { path += "." + ending }
        file = SourceFile(path)
        lines = SourceLines(text, endsAtReturns: true)
    }

    /// The path of a URI with the scheme `file`; nil for any other.
    private static func path(_ uri: String) -> String? {
        guard uri.prefix(5).lowercased() == "file:" else { return nil }
        var rest = uri.dropFirst(5)
        // A host, usually none, is between the slashes.
        if rest.hasPrefix("//") { rest = rest.dropFirst(2).drop { $0 != "/" } }
        var bytes: [UInt8] = []
        let parts = rest.prefix { $0 != "?" && $0 != "#" }.split(separator: "%", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index > 0 {
                guard let byte = UInt8(part.prefix(2), radix: 16) else { return nil }
                bytes.append(byte)
            }
            bytes += part.dropFirst(index > 0 ? 2 : 0).utf8
        }
        return String(validUTF8: bytes)
    }

    private static let endings = [
        "swift": "swift", "objective-c": "m", "objc": "m", "objective-cpp": "mm", "objcpp": "mm", "c": "c",
        "cpp": "cpp", "python": "py",
        "xml": "plist", "plist": "plist", "json": "json", "jsonc": "json", "yaml": "yaml", "predicate": "predicate",
    ]

    // MARK: Changes

    /// Replaces a range; without a range, the whole text. Returns false, and changes nothing, if the change cannot be
    /// read.
    mutating func apply(_ change: PredicateValue, _ encoding: PositionEncoding) -> Bool {
        guard let text = change[member: "text"]?.jsonText else { return false }
        guard let range = change[member: "range"] else {
            lines = SourceLines(text, endsAtReturns: true)
            return true
        }
        guard let start = place(range[member: "start"], encoding), let end = place(range[member: "end"], encoding)
        else { return false }
        var bytes = bytes
        // An editor may replace half of a character of two UTF-16 code units. The other half becomes U+FFFD, which is one
        // unit, so that later positions of the editor stay valid.
        let half = UTF8.encodedReplacementCharacter
        let new = (start.isInside ? Array(half) : []) + Array(text.utf8) + (end.isInside ? Array(half) : [])
        let last = max(start.offset, end.isInside ? end.offset + 4 : end.offset)
        bytes.replaceSubrange(start.offset..<last, with: new)
        lines = SourceLines(bytes, endsAtReturns: true)
        return true
    }

    // MARK: Positions

    /// The index of the line that contains an offset.
    func line(at offset: Int) -> Int { lines.line(at: offset) }

    /// The text of a line without its line ending.
    func text(ofLine line: Int) -> String {
        (0..<lines.count).contains(line) ? lines.text(lines.range(ofLine: line)) : ""
    }

    func start(ofLine line: Int) -> Int { lines.range(ofLine: line).lowerBound }

    /// The offset of a position; nil if the value is not a position. A position after the end of its line means the end
    /// of the line.
    func offset(_ position: PredicateValue?, _ encoding: PositionEncoding) -> Int? {
        place(position, encoding)?.offset
    }

    /// The offset of a position, and whether it is inside the character that begins there.
    private func place(_ position: PredicateValue?, _ encoding: PositionEncoding) -> (offset: Int, isInside: Bool)? {
        guard let line = position?[member: "line"]?.jsonNumber, line >= 0,
            let character = position?[member: "character"]?.jsonNumber, character >= 0
        else { return nil }
        guard line < lines.count else { return (bytes.count, false) }
        let range = lines.range(ofLine: line)
        let end = range.upperBound
        var at = range.lowerBound
        var count = 0
        while at < end, count < character {
            let length = Self.length(bytes[at])
            count += encoding == .utf8 ? length : length == 4 ? 2 : 1
            if count > character, encoding == .utf16 { return (at, true) }
            at = min(end, at + length)
        }
        return (at, false)
    }

    /// The number of bytes of the UTF-8 scalar that begins with a byte.
    private static func length(_ byte: UInt8) -> Int { byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4 }

    func position(_ offset: Int, _ encoding: PositionEncoding) -> PredicateValue {
        let offset = min(offset, bytes.count)
        let line = line(at: offset)
        let character = encoding == .utf8 ? offset - start(ofLine: line) : lines.units(before: offset)
        return .object([("line", .integer(Int64(line))), ("character", .integer(Int64(character)))])
    }

    func range(_ span: SourceSpan, _ encoding: PositionEncoding) -> PredicateValue {
        .object([("start", position(span.start, encoding)), ("end", position(span.end, encoding))])
    }
}
