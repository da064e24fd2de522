// Reads the part of YAML that recipes, declarations and configuration files use: block mappings and sequences, plain
// and quoted scalars, `|` and `>` blocks, flow collections. Anchors and tags are skipped. Lines that cannot be read are
// also skipped, so that the predicates around them are still checked.

package struct YAMLDocument {
    private let bytes: [UInt8]
    private let lines: [Line]
    private var next = 0
    /// The first thing that is skipped or not read as YAML reads it.
    private var skipped: DocumentProblem?
    private var hasContent = false

    /// A line of the document.
    private struct Line {
        var start: Int
        let end: Int
        var indent: Int
        /// The range of the whole line, including its indentation.
        let range: Range<Int>
    }

    /// Reads a stream. Several documents become a list. Cost: linear.
    /// - Parameter isStrict: whether to throw for a line that cannot be read, an anchor, a tag or a second document,
    ///   instead of skipping it.
    package static func parse(_ bytes: [UInt8], isStrict: Bool = false) throws(DocumentProblem) -> DocumentNode {
        var reader = YAMLDocument(bytes)
        var documents: [DocumentNode] = []
        while reader.next < reader.lines.count {
            let before = reader.next
            if !documents.isEmpty {
                reader.skipBlankLines()
                let isEnd = reader.next == reader.lines.count
                if !isEnd { reader.skip(reader.lines[reader.next].start, "this line cannot be read") }
                if isStrict, isEnd { break }
            }
            documents.append(try reader.block(indent: -1, depth: 0))
            // Skip a line that cannot be read.
            if reader.next == before { reader.next += 1 }
        }
        if isStrict, let problem = reader.skipped { throw problem }
        return documents.count == 1 ? documents[0] : .list(documents)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var lines: [Line] = []
        var start = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let stop = end > start && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
            let text = bytes[start..<stop].firstIndex { $0 != UInt8(ascii: " ") } ?? stop
            lines.append(Line(start: text, end: stop, indent: text - start, range: start..<stop))
            start = end + 1
        }
        self.lines = lines
    }

    // MARK: Blocks

    private func isSkipped(_ line: Line) -> Bool {
        line.start >= line.end || bytes[line.start] == UInt8(ascii: "#") || bytes[line.start] == UInt8(ascii: "%")
            || bytes[line.start..<line.end].starts(with: "---".utf8)
            || bytes[line.start..<line.end].elementsEqual("...".utf8)
            || bytes[line.start..<line.end].allSatisfy { $0 <= 32 }
    }

    private mutating func skipBlankLines() {
        while next < lines.count, isSkipped(lines[next]) {
            if hasContent, bytes[lines[next].start..<lines[next].end].starts(with: "---".utf8) {
                skip(lines[next].start, "a file has one document")
            }
            next += 1
        }
        if next < lines.count, bytes[lines[next].start] == UInt8(ascii: "\t") {
            skip(lines[next].start, "a tab cannot indent a line")
        }
    }

    private mutating func skip(_ offset: Int, _ message: String) {
        skipped = skipped ?? DocumentProblem(offset: offset, message: message)
    }

    /// Reads the node whose lines are indented deeper than `indent`.
    private mutating func block(indent: Int, depth: Int) throws(DocumentProblem) -> DocumentNode {
        skipBlankLines()
        guard next < lines.count, lines[next].indent > indent else { return .other }
        let line = lines[next]
        return try content(from: line.start, indent: line.indent, owner: indent, depth: depth)
    }

    /// Reads the node that begins at an offset of the next line, as if the line were indented up to there.
    private mutating func content(
        from start: Int, indent: Int, owner: Int, depth: Int
    ) throws(DocumentProblem) -> DocumentNode {
        try DocumentProblem.check(depth: depth, at: start)
        hasContent = true
        let line = lines[next]
        if isDash(start, line.end) { return try sequence(from: start, indent: indent, depth: depth) }
        if keyEnd(start, line.end) != nil { return try mapping(from: start, indent: indent, depth: depth) }
        return try scalar(from: start, owner: owner, depth: depth)
    }

    private func isDash(_ start: Int, _ end: Int) -> Bool {
        start < end && bytes[start] == UInt8(ascii: "-") && (start + 1 == end || bytes[start + 1] == UInt8(ascii: " "))
    }

    private mutating func sequence(from start: Int, indent: Int, depth: Int) throws(DocumentProblem) -> DocumentNode {
        var values: [DocumentNode] = []
        var start = start
        while true {
            let line = lines[next]
            var inner = start + 1
            while inner < line.end, bytes[inner] == UInt8(ascii: " ") { inner += 1 }
            if inner >= line.end || bytes[inner] == UInt8(ascii: "#") {
                next += 1
                values.append(try block(indent: indent, depth: depth + 1))
            } else {
                values.append(try content(from: inner, indent: indent + inner - start, owner: indent, depth: depth + 1))
            }
            skipBlankLines()
            guard next < lines.count, lines[next].indent == indent, isDash(lines[next].start, lines[next].end) else {
                return .list(values)
            }
            start = lines[next].start
        }
    }

    private mutating func mapping(from start: Int, indent: Int, depth: Int) throws(DocumentProblem) -> DocumentNode {
        var members: [(key: String, value: DocumentNode)] = []
        var start = start
        while next < lines.count, let colon = keyEnd(start, lines[next].end) {
            let line = lines[next]
            let key = self.key(start..<colon)
            let value = valueStart(colon + 1, line.end)
            if value >= line.end || bytes[value] == UInt8(ascii: "#") {
                next += 1
                skipBlankLines()
                // A sequence may have the same indentation as its key.
                let isSequence =
                    next < lines.count && lines[next].indent == indent && isDash(lines[next].start, lines[next].end)
                members.append((key, try block(indent: isSequence ? indent - 1 : indent, depth: depth + 1)))
            } else {
                members.append((key, try scalar(from: value, owner: indent, depth: depth)))
            }
            skipBlankLines()
            guard next < lines.count, lines[next].indent == indent, !isDash(lines[next].start, lines[next].end) else {
                break
            }
            start = lines[next].start
        }
        return .mapping(members)
    }

    /// The offset of the colon after a key that begins at `start`; nil if there is no key.
    private func keyEnd(_ start: Int, _ end: Int) -> Int? {
        guard start < end, !"[{|>&!*#".utf8.contains(bytes[start]) else { return nil }
        var at = start
        if bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") {
            let quote = bytes[at]
            at += 1
            while at < end, bytes[at] != quote { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
            at += 1
        }
        while at < end {
            if bytes[at] == UInt8(ascii: ":"), at + 1 >= end || bytes[at + 1] == UInt8(ascii: " ") { return at }
            if bytes[at] == UInt8(ascii: "#"), at > start, bytes[at - 1] == UInt8(ascii: " ") { return nil }
            at += 1
        }
        return nil
    }

    private func key(_ range: Range<Int>) -> String {
        let text = String(decoding: bytes[range], as: UTF8.self)
        guard text.count > 1, let first = text.first, first == text.last, first == "\"" || first == "'" else {
            return text
        }
        return String(text.dropFirst().dropLast())
    }

    /// Skips spaces, an anchor and a tag.
    private mutating func valueStart(_ start: Int, _ end: Int) -> Int {
        var at = start
        while at < end {
            if bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") {
                at += 1
            } else if bytes[at] == UInt8(ascii: "&") || bytes[at] == UInt8(ascii: "!") {
                skip(at, "anchors and tags are not read")
                while at < end, bytes[at] > 32 { at += 1 }
            } else {
                break
            }
        }
        return at
    }

    // MARK: Scalars

    /// Reads a scalar or flow collection that begins in the next line, and moves after its last line.
    private mutating func scalar(from start: Int, owner: Int, depth: Int) throws(DocumentProblem) -> DocumentNode {
        let line = lines[next]
        switch bytes[start] {
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            let end = plainEnd(start, line.end)
            if end > start + 2 || end == start + 2 && !"-+".utf8.contains(bytes[start + 1]) {
                skip(start, "indentation of a block cannot be given")
            }
            return .text(literalBlock(owner: owner, start: start))
        case UInt8(ascii: "*"), UInt8(ascii: "&"), UInt8(ascii: "!"), UInt8(ascii: "@"), UInt8(ascii: "`"):
            skip(start, "anchors, aliases and tags are not read; put a text in quotation marks")
            return .text(plain(from: start, line: line, owner: owner))
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "["), UInt8(ascii: "{"):
            var flow = YAMLFlow(bytes: bytes, at: start)
            let node = try flow.value(depth: depth)
            let last = lines[next...].first { $0.end >= flow.at }
            if let last, plainEnd(flow.at, last.end) > flow.at { skip(flow.at, "unexpected text after the value") }
            while next < lines.count, lines[next].range.lowerBound < flow.at { next += 1 }
            return node
        default: return .text(plain(from: start, line: line, owner: owner))
        }
    }

    /// Reads a plain scalar. It continues on more deeply indented lines, joined by spaces.
    private mutating func plain(from start: Int, line: Line, owner: Int) -> SourcedText {
        var text = SourcedText(at: start)
        text.isPlain = true
        text.append(verbatim: bytes, start..<plainEnd(start, line.end))
        next += 1
        while next < lines.count, lines[next].indent > owner, lines[next].start < lines[next].end,
            bytes[lines[next].start] != UInt8(ascii: "#"), keyEnd(lines[next].start, lines[next].end) == nil,
            !isDash(lines[next].start, lines[next].end)
        {
            let more = lines[next]
            text.append([UInt8(ascii: " ")], from: text.end..<more.start)
            text.append(verbatim: bytes, more.start..<plainEnd(more.start, more.end))
            next += 1
        }
        return text
    }

    /// The end of a plain scalar, without a comment and trailing spaces.
    private func plainEnd(_ start: Int, _ end: Int) -> Int {
        var at = start
        while at < end, bytes[at] != UInt8(ascii: "#") || at == start || bytes[at - 1] > 32 { at += 1 }
        while at > start, bytes[at - 1] <= 32 { at -= 1 }
        return at
    }

    /// Reads a block: `|` keeps line breaks, `>` replaces them by spaces. Trailing blank lines are dropped.
    private mutating func literalBlock(owner: Int, start: Int) -> SourcedText {
        let isFolded = bytes[start] == UInt8(ascii: ">")
        next += 1
        var text = SourcedText(at: start)
        var indent: Int?
        while next < lines.count {
            let line = lines[next]
            let isBlank = line.start >= line.end
            guard isBlank || line.indent > owner else { break }
            if !isBlank {
                let width = indent ?? line.indent
                indent = width
                if !text.isEmpty {
                    text.append(
                        [isFolded ? UInt8(ascii: " ") : UInt8(ascii: "\n")], from: text.end..<line.range.lowerBound)
                }
                text.append(verbatim: bytes, (line.range.lowerBound + min(width, line.indent))..<line.end)
            }
            next += 1
        }
        return text
    }
}

/// Reads quoted scalars and flow collections, which may span several lines.
private struct YAMLFlow {
    let bytes: [UInt8]
    private(set) var at: Int

    mutating func value(depth: Int) throws(DocumentProblem) -> DocumentNode {
        try DocumentProblem.check(depth: depth, at: at)
        skipBlanks()
        guard at < bytes.count else { return .other }
        switch bytes[at] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try quoted())
        case UInt8(ascii: "["), UInt8(ascii: "{"): return try collection(depth: depth)
        default: return .text(plain())
        }
    }

    private mutating func skipBlanks() {
        while at < bytes.count, bytes[at] <= 32 { at += 1 }
    }

    private mutating func collection(depth: Int) throws(DocumentProblem) -> DocumentNode {
        let open = at
        let isMapping = bytes[at] == UInt8(ascii: "{")
        let close = isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]")
        at += 1
        var members: [(key: String, value: DocumentNode)] = []
        while true {
            skipBlanks()
            guard at < bytes.count else { throw DocumentProblem(offset: open, message: "the bracket is not closed") }
            if bytes[at] == close {
                at += 1
                return isMapping ? .mapping(members) : .list(members.map { $0.1 })
            }
            if bytes[at] == UInt8(ascii: ",") {
                at += 1
                continue
            }
            let item = try value(depth: depth + 1)
            skipBlanks()
            if isMapping, at < bytes.count, bytes[at] == UInt8(ascii: ":") {
                at += 1
                members.append((item.string ?? "", try value(depth: depth + 1)))
            } else {
                members.append(("", item))
                // Skip an unexpected character, such as `]` inside `{`.
                if at < bytes.count, bytes[at] != close, bytes[at] != UInt8(ascii: ",") { at += 1 }
            }
        }
    }

    private mutating func plain() -> SourcedText {
        let start = at
        while at < bytes.count, !",]}\n".utf8.contains(bytes[at]),
            !(bytes[at] == UInt8(ascii: ":") && at + 1 < bytes.count && bytes[at + 1] <= 32)
        { at += 1 }
        var end = at
        while end > start, bytes[end - 1] <= 32 { end -= 1 }
        var text = SourcedText(bytes, start..<end)
        text.isPlain = true
        return text
    }

    private mutating func quoted() throws(DocumentProblem) -> SourcedText {
        let open = at
        let quote = bytes[at]
        at += 1
        var text = SourcedText(at: at)
        while at < bytes.count {
            let start = at
            if bytes[at] == quote {
                guard quote == UInt8(ascii: "'"), at + 1 < bytes.count, bytes[at + 1] == quote else {
                    at += 1
                    return text
                }
                at += 2
                text.append([quote], from: start..<at)
            } else if bytes[at] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                let decoded = escape()
                text.append(decoded, from: start..<at)
            } else if bytes[at] == UInt8(ascii: "\n") {
                skipBlanks()
                text.append([UInt8(ascii: " ")], from: start..<at)
            } else {
                at += 1
                text.append(verbatim: bytes, start..<at)
            }
        }
        throw DocumentProblem(offset: open, message: "the string is not closed")
    }

    private mutating func escape() -> [UInt8] {
        let letter = at + 1 < bytes.count ? bytes[at + 1] : 0
        at = min(at + 2, bytes.count)
        let simple: [Unicode.Scalar: UInt8] = [
            "n": 10, "t": 9, "r": 13, "b": 8, "f": 12, "0": 0, "a": 7, "e": 27, "v": 11,
        ]
        if let byte = simple[Unicode.Scalar(letter)] { return [byte] }
        let count = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8][letter]
        if let count, at + count <= bytes.count,
            let code = UInt32(String(decoding: bytes[at..<at + count], as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(code)
        {
            at += count
            return Array(String(scalar).utf8)
        }
        if letter == UInt8(ascii: "\n") {
            skipBlanks()
            return []
        }
        return [letter]
    }
}
