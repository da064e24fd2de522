// Splits Swift source into tokens. It reads only as much as is needed to separate code from comments, string literals
// (raw, multi-line, with interpolations) and regular expressions.

struct SwiftLexer {
    /// The maximum depth of literals inside interpolations. At deeper nesting the lexer stops.
    static let maximumNesting = 32
    /// The maximum number of `#` signs of a literal, and of bytes of a regular expression on one line. Without these
    /// limits, a broken line would be read again from each of its bytes.
    static let maximumHashes = 64
    static let maximumExpression = 512

    private var cursor: SourceCursor
    private(set) var tokens: [SourceToken] = []
    private var isTooDeep = false

    static func tokens(_ bytes: [UInt8], _ range: Range<Int>) -> [SourceToken] {
        var lexer = SwiftLexer(cursor: SourceCursor(bytes, range))
        while !lexer.cursor.isAtEnd, !lexer.isTooDeep { lexer.step() }
        lexer.tokens.connectBrackets()
        return lexer.tokens
    }

    private mutating func step() {
        let start = cursor.at
        switch cursor.byte {
        case 0...32: cursor.at += 1
        case UInt8(ascii: "/"): slash()
        case UInt8(ascii: "\""): literal(hashes: 0, start: start)
        case UInt8(ascii: "#"): hash()
        case UInt8(ascii: "`"): cursor.at += 1
        case let byte where byte.isDigit:
            cursor.skipNumber()
            tokens.append(SourceToken(kind: .number, start: start, end: cursor.at))
        case let byte where SourceCursor.isWordByte(byte):
            cursor.skipWord()
            tokens.append(SourceToken(kind: .word, start: start, end: cursor.at))
        default: sign()
        }
    }

    private mutating func sign() {
        tokens.append(SourceToken(kind: .sign(cursor.byte), start: cursor.at, end: cursor.at + 1))
        cursor.at += 1
    }

    private mutating func slash() {
        switch cursor.peek() {
        case UInt8(ascii: "/"): cursor.skipLine()
        case UInt8(ascii: "*"): cursor.skipBlockComment(nesting: true)
        default:
            if !skipRegularExpression() { sign() }
        }
    }

    /// Skips a `/…/` literal on one line, where the slash cannot be an operator: not after an operand and not before a
    /// space.
    private mutating func skipRegularExpression() -> Bool {
        guard cursor.peek() > 32, !followsOperand else { return false }
        var at = cursor.at + 1
        var isInSet = false
        let limit = min(cursor.end, at + Self.maximumExpression)
        while at < limit, cursor.bytes[at] != UInt8(ascii: "\n") {
            switch cursor.bytes[at] {
            case UInt8(ascii: "\\"): at += 1
            case UInt8(ascii: "["): isInSet = true
            case UInt8(ascii: "]"): isInSet = false
            case UInt8(ascii: "/") where !isInSet:
                cursor.at = at + 1
                tokens.append(SourceToken(kind: .number, start: at, end: at + 1))
                return true
            default: break
            }
            at += 1
        }
        return false
    }

    private var followsOperand: Bool {
        guard let last = tokens.last else { return false }
        switch last.kind {
        case .number, .literal: return true
        case .sign(let byte): return ")]}>?!".utf8.contains(byte)
        case .word: return !["return", "in", "case", "try", "await", "where"].contains(cursor.bytes.text(last))
        }
    }

    /// Reads `#"…"#`, `#/…/#` or a `#` sign such as `#if`.
    private mutating func hash() {
        let start = cursor.at
        var at = start
        while at < cursor.end, cursor.bytes[at] == UInt8(ascii: "#") { at += 1 }
        let hashes = at - start
        let next = at < cursor.end && hashes <= Self.maximumHashes ? cursor.bytes[at] : 0
        if next == UInt8(ascii: "\"") {
            cursor.at = at
            literal(hashes: hashes, start: start)
        } else if next == UInt8(ascii: "/") {
            cursor.at = at + 1
            while !cursor.isAtEnd {
                if cursor.byte == UInt8(ascii: "/"), closes(hashes, at: cursor.at + 1) { break }
                cursor.at += 1
            }
            cursor.at = min(cursor.end, cursor.at + 1 + hashes)
            tokens.append(SourceToken(kind: .number, start: start, end: cursor.at))
        } else {
            sign()
            cursor.at = at
        }
    }

    private func closes(_ hashes: Int, at offset: Int) -> Bool {
        guard offset + hashes <= cursor.end else { return false }
        return cursor.bytes[offset..<offset + hashes].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    // MARK: Literals

    private mutating func literal(hashes: Int, start: Int) {
        let literal = skipLiteral(hashes: hashes, depth: 0)
        tokens.append(SourceToken(kind: .literal(literal), start: start, end: cursor.at))
    }

    /// Skips a literal, from its first quotation mark.
    private mutating func skipLiteral(hashes: Int, depth: Int) -> SourceLiteral {
        let quote = UInt8(ascii: "\"")
        // `#"""#` is a raw literal with one quotation mark, not a multi-line literal.
        let isRawQuote = hashes > 0 && closes(hashes, at: cursor.at + 3)
        let isMultiline = cursor.peek() == quote && cursor.peek(2) == quote && !isRawQuote
        let quotes = isMultiline ? 3 : 1
        cursor.at += quotes
        let start = cursor.at
        var interpolations: [Range<Int>] = []
        while !cursor.isAtEnd {
            let byte = cursor.byte
            if byte == quote, closesLiteral(quotes, hashes) {
                let content = start..<cursor.at
                cursor.at += quotes + hashes
                return SourceLiteral(
                    content: content, hashes: hashes, isMultiline: isMultiline, interpolations: interpolations)
            }
            if byte == UInt8(ascii: "\\"), closes(hashes, at: cursor.at + 1) {
                cursor.at += 1 + hashes
                if cursor.byte == UInt8(ascii: "(") {
                    let open = cursor.at + 1
                    skipInterpolation(depth: depth + 1)
                    interpolations.append(open..<max(open, cursor.at - 1))
                } else if !cursor.isAtEnd {
                    cursor.at += 1
                }
            } else if byte == UInt8(ascii: "\n"), !isMultiline {
                break
            } else {
                cursor.at += 1
            }
        }
        return SourceLiteral(content: start..<min(cursor.at, cursor.end), isReadable: false)
    }

    private func closesLiteral(_ quotes: Int, _ hashes: Int) -> Bool {
        guard cursor.at + quotes + hashes <= cursor.end else { return false }
        let isClosed = (0..<quotes).allSatisfy { cursor.peek($0) == UInt8(ascii: "\"") }
        return isClosed && closes(hashes, at: cursor.at + quotes)
    }

    /// Skips an interpolation, from `(` to after its `)`.
    private mutating func skipInterpolation(depth: Int) {
        guard depth <= Self.maximumNesting else {
            isTooDeep = true
            cursor.at = cursor.end
            return
        }
        var open = 0
        while !cursor.isAtEnd {
            switch cursor.byte {
            case UInt8(ascii: "("):
                open += 1
                cursor.at += 1
            case UInt8(ascii: ")"):
                open -= 1
                cursor.at += 1
                if open == 0 { return }
            case UInt8(ascii: "\""): _ = skipLiteral(hashes: 0, depth: depth)
            case UInt8(ascii: "#"):
                let start = cursor.at
                while cursor.byte == UInt8(ascii: "#") { cursor.at += 1 }
                if cursor.byte == UInt8(ascii: "\"") { _ = skipLiteral(hashes: cursor.at - start, depth: depth) }
            case UInt8(ascii: "/") where cursor.peek() == UInt8(ascii: "*"): cursor.skipBlockComment(nesting: true)
            case UInt8(ascii: "/") where cursor.peek() == UInt8(ascii: "/"): cursor.skipLine()
            default: cursor.at += 1
            }
        }
    }
}
