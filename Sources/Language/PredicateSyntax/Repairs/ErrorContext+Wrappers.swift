// A condition inside the syntax of another language. These functions are asked for the first error of a text, and look
// at the text from its start.

extension ErrorContext {
    /// `[NSPredicate predicateWithFormat:@"…"]` and `NSPredicate(format: "…")`
    func predicateCall() -> Mistake? {
        let isMessage = tokens[0].kind == .leftBracket
        let second = tokens[min(1, tokens.count - 1)]
        let (name, opener) = isMessage ? (second, tokens[0]) : (tokens[0], second)
        guard ["NSPredicate", "CPPredicate", "Predicate"].contains(text(name.span)),
            isMessage || opener.kind == .leftParenthesis, let list = bracketed(opener),
            let string = tokens.first(where: { $0.kind == .string && $0.end <= list.end })
        else { return nil }
        let span = SourceSpan(tokens[0].start, isMessage ? string.start : opener.end)
        let meant = corrected(text(SourceSpan(string.start + 1, string.end - 1)).trimmingSpaces)
        return Mistake(
            .unexpectedText, at: span, "'\(abbreviated(span))'", "write only the condition",
            suggestion: meant.map { $0.count <= 60 ? $0 : "the condition alone" },
            fixIts: meant.map { .fix(SourceSpan(span.start, bytes.count), $0) } ?? []
        ).stopping
    }

    /// `EXISTS items` at the start of a condition.
    func existsClause() -> Mistake? {
        guard let word = (1...5).compactMap({ before($0) }).first(where: { upper($0) == "EXISTS" }),
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
        let list = key.kind == .identifier ? text(key.span) : ""
        var meant = "\(list).@count > 0"
        var place = word.span
        if key != next, let end = bracketed(next)?.end {
            let clause = tokens.first { $0.start >= key.end && upper($0) == "WHERE" }
            let condition = clause.flatMap { corrected(text(SourceSpan($0.end, max($0.end, end - 1))).trimmingSpaces) }
            if let condition { meant = elements(of: list, .any, fulfil: condition) }
            if condition != nil || clause == nil && key.end == end - 1 { place = SourceSpan(word.start, end) }
        }
        if place != word.span {
            let isWhole = !meant.contains("…")
            let mistake = Mistake(
                .sqlOperator, at: place, "'\(abbreviated(place))'", meant, fixIts: isWhole ? .fix(place, meant) : [])
            return isWhole ? mistake : mistake.stopping
        }
        let isWhole = key == next && position + 2 < tokens.count && endsCondition(tokens[position + 2])
        return Mistake(
            .sqlOperator, at: word.span, "'\(text(word.span))'", meant,
            fixIts: isWhole ? .fix(word.span.joined(key.span), meant) : [])
    }
}
