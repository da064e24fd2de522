// Recovery from a text that lacks one of its quotes: `name == 'Ann AND age > 3`, `{'a, 'b'}`, `name == Ann' AND …`.
// Where the quote belongs is tried: the first place at which the whole text can be parsed.

extension PredicateParser {
    /// Reports a text without its closing quote, if there is a place for one.
    /// - Parameters:
    ///   - opener: the offset of the opening quote.
    ///   - end: the end of what the lexer read as the text.
    mutating func reportMissingClosingQuote(from opener: Int, to end: Int) -> Bool {
        let quote = String(decoding: [bytes[opener]], as: UTF8.self)
        for place in textEnds(from: opener + 1, to: end) {
            let fix = Diagnostic.FixIt(place, quote)
            guard isRepaired(by: [fix]) else { continue }
            let meant = text(SourceSpan(opener, place.start)) + quote
            let other = place.isEmpty ? nil : text(place)
            report(
                .unterminatedString, at: SourceSpan(opener, opener + 1),
                other.map { "it ends with \(quote), not with \($0)" } ?? "",
                suggestion: other == nil ? meant : nil, fixIts: [fix])
            stopped = true
            return true
        }
        return false
    }

    /// The places where a text may end: before AND, OR, a comma or a closing bracket, in place of the other quote, and
    /// at the end if nothing separates conditions before it.
    private func textEnds(from start: Int, to end: Int) -> [SourceSpan] {
        guard start < end else { return [] }
        var places: [SourceSpan] = []
        var separates = false
        for index in start..<end where places.count < 8 {
            guard let length = separator(at: index, before: end) else { continue }
            separates = separates || length > 1
            let last = bytes[start..<index].lastIndex { !Lexer.isSpace($0) } ?? start
            places.append(SourceSpan(last + 1, last + 1))
        }
        let last = bytes[start..<end].lastIndex { !Lexer.isSpace($0) } ?? start
        if end == bytes.count, !separates {
            let isQuote = bytes[last] == UInt8(ascii: "'") || bytes[last] == UInt8(ascii: "\"")
            places.append(isQuote ? SourceSpan(last, last + 1) : SourceSpan(last + 1, last + 1))
        }
        return places
    }

    /// The length of a sign or a word at which a text may have ended; nil for other text.
    private func separator(at index: Int, before end: Int) -> Int? {
        let rest = bytes[index..<min(end, index + 5)]
        guard let first = rest.first else { return nil }
        if ")}],".utf8.contains(first) { return 1 }
        if rest.starts(with: "&&".utf8) || rest.starts(with: "||".utf8) { return 2 }
        let word = rest.dropFirst().prefix { Lexer.isLetter($0) }
        guard Lexer.isSpace(first), word.count < rest.count - 1 else { return nil }
        return ["AND", "OR"].contains(String(decoding: word, as: UTF8.self).uppercased()) ? 3 : nil
    }

    /// Reads `Ann' AND …` behind its first word: the quote before it is missing.
    mutating func reportMissingOpeningQuote() -> Bool? {
        guard isGlued, previous.kind == .identifier || previous.kind == .integer, let operand = operands.last,
            operand.span.end == token.start
        else { return nil }
        let quote = String(decoding: [bytes[token.start]], as: UTF8.self)
        let start = bytes[..<token.start].lastIndex { Lexer.isSpace($0) || "=<>!({,".utf8.contains($0) }.map { $0 + 1 }
        let opening = SourceSpan(start ?? 0, start ?? 0)
        let fix = Diagnostic.FixIt(opening, quote)
        guard isRepaired(by: [fix]) else { return nil }
        report(
            .unterminatedString, at: SourceSpan(token.start, token.start + 1), "",
            suggestion: quote + text(SourceSpan(opening.start, token.start)) + quote, fixIts: [fix])
        stopped = true
        return false
    }

    /// Reads `age > 5"` at a quote behind which nothing follows.
    mutating func reportStrayQuote() -> Bool {
        guard token.span.count == 1, isComparisonComplete else { return false }
        let fix = Diagnostic.FixIt(token.span, "")
        guard isRepaired(by: [fix]) else { return false }
        report(.unterminatedString, at: token.span, "remove it", fixIts: [fix])
        stopped = true
        return true
    }
}
