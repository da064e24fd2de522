/// A part of the text that does not fit the language: what was expected, and the state of the parser there.
///
/// The state has all that Repairs/ needs to find out what was meant: the token and the one before, the lexer to look
/// ahead, the open brackets, the operators that need their right side, and the operands so far. It is copied only for
/// errors, and before the parser builds nodes from the pending operators.
struct SyntaxError {
    enum Kind {
        /// The token cannot begin a value.
        case operand
        /// The token cannot follow a value.
        case `operator`
        /// The token cannot follow a dot.
        case step
        /// The closing bracket does not fit the innermost open one, or the text ends before it.
        case closing
        /// A letter in the brackets of an operator is not an option.
        case option(String, SourceSpan)
        /// A value where a condition was expected, and the condition before it in the same chain.
        case condition(PredicateParser.Operand, PredicateNode?)
        /// A condition where a value was expected: as an operand of an operator, or as an argument.
        case value(PredicateParser.Operand)
        /// No single comparison after a quantifier.
        case quantified(Keyword, PredicateParser.Operand)
        /// The arguments of a special form: their number is wrong, or the one at this index.
        case count(Keyword, SourceSpan, [PredicateParser.Operand])
        case argument(Keyword, Int, [PredicateParser.Operand])
        /// An error whose message is complete: a number too large, a wrong argument, a limit, a warning.
        case reported(PredicateDiagnostic)
    }

    let kind: Kind
    /// The state of the parser.
    let parser: PredicateParser

    /// The offset at which the error was found, and the offset of what is wrong. Errors are found in this order.
    var position: (Int, Int) {
        switch kind {
        case .condition(let operand, _), .value(let operand), .quantified(_, let operand):
            (parser.token.start, operand.span.start)
        case .count(_, let span, _): (parser.token.start, span.start)
        case .argument(_, let index, let operands): (parser.token.start, operands[index].span.start)
        default: (parser.token.start, parser.token.start)
        }
    }

    var isWarning: Bool {
        if case .reported(let diagnostic) = kind { diagnostic.severity != .error } else { false }
    }
}
