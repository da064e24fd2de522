// Colours a predicate by its tokens, and marks matching and unmatched brackets.

struct Highlighter {
    let environment: PredicateEnvironment

    /// - Parameter cursor: the offset at which to match brackets; negative for none.
    func spans(of text: String, cursor: Int) -> [StyleSpan] {
        let tokens = Lexer.tokens(of: text, options: environment.language).dropLast()
        var spans: [StyleSpan] = []
        for (index, token) in tokens.enumerated() {
            let isCalled = index + 1 < tokens.count && tokens[index + 1].kind == .leftParenthesis
            if let style = Self.style(of: token.kind, isCalled: isCalled) {
                spans.append(StyleSpan(token.span.range, style))
            }
        }
        return spans + brackets(Array(tokens), cursor)
    }

    private static func style(of kind: TokenKind, isCalled: Bool) -> TextStyle? {
        switch kind {
        case .identifier, .selector: isCalled || kind == .selector ? .function : .key
        case .escapedIdentifier: .key
        case .keyword(let keyword):
            switch keyword {
            case .null, .nil, .true, .yes, .false, .no, .truePredicate, .falsePredicate, .first, .last, .size: .constant
            case .selfObject: .variable
            default: .keyword
            }
        case .and, .or, .not: .keyword
        case .comparison(let comparison):
            switch comparison {
            case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual: .operation
            default: .keyword
            }
        case .binary(let binary): binary.isSetOperator ? .keyword : .operation
        case .assign: .operation
        case .atWord, .term: .function
        case .variable, .conversion: .variable
        case .string, .error(.unterminatedString): .string
        case .integer, .floatingPoint: .number
        case .error: .error
        case .end, .leftParenthesis, .rightParenthesis, .leftBracket, .rightBracket, .leftBrace, .rightBrace, .comma,
            .dot:
            nil
        }
    }

    /// Marks brackets without a partner, and the pair of brackets at or before the cursor.
    private func brackets(_ tokens: [Token], _ cursor: Int) -> [StyleSpan] {
        var open: [(kind: TokenKind, span: SourceSpan)] = []
        var spans: [StyleSpan] = []
        for token in tokens {
            let opener: TokenKind
            switch token.kind {
            case .leftParenthesis, .leftBracket, .leftBrace:
                open.append((token.kind, token.span))
                continue
            case .rightParenthesis: opener = .leftParenthesis
            case .rightBracket: opener = .leftBracket
            case .rightBrace: opener = .leftBrace
            default: continue
            }
            guard let last = open.last, last.kind == opener else {
                spans.append(StyleSpan(token.span.range, .unmatched))
                continue
            }
            open.removeLast()
            let touches = [last.span.start, last.span.end, token.span.start, token.span.end].contains(cursor)
            if touches, cursor >= 0 {
                spans.append(StyleSpan(last.span.range, .matched))
                spans.append(StyleSpan(token.span.range, .matched))
            }
        }
        return spans + open.map { StyleSpan($0.span.range, .unmatched) }
    }
}
