// The warnings for texts that a program inserts into a predicate, with what can stand in the place of each.

extension FoundPredicate {
    /// The warnings for the inserted texts, and whether one of them is outside the strings of the predicate.
    func insertedTexts(_ environment: PredicateEnvironment) -> (found: [PredicateDiagnostic], areOpen: Bool) {
        guard !holes.isEmpty || !unexpanded.isEmpty else { return ([], false) }
        let tokens = Lexer.tokens(of: text.text, options: environment.language)
        var found = unexpanded.prefix(PredicateLimits.standard.diagnostics).map { span in
            PredicateDiagnostic(
                .quotedConversion, at: text.source(span), String(decoding: text.bytes[span.range], as: UTF8.self),
                "the shell replaces it only in double quotes")
        }
        var (areOpen, next, isValue) = (false, 0, true)
        for (index, token) in tokens.enumerated() {
            let isHole = next < holes.count && holes[next].span.start < token.span.end
            if isHole, token.kind != .string { areOpen = true }
            let advice = isHole ? advice(tokens, index, holes[next].span, isValue: isValue) : ""
            while next < holes.count, holes[next].span.start < token.span.end {
                if !expectsHoles, found.count < PredicateLimits.standard.diagnostics {
                    found.append(PredicateDiagnostic(.interpolatedText, at: holes[next].source, advice))
                }
                next += 1
            }
            isValue = isHole ? !isValue : !token.kind.endsValue
        }
        return (found, areOpen)
    }

    /// What can stand in the place of an inserted text; empty if an argument can.
    private func advice(_ tokens: [Token], _ index: Int, _ hole: SourceSpan, isValue: Bool) -> String {
        let (token, after) = (tokens[index], tokens[min(index + 1, tokens.count - 1)].kind)
        let (before, first) = (index > 0 ? tokens[index - 1].kind : .end, index > 1 ? tokens[index - 2].kind : .end)
        let isOurs = owner.hasPrefix("Format")
        func fixed(_ part: String) -> String {
            "\(part) cannot be an argument: write one format for each\(isOurs ? "" : ", or use NSComparisonPredicate")"
        }
        let isOption = if case .comparison = first { before == .leftBracket } else { false }
        if token.kind == .string { return "" }
        if token.kind == .variable { return "the name of a variable cannot be an argument: substitute its value" }
        if token.kind == .identifier, token.span != hole {
            let word = String(decoding: text.bytes[token.span.start..<hole.start], as: UTF8.self).uppercased()
            return Keywords.operatorWords.contains(word) ? fixed("an option") : "pass the whole key as an argument: %K"
        }
        if isOption { return fixed("an option") }
        if isValue, after == .leftParenthesis { return "the name of a function cannot be an argument" }
        let isAlone =
            [.and, .or, .not, .end, .leftParenthesis].contains(before)
            && !(before == .leftParenthesis && first.endsValue)
        guard [.and, .or, .end, .rightParenthesis].contains(after), isAlone || !isValue else {
            return isValue ? "" : fixed("an operator")
        }
        return "a condition cannot be an argument: "
            + (isOurs ? "make it a predicate of its own" : "join predicates with NSCompoundPredicate")
    }
}

extension TokenKind {
    /// Whether an operator may come after this token.
    fileprivate var endsValue: Bool {
        switch self {
        case .identifier, .escapedIdentifier, .atWord, .term, .variable, .string, .integer, .floatingPoint, .conversion,
            .rightParenthesis, .rightBracket, .rightBrace:
            true
        case .keyword(let word): ![.any, .some, .all, .none].contains(word)
        default: false
        }
    }
}
