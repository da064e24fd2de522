// The kinds of diagnostics. Messages.swift has the texts of each; each has a golden test case.

/// The stable name of a kind of diagnostic, which a program can compare, while messages may change.
///
///     failure.diagnostics.contains { $0.id.rawValue == "unknown-key" }
///
/// `predicate explain` lists all names.
public struct DiagnosticID: RawRepresentable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    package let texts: MessageTexts

    /// The name: `unknown-key`.
    public var rawValue: String { texts.name }

    public var description: String { rawValue }

    /// nil for an unknown name.
    public init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    init(
        _ name: String, _ severity: PredicateDiagnostic.Severity, _ message: String, label: String? = nil,
        otherwise fallback: String? = nil, _ explanation: String
    ) {
        texts = MessageTexts(name, severity, message, label: label, fallback: fallback, explanation)
    }

    /// All kinds, ordered by name.
    public static let allCases: [DiagnosticID] = [
        .adjacentArgument, .argumentType, .bareKey, .bareKeysCompared, .betweenOperand, .cannotAssign, .castFailed,
        .castLiteral, .chainedComparison, .changeCondition, .comment, .comparisonConstant, .conflictingDefinition,
        .containsElement, .contradiction,
        .deviceManagementTerm, .divisionByZero, .doubledQuote, .earlyQuote, .emptyInput,
        .emptyParentheses, .expectedExpression, .expectedOperator, .expectedPredicate, .failedRead, .functionArguments,
        .hyphenatedKey, .inOptions, .indexAfterPath, .indexOutOfRange, .indexSymbol, .integerOverflow,
        .interpolatedText, .keyComponent, .keyTable, .knownKey, .limitExceeded, .listBrackets, .listOperand,
        .literalsCompared, .logicalOperator, .lostBackslash, .malformedEscape, .malformedNumber, .malformedPattern,
        .malformedRequest, .missingArgument, .missingConjunction, .missingSpace, .missingVariable, .modelVersion,
        .nilInList, .nonAsciiKey, .notACollection, .notCanonical, .numberOverflow, .operandType, .operatorKey,
        .optionMisplaced,
        .optionPlace, .patternBudget, .patternDoubt, .percentInText, .predicateAsValue,
        .profileConstruct, .profileDoubt, .profileKey, .profileTerm, .profileValue, .quantifierOverSingle,
        .quotedConversion, .refusedCast, .refusedFetch, .refusedMethod, .refusedOperator, .reservedWord,
        .reversedBounds, .ruleAdded, .ruleAlways, .ruleChanged, .ruleDuplicate, .ruleLooser, .ruleNever,
        .ruleRemoved, .ruleShadowed, .ruleUndecided,
        .selectorLiteral, .singleEqualsChain, .sqlInexact, .sqlOperator, .sqlWildcard,
        .stringOperand, .surplusArgument, .tautology, .toManyKey, .tokenMatches, .trailingComma, .transientKey,
        .typeMismatch, .typedText, .typographicQuote, .unboundArgument, .unboundVariable, .unclosedBracket,
        .unexpectedCharacter,
        .unexpectedClosing, .unexpectedText, .unixTime, .unknownCase, .unknownCollectionOperator, .unknownConversion,
        .unknownEntity, .unknownFunction, .unknownKey, .unknownOperator, .unknownOption, .unquotedDate, .unquotedText,
        .unreadText,
        .unsupportedConversion, .unsupportedFunction, .unterminatedString, .unusedVariable, .unusedWord, .valueExpected,
        .versionOrder, .wildcardEquality, .xmlEntity,
    ]
}

/// The texts of one kind of diagnostic. An object, so that a diagnostic stays small.
package final class MessageTexts: Sendable {
    let name: String
    package let severity: PredicateDiagnostic.Severity
    package let message: String
    let label: String?
    let fallback: String?
    package let explanation: String

    init(
        _ name: String, _ severity: PredicateDiagnostic.Severity, _ message: String, label: String?, fallback: String?,
        _ explanation: String
    ) {
        self.name = name
        self.severity = severity
        self.message = message
        self.label = label
        self.fallback = fallback
        self.explanation = explanation
    }
}

extension DiagnosticID {
    /// The message with `…` in place of its details.
    package var sentence: String {
        texts.message.split(separator: "{", omittingEmptySubsequences: false).enumerated().map { index, part in
            guard index > 0, let close = part.firstIndex(of: "}") else { return String(part) }
            return "…" + part[part.index(after: close)...]
        }.joined()
    }
}
