/// What a token is. The lexer never fails: what is no token becomes one of the error kinds, which the parser reports.
public enum TokenKind: Hashable, Sendable {
    case end
    /// A bare word that is not reserved.
    case identifier
    case keyword(Keyword)
    /// `#word`: an identifier, reserved or not
    case escapedIdentifier
    /// `@count`
    case atWord
    /// `@status(…)`, whole
    case term
    /// `$x`
    case variable
    /// A selector: `notContainedIn:`, `add:to:`
    case selector
    /// With its quotes.
    case string
    case integer
    case floatingPoint
    /// `%@`, `%K`, `%ld` and whatever else begins with a percent sign
    case conversion
    case comparison(ComparisonOperator)
    case binary(BinaryOperator)
    case and, or, not
    case assign
    case leftParenthesis, rightParenthesis, leftBracket, rightBracket, leftBrace, rightBrace
    case comma, dot
    /// What is no token; see `LexicalError`.
    case error(LexicalError)
}

/// Why some characters are no token.
public enum LexicalError: Hashable, Sendable {
    case unexpectedCharacter, unterminatedString, typographicQuote, malformedNumber, nonASCIIKey, comment, xmlEntity
    /// `===`, `<=>`, `!==`, `=~` …
    case unknownOperator
}

/// A token: its kind and its bytes.
public struct Token: Hashable, Sendable {
    public let kind: TokenKind
    public let span: SourceSpan

    var start: Int { span.start }
    var end: Int { span.end }
}
