// A condition inside the syntax of another language: closures, brackets of the shell, statements, MongoDB documents,
// paths of elements. These functions are asked for the first error of a text, and look at the text from its start.

extension ErrorContext {
    private var first: Token { tokens[0] }
    private var second: Token { tokens[min(1, tokens.count - 1)] }

    /// `if age > 3`, `lambda p: p.age > 3`, `TOP 3 …`, `SELECT … WHERE …`
    func statement() -> Mistake? {
        let span = first.span
        guard first.kind == .identifier, span.count <= 8 else { return nil }
        switch second.kind {
        case .identifier, .variable, .integer, .selector, .binary(.multiply): break
        default: return nil
        }
        let word = upper(first)
        guard Vocabulary.statements.contains(word) else { return nil }
        if ["SELECT", "DELETE", "UPDATE", "FROM"].contains(word) {
            guard second.kind == .identifier || second.kind == .binary(.multiply),
                let place = tokens.first(where: { $0.kind == .identifier && upper($0) == "WHERE" })
            else { return word == "SELECT" ? wrapped(.sqlOperator, span, body: nil) : nil }
            return wrapped(.sqlOperator, span.joined(place.span), body: SourceSpan(place.end, bytes.count))
        }
        if word == "TOP" {
            guard second.kind == .integer else { return nil }
            return wrapped(.sqlOperator, span.joined(second.span), body: SourceSpan(second.end, bytes.count))
        }
        if word == "LAMBDA" {
            guard second.kind == .selector else { return nil }
            return wrapped(
                .unexpectedText, span.joined(second.span), body: SourceSpan(second.end, bytes.count),
                parameter: text(SourceSpan(second.start, second.end - 1)))
        }
        guard beginsComparison(at: second) || word == "TEST" && second.kind == .variable else { return nil }
        return wrapped(
            word == "WHERE" || word == "DISTINCT" || word == "HAVING" ? .sqlOperator : .unexpectedText, span,
            body: SourceSpan(second.start, bytes.count), isShell: word == "TEST")
    }

    /// `p => p.age > 3` at the second comparison.
    func arrow() -> Mistake? {
        guard isComparison(token), frames.count == 1,
            operators.dropFirst().allSatisfy({ $0.precedence > .comparison }),
            let sign = operators.first?.span, text(sign) == "=>", let left = operands.first,
            case .expression(let node) = left.item, case .keyPath(let keys) = node.kind, keys.count == 1
        else { return nil }
        return wrapped(
            .unexpectedText, left.span.joined(sign), body: SourceSpan(sign.end, bytes.count), parameter: keys[0])
    }

    /// `p -> p.age > 3` at the arrow. `a->b` is a path.
    func lambda() -> Mistake? {
        guard frames.count == 1, operators.count == 1, case .binary(.subtract) = pending?.kind,
            let first = pending?.span, first.end == token.start, byte(token.start) == ">",
            let left = operands.first, text(peek().span) == text(left.span), byte(peek().end) == "."
        else { return nil }
        return wrapped(
            .unexpectedText, left.span.joined(token.span), body: SourceSpan(token.end, bytes.count),
            parameter: text(left.span))
    }

    /// `[NSPredicate predicateWithFormat:@"…"]`
    func predicateMessage() -> Mistake? {
        guard first.kind == .leftBracket, let list = bracketed(first),
            ["NSPredicate", "CPPredicate"].contains(text(second.span)),
            let string = tokens.first(where: { $0.kind == .string && $0.end <= list.end })
        else { return nil }
        return wrapped(
            .unexpectedText, SourceSpan(list.start, string.start), body: SourceSpan(string.start + 1, string.end - 1))
    }

    /// `#Predicate { … }` and `NSPredicate(format: "…")`
    func predicateMacro() -> Mistake? {
        guard ["#Predicate", "NSPredicate", "Predicate"].contains(text(first.span)) else { return nil }
        if second.kind == .leftParenthesis, let list = bracketed(second) {
            guard let string = tokens.first(where: { $0.kind == .string && $0.end <= list.end }) else { return nil }
            return wrapped(
                .unexpectedText, first.span.joined(second.span), body: SourceSpan(string.start + 1, string.end - 1))
        }
        guard let open = bytes[second.start...].firstIndex(of: UInt8(ascii: "{")),
            let close = bytes.lastIndex(of: UInt8(ascii: "}")), open < close
        else { return nil }
        return wrapped(
            .unexpectedText, first.span.joined(SourceSpan(open, open + 1)), closure: SourceSpan(open, close + 1))
    }

    /// Brackets around the whole text that contain a condition: `{ $0.age > 3 }`, `[ $age -gt 3 ]`, `{age: 3}`.
    func bracketedCondition() -> Mistake? {
        guard first.kind == .leftBrace || first.kind == .leftBracket,
            let last = bytes.lastIndex(where: { $0 > 0x20 && $0 != UInt8(ascii: ";") }),
            bytes[last] == UInt8(ascii: "}") || bytes[last] == UInt8(ascii: "]"),
            bracketed(first)?.end == last + 1
        else { return nil }
        var (opener, end) = (first.span, last)
        // As in `[[ … ]]`.
        if first.kind == .leftBracket, byte(first.end) == "[", byte(last - 1) == "]" {
            (opener, end) = (SourceSpan(opener.start, opener.end + 1), last - 1)
        }
        let inner = text(SourceSpan(opener.end, end))
        guard first.kind == .leftBracket || !inner.contains(":") else {
            let fix = documentCondition(inner)
            return Mistake(
                .unexpectedText, at: opener, "'{'", "this is a document, not a condition: write key == value",
                suggestion: fix, fixIts: fix.map { .fix(SourceSpan(opener.start, last + 1), $0) } ?? []
            ).stopping
        }
        let tokens = Lexer.tokens(of: inner)
        let isShell = tokens.indices.dropLast().contains {
            tokens[$0].kind == .binary(.subtract) && tokens[$0].end == tokens[$0 + 1].start
                && tokens[$0 + 1].kind == .identifier
        }
        guard isShell || tokens.contains(where: isComparison) else { return nil }
        if first.kind == .leftBrace {
            return wrapped(.unexpectedText, opener, closure: SourceSpan(opener.start, end + 1))
        }
        // A Python comprehension: `[p for p in people if p.age > 3]`.
        func word(_ word: String) -> Token? { self.tokens.first { $0.kind == .identifier && upper($0) == word } }
        if word("FOR") != nil, let filter = word("IF") {
            let parameter = inner.trimmingSpaces.prefix { $0 != " " }
            return wrapped(
                .unexpectedText, opener.joined(filter.span), body: SourceSpan(filter.end, end),
                parameter: String(parameter))
        }
        return wrapped(.unexpectedText, opener, body: SourceSpan(opener.end, end), isShell: true)
    }

    /// `EXISTS items` at the start of a condition.
    func existsClause() -> Mistake? {
        guard let word = (1...3).compactMap({ before($0) }).first(where: { upper($0) == "EXISTS" }),
            word.kind == .identifier, let position = tokens.firstIndex(of: word), position + 1 < tokens.count
        else { return nil }
        let next = tokens[position + 1]
        guard next.kind == .identifier || next.kind == .leftParenthesis && text(word.span) == "EXISTS" else {
            return nil
        }
        var key = next.kind == .identifier ? next : tokens[min(position + 2, tokens.count - 1)]
        if upper(key) == "SELECT" {
            guard let from = tokens.firstIndex(where: { upper($0) == "FROM" }), from + 1 < tokens.count else {
                return Mistake(
                    .sqlOperator, at: word.span, "'\(text(word.span))'", Keyword.subquery.form + ".@count > 0"
                )
                .stopping
            }
            key = tokens[from + 1]
        }
        let meant = key.kind == .identifier ? "\(text(key.span)).@count > 0" : ".@count > 0"
        let isWhole = key == next && position + 2 < tokens.count && endsCondition(tokens[position + 2])
        return Mistake(
            .sqlOperator, at: word.span, "'\(text(word.span))'", meant,
            fixIts: isWhole ? .fix(word.span.joined(key.span), meant) : [])
    }

    // MARK: Reporting

    /// A closure, whose parameter is `$0` or has a name before IN.
    private func wrapped(_ id: DiagnosticID, _ span: SourceSpan, closure: SourceSpan) -> Mistake {
        var ahead = tokens(from: closure.start + 1)
        let first = ahead.next()
        let second = ahead.next()
        let isNamed = first.kind == .identifier && second.kind == .comparison(.in)
        return wrapped(
            id, isNamed ? span.joined(second.span) : span,
            body: SourceSpan(isNamed ? second.end : closure.start + 1, closure.end - 1),
            parameter: isNamed ? text(first.span) : "$0")
    }

    /// The syntax at the span, with its condition as suggestion if that can be parsed.
    private func wrapped(
        _ id: DiagnosticID, _ span: SourceSpan, body: SourceSpan?, parameter: String? = nil, isShell: Bool = false
    ) -> Mistake {
        var condition = body.map { text($0).trimmingSpaces } ?? ""
        if condition.hasSuffix(";") { condition.removeLast() }
        if condition.hasPrefix("return ") { condition.removeFirst(7) }
        if let parameter { condition = removing(parameter + ".", from: condition) }
        if isShell { condition = removing("$", from: condition) }
        let meant = corrected(condition.trimmingSpaces)
        return Mistake(
            id, at: span, "'\(abbreviated(span))'",
            id == .sqlOperator ? "only the condition" : "write only the condition",
            suggestion: meant.map { $0.count <= 60 ? $0 : "the condition alone" },
            fixIts: meant.map { .fix(SourceSpan(span.start, bytes.count), $0) } ?? []
        ).stopping
    }

    /// The text without the given prefix of each word.
    func removing(_ prefix: String, from text: String) -> String {
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

    /// `age > 3` for the MongoDB document `age: {$gt: 3}`.
    private func documentCondition(_ inner: String) -> String? {
        func pair(_ text: String) -> (key: String, value: String)? {
            guard let colon = text.firstIndex(of: ":") else { return nil }
            let key = text[..<colon].trimmingSpaces.filter { $0 != "\"" && $0 != "'" }
            return (key, text[text.index(after: colon)...].trimmingSpaces)
        }
        guard let (key, value) = pair(inner), !key.hasPrefix("$") else { return nil }
        guard value.hasPrefix("{"), value.hasSuffix("}") else { return corrected("\(key) == \(value)") }
        guard let (name, operand) = pair(String(value.dropFirst().dropLast())),
            let sign = Vocabulary.comparison(forMethod: String(name.drop { $0 == "$" }))
        else { return nil }
        return corrected("\(key) \(sign) \(operand)")
    }

    // MARK: Paths of elements

    private static let type = "XCUIElementType"

    /// A class chain of Appium, ``**/XCUIElementTypeCell[`name == "a"`]``, an XPath, or a predicate in back-ticks.
    func elementPath() -> Mistake? {
        let start = first.start
        let end = (bytes.lastIndex { !$0.isSpace } ?? start) + 1
        let span = SourceSpan(start, end)
        switch byte(start) {
        case "`": return backticks(span)
        case "*": guard byte(start + 1) == "*", byte(start + 2) == "/" else { return nil }
        case "/":
            let path = text(span)
            guard [Self.type, "[@", "(@"].contains(where: path.contains) else { return nil }
            return Mistake(
                .elementPath, at: span, "an XPath", "write conditions for the attributes",
                suggestion: elementCondition(span)
            ).stopping
        case "X":
            guard text(first.span).hasPrefix(Self.type), ["/", "["].contains(byte(first.end)), isPath(span) else {
                return nil
            }
        default: return nil
        }
        let advice = text(span).contains("`") ? "the predicate is the text between the back-ticks" : ""
        return Mistake(.elementPath, at: span, "a class chain", advice, suggestion: elementCondition(span)).stopping
    }

    /// Whether the text has no comparison outside of brackets.
    private func isPath(_ span: SourceSpan) -> Bool {
        var depth = 0
        return text(span).allSatisfy { character in
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            return depth > 0 || !" =<>!".contains(character)
        }
    }

    private func backticks(_ span: SourceSpan) -> Mistake? {
        let inner = text(span).dropFirst().dropLast()
        guard byte(span.end - 1) == "`", inner.contains(" "), !inner.contains("`") else { return nil }
        let ends = [SourceSpan(span.start, span.start + 1), SourceSpan(span.end - 1, span.end)]
        return Mistake(
            .unexpectedCharacter, at: ends[0], "`", "remove both back-ticks", fixIts: ends.map { .init($0, "") }
        ).stopping
    }

    /// The predicate for a path of one element: its type and the condition in its brackets.
    private func elementCondition(_ span: SourceSpan) -> String? {
        let path = text(span).drop { $0 == "*" || $0 == "/" }
        let name = path.prefix { $0 != "[" && $0 != "/" }
        var rest = path.dropFirst(name.count)
        // The number of the element among several is no attribute.
        if let index = rest.lastIndex(of: "["), index > rest.startIndex,
            rest[index...].allSatisfy({ "[-]".contains($0) || $0.isNumber })
        {
            rest = rest[..<index]
        }
        guard name == "*" || name.hasPrefix(Self.type) else { return nil }
        let isAny = name == "*" || name == Self.type + "Any"
        var parts = isAny ? [] : ["type == \"\(name)\""]
        if let open = rest.first {
            guard open == "[", rest.last == "]" else { return nil }
            let inner = rest.dropFirst().dropLast()
            let content = inner.filter { $0 != "`" && $0 != "@" }
            guard inner.filter({ $0 == "[" || $0 == "]" || $0 == "(" }).isEmpty else { return nil }
            if !content.allSatisfy({ $0.isNumber || $0 == "-" }) {
                let isOr = content.uppercased().contains(" OR ") || content.contains("||")
                parts.append(isOr && !isAny ? "(\(content))" : content)
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }
}
