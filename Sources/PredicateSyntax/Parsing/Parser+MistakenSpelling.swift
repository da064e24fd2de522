// Recovery from words and numbers with wrong spelling: `isn't`, `SUB QUERY`, `-eq`, `CONTAINScd`, `pets@count`, `1
// 000`, `'''text'''`.

extension PredicateParser {
    // MARK: Words

    /// Joins `isn't` and `doesn't` to one word; the lexer reads their apostrophe as a quotation mark.
    mutating func readContraction() {
        let end = token.end
        guard byte(end) == "'" || byte(end) == "’", text(token.span).lowercased().hasSuffix("n") else { return }
        let mark = byte(end) == "'" ? 1 : 3
        guard byte(end + mark).lowercased() == "t",
            end + mark + 1 == bytes.count || Lexer.isSpace(bytes[end + mark + 1])
        else { return }
        token = Token(kind: .identifier, span: SourceSpan(token.start, end + mark + 1))
        lexer.position = token.end
    }

    /// The word in capitals, without the apostrophe of `isn't`.
    func plainWord(_ span: SourceSpan) -> String {
        String(text(span).uppercased().unicodeScalars.filter { $0 != "'" && $0 != "’" })
    }

    /// Reads `SUB QUERY(…)` and `TRUE PREDICATE`: a reserved word with a space in it.
    mutating func readSplitWord() -> Bool? {
        guard token.kind == .identifier, previous.end < token.start else { return nil }
        switch previous.kind {
        case .identifier, .keyword: break
        default: return nil
        }
        let word = (text(previous.span) + text(token.span)).uppercased()
        guard Keywords.isReserved(word) else { return nil }
        let both = previous.span.joined(token.span)
        report(.unexpectedText, at: both, "'\(text(both))'", suggestion: word, fixIts: [.init(both, word)])
        stopped = true
        return false
    }

    /// Advice for clauses that may follow a condition in other languages.
    private static let clauses = [
        "ESCAPE": "remove it: a backslash makes a wildcard plain",
        "COLLATE": "remove it: options follow the operator, ==[c]",
        "IGNORECASE": "remove it: options follow the operator, ==[c]", "HAVING": "write only the condition",
        "NOCASE": "remove it: options follow the operator, ==[c]", "UNION": "join conditions by OR",
        "THEN": "write AND, or remove it",
    ]

    /// Reads `LIKE 'a*' COLLATE NOCASE` at the clause.
    mutating func readClauseBehind() -> Bool? {
        guard isComparisonComplete, let advice = Self.clauses[text(token.span).uppercased()] else { return nil }
        report(.unexpectedText, at: token.span, "'\(text(token.span))'", advice)
        return recover()
    }

    /// Reads `CONTAINScd 'a'` and `LIKE_c 'a'`: an operator with its options, without brackets.
    mutating func readOperatorWithOptions() -> Bool? {
        let word = text(token.span)
        guard let name = Keywords.operatorWords.first(where: { word.uppercased().hasPrefix($0) }) else { return nil }
        let letters = word.dropFirst(name.count).drop { $0 == "_" }
        guard let options = optionLetters(String(letters)) else { return nil }
        let meant = name + options.spelling
        reportUnknownOperator(token.span, meant: meant)
        var lexer = Lexer(name)
        let kind = lexer.next().kind
        let isOperand = readInstead(kind, token.span)
        setOptions(options)
        return isOperand
    }

    /// Reads `age -eq 3`, an operator of the shell, at its dash.
    mutating func readDashedOperator() -> Bool? {
        guard token.end < bytes.count, Lexer.isLetter(bytes[token.end]), previous.end < token.start else { return nil }
        var ahead = lexer
        let next = ahead.next()
        let operand = ahead.next()
        guard startsOperand(operand.kind), operand.start > next.end,
            operatorWord(operand) == nil || operand.kind == .not
        else { return nil }
        let word = text(next.span).uppercased()
        let conjunctions = isComparisonComplete ? ["A": "AND", "O": "OR", "AND": "AND", "OR": "OR"] : [:]
        guard let meant = conjunctions[word] ?? Self.comparison(forMethod: word) else { return nil }
        return replaceOperator(token.span.joined(next.span), meant)
    }

    /// Reads `age $gt 3`, an operator of MongoDB, at its dollar sign.
    mutating func readDollarOperator() -> Bool? {
        guard token.kind == .variable, !isComparisonComplete, startsOperand(peek().kind) else { return nil }
        guard let meant = Self.comparison(forMethod: String(text(token.span).dropFirst())) else { return nil }
        return replaceOperator(token.span, meant)
    }

    /// Reads `pets@count` and `pets @count` at the operator of a key path.
    mutating func readMissingDot() -> Bool? {
        guard !isComparisonComplete, let operand = operands.last, case .expression(let node) = operand.item else {
            return nil
        }
        switch node.kind {
        case .keyPath, .subquery, .member, .selfObject, .variable: break
        default: return nil
        }
        let gap = SourceSpan(operand.span.end, token.start)
        report(
            .expectedOperator, at: token.span, found,
            suggestion: "\(abbreviated(operand.span)).\(text(token.span))", fixIts: [.init(gap, ".")])
        token = Token(kind: .dot, span: gap)
        lexer.position = gap.end
        return readOperator()
    }

    /// Reads `#keyPath(Person.age)` after its name.
    mutating func readKeyPathMacro(_ name: SourceSpan) -> Bool? {
        guard token.kind == .leftParenthesis, text(name) == "#keyPath", let list = bracketed(token) else { return nil }
        let whole = name.joined(list)
        var keys = text(SourceSpan(list.start + 1, list.end - 1)).trimmingSpaces().split(separator: ".").map(
            String.init)
        if keys.count > 1, keys[0].first?.isUppercase ?? false { keys.removeFirst() }
        let path = keys.joined(separator: ".")
        report(.unexpectedText, at: whole, "'\(abbreviated(whole))'", suggestion: path, fixIts: [.init(whole, path)])
        move(to: list.end)
        push(.keyPath(keys), span: whole)
        return false
    }

    // MARK: Texts and numbers

    /// Reads `'''text'''` and `""text""` after the first two quotes.
    mutating func readDoubledQuotes() -> Bool? {
        let quote = bytes[previous.start]
        let start = previous.start
        let open = bytes[start...].firstIndex { $0 != quote } ?? bytes.count
        guard open < bytes.count, let close = bytes[open...].firstIndex(of: quote), open > start + 1, close > open
        else {
            return nil
        }
        let end = bytes[close...].firstIndex { $0 != quote } ?? bytes.count
        guard end - close == open - start else { return nil }
        let mark = String(decoding: [quote], as: UTF8.self)
        let whole = SourceSpan(start, end)
        let meant = mark + text(SourceSpan(open, close)) + mark
        report(.unexpectedText, at: whole, abbreviated(whole), suggestion: meant, fixIts: [.init(whole, meant)])
        operands.removeLast()
        move(to: end)
        push(.value(.string(text(SourceSpan(open, close)))), span: whole)
        return false
    }

    /// Reads `1 000` and `1'000` after the first digits.
    mutating func readSplitNumber() -> Bool? {
        guard previous.kind == .integer, let operand = operands.last, operand.span == previous.span else { return nil }
        let start = token.kind == .integer ? token.start : token.start + 1
        let end = bytes[min(start, bytes.count)...].firstIndex { !Lexer.isDigit($0) } ?? bytes.count
        guard end - start == 3, token.kind == .integer || byte(token.start) == "'" else { return nil }
        let whole = SourceSpan(previous.start, end)
        let meant = text(previous.span) + text(SourceSpan(start, end))
        report(.malformedNumber, at: whole, text(whole), "", suggestion: meant, fixIts: [.init(whole, meant)])
        move(to: end)
        return false
    }

    /// Reads `+3` at the sign. Numbers have no plus sign.
    mutating func readPlus() -> Bool? {
        guard token.kind == .binary(.add), let chunk = unquotedChunk(from: token.start), chunk.count > 1 else {
            return nil
        }
        let digits = SourceSpan(chunk.start + 1, chunk.end)
        guard Lexer.isDigit(bytes[digits.start]) else { return nil }
        guard bytes[digits.range].allSatisfy({ Lexer.isDigit($0) || $0 == UInt8(ascii: ".") }) else {
            return isWaitingForText ? readAsText(chunk) : nil
        }
        report(
            .expectedExpression, at: token.span, found, suggestion: text(digits), fixIts: [.init(token.span, "")])
        advance()
        return true
    }
}
