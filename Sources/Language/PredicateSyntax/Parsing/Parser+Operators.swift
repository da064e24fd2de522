// Parses the text after a value: an infix operator, a bracket, a comma or the end. Also builds nodes from pending
// operators.

extension PredicateParser {
    /// Reads the text after an operand.
    /// - Returns: whether an operand comes next.
    mutating func readOperator() -> Bool {
        switch token.kind {
        case .comparison(let comparison): return readComparison(comparison, token.span)
        case .selector: return readComparison(.custom(text(token.span)), token.span)
        case .binary(let binary):
            if binary == .subtract { warnOfDashes() }
            reduce(to: .of(binary))
            return pushInfix(.binary(binary), .of(binary))
        case .and where !isInList:
            reduce(above: .and)
            return pushInfix(.and, .and)
        case .or where !isInList:
            reduce(above: .or)
            return pushInfix(.or, .or)
        case .dot: return pushInfix(.dot, .dot)
        case .leftBracket:
            warnOfMisplacedOptions()
            return open(.index, word: token.span)
        case .comma: return readComma()
        case .rightParenthesis, .rightBracket, .rightBrace: return readClosing()
        case .end: return readEnd()
        case .error(.comment):
            record(.operator)
            advance()
            return false
        case .error(.unterminatedString), .error(.xmlEntity):
            record(.operator)
            stopped = true
            return false
        default: return fail(.operator)
        }
    }

    /// Whether the last operand is an element of a list.
    private var isInList: Bool { frame.kind == .aggregate && !hasPending }

    mutating func pushInfix(
        _ kind: PendingOperator.Kind, _ precedence: Precedence, at span: SourceSpan? = nil
    ) -> Bool {
        operators.append(
            PendingOperator(
                kind: kind, precedence: precedence, span: span ?? token.span, firstOperand: operands.count - 1))
        advance()
        return true
    }

    // MARK: Comparisons

    private mutating func readComparison(_ comparison: ComparisonOperator, _ span: SourceSpan) -> Bool {
        // Before reducing, so that the recorded state has the operators of the right side.
        if isComparisonComplete { return fail(.operator) }
        reduce(above: .comparison)
        _ = pushInfix(.comparison(comparison, []), .comparison, at: span)
        if token.kind == .leftBracket { readOptions() }
        return true
    }

    /// Whether the last operand completes a comparison.
    var isComparisonComplete: Bool {
        var index = operators.count
        while index > operatorBase, operators[index - 1].precedence > .comparison { index -= 1 }
        guard index > operatorBase, case .comparison = operators[index - 1].kind else { return false }
        return true
    }

    /// Reads the options of an operator, such as `[cd]`. Brackets with other content are not options.
    private mutating func readOptions() {
        var ahead = lexer
        let word = ahead.next()
        let closing = ahead.next()
        guard closing.kind == .rightBracket, word.kind == .identifier, word.span.count <= 4 else { return }
        var options: ComparisonOptions = []
        for letter in text(word.span) {
            if let known = ComparisonOptions.letters.first(where: { $0.letter == Character(letter.lowercased()) }) {
                options.insert(known.option)
            } else {
                record(.option(String(letter), SourceSpan(token.start, closing.end)))
            }
        }
        if case .comparison(.between, _) = pending?.kind {
            let whole = SourceSpan(token.start, closing.end)
            report(.optionMisplaced, at: whole, "BETWEEN", fixIts: [.init(whole, "")])
            options = []
        }
        advance()
        advance()
        advance()
        setOptions(options)
    }

    /// Sets the options of the comparison that needs its right side next.
    private mutating func setOptions(_ options: ComparisonOptions) {
        guard case .comparison(let comparison, _)? = operators.last?.kind else { return }
        operators[operators.count - 1].kind = .comparison(comparison, options)
    }

    // MARK: Reducing

    /// Builds nodes from all pending operators that bind tighter than `precedence`.
    mutating func reduce(above precedence: Precedence) {
        while hasPending, operators[operators.count - 1].precedence > precedence, !stopped { reduceOne() }
    }

    /// Builds nodes from all pending operators that bind at least as tightly as `precedence`.
    mutating func reduce(to precedence: Precedence) {
        while hasPending, operators[operators.count - 1].precedence >= precedence, !stopped { reduceOne() }
    }

    /// Builds nodes from all pending operators of the innermost bracket.
    mutating func reduceAll() {
        while hasPending, !stopped { reduceOne() }
    }

    private mutating func reduceOne() {
        guard let pending = operators.popLast(), let right = operands.popLast() else { return }
        switch pending.kind {
        case .and, .or: reduceChain(pending, right)
        case .not:
            let span = pending.span.joined(right.span)
            push(PredicateNode(.not(predicate(right)), span: span), span: span)
        case .quantifier(let keyword): reduceQuantifier(keyword, pending.span, right)
        case .negation:
            let span = pending.span.joined(right.span)
            push(.negation(expression(right)), span: span)
        case .assignment:
            guard let left = operands.popLast(), case .expression(let node) = left.item,
                case .variable(let name) = node.kind
            else { return }
            push(.assignment(variable: name, expression(right)), span: left.span.joined(right.span))
        case .comparison(let comparison, let options):
            guard let left = operands.popLast() else { return }
            let span = left.span.joined(right.span)
            let node = ComparisonNode(
                expression(left), comparison, expression(right), options: options,
                operatorSpan: pending.span)
            push(PredicateNode(node, span: span), span: span)
        case .binary(let binary):
            guard let left = operands.popLast() else { return }
            reduceBinary(binary, left, right)
        case .dot: reduceDots(pending, right)
        }
    }

    /// Builds one node from a chain of equal operators, such as AND.
    private mutating func reduceChain(_ last: PendingOperator, _ right: Operand) {
        var first = last.firstOperand
        while let before = pending, before.precedence == last.precedence {
            operators.removeLast()
            first = before.firstOperand
        }
        // Recovery from a mistake may have dropped operands.
        first = min(first, operands.count)
        operands.append(right)
        var children: [PredicateNode] = []
        children.reserveCapacity(operands.count - first)
        var valid: PredicateNode?
        var searched = 0
        for index in first..<operands.count {
            if case .predicate(let node) = operands[index].item {
                children.append(node)
            } else {
                // Searches each child once, so that a chain of errors takes linear time.
                valid = children[searched...].last { !$0.kind.isError } ?? valid
                searched = children.count
                children.append(predicate(operands[index], after: valid))
            }
        }
        let span = operands[first].span.joined(right.span)
        operands.removeSubrange(first...)
        push(PredicateNode(last.precedence == .and ? .and(children) : .or(children), span: span), span: span)
    }

    private mutating func reduceQuantifier(_ keyword: Keyword, _ span: SourceSpan, _ right: Operand) {
        let whole = span.joined(right.span)
        guard case .predicate(let node) = right.item, !right.isParenthesized,
            case .comparison(var comparison) = node.kind
        else {
            if !right.item.isError { record(.quantified(keyword, right)) }
            push(PredicateNode(.error, span: whole), span: whole)
            return
        }
        comparison.modifier = keyword == .all ? .all : .any
        let quantified = PredicateNode(comparison, span: whole)
        push(keyword == .none ? PredicateNode(.not(quantified), span: whole) : quantified, span: whole)
    }

    private mutating func reduceBinary(_ binary: BinaryOperator, _ left: Operand, _ right: Operand) {
        let whole = left.span.joined(right.span)
        push(.binary(binary, expression(left), expression(right)), span: whole)
    }

    /// Builds a path from a chain of dots, in one step for any length. Consecutive keys form one path; a path after any
    /// other expression is one step.
    private mutating func reduceDots(_ last: PendingOperator, _ right: Operand) {
        var first = last.firstOperand
        while let before = pending, case .dot = before.kind {
            operators.removeLast()
            first = before.firstOperand
        }
        first = min(first, operands.count)
        let chain = Array(operands[first...])
        operands.removeSubrange(first...)
        guard let start = chain.first else { return }
        var base: ExpressionNode?
        var keys: [String] = []
        var keysSpan = SourceSpan.none
        func joined() -> ExpressionNode? {
            if keys.isEmpty { return base }
            let path = ExpressionNode(.keyPath(keys), span: keysSpan)
            guard let base else { return path }
            return ExpressionNode(.member(base, step: path), span: base.span.joined(keysSpan))
        }
        for (position, operand) in (chain + [right]).enumerated() {
            let node = expression(operand)
            if case .keyPath(let components) = node.kind, position > 0 || !start.isParenthesized {
                keys += components
                keysSpan = keysSpan.joined(node.span)
                continue
            }
            let before = joined()
            keys = []
            keysSpan = .none
            base = before.map { ExpressionNode(.member($0, step: node), span: $0.span.joined(node.span)) } ?? node
            if let base, Int(base.height) > limits.nesting { return exceedNesting(at: base.span) }
        }
        let span = start.span.joined(right.span)
        push(ExpressionNode(joined()?.kind ?? .error, span: span), span: span)
    }

    // MARK: Conditions and values

    /// Converts the operand to a condition. Records a value.
    mutating func predicate(_ operand: Operand, after before: PredicateNode? = nil) -> PredicateNode {
        switch operand.item {
        case .predicate(let node): return node
        case .expression(let node):
            if !node.kind.isError { record(.condition(operand, before)) }
            return PredicateNode(.error, span: operand.span)
        }
    }

    /// Converts the operand to a value. Records a condition.
    @inline(__always)
    mutating func expression(_ operand: Operand) -> ExpressionNode {
        switch operand.item {
        case .expression(let node): return node
        case .predicate(let node):
            if !node.kind.isError { record(.value(operand)) }
            return ExpressionNode(.error, span: operand.span)
        }
    }
}
