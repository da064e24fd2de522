// Mistakes where a value was expected.

extension ErrorContext {
    func expectedExpression() -> Mistake {
        var mistake = Mistake(.expectedExpression, at: token.span, foundText, missingPart, fixIts: missingPartFixIts)
        // An operator twice: to remove one is certain, but the parser's recovery is the same.
        if case .comparison = token.kind { mistake = mistake.skipping }
        return mistake
    }

    // MARK: Signs

    /// `LIKE %@*`
    func starBehindArgument() -> Mistake? {
        let token = self.token
        if token.kind == .end || token.kind == .rightParenthesis, case .binary(.multiply) = pending?.kind,
            let operand = operands.last, text(operand.span).hasPrefix("%"), let sign = pending?.span
        {
            return Mistake(.adjacentArgument, at: sign, text(operand.span))
        }
        if token.kind == .binary(.multiply), isWaitingForText, case .conversion = peek().kind {
            return Mistake(.adjacentArgument, at: token.span, text(peek().span))
        }
        return nil
    }

    /// `all.name == 'a'` and `any == 3`
    func prefixAsKey() -> Mistake? {
        guard let prefix = pending, prefix.span == previous.span, bytes[prefix.span.start].beginsWord,
            token.kind == .dot
                ? isGlued && parser.startsStep(peek().kind) : isComparison(token) && startsOperand(peek().kind)
        else { return nil }
        switch prefix.kind {
        case .not where token.kind != .dot: return nil
        case .quantifier, .not: return reserved(prefix.span)
        default: return nil
        }
    }

    /// `like == 'x'`
    func reservedKey() -> Mistake? {
        guard operatorWord(token) != nil else { return nil }
        if isComparison(token), let key = keyOfWords(from: token) { return key }
        return isComparison(peek()) || peek().kind == .dot ? reserved(token.span) : nil
    }

    private func reserved(_ span: SourceSpan) -> Mistake {
        let word = text(span)
        return Mistake(
            .reservedWord, at: span, word.uppercased(), word, suggestion: "#\(word)",
            fixIts: .fix(SourceSpan(span.start, span.start), "#"))
    }

    /// `'a' == ANY tags`, and `tags == ANY 'a'`
    func quantifierOnTheRight() -> Mistake? {
        guard case .keyword(let keyword) = token.kind, isQuantifier(token), let left = operands.last?.span,
            case .comparison(let comparison, let options) = pending?.kind, let sign = pending?.span
        else { return nil }
        var count = 1
        while [.identifier, .atWord, .dot].contains(after(count).kind) { count += 1 }
        let list = SourceSpan(peek().start, max(peek().start, after(count - 1).end))
        let turned = text(sign).map { $0 == "<" ? ">" : $0 == ">" ? "<" : $0 }
        let mirrored = comparison == .notEqual ? text(sign) : String(turned)
        let meant = "\(keyword.rawValue) \(text(list)) \(mirrored)\(options.spelling) \(text(left))"
        let fixIts = [PredicateDiagnostic.FixIt(left.joined(list), meant)]
        let isCertain = !bytes[sign.start].beginsWord && isRepaired(by: fixIts)
        let pattern = "\(keyword.rawValue) \(bytes[left.start].beginsWord ? abbreviated(left) : "list") \(text(sign)) …"
        return Mistake(
            .expectedExpression, at: token.span, foundText, suggestion: isCertain ? meant : pattern,
            fixIts: isCertain ? fixIts : [])
    }

    /// `= =`
    func signInTwoPieces() -> Mistake? {
        guard case .comparison = token.kind, case .comparison = pending?.kind,
            operatorWord(token) == nil, previous.end < token.start,
            !bytes[previous.start].beginsWord
        else { return nil }
        let both = previous.span.joined(token.span)
        let joined = text(both).filter { !$0.isWhitespace }
        var meant = text(token.span) == "=" ? Vocabulary.symbols[joined] : nil
        if meant == nil {
            let tokens = Lexer.tokens(of: joined)
            if tokens.count == 2, isComparison(tokens[0]) { meant = joined }
        }
        guard let meant else { return nil }
        return Mistake(.singleEqualsChain, at: both, text(both), suggestion: meant, fixIts: .fix(both, meant))
    }

    /// `+=` and `++` at their second sign.
    func doubledSign() -> Mistake? {
        guard case .binary = pending?.kind, isGlued, let first = pending?.span, first.end == token.start,
            case let both = first.joined(token.span), ["+=", "-=", "*=", "/=", "++"].contains(text(both))
        else { return nil }
        return Mistake(
            .unknownOperator, at: both, text(both),
            isPart ? "write one sign, and a value after it" : "a predicate changes no values: compare with ==, < or >")
    }

    /// `.name` and the second dot of `a..b`; in the condition of a SUBQUERY, `.name` lacks the variable.
    func extraDot() -> Mistake? {
        guard token.kind == .dot, peek().kind == .identifier, peek().start == token.end else { return nil }
        let key = text(peek().span)
        let subquery = frames.last { $0.kind == .special(.subquery) && $0.itemCount > 1 }
        guard let subquery, previous.kind != .dot else {
            return Mistake(
                .expectedExpression, at: token.span, foundText, suggestion: key, fixIts: .fix(token.span, ""))
        }
        if case .expression(let node) = operands[subquery.firstItem + 1].item, case .variable(let name) = node.kind {
            return Mistake(
                .expectedExpression, at: token.span, foundText, suggestion: "$\(name).\(key)",
                fixIts: .fix(SourceSpan(token.start, token.start), "$\(name)"))
        }
        return Mistake(
            .expectedExpression, at: token.span, foundText, Self.lost("write the variable before it: $x.\(key)")
        ).reading(token.span, as: "")
    }

    private static func lost(_ advice: String) -> String {
        advice + ". A shell or a build setting replaces $ and a name"
    }

    // MARK: Words

    /// `name: 'x'` and `http://x`, which begin with a selector.
    func foreignSelector() -> Mistake? {
        let span = token.span
        guard token.kind == .selector else { return nil }
        let key = SourceSpan(span.start, span.end - 1)
        if let mistake = keyWithColon() ?? callWithLabel() { return mistake }
        if allowsCondition, frame.kind == .root || frame.kind == .parenthesis,
            startsOperand(peek().kind), !bytes[key.range].contains(UInt8(ascii: ":"))
        {
            return equality(SourceSpan(key.end, span.end))
        }
        if frame.kind == .special(.function) {
            return Mistake(.selectorLiteral, at: span, fixIts: .fix(span, "\"\(text(span))\""))
        }
        if case .comparison = pending?.kind, let chunk = unquotedChunk(from: span.start), chunk.count > span.count {
            return asText(chunk)
        }
        return Mistake(
            .expectedExpression, at: span, "'\(text(span))'",
            frame.kind == .aggregate ? "pass a dictionary for %@" : "remove the colon, or write ==")
    }

    /// `name:en == 'x'`, a key of other data.
    private func keyWithColon() -> Mistake? {
        let whole = SourceSpan(token.start, wordEnd(token.end))
        var rest = tokens(from: whole.end)
        guard whole.end > token.end, !bytes[token.end].isDigit, isComparison(rest.next()) else { return nil }
        let meant = SyntaxSelector.key(text(whole))
        return Mistake(.nonAsciiKey, at: whole, text(whole), suggestion: meant, fixIts: .fix(whole, meant))
    }

    /// `name.starts(with: 'a')` of Swift at its label.
    private func callWithLabel() -> Mistake? {
        let start =
            bytes[..<frame.opener.start].lastIndex { !$0.isOfWord && $0 != UInt8(ascii: ".") }.map { $0 + 1 } ?? 0
        let callee = text(SourceSpan(start, frame.opener.start))
        guard previous.span == frame.opener, let dot = callee.lastIndex(of: "."), dot > callee.startIndex,
            let sign = Vocabulary.comparison(forMethod: String(callee[callee.index(after: dot)...])),
            let list = bracketed(previous)
        else { return nil }
        let call = SourceSpan(start, list.end)
        let meant = "\(callee[..<dot]) \(sign) \(text(SourceSpan(token.end, list.end - 1)).trimmingSpaces)"
        return Mistake(
            .expectedPredicate, at: call, "'\(abbreviated(call))'", suggestion: meant,
            fixIts: isRepaired(by: .fix(call, meant)) ? .fix(call, meant) : [])
    }

    func equality(_ span: SourceSpan) -> Mistake { .operatorMeant(self, span, "==") }

    /// A reserved word in place of a value.
    func reservedWord() -> Mistake? {
        guard case .keyword(let keyword) = token.kind else { return nil }
        let span = token.span
        let word = text(span)
        if let key = keyOfWords(from: token) { return key }
        switch keyword {
        case .any, .some, .all, .none: return nil
        case .subquery, .cast, .ternary, .function, .fetch:
            if startsOperand(peek().kind) {
                return Mistake(.expectedOperator, at: span, "'\(word)' without parentheses", "write \(keyword.form)")
            }
        default: break
        }
        let indices: Set<Keyword> = [.first, .last, .size]
        let unused: Set<Keyword> = [.caseInsensitive, .ci, .apply, .boundedBy]
        return Mistake(
            indices.contains(keyword) ? .indexSymbol : unused.contains(keyword) ? .unusedWord : .reservedWord, at: span,
            keyword.rawValue, word,
            fixIts: .fix(SourceSpan(span.start, span.start), "#"))
    }

    /// `@status` and `@sum(x.y)`, which the lexer reads as a term of device management.
    func wrongTerm() -> Mistake? {
        guard token.kind == .term else { return nil }
        let span = token.span
        let name = text(span).dropFirst().prefix { $0 != "(" }
        guard !["status", "property", "key"].contains(name) else {
            return Mistake(.deviceManagementTerm, at: span, text(span))
        }
        let call = SourceSpan(span.start + 1 + name.utf8.count, span.end)
        return Mistake(
            .unexpectedText, at: call, "'\(abbreviated(call))'", fixIts: call.count == 2 ? .fix(call, "") : [])
    }

    // MARK: Brackets

    /// `[1, 2]` in place of `{1, 2}`, and other text in brackets.
    func listInBrackets() -> Mistake? {
        guard token.kind == .leftBracket else { return nil }
        if let other = leadingOptions() ?? wrongOptions() ?? bracketedWord() { return other }
        if case .comparison(let sign, _) = pending?.kind, sign == .matches || sign == .like,
            bracketed(token) != nil, let chunk = unquotedChunk(from: token.start, beyond: true)
        {
            return asText(chunk)
        }
        return wrongList(token)
    }

    func wrongList(_ opener: Token) -> Mistake {
        guard let list = bracketed(opener), byte(list.end - 1) != "}", list.count > 2 else {
            return Mistake(.listBrackets, at: opener.span, "…").reading(opener.span, as: "{")
        }
        let items = SourceSpan(list.start + 1, list.end - 1)
        let fixIts: [PredicateDiagnostic.FixIt] = [
            .init(opener.span, "{"), .init(SourceSpan(list.end - 1, list.end), "}"),
        ]
        let sign = operators.last { $0.span.end <= opener.start }
        switch sign?.kind {
        case .comparison(let sign, _) where [.beginsWith, .endsWith, .like, .matches].contains(sign):
            return Mistake(
                .stringOperand, at: list, sign.spelling, "a list", "join a comparison with each by OR"
            ).reading(asValue: list)
        case .comparison(.contains, _):
            let left = sign.map { abbreviated(operands[$0.firstOperand].span) } ?? ""
            var mistake = Mistake(
                .listOperand, at: list, "ANY \(left) IN {\(abbreviated(items))}", "CONTAINS tests for one element")
            mistake.severity = .error
            return mistake.reading(asValue: list)
        default: return Mistake(.listBrackets, at: opener.span, abbreviated(items), fixIts: fixIts)
        }
    }

    /// `[unit price]`, a quoted name of SQL Server.
    private func bracketedWord() -> Mistake? {
        guard let list = bracketed(token), let next = tokens.first(where: { $0.start >= list.end }), isComparison(next),
            case let words = text(SourceSpan(list.start + 1, list.end - 1)), words.utf8.first?.beginsWord ?? false,
            words.utf8.allSatisfy({ $0.isOfWord || $0 == UInt8(ascii: " ") })
        else { return nil }
        let meant = words.contains(" ") ? SyntaxSelector.key(words) : words
        return Mistake(.unexpectedText, at: list, "'\(text(list))'", suggestion: meant, fixIts: .fix(list, meant))
    }

    /// A closing bracket in place of a value: behind a comma, or in empty parentheses.
    func closingInsteadOfOperand() -> Mistake? {
        let token = self.token
        guard [.rightParenthesis, .rightBracket, .rightBrace].contains(token.kind), !hasPending,
            parser.closing(frame.kind) == token.kind
        else { return nil }
        switch frame.kind {
        case .aggregate: return Mistake(.trailingComma, at: previous.span, fixIts: .fix(previous.span, ""))
        case .parenthesis where isListExpected:
            let list = frame.opener.joined(token.span)
            return Mistake(.listBrackets, at: list, "", fixIts: .fix(list, "{}"))
        case .parenthesis: return Mistake(.emptyParentheses, at: frame.opener.joined(token.span))
        default: return nil
        }
    }

    /// Whether IN or BETWEEN waits for its right side before the innermost bracket.
    private var isListExpected: Bool {
        guard frame.operatorBase > 0,
            case .comparison(let comparison, _) = operators[frame.operatorBase - 1].kind
        else { return false }
        return comparison == .in || comparison == .between
    }

    // MARK: Missing parts

    /// Advice about the missing operand.
    private var missingPart: String {
        switch token.kind {
        case .and, .or:
            if let before = pending, before.precedence <= .and {
                return endsCondition(peek()) ? "remove both" : "remove one of the two"
            }
            return hasPending ? "write a value before \(written(token.span))" : "remove \(written(token.span))"
        case .comparison:
            return "write what is compared: a key, or SELF \(written(token.span)) …"
        case .end, .rightParenthesis:
            switch pending?.kind {
            case .and, .or: return "write a condition after \(written(pending?.span ?? .none)), or remove it"
            case .not, .quantifier: return "write a comparison after \(written(pending?.span ?? .none))"
            case .comparison: return "write a key or a value after \(written(pending?.span ?? .none))"
            default: return ""
            }
        case .comma where frame.kind == .special(.subquery) && !hasPending && frame.itemCount < 2:
            return Self.lost("write the \(frame.itemCount == 0 ? "collection" : "variable, such as $x,") before it")
        case .comma: return "remove it, or write a value before it"
        case .keyword where isQuantifier(token): return "remove it: one quantifier tests all lists of a path"
        case .rightBracket, .binary(.multiply):
            guard frame.kind == .index, !hasPending else { return "" }
            return "write an index: 0, FIRST or LAST; for any element write ANY before the key"
        default: return ""
        }
    }

    /// The fix-it for a conjunction with a condition missing on one side: remove it.
    private var missingPartFixIts: [PredicateDiagnostic.FixIt] {
        let token = self.token
        guard token.kind == .and || token.kind == .or, byte(token.end) != "(" else { return [] }
        let removed = PredicateDiagnostic.FixIt(SourceSpan(token.start, peek().start), "")
        if let before = pending {
            if before.precedence > .and { return [] }
            return endsCondition(peek()) ? .fix(SourceSpan(before.span.start, peek().start), "") : [removed]
        }
        return operands.count == operandBase ? [removed] : []
    }

    // MARK: Behind a dot

    func step() -> Mistake {
        switch token.kind {
        case .integer, .floatingPoint, .error(.malformedNumber):
            var first = operators.count - 1
            while first > operatorBase, case .dot = operators[first - 1].kind { first -= 1 }
            let start = operands[operators[first].firstOperand].span.start
            if bytes[start].isDigit, let chunk = unquotedChunk(from: start) {
                return asText(chunk, .keyComponent)
            }
            return Mistake(.keyComponent, at: token.span, text(token.span))
        case .comparison, .and, .or, .not, .binary:
            if let word = operatorWord(token), !word.contains("-"), peek().kind == .leftParenthesis {
                return method(word)
            }
        default: break
        }
        if let dot = extraDot() { return dot }
        return Mistake(
            .expectedExpression, at: token.span, foundText,
            token.kind == .binary(.multiply)
                ? "for any element write ANY before the key" : "remove the dot, or write a key after it")
    }

    /// `name.contains('x')`: a reserved word after a dot is not a method.
    private func method(_ word: String) -> Mistake {
        var first = operators.count - 1
        while first > operatorBase, case .dot = operators[first - 1].kind { first -= 1 }
        let base = operands[operators[first].firstOperand].span.joined(operands[operands.count - 1].span)
        guard let sign = Vocabulary.comparison(forMethod: word), let list = bracketed(peek()) else {
            return Mistake(.unknownFunction, at: token.span, word)
        }
        let meant = "\(text(base)) \(sign) \(text(SourceSpan(list.start + 1, list.end - 1)))"
        let fixIts = [PredicateDiagnostic.FixIt(base.joined(list), meant)]
        let isCertain = isRepaired(by: fixIts)
        return Mistake(
            .unknownFunction, at: token.span, word,
            suggestion: isCertain ? meant : "\(abbreviated(base)) \(sign) …", fixIts: isCertain ? fixIts : [])
    }
}
