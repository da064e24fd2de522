// Mistakes of meaning: values in place of conditions, conditions in place of values, wrong arguments of special forms.
// No token is wrong here; the parser goes on after the condition.

extension ErrorContext {
    /// Whether the value in place of a condition follows from the mistake before.
    func isExplained(_ operand: PredicateParser.Operand) -> Bool {
        guard let last = found.last else { return false }
        // In other languages the comment may be an operator: `age // 2 == 1`.
        if last.id == .comment, last.severity == .error { return true }
        // `(a == 1).value` was already reported as a condition in place of a value.
        if last.id == .predicateAsValue, last.span.start == map.original(operand.span).start { return true }
        if case .expression(let node) = operand.item, case .call(_, let arguments) = node.kind {
            return arguments.contains { $0.kind.isError }
        }
        return false
    }

    /// `a == 1 OR 2 OR 3`. The values after a comparison are probably meant to be compared with the same left side.
    func repeated(_ operand: PredicateParser.Operand, _ before: PredicateNode?) -> Mistake? {
        guard case .expression(let node) = operand.item, case .value(let value) = node.kind,
            case .comparison(let comparison) = before?.kind, comparison.modifier == .direct,
            !comparison.left.span.isEmpty, !comparison.operatorSpan.isEmpty
        else { return nil }
        if case .bool = value { return nil }
        let span = operand.span
        let sign = text(comparison.operatorSpan) + comparison.options.spelling
        let key = text(comparison.left.span)
        let left = "\(key) \(sign) "
        var meant = left + abbreviated(span)
        if comparison.options.isEmpty, tokens.last(where: { $0.end <= span.start })?.kind == .or {
            let list = "\(key) IN {\(text(comparison.right.span)), …}"
            if comparison.operator == .equal { meant += ", or " + list }
            if comparison.operator == .notEqual {
                // `a != 1 OR a != 2` is always true.
                return Mistake(.expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: "NOT " + list)
                    .skipping
            }
        }
        return Mistake(
            .expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: meant,
            fixIts: .fix(SourceSpan(span.start, span.start), left)
        ).skipping
    }

    func valueAsCondition(_ operand: PredicateParser.Operand, _ before: PredicateNode?) -> Mistake {
        guard case .expression(let node) = operand.item else { return conditionAsValue(operand) }
        let span = operand.span
        func mistake(_ meant: String?, _ fixIts: [PredicateDiagnostic.FixIt]) -> Mistake {
            Mistake(.expectedPredicate, at: span, "'\(abbreviated(span))'", suggestion: meant, fixIts: fixIts).skipping
        }
        switch node.kind {
        case .keyPath where isJoined(span):
            return Mistake(
                .unexpectedText, at: SourceSpan(span.end, bytes.count), "'||' between texts",
                "|| is OR: to join texts write +, and \(LanguageOptions.advice("concat"))"
            ).stopping
        case .keyPath:
            // The beginning of the comparison that a program whose keys have words as values means by `a == b OR c`.
            var comparison = ""
            if case .comparison(let before) = before?.kind, case .keyPath = before.right.kind, !before.left.span.isEmpty
            {
                comparison = "\(text(before.left.span)) \(text(before.operatorSpan)) "
            }
            let key = text(node.span)
            let isList = key.hasSuffix(".isEmpty")
            let other = isList ? "\(key.dropLast(8)).@count == 0" : "\(key) != nil if it is no Boolean"
            return Mistake(
                .bareKey, at: node.span, key, comparison,
                "compare it: \(key) == YES, or \(comparison.isEmpty ? other : comparison + key)"
            ).skipping
        case .argument:
            return Mistake(
                .expectedPredicate, at: span, "'\(abbreviated(span))'",
                frames.count > 1 || operand.span.count < bytes.count
                    ? "an argument is no condition: join predicates by && in code" : ""
            ).skipping
        case .subquery: return mistake("SUBQUERY(…).@count > 0", .fix(SourceSpan(span.end, span.end), ".@count > 0"))
        case .value(.bool(let value)):
            let constant = value ? "TRUEPREDICATE" : "FALSEPREDICATE"
            return mistake(constant, .fix(span, constant))
        default:
            let meant = comparison(byMethod: node)
            return mistake(meant, meant.map { .fix(span, $0) } ?? [])
        }
    }

    /// Whether `||` and a text follow, as in `name || ' '` of SQL.
    private func isJoined(_ span: SourceSpan) -> Bool {
        guard let sign = tokens.firstIndex(where: { $0.start >= span.end }), text(tokens[sign].span) == "||" else {
            return false
        }
        return tokens[min(sign + 1, tokens.count - 1)].kind == .string
    }

    /// The comparison that replaces `name.hasPrefix('A')` or `startsWith(name, 'A')`.
    private func comparison(byMethod node: ExpressionNode) -> String? {
        let (selector, left, right): (String, SourceSpan, SourceSpan)
        switch node.kind {
        case .member(let base, let step):
            guard case .call(let name, let arguments) = step.kind, arguments.count == 1 else { return nil }
            (selector, left, right) = (name, base.span, arguments[0].span)
        case .method(let base, let name, let arguments) where arguments.count == 1:
            (selector, left, right) = (name, base.span, arguments[0].span)
        case .call(let name, let arguments) where arguments.count == 2:
            (selector, left, right) = (name, arguments[0].span, arguments[1].span)
        default: return nil
        }
        let name = String(selector.prefix { $0 != ":" })
        return Vocabulary.comparison(forMethod: name).map {
            "\(text(left)) \($0) \(Vocabulary.operand(text(right), ofMethod: name))"
        }
    }

    func conditionAsValue(_ operand: PredicateParser.Operand) -> Mistake {
        Mistake(.predicateAsValue, at: operand.span, "'\(abbreviated(operand.span))'").skipping
    }

    /// ANY, ALL, SOME or NONE is not followed by a comparison.
    func quantified(_ keyword: Keyword, _ right: PredicateParser.Operand) -> Mistake {
        let span = right.span
        return Mistake(
            .expectedOperator, at: SourceSpan(span.end, span.end),
            "the end of '\(keyword.rawValue) \(abbreviated(span))'",
            "compare it: \(keyword.rawValue) \(abbreviated(span)) == …")
    }

    // MARK: Special forms

    func argumentCount(_ keyword: Keyword, _ span: SourceSpan, _ items: [PredicateParser.Operand]) -> Mistake {
        let (least, most) = keyword.argumentCounts
        return Mistake(
            .functionArguments, at: span, keyword.rawValue,
            least == most ? "\(least) arguments" : "at least \(least) arguments", "\(items.count)",
            "write \(keyword.form)")
    }

    func argument(_ keyword: Keyword, _ index: Int, _ items: [PredicateParser.Operand]) -> Mistake {
        let span = items[index].span
        let name = text(span)
        switch keyword {
        case .subquery:
            var meant: String?
            var fixIts: [PredicateDiagnostic.FixIt] = []
            if case .expression(let node) = items[index].item {
                switch node.kind {
                case .keyPath(let keys) where keys.count == 1:
                    meant = "$" + name
                    let end = items[items.count - 1].span.end
                    fixIts = tokens.filter {
                        $0.start >= span.start && $0.end <= end && text($0.span) == name && byte($0.start - 1) != "."
                    }.map { .init(SourceSpan($0.start, $0.start), "$") }
                case .value(.string(let name)) where Lexer.tokens(of: name).map({ $0.kind }) == [.variable, .end]:
                    meant = name
                    fixIts = .fix(span, name)
                default: break
                }
            }
            return Mistake(.missingVariable, at: span, "SUBQUERY", suggestion: meant, fixIts: fixIts).skipping
        default:
            if keyword == .function, let swapped = swappedSelector(items) { return swapped }
            let isWord = name.utf8.allSatisfy { $0.isOfWord || $0 == UInt8(ascii: ":") }
            let meant = keyword == .cast ? SyntaxSelector.castClass(named: name) : isWord ? name : nil
            return Mistake(
                keyword == .cast ? .castLiteral : .selectorLiteral, at: span,
                suggestion: keyword == .cast ? meant.map { "\"\($0)\"" } : nil,
                fixIts: meant.map { .fix(span, "\"\($0)\"") } ?? []
            ).skipping
        }
    }

    /// `FUNCTION("lowercaseString:", name)`: the selector before the object.
    private func swappedSelector(_ items: [PredicateParser.Operand]) -> Mistake? {
        let (first, second) = (items[0], items[1])
        guard case .expression(let node) = first.item, case .value(.string(let name)) = node.kind,
            case .expression(let object) = second.item, !object.kind.isError, name.utf8.last == UInt8(ascii: ":"),
            name.utf8.allSatisfy({ $0.isOfWord || $0 == UInt8(ascii: ":") })
        else { return nil }
        if case .value(.string) = object.kind { return nil }
        return Mistake(
            .selectorLiteral, at: first.span,
            suggestion: "FUNCTION(\(abbreviated(second.span)), \(text(first.span))\(items.count > 2 ? ", …" : ""))",
            fixIts: [.init(first.span, text(second.span)), .init(second.span, text(first.span))]
        ).skipping
    }
}
