// Recovery from common mistakes (USERS 3). Each mistake has its own message, and a fix-it if the intention is certain.
// Parsing then continues with the corrected text, so that later mistakes are also found.

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
        } else if token.kind == .dot, case .integer = peek().kind, peek().start == token.end {
            let number = token.span.joined(peek().span)
            report(
                .malformedNumber, at: number, text(number), "write 0\(text(number))",
                fixIts: [.init(SourceSpan(number.start, number.start), "0")])
        } else if let key = readPrefixAsKey() ?? readConjunctionCall() {
            return key
        } else if token.kind == .binary(.multiply), isWaitingForText, case .conversion = peek().kind {
            report(.adjacentArgument, at: token.span, text(peek().span))
        } else if let word = operatorWord(token), startsOperator(peek()) {
            return readReservedKey(word)
        } else if let sign = doubledBitSign() {
            return sign
        } else if let none = readNone() {
            return none
        } else if token.kind == .not, isGlued, text(previous.span) == "=" {
            let both = previous.span.joined(token.span)
            report(.singleEqualsChain, at: both, text(both), suggestion: "!=", fixIts: [.init(both, "!=")])
            advance()
            return true
        } else if let pattern = unquotedPattern() {
            let pieces = text(pattern)
            let isDelimited = pieces.count > 2 && pieces.hasPrefix("/") && pieces.hasSuffix("/")
            let meant = "\"\(isDelimited ? String(pieces.dropFirst().dropLast()) : pieces)\""
            report(.expectedExpression, at: token.span, found, suggestion: meant, fixIts: [.init(pattern, meant)])
        } else if case .keyword(let keyword) = token.kind, [.any, .some, .all, .none].contains(keyword),
            case .comparison = pending?.kind, let sign = pending?.span, let left = operands.last,
            case .expression(let node) = left.item, case .keyPath = node.kind
        {
            let meant = "\(keyword.rawValue) \(abbreviated(left.span)) \(text(sign)) …"
            report(.expectedExpression, at: token.span, found, suggestion: meant)
        } else if let other = readDoubledSign() ?? readTripledSign() ?? readUnquotedValue() ?? readExtraDot()
            ?? readPlus()
        {
            return other
        } else if token.kind == .binary(.multiply), case .call = frame.kind, peek().kind == .rightParenthesis {
            report(.expectedExpression, at: token.span, found, "name a key: items.@count")
        } else {
            report(.expectedExpression, at: token.span, found, missingPart, fixIts: missingPartFixIts)
        }
        return recover()
    }

    /// Reads `&&&`, `|||` and `=/=` at the surplus sign.
    private mutating func readTripledSign() -> Bool? {
        guard isGlued, let before = pending?.span, before.end == token.start else { return nil }
        if case .binary(let sign) = token.kind, let logical = sign.logicalSpelling, text(before) == logical {
            let both = before.joined(token.span)
            report(.unknownOperator, at: both, text(both), suggestion: logical, fixIts: [.init(both, logical)])
            advance()
            return true
        }
        guard token.kind == .binary(.divide), text(before) == "=", byte(token.end) == "=" else { return nil }
        let whole = SourceSpan(before.start, token.end + 1)
        operators.removeLast()
        lexer.position = whole.end
        return replaceOperator(whole, "!=")
    }

    /// Reads `a & & b` and `a | | b` as AND and OR, and `&@` as an argument.
    private mutating func doubledBitSign() -> Bool? {
        guard case .binary(let sign) = token.kind, let logical = sign.logicalSpelling else { return nil }
        if sign == .bitwiseAnd, byte(token.end) == "@" {
            // `&@` is a typing mistake for `%@`.
            let span = SourceSpan(token.start, token.end + 1)
            report(.unknownConversion, at: span, text(span), suggestion: "%@", fixIts: [.init(span, "%@")])
            move(to: span.end)
            pushError(span)
            return false
        }
        guard case .binary(sign) = pending?.kind, let first = pending?.span else { return nil }
        let both = first.joined(token.span)
        reportUnknownOperator(both, meant: logical)
        operators.removeLast()
        return readInstead(sign == .bitwiseAnd ? .and : .or, both)
    }

    private func isArgument(_ operand: Operand) -> Bool {
        token.kind != .comma && text(operand.span).hasPrefix("%")
    }

    func isComparison(_ token: Token) -> Bool {
        if case .comparison = token.kind { return true }
        return false
    }

    /// The reserved word of an operator token, as it was written: `like`, `and`, `union`.
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
            if let meant = glued(both) {
                report(.singleEqualsChain, at: both, text(both), suggestion: meant, fixIts: [.init(both, meant)])
                operators.removeLast()
                var lexer = Lexer(meant)
                return readInstead(lexer.next().kind, both)
            }
        }
        if let sign = readDoubledSign() { return sign }
        return reportExpectedExpression()
    }

    /// Joins two tokens that form one operator: `= =` gives `==`.
    private func glued(_ span: SourceSpan) -> String? {
        let joined = text(span).filter { !$0.isWhitespace }
        if text(token.span) == "=", let known = Self.symbols[joined] { return known.spelling }
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
            if let version = readVersion() { return version }
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
        if let dot = readExtraDot() { return dot }
        let isStar = token.kind == .binary(.multiply)
        report(
            .expectedExpression, at: token.span, found,
            isStar ? "for any element write ANY before the key" : "remove the dot, or write a key after it")
        return recover()
    }

    /// Reads `10.15.7` at its last part: a version without quotes.
    private mutating func readVersion() -> Bool? {
        var first = operators.count - 1
        while first > operatorBase, case .dot = operators[first - 1].kind { first -= 1 }
        let start = operands[operators[first].firstOperand].span.start
        guard Lexer.isDigit(bytes[start]), let chunk = unquotedChunk(from: start) else { return nil }
        operands.removeSubrange(operators[first].firstOperand...)
        operators.removeSubrange(first...)
        return readAsText(chunk, .keyComponent)
    }

    /// Reports `name.contains('x')`: a reserved word after a dot is not a method.
    private mutating func reportMethod(_ word: String, _ span: SourceSpan) -> Bool {
        var first = operators.count - 1
        while first > operatorBase, case .dot = operators[first - 1].kind { first -= 1 }
        let base = operands[operators[first].firstOperand].span.joined(operands[operands.count - 1].span)
        if let list = bracketed(token), bytes[list.range].contains(UInt8(ascii: "{")) {
            report(
                .unknownFunction, at: span, word,
                "write ANY \(abbreviated(base)).key == …, or SUBQUERY(\(abbreviated(base)), $x, $x.key == …).@count > 0"
            )
            return recover()
        }
        let meant = Self.comparison(forMethod: word).map { "\(abbreviated(base)) \($0) …" }
        report(.unknownFunction, at: span, word, suggestion: meant)
        return recover()
    }

    // MARK: Lists

    /// Opens `[1, 2]`, which was written instead of `{1, 2}`.
    mutating func openWrongList() -> Bool {
        if let other = readPredicateMessage() ?? readLeadingOptions() ?? readBracketedCondition() ?? readBracketedWord()
        {
            return other
        }
        if case .comparison(let sign, _) = pending?.kind, sign == .matches || sign == .like, bracketed(token) != nil,
            let chunk = unquotedChunk(from: token.start, beyond: true)
        {
            return readAsText(chunk)
        }
        reportWrongList(token)
        return open(.wrongBrackets, word: token.span)
    }

    /// Reads `[name]`, a quoted name of SQL Server, and `[NSDate date]`, an Objective-C message.
    private mutating func readBracketedWord() -> Bool? {
        guard let list = bracketed(token) else { return nil }
        var ahead = lexer
        let first = ahead.next()
        let second = ahead.next()
        guard first.kind == .identifier else { return nil }
        if second.end == list.end {
            guard isComparison(ahead.next()) else { return nil }
            report(
                .unexpectedText, at: list, "'\(text(list))'", suggestion: text(first.span),
                fixIts: [.init(list, text(first.span))])
            move(to: list.end)
            push(.keyPath([text(first.span)]), span: list)
            return false
        }
        guard second.kind == .identifier || second.kind == .selector else { return nil }
        report(.unexpectedText, at: list, "'\(abbreviated(list))'", "pass the value for %@: messages cannot be sent")
        move(to: list.end)
        pushError(list)
        return false
    }

    /// Reports a list in the wrong brackets. The suggestion is the correct list if its end is near.
    mutating func reportWrongList(_ opener: Token) {
        guard let list = bracketed(opener), byte(list.end - 1) != "}", list.count > 2 else {
            return report(.listBrackets, at: opener.span, "…")
        }
        report(
            .listBrackets, at: opener.span, abbreviated(SourceSpan(list.start + 1, list.end - 1)),
            fixIts: [.init(opener.span, "{"), .init(SourceSpan(list.end - 1, list.end), "}")])
    }

    /// Reports `a IN 1, 2, 3`, `a == 1, b == 2` and `a == 1,000`.
    mutating func reportBareList() -> Bool {
        if let number = readDecimalComma() { return number }
        if isComparisonComplete, beginsComparison() {
            report(.missingConjunction, at: token.span, suggestion: "AND", fixIts: [.init(token.span, " AND")])
            return readInstead(.and, token.span)
        }
        if peek().kind == .end {
            report(.unexpectedText, at: token.span, "','", "remove it", fixIts: [.init(token.span, "")])
        } else if isComparisonComplete {
            let list = SourceSpan(operands.last?.span.start ?? token.start, endOfBareList())
            var fixIts: [Diagnostic.FixIt] = [
                .init(SourceSpan(list.start, list.start), "{"), .init(SourceSpan(list.end, list.end), "}"),
            ]
            var meant: String?
            if case .comparison(let sign, let options) = pending?.kind, sign == .equal || sign == .notEqual,
                options.isEmpty, let place = pending, place.firstOperand < operands.count
            {
                let left = operands[place.firstOperand].span
                if sign == .notEqual { fixIts.insert(.init(SourceSpan(left.start, left.start), "NOT "), at: 0) }
                fixIts.insert(.init(place.span, "IN"), at: fixIts.count - 2)
                meant = "\(sign == .equal ? "" : "NOT \(abbreviated(left)) ")IN {\(abbreviated(list))}"
            }
            report(.listBrackets, at: token.span, abbreviated(list), suggestion: meant, fixIts: fixIts)
        } else {
            report(.unexpectedText, at: token.span, "','")
        }
        return recover()
    }

    /// The end of a list without brackets. The current token is its first comma.
    private func endOfBareList() -> Int {
        var ahead = lexer
        var end = token.start
        for _ in 0..<64 {
            let next = ahead.next()
            switch next.kind {
            case .end, .rightParenthesis, .rightBracket, .rightBrace, .and, .or, .keyword(.and), .keyword(.or):
                return end
            case .comma: continue
            default: end = next.end
            }
        }
        return end
    }

    /// Whether a comparison needs its right side. Then a sign that cannot begin a value may begin an unquoted text.
    var isWaitingForText: Bool { if case .comparison = pending?.kind { isWaiting } else { false } }

    /// Whether a condition such as `b == 2` follows the current token, or begins at `first`, which must be the current
    /// token.
    func beginsComparison(at first: Token? = nil) -> Bool {
        var ahead = lexer
        var next = first ?? ahead.next()
        if next.kind == .variable { next = Token(kind: .identifier, span: next.span) }
        guard next.kind == .identifier else {
            return [.keyword(.any), .keyword(.all), .keyword(.none), .not].contains(next.kind)
        }
        while next.kind == .identifier || next.kind == .dot || next.kind == .atWord { next = ahead.next() }
        return isComparison(next)
    }

    // MARK: A value instead of a condition

    /// Reads `a == 1 OR 2`. The value after a comparison is probably meant to be compared with the same left side.
    mutating func repeated(_ operand: Operand, after before: PredicateNode?) -> PredicateNode? {
        guard case .expression(let node) = operand.item, case .value(let value) = node.kind,
            case .comparison(let comparison) = before?.kind, comparison.modifier == .direct,
            !comparison.left.span.isEmpty, !comparison.operatorSpan.isEmpty
        else { return nil }
        if case .bool = value { return nil }
        let span = operand.span
        let sign = text(comparison.operatorSpan) + comparison.options.spelling
        let left = "\(text(comparison.left.span)) \(sign) "
        report(
            .expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: left + abbreviated(span),
            fixIts: [.init(SourceSpan(span.start, span.start), left)])
        return PredicateNode(.error, span: span)
    }

    /// Reports that ANY, ALL, SOME or NONE is not followed by a comparison.
    mutating func reportQuantified(_ keyword: Keyword, _ right: Operand) {
        if right.item.isError { return }
        let span = right.span
        if right.isParenthesized, case .predicate(let node) = right.item, case .comparison = node.kind {
            let opening = SourceSpan(span.start, span.start + 1)
            // The closing parenthesis may be missing, which is another error with its own fix-it.
            let isClosed = bytes[span.end - 1] == UInt8(ascii: ")") && node.span.end < span.end
            let fixIts: [Diagnostic.FixIt] = [
                .init(opening, Lexer.isWord(bytes[max(0, span.start - 1)]) ? " " : ""),
                .init(SourceSpan(span.end - 1, span.end), ""),
            ]
            report(
                .expectedExpression, at: opening, "a condition in parentheses",
                suggestion: "\(keyword.rawValue) \(abbreviated(node.span))", fixIts: isClosed ? fixIts : [])
        } else if case .predicate = right.item {
            report(
                .expectedExpression, at: span, "several conditions",
                "\(keyword.rawValue) takes one comparison; for several of one element write SUBQUERY(list, $x, …).@count > 0"
            )
        } else {
            report(
                .expectedOperator, at: SourceSpan(span.end, span.end),
                "the end of '\(keyword.rawValue) \(abbreviated(span))'",
                "compare it: \(keyword.rawValue) \(abbreviated(span)) == …")
        }
    }

    mutating func reportValueAsPredicate(_ node: ExpressionNode, _ span: SourceSpan) {
        // In other languages the comment may be an operator: `age // 2 == 1`.
        if let last = diagnostics.last, last.id == .comment, last.severity == .error { return }
        // `(a == 1).value` was already reported as a condition in place of a value.
        if let last = diagnostics.last, last.id == .predicateAsValue, last.span.start == span.start { return }
        switch node.kind {
        case .binary(.shiftLeft, let left, let right), .binary(.shiftRight, let left, let right):
            let sign = SourceSpan(left.span.end, right.span.start)
            let meant = text(sign).contains("<") ? "<" : ">"
            report(
                .expectedPredicate, at: sign, "'\(abbreviated(span))'",
                suggestion: "\(abbreviated(left.span)) \(meant) \(abbreviated(right.span))",
                fixIts: [.init(sign, " \(meant) ")])
        case .keyPath(let keys):
            let isEmpty = keys.count > 1 && keys.last == "isEmpty"
            let constant = keys.count == 1 ? Self.constantPredicate(keys[0]) : nil
            report(
                .bareKey, at: node.span, text(node.span),
                suggestion: isEmpty ? keys.dropLast().joined(separator: ".") + ".@count == 0" : constant,
                fixIts: constant.map { [.init(node.span, $0)] } ?? [])
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
        case .value(.string) where quotedCondition(node.span) != nil:
            let meant = quotedCondition(node.span)
            report(
                .expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: meant.map { abbreviated($0) },
                fixIts: [
                    .init(SourceSpan(node.span.start, node.span.start + 1), ""),
                    .init(SourceSpan(node.span.end - 1, node.span.end), ""),
                ])
        case .call(_, let arguments) where arguments.contains(where: \.kind.isError): return
        default:
            let meant = comparison(byMethod: node)
            report(
                .expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: meant,
                fixIts: meant.map { [.init(span, $0)] } ?? [])
        }
    }

    /// The condition in a text that was quoted as a whole: `"name == 'Ann'"`.
    private func quotedCondition(_ span: SourceSpan) -> SourceSpan? {
        guard span.count > 2, span.count < 200 else { return nil }
        let inner = SourceSpan(span.start + 1, span.end - 1)
        guard Lexer.tokens(of: text(inner)).contains(where: isComparison), corrected(text(inner)) == text(inner)
        else { return nil }
        return inner
    }

    /// The comparison that replaces a method call such as `name.hasPrefix('A')`.
    private func comparison(byMethod node: ExpressionNode) -> String? {
        if case .member(let base, let step) = node.kind, case .call("isEmpty", let arguments) = step.kind,
            arguments.isEmpty
        {
            return "\(text(base.span)).@count == 0"
        }
        guard case .member(let base, let step) = node.kind, case .call(let name, let arguments) = step.kind,
            arguments.count == 1, let comparison = Self.comparison(forMethod: String(name.dropLast()))
        else { return comparison(byCall: node) }
        return "\(text(base.span)) \(comparison) \(text(arguments[0].span))"
    }

    /// The comparison that replaces `InRange(age, 18, 30)` of Spotlight, or `exists(name)`.
    private func comparison(byCall node: ExpressionNode) -> String? {
        guard case .call(let name, let arguments) = node.kind else { return nil }
        let texts = arguments.map { text($0.span) }
        switch (name.lowercased(), texts.count) {
        case ("inrange:", 3): return "\(texts[0]) BETWEEN {\(texts[1]), \(texts[2])}"
        case ("exists:", 1), ("isnotnull:", 1), ("defined:", 1): return "\(texts[0]) != nil"
        case ("isnull:", 1), ("missing:", 1): return "\(texts[0]) == nil"
        default: return nil
        }
    }
}
