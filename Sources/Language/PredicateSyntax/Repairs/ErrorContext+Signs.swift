// Invalid characters; signs, numbers and literals of other languages.

extension ErrorContext {
    func lexicalError(expectsOperand: Bool) -> Mistake? {
        guard case .error(let error) = token.kind else { return nil }
        let span = token.span
        let word = text(span)
        switch error {
        case .hole: return nil
        case .unterminatedString: return unterminatedString()
        case .xmlEntity:
            return Mistake(
                .xmlEntity, at: span, word, XMLEntity.all.first { $0.spelling == word }?.meaning ?? "",
                fixIts: entityFixIts(from: span.start)
            ).stopping
        case .typographicQuote: return typographicQuote()
        case .comment:
            if expectsOperand, isWaitingForText, let path = unquotedValue() { return path }
            if expectsOperand, isWaitingForText { return nil }
            return Mistake(.comment, at: span, fixIts: .fix(span, ""))
        case .nonASCIIKey:
            let isWord = word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            let key = argument == nil ? "" : " or %K"
            return Mistake(.nonAsciiKey, at: span, word, key, isWord ? LanguageOptions.or("unicode") : "")
        case .malformedNumber: return malformedNumber(span)
        case .unknownOperator: return unknownSymbol()
        case .unexpectedCharacter:
            if let mistake = lookalike() { return mistake }
            if expectsOperand { return foreignValue() ?? unquotedValue() ?? unexpectedCharacter() }
            if previous.kind == .conversion, isGlued, word == "?" {
                return Mistake(.adjacentArgument, at: span, text(previous.span))
            }
            return unexpectedCharacter()
        }
    }

    /// The fix-its for this entity and all later ones.
    private func entityFixIts(from start: Int) -> [PredicateDiagnostic.FixIt] {
        var fixIts: [PredicateDiagnostic.FixIt] = []
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

    /// `===`, `<=>`, `!==`
    private func unknownSymbol() -> Mistake {
        let isBehindOperand = operands.count > operandBase && !isWaiting
        let span = token.span
        let word = text(span)
        let meant = Vocabulary.symbols[word]
        let suggestion = word == "!~" ? isBehindOperand ? negated("MATCHES").suggestion : nil : meant
        let mistake = Mistake(
            .singleEqualsChain, at: span, word, suggestion: suggestion,
            fixIts: word.contains("~") || word == "<=>" ? [] : meant.map { .fix(span, $0) } ?? [])
        guard let meant, isBehindOperand else { return mistake.skipping }
        return mistake.reading(span, as: meant)
    }

    /// A sign that looks like one of the language's signs: `≤`, a no-break space.
    private func lookalike() -> Mistake? {
        let sign = text(token.span)
        guard let meant = Vocabulary.lookalikes[sign] else { return nil }
        return Mistake(
            .unexpectedCharacter, at: token.span, visible(sign),
            suggestion: meant.trimmingSpaces.isEmpty ? nil : meant, fixIts: .fix(token.span, meant))
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

    private func unexpectedCharacter() -> Mistake {
        let span = token.span
        let character = text(span)
        let advice = character == "$" ? "a variable is a dollar sign and a name: $x" : ""
        return Mistake(
            .unexpectedCharacter, at: span, visible(character), advice,
            fixIts: character == ";" && peek().kind == .end ? .fix(span, "") : [])
    }

    // MARK: Values of other languages

    /// What takes an argument; nil if the text has none.
    private var argument: String? { if case .none = parser.arguments { nil } else { "%@" } }

    /// `$1`, `$(date)`, `\(name)` and `` `name` ``
    private func foreignValue() -> Mistake? {
        let start = token.start
        let sign = byte(start)
        let close: UInt8 =
            switch byte(start + 1) {
            case "(": UInt8(ascii: ")")
            case "{": UInt8(ascii: "}")
            default: UInt8(ascii: "`")
            }
        guard sign == "`" || "$#\\".contains(sign) && close != UInt8(ascii: "`"),
            let end = bytes.dropFirst(start + 2).firstIndex(of: sign == "`" ? UInt8(ascii: "`") : close)
        else {
            let number = SourceSpan(start, digitsEnd(start + 1))
            return sign == "$" && number.count == 2 && isWaiting
                ? Mistake(.unexpectedCharacter, at: number, text(number), suggestion: argument)
                    .reading(asValue: number)
                : nil
        }
        let span = SourceSpan(start, end + 1)
        if sign == "`" {
            let name = text(SourceSpan(start + 1, end))
            guard name.utf8.allSatisfy({ $0.isOfWord || $0 == UInt8(ascii: " ") }) else { return nil }
            let meant = isWaitingForText ? "\"\(name)\"" : name.contains(" ") ? SyntaxSelector.key(name) : name
            return Mistake(
                .unexpectedCharacter, at: span, abbreviated(span), suggestion: meant, fixIts: .fix(span, meant))
        }
        let name = SourceSpan(start + 2, end)
        let isName = !name.isEmpty && bytes[name.start].beginsWord && wordEnd(name.start) == name.end
        let meant = isName && sign != "\\" ? "$\(text(name))" : argument
        let mistake = Mistake(.unexpectedCharacter, at: span, abbreviated(span), suggestion: meant)
        return isName ? mistake.reading(span, as: "$\(text(name))") : mistake.reading(asValue: span)
    }

    // MARK: Numbers

    /// `2020-01-01T10:00:00Z` and `2020-01-01 10:00`, which break at their time.
    func unquotedTime() -> Mistake? {
        guard let start = (1...6).compactMap({ before($0) }).first(where: { $0.span.count == 4 })?.start,
            start + 8 <= token.start, start + 10 <= bytes.count
        else { return nil }
        let date = text(SourceSpan(start, start + 10)).map { $0.isNumber ? "0" : $0 }
        guard String(date) == "0000-00-00", let time = unquotedChunk(from: token.start) else { return nil }
        let offset = offset(behind: time.end)
        let whole = SourceSpan(start, offset?.end ?? time.end)
        let iso = String(text(SourceSpan(start, time.end)).map { $0 == " " ? "T" : $0 }) + (offset?.iso ?? "")
        let meant = "CAST(\"\(iso)\", \"\(SyntaxSelector.dateClass)\")"
        return Mistake(.malformedNumber, at: whole, text(whole), "", suggestion: meant, fixIts: .fix(whole, meant))
    }

    /// The offset of a time zone behind a space, as Swift prints it: `+0530`; or `UTC`.
    private func offset(behind end: Int) -> (iso: String, end: Int)? {
        guard end < bytes.count, byte(end) == " " else { return nil }
        let zone = SourceSpan(end + 1, wordEnd(end + 1))
        if ["UTC", "GMT", "Z"].contains(text(zone).uppercased()) { return ("Z", zone.end) }
        guard "+-".contains(byte(end + 1)), digitsEnd(end + 2) == end + 6 else { return nil }
        let digits = text(SourceSpan(end + 1, end + 6))
        return (digits.prefix(3) + ":" + digits.suffix(2), end + 6)
    }

    /// `.5`, a fraction without its zero. Behind an operator for texts it may be the end of a file's name.
    func bareFraction() -> Mistake? {
        let whole = token.span.joined(peek().span)
        let number = "0" + text(whole)
        if case .comparison(let sign, _) = pending?.kind, [.beginsWith, .endsWith, .like, .matches].contains(sign) {
            return nil
        }
        guard token.kind == .dot, Lexer.tokens(of: number).map({ $0.kind }) == [.floatingPoint, .end] else {
            return nil
        }
        return Mistake(.malformedNumber, at: whole, text(whole), suggestion: number, fixIts: .fix(whole, number))
    }

    private func malformedNumber(_ span: SourceSpan) -> Mistake {
        let word = text(span)
        if let other = unquotedTime() { return other }
        let numberEnd = numberEnd(span.start)
        let behind = text(SourceSpan(numberEnd, span.end))
        if numberEnd > span.start, ["AND", "OR"].contains(behind.uppercased()) {
            return Mistake(
                .missingSpace, at: span, word, "\(text(SourceSpan(span.start, numberEnd))) \(behind)",
                fixIts: .fix(SourceSpan(numberEnd, numberEnd), " "))
        }
        var (advice, fix): (String, String?) = ("quote it if it is text", nil)
        if word.hasSuffix("."), word.dropLast().utf8.allSatisfy({ $0.isDigit }) {
            advice = "write \(word)0"
        } else if word.utf8.count >= 12, word.allSatisfy({ $0.isHexDigit }) {
            fix = "\"\(word)\""
        } else if word.contains("..") {
            advice = "for a range write BETWEEN {lower, upper}"
        } else if word.contains(".") {
            advice = "write one decimal point, with digits on both sides"
        }
        return Mistake(
            .malformedNumber, at: span, word, advice, suggestion: fix, fixIts: fix.map { .fix(span, $0) } ?? [])
    }
}
