// Tokens to a tree (LANGUAGE 3). Reading never fails and never recurses: an operator-precedence parser with stacks of its
// own, so that no text can exhaust the thread's stack. A parenthesis may hold a predicate or an expression; both share one
// operand stack, so nothing is read twice.
//
// This file: the entries, the stacks, the loop. Parser+Operands: what may begin a value. Parser+Operators: what may follow
// one, and how operators become nodes. Parser+Frames: brackets and special forms. Parser+Arguments: %@ and its relatives.
// Parser+Mistakes, +MistakenOperators, +MistakenCharacters: what people write instead, and what it probably means.

/// What reading a text yields: always a tree (with error nodes where it could not be read), and every diagnostic in the
/// order of the text.
public struct Parsed<Tree: Sendable>: Sendable {
    public var tree: Tree
    public var diagnostics: [Diagnostic]
    public var source: String

    public init(tree: Tree, diagnostics: [Diagnostic], source: String) {
        self.tree = tree
        self.diagnostics = diagnostics
        self.source = source
    }

    /// Whether the tree cannot be used. Warnings are no errors.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Reads the text of predicates and expressions.
///
/// It knows no types and no function names; `FormatPredicate` adds those checks.
/// Cost: linear in the text, about 20 ns a byte; it never throws and never traps.
public enum Parser {
    /// A predicate: `age > 21 AND name BEGINSWITH "A"`.
    public static func predicate(
        _ text: String, arguments: FormatArguments = .unbound, options: LanguageOptions = [],
        limits: Limits = .standard
    ) -> Parsed<PredicateNode> {
        var parser = PredicateParser(text, arguments: arguments, options: options, limits: limits)
        let operand = parser.run()
        let tree = parser.stopped ? PredicateNode(.error, span: operand.span) : parser.predicate(operand)
        parser.reportSurplusArguments()
        return Parsed(tree: tree, diagnostics: parser.finishedDiagnostics(), source: text)
    }

    /// An expression: `price * 1.2`. A comparison is none.
    public static func expression(
        _ text: String, arguments: FormatArguments = .unbound, options: LanguageOptions = [],
        limits: Limits = .standard
    ) -> Parsed<ExpressionNode> {
        var parser = PredicateParser(text, arguments: arguments, options: options, limits: limits)
        let operand = parser.run()
        let tree = parser.stopped ? ExpressionNode(.error, span: operand.span) : parser.expression(operand)
        parser.reportSurplusArguments()
        return Parsed(tree: tree, diagnostics: parser.finishedDiagnostics(), source: text)
    }
}

/// The stacks and the loop.
struct PredicateParser {
    /// A value or a condition that has been read.
    struct Operand {
        enum Item {
            case predicate(PredicateNode)
            case expression(ExpressionNode)
        }
        var item: Item
        /// Parentheses included.
        var span: SourceSpan
        var isParenthesized = false

        init(_ item: Item, span: SourceSpan) {
            self.item = item
            self.span = span
        }
    }

    /// An operator whose right side is still being read.
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
        let kind: Kind
        let precedence: Precedence
        let span: SourceSpan
        /// Where its first operand stands on the operand stack.
        let firstOperand: Int
    }

    /// A bracket that is open, or the whole text.
    struct Frame {
        enum Kind: Equatable {
            case root, parenthesis, aggregate, index
            /// `[1, 2]` or `(1, 2)` where `{1, 2}` was meant; reported already
            case wrongBrackets, wrongParentheses
            case call
            case special(Keyword)
        }
        var kind: Kind
        /// The bracket itself.
        let opener: SourceSpan
        /// The word before the bracket, or the bracket itself: where the construct begins.
        let word: SourceSpan
        /// What stands before the commas so far waits on the operand stack, from here to `operandBase`.
        let firstItem: Int
        var operandBase: Int
        let operatorBase: Int

        init(kind: Kind, opener: SourceSpan, word: SourceSpan, operands: Int, operators: Int) {
            self.kind = kind
            self.opener = opener
            self.word = word
            firstItem = operands
            operandBase = operands
            operatorBase = operators
        }

        var itemCount: Int { operandBase - firstItem }

        var takesCommas: Bool {
            switch kind {
            case .aggregate, .wrongBrackets, .wrongParentheses, .call, .special: true
            case .root, .parenthesis, .index: false
            }
        }
    }

    var lexer: Lexer
    let arguments: FormatArguments
    let options: LanguageOptions
    let limits: Limits
    var token: Token
    /// The token before `token`.
    var previous: Token
    var operands: [Operand] = []
    var operators: [PendingOperator] = []
    var frames: [Frame] = []
    var diagnostics: [Diagnostic] = []
    var nextArgument = 0
    var nodes = 0
    /// Set where reading on would only make up errors: a limit was met, or the quotes are out of step.
    var stopped = false
    var finished = false

    init(_ text: String, arguments: FormatArguments, options: LanguageOptions, limits: Limits) {
        let fits = text.utf8.count <= limits.inputBytes
        lexer = Lexer(fits ? text : "", options: options)
        self.arguments = arguments
        self.options = options
        // No tree is higher than the standard allows, see ExpressionNode.init.
        var limits = limits
        limits.nesting = min(limits.nesting, Limits.standard.nesting)
        self.limits = limits
        token = Token(kind: .end, span: .none)
        previous = token
        operands.reserveCapacity(8)
        operators.reserveCapacity(8)
        if !fits { exceed("the text has \(text.utf8.count) bytes", "\(limits.inputBytes)", at: .none) }
    }

    var bytes: [UInt8] { lexer.bytes }

    mutating func run() -> Operand {
        frames.append(
            Frame(kind: .root, opener: .none, word: .none, operands: 0, operators: 0))
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

    /// Whether the current token follows the one before without a space.
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

    /// The innermost open bracket. There is always one: the root frame goes when all is read.
    var frame: Frame { frames[frames.count - 1] }
    var operandBase: Int { frame.operandBase }
    var operatorBase: Int { frame.operatorBase }

    /// Whether an operator of the innermost bracket waits for its right side.
    var hasPending: Bool { operators.count > operatorBase }

    /// The operator that waits for the operand that comes next, within the innermost bracket.
    var pending: PendingOperator? {
        hasPending ? operators[operators.count - 1] : nil
    }

    /// Whether an operand is the next thing after a dot.
    var followsDot: Bool {
        guard hasPending, case .dot = operators[operators.count - 1].kind else { return false }
        return true
    }

    // MARK: Diagnostics

    mutating func report(
        _ id: DiagnosticID, at span: SourceSpan, _ first: String = "", _ second: String = "", _ third: String = "",
        suggestion: String? = nil, fixIts: [Diagnostic.FixIt] = []
    ) {
        diagnostics.append(
            Diagnostic(id, at: span, first, second, third, suggestion: suggestion, fixIts: fixIts))
        if diagnostics.count >= limits.diagnostics { stopped = true }
    }

    /// In the order of the text, each place once.
    func finishedDiagnostics() -> [Diagnostic] {
        guard diagnostics.count > 1 else { return diagnostics }
        return diagnostics.enumerated().sorted {
            ($0.element.span.start, $0.offset) < ($1.element.span.start, $1.offset)
        }.map(\.element)
    }

    /// Gives up on the condition that is being read, and goes on behind it: at AND, OR, a comma or a closing bracket.
    /// - Returns: that an operator comes next.
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
