// What the recognizers of MistakeTable.swift can ask about an error. They stand in the extensions of this type.

/// An error with its surroundings: the state of the parser, the tokens of the text, and the earlier diagnostics.
///
/// The functions that read tokens are few and not inlined, because the recognizers call them often and need no speed:
/// inlining them takes a third of the compile time of this module.
struct ErrorContext {
    /// A replacement for a value that is unknown.
    static let hole = " \(UnicodeScalar(Lexer.hole)) "

    let parser: PredicateParser
    /// All tokens of the text, which may be corrected already.
    let tokens: [Token]
    /// The index of the current token.
    let index: Int
    /// The earlier diagnostics in the order in which they were found, with spans of the original text.
    let found: [PredicateDiagnostic]
    /// Leads back to the original text.
    let map: SpanMap
    /// See `RepairPass.isPart`.
    let isPart: Bool

    init(_ parser: PredicateParser, _ tokens: [Token], _ found: [PredicateDiagnostic], _ map: SpanMap, isPart: Bool) {
        self.parser = parser
        self.tokens = tokens
        self.found = found
        self.map = map
        self.isPart = isPart
        index = Self.index(of: parser.token.start, in: tokens)
    }

    // MARK: State of the parser

    var bytes: [UInt8] { parser.bytes }
    var options: LanguageOptions { parser.options }
    var token: Token { parser.token }
    var previous: Token { parser.previous }
    var isGlued: Bool { parser.isGlued }
    var operands: [PredicateParser.Operand] { parser.operands }
    var operators: [PredicateParser.PendingOperator] { parser.operators }
    var frames: [PredicateParser.Frame] { parser.frames }
    var frame: PredicateParser.Frame { parser.frame }
    var operandBase: Int { parser.operandBase }
    var operatorBase: Int { parser.operatorBase }
    var pending: PredicateParser.PendingOperator? { parser.pending }
    var hasPending: Bool { parser.hasPending }
    var allowsCondition: Bool { parser.allowsCondition }
    var isComparisonComplete: Bool { parser.isComparisonComplete }

    // MARK: Text

    @inline(never)
    func text(_ span: SourceSpan) -> String { parser.text(span) }

    /// The text in capitals.
    @inline(never)
    func upper(_ token: Token) -> String { text(token.span).uppercased() }

    /// Whether a token is this word or sign. Letters of the text may be small.
    @inline(never)
    func spells(_ token: Token, _ capitals: String) -> Bool {
        token.span.count == capitals.utf8.count
            && zip(bytes[token.span.range], capitals.utf8).allSatisfy {
                $0 == $1 || $0.beginsWord && $0 & 0xDF == $1
            }
    }

    /// The original text, before all corrections.
    @inline(never)
    func written(_ span: SourceSpan) -> String {
        String(decoding: map.source[map.original(span).range], as: UTF8.self)
    }

    /// The original text for messages, shortened if it is long.
    @inline(never)
    func abbreviated(_ span: SourceSpan) -> String {
        let text = written(span).split { $0.isNewline }.joined(separator: " ")
        return text.count <= 40 ? text : text.prefix(37) + "…"
    }

    /// The current token for messages: `the end`, `"text"`, `'word'`.
    @inline(never)
    var foundText: String {
        switch token.kind {
        case .end: "the end"
        case .string: abbreviated(token.span)
        default: "'\(abbreviated(token.span))'"
        }
    }

    /// The character at an offset; a space after the end.
    @inline(never)
    func byte(_ index: Int) -> Character {
        guard index >= 0, index < bytes.count else { return " " }
        guard bytes[index] >= 0x80 else { return Character(Unicode.Scalar(bytes[index])) }
        return String(decoding: bytes[index...].prefix(4), as: UTF8.self).first ?? " "
    }

    @inline(never)
    func wordEnd(_ start: Int) -> Int { end(start, while: { $0.isOfWord }) }
    @inline(never)
    func digitsEnd(_ start: Int) -> Int { end(start, while: { $0.isDigit }) }
    @inline(never)
    func numberEnd(_ start: Int) -> Int {
        let whole = digitsEnd(start)
        guard byte(whole) == ".", digitsEnd(whole + 1) > whole + 1 else { return whole }
        return digitsEnd(whole + 1)
    }

    private func end(_ start: Int, while belongs: (UInt8) -> Bool) -> Int {
        start < bytes.count ? bytes[start...].firstIndex { !belongs($0) } ?? bytes.count : start
    }

    // MARK: Tokens

    /// Reads tokens one after another; at the end always `.end`.
    struct TokenCursor {
        let tokens: [Token]
        var index: Int

        @inline(never)
        mutating func next() -> Token {
            defer { index += 1 }
            return tokens[min(index, tokens.count - 1)]
        }
    }

    /// The tokens after the current one.
    var following: TokenCursor { TokenCursor(tokens: tokens, index: index + 1) }

    /// The tokens that begin at an offset or after it.
    @inline(never)
    func tokens(from offset: Int) -> TokenCursor {
        TokenCursor(tokens: tokens, index: Self.index(of: offset, in: tokens))
    }

    @inline(never)
    private static func index(of offset: Int, in tokens: [Token]) -> Int {
        (0..<tokens.count - 1).first(fromWhich: { tokens[$0].start >= offset })
    }

    /// The token after the current one.
    func peek() -> Token { after(1) }

    /// A token after the current one, counted from 1; `.end` after the end.
    @inline(never)
    func after(_ count: Int) -> Token { tokens[min(index + count, tokens.count - 1)] }

    /// The token before the current one, counted from 1; nil before the start.
    @inline(never)
    func before(_ count: Int) -> Token? { index >= count ? tokens[index - count] : nil }

    @inline(never)
    func isComparison(_ token: Token) -> Bool { parser.isComparison(token) }
    @inline(never)
    func operatorWord(_ token: Token) -> String? { parser.operatorWord(token) }
    @inline(never)
    func startsOperand(_ kind: TokenKind) -> Bool { parser.startsOperand(kind) }

    @inline(never)
    func isQuantifier(_ token: Token) -> Bool {
        [.keyword(.any), .keyword(.some), .keyword(.all), .keyword(.none)].contains(token.kind)
    }

    /// Whether a token ends a condition.
    @inline(never)
    func endsCondition(_ token: Token) -> Bool { [.end, .and, .or, .rightParenthesis].contains(token.kind) }

    /// The span from an opening bracket to its partner; nil if that is more than 64 tokens away.
    @inline(never)
    func bracketed(_ opener: Token) -> SourceSpan? {
        var ahead = tokens(from: opener.end)
        return Token.closing { ahead.next() }.map { SourceSpan(opener.start, $0.end) }
    }

    // MARK: Operators

    /// The left side of a comparison that the last operand completes: `a.b`, `a + 1`.
    var leftSide: SourceSpan {
        guard let last = operands.last else { return token.span }
        var first = operators.count
        while first > operatorBase, operators[first - 1].precedence > .comparison { first -= 1 }
        guard first < operators.count else { return last.span }
        let sign = operators[first]
        // A prefix operator without its operand, such as the minus sign in `a -`, comes after the last operand.
        guard sign.firstOperand < operands.count else { return last.span }
        return SourceSpan(min(sign.span.start, operands[sign.firstOperand].span.start), last.span.end)
    }

    /// Whether the last pending operator still needs its right side.
    var isWaiting: Bool { pending.map { operands.count <= $0.firstOperand + 1 } ?? false }

    /// Whether a comparison needs its right side. Then a sign that cannot begin a value may begin an unquoted text.
    var isWaitingForText: Bool { if case .comparison = pending?.kind { isWaiting } else { false } }

    /// The comparison with NOT before its left side, and the fix-it that makes it one. NOT cannot follow ANY or ALL.
    @inline(never)
    func negated(_ sign: String) -> (suggestion: String, fixIts: [PredicateDiagnostic.FixIt]) {
        let left = leftSide
        let before = operators[operatorBase...].last { $0.precedence <= .comparison }
        if let before, case .quantifier(let keyword) = before.kind, let dual = keyword.ofNegation {
            return ("\(dual) \(abbreviated(left)) \(sign) …", .fix(before.span, dual))
        }
        return ("NOT \(abbreviated(left)) \(sign) …", .fix(SourceSpan(left.start, left.start), "NOT "))
    }

    // MARK: Trials

    /// Whether the text can be parsed with these corrections.
    func isRepaired(by fixIts: [PredicateDiagnostic.FixIt]) -> Bool {
        guard !isPart, bytes.count <= 400 else { return false }
        let reading: RepairPass.Reading<PredicateNode> = trial.read(PredicateDiagnostic.applying(fixIts, to: bytes))
        return reading.parser.errors.allSatisfy { $0.isWarning }
    }

    /// Parses a text as a condition and applies the fix-its of its mistakes; nil if it is not a condition.
    func corrected(_ text: String) -> String? {
        guard !isPart, !text.isEmpty, text.utf8.count <= 200 else { return nil }
        var text = text
        for _ in 0..<2 {
            let reading: RepairPass.Reading<PredicateNode> = trial.read(Array(text.utf8))
            let diagnostics = trial.diagnose(text, reading).diagnostics
            guard diagnostics.contains(where: { $0.severity == .error }) else { return text }
            var fixed = Array(text.utf8)
            var limit = fixed.count
            for fix in diagnostics.flatMap({ $0.fixIts }).ordered(by: { $0.span.start > $1.span.start })
            where fix.span.end <= limit {
                fixed.replaceSubrange(fix.span.range, with: fix.replacement.utf8)
                limit = fix.span.start
            }
            text = String(decoding: fixed, as: UTF8.self)
        }
        return nil
    }

    private var trial: RepairPass {
        RepairPass(arguments: .unbound, options: options, limits: parser.limits, isPart: true)
    }
}
