// Splits a text into tokens (LANGUAGE 1). Works on UTF-8 bytes and never fails. String tokens keep their escapes;
// Literals.swift decodes them. Parsing/Parser.swift reads the tokens.

/// Reads the tokens of a text one after another.
///
///     var lexer = Lexer("age >= 21")
///     lexer.next().kind  // .identifier
package struct Lexer: Sendable {
    let bytes: [UInt8]
    let options: LanguageOptions
    /// Whether `hole` is a value.
    private let hasHoles: Bool
    var position = 0

    package init(_ text: String, options: LanguageOptions = []) { self.init(Array(text.utf8), options: options) }

    init(_ bytes: [UInt8], options: LanguageOptions, hasHoles: Bool = false) {
        self.bytes = bytes
        self.options = options
        self.hasHoles = hasHoles
    }

    /// Returns all tokens of a text. The last one is `.end`.
    package static func tokens(of text: String, options: LanguageOptions = []) -> [Token] {
        Lexer(text, options: options).rest()
    }

    /// Returns the tokens from the current position. The last one is `.end`.
    func rest() -> [Token] {
        var lexer = self
        var tokens: [Token] = []
        repeat { tokens.append(lexer.next()) } while tokens.last?.kind != .end
        return tokens
    }

    /// Returns the next token; at the end always `.end`. Cost: linear in the bytes read.
    package mutating func next() -> Token {
        while position < bytes.count, bytes[position].isSpace { position += 1 }
        let start = position
        guard start < bytes.count else { return Token(kind: .end, span: SourceSpan(start, start)) }
        let kind = scan(bytes[start], start)
        return Token(kind: kind, span: SourceSpan(start, position))
    }

    /// In a repaired text, the byte in place of a value that is unknown. It is not used if the text itself contains it.
    static let hole: UInt8 = 0x1A

    private func peek(_ offset: Int) -> UInt8 {
        position + offset < bytes.count ? bytes[position + offset] : 0
    }

    private mutating func scan(_ byte: UInt8, _ start: Int) -> TokenKind {
        if byte.beginsWord { return word(start) }
        if byte.isDigit { return number() }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return string(byte) }
        if byte >= 0x80 { return nonASCII(start) }
        return symbol(byte, start)
    }

    // MARK: Words

    private mutating func word(_ start: Int) -> TokenKind {
        skipWord()
        if position < bytes.count {
            if bytes[position] >= 0x80, isKeyScalar(at: position) { return nonASCIIWord() }
            if bytes[position] == UInt8(ascii: ":"), peek(1) != UInt8(ascii: "=") { return selector() }
        }
        return Keywords.token(in: bytes, start..<position) ?? uniformTypeOperator(start) ?? .identifier
    }

    private mutating func skipWord() {
        while position < bytes.count, bytes[position].isOfWord { position += 1 }
    }

    /// `UTI-CONFORMS-TO` and `UTI-EQUALS`: the only words with hyphens.
    private mutating func uniformTypeOperator(_ start: Int) -> TokenKind? {
        guard position - start == 3, bytes[start] | 0x20 == UInt8(ascii: "u"), peek(0) == UInt8(ascii: "-") else {
            return nil
        }
        for word in [ComparisonOperator.utiConformsTo, .utiEquals] {
            let spelling = Array(word.spelling.utf8)
            let end = start + spelling.count
            guard end <= bytes.count, !(end < bytes.count && bytes[end].isOfWord) else { continue }
            if zip(bytes[start..<end], spelling).allSatisfy({ $0 & 0xDF == $1 & 0xDF }) {
                position = end
                return .comparison(word)
            }
        }
        return nil
    }

    /// Reads a selector such as `add:to:`. Every part must end with a colon.
    private mutating func selector() -> TokenKind {
        position += 1
        while position < bytes.count, bytes[position].beginsWord {
            let part = position
            skipWord()
            guard position < bytes.count, bytes[position] == UInt8(ascii: ":"), peek(1) != UInt8(ascii: "=") else {
                position = part
                break
            }
            position += 1
        }
        return .selector
    }

    // MARK: Numbers

    private mutating func number() -> TokenKind {
        let radixLetter = bytes[position] == UInt8(ascii: "0") ? peek(1) | 0x20 : 0
        if radixLetter == UInt8(ascii: "x") || radixLetter == UInt8(ascii: "o") || radixLetter == UInt8(ascii: "b") {
            return radixNumber(radixLetter)
        }
        var kind = TokenKind.integer
        skipDigits()
        if peek(0) == UInt8(ascii: ".") {
            guard peek(1).isDigit else {
                position += 1
                return malformedNumber()
            }
            kind = .floatingPoint
            position += 1
            skipDigits()
        }
        if peek(0) | 0x20 == UInt8(ascii: "e") {
            let signed = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            guard peek(signed ? 2 : 1).isDigit else { return malformedNumber() }
            kind = .floatingPoint
            position += signed ? 2 : 1
            skipDigits()
        }
        if peek(0).isOfWord { return malformedNumber() }
        return kind
    }

    private mutating func radixNumber(_ letter: UInt8) -> TokenKind {
        let radix: UInt8 = letter == UInt8(ascii: "x") ? 16 : letter == UInt8(ascii: "o") ? 8 : 2
        position += 2
        let digits = position
        while position < bytes.count, let digit = bytes[position].hexadecimalDigit, digit < radix { position += 1 }
        return position == digits || peek(0).isOfWord ? malformedNumber() : .integer
    }

    private mutating func skipDigits() {
        while position < bytes.count, bytes[position].isDigit { position += 1 }
    }

    private mutating func malformedNumber() -> TokenKind {
        while position < bytes.count, bytes[position].isOfWord || bytes[position] == UInt8(ascii: ".") {
            position += 1
        }
        return .error(.malformedNumber)
    }

    // MARK: Strings

    private mutating func string(_ quote: UInt8) -> TokenKind {
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote { return .string }
            if byte == UInt8(ascii: "\\"), position < bytes.count { position += 1 }
        }
        return .error(.unterminatedString)
    }

    // MARK: Symbols

    private mutating func symbol(_ byte: UInt8, _ start: Int) -> TokenKind {
        switch byte {
        case UInt8(ascii: "("): return take(1, .leftParenthesis)
        case UInt8(ascii: ")"): return take(1, .rightParenthesis)
        case UInt8(ascii: "["): return take(1, .leftBracket)
        case UInt8(ascii: "]"): return take(1, .rightBracket)
        case UInt8(ascii: "{"): return take(1, .leftBrace)
        case UInt8(ascii: "}"): return take(1, .rightBrace)
        case UInt8(ascii: ","): return take(1, .comma)
        case UInt8(ascii: "."): return take(1, .dot)
        case UInt8(ascii: "+"): return take(1, .binary(.add))
        case UInt8(ascii: "-"): return take(1, .binary(.subtract))
        case UInt8(ascii: "^"): return take(1, .binary(.bitwiseXor))
        case UInt8(ascii: "*"): return peek(1) == byte ? take(2, .binary(.power)) : take(1, .binary(.multiply))
        case UInt8(ascii: "/"): return slash()
        case UInt8(ascii: "|"): return peek(1) == byte ? take(2, .or) : take(1, .binary(.bitwiseOr))
        case UInt8(ascii: "&"): return ampersand()
        case UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"): return comparison(start)
        case UInt8(ascii: "$"): return sigil(.variable)
        case UInt8(ascii: "#"): return sigil(.escapedIdentifier)
        case UInt8(ascii: "@"): return atWord()
        case UInt8(ascii: "%"): return conversion()
        case UInt8(ascii: ":") where peek(1) == UInt8(ascii: "="): return take(2, .assign)
        case Self.hole where hasHoles: return take(1, .error(.hole))
        default: return take(1, .error(.unexpectedCharacter))
        }
    }

    private mutating func take(_ count: Int, _ kind: TokenKind) -> TokenKind {
        position += count
        return kind
    }

    /// The longest run of `= < > ! ~` is one token. A run that is not an operator is one error, not two operators. A
    /// final exclamation mark belongs to the next token: `=!(…)`.
    private mutating func comparison(_ start: Int) -> TokenKind {
        while position < bytes.count, position - start < 4, Self.isComparisonSign(bytes[position]) { position += 1 }
        let exclamation = UInt8(ascii: "!")
        if bytes[start..<position].allSatisfy({ $0 == exclamation }) {
            position = start + 1
            return .not
        }
        if bytes[position - 1] == exclamation, bytes[start..<(position - 1)].allSatisfy({ $0 != exclamation }) {
            position -= 1
        }
        let second = position - start == 2 ? bytes[start + 1] : 0
        guard position - start <= 2 else { return .error(.unknownOperator) }
        switch (bytes[start], second) {
        case (UInt8(ascii: "="), 0), (UInt8(ascii: "="), UInt8(ascii: "=")): return .comparison(.equal)
        case (exclamation, UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: ">")): return .comparison(.notEqual)
        case (UInt8(ascii: "<"), 0): return .comparison(.lessThan)
        case (UInt8(ascii: "<"), UInt8(ascii: "=")), (UInt8(ascii: "="), UInt8(ascii: "<")):
            return .comparison(.lessThanOrEqual)
        case (UInt8(ascii: ">"), 0): return .comparison(.greaterThan)
        case (UInt8(ascii: ">"), UInt8(ascii: "=")), (UInt8(ascii: "="), UInt8(ascii: ">")):
            return .comparison(.greaterThanOrEqual)
        case (UInt8(ascii: "<"), UInt8(ascii: "<")): return .binary(.shiftLeft)
        case (UInt8(ascii: ">"), UInt8(ascii: ">")): return .binary(.shiftRight)
        default: return .error(.unknownOperator)
        }
    }

    private static func isComparisonSign(_ byte: UInt8) -> Bool {
        (byte >= UInt8(ascii: "<") && byte <= UInt8(ascii: ">")) || byte == UInt8(ascii: "!")
            || byte == UInt8(ascii: "~")
    }

    private mutating func slash() -> TokenKind {
        if peek(1) == UInt8(ascii: "/") {
            while position < bytes.count, bytes[position] != 0x0A { position += 1 }
            return .error(.comment)
        }
        guard peek(1) == UInt8(ascii: "*") else { return take(1, .binary(.divide)) }
        position += 2
        while position < bytes.count, !(peek(0) == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) { position += 1 }
        position = min(bytes.count, position + 2)
        return .error(.comment)
    }

    private mutating func ampersand() -> TokenKind {
        if peek(1) == UInt8(ascii: "&") { return take(2, .and) }
        for entity in XMLEntity.all where bytes[position...].starts(with: entity.spelling.utf8) {
            return take(entity.spelling.utf8.count, .error(.xmlEntity))
        }
        return take(1, .binary(.bitwiseAnd))
    }

    /// Reads `$x` or `#like`.
    private mutating func sigil(_ kind: TokenKind) -> TokenKind {
        position += 1
        guard peek(0).beginsWord else { return .error(.unexpectedCharacter) }
        skipWord()
        return kind
    }

    private mutating func atWord() -> TokenKind {
        position += 1
        guard peek(0).beginsWord else { return .error(.unexpectedCharacter) }
        skipWord()
        guard peek(0) == UInt8(ascii: "(") else { return .atWord }
        while position < bytes.count, bytes[position] != UInt8(ascii: ")") { position += 1 }
        position = min(bytes.count, position + 1)
        return .term
    }

    /// Reads a conversion: `%@`, `%K`, `%-5.2lf`, `%1$@`. Accepts every printf conversion; the parser reports invalid
    /// ones.
    private mutating func conversion() -> TokenKind {
        position += 1
        let flags = position
        while "0123456789$.-#".utf8.contains(peek(0)), position - flags < 16 { position += 1 }
        while "hlqztjL".utf8.contains(peek(0)) { position += 1 }
        if peek(0).beginsWord || peek(0) == UInt8(ascii: "@") || peek(0) == UInt8(ascii: "%") { position += 1 }
        return .conversion
    }

    // MARK: Outside ASCII

    private mutating func nonASCII(_ start: Int) -> TokenKind {
        let scalar = scalar(at: start)
        if TypographicQuotes.contains(scalar.value) { return typographicString(scalar.length) }
        if isKeyScalar(at: start) { return nonASCIIWord() }
        position += scalar.length
        return .error(.unexpectedCharacter)
    }

    /// Reads the rest of a word with a non-ASCII character.
    private mutating func nonASCIIWord() -> TokenKind {
        while position < bytes.count {
            if bytes[position].isOfWord {
                position += 1
            } else if bytes[position] >= 0x80, isKeyScalar(at: position) {
                position += scalar(at: position).length
            } else {
                break
            }
        }
        guard options.contains(.unicodeIdentifiers) else { return .error(.nonASCIIKey) }
        let isSelector = position < bytes.count && bytes[position] == UInt8(ascii: ":") && peek(1) != UInt8(ascii: "=")
        return isSelector ? selector() : .identifier
    }

    /// Reads `“text”` up to the closing quote, so that the text is one token.
    private mutating func typographicString(_ length: Int) -> TokenKind {
        let isDouble = TypographicQuotes.areDouble(scalar(at: position).value)
        position += length
        let after = position
        /// The end of the first quote of another kind: the apostrophe of `“it’s”`, or a quote that closes by mistake.
        var other = 0
        while position < bytes.count {
            let next = scalar(at: position)
            position += next.length
            guard TypographicQuotes.contains(next.value) else { continue }
            // The apostrophe of `‘it’s’`. The limit keeps the time linear for a text of many apostrophes.
            let isApostrophe =
                next.value == 0x2019 && position - after < 256 && position < bytes.count && bytes[position].isOfWord
            if TypographicQuotes.areDouble(next.value) == isDouble, isDouble || !isApostrophe {
                return .error(.typographicQuote)
            }
            if other == 0 { other = position }
        }
        position = max(after, other)
        return .error(.typographicQuote)
    }

    /// Whether a non-ASCII scalar can be part of a word: not a space, quote, dash or operator sign.
    private func isKeyScalar(at index: Int) -> Bool {
        let value = scalar(at: index).value
        return value >= 0xAA && value != 0xAB && value != 0xAC && value != 0xAD && value != 0xB7 && value != 0xBB
            && value != 0xD7 && value != 0xF7 && !(0x2000...0x2BFF).contains(value)
            && !(0x3000...0x3002).contains(value)
            && !(0xFF01...0xFF5E).contains(value) && value != 0xFEFF && value != 0xFFFD
            && !TypographicQuotes.contains(value)
    }

    private func scalar(at index: Int) -> (value: UInt32, length: Int) {
        let first = bytes[index]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard length > 1, index + length <= bytes.count else { return (0xFFFD, 1) }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
        return (value, length)
    }
}

/// Typographic quotes that word processors insert in place of `'` and `"`.
enum TypographicQuotes {
    static func contains(_ value: UInt32) -> Bool {
        switch value {
        case 0x2018...0x201F, 0x2039, 0x203A, 0xAB, 0xBB, 0xB4, 0x300C...0x300F, 0xFF02, 0xFF07, 0x2032, 0x2033: true
        default: false
        }
    }

    /// Whether a quote is a double one. A text ends at a quote of its own kind.
    static func areDouble(_ value: UInt32) -> Bool {
        switch value {
        case 0x2018...0x201B, 0x2039, 0x203A, 0xB4, 0xFF07, 0x2032: false
        default: true
        }
    }
}

/// An XML entity left in a text that was copied from XML.
struct XMLEntity {
    let spelling: String
    let meaning: String

    static let all = [
        XMLEntity(spelling: "&quot;", meaning: "\""), XMLEntity(spelling: "&apos;", meaning: "'"),
        XMLEntity(spelling: "&amp;", meaning: "&"), XMLEntity(spelling: "&lt;", meaning: "<"),
        XMLEntity(spelling: "&gt;", meaning: ">"),
    ]
}
