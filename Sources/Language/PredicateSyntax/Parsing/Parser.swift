// Parses tokens to a tree (LANGUAGE 3). Parsing never fails and never recurses: it is an operator-precedence parser
// with explicit stacks, so no text can exhaust the thread's stack. A parenthesis may contain a predicate or an
// expression; both use the same operand stack, so nothing is parsed twice.
//
// This folder reads the language only. Where a token does not fit, the parser records a SyntaxError with a copy of its
// state, skips to the next AND, OR, comma or bracket, and goes on. Repairs/ finds out what was meant; it runs only if
// there was an error. This file: stacks, main loop and recovery. Parser+Operands: the start of a value.
// Parser+Operators: the text after a value, and building nodes. Parser+Frames: brackets and special forms.
// Parser+Arguments: %@ and other conversions. Parser+Warnings: valid texts that were probably meant otherwise.

/// The parser's stacks and main loop.
struct PredicateParser {
    /// A value or a condition that was parsed.
    struct Operand {
        var item: PredicateTree
        /// Its span, including parentheses.
        var span: SourceSpan
        var isParenthesized = false

        init(_ item: PredicateTree, span: SourceSpan) {
            self.item = item
            self.span = span
        }
    }

    /// An operator whose right side is not complete yet.
    struct PendingOperator {
        enum Kind {
            case or, and, not
            case quantifier(Keyword)
            case comparison(ComparisonOperator, ComparisonOptions)
            case assignment
            case binary(BinaryOperator)
            case negation
            case dot
        }
        var kind: Kind
        let precedence: Precedence
        let span: SourceSpan
        /// The index of its first operand on the operand stack.
        let firstOperand: Int
    }

    /// An open bracket, or the whole text.
    struct Frame {
        enum Kind: Equatable {
            case root, parenthesis, aggregate, index
            case call
            case special(Keyword)
        }
        var kind: Kind
        /// The bracket itself.
        let opener: SourceSpan
        /// The start of the construct: the word before the bracket, or the bracket itself.
        let word: SourceSpan
        /// The completed items are on the operand stack, from this index to `operandBase`.
        let firstItem: Int
        var operandBase: Int
        let operatorBase: Int

        var itemCount: Int { operandBase - firstItem }

        var takesCommas: Bool {
            switch kind {
            case .aggregate, .call, .special: true
            case .root, .parenthesis, .index: false
            }
        }
    }

    var lexer: Lexer
    let arguments: FormatArguments
    let options: LanguageOptions
    private(set) var limits: PredicateLimits
    var token: Token
    /// The token before the current one.
    var previous: Token
    var operands: [Operand] = []
    var operators: [PendingOperator] = []
    var frames: [Frame] = []
    /// What does not fit the language, in the order in which it was found.
    var errors: [SyntaxError] = []
    var nextArgument = 0
    var nodes = 0
    /// True when further errors would be misleading, because a limit was reached or the quotes are wrong.
    var stopped = false
    var finished = false

    /// - Parameter hasHoles: whether the text contains values that a repair left open; see `Lexer.hole`.
    init(
        _ text: [UInt8], arguments: FormatArguments, options: LanguageOptions, limits: PredicateLimits,
        hasHoles: Bool = false
    ) {
        let fits = text.count <= limits.inputBytes
        lexer = Lexer(fits ? text : [], options: options, hasHoles: hasHoles)
        self.arguments = arguments
        self.options = options
        // No tree may be higher than the standard limit; see ExpressionNode.init.
        var limits = limits
        limits.nesting = min(limits.nesting, PredicateLimits.standard.nesting)
        self.limits = limits
        token = Token(kind: .end, span: .none)
        previous = token
        operands.reserveCapacity(8)
        operators.reserveCapacity(8)
        if !fits { exceed("the text has \(text.count) bytes", "\(limits.inputBytes)", at: .none) }
    }

    var bytes: [UInt8] { lexer.bytes }

    /// All tokens of the text.
    var tokens: [Token] {
        var lexer = lexer
        lexer.position = 0
        return lexer.rest()
    }

    /// Parses the whole text. If parsing stopped at a limit, the tree is an error node.
    mutating func parsed<Tree: ParsedTree>() -> Tree {
        let operand = run()
        let whole =
            stopped ? Operand(.expression(ExpressionNode(.error, span: operand.span)), span: operand.span) : operand
        let tree = Tree.tree(whole, in: &self)
        reportSurplusArguments()
        keepNegations()
        return tree
    }

    private mutating func run() -> Operand {
        frames.append(Frame(kind: .root, opener: .none, word: .none, firstItem: 0, operandBase: 0, operatorBase: 0))
        if !stopped {
            token = lexer.next()
            if token.kind == .end {
                report(.emptyInput, at: token.span)
                stopped = true
            }
        }
        var expectsOperand = true
        while !stopped, !finished {
            expectsOperand = expectsOperand ? readOperand() : readOperator()
        }
        return operands.last ?? Operand(.expression(ExpressionNode(.error)), span: .none)
    }

    // MARK: Tokens

    mutating func advance() {
        previous = token
        token = lexer.next()
    }

    /// The token after the current one.
    func peek() -> Token {
        var ahead = lexer
        return ahead.next()
    }

    func text(_ span: SourceSpan) -> String { String(decoding: bytes[span.range], as: UTF8.self) }

    /// Whether there is no space between the previous and the current token.
    var isGlued: Bool { token.start == previous.end }

    // MARK: Stacks

    mutating func push(_ kind: ExpressionNode.Kind, span: SourceSpan) {
        push(ExpressionNode(kind, span: span), span: span)
    }

    mutating func push(_ node: ExpressionNode, span: SourceSpan) {
        operands.append(Operand(.expression(node), span: span))
        count(height: node.height, at: span)
    }

    mutating func push(_ node: PredicateNode, span: SourceSpan) {
        operands.append(Operand(.predicate(node), span: span))
        count(height: node.height, at: span)
    }

    mutating func pushError(_ span: SourceSpan) { push(.error, span: span) }

    private mutating func count(height: Int32, at span: SourceSpan) {
        nodes += 1
        limits.nesting = min(limits.nesting, ThreadStack.height(PredicateLimits.standard.nesting, for: height))
        if Int(height) > limits.nesting { exceedNesting(at: span) }
        if nodes > limits.nodes { exceed("the predicate has too many parts", "\(limits.nodes)", at: span) }
    }

    mutating func exceedNesting(at span: SourceSpan) {
        exceed("the predicate is nested too deeply", "\(limits.nesting) levels", at: span)
    }

    mutating func exceed(_ what: String, _ limit: String, at span: SourceSpan) {
        guard !stopped else { return }
        report(.limitExceeded, at: span, what, limit)
        stopped = true
    }

    /// The innermost open bracket. There is always one until the root frame is removed at the end.
    var frame: Frame { frames[frames.count - 1] }
    var operandBase: Int { frame.operandBase }
    var operatorBase: Int { frame.operatorBase }

    /// Whether an operator in the innermost bracket needs its right side.
    var hasPending: Bool { operators.count > operatorBase }

    /// The operator in the innermost bracket that needs the next operand, or nil.
    var pending: PendingOperator? { hasPending ? operators[operators.count - 1] : nil }

    /// Whether the next operand follows a dot.
    var followsDot: Bool {
        if hasPending, case .dot = operators[operators.count - 1].kind { true } else { false }
    }

    // MARK: Errors

    /// Records what does not fit at the current token.
    @inline(never)
    mutating func record(_ kind: SyntaxError.Kind) {
        guard errors.count < limits.diagnostics, !stopped else { return stopped = true }
        var state = self
        state.errors = []
        errors.append(SyntaxError(kind: kind, parser: state))
    }

    /// Records what does not fit, and continues after the condition.
    mutating func fail(_ kind: SyntaxError.Kind) -> Bool {
        record(kind)
        return recover()
    }

    /// Records an error that needs no repair, such as a number that is too large.
    @inline(never)
    mutating func report(
        _ id: DiagnosticID, at span: SourceSpan, _ first: String = "", _ second: String = "", _ third: String = "",
        severity: PredicateDiagnostic.Severity? = nil, suggestion: String? = nil,
        fixIts: [PredicateDiagnostic.FixIt] = []
    ) {
        record(
            .reported(
                PredicateDiagnostic(
                    id, at: span, first, second, third, severity: severity, suggestion: suggestion, fixIts: fixIts)))
    }

    /// Drops the current condition and continues after it: at AND, OR, a comma or a closing bracket.
    /// - Returns: whether an operand comes next; always false.
    mutating func recover() -> Bool {
        var keep = operators.count
        while keep > operatorBase, operators[keep - 1].precedence > .and { keep -= 1 }
        let first = keep > operatorBase ? operators[keep - 1].firstOperand + 1 : operandBase
        let start = first < operands.count ? operands[first].span.start : token.start
        operators.removeSubrange(keep...)
        operands.removeSubrange(min(first, operands.count)...)
        var depth = 0
        skipping: while true {
            switch token.kind {
            case .end: break skipping
            case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
            case .rightParenthesis, .rightBracket, .rightBrace:
                if depth == 0, frames.count > 1 { break skipping }
                depth = max(0, depth - 1)
            case .and, .or:
                if depth == 0 { break skipping }
            case .comma:
                if depth == 0, frame.takesCommas { break skipping }
            default: break
            }
            advance()
        }
        pushError(SourceSpan(start, max(start, previous.end)))
        return false
    }
}
