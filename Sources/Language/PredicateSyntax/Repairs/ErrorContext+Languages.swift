// Expressions of other languages that have an equivalent here: CASE of SQL, filters of LDAP, lambdas of OData. Operators
// that are written as functions, formats with their arguments, and keys that need SELF."…".

extension ErrorContext {
    // MARK: SQL

    /// `CASE WHEN a > 1 THEN 'x' ELSE 'y' END` and `CASE a WHEN 1 THEN 'x' END` at the word behind CASE.
    func caseExpression() -> Mistake? {
        guard let start = before(1), upper(start) == "CASE" else { return nil }
        let rest = tokens[index...]
        func place(_ word: String) -> Token? { rest.first { upper($0) == word } }
        guard let when = place("WHEN"), let then = place("THEN"), when.end <= then.start else { return nil }
        let end = place("END")
        let whole = SourceSpan(start.start, end?.end ?? bytes.count)
        func between(_ first: Int, _ last: Int) -> String { text(SourceSpan(first, max(first, last))).trimmingSpaces }
        let subject = between(start.end, when.start)
        let condition = (subject.isEmpty ? "" : subject + " == ") + between(when.end, then.start)
        let otherwise = place("ELSE")
        var meant: String?
        if let end, rest.count(where: { upper($0) == "WHEN" }) == 1, let condition = corrected(condition) {
            let value = between(then.end, otherwise?.start ?? end.start)
            meant = "TERNARY(\(condition), \(value), \(otherwise.map { between($0.end, end.start) } ?? "nil"))"
        }
        let mistake = Mistake(
            .sqlOperator, at: whole, "'\(abbreviated(whole))'", meant ?? Keyword.ternary.form,
            fixIts: meant.map { .fix(whole, $0) } ?? [])
        return meant == nil ? mistake.reading(asValue: whole) : mistake
    }

    // MARK: LDAP

    /// `(&(objectClass=user)(cn=b*))`
    func directoryFilter() -> Mistake? {
        guard let opener = tokens.first, opener.kind == .leftParenthesis, "&|!".contains(byte(opener.end)) else {
            return nil
        }
        var rest = text(SourceSpan(opener.start, bytes.count)).trimmingSpaces[...]
        guard let condition = Self.condition(ofFilter: &rest, depth: 0), rest.isEmpty, condition.contains(" ") else {
            return nil
        }
        let sign = SourceSpan(opener.start, opener.end + 1)
        return Mistake(
            .unexpectedText, at: sign, "'\(text(sign))' of an LDAP filter", suggestion: condition
        ).stopping
    }

    /// Reads `(key=value)`, `(&…)`, `(|…)` or `(!…)`; a value with asterisks is a pattern.
    private static func condition(ofFilter rest: inout Substring, depth: Int) -> String? {
        guard depth < 16, rest.popFirst() == "(", let first = rest.first else { return nil }
        var result: String?
        if "&|!".contains(first) {
            rest.removeFirst()
            var parts: [String] = []
            while rest.first == "(", let part = condition(ofFilter: &rest, depth: depth + 1) { parts.append(part) }
            guard !parts.isEmpty else { return nil }
            let joined = parts.joined(separator: first == "|" ? " OR " : " AND ")
            result = first == "!" ? "NOT (\(joined))" : parts.count > 1 && depth > 0 ? "(\(joined))" : joined
        } else {
            let item = rest.prefix { $0 != "(" && $0 != ")" }
            rest = rest.dropFirst(item.count)
            guard let equals = item.firstIndex(of: "=") else { return nil }
            var key = item[..<equals]
            let sign = "<>~".contains(key.last ?? " ") ? key.removeLast() : "="
            let value = item[item.index(after: equals)...]
            guard !key.isEmpty, key.utf8.allSatisfy({ $0.isOfWord }), !value.contains("\"") else { return nil }
            // LDAP has no types; `00601` is no number.
            let isNumber =
                !value.isEmpty && value.utf8.allSatisfy { $0.isDigit } && (value == "0" || value.first != "0")
            let quoted = isNumber ? String(value) : "\"\(value)\""
            if value == "*" {
                result = "\(key) != nil"
            } else if value.contains("*") {
                result = "\(key) LIKE \(quoted)"
            } else if sign == "~" {
                result = "\(key) ==[cd] \(quoted)"
            } else {
                result = "\(key) \(sign == "=" ? "==" : "\(sign)=") \(quoted)"
            }
        }
        return rest.popFirst() == ")" ? result : nil
    }

    // MARK: OData

    /// `Orders/any(o: o/Total gt 100)` at ANY.
    func pathLambda() -> Mistake? {
        guard case .keyword(let quantifier) = token.kind, quantifier == .any || quantifier == .all, isGlued,
            previous.kind == .binary(.divide), peek().kind == .leftParenthesis, let list = bracketed(peek())
        else { return nil }
        let start = bytes[..<previous.start].lastIndex { !$0.isOfWord && $0 != UInt8(ascii: "/") }.map { $0 + 1 } ?? 0
        let path = Self.dotted(text(SourceSpan(start, previous.start)))
        let parts = text(SourceSpan(list.start + 1, list.end - 1)).split(separator: ":", maxSplits: 1)
        let whole = SourceSpan(start, list.end)
        if parts.isEmpty, quantifier == .any {
            let meant = path + ".@count > 0"
            return Mistake(
                .unexpectedText, at: whole, "'\(abbreviated(whole))'", suggestion: meant, fixIts: .fix(whole, meant))
        }
        guard parts.count == 2 else { return nil }
        let name = parts[0].trimmingSpaces
        var body = Self.dotted(removing(name + "/", from: parts[1].trimmingSpaces))
        // The element itself: `t eq 'a'`.
        if body.hasPrefix(name + " ") { body = "SELF" + body.dropFirst(name.count) }
        let meant = corrected(body).map { elements(of: path, quantifier, fulfil: $0) }
        let isWhole = meant?.contains("…") == false
        let mistake = Mistake(
            .unexpectedText, at: whole, "'\(abbreviated(whole))'", suggestion: meant,
            fixIts: isWhole ? .fix(whole, meant ?? "") : [])
        return isWhole ? mistake : mistake.stopping
    }

    /// The test of the elements of a list by a condition on their keys; with `…` if it is not one comparison.
    func elements(of path: String, _ quantifier: Keyword, fulfil condition: String) -> String {
        let tokens = Lexer.tokens(of: condition)
        if !tokens.contains(where: { [.and, .or, .not].contains($0.kind) }) {
            if tokens[0].kind == .keyword(.selfObject) {
                return "\(quantifier.rawValue) \(path)\(condition.dropFirst(4))"
            }
            if tokens[0].kind == .identifier { return "\(quantifier.rawValue) \(path).\(condition)" }
        }
        return quantifier == .any
            ? "SUBQUERY(\(path), $x, …).@count > 0" : "SUBQUERY(\(path), $x, NOT (…)).@count == 0"
    }

    /// The text without the given prefix of each word.
    private func removing(_ prefix: String, from text: String) -> String {
        var result = ""
        var rest = text[...]
        while let first = rest.first {
            let isStart = result.last.map { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." } ?? true
            if isStart, rest.hasPrefix(prefix) {
                rest = rest.dropFirst(prefix.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func dotted(_ path: String) -> String { String(path.map { $0 == "/" ? "." : $0 }) }

    // MARK: Calls

    /// `contains(name, 'a')` and `between(age, 1, 5)`: an operator in the form of a function.
    func operatorCall() -> Mistake? {
        guard case .comparison(let sign) = token.kind, let word = operatorWord(token),
            peek().kind == .leftParenthesis, let list = bracketed(peek())
        else { return nil }
        let items = pieces(of: list)
        guard items.count > 1, let left = items.first else { return nil }
        let right: String
        switch sign {
        case .between where items.count == 3: right = "{\(items[1]), \(items[2])}"
        case .in where items.count > 2: right = "{\(items.dropFirst().joined(separator: ", "))}"
        default:
            guard items.count == 2 else { return nil }
            right = items[1]
        }
        let meant = "\(left) \(word) \(right)"
        let call = token.span.joined(list)
        return Mistake(
            .expectedExpression, at: token.span, foundText, suggestion: meant,
            fixIts: isRepaired(by: .fix(call, meant)) ? .fix(call, meant) : [])
    }

    /// The texts between the commas of a bracket.
    private func pieces(of list: SourceSpan) -> [String] {
        var items: [String] = []
        var start = list.start + 1
        var depth = 0
        for token in tokens where token.start > list.start && token.start < list.end {
            switch token.kind {
            case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
            case .rightParenthesis, .rightBracket, .rightBrace: depth -= 1
            default: break
            }
            guard token.kind == .comma && depth == 0 || depth < 0 else { continue }
            items.append(text(SourceSpan(start, token.start)).trimmingSpaces)
            start = token.end
        }
        return items.contains("") ? [] : items
    }

    /// `"%@ == %@", "name", value` at the first comma: a format with its arguments.
    func formatWithArguments() -> Mistake? {
        guard frames.count == 1, index == 1, tokens[0].kind == .string, text(tokens[0].span).contains("%") else {
            return nil
        }
        let format = text(SourceSpan(tokens[0].start + 1, tokens[0].end - 1))
        let rest = SourceSpan(token.start, bytes.count)
        // A key is no value: with %@ its name would be compared as a text.
        let name = peek().kind == .string ? text(peek().span).dropFirst().dropLast() : ""
        let isKey = format.hasPrefix("%@ ") && !name.isEmpty && name.utf8.allSatisfy { $0.isOfWord }
        return Mistake(
            .unexpectedText, at: rest, "'\(abbreviated(rest))'", "these are arguments: write the format alone",
            suggestion: isKey ? "%K" + format.dropFirst(2) : nil
        ).stopping
    }

    // MARK: Keys with hyphens and spaces

    /// `first-name == 'x'` and `in-stock == 1` at their reserved word.
    func hyphenatedKey() -> Mistake? {
        guard token.kind != .end, bytes[token.start].isLetter, byte(token.end) == "-" else { return nil }
        var end = token.end
        while byte(end) == "-", wordEnd(end + 1) > end + 1 { end = wordEnd(end + 1) }
        guard end > token.end, let next = tokens.first(where: { $0.start >= end }),
            isComparison(next) || next.kind == .end || isWaiting
        else { return nil }
        let whole = SourceSpan(token.start, end)
        let meant = SyntaxSelector.key(text(whole))
        return Mistake(.reservedWord, at: whole, upper(token), suggestion: meant, fixIts: .fix(whole, meant))
    }

    /// `unit price == 3` at its second word.
    func keyOfWords() -> Mistake? {
        guard token.kind == .identifier, previous.kind == .identifier, !isComparisonComplete, !hasPending,
            operands.last?.span == previous.span, let key = words(from: previous)
        else { return nil }
        return Mistake(
            .expectedOperator, at: token.span, foundText,
            "write an operator, or \(SyntaxSelector.key(text(key))) if this is one key", text(key))
    }

    /// `first name == 'x'` at its first word, which is reserved.
    func keyOfWords(from first: Token) -> Mistake? {
        guard peek().kind == .identifier, let key = words(from: first) else { return nil }
        let meant = SyntaxSelector.key(text(key))
        return Mistake(.reservedWord, at: key, upper(first), suggestion: meant, fixIts: .fix(key, meant))
    }

    /// The words from the first one to a comparison; nil if something else follows.
    private func words(from first: Token) -> SourceSpan? {
        var (ahead, end) = (following, token.end)
        var next = ahead.next()
        while next.kind == .identifier, end - first.start < 40 { (end, next) = (next.end, ahead.next()) }
        return isComparison(next) ? SourceSpan(first.start, end) : nil
    }
}
