// A word or NOT after a value: operators and phrases of other languages, SQL, spelling.

extension ErrorContext {
    /// This error with `isn't` as one word; the lexer reads its apostrophe as a quotation mark.
    private var contracted: ErrorContext {
        let end = token.end
        guard byte(end) == "'" || byte(end) == "’", text(token.span).lowercased().hasSuffix("n") else { return self }
        let mark = byte(end) == "'" ? 1 : 3
        guard byte(end + mark).lowercased() == "t",
            end + mark + 1 == bytes.count || bytes[end + mark + 1].isSpace
        else { return self }
        var state = parser
        state.token = Token(kind: .identifier, span: SourceSpan(token.start, end + mark + 1))
        state.lexer.position = state.token.end
        return ErrorContext(state, tokens[..<index] + [state.token] + state.lexer.rest(), found, map, isPart: isPart)
    }

    func wordBehindOperand() -> Mistake? {
        switch token.kind {
        case .identifier, .keyword: return gluedConjunction() ?? contracted.word()
        default: return nil
        }
    }

    private func word() -> Mistake? {
        if let last = before(1), isQuantifier(last), before(2)?.kind == .dot {
            // `ANY pets.ANY toys.name`
            return Mistake(
                .unexpectedText, at: last.span, "'\(text(last.span))'",
                "remove it: one quantifier tests all lists of a path",
                fixIts: .fix(SourceSpan(last.start, token.start), ""))
        }
        return splitWord() ?? clauseBehind() ?? misspelledPrefix() ?? castType() ?? negatedWord() ?? percentPattern()
            ?? of()
            ?? phrase() ?? boundsWithTo() ?? misspelledNot() ?? unit() ?? sql()
            ?? (isComparisonComplete ? unquotedText() : nil) ?? operatorName() ?? otherWord()
    }

    /// `ANDmp_varC = …`, a conjunction without a space after it.
    func gluedConjunction() -> Mistake? {
        guard token.kind == .identifier, isComparisonComplete else { return nil }
        let span = token.span
        let word = text(span)
        for spelling in ["AND", "OR"] where word.uppercased().hasPrefix(spelling) && word.utf8.count > spelling.count {
            guard isComparison(peek()) || byte(span.end) == "." else { continue }
            let end = span.start + spelling.utf8.count
            return Mistake(
                .missingSpace, at: span, word, "\(word.prefix(spelling.count)) \(word.dropFirst(spelling.count))",
                fixIts: .fix(SourceSpan(end, end), " "))
        }
        return nil
    }

    /// `SUB QUERY(…)` and `TRUE PREDICATE`
    private func splitWord() -> Mistake? {
        guard token.kind == .identifier, previous.end < token.start else { return nil }
        switch previous.kind {
        case .identifier, .keyword: break
        default: return nil
        }
        let word = (text(previous.span) + text(token.span)).uppercased()
        guard Keywords.isReserved(word) else { return nil }
        let both = previous.span.joined(token.span)
        return Mistake(.unexpectedText, at: both, "'\(text(both))'", suggestion: word, fixIts: .fix(both, word))
    }

    /// `LIKE 'a*' COLLATE NOCASE`
    private func clauseBehind() -> Mistake? {
        guard isComparisonComplete, let advice = Vocabulary.clauses[upper(token)] else { return nil }
        return Mistake(.unexpectedText, at: token.span, "'\(text(token.span))'", advice)
    }

    /// `NTO age > 3` and `ANNY tags == 'a'`. The misspelled word is the previous operand.
    private func misspelledPrefix() -> Mistake? {
        guard allowsCondition, operands.count == operandBase + 1 || hasPending,
            let operand = operands.last, case .expression(let node) = operand.item,
            case .keyPath(let keys) = node.kind, keys.count == 1, previous.span == operand.span,
            previous.kind == .identifier, token.kind == .identifier
        else { return nil }
        switch peek().kind {
        case .comparison, .dot, .leftParenthesis: break
        default: return nil
        }
        let word = text(operand.span).uppercased()
        let known =
            Vocabulary.prefixes[word]?.rawValue
            ?? Suggestions.nearest(to: word, in: ["NOT"] + [Keyword.any, .all, .some, .none].map { $0.rawValue })
        return known.map { .operatorMeant(self, operand.span, $0) }
    }

    /// `CAST(x AS T)` at the word AS.
    private func castType() -> Mistake? {
        guard case .special(.cast) = frame.kind, frame.itemCount == 0, upper(token) == "AS",
            !operands.isEmpty
        else { return nil }
        let operand = leftSide
        let type = peek()
        let span = token.span.joined(type.span)
        let name = text(type.span).filter { $0 != "'" && $0 != "\"" }
        let meant = name.hasPrefix("NS") ? name : SyntaxSelector.castClass(ofSQL: name)
        let place = SourceSpan(operand.end, span.end)
        var mistake = Mistake(
            .sqlOperator, at: span, "'\(text(span))'",
            "CAST(\(abbreviated(operand)), \"\(meant ?? SyntaxSelector.dateClass)\")",
            fixIts: meant.map { .fix(place, ", \"\($0)\"") } ?? [])
        if meant == nil { mistake = mistake.reading(place, as: ", \"\(SyntaxSelector.dateClass)\"") }
        return mistake
    }

    /// The word in capitals, without the apostrophe of `isn't`.
    private func plainWord(_ span: SourceSpan) -> String {
        String(text(span).uppercased().unicodeScalars.filter { $0 != "'" && $0 != "’" })
    }

    /// `name DOES NOT CONTAIN 'a'` and `name DOESNT CONTAIN 'a'`
    private func negatedWord() -> Mistake? {
        var ahead = following
        var next = ahead.next()
        switch plainWord(token.span) {
        case "DOES", "DO":
            guard next.kind == .not else { return nil }
            next = ahead.next()
        case "DOESNT", "DOESNOT", "DONT", "ISNT", "ISNOT", "CANNOT": break
        default: return nil
        }
        guard let meant = Suggestions.nearest(to: text(next.span), in: Keywords.operatorWords) else { return nil }
        let place = token.span.joined(next.span)
        let negation = negated(meant)
        return Mistake(
            .unknownOperator, at: place, text(place), suggestion: negation.suggestion,
            fixIts: negation.fixIts + .fix(place, meant))
    }

    /// `LIKE %Ann%` after `%A`, which is a conversion.
    func percentPattern() -> Mistake? {
        guard previous.kind == .conversion, isGlued, case .comparison = pending?.kind else { return nil }
        let start = previous.span.start
        let end = bytes[start...].firstIndex { $0 <= 0x20 } ?? bytes.count
        let chunk = SourceSpan(start, end)
        guard bytes[end - 1] == UInt8(ascii: "%") else { return nil }
        // `LIKE %@%`
        if text(previous.span) == "%@" { return Mistake(.adjacentArgument, at: token.span, text(previous.span)) }
        let meant = "\"" + text(chunk).map { $0 == "%" ? "*" : String($0) }.joined() + "\""
        return Mistake(.unquotedText, at: chunk, text(chunk), suggestion: meant, fixIts: .fix(chunk, meant))
    }

    /// `ANY OF pets.age > 3` after the word OF.
    private func of() -> Mistake? {
        guard case .quantifier = pending?.kind, let operand = operands.last,
            operand.span == previous.span, upper(previous) == "OF", token.kind == .identifier
        else { return nil }
        return Mistake(
            .unknownOperator, at: previous.span, text(previous.span), "remove it",
            fixIts: .fix(SourceSpan(previous.span.start, token.start), ""))
    }

    /// `age greater than 3`, `age IS GREATER THAN 3`, `age is between …` and `name ISNT 'a'` at their first word.
    private func phrase() -> Mistake? {
        var ahead = following
        var first = token
        if upper(first) == "IS" { first = ahead.next() }
        if first.span != token.span, isComparison(first), operatorWord(first) != nil {
            let whole = token.span.joined(first.span)
            return Mistake(
                .sqlOperator, at: whole, "'\(text(whole))'", upper(first), fixIts: .fix(whole, upper(first))
            ).reading(SourceSpan(token.start, first.start), as: "")
        }
        var phrase = plainWord(first.span)
        var found: (meant: String, end: SourceSpan)?
        for _ in 0..<4 {
            let next = ahead.next()
            guard next.kind != .end, bytes[next.start].beginsWord else { break }
            phrase += " " + upper(next)
            var behind = ahead
            if let meant = Vocabulary.phrases[phrase], startsOperand(behind.next().kind) { found = (meant, next.span) }
        }
        if let found { return .operatorMeant(self, token.span.joined(found.end), found.meant) }
        if ["ISNT", "ISNOT"].contains(plainWord(token.span)), startsOperand(peek().kind) {
            return .operatorMeant(self, token.span, "!=")
        }
        return nil
    }

    /// `BETWEEN 1 TO 5`
    private func boundsWithTo() -> Mistake? {
        guard upper(token) == "TO", case .comparison(.between, _)? = pending?.kind,
            let between = pending?.span, let bound = operands.last
        else { return nil }
        return bounds(between, bound, token, peek(), index + 2)
    }

    /// `a BETWEEN 1 AND 5` at the value behind AND, and `a BETWEEN (1 AND 5)` at its first value.
    func sqlBetween(_ operand: PredicateParser.Operand, _ before: PredicateNode?) -> Mistake? {
        guard let last = tokens.firstIndex(where: { $0.start == operand.span.start }) else { return nil }
        if last > 1, tokens[last - 1].kind == .leftParenthesis, tokens[last - 2].kind == .comparison(.between),
            let whole = bracketed(tokens[last - 1]),
            let and = tokens[last...].first(where: { $0.kind == .and && $0.end < whole.end }),
            let lower = tokens.last(where: { $0.end <= and.start })
        {
            let fixIts: [PredicateDiagnostic.FixIt] = [
                .init(tokens[last - 1].span, "{"), .init(SourceSpan(lower.end, and.end), ","),
                .init(SourceSpan(whole.end - 1, whole.end), "}"),
            ]
            guard isRepaired(by: fixIts) else { return nil }
            return Mistake(
                .sqlOperator, at: tokens[last - 2].span.joined(whole), "'BETWEEN (… \(upper(and)) …)'",
                "BETWEEN {…, …}", fixIts: fixIts)
        }
        guard last > 0, tokens[last - 1].kind == .and, case .comparison(let node) = bare(before)?.kind,
            node.operator == .between
        else { return nil }
        return bounds(
            node.operatorSpan, PredicateParser.Operand(.expression(node.right), span: node.right.span),
            tokens[last - 1], tokens[last], last + 1)
    }

    private func bare(_ node: PredicateNode?) -> PredicateNode? {
        if case .not(let inner) = node?.kind { inner } else { node }
    }

    private func bounds(
        _ between: SourceSpan, _ bound: PredicateParser.Operand, _ word: Token, _ upper: Token, _ behind: Int
    ) -> Mistake? {
        guard case .expression(let node) = bound.item, behind < tokens.count else { return nil }
        switch node.kind {
        case .value, .argument: break
        default: return nil
        }
        guard endsCondition(tokens[behind]) else { return nil }
        let bounds = "{\(text(bound.span)), \(text(upper.span))}"
        return Mistake(
            .sqlOperator, at: between.joined(upper.span), "'BETWEEN … \(self.upper(word)) …'", "BETWEEN \(bounds)",
            fixIts: .fix(bound.span.joined(upper.span), bounds))
    }

    /// `name NTO IN {…}`
    private func misspelledNot() -> Mistake? {
        let span = token.span
        let next = peek()
        guard isComparison(next), operatorWord(next) != nil,
            Suggestions.nearest(to: text(span), in: ["NOT"]) != nil
        else { return nil }
        let meant = negated(upper(next))
        return Mistake(
            .unknownOperator, at: span, text(span), suggestion: meant.suggestion,
            fixIts: meant.fixIts + .fix(SourceSpan(span.start, next.start), ""))
    }

    /// `IS NULL`, `IS NOT NULL`, `ILIKE` …
    private func sql() -> Mistake? {
        let span = token.span
        switch upper(token) {
        case "ORDER", "GROUP", "LIMIT", "SORT", "DISTINCT":
            let next = peek()
            let isLimit = upper(token) == "LIMIT" && next.kind == .integer
            // Realm writes `SORT(age DESC)` and `LIMIT(2)`.
            guard isComparisonComplete || previous.kind == .keyword(.truePredicate),
                isLimit || upper(next) == "BY" || next.kind == .leftParenthesis
            else {
                return nil
            }
            if next.kind == .leftParenthesis {
                return Mistake(.unexpectedText, at: span, "'\(text(span))'", "write only the condition").stopping
            }
            let clause = isLimit ? span : span.joined(next.span)
            return Mistake(.sqlOperator, at: clause, "'\(text(clause))'", "only the condition").stopping
        case "IS": return sqlIs()
        default: return TokenPattern.first(TokenPattern.sql, self)
        }
    }

    private func sqlIs() -> Mistake {
        let span = token.span
        var ahead = following
        var next = ahead.next()
        let isNegated = next.kind == .not
        let through = isNegated ? span.joined(next.span) : span
        if isNegated { next = ahead.next() }
        let sign = isNegated ? "!=" : "=="
        if isNegated, isComparison(next), operatorWord(next) != nil {
            // `IS NOT IN`
            let meant = negated(upper(next))
            return Mistake(
                .sqlOperator, at: span.joined(next.span), "'\(text(span.joined(next.span)))'", meant.suggestion,
                fixIts: meant.fixIts + .fix(SourceSpan(span.start, next.start), ""))
        }
        let whole = span.joined(next.span)
        if upper(next) == "EMPTY" {
            return Mistake(
                .sqlOperator, at: whole, "'\(text(whole))'", "\(abbreviated(leftSide)).@count \(sign) 0")
        }
        let isNull =
            [.keyword(.none), .keyword(.null), .keyword(.nil)].contains(next.kind)
            || text(next.span) == "undefined"
        let place = isNull ? whole : through
        return Mistake(
            .sqlOperator, at: place, isNull ? (isNegated ? "'IS NOT NULL'" : "'IS NULL'") : "'\(text(through))'",
            isNull ? "\(sign) nil" : sign, fixIts: .fix(place, isNull ? "\(sign) nil" : sign))
    }

    /// Operators by another name or with wrong spelling, alone or with options: `equals`, `BEGINWITH`, `CONTAINScd`.
    private func operatorName() -> Mistake? {
        let (span, next) = nameOfOperator
        let word = text(span)
        guard startsOperand(next.kind) else { return nil }
        if let glued = operatorWithOptions() { return glued }
        let first = upper(token)
        let conjunction = isComparisonComplete ? Suggestions.nearest(to: word, in: ["AND", "OR"]) : nil
        let known =
            Vocabulary.operators[first]
            ?? (Vocabulary.foreign.contains(first)
                ? nil : conjunction ?? Suggestions.nearest(to: word, in: Keywords.operatorWords + ["AND", "OR"]))
        if let known { return .operatorMeant(self, span, known) }
        guard first == "MOD" else { return nil }
        let left = leftSide(of: .additive)
        let meant = "modulus:by:(\(text(left)), \(text(next.span)))"
        let isOperand = next.kind == .integer || next.kind == .conversion
        return Mistake(
            .unknownOperator, at: span, word, suggestion: meant,
            fixIts: isOperand ? .fix(left.joined(next.span), meant) : [])
    }

    /// The word, or two as in `BEGINS WITH` and `EQUAL TO`, and the token behind.
    private var nameOfOperator: (SourceSpan, Token) {
        var ahead = following
        let next = ahead.next()
        guard ["WITH", "TO"].contains(upper(next)), Vocabulary.operators.keys.contains(upper(token)) else {
            return (token.span, next)
        }
        return (token.span.joined(next.span), ahead.next())
    }

    private func otherWord() -> Mistake {
        let (span, next) = nameOfOperator
        if isComparisonComplete {
            if let letters = lettersBehindConversion() { return letters }
            return upper(token) == "XOR"
                ? Mistake(.unknownOperator, at: span, text(span), "write (a AND NOT b) OR (NOT a AND b)")
                : Mistake(.missingConjunction, at: span)
        }
        if let key = keyOfWords() { return key }
        if startsOperand(next.kind) {
            return Mistake(
                .unknownOperator, at: span, text(span), "write one of == != < > IN LIKE CONTAINS BETWEEN …")
        }
        return unquotedText() ?? expectedOperator()
    }

    /// The `d` of `%lud`: letters of a second conversion directly behind a conversion.
    private func lettersBehindConversion() -> Mistake? {
        let word = text(token.span)
        guard previous.kind == .conversion, isGlued, word.count <= 2,
            word.allSatisfy({ "diuoxXfFeEgGaAcCsShlqzL".contains($0) })
        else { return nil }
        let whole = previous.span.joined(token.span)
        let meant = text(previous.span)
        return Mistake(.unknownConversion, at: whole, text(whole), suggestion: meant, fixIts: .fix(whole, meant))
    }

    // MARK: NOT

    func notBehindOperand() -> Mistake? {
        guard token.kind == .not else { return nil }
        let span = token.span
        let next = peek()
        let both = span.joined(next.span)
        if let mark = phrase() ?? TokenPattern.first(TokenPattern.operator, self) ?? exclamation() { return mark }
        guard isComparison(next), !isComparisonComplete || operatorWord(next) != nil else {
            return Mistake(isComparisonComplete ? .missingConjunction : .expectedOperator, at: span, foundText)
        }
        let meant = negated(upper(next))
        return Mistake(
            .sqlOperator, at: both, "'\(text(both))'", meant.suggestion,
            fixIts: meant.fixIts + .fix(SourceSpan(span.start, next.start), ""))
    }

    /// `person!.name` and `age ! 5` at the `!`.
    private func exclamation() -> Mistake? {
        guard text(token.span) == "!" else { return nil }
        let span = token.span
        let next = peek()
        if isGlued, next.kind == .dot, next.start == span.end {
            return Mistake(
                .unexpectedCharacter, at: span, "!", suggestion: path(across: span.joined(next.span)),
                fixIts: .fix(span, ""))
        }
        guard !isComparisonComplete, startsOperand(next.kind), operatorWord(next) == nil else { return nil }
        return .operatorMeant(self, span, "!=")
    }

    // MARK: Signs before words

    /// `age -eq 3`, an operator of the shell, at the value behind it.
    func dashedOperator() -> Mistake? {
        guard let word = before(1), let dash = before(2), dash.kind == .binary(.subtract), dash.end == word.start,
            let left = before(3), left.end < dash.start, startsOperand(token.kind), token.start > word.end,
            operatorWord(token) == nil || token.kind == .not
        else { return nil }
        return dashed(dash, word)
    }

    private func dashed(_ dash: Token, _ word: Token) -> Mistake? {
        let conjunctions = isComparisonComplete ? ["A": "AND", "O": "OR", "AND": "AND", "OR": "OR"] : [:]
        return (conjunctions[upper(word)] ?? Vocabulary.comparison(forMethod: upper(word))).map {
            .operatorMeant(self, dash.span.joined(word.span), $0)
        }
    }

    /// `age $gt 3`, an operator of MongoDB, at its dollar sign.
    func dollarOperator() -> Mistake? {
        guard token.kind == .variable, !isComparisonComplete, startsOperand(peek().kind) else { return nil }
        return Vocabulary.comparison(forMethod: String(text(token.span).dropFirst())).map {
            .operatorMeant(self, token.span, $0)
        }
    }

    // MARK: Texts behind words

    /// `DATE '2020-01-01'`, `==c 'a'`, `BEGINSWITH c 'a'`
    func textBehindWord() -> Mistake? {
        guard token.kind == .string, previous.kind == .identifier, let operand = operands.last,
            operand.span == previous.span
        else { return nil }
        let word = text(previous.span)
        let whole = previous.span.joined(token.span)
        if ["DATE", "TIMESTAMP", "DATETIME"].contains(word.uppercased()) {
            let meant = "CAST(\(text(token.span)), \"NSDate\")"
            return Mistake(.sqlOperator, at: whole, "'\(word) …'", meant, fixIts: .fix(whole, meant))
        }
        if word.uppercased() == "INTERVAL" {
            let parts = text(token.span).dropFirst().dropLast().split(separator: " ")
            let unit = parts.last.map { $0.uppercased() } ?? ""
            let seconds = Vocabulary.units[unit] ?? Vocabulary.units[String(unit.dropLast())]
            let meant = parts.count == 2 ? Int(parts[0]).flatMap { number in seconds.map { "\(number &* $0)" } } : nil
            let mistake = Mistake(
                .sqlOperator, at: whole, "'\(word) …'", "the seconds, such as 604800 for 7 days", suggestion: meant,
                fixIts: meant.map { .fix(whole, $0) } ?? [])
            return meant == nil ? mistake.reading(asValue: whole) : mistake
        }
        // A prefix of a literal, as in `b'a'` and `f"{x}"`, or a word that names the type of the text.
        let isPrefix =
            isGlued && (operators.last.map { $0.span.end < previous.start } ?? true)
            && word.count <= 2
        let isKind = ["REGEX", "REGEXP", "PATTERN", "TEXT", "STRING"].contains(word.uppercased())
        if isPrefix || isKind && pending != nil {
            return Mistake(
                .unexpectedText, at: previous.span, "'\(word)'", "remove it",
                fixIts: .fix(SourceSpan(previous.start, token.start), ""))
        }
        guard case .comparison = pending?.kind, let options = Vocabulary.options(word) else { return nil }
        return Mistake(
            .unknownOption, at: previous.span, word, suggestion: options.spelling,
            fixIts: .fix(SourceSpan(operators[operators.count - 1].span.end, previous.end), options.spelling))
    }

    /// `- 7 DAYS` at the unit, and `10 EUR`.
    private func unit() -> Mistake? {
        guard previous.kind == .integer || previous.kind == .floatingPoint, token.kind == .identifier
        else { return nil }
        let name = upper(token)
        let whole = previous.span.joined(token.span)
        if previous.kind == .integer, let number = Int(text(previous.span)), number < 1_000_000,
            let seconds = Vocabulary.units[name] ?? Vocabulary.units[String(name.dropLast())]
        {
            let meant = "\(number * seconds)"
            return Mistake(
                .sqlOperator, at: whole, "'\(text(whole))'", "\(meant), in seconds", fixIts: .fix(whole, meant))
        }
        guard endsCondition(peek()), isComparisonComplete, token.span.count <= 6 else { return nil }
        return Mistake(
            .malformedNumber, at: whole, text(whole), "", suggestion: text(previous.span),
            fixIts: .fix(SourceSpan(previous.end, token.end), ""))
    }
}
