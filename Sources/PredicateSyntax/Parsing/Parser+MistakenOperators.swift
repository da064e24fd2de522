// Recovery where an operator was expected: operators of other languages, SQL, text without quotes.

extension PredicateParser {
    mutating func readMistake() -> Bool {
        if case .error(let error) = token.kind { return readErrorBehindOperand(error) }
        if previous.kind == .string, isGlued, let mistake = quoteMistake() { return mistake }
        switch token.kind {
        case .identifier, .keyword: return readWordBehindOperand()
        case .not: return readNotBehindOperand()
        case .assign: return readForeignEquality(token.span)
        case .leftParenthesis, .leftBrace:
            if let closure = readClosure() { return closure }
        case .conversion where previous.kind == .conversion && isGlued && token.span.count == 2:
            report(.adjacentArgument, at: token.span, text(previous.span))
            return recover()
        case .conversion where Lexer.isDigit(bytes[min(token.start + 1, bytes.count - 1)]) || token.span.count == 1:
            if let unit = readPercentPattern() ?? readUnitSign() { return unit }
            report(.unknownConversion, at: token.span, text(token.span), "the remainder is modulus:by:(a, b)")
            return recover()
        case .atWord:
            if let rest = readUnquotedRest() ?? readMissingDot() { return rest }
        case .selector, .error(.unexpectedCharacter):
            if let rest = readUnitSign() ?? readUnquotedRest() { return rest }
        case .integer, .floatingPoint, .string, .conversion, .variable:
            let other =
                (token.kind == .string ? reportMissingOpeningQuote() : nil) ?? readTextBehindWord() ?? readSplitNumber()
                ?? readDollarOperator() ?? reportMissingComma()
            if let other { return other }
        default: break
        }
        if isComparisonComplete {
            report(.missingConjunction, at: token.span)
        } else if token.kind == .conversion {
            report(
                .expectedOperator, at: token.span, found, "an argument is a value: write the operator in the format")
        } else {
            report(.expectedOperator, at: token.span, found)
        }
        return recover()
    }

    private mutating func readErrorBehindOperand(_ error: LexicalError) -> Bool {
        switch error {
        case .unknownOperator: return readUnknownSymbol()
        case .unterminatedString where previous.kind == .integer && isGlued:
            return readSplitNumber() ?? readLexicalError(error, expectsOperand: false)
        case .unterminatedString where previous.kind == .string && isGlued: return quoteMistake() ?? false
        case .comment:
            _ = readLexicalError(.comment, expectsOperand: false)
            return false
        case .nonASCIIKey where previous.kind == .string && isGlued: return quoteMistake() ?? false
        case .unterminatedString, .xmlEntity, .unexpectedCharacter:
            return readLexicalError(error, expectsOperand: false)
        case .typographicQuote, .nonASCIIKey, .malformedNumber:
            report(isComparisonComplete ? .missingConjunction : .expectedOperator, at: token.span, found)
            return recover()
        }
    }

    /// Whether the last operand completes a comparison.
    var isComparisonComplete: Bool {
        operators[operatorBase...].last { $0.precedence <= .comparison }.map {
            if case .comparison = $0.kind { true } else { false }
        } ?? false
    }

    /// Text directly after a string, as in `'JR's'` or `'say ''hi'''`, was meant to be part of the string. The quotes
    /// cannot be trusted from here on, so parsing stops.
    mutating func quoteMistake() -> Bool? {
        let quote = bytes[previous.end - 1] == UInt8(ascii: "'") ? "'" : "\""
        let close = SourceSpan(previous.end - 1, previous.end)
        if previous.span.count == 2, let text = readDoubledQuotes() { return text }
        switch token.kind {
        case .string where bytes[token.start] == bytes[close.start]:
            report(
                .doubledQuote, at: SourceSpan(close.start, token.start + 1), quote,
                fixIts: [.init(close, "\\")])
        case .identifier, .keyword, .error(.unterminatedString), .error(.nonASCIIKey), .integer, .leftParenthesis:
            if let conjunction = gluedConjunction() ?? readGluedOptions() { return conjunction }
            if reportMissingClosingQuote(from: previous.start, to: previous.end - 1) { return false }
            let name = quote == "'" ? "apostrophe" : "quote"
            report(.earlyQuote, at: close, name, quote, fixIts: escapes(from: close.start))
        default: return nil
        }
        stopped = true
        return false
    }

    /// The fix-its for quotes inside a text that begins at the last string: a backslash before all of them except the
    /// last. Empty if the result is not a string.
    private func escapes(from close: Int) -> [Diagnostic.FixIt] {
        let quote = bytes[close]
        let places = bytes.indices[close...].filter { bytes[$0] == quote && bytes[$0 - 1] != UInt8(ascii: "\\") }
        guard let last = places.last, places.count > 1, places.count < 8 else { return [] }
        // A quote after an operator or a bracket begins another text.
        for place in places.dropLast().dropFirst() {
            let before = bytes[..<place].last { $0 > 0x20 } ?? 0
            if "=<>!(){},".utf8.contains(before) { return [] }
        }
        guard bytes[(last + 1)...].allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: ")") }) else { return [] }
        return places.dropLast().map { .init(SourceSpan($0, $0), "\\") }
    }

    /// Reads `ANDmp_varC = …`, a conjunction without a space after it.
    private mutating func gluedConjunction() -> Bool? {
        guard token.kind == .identifier, isComparisonComplete else { return nil }
        let word = text(token.span)
        let span = token.span
        for (spelling, kind) in [("AND", TokenKind.and), ("OR", .or)] {
            guard word.uppercased().hasPrefix(spelling), word.utf8.count > spelling.utf8.count else { continue }
            var ahead = lexer
            guard isComparison(ahead.next()) || ahead.bytes[span.end...].first == UInt8(ascii: ".") else { continue }
            let end = span.start + spelling.utf8.count
            report(
                .missingSpace, at: span, word, "\(word.prefix(spelling.count)) \(word.dropFirst(spelling.count))",
                fixIts: [.init(SourceSpan(end, end), " ")])
            return readInstead(kind, SourceSpan(span.start, end))
        }
        return nil
    }

    private static let words = Keywords.operatorWords + ["AND", "OR"]

    /// Words of other languages that look like misspelled operators but are not.
    private static let foreignWords: Set = ["XOR", "FOR", "OF", "IF", "DO", "NOR"]

    /// Names of the operators in other languages. XOR has no equivalent.
    private static let synonyms = [
        "EQUALS": "==", "EQUAL": "==", "EQUALTO": "==", "EQ": "==", "NE": "!=", "NEQ": "!=", "GT": ">", "GTE": ">=",
        "LT": "<", "LTE": "<=", "STARTSWITH": "BEGINSWITH", "STARTS": "BEGINSWITH", "BEGINS": "BEGINSWITH",
        "HASPREFIX": "BEGINSWITH", "ENDS": "ENDSWITH", "HASSUFFIX": "ENDSWITH", "INCLUDES": "CONTAINS",
        "HAS": "CONTAINS", "GLOB": "LIKE", "SIMILAR": "MATCHES", "DIV": "/", "MATCH": "MATCHES", "MATCHING": "MATCHES",
        "BEGIN": "BEGINSWITH", "START": "BEGINSWITH", "PREFIX": "BEGINSWITH", "END": "ENDSWITH", "SUFFIX": "ENDSWITH",
        "CONTAINING": "CONTAINS", "INSIDE": "IN", "WITHIN": "IN", "IDENTICALTO": "==", "CONTAINSSTRING": "CONTAINS",
        "ISEQUALTOSTRING": "==", "ISEQUAL": "==", "ISEQUALTO": "==", "GE": ">=", "LE": "<=", "REGEX": "MATCHES",
        "HASSUBSTRING": "CONTAINS", "ISIN": "IN",
    ]

    /// The operator for a method of another language: `name.hasPrefix('A')`.
    static func comparison(forMethod name: String) -> String? {
        let word = name.uppercased()
        return synonyms[word] ?? Keywords.operatorWords.first { $0 == word }
    }

    /// Reads `name := 'x'` and `name: 'x'` as an equality.
    mutating func readForeignEquality(_ span: SourceSpan) -> Bool {
        report(.unknownOperator, at: span, text(span), suggestion: "==", fixIts: [.init(span, "==")])
        return readInstead(.comparison(.equal), span)
    }

    /// Continues as if the given operator were at the span.
    mutating func readInstead(_ kind: TokenKind, _ span: SourceSpan) -> Bool {
        token = Token(kind: kind, span: span)
        lexer.position = span.end
        return readOperator()
    }

    private mutating func readWordBehindOperand() -> Bool {
        if let conjunction = gluedConjunction() { return conjunction }
        readContraction()
        if let split = readSplitWord() ?? readClauseBehind() { return split }
        if let prefix = readMisspelledPrefix() ?? readCastType() ?? readNegatedWord() { return prefix }
        if let phrase = readPercentPattern() ?? readOf() ?? readPhrase() { return phrase }
        if text(token.span).uppercased() == "TO", let bounds = readSQLBetween() { return bounds }
        if let other = readMisspelledNot() ?? readUnit() { return other }
        if let sql = readSQL(text(token.span).uppercased(), token.span) { return sql }
        if isComparisonComplete, let quoted = readUnquotedText() { return quoted }
        var span = token.span
        var ahead = lexer
        var next = ahead.next()
        // As in `BEGINS WITH`, `EQUAL TO`.
        if ["WITH", "TO"].contains(text(next.span).uppercased()), Self.synonyms.keys.contains(text(span).uppercased()) {
            span = span.joined(next.span)
            next = ahead.next()
        }
        let word = text(span)
        let first = text(token.span).uppercased()
        let followsOperand = startsOperand(next.kind)
        if followsOperand, let glued = readOperatorWithOptions() { return glued }
        let isForeign = Self.foreignWords.contains(first)
        let conjunction = isComparisonComplete ? Suggestions.nearest(to: word, in: ["AND", "OR"]) : nil
        let known =
            Self.synonyms[first] ?? (isForeign ? nil : conjunction ?? Suggestions.nearest(to: word, in: Self.words))
        if let known, followsOperand {
            report(.unknownOperator, at: span, word, suggestion: known, fixIts: [.init(span, known)])
            var meant = Lexer(known)
            return readInstead(meant.next().kind, span)
        }
        if first == "MOD", followsOperand {
            report(
                .unknownOperator, at: span, word,
                suggestion: "modulus:by:(\(abbreviated(leftSide)), \(abbreviated(next.span)))")
            return recover()
        }
        if isComparisonComplete {
            if let letters = readLettersBehindConversion() { return letters }
            if first == "XOR" {
                report(.unknownOperator, at: span, word, "write (a AND NOT b) OR (NOT a AND b)")
            } else {
                report(.missingConjunction, at: span)
            }
        } else if followsOperand {
            report(.unknownOperator, at: span, word, "write one of == != < > IN LIKE CONTAINS BETWEEN …")
        } else if let text = readUnquotedText() {
            return text
        } else {
            report(.expectedOperator, at: span, found)
        }
        return recover()
    }

    /// Reports `{1 5}`, two values without a comma.
    private mutating func reportMissingComma() -> Bool? {
        switch frame.kind {
        case .aggregate, .call, .special: if hasPending { return nil }
        default: return nil
        }
        let gap = SourceSpan(previous.end, previous.end)
        report(.expectedOperator, at: token.span, found, "insert a comma", fixIts: [.init(gap, ",")])
        token = Token(kind: .comma, span: gap)
        lexer.position = gap.end
        return readOperator()
    }

    func startsOperand(_ kind: TokenKind) -> Bool {
        switch kind {
        case .identifier, .escapedIdentifier, .atWord, .term, .variable, .selector, .string, .integer, .floatingPoint,
            .conversion, .keyword, .leftParenthesis, .leftBrace, .binary(.subtract), .leftBracket, .not:
            true
        default: false
        }
    }

    // MARK: SQL

    /// Reports `IS NULL`, `IS NOT NULL`, `ILIKE` …, and reads them with their meaning.
    private mutating func readSQL(_ word: String, _ span: SourceSpan) -> Bool? {
        switch word {
        case "ORDER", "GROUP", "LIMIT":
            let next = peek()
            let isClause = word == "LIMIT" ? next.kind == .integer : text(next.span).uppercased() == "BY"
            guard isComparisonComplete, isClause else { return nil }
            return reportClause(word == "LIMIT" ? span : span.joined(next.span))
        case "ISNULL", "NOTNULL":
            let meant = word == "ISNULL" ? "== nil" : "!= nil"
            report(.sqlOperator, at: span, "'\(text(span))'", meant, fixIts: [.init(span, meant)])
            return recover()
        case "EXISTS" where !startsOperand(peek().kind):
            report(.sqlOperator, at: span, "'\(text(span))'", "!= nil", fixIts: [.init(span, "!= nil")])
            return recover()
        case "IS":
            var ahead = lexer
            var next = ahead.next()
            let negated = next.kind == .not
            if negated { next = ahead.next() }
            let spelling = negated ? "!=" : "=="
            let through = negated ? token.span.joined(SourceSpan(span.start, lexer.positionAfterNext)) : span
            if negated, isComparison(next), operatorWord(next) != nil {
                // `IS NOT IN`
                let meant = self.negated(text(next.span).uppercased())
                report(
                    .sqlOperator, at: span.joined(next.span), "'\(text(span.joined(next.span)))'", meant.suggestion,
                    fixIts: meant.fixIts + [.init(SourceSpan(span.start, next.start), "")])
                advance()
                advance()
                return readOperator()
            }
            if text(next.span).uppercased() == "EMPTY" {
                let meant = "\(abbreviated(leftSide)).@count \(spelling) 0"
                let whole = span.joined(next.span)
                report(.sqlOperator, at: whole, "'\(text(whole))'", meant)
                advance()
                if negated { advance() }
                return recover()
            }
            let isNone = next.kind == .keyword(.none) || text(next.span) == "undefined"
            let isNull = next.kind == .keyword(.null) || next.kind == .keyword(.nil) || isNone
            report(
                .sqlOperator, at: isNull ? span.joined(next.span) : through,
                isNull ? (negated ? "'IS NOT NULL'" : "'IS NULL'") : "'\(text(through))'",
                isNull ? "\(spelling) nil" : spelling,
                fixIts: [.init(isNull ? span.joined(next.span) : through, isNull ? "\(spelling) nil" : spelling)])
            if negated { advance() }
            let result = readComparison(negated ? .notEqual : .equal, span)
            guard isNone, token.span == next.span else { return result }
            advance()
            push(.value(.null), span: next.span)
            return false
        case "ILIKE":
            report(.sqlOperator, at: span, "'\(text(span))'", "LIKE[c]", fixIts: [.init(span, "LIKE[c]")])
            return readComparison(.like, span)
        case "RLIKE", "REGEXP", "REGEX":
            report(.sqlOperator, at: span, "'\(text(span))'", "MATCHES", fixIts: [.init(span, "MATCHES")])
            return readComparison(.matches, span)
        default: return nil
        }
    }

    /// Reports a clause such as `SELECT …` or `… ORDER BY …`. Only the condition of such a statement can be expressed,
    /// so parsing stops.
    private mutating func reportClause(_ span: SourceSpan) -> Bool {
        report(.sqlOperator, at: span, "'\(text(span))'", "only the condition")
        stopped = true
        return false
    }

    /// Reads `EXISTS items` at the start of a condition. The current token is the one after the word.
    /// - Returns: whether an operand comes next; nil if the word is a key.
    mutating func readClause(_ span: SourceSpan) -> Bool? {
        guard span.count == 6, allowsCondition else { return nil }
        switch token.kind {
        case .identifier, .leftParenthesis: break
        default: return nil
        }
        let word = text(span)
        switch (token.kind == .leftParenthesis ? word : word.uppercased(), token.kind) {
        case ("EXISTS", .identifier), ("EXISTS", .leftParenthesis):
            var key = token.kind == .identifier ? token : peek()
            if text(key.span).uppercased() == "SELECT", let from = wordPlace("FROM") {
                var ahead = lexer
                ahead.position = from.end
                key = ahead.next()
            }
            report(
                .sqlOperator, at: span, "'\(text(span))'",
                key.kind == .identifier ? "\(text(key.span)).@count > 0" : ".@count > 0")
            return recover()
        default: return nil
        }
    }

    /// Reads `a BETWEEN 1 AND 5`. The text after AND is not a condition, so this is the SQL form.
    mutating func readSQLBetween() -> Bool? {
        guard case .comparison(.between, _)? = pending?.kind, let between = pending?.span, let bound = operands.last,
            case .expression(let node) = bound.item
        else { return nil }
        switch node.kind {
        case .value, .argument: break
        default: return nil
        }
        var ahead = lexer
        let next = ahead.next()
        switch next.kind {
        case .keyword(.truePredicate), .keyword(.falsePredicate): return nil
        default: break
        }
        switch ahead.next().kind {
        case .end, .and, .or, .rightParenthesis: break
        default: return nil
        }
        let upper = next.span
        let bounds = "{\(text(bound.span)), \(text(upper))}"
        report(
            .sqlOperator, at: between.joined(upper), "'BETWEEN … \(text(token.span).uppercased()) …'",
            "BETWEEN \(bounds)", fixIts: [.init(bound.span.joined(upper), bounds)])
        advance()
        return recover()
    }

    /// Reads `a BETWEEN (1 AND 5)` at the bracket.
    mutating func readBoundsInParentheses() -> Bool? {
        guard case .comparison(.between, _)? = pending?.kind, let between = pending?.span, let whole = bracketed(token)
        else { return nil }
        var ahead = lexer
        var last = token
        var next = ahead.next()
        while next.kind != .and, next.end < whole.end { (last, next) = (next, ahead.next()) }
        guard next.kind == .and else { return nil }
        let fixIts: [Diagnostic.FixIt] = [
            .init(token.span, "{"), .init(SourceSpan(last.end, next.end), ","),
            .init(SourceSpan(whole.end - 1, whole.end), "}"),
        ]
        guard isRepaired(by: fixIts) else { return nil }
        report(
            .sqlOperator, at: between.joined(whole), "'BETWEEN (… \(text(next.span).uppercased()) …)'",
            "BETWEEN {…, …}",
            fixIts: fixIts)
        stopped = true
        return false
    }

    /// Reports `a NOT IN {…}` and reads it as `NOT a IN {…}`.
    private mutating func readNotBehindOperand() -> Bool {
        let span = token.span
        let next = peek()
        if case .comparison(.equal) = next.kind, text(span) == "!" {
            let both = span.joined(next.span)
            report(.singleEqualsChain, at: both, text(both), suggestion: "!=", fixIts: [.init(both, "!=")])
            return readInstead(.comparison(.notEqual), both)
        }
        if let mark = readExclamation() ?? readPhrase() { return mark }
        if next.kind == .keyword(.null) || next.kind == .keyword(.nil) {
            let both = span.joined(next.span)
            report(.sqlOperator, at: both, "'\(text(both))'", "!= nil", fixIts: [.init(both, "!= nil")])
            return recover()
        }
        if next.kind == .comparison(.equal), !isComparisonComplete {
            return replaceOperator(span.joined(next.span), "!=")
        }
        let isLiteral = [.string, .integer, .floatingPoint].contains(next.kind)
        if isLiteral, !isComparisonComplete, text(span) != "!" { return replaceOperator(span, "!=") }
        guard isComparison(next), !isComparisonComplete || operatorWord(next) != nil else {
            report(isComparisonComplete ? .missingConjunction : .expectedOperator, at: span, found)
            return recover()
        }
        let meant = negated(text(next.span).uppercased())
        report(
            .sqlOperator, at: span.joined(next.span), "'\(text(span.joined(next.span)))'", meant.suggestion,
            fixIts: meant.fixIts + [.init(SourceSpan(span.start, next.start), "")])
        advance()
        return readOperator()
    }

    /// The left side of a comparison that the last operand completes: `a.b`, `a + 1`.
    var leftSide: SourceSpan {
        guard let last = operands.last else { return token.span }
        var first = operators.count
        while first > operatorBase, operators[first - 1].precedence > .comparison { first -= 1 }
        guard first < operators.count else { return last.span }
        let sign = operators[first]
        // A prefix operator without its operand, such as the minus sign in `a -`, comes after the last operand.
        guard sign.firstOperand < operands.count else { return last.span }
        return SourceSpan(min(sign.span.start, operands[sign.firstOperand].span.start), last.span.end)
    }

    /// The comparison with NOT before its left side, and the fix-it that makes it one. NOT cannot follow ANY or ALL.
    func negated(_ sign: String) -> (suggestion: String, fixIts: [Diagnostic.FixIt]) {
        let left = leftSide
        let before = operators[operatorBase...].last { $0.precedence <= .comparison }
        if let before, case .quantifier(let keyword) = before.kind, let dual = keyword.ofNegation {
            return ("\(dual) \(abbreviated(left)) \(sign) …", [.init(before.span, dual)])
        }
        return ("NOT \(abbreviated(left)) \(sign) …", [.init(SourceSpan(left.start, left.start), "NOT ")])
    }

    /// Reads `name DOES NOT CONTAIN 'a'` and `name DOESNT CONTAIN 'a'`.
    private mutating func readNegatedWord() -> Bool? {
        var ahead = lexer
        var next = ahead.next()
        switch plainWord(token.span) {
        case "DOES", "DO":
            guard next.kind == .not else { return nil }
            next = ahead.next()
        case "DOESNT", "DOESNOT", "DONT", "ISNT", "ISNOT", "CANNOT": break
        default: return nil
        }
        let word = text(next.span)
        guard let meant = Suggestions.nearest(to: word, in: Keywords.operatorWords) else { return nil }
        let place = token.span.joined(next.span)
        let negation = negated(meant)
        report(
            .unknownOperator, at: place, text(place), suggestion: negation.suggestion,
            fixIts: negation.fixIts + [.init(place, meant)])
        var lexer = Lexer(meant)
        return readInstead(lexer.next().kind, place)
    }
}

extension Keyword {
    /// How a quantifier with a negated comparison is written: `ANY NOT a == 1` is `NOT ALL a == 1`.
    var ofNegation: String? {
        switch self {
        case .any, .some: "NOT ALL"
        case .all: "NOT ANY"
        case .none: "ALL"
        default: nil
        }
    }
}

extension Lexer {
    /// The offset after the next token.
    var positionAfterNext: Int {
        var ahead = self
        return ahead.next().end
    }
}
