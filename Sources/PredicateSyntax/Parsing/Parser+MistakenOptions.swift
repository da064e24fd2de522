// Recovery from options in the wrong position or the wrong brackets: `"*a*"cd`, `==(cd)`, `==[c][d]`.

extension PredicateParser {
    /// The options that a word next to an operator spells; nil if one of its letters is not an option.
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

    /// Words that mean options in other languages.
    private static let optionWords = ["case", "caseinsensitive", "ignorecase", "icase", "nocase", "insensitive"]

    /// The options that a word spells; nil if one of its letters is not an option. `i` ignores case in other languages.
    private static func options(_ word: String) -> ComparisonOptions? {
        let word = word.lowercased()
        if optionWords.contains(word) { return .caseInsensitive }
        guard !word.isEmpty, word.utf8.count <= 4 else { return nil }
        var options: ComparisonOptions = []
        for letter in word {
            let meant = letter == "i" ? "c" : letter
            guard let known = ComparisonOptions.letters.first(where: { $0.letter == meant }) else { return nil }
            options.insert(known.option)
        }
        return options
    }

    /// Reads `==<cd> 'a'` at the operator `==<`.
    mutating func readAngledOptions() -> Bool? {
        let sign = text(token.span)
        guard sign.hasSuffix("<"), sign.count > 1 else { return nil }
        var ahead = lexer
        let word = ahead.next()
        let closing = ahead.next()
        guard word.kind == .identifier, word.start == token.end, closing.kind == .comparison(.greaterThan),
            let options = Self.options(text(word.span))
        else { return nil }
        return readInstead(options, at: SourceSpan(token.end - 1, closing.end))
    }

    /// Reads `==cd] 'a'` and `CONTAINS.c 'a'`, options without brackets, after the operator.
    mutating func readOptionsBehindSign() -> Bool? {
        guard isGlued else { return nil }
        var ahead = lexer
        var word = token
        switch token.kind {
        case .identifier: break
        case .dot, .binary(.subtract), .binary(.divide), .error(.unexpectedCharacter): word = ahead.next()
        default: return nil
        }
        guard word.kind == .identifier, word.span.count <= 4, let options = Self.options(text(word.span)) else {
            return nil
        }
        var end = word.end
        var next = ahead.next()
        if next.kind == .rightBracket, word.span == token.span {
            end = next.end
            next = ahead.next()
        } else if word.span == token.span {
            return nil
        }
        guard next.kind == .string || next.kind == .conversion else { return nil }
        let span = SourceSpan(token.start, end)
        let meant = options.spelling
        report(.unknownOption, at: span, text(span), suggestion: meant, fixIts: [.init(span, meant)])
        setOptions(options)
        move(to: end)
        return true
    }

    /// Reports options in other brackets after the comparison sign with which the current token begins.
    private mutating func readInstead(_ options: ComparisonOptions, at span: SourceSpan) -> Bool {
        let sign = SourceSpan(token.start, span.start)
        report(
            .unknownOption, at: span, text(span), suggestion: options.spelling, fixIts: [.init(span, options.spelling)])
        var lexer = Lexer(text(sign))
        let isOperand = readInstead(lexer.next().kind, sign)
        setOptions(options)
        move(to: span.end)
        return isOperand
    }

    /// Reports `[c]name == 'a'` and `ANY[c] tags == 'a'`: options before a condition.
    mutating func readLeadingOptions() -> Bool? {
        let isBehindQuantifier = if case .quantifier = pending?.kind { true } else { false }
        guard allowsCondition || isBehindQuantifier, let found = bracketedOptions(), text(found.span).hasPrefix("["),
            startsOperand(found.next.kind)
        else { return nil }
        var ahead = lexer
        ahead.position = found.next.end
        var sign = found.next
        for _ in 0..<8 where !isComparison(sign) { sign = ahead.next() }
        let meant = isComparison(sign) ? text(sign.span) + found.options.spelling : "==" + found.options.spelling
        var fixIts = [Diagnostic.FixIt(found.span, "")]
        if isComparison(sign) { fixIts.append(.init(sign.span, meant)) }
        let isGluedWord = previous.end == found.span.start && found.next.start == found.span.end && found.span.start > 0
        if isGluedWord { fixIts[0] = .init(found.span, " ") }
        report(.optionPlace, at: found.span, meant, fixIts: isComparison(sign) ? fixIts : [])
        move(to: found.span.end)
        return true
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

    /// Reads `name == 'a'cd`, the form in which Spotlight writes options.
    mutating func readGluedOptions() -> Bool? {
        let span = token.span
        // Spotlight's `w` has no equivalent option; MATCHES can find words.
        let letters = text(span).filter { $0 != "w" }
        guard token.kind == .identifier, let options = letters.isEmpty ? [] : Self.options(letters),
            let meant = optionsBehindValue(options)
        else { return nil }
        report(.optionPlace, at: span, meant.spelling, fixIts: [.init(meant.place, meant.spelling), .init(span, "")])
        if let before = operators.popLast() {
            let sign: ComparisonOperator =
                if meant.spelling.hasPrefix("LIKE") { .like } else if case .comparison(let sign, _) = before.kind {
                    sign
                } else { .equal }
            operators.append(
                PendingOperator(
                    kind: .comparison(sign, meant.options), precedence: before.precedence, span: before.span,
                    firstOperand: before.firstOperand))
        }
        move(to: span.end)
        return false
    }

    /// The operator, and its spelling with the options that were written after its right side.
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
        if next.kind == .string, let options = Self.options(String(text(next.span).dropFirst().dropLast())) {
            let closing = ahead.next()
            let value = ahead.next()
            if closing.kind == .rightBracket, startsOperand(value.kind) {
                report(
                    .unknownOption, at: next.span, text(next.span), suggestion: options.spelling,
                    fixIts: [.init(SourceSpan(token.start, closing.end), options.spelling)])
                setOptions(options)
                move(to: closing.end)
                return true
            }
        }
        ahead = lexer
        next = ahead.next()
        if let options = Self.options(text(next.span)) {
            let word = next
            if ahead.next().kind == .rightBracket, startsOperand(ahead.next().kind) {
                report(
                    .unknownOption, at: word.span, text(word.span), suggestion: options.spelling,
                    fixIts: [.init(SourceSpan(word.start - 1, word.end + 1), options.spelling)])
                setOptions(options)
                advance()
                advance()
                advance()
                return true
            }
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
