// Recovery from common mistakes (USERS 3). Each has its own message, and a fix-it if the meaning is certain.
// Parsing then continues with the corrected text, so that later mistakes are found too.

extension PredicateParser {
    // MARK: Where a value was expected

    var found: String {
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
        } else if token.kind == .not, isGlued, text(previous.span) == "=" {
            let both = previous.span.joined(token.span)
            report(.singleEqualsChain, at: both, text(both), suggestion: "!=", fixIts: [.init(both, "!=")])
            advance()
            return true
        } else if let pattern = unquotedPattern() {
            let meant = "\"\(text(pattern).filter { $0 != "/" })\""
            report(.expectedExpression, at: token.span, found, suggestion: meant, fixIts: [.init(pattern, meant)])
        } else if case .keyword(let keyword) = token.kind, [.any, .some, .all, .none].contains(keyword),
            case .comparison = pending?.kind, let sign = pending?.span, let left = operands.last,
            case .expression(let node) = left.item, case .keyPath = node.kind
        {
            let meant = "\(keyword.rawValue) \(abbreviated(left.span)) \(text(sign)) …"
            report(.expectedExpression, at: token.span, found, suggestion: meant)
        } else {
            report(.expectedExpression, at: token.span, found)
        }
        return recover()
    }

    /// The place of a pattern without quotes: `LIKE *x*`, `LIKE x*`, `MATCHES /x/`.
    private func unquotedPattern() -> SourceSpan? {
        let waiting = operators[operatorBase...]
        guard let comparison = waiting.last(where: { if case .comparison = $0.kind { true } else { false } }),
            case .comparison(let sign, _) = comparison.kind,
            [.like, .matches, .contains, .beginsWith, .endsWith].contains(sign)
        else { return nil }
        let start: Int
        switch pending?.kind {
        case .comparison where token.kind == .binary(.multiply) || token.kind == .binary(.divide): start = token.start
        case .binary(.multiply): start = operands[comparison.firstOperand + 1].span.start
        default: return nil
        }
        let end = bytes[start...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ")") } ?? bytes.count
        let span = SourceSpan(start, end)
        return bytes[span.range].contains { $0 == 0x22 || $0 == 0x27 || $0 == 0x25 } ? nil : span
    }

    private func isArgument(_ operand: Operand) -> Bool {
        token.kind != .comma && text(operand.span).hasPrefix("%")
    }

    func isComparison(_ token: Token) -> Bool {
        if case .comparison = token.kind { return true }
        return false
    }

    /// The reserved word of an operator token, as written: `like`, `and`, `union`.
    func operatorWord(_ token: Token) -> String? {
        guard token.kind != .end, Lexer.isLetter(bytes[token.start]) else { return nil }
        switch token.kind {
        case .comparison, .and, .or, .not, .binary, .keyword: return text(token.span)
        default: return nil
        }
    }

    /// Reads `like == 'x'`, a reserved word used as a key.
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

    /// Joins two pieces that form one operator: `= =` gives `==`.
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

    /// Whether a token is allowed after a dot.
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
                // A reserved word after a dot is a key, unless it has a hyphen.
                let span = token.span
                advance()
                if token.kind == .leftParenthesis { return reportMethod(word, span) }
                push(.keyPath([word]), span: span)
                return false
            }
        default: break
        }
        report(.expectedExpression, at: token.span, found)
        return recover()
    }

    /// Reports `name.contains('x')`: a reserved word after a dot is not a method.
    private mutating func reportMethod(_ word: String, _ span: SourceSpan) -> Bool {
        var first = operators.count - 1
        while first > operatorBase, case .dot = operators[first - 1].kind { first -= 1 }
        let base = operands[operators[first].firstOperand].span.joined(operands[operands.count - 1].span)
        let meant = Self.comparison(forMethod: word).map { "\(abbreviated(base)) \($0) …" }
        report(.unknownFunction, at: span, word, suggestion: meant)
        return recover()
    }

    // MARK: Lists

    /// Opens `[1, 2]`, written in place of `{1, 2}`.
    mutating func openWrongList() -> Bool {
        reportWrongList(token.span)
        return open(.wrongBrackets, word: token.span)
    }

    /// No fix-it, because the closing bracket is not known yet.
    mutating func reportWrongList(_ opener: SourceSpan) { report(.listBrackets, at: opener, "1, 2") }

    /// Reports `a IN 1, 2, 3`.
    mutating func reportBareList() -> Bool {
        if isComparisonComplete {
            report(.listBrackets, at: token.span, "1, 2")
        } else {
            report(.unexpectedText, at: token.span, "','")
        }
        return recover()
    }

    // MARK: A value instead of a condition

    /// Reads `a == 1 OR 2`: a value after a comparison is meant to be compared with the same left side.
    mutating func repeated(_ operand: Operand, after before: PredicateNode?) -> PredicateNode? {
        guard case .expression(let node) = operand.item, case .value(let value) = node.kind,
            case .comparison(let comparison) = before?.kind, comparison.modifier == .direct,
            !comparison.left.span.isEmpty, !comparison.operatorSpan.isEmpty
        else { return nil }
        if case .bool = value { return nil }
        let span = operand.span
        let left = "\(text(comparison.left.span)) \(text(comparison.operatorSpan)) "
        report(
            .expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: left + abbreviated(span),
            fixIts: [.init(SourceSpan(span.start, span.start), left)])
        return PredicateNode(.error, span: span)
    }

    /// Reports that ANY, ALL, SOME or NONE is not followed by a comparison.
    mutating func reportQuantified(_ keyword: Keyword, _ right: Operand) {
        if isError(right) { return }
        let span = right.span
        if right.isParenthesized, case .predicate(let node) = right.item, case .comparison = node.kind {
            report(
                .expectedExpression, at: SourceSpan(span.start, span.start + 1), "a condition in parentheses",
                suggestion: "\(keyword.rawValue) \(abbreviated(node.span))",
                fixIts: [
                    .init(SourceSpan(span.start, span.start + 1), ""), .init(SourceSpan(span.end - 1, span.end), ""),
                ])
        } else {
            report(
                .expectedOperator, at: SourceSpan(span.end, span.end),
                "the end of '\(keyword.rawValue) \(abbreviated(span))'")
        }
    }

    mutating func reportValueAsPredicate(_ node: ExpressionNode, _ span: SourceSpan) {
        switch node.kind {
        case .keyPath(let keys):
            let isEmpty = keys.count > 1 && keys.last == "isEmpty"
            report(
                .bareKey, at: node.span, text(node.span),
                suggestion: isEmpty ? keys.dropLast().joined(separator: ".") + ".@count == 0" : nil)
        case .subquery:
            let count = SourceSpan(span.end, span.end)
            report(
                .expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: "SUBQUERY(…).@count > 0",
                fixIts: [.init(count, ".@count > 0")])
        case .value(.bool(let value)):
            let constant = value ? "TRUEPREDICATE" : "FALSEPREDICATE"
            report(
                .expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: constant,
                fixIts: [.init(span, constant)])
        default:
            let meant = comparison(byMethod: node)
            report(
                .expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: meant,
                fixIts: meant.map { [.init(span, $0)] } ?? [])
        }
    }

    /// The comparison for a method call such as `name.hasPrefix('A')`.
    private func comparison(byMethod node: ExpressionNode) -> String? {
        guard case .member(let base, let step) = node.kind, case .call(let name, let arguments) = step.kind,
            arguments.count == 1, let comparison = Self.comparison(forMethod: String(name.dropLast()))
        else { return nil }
        return "\(text(base.span)) \(comparison) \(text(arguments[0].span))"
    }
}
