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
            if binary == .subtract {
                if let dashed = readDashedOperator() { return dashed }
                warnOfDashes()
            }
            reduce(to: .of(binary))
            return pushInfix(.binary(binary), .of(binary))
        case .and where isInList, .or where isInList: return readConjunctionInList()
        case .and:
            if let mistake = readSQLBetween() { return mistake }
            reduce(above: .and)
            return pushInfix(.and, .and)
        case .or:
            reduce(above: .or)
            return pushInfix(.or, .or)
        case .dot: return pushInfix(.dot, .dot)
        case .leftBracket:
            warnOfMisplacedOptions()
            return open(.index, word: token.span)
        case .comma: return readComma()
        case .rightParenthesis, .rightBracket, .rightBrace: return readClosing()
        case .end: return readEnd()
        default: return readMistake()
        }
    }

    /// Whether the last operand is an element of a list.
    private var isInList: Bool { frame.kind == .aggregate && !hasPending }

    /// Reads `{'a' OR 'b'}`.
    private mutating func readConjunctionInList() -> Bool {
        report(
            .unexpectedText, at: token.span, "'\(text(token.span))'", suggestion: ",", fixIts: [.init(token.span, ",")])
        token = Token(kind: .comma, span: token.span)
        return readComma()
    }

    mutating func pushInfix(_ kind: PendingOperator.Kind, _ precedence: Precedence) -> Bool {
        operators.append(
            PendingOperator(
                kind: kind, precedence: precedence, span: token.span, firstOperand: operands.count - 1))
        advance()
        return true
    }

    // MARK: Comparisons

    /// Reports `a < b < c`, which means `a < b AND b < c` in other languages.
    private mutating func reportChain(_ span: SourceSpan) {
        guard let middle = operands.last?.span, middle.end <= span.start, middle.count <= 40 else {
            return report(.chainedComparison, at: span, "use AND, or BETWEEN { , }")
        }
        report(
            .chainedComparison, at: span, "write AND \(text(middle)) \(text(span)) …",
            fixIts: [
                .init(
                    SourceSpan(span.start, span.start), (middle.end == span.start ? " " : "") + "AND \(text(middle)) ")
            ])
    }

    mutating func readComparison(_ comparison: ComparisonOperator, _ span: SourceSpan) -> Bool {
        if closeIndex() { return readOperator() }
        if reduceLogicalOperator() { return readComparison(comparison, span) }
        reduce(above: .comparison)
        if hasPending, case .comparison = operators[operators.count - 1].kind {
            if let arrow = readArrow() { return arrow }
            reportChain(span)
            return recover()
        }
        operators.append(
            PendingOperator(
                kind: .comparison(comparison, []), precedence: .comparison, span: span,
                firstOperand: operands.count - 1))
        advance()
        switch token.kind {
        case .leftBracket: return readOptions(comparison)
        case .leftParenthesis, .leftBrace:
            readOptionsInWrongBrackets()
            return true
        case .identifier, .dot, .binary(.subtract), .binary(.divide), .error(.unexpectedCharacter):
            return readOptionsBehindSign() ?? true
        default: return true
        }
    }

    /// Reads the options of an operator, such as `[cd]`. Brackets with other content are a list in the wrong
    /// brackets.
    private mutating func readOptions(_ comparison: ComparisonOperator) -> Bool {
        var ahead = lexer
        let word = ahead.next()
        let closing = ahead.next()
        guard closing.kind == .rightBracket, word.kind == .identifier, word.span.count <= 4 else {
            return readUnclosedOptions() || readUnknownOptions()
        }
        let whole = SourceSpan(token.start, closing.end)
        var options: ComparisonOptions = []
        for letter in text(word.span) {
            guard let known = ComparisonOptions.letters.first(where: { $0.letter == Character(letter.lowercased()) })
            else {
                // `i` ignores case in other languages.
                let others = text(word.span).filter { $0 != letter && $0.lowercased() != "c" }
                let meant = letter.lowercased() == "i" ? "[c\(others)]" : nil
                report(
                    .unknownOption, at: word.span, String(letter), suggestion: meant,
                    fixIts: meant.map { [.init(whole, $0)] } ?? [])
                continue
            }
            options.insert(known.option)
        }
        if comparison == .between {
            report(.optionMisplaced, at: whole, "BETWEEN", fixIts: [.init(whole, "")])
            options = []
        }
        advance()
        advance()
        advance()
        setOptions(options)
        readMoreOptions(whole, options)
        return true
    }

    /// Sets the options of the comparison that needs its right side next.
    mutating func setOptions(_ options: ComparisonOptions) {
        guard let pending = operators.popLast() else { return }
        guard case .comparison(let comparison, _) = pending.kind else { return operators.append(pending) }
        operators.append(
            PendingOperator(
                kind: .comparison(comparison, options), precedence: .comparison, span: pending.span,
                firstOperand: pending.firstOperand))
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
                expression(left), comparison, expression(right), options: options, operatorSpan: pending.span)
            push(PredicateNode(node, span: span), span: span)
        case .binary(let binary):
            guard let left = operands.popLast() else { return }
            reduceBinary(binary, pending.span, left, right)
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
        for index in first..<operands.count {
            if case .predicate(let node) = operands[index].item {
                children.append(node)
            } else {
                children.append(repeated(operands[index], after: children.last) ?? predicate(operands[index]))
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
            reportQuantified(keyword, right)
            push(PredicateNode(.error, span: whole), span: whole)
            return
        }
        comparison.modifier = keyword == .all ? .all : .any
        let quantified = PredicateNode(comparison, span: whole)
        push(keyword == .none ? PredicateNode(.not(quantified), span: whole) : quantified, span: whole)
    }

    private mutating func reduceBinary(
        _ binary: BinaryOperator, _ span: SourceSpan, _ left: Operand, _ right: Operand
    ) {
        let whole = left.span.joined(right.span)
        if case .predicate = left.item, let logical = binary.logicalSpelling {
            report(.logicalOperator, at: span, binary.spelling, logical, fixIts: [.init(span, logical)])
            let children = [predicate(left), predicate(right)]
            push(PredicateNode(binary == .bitwiseAnd ? .and(children) : .or(children), span: whole), span: whole)
            return
        }
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

    /// Reads `a == 1 & b == 2`: a bitwise operator between comparisons was meant as a logical one.
    /// - Returns: whether this was the case and the operator has been replaced.
    private mutating func reduceLogicalOperator() -> Bool {
        reduce(above: .bitwiseAnd)
        guard operators.count >= operatorBase + 2 else { return false }
        let binary = operators[operators.count - 1]
        guard case .binary(let kind) = binary.kind, let logical = kind.logicalSpelling,
            case .comparison = operators[operators.count - 2].kind, let right = operands.popLast()
        else { return false }
        report(.logicalOperator, at: binary.span, kind.spelling, logical, fixIts: [.init(binary.span, logical)])
        operators.removeLast()
        let precedence: Precedence = kind == .bitwiseAnd ? .and : .or
        reduce(above: precedence)
        operators.append(
            PendingOperator(
                kind: kind == .bitwiseAnd ? .and : .or, precedence: precedence, span: binary.span,
                firstOperand: operands.count - 1))
        operands.append(right)
        return true
    }

    // MARK: Conditions and values

    /// Converts the operand to a condition. Reports a value.
    mutating func predicate(_ operand: Operand) -> PredicateNode {
        switch operand.item {
        case .predicate(let node): return node
        case .expression(let node):
            if !node.kind.isError { reportValueAsPredicate(node, operand.span) }
            return PredicateNode(.error, span: operand.span)
        }
    }

    /// Converts the operand to a value. Reports a condition.
    mutating func expression(_ operand: Operand) -> ExpressionNode {
        switch operand.item {
        case .expression(let node): return node
        case .predicate(let node):
            if !node.kind.isError {
                report(.predicateAsValue, at: operand.span, "'\(abbreviated(operand.span))'")
            }
            return ExpressionNode(.error, span: operand.span)
        }
    }

    /// The text of a span for messages, shortened if it is long.
    func abbreviated(_ span: SourceSpan) -> String {
        let text = text(span).split(whereSeparator: \.isNewline).joined(separator: " ")
        return text.count <= 40 ? text : text.prefix(37) + "…"
    }
}

extension BinaryOperator {
    /// The logical operator that was meant by a bitwise operator between conditions.
    var logicalSpelling: String? {
        switch self {
        case .bitwiseAnd: "&&"
        case .bitwiseOr: "||"
        default: nil
        }
    }
}
