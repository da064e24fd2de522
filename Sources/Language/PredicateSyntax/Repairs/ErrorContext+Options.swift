// Options in the wrong position: `"*a*"cd`, `[c] name == "a"`.

extension ErrorContext {
    /// A letter in the brackets of an operator that is not an option.
    func unknownOption(_ letter: String, _ whole: SourceSpan) -> Mistake {
        let word = SourceSpan(whole.start + 1, whole.end - 1)
        // `i` ignores case in other languages.
        let others = text(word).filter { String($0) != letter && $0.lowercased() != "c" }
        let meant = letter.lowercased() == "i" ? "[c\(others)]" : nil
        return Mistake(.unknownOption, at: word, letter, suggestion: meant, fixIts: meant.map { .fix(whole, $0) } ?? [])
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

    /// `==[] 'a'`, `==[c, d] 'a'`, `==[c][d] 'a'`, `==['c'] 'a'`: words in brackets behind a sign, and a text behind them.
    func wrongOptions() -> Mistake? {
        guard isWaitingForText, let list = bracketed(token), byte(list.start - 1) != " ",
            let next = tokens.first(where: { $0.start >= list.end }), next.kind == .string || next.kind == .conversion,
            case let inner = SourceSpan(list.start + 1, list.end - 1),
            bytes[inner.range].allSatisfy({ $0.isLetter || ", '\"".utf8.contains($0) })
        else { return nil }
        if !bytes[inner.range].allSatisfy({ $0.isLetter || ", ".utf8.contains($0) }) {
            guard let options = Vocabulary.options(text(inner).filter { $0.isLetter }) else { return nil }
            return Mistake(
                .unknownOption, at: inner, text(inner), suggestion: options.spelling,
                fixIts: .fix(list, options.spelling))
        }
        return Mistake(.unknownOption, at: inner.isEmpty ? list : inner, text(inner.isEmpty ? list : inner))
            .reading(list, as: " ")
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
