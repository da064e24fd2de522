// Determines whether an input is complete and which brackets and quotes are open, for the prompt and for the Enter key.

struct InputShape {
    let environment: PredicateEnvironment

    /// The quotes and brackets that are open at the end of a text, innermost last.
    func open(in text: some StringProtocol) -> [Character] {
        let bytes = Array(text.utf8)
        var open: [Character] = []
        for token in Lexer.tokens(of: String(text), options: environment.language) {
            switch token.kind {
            case .leftParenthesis: open.append("(")
            case .leftBrace: open.append("{")
            case .leftBracket: open.append("[")
            case .rightParenthesis, .rightBrace, .rightBracket: _ = open.popLast()
            case .error(.unterminatedString): open.append(Character(Unicode.Scalar(bytes[token.span.start])))
            default: break
            }
        }
        return open
    }

    /// Whether the input is complete. An input with an error is also complete, unless the error is missing text at its
    /// end.
    func isWhole(_ text: String) -> Bool {
        guard text.contains(where: { !$0.isWhitespace }) else { return true }
        let expression = FormatParser.expression(text, options: environment.language)
        if !expression.hasErrors { return true }
        let errors = FormatParser.predicate(text, options: environment.language).diagnostics.filter {
            $0.severity == .error
        }
        let bytes = Array(text.utf8)
        let end = (bytes.lastIndex { $0 > 0x20 } ?? -1) + 1
        let isOpen = errors.contains { Self.isMissing($0, end) }
        return !isOpen || !errors.allSatisfy { Self.isMissing($0, end) }
    }

    /// Whether a diagnostic reports missing text at the end.
    private static func isMissing(_ finding: PredicateDiagnostic, _ end: Int) -> Bool {
        switch finding.id {
        case .unterminatedString, .unclosedBracket: true
        case .expectedExpression, .expectedOperator, .expectedPredicate: finding.span.start >= end
        default: false
        }
    }
}
