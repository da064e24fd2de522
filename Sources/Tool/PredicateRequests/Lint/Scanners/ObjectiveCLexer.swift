// Splits C, Objective-C and C++ source into tokens. It reads only as much as is needed to separate code from comments,
// directives and string literals.

struct ObjectiveCLexer {
    private var cursor: SourceCursor
    /// Whether the source is Python, whose strings may have apostrophes and whose comments begin with `#`.
    private let isPython: Bool
    private(set) var tokens: [SourceToken] = []

    /// The ranges of `#define` directives, after that word.
    private var macros: [Range<Int>] = []

    /// The tokens of a file, and the ranges of its macros.
    static func source(_ bytes: [UInt8], isPython: Bool) -> (tokens: [SourceToken], macros: [Range<Int>]) {
        var lexer = ObjectiveCLexer(cursor: SourceCursor(bytes, 0..<bytes.count), isPython: isPython)
        lexer.run(isLineStart: true)
        return (lexer.tokens, lexer.macros)
    }

    /// The tokens of a part of a file, such as a macro.
    static func tokens(_ bytes: [UInt8], _ range: Range<Int>) -> [SourceToken] {
        var lexer = ObjectiveCLexer(cursor: SourceCursor(bytes, range), isPython: false)
        lexer.run(isLineStart: false)
        return lexer.tokens
    }

    private mutating func run(isLineStart: Bool) {
        var isLineStart = isLineStart
        while !cursor.isAtEnd {
            let byte = cursor.byte
            // In a macro a backslash continues the line.
            if byte <= 32 || byte == UInt8(ascii: "\\") {
                if SourceCursor.isLineEnd(byte) { isLineStart = true }
                cursor.at += 1
            } else if byte == UInt8(ascii: "#"), isPython {
                cursor.skipLine()
            } else if byte == UInt8(ascii: "#"), isLineStart {
                skipDirective()
            } else {
                step()
                isLineStart = false
            }
        }
        tokens.connectBrackets()
    }

    private mutating func step() {
        let start = cursor.at
        switch cursor.byte {
        case UInt8(ascii: "/") where cursor.peek() == UInt8(ascii: "/") && !isPython: skipLineComment()
        case UInt8(ascii: "/") where cursor.peek() == UInt8(ascii: "*") && !isPython:
            cursor.skipBlockComment(nesting: false)
        case UInt8(ascii: "\""): literal(from: start)
        case UInt8(ascii: "'"): if isPython { literal(from: start) } else { skipCharacter() }
        case let byte where byte.isDigit:
            cursor.skipNumber()
            tokens.append(SourceToken(kind: .number, start: start, end: cursor.at))
        case let byte where SourceCursor.isWordByte(byte): word()
        default:
            tokens.append(SourceToken(kind: .sign(cursor.byte), start: start, end: start + 1))
            cursor.at += 1
        }
    }

    private mutating func word() {
        let start = cursor.at
        cursor.skipWord()
        let word = cursor.bytes[start..<cursor.at]
        let isQuote = cursor.byte == UInt8(ascii: "\"") || cursor.byte == UInt8(ascii: "'")
        if isPython, isQuote, word.count <= 2, word.allSatisfy({ "rRbBuUfF".utf8.contains($0) }) {
            literal(from: start)
        } else if cursor.byte == UInt8(ascii: "\""), word.last == UInt8(ascii: "R"), word.count <= 3 {
            skipRawLiteral(from: start)
        } else {
            tokens.append(SourceToken(kind: .word, start: start, end: cursor.at))
        }
    }

    /// Reads a literal whose quotation mark is here; Python's prefix, such as `rf`, is before it.
    private mutating func literal(from start: Int) {
        let prefix = cursor.bytes[start..<cursor.at].map { $0 | 0x20 }
        let quote = cursor.byte
        let isMultiline = isPython && cursor.peek() == quote && cursor.peek(2) == quote
        let quotes = isMultiline ? 3 : 1
        cursor.at += quotes
        let content = min(cursor.at, cursor.end)
        while !cursor.isAtEnd, isMultiline || cursor.byte != UInt8(ascii: "\n") {
            if cursor.byte == quote, !isMultiline || cursor.peek() == quote && cursor.peek(2) == quote { break }
            if cursor.byte == UInt8(ascii: "\\") {
                cursor.at += cursor.peek() == UInt8(ascii: "\r") && cursor.peek(2) == UInt8(ascii: "\n") ? 2 : 1
            }
            cursor.at += 1
        }
        var literal = SourceLiteral(content: content..<min(cursor.at, cursor.end), isMultiline: isMultiline)
        literal.isReadable = cursor.byte == quote
        if isPython { literal.escapes = prefix.contains(UInt8(ascii: "r")) ? .none : .python }
        if prefix.contains(UInt8(ascii: "f")) { literal.template = .braces }
        cursor.at = min(cursor.end, cursor.at + (literal.isReadable ? quotes : 0))
        tokens.append(SourceToken(kind: .literal(literal), start: start, end: cursor.at))
    }

    /// Skips `R"x(…)x"`, a raw literal of C++.
    private mutating func skipRawLiteral(from start: Int) {
        cursor.at += 1
        let open = cursor.at
        while !cursor.isAtEnd, cursor.byte != UInt8(ascii: "("), cursor.at - open <= 16 { cursor.at += 1 }
        let close = [UInt8(ascii: ")")] + cursor.bytes[open..<cursor.at] + [UInt8(ascii: "\"")]
        let content = cursor.at
        while cursor.at + close.count <= cursor.end,
            !cursor.bytes[cursor.at..<cursor.at + close.count].elementsEqual(close)
        { cursor.at += 1 }
        cursor.at = min(cursor.end, cursor.at + close.count)
        let literal = SourceLiteral(content: min(content, cursor.at)..<cursor.at, isReadable: false)
        tokens.append(SourceToken(kind: .literal(literal), start: start, end: cursor.at))
    }

    /// Skips a character literal such as `'a'` or `'\''`. Apostrophes in C++ numbers follow a digit, so they are not
    /// handled here.
    private mutating func skipCharacter() {
        let start = cursor.at
        cursor.at += 1
        while !cursor.isAtEnd, cursor.byte != UInt8(ascii: "'"), cursor.byte != UInt8(ascii: "\n") {
            cursor.at += cursor.byte == UInt8(ascii: "\\") ? 2 : 1
        }
        if cursor.byte == UInt8(ascii: "'") { cursor.at += 1 }
        cursor.at = min(cursor.at, cursor.end)
        tokens.append(SourceToken(kind: .number, start: start, end: cursor.at))
    }

    /// Skips a preprocessor directive with its continuation lines and its comments.
    private mutating func skipDirective() {
        let start = cursor.at + 1
        defer {
            let range = start..<min(cursor.at, cursor.end)
            let words = cursor.bytes[range].drop { $0 == 32 || $0 == 9 }
            if words.starts(with: "define".utf8) { macros.append((words.startIndex + 6)..<range.upperBound) }
        }
        while !cursor.isAtEnd, !SourceCursor.isLineEnd(cursor.byte) {
            if cursor.byte == UInt8(ascii: "/"), cursor.peek() == UInt8(ascii: "*") {
                cursor.skipBlockComment(nesting: false)
            } else {
                skipContinued()
            }
        }
    }

    private mutating func skipLineComment() {
        while !cursor.isAtEnd, !SourceCursor.isLineEnd(cursor.byte) { skipContinued() }
    }

    /// Skips a byte, or a backslash with the end of the line, which continues on the next line.
    private mutating func skipContinued() {
        let isContinued = cursor.byte == UInt8(ascii: "\\") && SourceCursor.isLineEnd(cursor.peek())
        let isPair = cursor.peek() == UInt8(ascii: "\r") && cursor.peek(2) == UInt8(ascii: "\n")
        cursor.at += isContinued ? isPair ? 3 : 2 : 1
    }
}

extension SourceLiteral {
    /// The text of a literal of C, Objective-C or Python, and the places of inserted texts; nil if a compiler would
    /// reject it. Escapes of C may encode UTF-8 bytes; other escaped bytes are read as Latin-1.
    func objectiveCText(
        _ bytes: [UInt8], _ template: TextTemplate? = nil
    ) -> (text: SourcedText, holes: [FoundPredicate.Hole])? {
        let template = template ?? self.template
        guard isReadable, let read = read(bytes, template, bytesAreLatin: escapes == .python) else { return nil }
        return String(validUTF8: read.text.bytes) == nil ? self.read(bytes, template, bytesAreLatin: true) : read
    }

    private func read(
        _ bytes: [UInt8], _ template: TextTemplate?, bytesAreLatin: Bool
    ) -> (text: SourcedText, holes: [FoundPredicate.Hole])? {
        var (text, holes) = (SourcedText(at: content.lowerBound), [FoundPredicate.Hole]())
        var at = content.lowerBound
        while at < content.upperBound {
            let start = at
            if template?.read(bytes, &at, content.upperBound, &text, &holes) == true { continue }
            let isEscape = bytes[at] == UInt8(ascii: "\\") && escapes != .none
            guard isEscape, let decoded = Self.escape(bytes, &at, content.upperBound) else {
                if isEscape, escapes == .c { return nil }
                at = start + 1
                text.append(verbatim: bytes, start..<at)
                continue
            }
            let isByte = decoded.count == 1 && decoded[0] >= 0x80
            text.append(
                isByte && bytesAreLatin ? Array(String(Unicode.Scalar(decoded[0])).utf8) : decoded, from: start..<at)
        }
        return (text, holes)
    }

    /// Reads an escape and moves `at` after it.
    private static func escape(_ bytes: [UInt8], _ at: inout Int, _ end: Int) -> [UInt8]? {
        guard at + 1 < end else { return nil }
        let letter = bytes[at + 1]
        at += 2
        let simple: [Unicode.Scalar: UInt8] = [
            "n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "\\": 92, "\"": 34, "'": 39, "?": 63,
        ]
        if let byte = simple[Unicode.Scalar(letter)] { return [byte] }
        switch letter {
        case UInt8(ascii: "\n"): return []
        case UInt8(ascii: "\r"):
            if at < end, bytes[at] == UInt8(ascii: "\n") { at += 1 }
            return []
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            at -= 1
            return character(digits(bytes, &at, min(end, at + 3), radix: 8))
        case UInt8(ascii: "x"): return character(digits(bytes, &at, end, radix: 16))
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            let count = letter == UInt8(ascii: "u") ? 4 : 8
            let start = at
            guard let code = digits(bytes, &at, min(end, at + count), radix: 16), at == start + count,
                let scalar = Unicode.Scalar(code), let encoded = UTF8.encode(scalar)
            else { return nil }
            return Array(encoded)
        default: return nil
        }
    }

    private static func digits(_ bytes: [UInt8], _ at: inout Int, _ end: Int, radix: UInt32) -> UInt32? {
        let start = at
        var code: UInt32 = 0
        while at < end, let digit = bytes[at].hexadecimalDigit, digit < radix {
            code = min(code &* radix &+ UInt32(digit), 0x1FF_FFFF)
            at += 1
        }
        return at > start ? code : nil
    }

    private static func character(_ code: UInt32?) -> [UInt8]? {
        guard let code, code <= 0xFF else { return nil }
        return [UInt8(code)]
    }
}
