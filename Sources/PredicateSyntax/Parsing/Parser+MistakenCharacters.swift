// Recovery from invalid characters: reports the probable intention.

extension PredicateParser {
    /// - Parameter expectsOperand: whether a value was expected at the token, and not an operator.
    mutating func readLexicalError(_ error: LexicalError, expectsOperand: Bool = true) -> Bool {
        let span = token.span
        let word = text(span)
        switch error {
        case .unterminatedString:
            reportUnterminatedString(expectsOperand: expectsOperand)
            stopped = true
            return false
        case .xmlEntity:
            report(
                .xmlEntity, at: span, word, XMLEntity.all.first { $0.spelling == word }?.meaning ?? "",
                fixIts: entityFixIts(from: span.start))
            stopped = true
            return false
        case .typographicQuote: return readTypographicQuote(span)
        case .comment:
            report(.comment, at: span, fixIts: [.init(span, "")])
            advance()
            return true
        case .nonASCIIKey:
            let plain = FullWidth.plain(word)
            report(
                .nonAsciiKey, at: span, word, suggestion: plain, fixIts: plain.map { [.init(span, $0)] } ?? [])
            advance()
            if let plain, Int(plain) != nil {
                pushError(span)
                return false
            }
            if token.kind == .leftParenthesis { return open(.call, word: span) }
            push(.keyPath([word]), span: span)
            return false
        case .malformedNumber: return reportMalformedNumber(span)
        case .unknownOperator: return readUnknownSymbol()
        case .unexpectedCharacter:
            if let lookalike = readLookalike(expectsOperand: expectsOperand) { return lookalike }
            if let foreign = expectsOperand ? readForeignValue() ?? readUnquotedValue() : readForeignOperator() {
                return foreign
            }
            if let comment = expectsOperand ? readLeadingComment() : readUnitSign() { return comment }
            if !expectsOperand, let rest = readUnquotedRest() { return rest }
            reportUnexpectedCharacter()
            advance()
            return recover()
        }
    }

    /// The fix-its for this entity and all later ones.
    private func entityFixIts(from start: Int) -> [Diagnostic.FixIt] {
        var fixIts: [Diagnostic.FixIt] = []
        var place = start
        while place < bytes.count, fixIts.count < 32 {
            if bytes[place] == UInt8(ascii: "&"),
                let entity = XMLEntity.all.first(where: { bytes[place...].starts(with: $0.spelling.utf8) })
            {
                fixIts.append(.init(SourceSpan(place, place + entity.spelling.utf8.count), entity.meaning))
                place += entity.spelling.utf8.count
            } else {
                place += 1
            }
        }
        return fixIts
    }

    private mutating func reportUnterminatedString(expectsOperand: Bool) {
        let span = token.span
        let word = text(span)
        let quote = String(word.prefix(1))
        if word.count == 1, isGlued, !expectsOperand, previous.kind == .identifier {
            let start = previous.span.start
            report(
                .unterminatedString, at: SourceSpan(span.start, span.start + 1), "",
                suggestion: quote + text(previous.span) + quote, fixIts: [.init(SourceSpan(start, start), quote)])
            return
        }
        // As in `name == O'Brien`.
        if quote == "'", isGlued, !expectsOperand, previous.kind == .identifier, isComparisonComplete {
            let count = bytes[span.range].prefix { $0 > 0x20 && $0 != UInt8(ascii: ")") }.count
            let whole = SourceSpan(previous.start, span.start + count)
            if !text(whole).contains("\"") {
                let quoted = "\"\(text(whole))\""
                report(.unterminatedString, at: whole, "", suggestion: quoted, fixIts: [.init(whole, quoted)])
                return
            }
        }
        if !word.hasSuffix("\\" + quote),
            reportMissingClosingQuote(from: span.start, to: span.end) || reportStrayQuote()
        {
            return
        }
        let advice = advice(unterminated: word)
        let isCertain = advice.isEmpty && word.count > 1 && !word.contains(" ")
        report(
            .unterminatedString, at: SourceSpan(span.start, span.start + 1),
            advice.isEmpty ? "write \(quote) where the text ends" : advice,
            suggestion: isCertain ? word + quote : nil,
            fixIts: isCertain ? [.init(SourceSpan(span.end, span.end), quote)] : [])
    }

    /// The probable reason for an unterminated string.
    private func advice(unterminated word: String) -> String {
        let quote = word.prefix(1)
        // In `'\\'` the backslash escapes the closing quote.
        if word.hasSuffix("\\" + quote) { return "the last quote is escaped: write \\\\ for a backslash" }
        let other = quote == "'" ? "\"" : "'"
        return word.hasSuffix(other) ? "it ends with \(quote), not with \(other)" : ""
    }

    /// Signs that look like operators, with the operators that they probably mean.
    private static let lookalikes = [
        "≤": "<=", "≥": ">=", "≠": "!=", "–": "-", "—": "-", "−": "-", "×": "*", "÷": "/", "∧": "AND", "∨": "OR",
        "¬": "NOT", "∈": "IN", "\u{200B}": "", "\u{200C}": "", "\u{200D}": "", "\u{2060}": "", "\u{2009}": " ",
        "\u{202F}": " ", "\u{2003}": " ", "\u{2002}": " ", "\u{200E}": "", "\u{200F}": "", "⩾": ">=", "⩽": "<=",
        "⟨": "<", "⟩": ">", "∗": "*", "⁄": "/", "∕": "/", "＝=": "==", "\u{A0}": " ", "\u{3000}": " ", "\u{FEFF}": "",
        "、": ",", "。": ".",
    ]

    /// Reads a sign that looks like one of the language's signs: `≤`, `＞`, a no-break space.
    private mutating func readLookalike(expectsOperand: Bool) -> Bool? {
        let span = token.span
        let sign = text(span)
        let meant = Self.lookalikes[sign] ?? FullWidth.ascii(sign)
        guard let meant else { return nil }
        let isBlank = meant.trimmingSpaces().isEmpty
        let tokens = Lexer.tokens(of: meant)
        // `％` is not an operator, and a single `＠` is not a token.
        if meant == ";" {
            let separator = separatorMeant(by: meant)
            report(
                .unexpectedCharacter, at: span, sign, suggestion: separator?.trimmingSpaces(),
                fixIts: separator.map { [.init(span, $0)] } ?? [])
            return recover()
        }
        if meant == "%" {
            report(.unexpectedCharacter, at: span, sign, "the remainder is modulus:by:(a, b)")
            return recover()
        }
        if repairedSigns.remove(span.start) == nil {
            report(
                .unexpectedCharacter, at: span, visible(sign), suggestion: isBlank ? nil : meant,
                fixIts: [.init(span, meant)] + (Self.lookalikes[sign] == nil ? laterLookalikes() : []))
        }
        if case .error = tokens[0].kind {
            advance()
            return expectsOperand
        }
        if isBlank {
            advance()
            return expectsOperand
        }
        guard tokens.count == 2 else { return recover() }
        token = Token(kind: tokens[0].kind, span: span)
        return expectsOperand ? readOperand() : readOperator()
    }

    /// The fix-its for later signs of this kind. These signs are then not reported again.
    private mutating func laterLookalikes() -> [Diagnostic.FixIt] {
        var fixIts: [Diagnostic.FixIt] = []
        var ahead = lexer
        for _ in 0..<64 {
            let next = ahead.next()
            if next.kind == .end { break }
            guard next.kind == .error(.unexpectedCharacter), let meant = FullWidth.ascii(text(next.span)), meant != "%",
                meant != ";"
            else { continue }
            repairedSigns.insert(next.start)
            fixIts.append(.init(next.span, meant))
        }
        return fixIts
    }

    /// The meaning of a sign from another language, and its equivalent: `a?.b`, `a ?? 0`, `$0.name`.
    private func foreignSign(_ character: String) -> (suggestion: String, fixIts: [Diagnostic.FixIt])? {
        let span = token.span
        let next = peek()
        let isGlued = next.start == span.end
        switch character {
        case "?" where isGlued && next.kind == .dot:
            return (path(across: span.joined(next.span)), [.init(span, "")])
        case "$" where isGlued && previous.kind == .variable: return (text(previous.span), [.init(span, "")])
        case "\\" where next.kind == .dot && next.start == span.end:
            return (text(SourceSpan(next.end, wordEnd(next.end))), [.init(span.joined(next.span), "")])
        case "$" where next.kind == .variable && next.start == span.end:
            return (text(next.span), [.init(span, "")])
        case "$" where next.kind == .identifier:
            return ("$" + text(next.span), [.init(SourceSpan(span.end, next.start), "")])
        case "%" where next.kind == .error(.unexpectedCharacter) && text(next.span) == "@":
            return ("%@", [.init(SourceSpan(span.end, next.start), "")])
        case "?" where isGlued && text(next.span) == "?":
            let left = operands.isEmpty ? "a" : abbreviated(leftSide)
            return ("TERNARY(\(left) != nil, \(left), …)", [])
        case "?" where isComparisonComplete: return ("TERNARY(condition, a, b)", [])
        default: return nil
        }
    }

    /// The character for a message, or its code if it is invisible.
    private func visible(_ character: String) -> String {
        let isVisible = character.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value != 0x7F && $0.value != 0xA0 && $0.value != 0x3000 && $0.value != 0xFEFF
                && $0.value != 0xFFFD && !(0x2000...0x200F).contains($0.value) && $0.value != 0x202F
                && $0.value != 0x2060
        }
        return isVisible
            ? character
            : character.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }.joined()
    }

    private mutating func reportUnexpectedCharacter() {
        let character = text(token.span)
        if let meant = separatorMeant(by: character) {
            report(
                .unexpectedCharacter, at: token.span, character, suggestion: meant.trimmingSpaces(),
                fixIts: [.init(token.span, meant)])
            return
        }
        if character == "$", foreignSign(character) == nil {
            report(.unexpectedCharacter, at: token.span, character, "a variable is a dollar sign and a name: $x")
            return
        }
        if character == "~" {
            report(.unexpectedCharacter, at: token.span, character, "the complement of bits is onesComplement:(a)")
            return
        }
        if frame.kind == .index, character == ":" {
            report(
                .unexpectedCharacter, at: token.span, character,
                "an index is one number; for a part of a text use BEGINSWITH, ENDSWITH or LIKE")
            return
        }
        if let foreign = foreignSign(character) {
            report(
                .unexpectedCharacter, at: token.span, character, suggestion: foreign.suggestion,
                fixIts: foreign.fixIts)
            return
        }
        report(
            .unexpectedCharacter, at: token.span, visible(character),
            fixIts: character == ";" && peek().kind == .end ? [.init(token.span, "")] : [])
    }

    /// The probable intention of a semicolon: it separates elements of a list, or conditions.
    private func separatorMeant(by character: String) -> String? {
        guard character == ";" else { return nil }
        if frame.takesCommas, startsOperand(peek().kind) { return "," }
        return isComparisonComplete && beginsComparison() ? " AND" : nil
    }

    /// Reads `“text”` as a string.
    private mutating func readTypographicQuote(_ span: SourceSpan) -> Bool {
        let whole = text(span)
        guard whole.count > 1, let first = whole.first, let last = whole.last,
            last.unicodeScalars.allSatisfy({ TypographicQuotes.contains($0.value) })
        else {
            report(.typographicQuote, at: span, String(whole.prefix(1)), "' or \"")
            stopped = true
            return false
        }
        let quote = whole.contains("\"") ? "'" : "\""
        let close = span.end - String(last).utf8.count
        report(
            .typographicQuote, at: span, String(first), "' or \"",
            fixIts: [
                .init(SourceSpan(span.start, span.start + String(first).utf8.count), quote),
                .init(SourceSpan(close, span.end), quote),
            ])
        advance()
        push(.value(.string(String(whole.dropFirst().dropLast()))), span: span)
        return false
    }

    /// Operators of other languages, and typing mistakes.
    static let symbols: [String: (spelling: String, operator: ComparisonOperator)] = [
        "===": ("==", .equal), "!==": ("!=", .notEqual), "<=>": ("==", .equal), "=~": ("MATCHES", .matches),
        "<==": ("<=", .lessThanOrEqual), ">==": (">=", .greaterThanOrEqual), "==<": ("<=", .lessThanOrEqual),
        "==>": (">=", .greaterThanOrEqual), "!~": ("MATCHES", .matches), "=>=": (">=", .greaterThanOrEqual),
        "=<=": ("<=", .lessThanOrEqual), "====": ("==", .equal), "!===": ("!=", .notEqual),
        ">>=": (">=", .greaterThanOrEqual),
        "<<=": ("<=", .lessThanOrEqual), ">>>": (">", .greaterThan), "<<<": ("<", .lessThan), "<>=": ("!=", .notEqual),
        "=<>": ("!=", .notEqual), "==!": ("!=", .notEqual), "=!=": ("!=", .notEqual), "!<>": ("==", .equal),
    ]

    /// Reads `===`, `<=>`, `!==` as the operator that was probably meant.
    mutating func readUnknownSymbol() -> Bool {
        let span = token.span
        let isBehindOperand = operands.count > operandBase && !isWaiting
        if isBehindOperand, let options = readAngledOptions() { return options }
        let word = text(span)
        let meant = Self.symbols[word]
        var suggestion = meant?.spelling
        if word == "!~", isBehindOperand {
            suggestion = negated("MATCHES").suggestion
        }
        report(
            .singleEqualsChain, at: span, word, suggestion: suggestion,
            fixIts: word.contains("~") || word == "<=>" ? [] : meant.map { [.init(span, $0.spelling)] } ?? [])
        if let meant, isBehindOperand { return readComparison(meant.operator, span) }
        return recover()
    }

    /// Whether the last pending operator still needs its right side.
    var isWaiting: Bool { pending.map { operands.count <= $0.firstOperand + 1 } ?? false }
}
