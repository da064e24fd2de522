// Which functions are asked about an error, and in which order. The first answer counts.

/// The functions that recognise mistakes.
///
/// To add a mistake, add a pattern to TokenPattern.swift, or a function to the extension of `ErrorContext` for its subject
/// and a line to one of these lists. The order matters where two functions know an answer: `tags[0 == 'a'` is an index
/// without its bracket before it is a chain of comparisons.
enum MistakeTable {
    /// Returns nil if the error is none of its kind. Has no effects.
    typealias Recognizer = @Sendable (ErrorContext) -> Mistake?

    /// The syntax of another language around the whole condition. Asked only for the first error of a text.
    private static let wholeText: [Recognizer] = [
        { $0.predicateCall() }, { $0.existsClause() }, { $0.directoryFilter() },
    ]

    /// Where the token cannot begin a value.
    private static let operand: [Recognizer] = [
        { $0.unquotedUUID() }, { $0.wrongTerm() }, { $0.hyphenatedKey() }, { $0.pathLambda() }, { $0.operatorCall() },
        { $0.reservedWord() }, { $0.listInBrackets() }, { $0.closingInsteadOfOperand() },
        { $0.lexicalError(expectsOperand: true) }, { $0.foreignSelector() }, { $0.signInTwoPieces() },
        { $0.starBehindArgument() }, { $0.prefixAsKey() }, { $0.reservedKey() },
        { TokenPattern.first(TokenPattern.operand, $0) }, { $0.unquotedPattern() }, { $0.quantifierOnTheRight() },
        { $0.doubledSign() }, { $0.bareFraction() }, { $0.unquotedValue() }, { $0.extraDot() },
        { $0.expectedExpression() },
    ]

    /// Where the token cannot follow a value.
    private static let `operator`: [Recognizer] = [
        { $0.unquotedUUID() }, { $0.caseExpression() }, { $0.bitSignBetweenComparisons() }, { $0.chain() },
        { $0.formatWithArguments() }, { $0.comma() }, { $0.errorBehindOperand() }, { $0.quoteMistake() },
        { $0.wordBehindOperand() }, { $0.notBehindOperand() }, { TokenPattern.first(TokenPattern.operator, $0) },
        { $0.conversionBehindOperand() }, { $0.valueBehindOperand() }, { $0.expectedOperator() },
    ]

    /// Returns the mistake at an error; nil if an earlier mistake explains it.
    static func mistake(_ error: SyntaxError, _ context: ErrorContext) -> Mistake? {
        if !context.isPart, !error.isWarning, !context.found.contains(where: { $0.severity == .error }),
            let whole = first(of: wholeText, context)
        {
            return whole
        }
        switch error.kind {
        case .operand: return first(of: operand, context)
        case .operator: return first(of: `operator`, context)
        case .step: return context.step()
        case .closing: return context.closing()
        case .option(let letter, let span): return context.unknownOption(letter, span)
        case .condition(let operand, let before):
            if context.isExplained(operand) { return nil }
            return context.sqlBetween(operand, before) ?? context.repeated(operand, before)
                ?? context.valueAsCondition(operand, before)
        case .value(let operand): return context.conditionAsValue(operand)
        case .quantified(let keyword, let operand): return context.quantified(keyword, operand)
        case .count(let keyword, let span, let items): return context.argumentCount(keyword, span, items)
        case .argument(let keyword, let index, let items): return context.argument(keyword, index, items)
        case .reported(let diagnostic) where diagnostic.id == .numberOverflow:
            return context.unquotedUUID() ?? Mistake(diagnostic)
        case .reported(let diagnostic): return Mistake(diagnostic)
        }
    }

    private static func first(of recognizers: [Recognizer], _ context: ErrorContext) -> Mistake? {
        for recognizer in recognizers { if let mistake = recognizer(context) { return mistake } }
        return nil
    }
}
