// What people write instead, and what they probably meant (USERS 3). Each mistake gets its own sentence, and a fix-it where
// the meaning is certain; then reading goes on as if it had been written right, so that later mistakes are found too.

extension PredicateParser {
    // MARK: Where a value was to come

    private var found: String {
        switch token.kind {
        case .end: "the end"
        case .string: abbreviated(token.span)
        default: "'\(abbreviated(token.span))'"
        }
    }

    mutating func reportExpectedExpression() -> Bool {
        if token.kind == .end || token.kind == .rightParenthesis, case .binary(.multiply) = pending?.kind,
            let operand = operands.last, isArgument(operand), let sign = pending?.span
        {
            report(.adjacentArgument, at: sign, text(operand.span))
        } else if token.kind == .dot, case .integer = peek().kind {
            let number = token.span.joined(peek().span)
            report(
                .malformedNumber, at: number, text(number), "write 0\(text(number))",
                fixIts: [.init(SourceSpan(number.start, number.start), "0")])
        } else if let word = operatorWord(token), startsOperator(peek()) {
            return readReservedKey(word)
        } else {
            report(.expectedExpression, at: token.span, found)
        }
        return recover()
    }

    private func isArgument(_ operand: Operand) -> Bool {
        token.kind != .comma && text(operand.span).hasPrefix("%")
    }

    private func isComparison(_ token: Token) -> Bool {
        if case .comparison = token.kind { return true }
        return false
    }

    /// The reserved word that an operator token was written with: `like`, `and`, `union`.
    private func operatorWord(_ token: Token) -> String? {
        guard token.kind != .end, Lexer.isLetter(bytes[token.start]) else { return nil }
        switch token.kind {
        case .comparison, .and, .or, .not, .binary, .keyword: return text(token.span)
        default: return nil
        }
    }

    /// `like == 'x'`: a word of the language where a key was meant.
    private mutating func readReservedKey(_ word: String) -> Bool {
        let span = token.span
        report(
            .reservedWord, at: span, word.uppercased(), word, suggestion: "#\(word)",
            fixIts: [.init(SourceSpan(span.start, span.start), "#")])
        advance()
        push(.keyPath([word]), span: span)
        return false
    }

    mutating func readOperatorInsteadOfOperand() -> Bool {
        if let word = operatorWord(token), startsOperator(peek()) { return readReservedKey(word) }
        if case .comparison = pending?.kind, operatorWord(token) == nil, previous.end < token.start,
            !Lexer.isLetter(bytes[previous.start])
        {
            let both = previous.span.joined(token.span)
            report(.expectedExpression, at: token.span, found, suggestion: glued(both), fixIts: [])
            return recover()
        }
        return reportExpectedExpression()
    }

    /// `= =` → `==`, where the two pieces make an operator.
    private func glued(_ span: SourceSpan) -> String? {
        let joined = text(span).filter { !$0.isWhitespace }
        let tokens = Lexer.tokens(of: joined)
        if tokens.count == 2, case .comparison = tokens[0].kind { return joined }
        return nil
    }

    private func startsOperator(_ token: Token) -> Bool {
        switch token.kind {
        case .comparison, .dot: true
        default: false
        }
    }

    mutating func reportReservedWord(_ keyword: Keyword, _ span: SourceSpan, advancing: Bool = false) -> Bool {
        let word = text(span)
        let unused: Set<Keyword> = [.caseInsensitive, .ci, .apply, .boundedBy]
        report(
            unused.contains(keyword) ? .unusedWord : .reservedWord, at: span, keyword.rawValue, word,
            fixIts: [.init(SourceSpan(span.start, span.start), "#")])
        if advancing { advance() }
        push(.keyPath([word]), span: span)
        return false
    }

    /// Whether a token can stand behind a dot.
    func startsStep(_ kind: TokenKind) -> Bool {
        switch kind {
        case .identifier, .escapedIdentifier, .atWord, .variable, .conversion, .string, .selector, .term, .keyword,
            .error(.nonASCIIKey):
            true
        default: false
        }
    }

    mutating func reportStep() -> Bool {
        switch token.kind {
        case .integer, .floatingPoint, .error(.malformedNumber):
            report(.keyComponent, at: token.span, text(token.span))
            return recover()
        case .comparison, .and, .or, .not, .binary:
            if let word = operatorWord(token), !word.contains("-") {
                // A word of the language behind a dot can only be a key; one with hyphens is none.
                let span = token.span
                advance()
                push(.keyPath([word]), span: span)
                return false
            }
        default: break
        }
        report(.expectedExpression, at: token.span, found)
        return recover()
    }

    // MARK: Characters that are no tokens

    mutating func readLexicalError(_ error: LexicalError) -> Bool {
        let span = token.span
        let word = text(span)
        switch error {
        case .unterminatedString:
            // `'\\'`: the backslash takes the last quote into the text.
            let isEscaped = word.hasSuffix("\\" + word.prefix(1))
            report(
                .unterminatedString, at: SourceSpan(span.start, span.start + 1),
                isEscaped ? "the last quote is escaped: write \\\\ for a backslash" : "")
            stopped = true
            return false
        case .xmlEntity:
            report(
                .xmlEntity, at: span, word, XMLEntity.all.first { $0.spelling == word }?.meaning ?? "",
                fixIts: XMLEntity.all.filter { $0.spelling == word }.map { .init(span, $0.meaning) })
            stopped = true
            return false
        case .typographicQuote: return readTypographicQuote(span)
        case .comment:
            report(.comment, at: span, fixIts: [.init(span, "")])
            advance()
            return true
        case .nonASCIIKey:
            report(.nonAsciiKey, at: span, word)
            advance()
            if token.kind == .leftParenthesis { return open(.call, word: span) }
            push(.keyPath([word]), span: span)
            return false
        case .malformedNumber:
            let advice =
                word.contains(".")
                ? word.hasSuffix(".") ? "write \(word)0" : "one point, digits on both sides" : "if it is text, quote it"
            report(.malformedNumber, at: span, word, advice)
            return recover()
        case .unknownOperator: return readUnknownSymbol()
        case .unexpectedCharacter:
            reportUnexpectedCharacter()
            advance()
            return recover()
        }
    }

    /// Signs that look like an operator, and are meant as one.
    private static let lookalikes = [
        "≤": "<=", "≥": ">=", "≠": "!=", "–": "-", "—": "-", "−": "-", "×": "*", "÷": "/", "∧": "AND", "∨": "OR",
        "¬": "NOT", "\u{A0}": "a space", "\u{FEFF}": "nothing", "`": "'",
    ]

    private mutating func reportUnexpectedCharacter() {
        let character = text(token.span)
        let isVisible = character.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value != 0x7F && $0.value != 0xA0 && $0.value != 0xFEFF && $0.value != 0xFFFD
        }
        let name =
            isVisible
            ? character
            : character.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }.joined()
        report(.unexpectedCharacter, at: token.span, name, suggestion: Self.lookalikes[character])
    }

    /// `“text”`: read as the text that was meant.
    private mutating func readTypographicQuote(_ span: SourceSpan) -> Bool {
        let whole = text(span)
        guard whole.count > 1, let first = whole.first, let last = whole.last,
            last.unicodeScalars.allSatisfy({ TypographicQuotes.contains($0.value) })
        else {
            report(.typographicQuote, at: span, String(whole.prefix(1)), "' or \"")
            stopped = true
            return false
        }
        let quote = whole.contains("\"") ? "'" : "\""
        let close = span.end - String(last).utf8.count
        report(
            .typographicQuote, at: span, String(first), "' or \"",
            fixIts: [
                .init(SourceSpan(span.start, span.start + String(first).utf8.count), quote),
                .init(SourceSpan(close, span.end), quote),
            ])
        advance()
        push(.value(.string(String(whole.dropFirst().dropLast()))), span: span)
        return false
    }

    /// `===`, `<=>`, `!==`: what was probably meant is read instead.
    private mutating func readUnknownSymbol() -> Bool {
        let span = token.span
        let known: [String: (spelling: String, operator: ComparisonOperator)] = [
            "===": ("==", .equal), "!==": ("!=", .notEqual), "<=>": ("==", .equal), "=~": ("MATCHES", .matches),
            "<==": ("<=", .lessThanOrEqual), ">==": (">=", .greaterThanOrEqual), "==<": ("<=", .lessThanOrEqual),
            "==>": (">=", .greaterThanOrEqual), "~=": ("!=", .notEqual), "!~": ("MATCHES", .matches),
        ]
        let word = text(span)
        let meant = known[word]
        report(
            .singleEqualsChain, at: span, word, suggestion: meant?.spelling,
            fixIts: word == "===" || word == "!==" ? meant.map { [.init(span, $0.spelling)] } ?? [] : [])
        if let meant, operands.count > operandBase, !isWaiting { return readComparison(meant.operator, span) }
        return recover()
    }

    /// Whether the last pending operator has no right side yet.
    private var isWaiting: Bool { pending.map { operands.count <= $0.firstOperand + 1 } ?? false }

    // MARK: Where an operator was to come

    mutating func readMistake() -> Bool {
        if case .error(let error) = token.kind { return readErrorBehindOperand(error) }
        if previous.kind == .string, isGlued, let mistake = quoteMistake() { return mistake }
        switch token.kind {
        case .identifier, .keyword: return readWordBehindOperand()
        case .not: return readNotBehindOperand()
        case .conversion where Lexer.isDigit(bytes[min(token.start + 1, bytes.count - 1)]) || token.span.count == 1:
            report(.unknownConversion, at: token.span, text(token.span), "the remainder is modulus:by:(a, b)")
            return recover()
        default: break
        }
        if isComparisonComplete {
            report(.missingConjunction, at: token.span)
        } else {
            report(.expectedOperator, at: token.span, found)
        }
        return recover()
    }

    private mutating func readErrorBehindOperand(_ error: LexicalError) -> Bool {
        switch error {
        case .unknownOperator: return readUnknownSymbol()
        case .unterminatedString where previous.kind == .string && isGlued: return quoteMistake() ?? false
        case .comment:
            _ = readLexicalError(.comment)
            return false
        case .nonASCIIKey where previous.kind == .string && isGlued: return quoteMistake() ?? false
        case .unterminatedString, .xmlEntity, .unexpectedCharacter: return readLexicalError(error)
        case .typographicQuote, .nonASCIIKey, .malformedNumber:
            report(isComparisonComplete ? .missingConjunction : .expectedOperator, at: token.span, found)
            return recover()
        }
    }

    /// Whether what was just read ends a comparison.
    private var isComparisonComplete: Bool {
        operators[operatorBase...].last { $0.precedence <= .comparison }.map {
            if case .comparison = $0.kind { true } else { false }
        } ?? false
    }

    /// `'JR's'`, `'say ''hi'''`: what follows a text without a space was meant to be in it. The quotes are out of step from
    /// here on, so nothing more is read.
    private mutating func quoteMistake() -> Bool? {
        let quote = bytes[previous.end - 1] == UInt8(ascii: "'") ? "'" : "\""
        let close = SourceSpan(previous.end - 1, previous.end)
        switch token.kind {
        case .string where bytes[token.start] == bytes[close.start]:
            report(
                .doubledQuote, at: SourceSpan(close.start, token.start + 1), quote,
                fixIts: [.init(close, "\\")])
        case .identifier, .keyword, .error(.unterminatedString), .error(.nonASCIIKey), .integer:
            if let conjunction = gluedConjunction() { return conjunction }
            let name = quote == "'" ? "apostrophe" : "quote"
            report(.earlyQuote, at: close, name, quote, fixIts: [.init(SourceSpan(close.start, close.start), "\\")])
        default: return nil
        }
        stopped = true
        return false
    }

    /// `ANDmp_varC = …`: a conjunction without the space behind it.
    private mutating func gluedConjunction() -> Bool? {
        guard token.kind == .identifier, isComparisonComplete else { return nil }
        let word = text(token.span)
        let span = token.span
        for (spelling, kind) in [("AND", TokenKind.and), ("OR", .or)] {
            guard word.uppercased().hasPrefix(spelling), word.utf8.count > spelling.utf8.count else { continue }
            var ahead = lexer
            guard isComparison(ahead.next()) || ahead.bytes[span.end...].first == UInt8(ascii: ".") else { continue }
            let end = span.start + spelling.utf8.count
            report(
                .missingSpace, at: span, word, "\(word.prefix(spelling.count)) \(word.dropFirst(spelling.count))",
                fixIts: [.init(SourceSpan(end, end), " ")])
            token = Token(kind: kind, span: SourceSpan(span.start, end))
            lexer.position = end
            return readOperator()
        }
        return nil
    }

    private static let words = Keywords.operatorWords + ["AND", "OR"]

    /// What other languages call the operators.
    private static let synonyms = [
        "EQUALS": "==", "EQ": "==", "NE": "!=", "NEQ": "!=", "GT": ">", "GTE": ">=", "LT": "<", "LTE": "<=",
        "STARTSWITH": "BEGINSWITH", "HASPREFIX": "BEGINSWITH", "HASSUFFIX": "ENDSWITH", "INCLUDES": "CONTAINS",
    ]

    private mutating func readWordBehindOperand() -> Bool {
        if let conjunction = gluedConjunction() { return conjunction }
        let span = token.span
        let word = text(span)
        if let sql = readSQL(word.uppercased(), span) { return sql }
        if isComparisonComplete, let quoted = readUnquotedText() { return quoted }
        let followsOperand = startsOperand(peek().kind)
        let known = Self.synonyms[word.uppercased()] ?? Suggestions.nearest(to: word, in: Self.words)
        if let known, followsOperand {
            report(.unknownOperator, at: span, word, suggestion: known, fixIts: [.init(span, known)])
            var meant = Lexer(known)
            let kind = meant.next().kind
            token = Token(kind: kind, span: span)
            return readOperator()
        }
        if isComparisonComplete {
            report(.missingConjunction, at: span)
        } else if followsOperand {
            report(.unknownOperator, at: span, word)
        } else if let text = readUnquotedText() {
            return text
        } else {
            report(.expectedOperator, at: span, found)
        }
        return recover()
    }

    private func startsOperand(_ kind: TokenKind) -> Bool {
        switch kind {
        case .identifier, .escapedIdentifier, .atWord, .term, .variable, .selector, .string, .integer, .floatingPoint,
            .conversion, .keyword, .leftParenthesis, .leftBrace, .binary(.subtract), .leftBracket, .not:
            true
        default: false
        }
    }

    /// `name == Jamf Connect`: several bare words in a row are a text that lost its quotes.
    private mutating func readUnquotedText() -> Bool? {
        guard let left = operands.last, case .expression(let node) = left.item, case .keyPath = node.kind,
            previous.kind == .identifier, token.kind == .identifier
        else { return nil }
        let comparison = isComparisonComplete
        var end = token.end
        var ahead = lexer
        var next = ahead.next()
        while next.kind == .identifier || operatorWordInText(next) {
            end = next.end
            next = ahead.next()
        }
        guard comparison || next.kind == .end, !(comparison && isComparison(next)) else { return nil }
        let whole = SourceSpan(left.span.start, end)
        report(
            .unquotedText, at: whole, abbreviated(whole),
            fixIts: comparison ? [.init(whole, "\"\(text(whole))\"")] : [])
        return recover()
    }

    private func operatorWordInText(_ token: Token) -> Bool {
        switch token.kind {
        case .keyword: true
        default: false
        }
    }

    // MARK: SQL

    /// `IS NULL`, `IS NOT NULL`, `ILIKE` …: said, and read as what it means.
    private mutating func readSQL(_ word: String, _ span: SourceSpan) -> Bool? {
        switch word {
        case "IS":
            var ahead = lexer
            var next = ahead.next()
            let negated = next.kind == .not
            if negated { next = ahead.next() }
            let spelling = negated ? "!=" : "=="
            let through = negated ? token.span.joined(SourceSpan(span.start, lexer.positionAfterNext)) : span
            let isNull = next.kind == .keyword(.null) || next.kind == .keyword(.nil)
            report(
                .sqlOperator, at: isNull ? span.joined(next.span) : through,
                isNull ? (negated ? "'IS NOT NULL'" : "'IS NULL'") : "'\(text(through))'",
                isNull ? "\(spelling) nil" : spelling,
                fixIts: [.init(isNull ? span.joined(next.span) : through, isNull ? "\(spelling) nil" : spelling)])
            if negated { advance() }
            return readComparison(negated ? .notEqual : .equal, span)
        case "ILIKE":
            report(.sqlOperator, at: span, "'\(text(span))'", "LIKE[c]", fixIts: [.init(span, "LIKE[c]")])
            return readComparison(.like, span)
        case "RLIKE", "REGEXP", "REGEX":
            report(.sqlOperator, at: span, "'\(text(span))'", "MATCHES", fixIts: [.init(span, "MATCHES")])
            return readComparison(.matches, span)
        default: return nil
        }
    }

    /// `a BETWEEN 1 AND 5`: what follows the AND is no condition, so that it was meant as SQL's.
    mutating func readSQLBetween() -> Bool? {
        guard case .comparison(.between, _)? = pending?.kind, let between = pending?.span, let bound = operands.last,
            case .expression(let node) = bound.item
        else { return nil }
        switch node.kind {
        case .value, .argument: break
        default: return nil
        }
        var ahead = lexer
        let upper = ahead.next().span
        switch ahead.next().kind {
        case .end, .and, .or, .rightParenthesis: break
        default: return nil
        }
        report(
            .sqlOperator, at: between.joined(upper), "'BETWEEN … AND …'",
            "BETWEEN {\(text(bound.span)), \(text(upper))}")
        advance()
        return recover()
    }

    /// `a NOT IN {…}`: said, and read as if NOT stood in front.
    private mutating func readNotBehindOperand() -> Bool {
        let span = token.span
        let next = peek()
        guard isComparison(next), let operand = operands.last, operatorWord(next) != nil else {
            report(isComparisonComplete ? .missingConjunction : .expectedOperator, at: span, found)
            return recover()
        }
        report(
            .sqlOperator, at: span.joined(next.span), "'\(text(span.joined(next.span)))'",
            "NOT \(abbreviated(operand.span)) \(text(next.span).uppercased()) …",
            fixIts: [
                .init(SourceSpan(operand.span.start, operand.span.start), "NOT "),
                .init(SourceSpan(span.start, next.start), ""),
            ])
        advance()
        return readOperator()
    }

    // MARK: Lists

    /// `[1, 2]`, where `{1, 2}` was meant.
    mutating func openWrongList() -> Bool {
        reportWrongList(token.span)
        return open(.wrongBrackets, word: token.span)
    }

    /// The partner is not known yet, so the fix-it is left to the person.
    mutating func reportWrongList(_ opener: SourceSpan) { report(.listBrackets, at: opener, "1, 2") }

    /// `a IN 1, 2, 3`
    mutating func reportBareList() -> Bool {
        if isComparisonComplete {
            report(.listBrackets, at: token.span, "1, 2")
        } else {
            report(.unexpectedText, at: token.span, "','")
        }
        return recover()
    }

    // MARK: A value instead of a condition

    mutating func reportValueAsPredicate(_ node: ExpressionNode, _ span: SourceSpan) {
        switch node.kind {
        case .keyPath:
            report(.bareKey, at: span, text(span))
        case .value(.bool(let value)):
            let constant = value ? "TRUEPREDICATE" : "FALSEPREDICATE"
            report(
                .expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: constant,
                fixIts: [.init(span, constant)])
        default:
            report(.expectedPredicate, at: span, "'\(abbreviated(span))'")
        }
    }
}

extension Lexer {
    /// Where the next token would end.
    var positionAfterNext: Int {
        var ahead = self
        return ahead.next().end
    }
}
