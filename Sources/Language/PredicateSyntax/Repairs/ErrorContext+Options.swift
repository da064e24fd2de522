// Options in the wrong position or the wrong brackets: `"*a*"cd`, `==(cd)`, `==[c][d]`.

extension ErrorContext {
    private func optionMistake(_ span: SourceSpan, _ options: ComparisonOptions) -> Mistake {
        Mistake(
            .unknownOption, at: span, text(span), suggestion: options.spelling, fixIts: .fix(span, options.spelling))
    }

    /// A letter in the brackets of an operator that is not an option.
    func unknownOption(_ letter: String, _ whole: SourceSpan) -> Mistake {
        let word = SourceSpan(whole.start + 1, whole.end - 1)
        // `i` ignores case in other languages.
        let others = text(word).filter { String($0) != letter && $0.lowercased() != "c" }
        let meant = letter.lowercased() == "i" ? "[c\(others)]" : nil
        return Mistake(
            .unknownOption, at: word, letter, suggestion: meant, fixIts: meant.map { .fix(whole, $0) } ?? [])
    }

    /// `[c]name == 'a'` and `ANY[c] tags == 'a'`: options before a condition.
    func leadingOptions() -> Mistake? {
        let isBehindQuantifier = if case .quantifier = pending?.kind { true } else { false }
        guard allowsCondition || isBehindQuantifier, let found = self.parser.bracketedOptions(),
            startsOperand(found.next.kind)
        else { return nil }
        let sign = tokens.first { $0.start > found.next.start && isComparison($0) }
        let meant = (sign.map { text($0.span) } ?? "==") + found.options.spelling
        let isGluedWord =
            previous.end == found.span.start && found.next.start == found.span.end
            && found.span.start > 0
        let removed = PredicateDiagnostic.FixIt(found.span, isGluedWord ? " " : "")
        var mistake = Mistake(
            .optionPlace, at: found.span, meant, fixIts: sign.map { [removed, .init($0.span, meant)] } ?? [])
        if sign == nil { mistake.next = .read([removed]) }
        return mistake
    }

    /// Brackets behind an operator that are not options: `[c 'a'`, `[]`, `['c']`, `[case]`, `[c, d]`, `[c][d]`.
    func wrongOptions() -> Mistake? {
        guard case .comparison(_, let before) = pending?.kind, isWaiting,
            let operatorEnd = pending?.span.end
        else { return nil }
        let opener = token
        let word = peek()
        if !before.isEmpty, let found = self.parser.bracketedOptions() {
            let both = SourceSpan(operatorEnd, found.span.end)
            let start = tokens.first { $0.start >= operatorEnd }?.start ?? both.start
            return optionMistake(SourceSpan(start, both.end), found.options.union(before))
        }
        guard before.isEmpty, previous.end == operatorEnd else { return nil }
        if word.kind == .identifier, let options = Vocabulary.options(text(word.span)), after(2).kind == .string {
            return Mistake(
                .unclosedBracket, at: opener.span, "[", "", suggestion: options.spelling,
                fixIts: .fix(SourceSpan(word.end, word.end), "]"))
        }
        if word.kind == .rightBracket, startsOperand(after(2).kind) {
            let empty = SourceSpan(opener.start, word.end)
            return Mistake(.unknownOption, at: empty, text(empty), fixIts: .fix(empty, parser.isGlue(empty) ? " " : ""))
        }
        if after(2).kind == .rightBracket, startsOperand(after(3).kind) {
            let name = word.kind == .string ? String(text(word.span).dropFirst().dropLast()) : text(word.span)
            if let options = Vocabulary.options(name) {
                return Mistake(
                    .unknownOption, at: word.span, text(word.span), suggestion: options.spelling,
                    fixIts: .fix(SourceSpan(opener.start, after(2).end), options.spelling))
            }
        }
        var letters: Set<Character> = []
        var offset = 1
        scanning: while offset < 9 {
            switch after(offset).kind {
            case .identifier, .keyword: letters.formUnion(text(after(offset).span).lowercased())
            case .comma, .binary(.bitwiseOr): break
            default: break scanning
            }
            offset += 1
        }
        guard after(offset).kind == .rightBracket, !letters.isEmpty, startsOperand(after(offset + 1).kind) else {
            return nil
        }
        let inner = SourceSpan(opener.end, after(offset).start)
        let known = String(ComparisonOptions.letters.map { $0.letter }.filter(letters.contains))
        let isKnown = known.count == letters.count
        let mistake = Mistake(
            .unknownOption, at: inner, text(inner), suggestion: isKnown ? "[\(known)]" : nil,
            fixIts: isKnown ? .fix(inner, known) : [])
        return isKnown ? mistake : mistake.reading(SourceSpan(opener.start, after(offset).end), as: "")
    }

    /// `==cd] 'a'` and `CONTAINS.c 'a'`, options without brackets, at the sign or behind it.
    func optionsBehindSign() -> Mistake? {
        // The word of options is behind the current token, or the one before it.
        let isClosing = token.kind == .rightBracket
        guard let word = isClosing ? before(1) : peek(), let sign = isClosing ? before(2) : before(1),
            word.kind == .identifier, isComparison(sign), word.span.count <= 4,
            let options = Vocabulary.options(text(word.span))
        else { return nil }
        let start = isClosing ? word.start : token.start
        guard sign.end == start, let next = tokens.first(where: { $0.start >= max(word.end, token.end) }),
            next.kind == .string || next.kind == .conversion
        else { return nil }
        switch token.kind {
        case .rightBracket, .dot, .binary(.divide), .error(.unexpectedCharacter): break
        default: return nil
        }
        return optionMistake(SourceSpan(start, max(word.end, isClosing ? token.end : 0)), options)
    }

    /// `==(cd) 'a'` and `CONTAINS-c 'a'` at the text.
    func optionsInWrongBrackets() -> Mistake? {
        guard startsOperand(token.kind), let last = before(1), let middle = before(2), let first = before(3)
        else { return nil }
        if last.kind == .identifier, middle.kind == .binary(.subtract), isComparison(first), middle.start == first.end,
            let options = Vocabulary.options(text(last.span)), last.span.count <= 4,
            token.kind == .string || token.kind == .conversion
        {
            return optionMistake(middle.span.joined(last.span), options)
        }
        guard let sign = before(4), isComparison(sign), sign.end == first.start,
            first.kind == .leftParenthesis || first.kind == .leftBrace,
            last.kind == .rightParenthesis || last.kind == .rightBrace, middle.kind == .identifier,
            let options = Vocabulary.options(text(middle.span))
        else { return nil }
        return optionMistake(first.span.joined(last.span), options)
    }

    /// `CONTAINScd 'a'` and `LIKE_c 'a'`: an operator with its options, without brackets.
    func operatorWithOptions() -> Mistake? {
        let word = text(token.span)
        guard let name = Keywords.operatorWords.first(where: { word.uppercased().hasPrefix($0) }),
            let options = Vocabulary.options(String(word.dropFirst(name.count).drop { $0 == "_" }))
        else { return nil }
        return .operatorMeant(self, token.span, name + options.spelling)
    }

    /// `==<cd> 'a'` at the operator `==<`.
    func angledOptions() -> Mistake? {
        let sign = text(token.span)
        guard sign.hasSuffix("<"), sign.count > 1, index + 2 < tokens.count else { return nil }
        let (word, closing) = (tokens[index + 1], tokens[index + 2])
        guard word.kind == .identifier, word.start == token.end, closing.kind == .comparison(.greaterThan),
            let options = Vocabulary.options(text(word.span))
        else { return nil }
        return optionMistake(SourceSpan(token.end - 1, closing.end), options)
    }

    /// `name == 'a'cd`, the form in which Spotlight writes options.
    func gluedOptions() -> Mistake? {
        let span = token.span
        // Spotlight's `w` has no equivalent option; MATCHES can find words.
        let letters = text(span).filter { $0 != "w" }
        guard token.kind == .identifier, let options = letters.isEmpty ? [] : Vocabulary.options(letters),
            let meant = self.parser.optionsBehindValue(options)
        else { return nil }
        return Mistake(
            .optionPlace, at: span, meant.spelling, fixIts: [.init(meant.place, meant.spelling), .init(span, "")])
    }
}
