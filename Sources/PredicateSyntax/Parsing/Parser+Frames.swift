// Brackets: parentheses, lists, indices, calls and the special forms. A frame is opened by its bracket, collects what stands
// between the commas, and becomes one node when it is closed.

extension PredicateParser {
    /// Opens a bracket. The current token is the bracket.
    /// - Returns: that an operand comes next.
    mutating func open(_ kind: Frame.Kind, start: Int) -> Bool {
        guard frames.count <= limits.nesting else {
            exceedNesting(at: token.span)
            return false
        }
        frames.append(
            Frame(
                kind: kind, opener: token.span, start: start, operandBase: operands.count,
                operatorBase: operators.count))
        advance()
        return true
    }

    private func closing(_ kind: Frame.Kind) -> TokenKind {
        switch kind {
        case .root: .end
        case .aggregate: .rightBrace
        case .index: .rightBracket
        case .wrongList(let closing): closing
        case .parenthesis, .call, .special: .rightParenthesis
        }
    }

    /// Takes what was read since the bracket or the last comma.
    private mutating func finishItem() {
        reduceAll()
        guard operands.count > operandBase, let operand = operands.popLast() else { return }
        // In place: through `frame` every item would copy the ones before.
        frames[frames.count - 1].items.append(operand)
    }

    mutating func readComma() -> Bool {
        switch frame.kind {
        case .aggregate, .wrongList, .call, .special:
            finishItem()
            advance()
            return true
        case .parenthesis where !hasPending && operands.count == operandBase + 1:
            reportWrongList(frame.opener)
            frames[frames.count - 1].kind = .wrongList(closing: .rightParenthesis)
            return readComma()
        case .root:
            return reportBareList()
        case .parenthesis, .index:
            report(.unexpectedText, at: token.span, "','")
            advance()
            return recover()
        }
    }

    // MARK: Closing

    /// A closing bracket behind an operand.
    /// - Returns: whether an operand comes next: never.
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
        report(.unexpectedClosing, at: token.span, text(token.span))
        advance()
        return false
    }

    /// A closing bracket where a value was to come: fine for `{}` and `now()`, an error elsewhere.
    mutating func readClosingInsteadOfOperand() -> Bool {
        guard !hasPending, closing(frame.kind) == token.kind else { return reportExpectedExpression() }
        switch frame.kind {
        case .aggregate where frame.items.isEmpty, .call where frame.items.isEmpty, .special where frame.items.isEmpty:
            return readClosing()
        case .aggregate, .wrongList:
            report(.trailingComma, at: previous.span, fixIts: [.init(previous.span, "")])
            return readClosing()
        case .parenthesis:
            report(.emptyParentheses, at: frame.opener.joined(token.span))
            pushError(frame.opener.joined(token.span))
            return readClosing()
        default: return reportExpectedExpression()
        }
    }

    /// The end of the text: everything that is still open is reported, and closed.
    mutating func readEnd() -> Bool {
        var reported = 0
        while frames.count > 1, !stopped {
            if reported < 3, !hasErrorInside(frame) {
                report(.unclosedBracket, at: frame.opener, text(frame.opener))
                reported += 1
            }
            close(at: token.start)
        }
        reduceAll()
        finished = true
        return false
    }

    /// Whether something within the bracket was reported already, which may well be why it is not closed.
    private func hasErrorInside(_ frame: Frame) -> Bool {
        diagnostics.contains {
            $0.severity == .error && $0.span.start > frame.opener.start && $0.id != .unclosedBracket
        }
    }

    private mutating func close(at end: Int) {
        finishItem()
        let closed = frames.removeLast()
        if stopped { return }
        let span = SourceSpan(closed.start, end)
        switch closed.kind {
        case .root: break
        case .parenthesis:
            guard var inner = closed.items.first else { return pushError(span) }
            inner.span = span
            inner.isParenthesized = true
            operands.append(inner)
        case .aggregate, .wrongList: push(.aggregate(expressions(closed.items)), span: span)
        case .index:
            guard let base = operands.popLast() else { return pushError(span) }
            let whole = base.span.joined(span)
            guard let index = closed.items.first else { return pushError(whole) }
            push(.index(expression(base), expression(index)), span: whole)
        case .call(let name): push(call(name, expressions(closed.items), span), span: span)
        case .special(let keyword): push(special(keyword, closed.items, span), span: span)
        }
    }

    private mutating func expressions(_ items: [Operand]) -> [ExpressionNode] {
        var nodes: [ExpressionNode] = []
        nodes.reserveCapacity(items.count)
        for item in items { nodes.append(expression(item)) }
        return nodes
    }

    // MARK: Calls

    /// A call by its whole selector; one that names an operator, an index or a cast is that (LANGUAGE 0). Behind a dot it
    /// stays a call: an operator there could not be printed.
    private func call(_ name: String, _ arguments: [ExpressionNode], _ span: SourceSpan) -> ExpressionNode.Kind {
        let selector = arguments.isEmpty || name.utf8.last == UInt8(ascii: ":") ? name : name + ":"
        if arguments.count == 2, !followsDot {
            if let binary = BinaryOperator.allCases.first(where: { $0.selector == selector }) {
                return .binary(binary, arguments[0], arguments[1])
            }
            if selector == "objectFrom:withIndex:" { return .index(arguments[0], arguments[1]) }
            if selector == "castObject:toType:", case .value(.string(let type)) = arguments[1].kind {
                return .cast(arguments[0], type: type)
            }
        }
        return .call(selector, arguments)
    }

    private mutating func special(_ keyword: Keyword, _ items: [Operand], _ span: SourceSpan) -> ExpressionNode.Kind {
        let (least, most) = keyword.argumentCounts
        guard items.count >= least, items.count <= most else {
            if !items.contains(where: isError) {
                let wanted = least == most ? "\(least) arguments" : "at least \(least) arguments"
                report(.functionArguments, at: span, keyword.rawValue, wanted, "\(items.count)")
            }
            return .error
        }
        switch keyword {
        case .ternary:
            return .ternary(predicate(items[0]), expression(items[1]), expression(items[2]))
        case .subquery:
            let collection = expression(items[0])
            guard case .variable(let name) = expression(items[1]).kind, !items[1].isParenthesized else {
                if !isError(items[1]) { report(.missingVariable, at: items[1].span, "SUBQUERY") }
                return .error
            }
            return .subquery(collection, variable: name, predicate(items[2]))
        case .cast:
            guard let type = literal(items[1], in: keyword) else { return .error }
            return .cast(expression(items[0]), type: type)
        case .function:
            guard let selector = literal(items[1], in: keyword) else { return .error }
            return .method(expression(items[0]), selector: selector, expressions(Array(items.dropFirst(2))))
        default: return .fetch(expressions(items))
        }
    }

    /// The text of an argument that must be a literal, so that it can be checked before anything runs.
    private mutating func literal(_ operand: Operand, in keyword: Keyword) -> String? {
        if case .expression(let node) = operand.item, case .value(.string(let text)) = node.kind,
            !operand.isParenthesized
        {
            return text
        }
        if !isError(operand) {
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
    /// The fewest and the most arguments of a special form.
    var argumentCounts: (Int, Int) {
        switch self {
        case .ternary, .subquery: (3, 3)
        case .cast: (2, 2)
        case .function: (2, .max)
        default: (1, .max)
        }
    }
}
