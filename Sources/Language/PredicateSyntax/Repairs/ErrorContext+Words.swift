// A word or NOT after a value: operators and phrases of other languages, SQL, spelling.

extension ErrorContext {
    func wordBehindOperand() -> Mistake? {
        switch token.kind {
        case .identifier, .keyword: return gluedConjunction() ?? word()
        default: return nil
        }
    }

    private func word() -> Mistake? {
        percentPattern() ?? selectedList() ?? sql() ?? (isComparisonComplete ? unquotedText() : nil) ?? operatorName()
            ?? otherWord()
    }

    /// `ANDmp_varC = …`, a conjunction without a space after it.
    func gluedConjunction() -> Mistake? {
        guard token.kind == .identifier, isComparisonComplete else { return nil }
        let span = token.span
        let word = text(span)
        for spelling in ["AND", "OR"] where word.uppercased().hasPrefix(spelling) && word.utf8.count > spelling.count {
            guard isComparison(peek()) || byte(span.end) == "." else { continue }
            let end = span.start + spelling.utf8.count
            return Mistake(
                .missingSpace, at: span, word, "\(word.prefix(spelling.count)) \(word.dropFirst(spelling.count))",
                fixIts: .fix(SourceSpan(end, end), " "))
        }
        return nil
    }

    /// `LIKE %Ann%` after `%A`, which is a conversion.
    func percentPattern() -> Mistake? {
        guard previous.kind == .conversion, isGlued, case .comparison = pending?.kind else { return nil }
        let start = previous.span.start
        let end = bytes[start...].firstIndex { $0 <= 0x20 } ?? bytes.count
        let chunk = SourceSpan(start, end)
        guard bytes[end - 1] == UInt8(ascii: "%") else { return nil }
        // `LIKE %@%`
        if text(previous.span) == "%@" { return Mistake(.adjacentArgument, at: token.span, text(previous.span)) }
        let meant = "\"" + text(chunk).map { $0 == "%" ? "*" : String($0) }.joined() + "\""
        return Mistake(.unquotedText, at: chunk, text(chunk), suggestion: meant, fixIts: .fix(chunk, meant))
    }

    /// `a BETWEEN 1 AND 5` at the value behind AND.
    func sqlBetween(_ operand: PredicateParser.Operand, _ before: PredicateNode?) -> Mistake? {
        guard let last = tokens.firstIndex(where: { $0.start == operand.span.start }), last > 0,
            tokens[last - 1].kind == .and, last + 1 < tokens.count, endsCondition(tokens[last + 1]),
            case .comparison(let node) = before?.kind, node.operator == .between
        else { return nil }
        switch node.right.kind {
        case .value, .argument: break
        default: return nil
        }
        let bounds = "{\(text(node.right.span)), \(text(tokens[last].span))}"
        return Mistake(
            .sqlOperator, at: node.operatorSpan.joined(tokens[last].span), "'BETWEEN … \(upper(tokens[last - 1])) …'",
            "BETWEEN \(bounds)", fixIts: .fix(node.right.span.joined(tokens[last].span), bounds))
    }

    /// `id IN (SELECT person FROM orders)` behind SELECT.
    private func selectedList() -> Mistake? {
        guard upper(previous) == "SELECT", let opener = before(2), opener.kind == .leftParenthesis,
            let sign = before(3), sign.kind == .comparison(.in), let list = bracketed(opener),
            let from = tokens.firstIndex(where: { $0.start > token.start && upper($0) == "FROM" })
        else { return nil }
        let rows = text(tokens[min(from + 1, tokens.count - 1)].span)
        let whole = sign.span.joined(list)
        let isWhole = after(1) == tokens[from] && after(3).kind == .rightParenthesis
        let meant = isWhole ? "IN \(rows).\(text(token.span))" : "SUBQUERY(\(rows), $x, …).@count > 0"
        let mistake = Mistake(
            .sqlOperator, at: whole, "'\(abbreviated(whole))'", meant, fixIts: isWhole ? .fix(whole, meant) : [])
        return isWhole ? mistake : mistake.stopping
    }

    /// `ORDER BY`, `IS NULL`, `ILIKE` …
    private func sql() -> Mistake? {
        let span = token.span
        switch upper(token) {
        case "ORDER", "GROUP", "LIMIT", "SORT", "DISTINCT":
            let next = peek()
            let isLimit = upper(token) == "LIMIT" && next.kind == .integer
            // Realm writes `SORT(age DESC)` and `LIMIT(2)`.
            guard isComparisonComplete || previous.kind == .keyword(.truePredicate),
                isLimit || upper(next) == "BY" || next.kind == .leftParenthesis
            else {
                return nil
            }
            if next.kind == .leftParenthesis {
                return Mistake(.unexpectedText, at: span, "'\(text(span))'", "write only the condition").stopping
            }
            let clause = isLimit ? span : span.joined(next.span)
            return Mistake(.sqlOperator, at: clause, "'\(text(clause))'", "only the condition").stopping
        default: return TokenPattern.first(TokenPattern.sql, self)
        }
    }

    /// Operators by another name or with wrong spelling, as `equals` and `BEGINWITH`.
    private func operatorName() -> Mistake? {
        let (span, next) = nameOfOperator
        let word = text(span)
        let first = upper(token)
        let begun = token.span.count > 2 ? Keywords.operatorWords.first { $0.hasPrefix(first) } : nil
        if let begun, next.kind == .end, !isComparisonComplete {
            return Mistake(.unknownOperator, at: span, word, "write \(begun), and a value after it")
        }
        guard startsOperand(next.kind) else { return nil }
        if first == "X", previous.kind != .string, [.integer, .floatingPoint].contains(next.kind) {
            return .operatorMeant(self, span, "*")
        }
        let conjunction = isComparisonComplete ? Suggestions.nearest(to: word, in: ["AND", "OR"]) : nil
        let known =
            Vocabulary.operators[first] ?? begun
            ?? (Vocabulary.foreign.contains(first)
                ? nil : conjunction ?? Suggestions.nearest(to: word, in: Keywords.operatorWords + ["AND", "OR"]))
        return known.map { .operatorMeant(self, span, $0) }
    }

    /// The word, or two as in `BEGINS WITH` and `EQUAL TO`, and the token behind.
    private var nameOfOperator: (SourceSpan, Token) {
        var ahead = following
        let next = ahead.next()
        guard ["WITH", "TO"].contains(upper(next)), Vocabulary.operators.keys.contains(upper(token)) else {
            return (token.span, next)
        }
        return (token.span.joined(next.span), ahead.next())
    }

    private func otherWord() -> Mistake {
        let (span, next) = nameOfOperator
        if let product = product() { return product }
        if isComparisonComplete { return Mistake(.missingConjunction, at: span) }
        if let key = keyOfWords() { return key }
        if startsOperand(next.kind) {
            return Mistake(.unknownOperator, at: span, text(span), "write one of == != < > IN LIKE CONTAINS BETWEEN …")
        }
        return unquotedText() ?? expectedOperator()
    }

    /// `>= 0.9 staff.@count` at the key: a product without its sign.
    private func product() -> Mistake? {
        guard previous.kind == .integer || previous.kind == .floatingPoint else { return nil }
        let end = bytes[token.start...].firstIndex { $0 <= 0x20 || ")},".utf8.contains($0) } ?? bytes.count
        let path = SourceSpan(token.start, end)
        var rest = tokens(from: end)
        guard text(path).contains(".@"), endsCondition(rest.next()) else { return nil }
        return Mistake(
            .expectedOperator, at: token.span, foundText, "write * between \(text(previous.span)) and \(text(path))"
        ).reading(SourceSpan(token.start, token.start), as: "* ")
    }

    // MARK: NOT

    func notBehindOperand() -> Mistake? {
        guard token.kind == .not else { return nil }
        let span = token.span
        let next = peek()
        let both = span.joined(next.span)
        if let mark = TokenPattern.first(TokenPattern.operator, self) { return mark }
        guard isComparison(next), !isComparisonComplete || operatorWord(next) != nil else {
            return Mistake(isComparisonComplete ? .missingConjunction : .expectedOperator, at: span, foundText)
        }
        let meant = negated(upper(next))
        return Mistake(
            .sqlOperator, at: both, "'\(text(both))'", meant.suggestion,
            fixIts: meant.fixIts + .fix(SourceSpan(span.start, next.start), ""))
    }
}
