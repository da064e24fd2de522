// Recovery from misspelled words whose position shows the intention: NOT and ANY before a condition, SUBQUERY and
// TERNARY before their arguments, TRUEPREDICATE alone, AND without a condition on one side.

extension PredicateParser {
    // MARK: Before a condition

    /// Words that precede a condition in other languages.
    private static let prefixSynonyms: [String: Keyword] = ["EVERY": .all, "EACH": .all, "EXISTS": .any]

    /// Reads `NTO age > 3` and `ANNY tags == 'a'`. The misspelled word is the previous operand, and the condition
    /// begins at the current token.
    mutating func readMisspelledPrefix() -> Bool? {
        guard allowsCondition, operands.count == operandBase + 1 || hasPending, let operand = operands.last,
            case .expression(let node) = operand.item, case .keyPath(let keys) = node.kind, keys.count == 1,
            previous.span == operand.span, previous.kind == .identifier, token.kind == .identifier
        else { return nil }
        switch peek().kind {
        case .comparison, .dot, .leftParenthesis: break
        default: return nil
        }
        let word = text(operand.span).uppercased()
        let quantifiers: [Keyword] = [.any, .all, .some, .none]
        let known =
            Self.prefixSynonyms[word]?.rawValue
            ?? Suggestions.nearest(to: word, in: [Keyword.not.rawValue] + quantifiers.map(\.rawValue))
        guard let known else { return nil }
        reportUnknownOperator(operand.span, meant: known)
        operands.removeLast()
        let quantifier = quantifiers.first { $0.rawValue == known }
        operators.append(
            PendingOperator(
                kind: quantifier.map(PendingOperator.Kind.quantifier) ?? .not,
                precedence: quantifier == nil ? .not : .quantifier, span: operand.span, firstOperand: operands.count))
        return true
    }

    /// Reads `all.name == 'a'` at the dot: a word before a condition, used as a key.
    mutating func readPrefixAsKey() -> Bool? {
        guard token.kind == .dot, isGlued, let prefix = pending, prefix.span == previous.span, startsStep(peek().kind),
            Lexer.isLetter(bytes[prefix.span.start])
        else { return nil }
        switch prefix.kind {
        case .quantifier, .not: break
        default: return nil
        }
        let word = text(prefix.span)
        operators.removeLast()
        report(
            .reservedWord, at: prefix.span, word.uppercased(), word, suggestion: "#\(word)",
            fixIts: [.init(SourceSpan(prefix.span.start, prefix.span.start), "#")])
        push(.keyPath([word]), span: prefix.span)
        return false
    }

    /// Reads `OR(a == 1, b == 2)` of spreadsheets at its word: OR stands between the conditions.
    mutating func readConjunctionCall() -> Bool? {
        guard token.kind == .and || token.kind == .or, Lexer.isLetter(bytes[token.start]),
            bytes[token.end...].first == UInt8(ascii: "(")
        else { return nil }
        var fixIts: [Diagnostic.FixIt] = []
        // The word of each open bracket, nil for brackets without one.
        var words: [String?] = []
        var ahead = lexer
        var (next, word) = (token, nil as String?)
        for _ in 0..<64 {
            switch next.kind {
            case .and, .or:
                guard bytes[next.end...].first == UInt8(ascii: "(") else { break }
                word = text(next.span)
                fixIts.append(.init(next.span, ""))
            case .leftParenthesis, .leftBrace, .leftBracket:
                words.append(word)
                word = nil
            case .rightParenthesis, .rightBrace, .rightBracket: _ = words.popLast()
            case .comma: if let word = words.last ?? nil { fixIts.append(.init(next.span, " \(word)")) }
            default: break
            }
            if words.isEmpty, word == nil { break }
            next = ahead.next()
        }
        guard isRepaired(by: fixIts) else { return nil }
        report(
            .expectedExpression, at: token.span, found, "write \(text(token.span)) between the conditions",
            fixIts: fixIts)
        stopped = true
        return false
    }

    /// Reports a word that is not an operator, with the operator that replaces it.
    mutating func reportUnknownOperator(_ span: SourceSpan, meant: String) {
        report(.unknownOperator, at: span, text(span), suggestion: meant, fixIts: [.init(span, meant)])
    }

    // MARK: Special forms

    /// Reports a call whose arguments show that a special form was meant, and returns that form. No function takes a
    /// condition or declares a variable.
    mutating func formOfMistakenCall(_ word: SourceSpan, _ items: ArraySlice<Operand>) -> Keyword? {
        func isCondition(_ operand: Operand) -> Bool {
            if case .predicate(let node) = operand.item { return !node.kind.isError }
            return false
        }
        guard items.count == 3, let first = items.first, let last = items.last else { return nil }
        var form: Keyword?
        if isCondition(first) { form = .ternary }
        if isCondition(last), case .expression(let node) = items[items.startIndex + 1].item,
            case .variable = node.kind
        {
            form = .subquery
        }
        guard let form else { return nil }
        report(
            .unknownFunction, at: word, text(word), suggestion: form.rawValue, fixIts: [.init(word, form.rawValue)])
        return form
    }

    // MARK: Constants

    /// The constant predicate that a word instead of a condition probably means: `TRUEPREDICTE`.
    static func constantPredicate(_ word: String) -> String? {
        Suggestions.nearest(to: word, in: [Keyword.truePredicate.rawValue, Keyword.falsePredicate.rawValue])
    }

    /// Reads `name == None` as a comparison with nil.
    mutating func readNone() -> Bool? {
        guard token.kind == .keyword(.none), case .comparison = pending?.kind else { return nil }
        switch peek().kind {
        case .end, .and, .or, .rightParenthesis: break
        default: return nil
        }
        report(.expectedExpression, at: token.span, found, suggestion: "nil", fixIts: [.init(token.span, "nil")])
        let span = token.span
        advance()
        push(.value(.null), span: span)
        return false
    }

    // MARK: Missing parts

    /// Advice about the missing operand.
    var missingPart: String {
        switch token.kind {
        case .and, .or:
            if let before = pending, before.precedence <= .and { return "remove one of the two" }
            return hasPending ? "write a value before \(text(token.span))" : "remove \(text(token.span))"
        case .comparison:
            if case .predicate(let node) = operands.last?.item, case .comparison(let before) = node.kind, hasPending,
                !before.left.span.isEmpty
            {
                return "write the key again: \(abbreviated(before.left.span)) \(text(token.span)) …"
            }
            return "write what is compared: a key, or SELF \(text(token.span)) …"
        case .end, .rightParenthesis:
            switch pending?.kind {
            case .and, .or: return "write a condition after \(text(pending?.span ?? .none)), or remove it"
            case .not, .quantifier: return "write a comparison after \(text(pending?.span ?? .none))"
            case .comparison: return "write a key or a value after \(text(pending?.span ?? .none))"
            default: return ""
            }
        case .not:
            guard case .quantifier(let keyword) = pending?.kind, let dual = keyword.ofNegation else { return "" }
            return "write \(dual)"
        case .comma: return "remove it, or write a value before it"
        case .rightBracket, .binary(.multiply):
            guard frame.kind == .index, !hasPending else { return "" }
            return "write an index: 0, FIRST or LAST; for any element write ANY before the key"
        default: return ""
        }
    }

    /// The fix-it for a conjunction with a condition missing on one side: remove it.
    var missingPartFixIts: [Diagnostic.FixIt] {
        switch token.kind {
        case .not:
            guard let before = pending, case .quantifier(let keyword) = before.kind, let dual = keyword.ofNegation
            else {
                return []
            }
            let isGlued = byte(token.end) != " "
            return [.init(before.span.joined(token.span), isGlued ? dual + " " : dual)]
        case .comparison:
            guard case .predicate(let node) = operands.last?.item, case .comparison(let before) = node.kind, hasPending,
                !before.left.span.isEmpty
            else { return [] }
            let fixIts = [Diagnostic.FixIt(SourceSpan(token.start, token.start), text(before.left.span) + " ")]
            return isRepaired(by: fixIts) ? fixIts : []
        case .and, .or:
            if let before = pending {
                return before.precedence <= .and ? [.init(SourceSpan(token.start, peek().start), "")] : []
            }
            return operands.count == operandBase ? [.init(SourceSpan(token.start, peek().start), "")] : []
        default: return []
        }
    }
}
