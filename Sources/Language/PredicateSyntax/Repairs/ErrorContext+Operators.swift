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
        return Mistake(.expectedOperator, at: token.span, foundText, isPart ? "write an operator, such as + or *" : "")
    }

    // MARK: Comparisons

    /// `a == 1 & b == 2` at the second comparison.
    func bitSignBetweenComparisons() -> Mistake? {
        guard case .comparison = token.kind,
            let sign = operators[operatorBase...].last(where: { $0.precedence <= .bitwiseAnd }),
            case .binary(let kind) = sign.kind, let logical = kind.logicalSpelling,
            operators.contains(where: { if case .comparison = $0.kind { true } else { false } })
        else { return nil }
        return Mistake(.logicalOperator, at: sign.span, kind.spelling, logical, fixIts: .fix(sign.span, logical))
    }

    /// `a < b < c`
    func chain() -> Mistake? {
        isComparison(token) ? Mistake(.chainedComparison, at: token.span, "use AND, or BETWEEN { , }") : nil
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
            return Mistake(.unexpectedText, at: token.span, "','", frame.kind == .index ? "an index is one number" : "")
        }
    }

    /// `a IN 1, 2, 3`
    private func bareList() -> Mistake {
        let next = peek()
        if next.kind == .end {
            return Mistake(.unexpectedText, at: token.span, "','", "remove it", fixIts: .fix(token.span, ""))
        }
        guard case .comparison(let sign, _) = pending?.kind, sign == .in || sign == .between, !isWaiting else {
            // A decimal comma; before three digits it may separate thousands.
            if previous.kind == .integer, next.kind == .integer, next.start == previous.end + 1, next.span.count != 3 {
                let (whole, number) = (previous.span.joined(next.span), text(previous.span) + "." + text(next.span))
                return Mistake(
                    .malformedNumber, at: whole, text(whole), suggestion: number, fixIts: .fix(token.span, "."))
            }
            return Mistake(.unexpectedText, at: token.span, "','")
        }
        let list = SourceSpan(operands.last?.span.start ?? token.start, endOfBareList())
        let fixIts: [PredicateDiagnostic.FixIt] = [
            .init(SourceSpan(list.start, list.start), "{"), .init(SourceSpan(list.end, list.end), "}"),
        ]
        return Mistake(.listBrackets, at: token.span, abbreviated(list), fixIts: fixIts).skipping
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
        case .aggregate, .call, .special: if hasPending || token.kind == .string && isGlued { return nil }
        default: return nil
        }
        let gap = SourceSpan(previous.end, previous.end)
        return Mistake(.expectedOperator, at: token.span, foundText, "insert a comma", fixIts: .fix(gap, ","))
    }

    // MARK: Values and errors behind a value

    func valueBehindOperand() -> Mistake? {
        switch token.kind {
        case .integer, .floatingPoint, .string, .conversion, .variable:
            return unquotedTime() ?? missingComma()
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
        return percentPattern()
            ?? Mistake(.unknownConversion, at: token.span, text(token.span), "the remainder is modulus:by:(a, b)")
    }

    func errorBehindOperand() -> Mistake? {
        guard case .error(let error) = token.kind else { return nil }
        switch error {
        case .unterminatedString where previous.kind == .string && isGlued: return quoteMistake()
        case .nonASCIIKey where previous.kind == .string && isGlued: return quoteMistake()
        case .comment, .unknownOperator, .unterminatedString, .xmlEntity, .unexpectedCharacter:
            return lexicalError(expectsOperand: false)
        case .typographicQuote, .nonASCIIKey, .malformedNumber, .hole:
            return Mistake(isComparisonComplete ? .missingConjunction : .expectedOperator, at: token.span, foundText)
        }
    }

    // MARK: Brackets

    /// A closing bracket of the wrong kind, or none at the end of the text.
    func closing() -> Mistake? {
        let token = self.token
        let frame = self.frame
        if token.kind == .end { return unclosed() }
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
    /// the reason why the bracket is not closed. The fix that closes all of them belongs to the innermost.
    private func unclosed() -> Mistake? {
        let opener = map.original(frame.opener)
        let isExplained = found.contains {
            $0.severity == .error && $0.span.start > opener.start && $0.id != .unclosedBracket
                && $0.id != .listBrackets
        }
        let reported = found.reversed().prefix { $0.id == .unclosedBracket }.count
        guard !isExplained, reported < 3 else { return nil }
        return Mistake(
            .unclosedBracket, at: frame.opener, written(frame.opener),
            fixIts: reported == 0 ? closingFixIts : []
        ).skipping
    }

    /// The fix that closes all open brackets at the end of the text; empty if that does not repair it.
    private var closingFixIts: [PredicateDiagnostic.FixIt] {
        guard let last = bytes.lastIndex(where: { !$0.isSpace }) else { return [] }
        let open = frames.dropFirst()
        let marks = open.reversed().compactMap { Self.closingMark(parser.closing($0.kind)) }.joined()
        guard !marks.isEmpty, open.count <= 8, corrected(text(SourceSpan(0, last + 1)) + marks) != nil else {
            return []
        }
        // A bracket that an earlier correction replaced is replaced here, too: `a IN (1, 2`.
        let replaced = open.map { $0.opener }.filter { written($0) != text($0) }
        return replaced.map { .init($0, text($0)) } + .fix(SourceSpan(last + 1, last + 1), marks)
    }
}
