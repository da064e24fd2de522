// Texts without quotes, and texts that lack one quote.

extension ErrorContext {
    /// The span of text without quotes that begins at an offset. It ends at a space, a quote, a comma or a closing
    /// bracket.
    /// - Parameter isPattern: whether brackets are part of the text.
    func unquotedChunk(from start: Int, beyond isPattern: Bool = false) -> SourceSpan? {
        let ends: [UInt8] = isPattern ? [] : Array("),}];".utf8)
        var end = bytes[start...].firstIndex { $0 <= 0x20 || ends.contains($0) } ?? bytes.count
        func count(_ bracket: Unicode.Scalar) -> Int { bytes[start..<end].count { $0 == UInt8(ascii: bracket) } }
        // The brackets that the pattern does not open are around the comparison.
        while end > start + 1, bytes[end - 1] == UInt8(ascii: ")"), count(")") > count("(") { end -= 1 }
        let chunk = bytes[start..<end]
        guard !chunk.contains(where: { "\"'%".utf8.contains($0) }), chunk.contains(where: { $0.isOfWord }) else {
            return nil
        }
        return SourceSpan(start, end)
    }

    func asText(_ chunk: SourceSpan, _ id: DiagnosticID = .unquotedText) -> Mistake {
        let escaped = text(chunk).split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
        let quoted = "\"\(escaped)\""
        return Mistake(
            id, at: chunk, abbreviated(chunk), suggestion: id == .unquotedText ? nil : quoted,
            fixIts: .fix(chunk, quoted))
    }

    /// A path, URL, pattern or e-mail address without quotes if its first sign cannot begin a value.
    func unquotedValue() -> Mistake? {
        guard case .comparison(let sign, _) = pending?.kind else { return nil }
        let start = token.start
        switch token.kind {
        case .binary(.bitwiseXor) where sign == .matches:
            return unquotedChunk(from: start, beyond: true).map { asText($0) }
        case .binary(.divide), .binary(.bitwiseXor), .dot, .selector, .error(.comment): break
        case .error(.unexpectedCharacter) where byte(start) == "~": break
        case .error(.unexpectedCharacter) where byte(start) == "\\" && (sign == .matches || sign == .like):
            return unquotedChunk(from: start, beyond: true).map { asText($0) }
        default: return nil
        }
        guard let chunk = unquotedChunk(from: start),
            chunk.count > token.span.count || token.kind == .error(.comment)
        else { return nil }
        // The variable before the dot is missing: `.attachments.@count`.
        if token.kind == .dot, text(chunk).contains("@") { return nil }
        // `.foo`, an enumeration's case in Swift, is stored without its dot.
        if token.kind == .dot, sign == .equal || sign == .notEqual, wordEnd(chunk.start + 1) == chunk.end {
            let meant = "\"\(text(SourceSpan(chunk.start + 1, chunk.end)))\""
            return Mistake(.unquotedText, at: chunk, abbreviated(chunk), suggestion: meant, fixIts: .fix(chunk, meant))
        }
        return asText(chunk)
    }

    /// `id == 550e8400-e29b-41d4-a716-446655440000`, which breaks at any of its parts.
    func unquotedUUID() -> Mistake? {
        for back in 0..<9 {
            guard let first = back == 0 ? token : before(back) else { return nil }
            let span = SourceSpan(first.start, first.start + 36)
            guard span.end <= bytes.count, bytes[span.start + 8] == UInt8(ascii: "-"),
                wordEnd(span.start) == span.start + 8, UniversalID(text(span)) != nil,
                span.end == bytes.count || !bytes[span.end].isOfWord, span.end > token.start
            else { continue }
            return asText(span)
        }
        return nil
    }

    /// `name == Jamf Connect`: several words in a row are text without quotes.
    func unquotedText() -> Mistake? {
        guard let left = operands.last, case .expression(let node) = left.item, case .keyPath = node.kind,
            previous.kind == .identifier, token.kind == .identifier
        else { return nil }
        let comparison = isComparisonComplete
        var end = token.end
        var ahead = following
        var next = ahead.next()
        func isKeyword(_ token: Token) -> Bool { if case .keyword = token.kind { true } else { false } }
        while next.kind == .identifier || isKeyword(next) {
            end = next.end
            next = ahead.next()
        }
        guard comparison || next.kind == .end, !(comparison && isComparison(next)) else { return nil }
        // The text may begin before the last word: `Ann-Marie Smith`.
        var start = left.span.start
        if comparison, let sign = operators[operatorBase...].last(where: { $0.precedence <= .comparison }),
            sign.firstOperand + 1 < operands.count
        {
            let first = operands[sign.firstOperand + 1].span.start
            if !bytes[first..<start].contains(where: { $0.isSpace }) { start = first }
        }
        let whole = SourceSpan(start, end)
        return Mistake(
            .unquotedText, at: whole, abbreviated(whole),
            fixIts: comparison ? .fix(whole, "\"\(text(whole))\"") : []
        ).skipping
    }

    /// A pattern without quotes: `LIKE *x*`, `LIKE x*`, `MATCHES /x/`.
    func unquotedPattern() -> Mistake? {
        let waiting = operators[operatorBase...]
        guard let comparison = waiting.last(where: { if case .comparison = $0.kind { true } else { false } }),
            case .comparison(let sign, _) = comparison.kind,
            [.like, .matches, .contains, .beginsWith, .endsWith, .equal, .notEqual].contains(sign)
        else { return nil }
        let isEquality = sign == .equal || sign == .notEqual
        let start: Int
        switch pending?.kind {
        case .comparison where token.kind == .binary(.multiply): start = token.start
        case .comparison where token.kind == .binary(.divide) && !isEquality: start = token.start
        case .binary(.multiply) where !isEquality && comparison.firstOperand + 1 < operands.count:
            start = operands[comparison.firstOperand + 1].span.start
        default: return nil
        }
        let end = bytes[start...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ")") } ?? bytes.count
        let span = SourceSpan(start, end)
        guard !bytes[span.range].contains(where: { $0 == 0x22 || $0 == 0x27 || $0 == 0x25 }) else { return nil }
        let pieces = text(span)
        let isDelimited = pieces.count > 2 && pieces.hasPrefix("/") && pieces.hasSuffix("/")
        let meant = "\"\(isDelimited ? String(pieces.dropFirst().dropLast()) : pieces)\""
        return Mistake(
            .expectedExpression, at: token.span, foundText, suggestion: meant, fixIts: .fix(span, meant)
        ).skipping
    }

    // MARK: Quotes

    /// Text directly after a string, as in `'JR's'` or `'say ''hi'''`. The quotes cannot be trusted from here on.
    func quoteMistake() -> Mistake? {
        guard previous.kind == .string, isGlued else { return nil }
        let close = SourceSpan(previous.end - 1, previous.end)
        let quote = text(close)
        switch token.kind {
        case .string where bytes[token.start] == bytes[close.start]:
            return Mistake(
                .doubledQuote, at: SourceSpan(close.start, token.start + 1), quote, fixIts: .fix(close, "\\")
            ).stopping
        case .identifier, .keyword, .error(.unterminatedString), .error(.nonASCIIKey), .integer, .leftParenthesis:
            if let other = gluedConjunction() ?? gluedOptions()
                ?? missingClosingQuote(from: previous.start, to: previous.end - 1)
            {
                return other
            }
            return Mistake(
                .earlyQuote, at: close, quote == "'" ? "apostrophe" : "quote", quote, fixIts: escapes(from: close.start)
            ).stopping
        default: return nil
        }
    }

    /// A backslash before all quotes except the last. Empty if the result is not a string.
    private func escapes(from close: Int) -> [PredicateDiagnostic.FixIt] {
        let bytes = self.bytes
        let places = bytes.indices[close...].filter {
            bytes[$0] == bytes[close] && bytes[$0 - 1] != UInt8(ascii: "\\")
        }
        guard let last = places.last, places.count > 1, places.count < 8 else { return [] }
        // A quote after an operator or a bracket begins another text.
        for place in places.dropLast().dropFirst() {
            let before = bytes[..<place].last { $0 > 0x20 } ?? 0
            if "=<>!(){},".utf8.contains(before) { return [] }
        }
        guard bytes[(last + 1)...].allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: ")") }) else { return [] }
        return places.dropLast().map { .init(SourceSpan($0, $0), "\\") }
    }

    /// A text without its closing quote, if there is a place for one.
    func missingClosingQuote(from opener: Int, to end: Int) -> Mistake? {
        let quote = String(decoding: [bytes[opener]], as: UTF8.self)
        for place in textEnds(from: opener + 1, to: end) {
            let fix = PredicateDiagnostic.FixIt(place, quote)
            guard isRepaired(by: [fix]) else { continue }
            let meant = text(SourceSpan(opener, place.start)) + quote
            let isCurly = place.count > 1
            let other = place.isEmpty || isCurly ? nil : text(place)
            return Mistake(
                .unterminatedString, at: SourceSpan(opener, opener + 1),
                other.map { "it ends with \(quote), not with \($0)" } ?? "", suggestion: other == nil ? meant : nil,
                fixIts: [fix])
        }
        return nil
    }

    /// The places where a text may end: before AND, OR, a comma or a closing bracket, in place of the other quote, and
    /// at the end if nothing separates conditions before it.
    private func textEnds(from start: Int, to end: Int) -> [SourceSpan] {
        guard start < end else { return [] }
        let bytes = self.bytes
        var places: [SourceSpan] = []
        var separates = false
        for index in start..<end where places.count < 8 {
            guard let length = separator(at: index, before: end) else { continue }
            separates = separates || length > 1
            let last = bytes[start..<index].lastIndex { !$0.isSpace } ?? start
            places.append(curlyQuote(before: last + 1) ?? SourceSpan(last + 1, last + 1))
        }
        let last = bytes[start..<end].lastIndex { !$0.isSpace } ?? start
        if end == bytes.count, !separates {
            let isQuote = bytes[last] == UInt8(ascii: "'") || bytes[last] == UInt8(ascii: "\"")
            places.append(
                isQuote
                    ? SourceSpan(last, last + 1)
                    : curlyQuote(before: last + 1) ?? SourceSpan(last + 1, last + 1))
        }
        return places
    }

    /// A typographic quote that ends at an offset.
    private func curlyQuote(before end: Int) -> SourceSpan? {
        let span = SourceSpan(end - 3, end)
        guard span.start > 0, bytes[span.start] == 0xE2, let scalar = text(span).unicodeScalars.first,
            TypographicQuotes.contains(scalar.value)
        else { return nil }
        return span
    }

    private func separator(at index: Int, before end: Int) -> Int? {
        let rest = bytes[index..<min(end, index + 5)]
        guard let first = rest.first else { return nil }
        if ")}],".utf8.contains(first) { return 1 }
        if rest.starts(with: "&&".utf8) || rest.starts(with: "||".utf8) { return 2 }
        let word = rest.dropFirst().prefix { $0.beginsWord }
        guard first.isSpace, word.count < rest.count - 1 else { return nil }
        return ["AND", "OR"].contains(String(decoding: word, as: UTF8.self).uppercased()) ? 3 : nil
    }

    func unterminatedString() -> Mistake {
        let span = token.span
        let word = text(span)
        let quote = String(word.prefix(1))
        if !word.hasSuffix("\\" + quote),
            let other = missingClosingQuote(from: span.start, to: span.end)
        {
            return other
        }
        var advice = ""
        let other = quote == "'" ? "\"" : "'"
        // In `'\\'` the backslash escapes the closing quote.
        if word.hasSuffix("\\" + quote) {
            advice = "the last quote is escaped: write \\\\ for a backslash"
        } else if word.hasSuffix(other) {
            advice = "it ends with \(quote), not with \(other)"
        }
        let isCertain = advice.isEmpty && word.count > 1 && !word.contains(" ") && !isGlued
        return Mistake(
            .unterminatedString, at: SourceSpan(span.start, span.start + 1),
            advice.isEmpty ? "write \(quote) where the text ends" : advice,
            suggestion: isCertain ? word + quote : nil,
            fixIts: isCertain ? .fix(SourceSpan(span.end, span.end), quote) : []
        ).stopping
    }

    func typographicQuote() -> Mistake {
        let span = token.span
        let whole = text(span)
        guard whole.count > 1, let first = whole.first, let last = whole.last,
            last.unicodeScalars.allSatisfy({ TypographicQuotes.contains($0.value) })
        else { return Mistake(.typographicQuote, at: span, String(whole.prefix(1)), "' or \"").stopping }
        let quote = whole.contains("\"") ? "'" : "\""
        let close = span.end - String(last).utf8.count
        return Mistake(
            .typographicQuote, at: span, String(first), "' or \"",
            fixIts: [
                .init(SourceSpan(span.start, span.start + String(first).utf8.count), quote),
                .init(SourceSpan(close, span.end), quote),
            ])
    }
}
