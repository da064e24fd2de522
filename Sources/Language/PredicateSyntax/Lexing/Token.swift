/// The kind of a token. The lexer never fails: invalid text becomes an error token, and the parser reports it.
package enum TokenKind: Hashable, Sendable {
    case end
    /// A word that is not reserved.
    case identifier
    case keyword(Keyword)
    /// `#word`: an identifier, reserved or not
    case escapedIdentifier
    /// `@count`
    case atWord
    /// `@status(…)`, the whole term
    case term
    /// `$x`
    case variable
    /// A selector: `notContainedIn:`, `add:to:`
    case selector
    /// A string literal with its quotes.
    case string
    case integer
    case floatingPoint
    /// `%@`, `%K`, `%ld` and any other text that begins with a percent sign
    case conversion
    case comparison(ComparisonOperator)
    case binary(BinaryOperator)
    case and, or, not
    case assign
    case leftParenthesis, rightParenthesis, leftBracket, rightBracket, leftBrace, rightBrace
    case comma, dot
    /// Invalid text; see `LexicalError`.
    case error(LexicalError)
}

/// The reason why a text is not a token.
package enum LexicalError: Hashable, Sendable {
    case unexpectedCharacter, unterminatedString, typographicQuote, malformedNumber, nonASCIIKey, comment, xmlEntity
    /// For example `===`, `<=>`, `!==`, `=~`.
    case unknownOperator
    /// A value that a repair leaves open; see `Lexer.hole`.
    case hole
}

/// A token: its kind and its position.
package struct Token: Hashable, Sendable {
    package let kind: TokenKind
    package let span: SourceSpan

    var start: Int { span.start }
    var end: Int { span.end }

    /// The token that closes a bracket, searched among the 64 tokens after it; nil if there is none.
    static func closing(next: () -> Token) -> Token? {
        var depth = 1
        for _ in 0..<64 {
            let token = next()
            switch token.kind {
            case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
            case .rightParenthesis, .rightBracket, .rightBrace:
                depth -= 1
                if depth == 0 { return token }
            case .end: return nil
            default: break
            }
        }
        return nil
    }
}
