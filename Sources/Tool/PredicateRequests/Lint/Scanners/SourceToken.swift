// Tokens of program sources: words, signs and string literals. The lexers drop comments and everything else that may
// contain a quotation mark: character literals, regular expressions, preprocessor directives.

/// A token of a program's source.
struct SourceToken: Equatable {
    enum Kind: Equatable {
        case word
        case number
        /// One byte, such as `(`, `,` or `+`.
        case sign(UInt8)
        case literal(SourceLiteral)
    }

    let kind: Kind
    let start: Int
    var end: Int
    /// The index of the matching bracket; -1 for an unmatched bracket and for all other tokens.
    var partner = -1

    func isSign(_ character: Unicode.Scalar) -> Bool { kind == .sign(UInt8(truncatingIfNeeded: character.value)) }

    var isOpening: Bool { isSign("(") || isSign("[") || isSign("{") }
    var isClosing: Bool { isSign(")") || isSign("]") || isSign("}") }
}

extension [SourceToken] {
    /// Connects each bracket with its partner, so that calls are read without their nested calls. Any closing bracket
    /// closes any opening one. Cost: linear.
    mutating func connectBrackets() {
        var open: [Int] = []
        for index in indices {
            if self[index].isOpening {
                open.append(index)
            } else if self[index].isClosing, let start = open.popLast() {
                self[index].partner = start
                self[start].partner = index
            }
        }
    }
}

/// A string literal.
struct SourceLiteral: Equatable {
    /// The range between the quotation marks.
    let content: Range<Int>
    /// The number of `#` signs around a Swift raw literal.
    var hashes = 0
    /// Whether it has three quotation marks.
    var isMultiline = false
    /// Whether its text can be read. False for an unterminated literal and for C++ raw literals.
    var isReadable = true
    /// The ranges inside `\(…)`, without the parentheses.
    var interpolations: [Range<Int>] = []
    /// What a backslash means: in Python it may stay a part of the text.
    var escapes = Escapes.c
    /// How the literal itself marks inserted texts, as Python's f"…" does.
    var template: TextTemplate?

    enum Escapes { case c, python, none }
}

/// How a text marks the places where a program inserts others: `%@`, `%-5ld`, `%(name)s`, or `{name}`.
enum TextTemplate {
    case printf, braces

    /// Reads a mark, or a doubled sign, which is text. Moves the index after it; false if there is neither.
    func read(
        _ bytes: [UInt8], _ at: inout Int, _ end: Int, _ text: inout SourcedText, _ holes: inout [FoundPredicate.Hole]
    ) -> Bool {
        let (start, first) = (at, bytes[at])
        guard self == .printf ? first == UInt8(ascii: "%") : "{}".utf8.contains(first), at + 1 < end else {
            return false
        }
        if bytes[at + 1] == first {
            at += 2
            text.append([first], from: start..<at)
            return true
        }
        let isNamed = self == .braces || bytes[at + 1] == UInt8(ascii: "(")
        let close = self == .braces ? UInt8(ascii: "}") : UInt8(ascii: ")")
        var next = isNamed ? (bytes[at..<end].firstIndex(of: close) ?? end) + 1 : at + 1
        if self == .printf {
            while next < end, " -+#0123456789.*$hlqLzjt".utf8.contains(bytes[next]) { next += 1 }
            guard next < end, bytes[next].isLetter || bytes[next] == UInt8(ascii: "@") else { return false }
            next += 1
        }
        at = min(next, end)
        text.appendHole(start..<at, &holes)
        return true
    }
}

extension SourcedText {
    /// Appends an identifier in place of a text that is known only at run time.
    mutating func appendHole(_ source: Range<Int>, _ holes: inout [FoundPredicate.Hole]) {
        let offset = bytes.count
        append(SourceLiteral.placeholder, from: source)
        let span = SourceSpan(offset, bytes.count)
        holes.append(.init(span: span, source: SourceSpan(source.lowerBound, source.upperBound)))
    }
}

extension [UInt8] {
    func word(_ token: SourceToken?, is text: String) -> Bool {
        guard let token, token.kind == .word, token.end - token.start == text.utf8.count else { return false }
        return self[token.start..<token.end].elementsEqual(text.utf8)
    }

    func text(_ token: SourceToken) -> String { String(decoding: self[token.start..<token.end], as: UTF8.self) }

    /// Whether the bytes contain one of the texts. Files without any of them are not tokenised.
    func containsAny(of texts: [[UInt8]]) -> Bool {
        let firsts = Set(texts.compactMap { $0.first })
        var wanted = [Bool](repeating: false, count: 256)
        for byte in firsts { wanted[Int(byte)] = true }
        return withUnsafeBufferPointer { bytes in
            for start in bytes.indices where wanted[Int(bytes[start])] {
                for text in texts where start + text.count <= bytes.count && bytes[start] == text[0] {
                    if text.indices.allSatisfy({ bytes[start + $0] == text[$0] }) { return true }
                }
            }
            return false
        }
    }
}

/// A position in source text, with the skipping rules that Swift and C share.
struct SourceCursor {
    let bytes: [UInt8]
    var at: Int
    let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        at = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { at >= end }
    var byte: UInt8 { at < end ? bytes[at] : 0 }

    func peek(_ distance: Int = 1) -> UInt8 { at + distance < end ? bytes[at + distance] : 0 }

    static func isWordByte(_ byte: UInt8) -> Bool { byte.isOfWord || byte >= 0x80 }

    /// Whether a byte ends a line. Compilers accept a carriage return alone.
    static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    mutating func skipLine() {
        while at < end, !Self.isLineEnd(bytes[at]) { at += 1 }
    }

    /// Skips `/* … */`; Swift's comments nest.
    mutating func skipBlockComment(nesting: Bool) {
        var depth = 0
        while at < end {
            if byte == UInt8(ascii: "/"), peek() == UInt8(ascii: "*"), nesting || depth == 0 {
                depth += 1
                at += 2
            } else if byte == UInt8(ascii: "*"), peek() == UInt8(ascii: "/") {
                depth -= 1
                at += 2
                if depth == 0 { return }
            } else {
                at += 1
            }
        }
    }

    mutating func skipWord() {
        while at < end, Self.isWordByte(bytes[at]) { at += 1 }
    }

    /// Skips the rest of a number, after its first digit: `12`, `0xFF`, `1_000.5`.
    mutating func skipNumber() {
        while at < end {
            if Self.isWordByte(byte) || byte == UInt8(ascii: ".") && peek().isDigit { at += 1 } else { return }
        }
    }
}
