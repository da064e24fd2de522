// Invalid characters; signs, numbers and literals of other languages.

extension ErrorContext {
    func lexicalError(expectsOperand: Bool) -> Mistake? {
        guard case .error(let error) = token.kind else { return nil }
        let span = token.span
        let word = text(span)
        switch error {
        case .hole: return nil
        case .unterminatedString: return unterminatedString(expectsOperand: expectsOperand)
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
            let plain = FullWidth.plain(word)
            return Mistake(
                .nonAsciiKey, at: span, word, suggestion: plain, fixIts: plain.map { .fix(span, $0) } ?? [])
        case .malformedNumber: return malformedNumber(span)
        case .unknownOperator: return unknownSymbol()
        case .unexpectedCharacter:
            if let mistake = lookalike() { return mistake }
            if expectsOperand {
                return foreignValue() ?? unquotedValue() ?? leadingComment() ?? optionsBehindSign()
                    ?? unexpectedCharacter()
            }
            if previous.kind == .conversion, isGlued, word == "?" {
                return Mistake(.adjacentArgument, at: span, text(previous.span))
            }
            return foreignOperator() ?? unitSign() ?? unquotedRest() ?? unexpectedCharacter()
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
        if isBehindOperand, let options = angledOptions() { return options }
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

    /// A sign that looks like one of the language's signs: `≤`, `＞`, a no-break space.
    private func lookalike() -> Mistake? {
        let span = token.span
        let sign = text(span)
        guard let meant = Vocabulary.lookalikes[sign] ?? FullWidth.ascii(sign) else { return nil }
        if meant == ";" {
            let separator = separatorMeant(by: meant)
            return Mistake(
                .unexpectedCharacter, at: span, sign, suggestion: separator?.trimmingSpaces,
                fixIts: separator.map { .fix(span, $0) } ?? [])
        }
        // A joiner is part of a word in Persian and other scripts, and of some emoji.
        if meant.isEmpty, sign == "\u{200C}" || sign == "\u{200D}", span.start > 0, bytes[span.start - 1] >= 0x80 {
            return Mistake(.unexpectedCharacter, at: span, visible(sign))
        }
        if meant == "%" {
            return Mistake(.unexpectedCharacter, at: span, sign, "the remainder is modulus:by:(a, b)")
        }
        let later =
            Vocabulary.lookalikes[sign] != nil
            ? []
            : tokens[(index + 1)...].prefix(64).compactMap { next in
                next.kind == .error(.unexpectedCharacter)
                    ? FullWidth.ascii(text(next.span)).flatMap { $0 == "%" || $0 == ";" ? nil : .init(next.span, $0) }
                    : nil
            } as [PredicateDiagnostic.FixIt]
        return Mistake(
            .unexpectedCharacter, at: span, visible(sign), suggestion: meant.trimmingSpaces.isEmpty ? nil : meant,
            fixIts: .fix(span, meant) + later)
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
        func mistake(_ advice: String) -> Mistake { Mistake(.unexpectedCharacter, at: span, character, advice) }
        if let meant = separatorMeant(by: character) {
            return Mistake(
                .unexpectedCharacter, at: span, character, suggestion: meant.trimmingSpaces,
                fixIts: .fix(span, meant))
        }
        if character == "$", foreignSign(character) == nil {
            return mistake("a variable is a dollar sign and a name: $x")
        }
        if character == "~" { return mistake("the complement of bits is onesComplement:(a)") }
        if frame.kind == .index, character == ":" {
            return mistake("an index is one number; for a part of a text use BEGINSWITH, ENDSWITH or LIKE")
        }
        if let foreign = foreignSign(character) {
            return Mistake(
                .unexpectedCharacter, at: span, character, suggestion: foreign.suggestion, fixIts: foreign.fixIts
            ).skipping
        }
        return Mistake(
            .unexpectedCharacter, at: span, visible(character),
            fixIts: character == ";" && peek().kind == .end ? .fix(span, "") : [])
    }

    /// The meaning of a sign from another language: `a?.b`, `a ?? 0`, `$0.name`.
    private func foreignSign(_ character: String) -> (suggestion: String, fixIts: [PredicateDiagnostic.FixIt])? {
        let span = token.span
        let next = peek()
        let isJoined = next.start == span.end
        switch character {
        case "?" where isJoined && next.kind == .dot: return (path(across: span.joined(next.span)), .fix(span, ""))
        case "$" where isJoined && previous.kind == .variable:
            return (text(previous.span), .fix(span, ""))
        case "\\" where next.kind == .dot && isJoined:
            return (text(SourceSpan(next.end, wordEnd(next.end))), .fix(span.joined(next.span), ""))
        case "$" where next.kind == .variable && isJoined: return (text(next.span), .fix(span, ""))
        case "$" where next.kind == .identifier:
            return ("$" + text(next.span), .fix(SourceSpan(span.end, next.start), ""))
        case "%" where next.kind == .error(.unexpectedCharacter) && text(next.span) == "@":
            return ("%@", .fix(SourceSpan(span.end, next.start), ""))
        case "?" where isJoined && text(next.span) == "?":
            let left = operands.isEmpty ? "a" : abbreviated(leftSide)
            return ("TERNARY(\(left) != nil, \(left), …)", [])
        case "?" where isComparisonComplete: return ("TERNARY(condition, a, b)", [])
        default: return nil
        }
    }

    /// The probable intention of a semicolon: it separates elements of a list, or conditions.
    private func separatorMeant(by character: String) -> String? {
        guard character == ";" else { return nil }
        if frame.takesCommas, startsOperand(peek().kind) { return "," }
        return isComparisonComplete && beginsComparison() ? " AND" : nil
    }

    // MARK: Values of other languages

    private func foreignValue() -> Mistake? {
        let start = token.start
        func value(
            _ span: SourceSpan, _ meant: String, _ fixIts: [PredicateDiagnostic.FixIt] = [], as read: String? = nil
        )
            -> Mistake
        {
            let mistake = Mistake(
                .unexpectedCharacter, at: span, abbreviated(span), suggestion: meant, fixIts: fixIts)
            if let read { return mistake.reading(span, as: read) }
            return fixIts.isEmpty ? mistake.reading(asValue: span) : mistake
        }
        func variable(_ span: SourceSpan, _ name: SourceSpan) -> Mistake {
            let isName = !name.isEmpty && bytes[name.start].beginsWord && wordEnd(name.start) == name.end
            let meant = isName && byte(start) != "\\" ? "$\(text(name))" : "%@"
            return value(span, meant, as: isName ? "$\(text(name))" : nil)
        }
        func amount(_ sign: Int) -> Mistake? {
            let number = SourceSpan(start + sign, numberEnd(start + sign))
            guard !number.isEmpty else { return nil }
            let span = SourceSpan(start, number.end)
            if byte(start) == "$", number.count == 1 {
                // On the right side it is the first argument; on the left side, the first parameter of a closure.
                return byte(number.start) == "0" && !isWaiting
                    ? value(span, "SELF", .fix(span, "SELF")) : value(span, "%@")
            }
            return Mistake(
                .unexpectedCharacter, at: span, text(span),
                "write the number \(text(number)), or the text \"\(text(span))\""
            ).reading(SourceSpan(start, number.start), as: "")
        }
        if let path = jsonPathPrefix() {
            return Mistake(
                .unexpectedCharacter, at: path, text(path), suggestion: text(SourceSpan(path.end, wordEnd(path.end))),
                fixIts: .fix(path, ""))
        }
        switch byte(start) {
        case ":" where frame.kind == .index: return nil
        case "?":
            // Beside a value it is a key.
            let span = SourceSpan(start, digitsEnd(start + 1))
            var ahead = tokens(from: span.end)
            let (sign, other) = (ahead.next(), ahead.next())
            return value(
                span, isComparison(sign) && sign.kind != .comparison(.in) && other.kind == .string ? "%K" : "%@")
        case ":":
            let end = wordEnd(start + 1)
            return end == start + 1 ? nil : variable(SourceSpan(start, end), SourceSpan(start + 1, end))
        case "$", "#", "\\":
            let opener = byte(start + 1)
            if opener == "{" || opener == "(",
                let close = bytes[(start + 2)...].firstIndex(
                    of: opener == "{" ? UInt8(ascii: "}") : UInt8(ascii: ")"))
            {
                return variable(SourceSpan(start, close + 1), SourceSpan(start + 2, close))
            }
            return byte(start) == "\\" ? escapedText(start) : amount(1)
        case "@": return objectiveCLiteral(start)
        case "`":
            guard let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "`")), end > start + 1 else { return nil }
            let name = text(SourceSpan(start + 1, end))
            let span = SourceSpan(start, end + 1)
            if !isWaitingForText, wordEnd(start + 1) < end, !name.contains("\"") {
                return value(span, SyntaxSelector.key(name), .fix(span, SyntaxSelector.key(name)))
            }
            if isWaitingForText { return value(span, "\"\(name)\"", .fix(span, "\"\(name)\"")) }
            return value(
                span, name, [.init(SourceSpan(start, start + 1), ""), .init(SourceSpan(end, end + 1), "")])
        case "€", "£", "¥": return amount(token.span.count)
        default: return nil
        }
    }

    /// `$.` or `@.` at the start of a JSON path, or `\Person.` at the start of a Swift key path.
    private func jsonPathPrefix() -> SourceSpan? {
        let start = token.start
        var end = token.end
        if byte(start) == "\\" {
            end = wordEnd(end)
            guard end > token.end else { return nil }
        } else {
            guard byte(start) == "$" || byte(start) == "@" else { return nil }
        }
        guard byte(end) == "." else { return nil }
        while byte(end) == "." { end += 1 }
        guard end < bytes.count, bytes[end].beginsWord else { return nil }
        return SourceSpan(start, end)
    }

    /// `@"text"`, `@5`, `@(5)`, `@[…]`, and `@%`.
    private func objectiveCLiteral(_ start: Int) -> Mistake? {
        let next = peek()
        guard next.start == start + 1 else { return nil }
        let span = SourceSpan(start, next.end)
        func mistake(_ span: SourceSpan, _ meant: String, _ fix: PredicateDiagnostic.FixIt) -> Mistake {
            Mistake(.unexpectedCharacter, at: span, abbreviated(span), suggestion: meant, fixIts: [fix])
        }
        switch next.kind {
        case .string, .integer, .floatingPoint:
            return mistake(span, abbreviated(next.span), .init(SourceSpan(start, start + 1), ""))
        case .conversion where next.span.count == 1: return mistake(span, "%@", .init(span, "%@"))
        case .leftBracket, .leftParenthesis:
            guard let list = bracketed(next) else { return nil }
            let elements = text(SourceSpan(list.start + 1, list.end - 1)).split(separator: ",").map {
                $0.trimmingSpaces.drop { $0 == "@" }
            }.joined(separator: ", ")
            let whole = SourceSpan(start, list.end)
            let meant = next.kind == .leftBracket ? "{\(elements)}" : elements
            return mistake(whole, meant, .init(whole, meant))
        default: return nil
        }
    }

    /// `\"text\"`: quotes that were escaped for another language.
    private func escapedText(_ start: Int) -> Mistake? {
        let bytes = self.bytes
        guard let open = bytes[start...].firstIndex(where: { $0 != UInt8(ascii: "\\") }),
            bytes[open] == UInt8(ascii: "\"") || bytes[open] == UInt8(ascii: "'"),
            let close = bytes[(open + 1)...].firstIndex(of: bytes[open])
        else { return nil }
        var last = close
        while last > open + 1, bytes[last - 1] == UInt8(ascii: "\\") { last -= 1 }
        let quote = text(SourceSpan(open, open + 1))
        let span = SourceSpan(start, close + 1)
        return Mistake(
            .unexpectedCharacter, at: span, abbreviated(span),
            suggestion: quote + text(SourceSpan(open + 1, last)) + quote,
            fixIts: [.init(SourceSpan(start, open), ""), .init(SourceSpan(last, close), "")])
    }

    /// A comment where a condition was expected: `-- text`, `# text`.
    private func leadingComment() -> Mistake? {
        let start = token.start
        guard !isPart, allowsCondition, operands.isEmpty, byte(start) == "#", byte(start + 1) == " "
        else { return nil }
        let span = SourceSpan(start, bytes[start...].firstIndex(of: 0x0A) ?? bytes.count)
        let mistake = Mistake(.comment, at: span, fixIts: .fix(span, ""))
        return bytes[span.end...].allSatisfy { $0.isSpace } ? mistake.stopping : mistake
    }

    /// Behind an operand: `::type`, `~`, a comment of the shell.
    private func foreignOperator() -> Mistake? {
        let start = token.start
        if byte(start) == "#", isComparisonComplete,
            start + 1 == bytes.count || bytes[start + 1].isSpace
        {
            let span = SourceSpan(start, bytes[start...].firstIndex(of: 0x0A) ?? bytes.count)
            return Mistake(.comment, at: span, fixIts: .fix(span, ""))
        }
        if byte(start) == ":", byte(start + 1) == ":", let operand = operands.last {
            let end = wordEnd(start + 2)
            let type = text(SourceSpan(start + 2, end))
            let span = SourceSpan(start, end)
            let meant = SyntaxSelector.castClass(ofSQL: type).map { "CAST(\(text(operand.span)), \"\($0)\")" }
            let mistake = Mistake(
                .sqlOperator, at: span, "'::\(type)'", meant ?? "CAST(value, \"NSDate\")",
                fixIts: meant.map { .fix(SourceSpan(operand.span.start, end), $0) } ?? [])
            return meant == nil ? mistake.reading(span, as: " ") : mistake
        }
        guard byte(start) == "~" else { return nil }
        let span = SourceSpan(start, byte(start + 1) == "=" ? start + 2 : start + 1)
        // In Lua `~=` means not equal; in other languages a tilde matches a pattern.
        let next = tokens.first { $0.start >= span.end }
        return .operatorMeant(self, span, next?.kind == .string ? "MATCHES" : "!=")
    }

    // MARK: Numbers

    /// `10$`, `10€` and `50%` at the sign, because numbers have no units.
    func unitSign() -> Mistake? {
        guard previous.kind == .integer || previous.kind == .floatingPoint, isGlued,
            "$€£¥%".contains(byte(token.start)), token.span.count <= 3, endsCondition(peek())
        else { return nil }
        let whole = previous.span.joined(token.span)
        guard byte(token.start) == "%", let percent = Double(text(previous.span)) else {
            return Mistake(
                .malformedNumber, at: whole, text(whole), "", suggestion: text(previous.span),
                fixIts: .fix(token.span, ""))
        }
        // `250+10%` of a calculator adds 10 % of 250.
        if case .binary(let sign) = pending?.kind, sign == .add || sign == .subtract, let place = pending,
            place.firstOperand < operands.count, case .expression(let left) = operands[place.firstOperand].item
        {
            let sum = left.span.joined(whole)
            let meant = "\(text(left.span)) * \((sign == .add ? 100 + percent : 100 - percent) / 100)"
            if case .binary = left.kind {
            } else {
                return Mistake(
                    .malformedNumber, at: whole, text(whole), "", suggestion: meant, fixIts: .fix(sum, meant))
            }
        }
        return Mistake(
            .malformedNumber, at: whole, text(whole), "write \(text(previous.span)), or the fraction \(percent / 100)"
        ).reading(token.span, as: "")
    }

    /// `2020-01-01T10:00:00Z` and `2020-01-01 10:00`, which break at their time.
    func unquotedTime() -> Mistake? {
        guard let start = (1...6).compactMap({ before($0) }).first(where: { $0.span.count == 4 })?.start,
            start + 8 <= token.start, start + 10 <= bytes.count
        else { return nil }
        let date = text(SourceSpan(start, start + 10)).map { $0.isNumber ? "0" : $0 }
        guard String(date) == "0000-00-00", let end = unquotedChunk(from: token.start)?.end else { return nil }
        let whole = SourceSpan(start, end)
        let iso = String(text(whole).map { $0 == " " ? "T" : $0 })
        let meant = "CAST(\"\(iso)\", \"\(SyntaxSelector.dateClass)\")"
        return Mistake(.malformedNumber, at: whole, text(whole), "", suggestion: meant, fixIts: .fix(whole, meant))
    }

    private func malformedNumber(_ span: SourceSpan) -> Mistake {
        let word = text(span)
        if let other = range(span) ?? unquotedTime() { return other }
        // A bracket is missing, as in `SUBQUERY(pets, $p, $p.age > 3.@count`.
        if word.hasSuffix("."), byte(span.end) == "@", frames.count > 1 {
            let end = SourceSpan(span.end - 1, span.end - 1)
            return Mistake(
                .unclosedBracket, at: frame.opener, written(frame.opener), "write ) before .@",
                fixIts: [.init(end, ")")])
        }
        let numberEnd = numberEnd(span.start)
        let behind = text(SourceSpan(numberEnd, span.end))
        if numberEnd > span.start, ["AND", "OR"].contains(behind.uppercased()) {
            return Mistake(
                .missingSpace, at: span, word, "\(text(SourceSpan(span.start, numberEnd))) \(behind)",
                fixIts: .fix(SourceSpan(numberEnd, numberEnd), " "))
        }
        let lower = word.lowercased()
        let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        var (advice, fix): (String, String?) = ("quote it if it is text, or pass a key for %K", nil)
        if lower.hasPrefix("0b") {
            advice = "the digits of a binary number are 0 and 1"
        } else if lower.hasPrefix("0o") {
            advice = "the digits of an octal number are 0 to 7"
        } else if lower.hasPrefix("0x") {
            advice = "the digits of a hexadecimal number are 0 to 9 and A to F"
        } else if word.hasSuffix("."), word.dropLast().utf8.allSatisfy({ $0.isDigit }) {
            advice = "write \(word)0"
        } else if word.contains("_"), word.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "_") }) {
            fix = word.filter { $0 != "_" }
        } else if ["f", "F", "l", "L", "u", "U", "d", "m", "ul", "UL"].contains(word.dropFirst(digits.count)) {
            fix = String(digits)
        } else if let chunk = unquotedChunk(from: span.start), chunk.end > span.end {
            return asText(chunk, .malformedNumber)
        } else if word.utf8.count >= 12, word.allSatisfy({ $0.isHexDigit }) {
            fix = "\"\(word)\""
        } else if let number = Double(digits), word.count - digits.count <= 3,
            word.dropFirst(digits.count).allSatisfy({ $0.isLetter })
        {
            advice =
                unitAdvice(number, String(word.dropFirst(digits.count)))
                ?? "write \(digits) without the unit, or quote it if it is text"
        } else if word.contains(".") {
            advice = "write one decimal point, with digits on both sides"
        }
        return Mistake(
            .malformedNumber, at: span, word, advice, suggestion: fix, fixIts: fix.map { .fix(span, $0) } ?? [])
    }

    /// Advice for the numbers that `1MB` and `10k` mean; nil for other units.
    private func unitAdvice(_ number: Double, _ unit: String) -> String? {
        let letters = unit.lowercased()
        guard let power = ["k": 1, "m": 2, "g": 3, "t": 4][letters.first.map(String.init) ?? ""],
            ["", "b", "ib"].contains(letters.dropFirst())
        else { return nil }
        func digits(_ base: Double) -> String? {
            var value = number
            for _ in 0..<power { value *= base }
            return Int64(exactly: value).map(String.init)
        }
        guard let decimal = digits(1000), let binary = digits(1024) else { return nil }
        if letters.count == 1 { return "write the number: \(decimal)" }
        return letters.count == 3 ? "write the number: \(binary)" : "write the number: \(decimal), or \(binary) by 1024"
    }

    /// `18...30` and `18..<30`, ranges of Swift and other languages, at the malformed number.
    private func range(_ span: SourceSpan) -> Mistake? {
        let firstEnd = digitsEnd(span.start)
        guard byte(firstEnd) == ".", byte(firstEnd + 1) == "." else { return nil }
        var second = firstEnd + 2
        let isHalfOpen = byte(second) == "<"
        if isHalfOpen || byte(second) == "." { second += 1 }
        let whole = SourceSpan(span.start, digitsEnd(second))
        let (lower, upper) = (text(SourceSpan(span.start, firstEnd)), text(SourceSpan(second, whole.end)))
        guard !upper.isEmpty else { return nil }
        let bounds = "{\(lower), \(upper)}"
        var (advice, fixIts): (String, [PredicateDiagnostic.FixIt]) = ("BETWEEN \(bounds)", [])
        if case .comparison(let comparison, _) = pending?.kind, let left = operands.last,
            let sign = pending?.span
        {
            let key = abbreviated(left.span)
            if isHalfOpen {
                advice = "\(key) >= \(lower) AND \(key) < \(upper)"
                fixIts = .fix(SourceSpan(left.span.start, whole.end), advice)
            } else if comparison == .between {
                advice = bounds
                fixIts = .fix(whole, bounds)
            } else if comparison == .in || comparison == .equal {
                fixIts = .fix(sign.joined(whole), advice)
            }
        }
        let mistake = Mistake(.malformedNumber, at: whole, text(whole), "", suggestion: advice, fixIts: fixIts)
        return fixIts.isEmpty ? mistake.reading(asValue: whole) : mistake
    }

    /// `1,000` and `9,99` at the comma: a thousands separator or a decimal comma.
    func decimalComma() -> Mistake? {
        guard isGlued, let operand = operands.last, operand.span.end == token.start else { return nil }
        let next = peek()
        func mistake(_ number: SourceSpan, _ meant: String) -> Mistake {
            Mistake(.malformedNumber, at: number, text(number), "", suggestion: meant, fixIts: .fix(number, meant))
        }
        if case .comparison(.in, _) = pending?.kind { return nil }
        // `1.000,50`
        if previous.kind == .floatingPoint, next.kind == .integer, next.start == token.end {
            let parts = text(operand.span).split(separator: ".")
            guard parts.count == 2, parts[0].count <= 3, parts[1].count == 3, byte(next.end) != "," else { return nil }
            return mistake(operand.span.joined(next.span), parts.joined() + "." + text(next.span))
        }
        guard previous.kind == .integer, next.start == token.end,
            next.kind == .integer || next.kind == .floatingPoint
        else { return nil }
        var number = operand.span.joined(next.span)
        let isGrouped = text(next.span).prefix { $0 != "." }.count == 3
        while isGrouped, byte(number.end) == ",", digitsEnd(number.end + 1) == number.end + 4 {
            number = SourceSpan(number.start, number.end + 4)
        }
        // It is a list, as in `a == 1,2,3`.
        if byte(number.end) == "," { return nil }
        return mistake(
            number, isGrouped ? text(number).filter { $0 != "," } : text(operand.span) + "." + text(next.span))
    }

    /// `1 000` and `1'000` after the first digits.
    func splitNumber() -> Mistake? {
        guard previous.kind == .integer, let operand = operands.last, operand.span == previous.span
        else { return nil }
        let isInteger = token.kind == .integer
        let start = isInteger ? token.start : token.start + 1
        let end = digitsEnd(min(start, bytes.count))
        guard end - start == 3, isInteger || byte(token.start) == "'" else { return nil }
        let whole = SourceSpan(previous.start, end)
        let meant = text(previous.span) + text(SourceSpan(start, end))
        return Mistake(.malformedNumber, at: whole, text(whole), "", suggestion: meant, fixIts: .fix(whole, meant))
    }
}
