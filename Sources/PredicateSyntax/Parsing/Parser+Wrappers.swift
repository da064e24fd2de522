// Recovery from a condition inside the syntax of another language: closures, brackets of the shell, statements, MongoDB
// documents. Only the condition can be expressed, so parsing stops.

extension PredicateParser {
    /// Words that begin a statement with a condition. TEST is a shell command.
    private static let statementWords: Set = [
        "IF", "UNLESS", "WHEN", "WHILE", "RETURN", "LET", "VAR", "CONST", "GUARD", "TRY", "BOTH", "EITHER", "TEST",
        "TYPEOF",
        "DISTINCT", "FILTER", "FIND", "HAVING", "ASSERT", "REQUIRE", "WHERE", "CASE", "LAMBDA", "TOP", "FROM", "DELETE",
        "UPDATE", "SELECT",
    ]

    /// Words that begin a SQL statement; its condition follows WHERE.
    private static let sqlStatements: Set = ["SELECT", "DELETE", "UPDATE", "FROM"]

    /// Whether nothing was read before the current token, or only the word that was just read.
    private var isAtStart: Bool { frames.count == 1 && operators.isEmpty && operands.isEmpty }

    /// Reads `if age > 3`, `lambda p: p.age > 3`, `TOP 3 …`, `SELECT … WHERE …` after the first word.
    mutating func readStatement(_ span: SourceSpan) -> Bool? {
        guard isAtStart, !isTrial, span.count <= 8 else { return nil }
        switch token.kind {
        case .identifier, .variable, .integer, .selector, .binary(.multiply): break
        default: return nil
        }
        let word = text(span).uppercased()
        guard Self.statementWords.contains(word) else { return nil }
        if Self.sqlStatements.contains(word) {
            guard token.kind == .identifier || token.kind == .binary(.multiply), let place = wordPlace("WHERE")
            else { return word == "SELECT" ? reportWrapped(.sqlOperator, span, body: nil) : nil }
            return reportWrapped(.sqlOperator, span, body: SourceSpan(place.end, bytes.count))
        }
        if word == "TOP" {
            guard token.kind == .integer else { return nil }
            return reportWrapped(.sqlOperator, span.joined(token.span), body: SourceSpan(token.end, bytes.count))
        }
        if word == "LAMBDA" {
            guard token.kind == .selector else { return nil }
            let parameter = text(SourceSpan(token.start, token.end - 1))
            return reportWrapped(
                .unexpectedText, span.joined(token.span), body: SourceSpan(token.end, bytes.count),
                parameter: parameter)
        }
        guard beginsComparison(at: token) || word == "TEST" && token.kind == .variable else { return nil }
        return reportWrapped(
            word == "WHERE" || word == "DISTINCT" || word == "HAVING" ? .sqlOperator : .unexpectedText, span,
            body: SourceSpan(token.start, bytes.count), isShell: word == "TEST")
    }

    /// Reads `p => p.age > 3` at the second comparison.
    mutating func readArrow() -> Bool? {
        guard frames.count == 1, !isTrial, operators.count == 1, let sign = operators.first?.span, text(sign) == "=>",
            let left = operands.first, case .expression(let node) = left.item, case .keyPath(let keys) = node.kind,
            keys.count == 1
        else { return nil }
        return reportWrapped(
            .unexpectedText, left.span.joined(sign), body: SourceSpan(sign.end, bytes.count), parameter: keys[0])
    }

    /// Reads `p -> p.age > 3` at the arrow. `a->b` is a path.
    mutating func readLambda(_ arrow: SourceSpan) -> Bool? {
        guard frames.count == 1, !isTrial, operators.count == 1, let left = operands.first,
            text(peek().span) == text(left.span), byte(peek().end) == "."
        else { return nil }
        return reportWrapped(
            .unexpectedText, left.span.joined(arrow), body: SourceSpan(arrow.end, bytes.count),
            parameter: text(left.span))
    }

    /// Reads `[NSPredicate predicateWithFormat:@"…"]` at its bracket.
    mutating func readPredicateMessage() -> Bool? {
        guard isAtStart, !isTrial, let list = bracketed(token) else { return nil }
        var ahead = lexer
        guard ["NSPredicate", "CPPredicate"].contains(text(ahead.next().span)) else { return nil }
        var next = token
        while next.kind != .string, next.kind != .end, next.end < list.end {
            next = ahead.next()
            // `@"…"`
            if byte(next.start) == "@", byte(next.start + 1) == "\"" { ahead.position = next.start + 1 }
        }
        guard next.kind == .string else { return nil }
        return reportWrapped(
            .unexpectedText, SourceSpan(list.start, next.start), body: SourceSpan(next.start + 1, next.end - 1))
    }

    /// Reads `#Predicate { … }` after its name, and `NSPredicate(format: "…")` at its bracket.
    mutating func readPredicateMacro(_ name: SourceSpan) -> Bool? {
        guard isAtStart, !isTrial, ["#Predicate", "NSPredicate", "Predicate"].contains(text(name)) else { return nil }
        if token.kind == .leftParenthesis, let list = bracketed(token) {
            var ahead = lexer
            var next = token
            while next.kind != .string, next.kind != .end, next.end < list.end { next = ahead.next() }
            guard next.kind == .string else { return nil }
            return reportWrapped(
                .unexpectedText, name.joined(token.span), body: SourceSpan(next.start + 1, next.end - 1))
        }
        guard let open = bytes[token.start...].firstIndex(of: UInt8(ascii: "{")),
            let close = bytes.lastIndex(of: UInt8(ascii: "}")), open < close
        else { return nil }
        return reportWrapped(
            .unexpectedText, name.joined(SourceSpan(open, open + 1)), closure: SourceSpan(open, close + 1))
    }

    /// Reads brackets around the whole text that contain a condition: `{ $0.age > 3 }`, `[ $age -gt 3 ]`, `{age: 3}`.
    mutating func readBracketedCondition() -> Bool? {
        guard isAtStart, !isTrial, let last = bytes.lastIndex(where: { $0 > 0x20 && $0 != UInt8(ascii: ";") }),
            bytes[last] == UInt8(ascii: "}") || bytes[last] == UInt8(ascii: "]"), bracketed(token)?.end == last + 1
        else { return nil }
        var (opener, end) = (token.span, last)
        // As in `[[ … ]]`.
        if token.kind == .leftBracket, byte(token.end) == "[", byte(last - 1) == "]" {
            (opener, end) = (SourceSpan(opener.start, opener.end + 1), last - 1)
        }
        let inner = text(SourceSpan(opener.end, end))
        guard token.kind == .leftBracket || !inner.contains(":") else {
            let fix = documentCondition(inner)
            report(
                .unexpectedText, at: opener, "'{'", "this is a document, not a condition: write key == value",
                suggestion: fix,
                fixIts: fix.map { [.init(SourceSpan(opener.start, last + 1), $0)] } ?? [])
            stopped = true
            return false
        }
        let tokens = Lexer.tokens(of: inner)
        let isShell = tokens.indices.dropLast().contains {
            tokens[$0].kind == .binary(.subtract) && tokens[$0].end == tokens[$0 + 1].start
                && tokens[$0 + 1].kind == .identifier
        }
        guard isShell || tokens.contains(where: isComparison) else { return nil }
        if token.kind == .leftBrace {
            return reportWrapped(.unexpectedText, opener, closure: SourceSpan(opener.start, end + 1))
        }
        // A Python comprehension: `[p for p in people if p.age > 3]`.
        if wordPlace("FOR") != nil, let filter = wordPlace("IF") {
            let parameter = inner.trimmingSpaces().prefix { $0 != " " }
            return reportWrapped(
                .unexpectedText, opener, body: SourceSpan(filter.end, end), parameter: String(parameter))
        }
        return reportWrapped(.unexpectedText, opener, body: SourceSpan(opener.end, end), isShell: true)
    }

    // MARK: Reporting

    /// Reports a closure, whose parameter is `$0` or has a name before IN.
    private mutating func reportWrapped(_ id: DiagnosticID, _ span: SourceSpan, closure: SourceSpan) -> Bool {
        var lexer = self.lexer
        lexer.position = closure.start + 1
        let first = lexer.next()
        let second = lexer.next()
        let isNamed = first.kind == .identifier && second.kind == .comparison(.in)
        return reportWrapped(
            id, isNamed ? span.joined(second.span) : span,
            body: SourceSpan(isNamed ? second.end : closure.start + 1, closure.end - 1),
            parameter: isNamed ? text(first.span) : "$0")
    }

    /// Reports the syntax at the span, and suggests its condition if that can be parsed.
    /// - Parameters:
    ///   - body: the span of the condition.
    ///   - parameter: the name of the object in the condition: `p` in `p.age`.
    ///   - isShell: whether a dollar sign only marks a name.
    private mutating func reportWrapped(
        _ id: DiagnosticID, _ span: SourceSpan, body: SourceSpan?, parameter: String? = nil, isShell: Bool = false
    ) -> Bool {
        var condition = body.map { text($0).trimmingSpaces() } ?? ""
        if condition.hasSuffix(";") { condition.removeLast() }
        if condition.hasPrefix("return ") { condition.removeFirst(7) }
        if let parameter { condition = removing(parameter + ".", from: condition) }
        if isShell { condition = removing("$", from: condition) }
        let meant = corrected(condition.trimmingSpaces())
        report(
            id, at: span, "'\(abbreviated(span))'",
            id == .sqlOperator ? "only the condition" : "write only the condition",
            suggestion: meant.map { $0.count <= 60 ? $0 : "the condition alone" },
            fixIts: meant.map { [.init(SourceSpan(span.start, bytes.count), $0)] } ?? [])
        stopped = true
        return false
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

    /// `age > 3` for the MongoDB document `age: {$gt: 3}`.
    private func documentCondition(_ inner: String) -> String? {
        func pair(_ text: String) -> (key: String, value: String)? {
            guard let colon = text.firstIndex(of: ":") else { return nil }
            let key = text[..<colon].trimmingSpaces().filter { $0 != "\"" && $0 != "'" }
            return (key, text[text.index(after: colon)...].trimmingSpaces())
        }
        guard let (key, value) = pair(inner), !key.hasPrefix("$") else { return nil }
        guard value.hasPrefix("{"), value.hasSuffix("}") else { return corrected("\(key) == \(value)") }
        guard let (name, operand) = pair(String(value.dropFirst().dropLast())),
            let sign = Self.comparison(forMethod: String(name.drop { $0 == "$" }))
        else { return nil }
        return corrected("\(key) \(sign) \(operand)")
    }

    // MARK: Trials

    /// Parses a text as a condition and applies the fix-its of its mistakes; nil if it is not a condition.
    func corrected(_ text: String) -> String? {
        guard !isTrial, !text.isEmpty, text.utf8.count <= 200 else { return nil }
        var text = text
        for _ in 0..<2 {
            var parser = PredicateParser(text, arguments: .unbound, options: options, limits: limits)
            parser.isTrial = true
            let parsed = parser.parsed(text, error: { PredicateNode(.error, span: $0) }, node: { $0.predicate($1) })
            guard parsed.hasErrors else { return text }
            var fixed = Array(text.utf8)
            var limit = fixed.count
            for fix in parsed.diagnostics.flatMap(\.fixIts).ordered(by: { $0.span.start > $1.span.start })
            where fix.span.end <= limit {
                fixed.replaceSubrange(fix.span.range, with: fix.replacement.utf8)
                limit = fix.span.start
            }
            text = String(decoding: fixed, as: UTF8.self)
        }
        return nil
    }

    /// Whether the text can be parsed with these corrections.
    func isRepaired(by fixIts: [Diagnostic.FixIt]) -> Bool {
        guard !isTrial, bytes.count <= 400 else { return false }
        let text = String(decoding: Diagnostic.applying(fixIts, to: bytes), as: UTF8.self)
        var parser = PredicateParser(text, arguments: .unbound, options: options, limits: limits)
        parser.isTrial = true
        return !parser.parsed(text, error: { PredicateNode(.error, span: $0) }, node: { $0.predicate($1) }).hasErrors
    }

    /// The span of a word in the rest of the text, outside of quotation marks.
    func wordPlace(_ word: String) -> SourceSpan? {
        var ahead = lexer
        var next = ahead.next()
        while next.kind != .end {
            if next.kind == .identifier, text(next.span).uppercased() == word { return next.span }
            next = ahead.next()
        }
        return nil
    }
}
