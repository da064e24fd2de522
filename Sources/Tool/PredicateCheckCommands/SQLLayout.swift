// Lays out a SQL statement over several lines, for people at a terminal. Only white space between tokens changes.

package struct SQLLayout {
    private struct Token {
        let range: Range<Int>
        let word: String
        /// The number of brackets and CASE expressions around the token.
        let depth: Int
    }

    /// Kinds of line breaks, the preferred one first.
    private enum Break: CaseIterable { case clause, or, and, comma }

    /// Words before which a line is broken.
    private static let clauses: Set = [
        "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "UNION", "LEFT", "INNER", "CROSS", "JOIN",
        "SET",
    ]
    /// Words that belong to the previous word: LEFT JOIN.
    private static let continued: Set = ["LEFT JOIN", "INNER JOIN", "CROSS JOIN", "OUTER JOIN"]
    /// The maximum depth of brackets that are broken; deeper ones stay on one line.
    private static let depthLimit = 24

    private let bytes: [UInt8]
    private let tokens: [Token]
    private let width: Int
    private var lines: [String] = []

    /// Returns the statement in lines of at most `width` columns; a longer token gets a longer line.
    package static func text(_ statement: String, width: Int) -> String {
        var layout = SQLLayout(statement, width)
        layout.add(layout.tokens[...], "")
        return layout.lines.joined(separator: "\n")
    }

    private init(_ statement: String, _ width: Int) {
        bytes = Array(statement.utf8)
        tokens = Self.tokens(of: bytes)
        self.width = width
    }

    // MARK: Tokens

    private static func tokens(of bytes: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var depth = 0
        var at = 0
        while at < bytes.count {
            let start = at
            let byte = bytes[at]
            at += 1
            switch byte {
            case 0x20, 0x0A, 0x09: continue
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
                // A doubled quotation mark is read as two quoted tokens side by side.
                while at < bytes.count, bytes[at] != byte { at += 1 }
                at = min(at + 1, bytes.count)
            case UInt8(ascii: "("), UInt8(ascii: ")"): break
            default: while at < bytes.count, isOfWord(byte), isOfWord(bytes[at]) { at += 1 }
            }
            let word = String(decoding: bytes[start..<at], as: UTF8.self)
            if word == ")" || word == "END" { depth = max(0, depth - 1) }
            tokens.append(Token(range: start..<at, word: word, depth: depth))
            if word == "(" || word == "CASE" { depth += 1 }
        }
        return tokens
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isOfWord || byte == UInt8(ascii: ".")
    }

    // MARK: Lines

    private func text(_ part: ArraySlice<Token>) -> String {
        guard let first = part.first, let last = part.last else { return "" }
        return String(decoding: bytes[first.range.lowerBound..<last.range.upperBound], as: UTF8.self)
    }

    /// Appends tokens as one line if they fit, otherwise as several lines.
    private mutating func add(_ part: ArraySlice<Token>, _ indent: String) {
        let line = indent + text(part)
        guard DisplayText.columns(line) > width, indent.utf8.count < 2 * Self.depthLimit else {
            return lines.append(line)
        }
        for place in Break.allCases {
            var pieces = split(part, at: place)
            guard pieces.count > 1 else { continue }
            if place == .comma { pieces = packed(pieces, width - indent.utf8.count - 2) }
            for (index, piece) in pieces.enumerated() {
                let isMain = index == 0 || isClause(piece.startIndex)
                add(piece, isMain ? indent : indent + "  ")
            }
            return
        }
        addBracket(part, indent)
    }

    private func isBreak(_ place: Break, _ index: Int) -> Bool {
        switch place {
        case .clause: isClause(index)
        case .or: tokens[index].word == "OR"
        case .and: isAnd(index)
        case .comma: tokens[index - 1].word == ","
        }
    }

    private func isClause(_ index: Int) -> Bool {
        let isContinued = index > 0 && Self.continued.contains(tokens[index - 1].word + " " + tokens[index].word)
        return Self.clauses.contains(tokens[index].word) && !isContinued
    }

    /// Whether AND is an operator, not a part of BETWEEN.
    private func isAnd(_ index: Int) -> Bool {
        guard tokens[index].word == "AND" else { return false }
        let before = tokens[..<index].last {
            $0.depth == tokens[index].depth && ["AND", "OR", "BETWEEN", "WHERE", "ON"].contains($0.word)
        }
        return before?.word != "BETWEEN"
    }

    /// The parts between breaks at the lowest depth.
    private func split(_ part: ArraySlice<Token>, at place: Break) -> [ArraySlice<Token>] {
        let depth = part.map(\.depth).min() ?? 0
        var pieces: [ArraySlice<Token>] = []
        var start = part.startIndex
        for index in part.indices.dropFirst() where tokens[index].depth == depth && isBreak(place, index) {
            pieces.append(part[start..<index])
            start = index
        }
        return pieces + [part[start...]]
    }

    /// Joins adjacent pieces as long as they fit on a line.
    private func packed(_ pieces: [ArraySlice<Token>], _ width: Int) -> [ArraySlice<Token>] {
        var lines: [ArraySlice<Token>] = []
        for piece in pieces {
            if let last = lines.last, case let joined = tokens[last.startIndex..<piece.endIndex],
                DisplayText.columns(text(joined)) <= width
            {
                lines[lines.count - 1] = joined
            } else {
                lines.append(piece)
            }
        }
        return lines
    }

    /// Breaks at the longest bracket: its content gets its own lines.
    private mutating func addBracket(_ part: ArraySlice<Token>, _ indent: String) {
        let depth = part.map(\.depth).min() ?? 0
        var longest: Range<Int>?
        for open in part.indices where tokens[open].depth == depth && tokens[open].word == "(" {
            guard let close = part[(open + 1)...].firstIndex(where: { $0.depth == depth && $0.word == ")" }) else {
                break
            }
            if close - open > longest?.count ?? 2 { longest = open..<close }
        }
        guard let longest else { return lines.append(indent + text(part)) }
        lines.append(indent + text(part[...longest.lowerBound]))
        add(part[(longest.lowerBound + 1)..<longest.upperBound], indent + "  ")
        add(part[longest.upperBound...], indent)
    }
}
