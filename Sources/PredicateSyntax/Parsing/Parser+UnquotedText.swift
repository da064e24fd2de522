// Recovery from text without quotes: `name == Jamf Connect`, `LIKE *.pdf`, e-mail addresses, paths, URLs, versions,
// UUIDs.

extension PredicateParser {
    /// The span of text without quotes that begins at an offset. It ends at a space, a quote, a comma or a closing
    /// bracket.
    /// - Parameter isPattern: whether brackets are part of the text.
    func unquotedChunk(from start: Int, beyond isPattern: Bool = false) -> SourceSpan? {
        let ends: [UInt8] = isPattern ? [] : Array("),}];".utf8)
        let end = bytes[start...].firstIndex { $0 <= 0x20 || ends.contains($0) } ?? bytes.count
        let chunk = bytes[start..<end]
        guard !chunk.contains(where: { "\"'%".utf8.contains($0) }), chunk.contains(where: Lexer.isWord) else {
            return nil
        }
        return SourceSpan(start, end)
    }

    /// Reads a path, URL, pattern or e-mail address without quotes if its first sign cannot begin a value.
    mutating func readUnquotedValue() -> Bool? {
        guard case .comparison = pending?.kind else { return nil }
        switch token.kind {
        case .binary(.divide), .binary(.bitwiseXor), .dot, .selector, .error(.comment): break
        case .error(.unexpectedCharacter) where byte(token.start) == "~" || byte(token.start) == ":": break
        case .error(.unexpectedCharacter) where byte(token.start) == "\\" && pendingPattern:
            guard let chunk = unquotedChunk(from: token.start, beyond: true) else { return nil }
            return readAsText(chunk)
        default: return nil
        }
        guard let chunk = unquotedChunk(from: token.start),
            chunk.count > token.span.count || token.kind == .error(.comment)
        else { return nil }
        return readAsText(chunk)
    }

    /// Whether a pattern is expected.
    private var pendingPattern: Bool {
        if case .comparison(let sign, _) = pending?.kind { sign == .matches || sign == .like } else { false }
    }

    /// Reads `ann.b@example.com` and `f?o` after their first part, which was read as an operand.
    mutating func readUnquotedRest() -> Bool? {
        let isMark = byte(token.start) == "?" && token.end < bytes.count && Lexer.isWord(bytes[token.end])
        guard isGlued, isComparisonComplete, "@:\\~".contains(byte(token.start)) || isMark, let operand = operands.last,
            operand.span.end == token.start
        else { return nil }
        var first = operators.count
        while first > operatorBase, case .dot = operators[first - 1].kind { first -= 1 }
        let index = first < operators.count ? operators[first].firstOperand : operands.count - 1
        guard let chunk = unquotedChunk(from: operands[index].span.start) else { return nil }
        operands.removeSubrange(index...)
        operators.removeSubrange(first...)
        return readAsText(chunk)
    }

    /// Reads a UUID without quotes: `id == 550e8400-e29b-41d4-a716-446655440000`.
    mutating func readUnquotedUUID() -> Bool? {
        let span = SourceSpan(token.start, token.start + 36)
        guard span.end <= bytes.count, bytes[span.start + 8] == UInt8(ascii: "-"),
            wordEnd(span.start) == span.start + 8,
            UniversalID(text(span)) != nil, span.end == bytes.count || !Lexer.isWord(bytes[span.end])
        else { return nil }
        return readAsText(span)
    }

    mutating func readAsText(_ chunk: SourceSpan, _ id: DiagnosticID = .unquotedText) -> Bool {
        let escaped = text(chunk).split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
        let quoted = "\"\(escaped)\""
        report(
            id, at: chunk, abbreviated(chunk), suggestion: id == .unquotedText ? nil : quoted,
            fixIts: [.init(chunk, quoted)])
        move(to: chunk.end)
        push(.value(.string(text(chunk))), span: chunk)
        return false
    }

    /// Reads `name == Jamf Connect`: several words in a row are text without quotes.
    mutating func readUnquotedText() -> Bool? {
        guard let left = operands.last, case .expression(let node) = left.item, case .keyPath = node.kind,
            previous.kind == .identifier, token.kind == .identifier
        else { return nil }
        let comparison = isComparisonComplete
        var end = token.end
        var ahead = lexer
        var next = ahead.next()
        while next.kind == .identifier || operatorWordInText(next) {
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
            if !bytes[first..<start].contains(where: Lexer.isSpace) { start = first }
        }
        let whole = SourceSpan(start, end)
        report(
            .unquotedText, at: whole, abbreviated(whole),
            fixIts: comparison ? [.init(whole, "\"\(text(whole))\"")] : [])
        return recover()
    }

    private func operatorWordInText(_ token: Token) -> Bool {
        switch token.kind {
        case .keyword: true
        default: false
        }
    }

    /// The span of a pattern without quotes: `LIKE *x*`, `LIKE x*`, `MATCHES /x/`.
    func unquotedPattern() -> SourceSpan? {
        let waiting = operators[operatorBase...]
        guard let comparison = waiting.last(where: { if case .comparison = $0.kind { true } else { false } }),
            case .comparison(let sign, _) = comparison.kind,
            [.like, .matches, .contains, .beginsWith, .endsWith, .equal, .notEqual].contains(sign)
        else { return nil }
        let start: Int
        switch pending?.kind {
        case .comparison where token.kind == .binary(.multiply): start = token.start
        case .comparison where token.kind == .binary(.divide) && sign != .equal && sign != .notEqual:
            start = token.start
        case .binary(.multiply)
        where sign != .equal && sign != .notEqual && comparison.firstOperand + 1 < operands.count:
            start = operands[comparison.firstOperand + 1].span.start
        default: return nil
        }
        let end = bytes[start...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ")") } ?? bytes.count
        let span = SourceSpan(start, end)
        return bytes[span.range].contains { $0 == 0x22 || $0 == 0x27 || $0 == 0x25 } ? nil : span
    }
}
