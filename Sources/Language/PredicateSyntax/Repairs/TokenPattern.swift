// Mistakes that are a pattern of tokens and its meaning. To add one, add a line to a list below.

/// A pattern of tokens around an error, and what was meant by them.
struct TokenPattern: Sendable {
    enum Element: Sendable {
        /// A word or sign, in capitals.
        case text(String)
        /// The same, without a space before it.
        case glued(String)
        case kinds([TokenKind])
        case literal, null, end

        func matches(_ token: Token, _ previous: Token?, _ context: ErrorContext) -> Bool {
            switch self {
            case .text(let text): context.spells(token, text)
            case .glued(let text): previous?.end == token.start && context.spells(token, text)
            case .kinds(let kinds): kinds.contains(token.kind)
            case .literal: [.string, .integer, .floatingPoint].contains(token.kind)
            case .null: [.keyword(.null), .keyword(.nil), .keyword(.none)].contains(token.kind)
            case .end: context.endsCondition(token)
            }
        }
    }

    /// How the message is made of the matched text and its meaning: as a suggestion, with the text in quotation marks,
    /// as the SQL that it is, or as the value that was found.
    enum Style { case meant, quoted, sql, value }

    private let id: DiagnosticID
    private let style: Style
    private let elements: [Element]
    /// The number of elements before the current token, and of those that the diagnostic underlines.
    private let before: Int, underlined: Int
    private let meant: String
    /// Whether the pattern also counts after a complete comparison.
    private let anywhere: Bool

    /// - Parameters:
    ///   - before, behind: what must precede and follow; the diagnostic underlines `before`, but not `behind`.
    ///   - parts: the current token and those after it.
    private init(
        _ id: DiagnosticID, _ style: Style, before: [Element] = [], _ parts: [Element], behind: [Element] = [],
        _ meant: String, anywhere: Bool = true
    ) {
        (self.id, self.style, self.meant, self.anywhere) = (id, style, meant, anywhere)
        elements = before + parts + behind
        self.before = before.count
        underlined = before.count + parts.count
    }

    /// Returns the mistake of the first pattern that matches.
    static func first(_ patterns: [TokenPattern], _ context: ErrorContext) -> Mistake? {
        for pattern in patterns { if let mistake = pattern.mistake(context) { return mistake } }
        return nil
    }

    private func mistake(_ context: ErrorContext) -> Mistake? {
        let first = context.index - before
        guard first >= 0, first + elements.count <= context.tokens.count, anywhere || !context.isComparisonComplete
        else { return nil }
        let tokens = context.tokens[first..<(first + elements.count)]
        for (element, index) in zip(elements, tokens.indices) {
            let previous = index > 0 ? context.tokens[index - 1] : nil
            guard element.matches(tokens[index], previous, context) else { return nil }
        }
        let span = tokens[first].span.joined(tokens[first + underlined - 1].span)
        let fix = [PredicateDiagnostic.FixIt(span, meant)]
        return switch style {
        case .meant: Mistake(id, at: span, context.text(span), suggestion: meant, fixIts: fix)
        case .quoted: Mistake(id, at: span, "'\(context.text(span))'", suggestion: meant, fixIts: fix)
        case .sql: Mistake(id, at: span, "'\(context.text(span))'", meant, fixIts: fix)
        case .value: Mistake(id, at: span, context.foundText, suggestion: meant, fixIts: fix)
        }
    }

    // MARK: The patterns

    static let operand: [TokenPattern] = [
        .init(.singleEqualsChain, .meant, before: [.text("=")], [.glued("!")], "!="),
        .init(.expectedExpression, .value, [.kinds([.keyword(.none)])], behind: [.end], "nil"),
        .init(.expectedExpression, .value, [.text("<"), .glued("NULL"), .glued(">")], "nil"),
        .init(.unknownConversion, .meant, [.text("&"), .glued("@")], "%@"),
        .init(.unknownOperator, .meant, before: [.text("&")], [.text("&")], "&&"),
        .init(.unknownOperator, .meant, before: [.text("|")], [.text("|")], "||"),
        .init(.unknownOperator, .meant, before: [.text("&&")], [.glued("&")], "&&"),
        .init(.unknownOperator, .meant, before: [.text("||")], [.glued("|")], "||"),
        .init(.unknownOperator, .meant, before: [.text("=")], [.glued("/"), .glued("=")], "!="),
        .init(.unknownOperator, .meant, before: [.text("^")], [.glued("=")], "!="),
    ]

    static let `operator`: [TokenPattern] = [
        .init(.unknownOperator, .meant, [.kinds([.assign])], "=="),
        .init(.unexpectedText, .quoted, [.kinds([.and, .or])], ","),
        .init(.singleEqualsChain, .meant, [.text("!"), .kinds([.comparison(.equal)])], "!="),
        .init(.unknownOperator, .meant, [.text("NOT"), .kinds([.comparison(.equal)])], "!=", anywhere: false),
        .init(.unknownOperator, .meant, [.text("NOT")], behind: [.literal], "!=", anywhere: false),
        .init(.sqlOperator, .sql, [.kinds([.not]), .null], "!= nil"),
    ]

    /// Words of SQL; asked after phrases, because they may begin one.
    static let sql: [TokenPattern] = [
        .init(.sqlOperator, .sql, [.text("IS"), .null], "== nil"),
        .init(.sqlOperator, .sql, [.text("IS"), .kinds([.not]), .null], "!= nil"),
        .init(.sqlOperator, .sql, [.text("IS"), .kinds([.not])], behind: [.literal], "!="),
        .init(.sqlOperator, .sql, [.text("IS")], behind: [.literal], "=="),
        .init(.sqlOperator, .sql, [.text("ISNULL")], "== nil"), .init(.sqlOperator, .sql, [.text("NOTNULL")], "!= nil"),
        .init(.sqlOperator, .sql, [.text("EXISTS")], behind: [.end], "!= nil"),
        .init(.sqlOperator, .sql, [.text("ILIKE")], "LIKE[c]"), .init(.sqlOperator, .sql, [.text("RLIKE")], "MATCHES"),
        .init(.sqlOperator, .sql, [.text("REGEXP")], "MATCHES"), .init(.sqlOperator, .sql, [.text("REGEX")], "MATCHES"),
    ]
}
