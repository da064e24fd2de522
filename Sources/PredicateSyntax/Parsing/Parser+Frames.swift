// Parses brackets: parentheses, lists, indices, calls and special forms. A frame starts at its opening bracket,
// collects the items between commas, and becomes one node at its closing bracket.

extension PredicateParser {
    /// Opens the bracket at the current token.
    /// - Returns: whether an operand comes next; false after an error.
    mutating func open(_ kind: Frame.Kind, word: SourceSpan) -> Bool {
        guard frames.count <= limits.nesting else {
            exceedNesting(at: token.span)
            return false
        }
        frames.append(
            Frame(
                kind: kind, opener: token.span, word: word, operands: operands.count, operators: operators.count))
        advance()
        return true
    }

    private func closing(_ kind: Frame.Kind) -> TokenKind {
        switch kind {
        case .root: .end
        case .aggregate: .rightBrace
        case .index: .rightBracket
        case .wrongBrackets: .rightBracket
        case .parenthesis, .wrongParentheses, .call, .special: .rightParenthesis
        }
    }

    /// Completes the item since the bracket or the last comma, if there is one.
    private mutating func finishItem() {
        reduceAll()
        frames[frames.count - 1].operandBase = operands.count
    }

    mutating func readComma() -> Bool {
        switch frame.kind {
        case .aggregate, .wrongBrackets, .wrongParentheses, .call, .special:
            finishItem()
            advance()
            return true
        case .parenthesis where !hasPending && operands.count == operandBase + 1:
            reportWrongList(Token(kind: .leftParenthesis, span: frame.opener))
            frames[frames.count - 1].kind = .wrongParentheses
            return readComma()
        case .root:
            return reportBareList()
        case .parenthesis where isComparisonComplete: return reportBareList()
        case .parenthesis, .index:
            report(.unexpectedText, at: token.span, "','", frame.kind == .index ? "an index is one number" : "")
            advance()
            return recover()
        }
    }

    // MARK: Closing

    /// Handles a closing bracket after an operand.
    /// - Returns: whether an operand comes next; always false.
    mutating func readClosing() -> Bool {
        if closing(frame.kind) == token.kind {
            let end = token.end
            advance()
            close(at: end)
            return false
        }
        if frames.contains(where: { closing($0.kind) == token.kind && $0.kind != .root }) {
            report(.unclosedBracket, at: frame.opener, text(frame.opener))
            close(at: previous.end)
            return false
        }
        guard let expected = closingMark(of: frame.kind), frame.kind != .index || isWholeIndexValue else {
            let closings = closings
            let fixIts = closings.map { Diagnostic.FixIt($0, "") }
            // At the top level all of them lack an opening bracket.
            let whole = frame.kind == .root ? token.span.joined(closings.last ?? token.span) : token.span
            // After another error this correction alone cannot repair the text.
            let isRepaired = !diagnostics.contains { $0.severity == .error } && isRepaired(by: fixIts)
            report(.unexpectedClosing, at: whole, text(whole), fixIts: isRepaired ? fixIts : [])
            while token.start < whole.end { advance() }
            return false
        }
        report(
            .unexpectedClosing, at: token.span, text(token.span), suggestion: expected,
            fixIts: [.init(token.span, expected)])
        let end = token.end
        advance()
        close(at: end)
        return false
    }

    /// The closing brackets from the current one up to another token.
    private var closings: [SourceSpan] {
        var ahead = lexer
        var (next, spans) = (token, [] as [SourceSpan])
        while [.rightParenthesis, .rightBracket, .rightBrace].contains(next.kind), spans.count < 8 {
            spans.append(next.span)
            next = ahead.next()
        }
        return spans
    }

    /// The bracket that closes one of a kind; nil for the whole text.
    private func closingMark(of kind: Frame.Kind) -> String? {
        switch closing(kind) {
        case .rightBrace: "}"
        case .rightBracket: "]"
        case .rightParenthesis: ")"
        default: nil
        }
    }

    private var isWholeIndexValue: Bool { operands.count > operandBase }

    /// Handles a closing bracket where a value is expected: valid in `{}` and `now()`, an error elsewhere.
    mutating func readClosingInsteadOfOperand() -> Bool {
        guard !hasPending, closing(frame.kind) == token.kind else { return reportExpectedExpression() }
        switch frame.kind {
        case .aggregate where frame.itemCount == 0, .call where frame.itemCount == 0,
            .special where frame.itemCount == 0:
            return readClosing()
        case .aggregate, .wrongBrackets, .wrongParentheses:
            report(.trailingComma, at: previous.span, fixIts: [.init(previous.span, "")])
            return readClosing()
        case .parenthesis where frames.count > 1 && isListExpected(outside: frame):
            let list = frame.opener.joined(token.span)
            report(.listBrackets, at: list, "", fixIts: [.init(list, "{}")])
            pushError(list)
            return readClosing()
        case .parenthesis:
            report(.emptyParentheses, at: frame.opener.joined(token.span))
            pushError(frame.opener.joined(token.span))
            return readClosing()
        default: return reportExpectedExpression()
        }
    }

    /// Whether IN or BETWEEN waits for its right side before an open bracket.
    private func isListExpected(outside frame: Frame) -> Bool {
        guard frame.operatorBase > 0, case .comparison(let comparison, _) = operators[frame.operatorBase - 1].kind
        else {
            return false
        }
        return comparison == .in || comparison == .between
    }

    /// Whether the innermost bracket is that of an index and has no partner.
    var isUnclosedIndex: Bool {
        guard frame.kind == .index else { return false }
        return bracketed(Token(kind: .leftBracket, span: frame.opener)).map { byte($0.end - 1) != "]" } ?? true
    }

    /// Reads `tags[0 == 'a'` at the comparison: an index is no condition, so its bracket is not closed.
    /// - Returns: whether the bracket was closed.
    mutating func closeIndex() -> Bool {
        guard frame.kind == .index, isWholeIndexValue, isUnclosedIndex else { return false }
        let end = SourceSpan(previous.end, previous.end)
        report(
            .unclosedBracket, at: frame.opener, text(frame.opener), "write ] after the index", fixIts: [.init(end, "]")]
        )
        close(at: previous.end)
        return true
    }

    /// Handles the end of the text: reports and closes all open brackets.
    mutating func readEnd() -> Bool {
        var reported = 0
        let fixIts = closingFixIts
        while frames.count > 1, !stopped {
            if reported < 3, !hasErrorInside(frame) {
                report(
                    .unclosedBracket, at: frame.opener, text(frame.opener), fixIts: frames.count == 2 ? fixIts : [])
                reported += 1
            }
            let isGroup = frame.kind == .parenthesis
            close(at: token.start)
            // The bracket was not closed, so its content is probably not what was meant.
            if !isGroup, let operand = operands.popLast() { pushError(operand.span) }
        }
        reduceAll()
        finished = true
        return false
    }

    /// The fix that closes all open brackets at the end of the text; empty if that does not repair it.
    private var closingFixIts: [Diagnostic.FixIt] {
        guard frames.count > 1, frames.count <= 9, let last = bytes.lastIndex(where: { !Lexer.isSpace($0) }) else {
            return []
        }
        let marks = frames.reversed().compactMap { closingMark(of: $0.kind) }.joined()
        let isRepaired = corrected(text(SourceSpan(0, last + 1)) + marks) != nil
        return isRepaired ? [.init(SourceSpan(last + 1, last + 1), marks)] : []
    }

    /// Whether an error inside the bracket was already reported. It may be the reason why the bracket is not closed.
    private func hasErrorInside(_ frame: Frame) -> Bool {
        diagnostics.contains {
            $0.severity == .error && $0.span.start > frame.opener.start && $0.id != .unclosedBracket
        }
    }

    private mutating func close(at end: Int) {
        finishItem()
        let closed = frames.removeLast()
        if stopped { return }
        let span = SourceSpan(closed.word.start, end)
        switch closed.kind {
        case .root: break
        case .parenthesis:
            guard closed.firstItem < operands.count else { return pushError(span) }
            operands[closed.firstItem].span = span
            operands[closed.firstItem].isParenthesized = true
        case .aggregate, .wrongBrackets, .wrongParentheses:
            push(.aggregate(takeExpressions(from: closed.firstItem)), span: span)
        case .index:
            let index = takeOperands(from: closed.firstItem).first
            guard let base = operands.popLast() else { return pushError(span) }
            let whole = base.span.joined(span)
            guard let index else { return pushError(whole) }
            push(.index(expression(base), expression(index)), span: whole)
        case .call:
            if let form = formOfMistakenCall(closed.word, operands[closed.firstItem...]) {
                return push(special(form, takeOperands(from: closed.firstItem), span), span: span)
            }
            // As an argument of `call`, this would copy the whole parser: `call` gets the parser before its arguments are
            // evaluated, and the argument changes it.
            let arguments = takeExpressions(from: closed.firstItem)
            push(call(text(closed.word), arguments, span), span: span)
        case .special(let keyword): push(special(keyword, takeOperands(from: closed.firstItem), span), span: span)
        }
    }

    private mutating func takeOperands(from first: Int) -> [Operand] {
        defer { operands.removeSubrange(first...) }
        return Array(operands[first...])
    }

    private mutating func takeExpressions(from first: Int) -> [ExpressionNode] {
        var nodes: [ExpressionNode] = []
        nodes.reserveCapacity(operands.count - first)
        for position in first..<operands.count { nodes.append(expression(operands[position])) }
        operands.removeSubrange(first...)
        return nodes
    }

    // MARK: Calls

    /// Creates the node for a call. A selector that names an operator, an index or a cast becomes that node (LANGUAGE
    /// 0), except after a dot, where an operator could not be printed.
    private func call(_ name: String, _ arguments: [ExpressionNode], _ span: SourceSpan) -> ExpressionNode.Kind {
        let selector = arguments.isEmpty || name.utf8.last == UInt8(ascii: ":") ? name : name + ":"
        if arguments.count == 2, !followsDot {
            if let binary = BinaryOperator.allCases.first(where: { $0.selector == selector }) {
                return .binary(binary, arguments[0], arguments[1])
            }
            if selector == SyntaxSelector.element { return .index(arguments[0], arguments[1]) }
            if selector == SyntaxSelector.cast, case .value(.string(let type)) = arguments[1].kind {
                return .cast(arguments[0], type: type)
            }
        }
        return .call(selector, arguments)
    }

    private mutating func special(_ keyword: Keyword, _ items: [Operand], _ span: SourceSpan) -> ExpressionNode.Kind {
        let (least, most) = keyword.argumentCounts
        guard items.count >= least, items.count <= most else {
            if !items.contains(where: \.item.isError) {
                let wanted = least == most ? "\(least) arguments" : "at least \(least) arguments"
                diagnostics.append(
                    Diagnostic(
                        .functionArguments, at: span, keyword.rawValue, wanted, "\(items.count)",
                        "write \(keyword.form)"))
            }
            return .error
        }
        switch keyword {
        case .ternary:
            return .ternary(predicate(items[0]), expression(items[1]), expression(items[2]))
        case .subquery:
            let collection = expression(items[0])
            guard case .variable(let name) = expression(items[1]).kind, !items[1].isParenthesized else {
                if !items[1].item.isError {
                    var meant: String?
                    var fixIts: [Diagnostic.FixIt] = []
                    switch expression(items[1]).kind {
                    case .keyPath(let keys) where keys.count == 1: meant = "$" + text(items[1].span)
                    case .value(.string(let name)) where Lexer.tokens(of: name).map(\.kind) == [.variable, .end]:
                        meant = name
                        fixIts = [.init(items[1].span, name)]
                    default: break
                    }
                    report(.missingVariable, at: items[1].span, "SUBQUERY", suggestion: meant, fixIts: fixIts)
                }
                return .error
            }
            return .subquery(collection, variable: name, predicate(items[2]))
        case .cast:
            guard let type = literal(items[1], in: keyword) else { return .error }
            let operand = expression(items[0])
            return tagged(operand, type) ?? .cast(operand, type: type)
        case .function:
            if reportSwappedSelector(items) { return .error }
            guard let selector = literal(items[1], in: keyword) else { return .error }
            return .method(expression(items[0]), selector: selector, items.dropFirst(2).map { expression($0) })
        default: return .fetch(items.map { expression($0) })
        }
    }

    /// Creates the node for a CAST with a tag, as `exactDescription` writes it: `CAST(1.5, "$date")` is a constant,
    /// `CAST("a b", "$key")` a key.
    private func tagged(_ operand: ExpressionNode, _ type: String) -> ExpressionNode.Kind? {
        guard type.utf8.first == UInt8(ascii: "$"), let body = operand.constant else { return nil }
        if type == ValueTag.key, case .string(let path) = body, !path.isEmpty {
            return .keyPath(path.keyPathKeys)
        }
        return ValueTag(rawValue: type)?.value(body).map(ExpressionNode.Kind.value)
    }

    /// Reports `FUNCTION("lowercaseString:", name)`: the selector before the object. Returns whether it is one.
    private mutating func reportSwappedSelector(_ items: [Operand]) -> Bool {
        let (first, second) = (items[0], items[1])
        guard case .expression(let node) = first.item, case .value(.string(let name)) = node.kind,
            case .expression(let object) = second.item, !object.kind.isError,
            name.utf8.last == UInt8(ascii: ":"), name.utf8.allSatisfy({ Lexer.isWord($0) || $0 == UInt8(ascii: ":") })
        else { return false }
        if case .value(.string) = object.kind { return false }
        report(
            .selectorLiteral, at: first.span,
            suggestion: "FUNCTION(\(abbreviated(second.span)), \(text(first.span))\(items.count > 2 ? ", …" : ""))",
            fixIts: [.init(first.span, text(second.span)), .init(second.span, text(first.span))])
        return true
    }

    /// The text of an argument that must be a string literal, so that it can be checked at parse time.
    private mutating func literal(_ operand: Operand, in keyword: Keyword) -> String? {
        if case .expression(let node) = operand.item, case .value(.string(let text)) = node.kind,
            !operand.isParenthesized
        {
            return text
        }
        if !operand.item.isError {
            let name = text(operand.span)
            let isWord = name.utf8.allSatisfy { Lexer.isWord($0) || $0 == UInt8(ascii: ":") }
            report(
                keyword == .cast ? .castLiteral : .selectorLiteral, at: operand.span,
                fixIts: isWord ? [.init(operand.span, "\"\(name)\"")] : [])
        }
        return nil
    }
}

extension Keyword {
    /// The syntax of a special form, for messages.
    var form: String {
        switch self {
        case .ternary: "TERNARY(condition, a, b)"
        case .subquery: "SUBQUERY(list, $x, $x.key == …)"
        case .cast: "CAST(value, \"NSNumber\")"
        case .function: "FUNCTION(object, \"selector:\", argument)"
        default: "\(rawValue)(…)"
        }
    }

    /// The minimum and maximum number of arguments of a special form.
    var argumentCounts: (Int, Int) {
        switch self {
        case .ternary, .subquery: (3, 3)
        case .cast: (2, 2)
        case .function: (2, .max)
        default: (1, .max)
        }
    }
}
