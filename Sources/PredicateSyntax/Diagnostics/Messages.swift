// The catalogue of all messages. Each message is in exactly one of the files Messages+Parsing, +Meaning and
// +Evaluation.

/// The texts of one kind of diagnostic.
package struct MessageEntry: Sendable {
    package let severity: Diagnostic.Severity
    package let message: String
    /// Shown under the caret if the diagnostic has no suggestion.
    package let label: String?
    /// Shown instead of an empty label, if no more specific advice is known.
    package let fallback: String?
    /// The explanation shown by `predicate explain`.
    package let explanation: String

    init(
        _ severity: Diagnostic.Severity, _ message: String, label: String? = nil, otherwise fallback: String? = nil,
        _ explanation: String
    ) {
        self.severity = severity
        self.message = message
        self.label = label
        self.fallback = fallback
        self.explanation = explanation
    }
}

extension DiagnosticID {
    /// The catalogue's entry. Cost: one switch.
    package var entry: MessageEntry {
        switch self {
        case .adjacentArgument: .adjacentArgument
        case .argumentType: .argumentType
        case .bareKey: .bareKey
        case .bareKeysCompared: .bareKeysCompared
        case .betweenOperand: .betweenOperand
        case .cannotAssign: .cannotAssign
        case .castFailed: .castFailed
        case .castLiteral: .castLiteral
        case .chainedComparison: .chainedComparison
        case .comment: .comment
        case .comparisonConstant: .comparisonConstant
        case .contradiction: .contradiction
        case .deviceManagementTerm: .deviceManagementTerm
        case .divisionByZero: .divisionByZero
        case .doubledQuote: .doubledQuote
        case .earlyQuote: .earlyQuote
        case .emptyInput: .emptyInput
        case .emptyParentheses: .emptyParentheses
        case .expectedExpression: .expectedExpression
        case .expectedOperator: .expectedOperator
        case .expectedPredicate: .expectedPredicate
        case .functionArguments: .functionArguments
        case .hyphenatedKey: .hyphenatedKey
        case .inOptions: .inOptions
        case .indexAfterPath: .indexAfterPath
        case .indexOutOfRange: .indexOutOfRange
        case .indexSymbol: .indexSymbol
        case .integerOverflow: .integerOverflow
        case .interpolatedText: .interpolatedText
        case .keyComponent: .keyComponent
        case .keyTable: .keyTable
        case .limitExceeded: .limitExceeded
        case .listBrackets: .listBrackets
        case .literalsCompared: .literalsCompared
        case .logicalOperator: .logicalOperator
        case .lostBackslash: .lostBackslash
        case .malformedEscape: .malformedEscape
        case .malformedNumber: .malformedNumber
        case .malformedPattern: .malformedPattern
        case .malformedRequest: .malformedRequest
        case .missingArgument: .missingArgument
        case .missingConjunction: .missingConjunction
        case .missingSpace: .missingSpace
        case .missingVariable: .missingVariable
        case .modelVersion: .modelVersion
        case .nonAsciiKey: .nonAsciiKey
        case .notACollection: .notACollection
        case .notCanonical: .notCanonical
        case .numberOverflow: .numberOverflow
        case .operandType: .operandType
        case .operatorKey: .operatorKey
        case .optionMisplaced: .optionMisplaced
        case .optionPlace: .optionPlace
        case .patternBudget: .patternBudget
        case .percentInText: .percentInText
        case .predicateAsValue: .predicateAsValue
        case .profileConstruct: .profileConstruct
        case .profileDoubt: .profileDoubt
        case .profileKey: .profileKey
        case .profileTerm: .profileTerm
        case .profileValue: .profileValue
        case .quantifierOverSingle: .quantifierOverSingle
        case .quotedConversion: .quotedConversion
        case .refusedCast: .refusedCast
        case .refusedFetch: .refusedFetch
        case .refusedMethod: .refusedMethod
        case .refusedOperator: .refusedOperator
        case .reservedWord: .reservedWord
        case .schemaKey: .schemaKey
        case .selectorLiteral: .selectorLiteral
        case .singleEqualsChain: .singleEqualsChain
        case .sqlInexact: .sqlInexact
        case .sqlOperator: .sqlOperator
        case .sqlWildcard: .sqlWildcard
        case .stringOperand: .stringOperand
        case .surplusArgument: .surplusArgument
        case .tautology: .tautology
        case .toManyKey: .toManyKey
        case .tokenMatches: .tokenMatches
        case .trailingComma: .trailingComma
        case .transientKey: .transientKey
        case .typeMismatch: .typeMismatch
        case .typographicQuote: .typographicQuote
        case .unboundArgument: .unboundArgument
        case .unboundVariable: .unboundVariable
        case .unclosedBracket: .unclosedBracket
        case .unexpectedCharacter: .unexpectedCharacter
        case .unexpectedClosing: .unexpectedClosing
        case .unexpectedText: .unexpectedText
        case .unknownCollectionOperator: .unknownCollectionOperator
        case .unknownConversion: .unknownConversion
        case .unknownEntity: .unknownEntity
        case .unknownFunction: .unknownFunction
        case .unknownKey: .unknownKey
        case .unknownOperator: .unknownOperator
        case .unknownOption: .unknownOption
        case .unquotedDate: .unquotedDate
        case .unquotedText: .unquotedText
        case .unsupportedConversion: .unsupportedConversion
        case .unsupportedFunction: .unsupportedFunction
        case .unterminatedString: .unterminatedString
        case .unusedVariable: .unusedVariable
        case .unusedWord: .unusedWord
        case .valueExpected: .valueExpected
        case .versionOrder: .versionOrder
        case .wildcardEquality: .wildcardEquality
        case .xmlEntity: .xmlEntity
        }
    }
}
