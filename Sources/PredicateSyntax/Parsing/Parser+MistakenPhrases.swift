// Recovery from words and signs of other languages after an operand: `greater than`, `DATE '…'`, `- 7 DAYS`, `->`,
// `!.`, closures, options without brackets.

extension PredicateParser {
    /// English phrases for operators, without a leading IS.
    private static let phrases = [
        "GREATER THAN": ">", "MORE THAN": ">", "HIGHER THAN": ">", "LESS THAN": "<", "LOWER THAN": "<",
        "SMALLER THAN": "<", "BIGGER THAN": ">", "LARGER THAN": ">", "AT LEAST": ">=", "AT MOST": "<=",
        "SAME AS": "==", "DIFFERENT FROM": "!=", "STARTING WITH": "BEGINSWITH", "BEGINNING WITH": "BEGINSWITH",
        "ENDING WITH": "ENDSWITH", "HAS PREFIX": "BEGINSWITH", "HAS SUFFIX": "ENDSWITH",
        "EQUAL TO": "==", "EQUALS TO": "==", "THE SAME AS": "==", "NOT EQUAL TO": "!=",
        "NOT EQUAL": "!=", "NOT EQUALS": "!=", "NOT THE SAME AS": "!=", "ISNT EQUAL TO": "!=",
        "GREATER THAN OR EQUAL TO": ">=", "GREATER THAN OR EQUAL": ">=", "GREATER OR EQUAL": ">=",
        "LESS THAN OR EQUAL TO": "<=", "LESS THAN OR EQUAL": "<=", "LESS OR EQUAL": "<=", "NOT LESS THAN": ">=",
        "NO LESS THAN": ">=", "NOT GREATER THAN": "<=", "NO MORE THAN": "<=",
    ]

    /// The units of time in SQL, in seconds.
    private static let units = ["SECOND": 1, "MINUTE": 60, "HOUR": 3600, "DAY": 86400, "WEEK": 604_800]

    /// Reads `age greater than 3`, `age IS GREATER THAN 3`, `age is between …` and `name ISNT 'a'` at their first word.
    mutating func readPhrase() -> Bool? {
        var ahead = lexer
        var first = token
        if text(first.span).uppercased() == "IS" { first = ahead.next() }
        let isPrefixed = first.span != token.span
        if isPrefixed, isComparison(first), operatorWord(first) != nil {
            let whole = token.span.joined(first.span)
            let meant = text(first.span).uppercased()
            report(.sqlOperator, at: whole, "'\(text(whole))'", meant, fixIts: [.init(whole, meant)])
            advance()
            return readOperator()
        }
        var phrase = plainWord(first.span)
        var found: (meant: String, end: SourceSpan)?
        for _ in 0..<4 {
            let next = ahead.next()
            guard next.kind != .end, Lexer.isLetter(bytes[next.start]) else { break }
            phrase += " " + text(next.span).uppercased()
            var behind = ahead
            if let meant = Self.phrases[phrase], startsOperand(behind.next().kind) { found = (meant, next.span) }
        }
        if let found { return replaceOperator(token.span.joined(found.end), found.meant) }
        if ["ISNT", "ISNOT"].contains(plainWord(token.span)), startsOperand(peek().kind) {
            return replaceOperator(token.span, "!=")
        }
        return nil
    }

    mutating func replaceOperator(_ span: SourceSpan, _ meant: String) -> Bool {
        reportUnknownOperator(span, meant: meant)
        var lexer = Lexer(meant)
        return readInstead(lexer.next().kind, span)
    }

    /// Reads `name NTO IN {…}`: a misspelled NOT after its operand.
    mutating func readMisspelledNot() -> Bool? {
        let span = token.span
        let next = peek()
        guard isComparison(next), operatorWord(next) != nil,
            Suggestions.nearest(to: text(span), in: [Keyword.not.rawValue]) != nil
        else { return nil }
        let meant = negated(text(next.span).uppercased())
        report(
            .unknownOperator, at: span, text(span), suggestion: meant.suggestion,
            fixIts: meant.fixIts + [.init(SourceSpan(span.start, next.start), "")])
        advance()
        return readOperator()
    }

    /// Reads `LIKE %Ann%` after `%A`, which is a conversion: a SQL pattern without quotes.
    mutating func readPercentPattern() -> Bool? {
        guard previous.kind == .conversion, isGlued, case .comparison = pending?.kind else { return nil }
        let end = bytes[previous.span.start...].firstIndex { $0 <= 0x20 } ?? bytes.count
        let chunk = SourceSpan(previous.span.start, end)
        guard bytes[end - 1] == UInt8(ascii: "%") else { return nil }
        let meant = "\"" + text(chunk).map { $0 == "%" ? "*" : String($0) }.joined() + "\""
        report(.unquotedText, at: chunk, text(chunk), suggestion: meant, fixIts: [.init(chunk, meant)])
        operands.removeLast()
        move(to: end)
        pushError(chunk)
        return false
    }

    /// Reads the `d` of `%lud`: letters of a second conversion directly behind a conversion.
    mutating func readLettersBehindConversion() -> Bool? {
        let word = text(token.span)
        guard previous.kind == .conversion, isGlued, word.count <= 2,
            word.allSatisfy({ "diuoxXfFeEgGaAcCsShlqzL".contains($0) })
        else { return nil }
        let whole = previous.span.joined(token.span)
        let meant = text(previous.span)
        report(.unknownConversion, at: whole, text(whole), suggestion: meant, fixIts: [.init(whole, meant)])
        advance()
        return false
    }

    /// Reads `ANY OF pets.age > 3` after the word OF.
    mutating func readOf() -> Bool? {
        guard case .quantifier = pending?.kind, let operand = operands.last, operand.span == previous.span,
            text(previous.span).uppercased() == "OF", token.kind == .identifier
        else { return nil }
        report(
            .unknownOperator, at: previous.span, text(previous.span), "remove it",
            fixIts: [.init(SourceSpan(previous.span.start, token.start), "")])
        operands.removeLast()
        return true
    }

    /// Reads a text after a word that is not an operand: `DATE '2020-01-01'`, `==c 'a'`, `BEGINSWITH c 'a'`.
    mutating func readTextBehindWord() -> Bool? {
        guard token.kind == .string, previous.kind == .identifier, let operand = operands.last,
            operand.span == previous.span
        else { return nil }
        let word = text(previous.span)
        if ["DATE", "TIMESTAMP", "DATETIME"].contains(word.uppercased()) {
            let whole = previous.span.joined(token.span)
            let meant = "CAST(\(text(token.span)), \"NSDate\")"
            report(.sqlOperator, at: whole, "'\(word) …'", meant, fixIts: [.init(whole, meant)])
            operands.removeLast()
            move(to: token.end)
            pushError(whole)
            return false
        }
        if word.uppercased() == "INTERVAL" {
            let whole = previous.span.joined(token.span)
            let parts = text(token.span).dropFirst().dropLast().split(separator: " ")
            let unit = parts.last.map { $0.uppercased() } ?? ""
            let seconds = Self.units[unit] ?? Self.units[String(unit.dropLast())]
            let meant = parts.count == 2 ? Int(parts[0]).flatMap { number in seconds.map { "\(number &* $0)" } } : nil
            report(
                .sqlOperator, at: whole, "'\(word) …'", "the seconds, such as 604800 for 7 days", suggestion: meant,
                fixIts: meant.map { [.init(whole, $0)] } ?? [])
            operands.removeLast()
            move(to: token.end)
            pushError(whole)
            return false
        }
        // A prefix of a literal, as in `b'a'` and `f"{x}"`, or a word that names the type of the text.
        let isPrefix = isGlued && (operators.last.map { $0.span.end < previous.start } ?? true) && word.count <= 2
        let isKind = ["REGEX", "REGEXP", "PATTERN", "TEXT", "STRING"].contains(word.uppercased())
        if isPrefix || isKind && pending != nil {
            report(
                .unexpectedText, at: previous.span, "'\(word)'", "remove it",
                fixIts: [.init(SourceSpan(previous.start, token.start), "")])
            operands.removeLast()
            return true
        }
        guard case .comparison = pending?.kind, let options = optionLetters(word) else { return nil }
        let start = operators[operators.count - 1].span.end
        let whole = SourceSpan(start, previous.end)
        report(
            .unknownOption, at: previous.span, word, suggestion: options.spelling,
            fixIts: [.init(whole, options.spelling)])
        operands.removeLast()
        setOptions(options)
        return true
    }

    /// Reads `- 7 DAYS` at the unit.
    mutating func readUnit() -> Bool? {
        guard previous.kind == .integer || previous.kind == .floatingPoint, token.kind == .identifier else {
            return nil
        }
        guard previous.kind == .integer, let number = Int(text(previous.span)), number < 1_000_000,
            Self.units[text(token.span).uppercased()] != nil
                || Self.units[String(text(token.span).uppercased().dropLast())] != nil
        else { return readOtherUnit() }
        var word = text(token.span).uppercased()
        if word.hasSuffix("S") { word.removeLast() }
        guard let seconds = Self.units[word] else { return nil }
        let whole = previous.span.joined(token.span)
        let meant = "\(number * seconds)"
        report(.sqlOperator, at: whole, "'\(text(whole))'", "\(meant), in seconds", fixIts: [.init(whole, meant)])
        advance()
        return false
    }

    /// Reads `10 EUR` at the end of a comparison.
    private mutating func readOtherUnit() -> Bool? {
        switch peek().kind {
        case .end, .and, .or, .rightParenthesis: break
        default: return nil
        }
        guard isComparisonComplete, token.span.count <= 6 else { return nil }
        let whole = previous.span.joined(token.span)
        report(
            .malformedNumber, at: whole, text(whole), "", suggestion: text(previous.span),
            fixIts: [.init(SourceSpan(previous.end, token.end), "")])
        advance()
        return false
    }

    /// Methods of collections that take a closure or a condition.
    private static let closureMethods: Set = [
        "any", "some", "all", "every", "allsatisfy", "contains", "filter", "first", "exists", "where", "map", "none",
    ]

    /// Reports `pets.any(age > 3)` and `pets.contains { $0.age > 3 }` at the bracket.
    mutating func readClosure() -> Bool? {
        guard token.kind == .leftParenthesis || token.kind == .leftBrace, let end = bracketed(token)?.end else {
            return nil
        }
        let start =
            bytes[..<previous.end].lastIndex { !Lexer.isWord($0) && $0 != UInt8(ascii: ".") }.map { $0 + 1 } ?? 0
        let path = text(SourceSpan(start, previous.end)).split(separator: ".")
        guard path.count > 1, let method = path.last?.lowercased(), Self.closureMethods.contains(method) else {
            return nil
        }
        let base = path.dropLast().joined(separator: ".")
        let quantifier = ["all", "every", "allsatisfy"].contains(method) ? "ALL" : "ANY"
        let name = SourceSpan(previous.end - (path.last?.utf8.count ?? 0), end)
        report(
            .unknownFunction, at: name, "\(path.last ?? "")",
            "write \(quantifier) \(base).key == …, or SUBQUERY(\(base), $x, $x.key == …).@count > 0")
        move(to: end)
        return recover()
    }

    /// Reads `->`, `+=` and `++` at their second sign.
    mutating func readDoubledSign() -> Bool? {
        guard case .binary(let sign) = pending?.kind, isGlued, let first = pending?.span, first.end == token.start
        else { return nil }
        let both = first.joined(token.span)
        if sign == .subtract, text(both).hasPrefix("->"), peek().kind == .identifier, text(both) == "->" {
            if let lambda = readLambda(both) { return lambda }
            report(.unexpectedCharacter, at: both, "->", suggestion: path(across: both), fixIts: [.init(both, ".")])
            operators.removeLast()
            return readInstead(.dot, both)
        }
        if sign == .bitwiseXor, text(both) == "^=" {
            operators.removeLast()
            return replaceOperator(both, "!=")
        }
        guard ["+=", "-=", "*=", "/=", "++"].contains(text(both)) else { return nil }
        report(.unknownOperator, at: both, text(both), "a predicate changes no values: compare with ==, < or >")
        return recover()
    }

    /// The key path with a dot instead of another sign: `person.name` for `person->name`.
    func path(across sign: SourceSpan) -> String {
        let before = bytes[..<sign.start].reversed().prefix(while: Lexer.isWord).count
        let key = SourceSpan(sign.start - before, sign.start)
        return text(key) + "." + text(SourceSpan(sign.end, wordEnd(sign.end)))
    }

    /// Reads `person!.name` and `age ! 5` at the `!`.
    mutating func readExclamation() -> Bool? {
        guard text(token.span) == "!" else { return nil }
        let span = token.span
        let next = peek()
        if isGlued, next.kind == .dot, next.start == span.end {
            report(
                .unexpectedCharacter, at: span, "!", suggestion: path(across: span.joined(next.span)),
                fixIts: [.init(span, "")])
            advance()
            return readOperator()
        }
        guard !isComparisonComplete, startsOperand(next.kind), operatorWord(next) == nil else { return nil }
        return replaceOperator(span, "!=")
    }

    /// Reads `.name` and the second dot of `a..b`, where a value was expected.
    mutating func readExtraDot() -> Bool? {
        guard token.kind == .dot, peek().kind == .identifier, peek().start == token.end else { return nil }
        let span = token.span
        report(
            .expectedExpression, at: span, found, suggestion: text(peek().span), fixIts: [.init(span, "")])
        advance()
        return true
    }

    /// Reads `age::int` and `pets::name`, which the lexer reads as a selector `age:`.
    mutating func readDoubleColon(_ span: SourceSpan) -> Bool? {
        guard byte(span.end) == ":" else { return nil }
        let key = SourceSpan(span.start, span.end - 1)
        let end = wordEnd(span.end + 1)
        let word = text(SourceSpan(span.end + 1, end))
        let colons = SourceSpan(key.end, span.end + 1)
        if let type = SyntaxSelector.castClass(ofSQL: word) {
            // The keys before the last one are operands of pending dots.
            let start = followsDot ? leftSide.start : key.start
            let meant = "CAST(\(text(SourceSpan(start, key.end))), \"\(type)\")"
            report(
                .sqlOperator, at: SourceSpan(key.end, end), "'::\(word)'", meant,
                fixIts: [.init(SourceSpan(start, end), meant)])
        } else {
            report(
                .unexpectedCharacter, at: colons, "::", suggestion: path(across: colons), fixIts: [.init(colons, ".")])
        }
        move(to: end)
        pushError(SourceSpan(key.start, end))
        return false
    }

    /// Reads a comment where a condition was expected: `-- text`, `# text`.
    mutating func readLeadingComment() -> Bool? {
        let start = token.start
        let isDashes = byte(start) == "-" && byte(start + 1) == "-" && byte(start + 2) == " "
        guard !isTrial, allowsCondition, operands.isEmpty, isDashes || byte(start) == "#" && byte(start + 1) == " "
        else {
            return nil
        }
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        report(.comment, at: SourceSpan(start, end), fixIts: [.init(SourceSpan(start, end), "")])
        move(to: end)
        if token.kind == .end { stopped = true }
        return true
    }

    /// Reports `10$`, `10€` and `50%` at the sign, because numbers have no units.
    mutating func readUnitSign() -> Bool? {
        guard previous.kind == .integer || previous.kind == .floatingPoint, isGlued, previous.end == token.start,
            "$€£¥%".contains(byte(token.start)), token.span.count <= 3
        else { return nil }
        let next = peek().kind
        guard next == .end || next == .and || next == .or || next == .rightParenthesis else { return nil }
        let whole = previous.span.joined(token.span)
        report(
            .malformedNumber, at: whole, text(whole), "", suggestion: text(previous.span),
            fixIts: [.init(token.span, "")])
        advance()
        return false
    }
}
