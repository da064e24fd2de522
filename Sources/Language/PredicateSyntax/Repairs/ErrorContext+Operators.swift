// Mistakes where an operator, a comma or a closing bracket was expected.

extension ErrorContext {
    func expectedOperator() -> Mistake {
        if isComparisonComplete, token.kind != .error(.unexpectedCharacter) {
            return Mistake(.missingConjunction, at: token.span)
        }
        if token.kind == .conversion {
            return Mistake(
                .expectedOperator, at: token.span, foundText,
                "an argument is a value: write the operator in the format")
        }
        return Mistake(
            .expectedOperator, at: token.span, foundText, isPart ? "write an operator, such as + or *" : "")
    }

    // MARK: Comparisons

    /// `a == 1 & b == 2` at the second comparison.
    func bitSignBetweenComparisons() -> Mistake? {
        guard case .comparison = token.kind,
            let sign = operators[operatorBase...].last(where: { $0.precedence <= .bitwiseAnd }),
            case .binary(let kind) = sign.kind, let logical = kind.logicalSpelling,
            operators.contains(where: { if case .comparison = $0.kind { true } else { false } })
        else { return nil }
        return Mistake(
            .logicalOperator, at: sign.span, kind.spelling, logical, fixIts: .fix(sign.span, logical))
    }

    /// `(a == 1) | (b == 2)`
    func bitSignBetweenConditions(_ operand: PredicateParser.Operand, _ sign: PredicateParser.PendingOperator?)
        -> Mistake?
    {
        guard let sign, case .binary(let kind) = sign.kind, let logical = kind.logicalSpelling,
            operand.span.end <= sign.span.start
        else { return nil }
        return Mistake(
            .logicalOperator, at: sign.span, kind.spelling, logical, fixIts: .fix(sign.span, logical))
    }

    /// `tags[0 == 'a'` at the comparison: a comparison cannot stand in an index, so its `]` is missing.
    func unclosedIndex() -> Mistake? {
        guard isComparison(token), isUnclosedIndex else { return nil }
        let end = SourceSpan(previous.end, previous.end)
        return Mistake(
            .unclosedBracket, at: frame.opener, written(frame.opener), "write ] after the index",
            fixIts: .fix(end, "]"))
    }

    /// `a < b < c`, which means `a < b AND b < c` in other languages.
    func chain() -> Mistake? {
        guard isComparison(token) else { return nil }
        let span = token.span
        let middle = leftSide
        // NOT and ANY belong to one comparison only: `NOT 1 < a AND a < 5` has another meaning.
        let isPrefixed = operators[operatorBase...].contains { $0.precedence == .not || $0.precedence == .quantifier }
        guard middle.end <= span.start, middle.count <= 40, !isPrefixed, startsOperand(peek().kind) else {
            return Mistake(.chainedComparison, at: span, "use AND, or BETWEEN { , }")
        }
        // Not read with its correction: the rest is seldom what was meant.
        return Mistake(
            .chainedComparison, at: span, "write AND \(written(middle)) \(written(span)) …",
            fixIts: [
                .init(
                    SourceSpan(span.start, span.start), (middle.end == span.start ? " " : "") + "AND \(text(middle)) ")
            ]
        ).skipping
    }

    // MARK: Lists

    func comma() -> Mistake? {
        guard token.kind == .comma else { return nil }
        switch frame.kind {
        case .parenthesis where !hasPending && operands.count == operandBase + 1:
            return wrongList(Token(kind: .leftParenthesis, span: frame.opener))
        case .root: return bareList()
        case .parenthesis where isComparisonComplete: return bareList()
        default:
            return Mistake(
                .unexpectedText, at: token.span, "','", frame.kind == .index ? "an index is one number" : "")
        }
    }

    /// `a IN 1, 2, 3`, `a == 1, b == 2` and `a == 1,000`.
    private func bareList() -> Mistake {
        let token = self.token
        if let number = decimalComma() { return number }
        if isComparisonComplete, beginsComparison() {
            return Mistake(.missingConjunction, at: token.span, suggestion: "AND", fixIts: .fix(token.span, " AND"))
        }
        if peek().kind == .end {
            return Mistake(.unexpectedText, at: token.span, "','", "remove it", fixIts: .fix(token.span, ""))
        }
        guard isComparisonComplete else { return Mistake(.unexpectedText, at: token.span, "','") }
        let list = SourceSpan(operands.last?.span.start ?? token.start, endOfBareList())
        var fixIts: [PredicateDiagnostic.FixIt] = [
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
        return Mistake(.listBrackets, at: token.span, abbreviated(list), suggestion: meant, fixIts: fixIts).skipping
    }

    /// The end of a list without brackets. The current token is its first comma.
    private func endOfBareList() -> Int {
        var end = token.start
        for next in tokens[(index + 1)...].prefix(64) {
            switch next.kind {
            case .end, .rightParenthesis, .rightBracket, .rightBrace, .and, .or:
                return end
            case .comma: continue
            default: end = next.end
            }
        }
        return end
    }

    /// `{1 5}`, two values without a comma.
    private func missingComma() -> Mistake? {
        switch frame.kind {
        case .aggregate, .call, .special: if hasPending { return nil }
        default: return nil
        }
        let gap = SourceSpan(previous.end, previous.end)
        return Mistake(.expectedOperator, at: token.span, foundText, "insert a comma", fixIts: .fix(gap, ","))
    }

    // MARK: Values and errors behind a value

    func valueBehindOperand() -> Mistake? {
        switch token.kind {
        case .integer, .floatingPoint, .string, .conversion, .variable:
            return (token.kind == .string ? missingOpeningQuote() : nil) ?? textBehindWord() ?? splitNumber()
                ?? unquotedTime()
                ?? dollarOperator() ?? missingComma()
        default: return nil
        }
    }

    func conversionBehindOperand() -> Mistake? {
        let token = self.token
        guard token.kind == .conversion else { return nil }
        if previous.kind == .conversion, isGlued, token.span.count == 2 {
            return Mistake(.adjacentArgument, at: token.span, text(previous.span))
        }
        guard bytes[min(token.start + 1, bytes.count - 1)].isDigit || token.span.count == 1 || text(token.span) == "%%"
        else { return nil }
        return percentPattern() ?? unitSign()
            ?? Mistake(.unknownConversion, at: token.span, text(token.span), "the remainder is modulus:by:(a, b)")
    }

    func errorBehindOperand() -> Mistake? {
        guard case .error(let error) = token.kind else { return nil }
        switch error {
        case .unterminatedString where previous.kind == .integer && isGlued:
            return splitNumber() ?? lexicalError(expectsOperand: false)
        case .unterminatedString where previous.kind == .string && isGlued: return quoteMistake()
        case .nonASCIIKey where previous.kind == .string && isGlued: return quoteMistake()
        case .comment, .unknownOperator, .unterminatedString, .xmlEntity, .unexpectedCharacter:
            return lexicalError(expectsOperand: false)
        case .typographicQuote, .nonASCIIKey, .malformedNumber, .hole:
            return Mistake(
                isComparisonComplete ? .missingConjunction : .expectedOperator, at: token.span, foundText)
        }
    }

    /// `pets@count` and `pets @count` at the operator of a key path.
    func missingDot() -> Mistake? {
        guard token.kind == .atWord, !isComparisonComplete, let operand = operands.last,
            case .expression(let node) = operand.item
        else { return nil }
        switch node.kind {
        case .keyPath, .subquery, .member, .selfObject, .variable: break
        default: return nil
        }
        let gap = SourceSpan(operand.span.end, token.start)
        return Mistake(
            .expectedOperator, at: token.span, foundText,
            suggestion: "\(abbreviated(operand.span)).\(text(token.span))", fixIts: .fix(gap, "."))
    }

    /// `#keyPath(Person.age)` after its name.
    func keyPathMacro() -> Mistake? {
        guard token.kind == .leftParenthesis, text(previous.span) == "#keyPath",
            let list = bracketed(token)
        else { return nil }
        let whole = previous.span.joined(list)
        var keys = text(SourceSpan(list.start + 1, list.end - 1)).trimmingSpaces.split(separator: ".")
            .map(String.init)
        if keys.count > 1, keys[0].first?.isUppercase ?? false { keys.removeFirst() }
        let path = keys.joined(separator: ".")
        return Mistake(
            .unexpectedText, at: whole, "'\(abbreviated(whole))'", suggestion: path, fixIts: .fix(whole, path))
    }

    /// `pets.any(age > 3)` and `pets.contains { $0.age > 3 }` at the bracket.
    func closure() -> Mistake? {
        guard token.kind == .leftParenthesis || token.kind == .leftBrace,
            let end = bracketed(token)?.end
        else { return nil }
        let before = previous.end
        let start =
            bytes[..<before].lastIndex { !$0.isOfWord && $0 != UInt8(ascii: ".") }.map { $0 + 1 } ?? 0
        let path = text(SourceSpan(start, before)).split(separator: ".")
        guard path.count > 1, let method = path.last, Vocabulary.closures.contains(method.lowercased()) else {
            return nil
        }
        let base = path.dropLast().joined(separator: ".")
        let quantifier = ["all", "every", "allsatisfy"].contains(method.lowercased()) ? "ALL" : "ANY"
        return Mistake(
            .unknownFunction, at: SourceSpan(before - method.utf8.count, end), "\(method)",
            "write \(quantifier) \(base).key == …, or SUBQUERY(\(base), $x, $x.key == …).@count > 0")
    }

    // MARK: Brackets

    /// A closing bracket of the wrong kind, or none at the end of the text.
    func closing() -> Mistake? {
        let token = self.token
        let frame = self.frame
        if token.kind == .end { return unclosed() }
        if let options = optionsBehindSign() { return options }
        if frames.contains(where: { parser.closing($0.kind) == token.kind && $0.kind != .root }) {
            return Mistake(.unclosedBracket, at: frame.opener, written(frame.opener))
        }
        guard let expected = Self.closingMark(parser.closing(frame.kind)),
            frame.kind != .index || operands.count > operandBase
        else {
            let closings = tokens[index...].prefix(8).prefix {
                [.rightParenthesis, .rightBracket, .rightBrace].contains($0.kind)
            }.map { $0.span }
            let fixIts = closings.map { PredicateDiagnostic.FixIt($0, "") }
            // At the top level all of them lack an opening bracket.
            let whole = frame.kind == .root ? token.span.joined(closings.last ?? token.span) : token.span
            // After another error this correction alone cannot repair the text.
            let isRepaired = !found.contains { $0.severity == .error } && isRepaired(by: fixIts)
            var mistake = Mistake(.unexpectedClosing, at: whole, text(whole), fixIts: isRepaired ? fixIts : [])
            mistake.next = .read(.fix(whole, " "))
            return mistake
        }
        return Mistake(
            .unexpectedClosing, at: token.span, text(token.span), suggestion: expected,
            fixIts: .fix(token.span, expected))
    }

    static func closingMark(_ kind: TokenKind) -> String? {
        switch kind {
        case .rightBrace: "}"
        case .rightBracket: "]"
        case .rightParenthesis: ")"
        default: nil
        }
    }

    /// An open bracket at the end of the text. At most three are reported, and none with an error inside, which may be
    /// the reason why the bracket is not closed. The fix that closes all of them belongs to the outermost.
    private func unclosed() -> Mistake? {
        let opener = map.original(frame.opener)
        let isExplained = found.contains {
            $0.severity == .error && $0.span.start > opener.start && $0.id != .unclosedBracket
        }
        let reported = found.reversed().prefix { $0.id == .unclosedBracket }.count
        guard !isExplained, reported < 3 else { return nil }
        return Mistake(
            .unclosedBracket, at: frame.opener, written(frame.opener),
            fixIts: frames.count == 2 ? closingFixIts : []
        ).skipping
    }

    /// The fix that closes all open brackets at the end of the text; empty if that does not repair it.
    private var closingFixIts: [PredicateDiagnostic.FixIt] {
        guard let last = bytes.lastIndex(where: { !$0.isSpace }) else { return [] }
        var open: [TokenKind] = []
        for token in tokens {
            switch token.kind {
            case .leftParenthesis: open.append(.rightParenthesis)
            case .leftBracket: open.append(.rightBracket)
            case .leftBrace: open.append(.rightBrace)
            case .rightParenthesis, .rightBracket, .rightBrace: if open.last == token.kind { open.removeLast() }
            default: break
            }
        }
        let marks = open.reversed().compactMap(Self.closingMark).joined()
        guard !marks.isEmpty, open.count <= 8, corrected(text(SourceSpan(0, last + 1)) + marks) != nil else {
            return []
        }
        return .fix(SourceSpan(last + 1, last + 1), marks)
    }
}
