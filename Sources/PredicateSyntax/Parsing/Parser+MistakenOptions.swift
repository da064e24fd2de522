// Recovery from options in the wrong place or in the wrong brackets: `"*a*"cd`, `==(cd)`, `==[c][d]`.

extension PredicateParser {
    /// The options that a word beside an operator spells; nil if one of its letters is no option.
    func optionLetters(_ word: String) -> ComparisonOptions? { Self.options(word) }

    /// Reads `==[c 'a'`, options without their closing bracket.
    mutating func readUnclosedOptions() -> Bool {
        var ahead = lexer
        let word = ahead.next()
        guard word.kind == .identifier, let options = Self.options(text(word.span)), ahead.next().kind == .string else {
            return false
        }
        report(
            .unclosedBracket, at: token.span, "[", "", suggestion: options.spelling,
            fixIts: [.init(SourceSpan(word.end, word.end), "]")])
        setOptions(options)
        move(to: word.end)
        return true
    }

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

    /// Warns of `name[cd] == 'a'` and `name == 'a'[cd]`, which read an element.
    mutating func warnOfMisplacedOptions() {
        guard let found = bracketedOptions(), let operand = operands.last, case .expression(let node) = operand.item
        else { return }
        let place: SourceSpan
        let written: String
        switch node.kind {
        case .value(.string), .argument:
            guard let value = optionsBehindValue(found.options) else { return }
            (place, written) = (value.place, value.spelling)
        case .keyPath:
            guard case .comparison = found.next.kind, !isComparisonComplete else { return }
            (place, written) = (found.next.span, text(found.next.span) + found.options.spelling)
        default: return
        }
        diagnostics.append(
            Diagnostic(
                .optionPlace, at: found.span, written, severity: .warning,
                fixIts: [.init(place, written), .init(found.span, "")]))
    }

    /// Reads `name == 'a'cd`, as Spotlight writes options.
    mutating func readGluedOptions() -> Bool? {
        let span = token.span
        guard token.kind == .identifier, let options = Self.options(text(span)),
            let meant = optionsBehindValue(options)
        else { return nil }
        report(.optionPlace, at: span, meant.spelling, fixIts: [.init(meant.place, meant.spelling), .init(span, "")])
        if let value = operands.popLast() {
            setOptions(meant.options)
            operands.append(value)
        }
        move(to: span.end)
        return false
    }

    /// The operator, and how it is written with the options that stand behind its right side.
    private func optionsBehindValue(
        _ options: ComparisonOptions
    ) -> (place: SourceSpan, spelling: String, options: ComparisonOptions)? {
        guard let comparison = pending, case .comparison(let sign, let before) = comparison.kind,
            let operand = operands.last
        else { return nil }
        // In Spotlight `==` has wildcards.
        let isPattern = sign == .equal && text(operand.span).contains("*")
        let all = options.union(before)
        return (comparison.span, (isPattern ? "LIKE" : text(comparison.span)) + all.spelling, all)
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
