// Mistakes where a value was expected.

extension ErrorContext {
    func expectedExpression() -> Mistake {
        var mistake = Mistake(
            .expectedExpression, at: token.span, foundText, missingPart, fixIts: missingPartFixIts)
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

    /// `.5`
    func numberWithoutZero() -> Mistake? {
        guard token.kind == .dot, case .integer = peek().kind, peek().start == token.end else { return nil }
        let number = token.span.joined(peek().span)
        return Mistake(
            .malformedNumber, at: number, text(number), "write 0\(text(number))",
            fixIts: .fix(SourceSpan(number.start, number.start), "0"))
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
        guard operatorWord(token) != nil, isComparison(peek()) || peek().kind == .dot else { return nil }
        return reserved(token.span)
    }

    private func reserved(_ span: SourceSpan) -> Mistake {
        let word = text(span)
        return Mistake(
            .reservedWord, at: span, word.uppercased(), word, suggestion: "#\(word)",
            fixIts: .fix(SourceSpan(span.start, span.start), "#"))
    }

    /// `OR(a == 1, b == 2)` of spreadsheets.
    func conjunctionCall() -> Mistake? {
        let token = self.token
        guard token.kind == .and || token.kind == .or, bytes[token.start].beginsWord, byte(token.end) == "("
        else { return nil }
        var fixIts: [PredicateDiagnostic.FixIt] = []
        // The word of each open bracket, nil for brackets without one.
        var words: [String?] = []
        var word: String?
        for next in tokens[index...].prefix(64) {
            switch next.kind {
            case .and, .or:
                guard byte(next.end) == "(" else { break }
                word = text(next.span)
                fixIts.append(.init(next.span, ""))
            case .leftParenthesis, .leftBrace, .leftBracket:
                words.append(word)
                word = nil
            case .rightParenthesis, .rightBrace, .rightBracket: _ = words.popLast()
            case .comma: if let word = words.last ?? nil { fixIts.append(.init(next.span, " \(word)")) }
            default: break
            }
            if words.isEmpty, word == nil { break }
        }
        guard isRepaired(by: fixIts) else { return nil }
        return Mistake(
            .expectedExpression, at: token.span, foundText, "write \(text(token.span)) between the conditions",
            fixIts: fixIts)
    }

    /// `== ANY tags`
    func quantifierOnTheRight() -> Mistake? {
        guard case .keyword(let keyword) = token.kind, isQuantifier(token),
            case .comparison = pending?.kind, let sign = pending?.span, let left = operands.last,
            case .expression(let node) = left.item, case .keyPath = node.kind
        else { return nil }
        return Mistake(
            .expectedExpression, at: token.span, foundText,
            suggestion: "\(keyword.rawValue) \(abbreviated(left.span)) \(text(sign)) …")
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

    /// `->`, `+=` and `++` at their second sign.
    func doubledSign() -> Mistake? {
        guard case .binary(let sign) = pending?.kind, isGlued, let first = pending?.span,
            first.end == token.start
        else { return nil }
        let both = first.joined(token.span)
        if sign == .subtract, text(both) == "->", peek().kind == .identifier {
            return Mistake(
                .unexpectedCharacter, at: both, "->", suggestion: path(across: both), fixIts: .fix(both, "."))
        }
        guard ["+=", "-=", "*=", "/=", "++"].contains(text(both)) else { return nil }
        return Mistake(
            .unknownOperator, at: both, text(both),
            isPart ? "write one sign, and a value after it" : "a predicate changes no values: compare with ==, < or >")
    }

    /// `.name` and the second dot of `a..b`.
    func extraDot() -> Mistake? {
        guard token.kind == .dot, peek().kind == .identifier, peek().start == token.end else { return nil }
        return Mistake(
            .expectedExpression, at: token.span, foundText, suggestion: text(peek().span),
            fixIts: .fix(token.span, ""))
    }

    /// `+3`. Numbers have no plus sign.
    func plusSign() -> Mistake? {
        guard token.kind == .binary(.add), let chunk = unquotedChunk(from: token.start), chunk.count > 1
        else { return nil }
        let digits = SourceSpan(chunk.start + 1, chunk.end)
        guard bytes[digits.start].isDigit else { return nil }
        guard bytes[digits.range].allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else {
            return isWaitingForText ? asText(chunk) : nil
        }
        return Mistake(
            .expectedExpression, at: token.span, foundText, suggestion: text(digits),
            fixIts: .fix(token.span, ""))
    }

    /// `count(*)`
    func allOfCall() -> Mistake? {
        guard token.kind == .binary(.multiply), case .call = frame.kind,
            peek().kind == .rightParenthesis
        else { return nil }
        return Mistake(.expectedExpression, at: token.span, foundText, "name a key: items.@count")
    }

    /// `<#text#>`, which an editor inserts in place of a part that is still to be written.
    func placeholder() -> Mistake? {
        let start = token.start
        guard byte(start) == "<", byte(start + 1) == "#",
            let end = bytes.indices.dropFirst(start + 2).first(where: { byte($0) == "#" && byte($0 + 1) == ">" })
        else { return nil }
        let span = SourceSpan(start, end + 2)
        return Mistake(.unexpectedText, at: span, "the placeholder '\(abbreviated(span))'", "replace it")
            .reading(asValue: span)
    }

    /// The key path with a dot instead of another sign: `person.name` for `person->name`.
    func path(across sign: SourceSpan) -> String {
        let before = bytes[..<sign.start].reversed().prefix { $0.isOfWord }.count
        let key = SourceSpan(sign.start - before, sign.start)
        return text(key) + "." + text(SourceSpan(sign.end, wordEnd(sign.end)))
    }

    // MARK: Words

    /// `name: 'x'`, `age::int`, `http://x`, which begin with a selector.
    func foreignSelector() -> Mistake? {
        let span = token.span
        guard token.kind == .selector else { return nil }
        let key = SourceSpan(span.start, span.end - 1)
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
        if byte(span.end) == ":" { return doubleColon(span) }
        return Mistake(
            .expectedExpression, at: span, "'\(text(span))'",
            frame.kind == .aggregate ? "pass a dictionary for %@" : "remove the colon, or write ==")
    }

    private func doubleColon(_ span: SourceSpan) -> Mistake {
        let key = SourceSpan(span.start, span.end - 1)
        let end = wordEnd(span.end + 1)
        let word = text(SourceSpan(span.end + 1, end))
        let colons = SourceSpan(key.end, span.end + 1)
        if let type = SyntaxSelector.castClass(ofSQL: word) {
            let start = followsDot ? leftSide.start : key.start
            let meant = "CAST(\(text(SourceSpan(start, key.end))), \"\(type)\")"
            return Mistake(
                .sqlOperator, at: SourceSpan(key.end, end), "'::\(word)'", meant,
                fixIts: .fix(SourceSpan(start, end), meant))
        }
        return Mistake(
            .unexpectedCharacter, at: colons, "::", suggestion: path(across: colons), fixIts: .fix(colons, "."))
    }

    func equality(_ span: SourceSpan) -> Mistake { .operatorMeant(self, span, "==") }

    /// A reserved word in place of a value.
    func reservedWord() -> Mistake? {
        guard case .keyword(let keyword) = token.kind else { return nil }
        let span = token.span
        let word = text(span)
        switch keyword {
        case .any, .some, .all, .none: return nil
        case .subquery, .cast, .ternary, .function, .fetch:
            if startsOperand(peek().kind) {
                return Mistake(.expectedOperator, at: span, "'\(word)' without parentheses", "write \(keyword.form)")
            }
        case .first, .last, .size:
            guard peek().kind == .leftParenthesis else {
                return Mistake(
                    .indexSymbol, at: span, keyword.rawValue, word,
                    fixIts: .fix(SourceSpan(span.start, span.start), "#"))
            }
            let key =
                index + 2 < tokens.count && tokens[index + 2].kind == .identifier
                ? text(tokens[index + 2].span) : "list"
            let meant = keyword == .size ? "\(key).@count" : "\(key)[\(keyword.rawValue)]"
            return Mistake(.unknownFunction, at: span, word, suggestion: meant)
        default: break
        }
        let unused: Set<Keyword> = [.caseInsensitive, .ci, .apply, .boundedBy]
        return Mistake(
            unused.contains(keyword) ? .unusedWord : .reservedWord, at: span, keyword.rawValue, word,
            fixIts: .fix(SourceSpan(span.start, span.start), "#"))
    }

    /// `@sum(x.y)` and `@count()`, which the lexer reads as a term of device management.
    func wrongTerm() -> Mistake? {
        guard token.kind == .term else { return nil }
        let span = token.span
        let body = text(SourceSpan(span.start + 1, span.end))
        let end = body.unicodeScalars.firstIndex(of: "(") ?? body.endIndex
        let name = String(body[..<end])
        let argument = Substring(body.unicodeScalars[end...].dropFirst().dropLast(body.hasSuffix(")") ? 1 : 0))
        guard !["status", "property", "key"].contains(name) else {
            return Mistake(.deviceManagementTerm, at: span, text(span))
        }
        let call = SourceSpan(span.start + 1 + name.utf8.count, span.end)
        let path = argument.trimmingSpaces
        guard !path.isEmpty, path.utf8.allSatisfy({ $0.isOfWord || $0 == UInt8(ascii: ".") }) else {
            return Mistake(.unexpectedText, at: call, "'\(abbreviated(call))'", fixIts: .fix(call, ""))
        }
        var keys = path.split(separator: ".").map(String.init)
        if name == "count" { keys.append("@" + name) } else { keys.insert("@" + name, at: max(0, keys.count - 1)) }
        let meant = followsDot ? "@\(name).\(path)" : keys.joined(separator: ".")
        return Mistake(
            .unexpectedText, at: call, "'\(abbreviated(call))'", suggestion: meant, fixIts: .fix(span, meant))
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
        // CONTAINS tests for one element.
        if let sign = operators.last(where: { $0.span.end <= opener.start }),
            case .comparison(.contains, let options) = sign.kind, options.isEmpty, sign.firstOperand < operands.count,
            sign.span.end >= (tokens.last { $0.end <= opener.start }?.end ?? 0)
        {
            let left = operands[sign.firstOperand].span
            let isQuantified = operators.contains {
                if case .quantifier = $0.kind { $0.span.end <= left.start } else { false }
            }
            let any = isQuantified ? "" : "ANY "
            return Mistake(
                .listBrackets, at: opener.span, "",
                suggestion: "\(any)\(abbreviated(left)) IN {\(abbreviated(items))}",
                fixIts: [.init(SourceSpan(left.start, left.start), any), .init(sign.span, "IN")] + fixIts)
        }
        return Mistake(.listBrackets, at: opener.span, abbreviated(items), fixIts: fixIts)
    }

    /// `[name]`, a quoted name of SQL Server, and `[NSDate date]`, an Objective-C message.
    private func bracketedWord() -> Mistake? {
        guard let list = bracketed(token) else { return nil }
        var ahead = following
        let first = ahead.next()
        let second = ahead.next()
        guard first.kind == .identifier else { return nil }
        if second.end == list.end {
            guard isComparison(ahead.next()) else { return nil }
            return Mistake(
                .unexpectedText, at: list, "'\(text(list))'", suggestion: text(first.span),
                fixIts: .fix(list, text(first.span)))
        }
        guard second.kind == .identifier || second.kind == .selector else { return nil }
        let words = text(SourceSpan(list.start + 1, list.end - 1))
        if !words.hasPrefix("NS"), words.utf8.allSatisfy({ $0.isOfWord || $0 == UInt8(ascii: " ") }),
            let next = tokens.first(where: { $0.start >= list.end }), isComparison(next)
        {
            let meant = SyntaxSelector.key(words)
            return Mistake(
                .unexpectedText, at: list, "'\(text(list))'", suggestion: meant, fixIts: .fix(list, meant))
        }
        return Mistake(
            .unexpectedText, at: list, "'\(abbreviated(list))'", "pass the value for %@: messages cannot be sent"
        ).reading(asValue: list)
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
            if let before = pending, before.precedence <= .and { return "remove one of the two" }
            return hasPending ? "write a value before \(written(token.span))" : "remove \(written(token.span))"
        case .comparison:
            if let left = leftOfComparisonBefore {
                return "write the key again: \(left.quantifier)\(abbreviated(left.key)) \(written(token.span)) …"
            }
            return "write what is compared: a key, or SELF \(written(token.span)) …"
        case .end, .rightParenthesis:
            switch pending?.kind {
            case .and, .or: return "write a condition after \(written(pending?.span ?? .none)), or remove it"
            case .not, .quantifier: return "write a comparison after \(written(pending?.span ?? .none))"
            case .comparison: return "write a key or a value after \(written(pending?.span ?? .none))"
            default: return ""
            }
        case .not:
            guard case .quantifier(let keyword) = pending?.kind, let dual = keyword.ofNegation else { return "" }
            return "write \(dual)"
        case .comma: return "remove it, or write a value before it"
        case .keyword where isQuantifier(token): return "remove it: one quantifier tests all lists of a path"
        case .rightBracket, .binary(.multiply):
            guard frame.kind == .index, !hasPending else { return "" }
            return "write an index: 0, FIRST or LAST; for any element write ANY before the key"
        default: return ""
        }
    }

    private var leftOfComparisonBefore: (quantifier: String, key: SourceSpan)? {
        guard case .predicate(let node) = operands.last?.item, case .comparison(let before) = node.kind,
            hasPending, !before.left.span.isEmpty
        else { return nil }
        return (before.modifier == .direct ? "" : before.modifier.spelling + " ", before.left.span)
    }

    /// The fix-it for a conjunction with a condition missing on one side: remove it.
    private var missingPartFixIts: [PredicateDiagnostic.FixIt] {
        let token = self.token
        switch token.kind {
        case .not:
            guard let before = pending, case .quantifier(let keyword) = before.kind, let dual = keyword.ofNegation
            else { return [] }
            return .fix(before.span.joined(token.span), byte(token.end) != " " ? dual + " " : dual)
        case .comparison:
            guard let left = leftOfComparisonBefore else { return [] }
            let key = left.quantifier + text(left.key) + " "
            let fixIts = [PredicateDiagnostic.FixIt(SourceSpan(token.start, token.start), key)]
            return isRepaired(by: fixIts) ? fixIts : []
        case .and, .or:
            let removed = PredicateDiagnostic.FixIt(SourceSpan(token.start, peek().start), "")
            if let before = pending { return before.precedence <= .and ? [removed] : [] }
            return operands.count == operandBase ? [removed] : []
        default: return []
        }
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
        let base = abbreviated(
            operands[operators[first].firstOperand].span.joined(operands[operands.count - 1].span))
        if let list = bracketed(peek()), bytes[list.range].contains(UInt8(ascii: "{")) {
            return Mistake(
                .unknownFunction, at: token.span, word,
                "write ANY \(base).key == …, or SUBQUERY(\(base), $x, $x.key == …).@count > 0")
        }
        return Mistake(
            .unknownFunction, at: token.span, word,
            suggestion: Vocabulary.comparison(forMethod: word).map { "\(base) \($0) …" })
    }
}
