// Recovery from options in the wrong place or in the wrong brackets: `'a'[cd]`, `"*a*"cd`, `==(cd)`, `==[c][d]`.

extension PredicateParser {
    /// The options that a word spells; nil if one of its letters is no option.
    private static func options(_ word: String) -> ComparisonOptions? {
        guard !word.isEmpty, word.utf8.count <= 4 else { return nil }
        var options: ComparisonOptions = []
        for letter in word.lowercased() {
            // Spotlight's `w` has no counterpart: words are found with MATCHES.
            guard let known = ComparisonOptions.letters.first(where: { $0.letter == letter }) else { return nil }
            options.insert(known.option)
        }
        return options
    }

    /// The options between the bracket at the current token and the next one: `[cd]`, `(cd)`, `{cd}`.
    private func bracketedOptions() -> (options: ComparisonOptions, span: SourceSpan, next: Token)? {
        var ahead = lexer
        let word = ahead.next()
        let closing = ahead.next()
        switch closing.kind {
        case .rightBracket, .rightParenthesis, .rightBrace: break
        default: return nil
        }
        guard word.kind == .identifier, let options = Self.options(text(word.span)) else { return nil }
        return (options, SourceSpan(token.start, closing.end), ahead.next())
    }

    /// Reads `==(cd) 'a'` and `=={cd} 'a'`.
    mutating func readOptionsInWrongBrackets() {
        guard isGlued, let found = bracketedOptions(), startsOperand(found.next.kind) else { return }
        let meant = found.options.spelling
        report(.unknownOption, at: found.span, text(found.span), suggestion: meant, fixIts: [.init(found.span, meant)])
        setOptions(found.options)
        move(to: found.span.end)
    }

    /// Reads a second pair of brackets, as in `==[c][d] 'a'`.
    mutating func readMoreOptions(_ first: SourceSpan, _ options: ComparisonOptions) {
        guard token.kind == .leftBracket, let found = bracketedOptions() else { return }
        let both = first.joined(found.span)
        let all = options.union(found.options)
        report(.unknownOption, at: both, text(both), suggestion: all.spelling, fixIts: [.init(both, all.spelling)])
        setOptions(all)
        move(to: found.span.end)
    }

    /// Reads `name == 'a'[cd]`, and warns of `name[cd] == 'a'`, which reads an element.
    mutating func readMisplacedOptions() -> Bool? {
        guard let found = bracketedOptions(), let operand = operands.last, case .expression(let node) = operand.item
        else { return nil }
        switch node.kind {
        case .value(.string), .argument: return readOptionsBehindValue(found.options, found.span)
        case .keyPath:
            guard case .comparison = found.next.kind, !isComparisonComplete else { return nil }
            let sign = found.next.span
            diagnostics.append(
                Diagnostic(
                    .optionPlace, at: found.span, "\(text(sign))\(found.options.spelling)", severity: .warning,
                    fixIts: [.init(found.span, ""), .init(SourceSpan(sign.end, sign.end), found.options.spelling)]))
            return nil
        default: return nil
        }
    }

    /// Reads `name == 'a'cd`, as Spotlight writes options.
    mutating func readGluedOptions() -> Bool? {
        guard token.kind == .identifier, let options = Self.options(text(token.span)) else { return nil }
        return readOptionsBehindValue(options, token.span)
    }

    private mutating func readOptionsBehindValue(_ options: ComparisonOptions, _ span: SourceSpan) -> Bool? {
        guard let comparison = pending, case .comparison(let sign, let before) = comparison.kind,
            let operand = operands.last
        else { return nil }
        // In Spotlight `==` has wildcards.
        let isPattern = sign == .equal && text(operand.span).contains("*")
        let spelling = (isPattern ? "LIKE" : text(comparison.span)) + options.union(before).spelling
        report(
            .optionPlace, at: span, spelling, fixIts: [.init(comparison.span, spelling), .init(span, "")])
        if let value = operands.popLast() {
            setOptions(options.union(before))
            operands.append(value)
        }
        move(to: span.end)
        return false
    }

    /// Reads malformed options such as `[c, d]`, `[ci]`, `[case]`, `[]`.
    mutating func readUnknownOptions() -> Bool {
        var ahead = lexer
        var next = ahead.next()
        if next.kind == .rightBracket, startsOperand(ahead.next().kind) {
            let empty = SourceSpan(token.start, next.end)
            report(.unknownOption, at: empty, text(empty), fixIts: [.init(empty, "")])
            move(to: empty.end)
            return true
        }
        ahead = lexer
        next = ahead.next()
        var letters: Set<Character> = []
        var count = 0
        while count < 8 {
            switch next.kind {
            case .identifier, .keyword: letters.formUnion(text(next.span).lowercased())
            case .comma, .binary(.bitwiseOr): break
            default: count = 8
            }
            if count == 8 { break }
            count += 1
            next = ahead.next()
        }
        guard next.kind == .rightBracket, !letters.isEmpty, startsOperand(ahead.next().kind) else { return true }
        let inner = SourceSpan(token.end, next.start)
        let known = ComparisonOptions.letters.map(\.letter).filter(letters.contains)
        report(
            .unknownOption, at: inner, text(inner),
            suggestion: known.count == letters.count ? "[\(String(known))]" : nil,
            fixIts: known.count == letters.count ? [.init(inner, String(known))] : [])
        while token.start < next.start { advance() }
        advance()
        return true
    }
}
