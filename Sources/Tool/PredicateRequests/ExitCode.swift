// The exit codes. The numbers are API: scripts test them.

/// The exit code of `predicate`.
package enum ExitCode: Int32, Sendable {
    /// Success, or the result is true.
    case success = 0
    /// The result is false, or there are no rows.
    case negative = 1
    /// Invalid command line.
    case usage = 2
    /// A predicate cannot be parsed; includes unknown functions.
    case syntax = 3
    /// A predicate has type errors or is refused.
    case refused = 4
    /// Reading, writing or evaluating failed.
    case failed = 5

    /// The code for the diagnostics of a text. Syntax errors have priority, because after a syntax error nothing else
    /// is checked. Warnings do not count.
    package init(checking diagnostics: [PredicateDiagnostic]) {
        let errors = diagnostics.filter { $0.severity == .error }
        self = errors.isEmpty ? .success : errors.allSatisfy { $0.id.isAboutMeaning } ? .refused : .syntax
    }

    /// The code for an evaluation error, or for a predicate that is refused and was not evaluated.
    package init(evaluating failure: PredicateFailure) {
        let errors = failure.diagnostics.filter { $0.severity == .error }
        self = !errors.isEmpty && errors.allSatisfy { $0.id.isRefusal } ? .refused : .failed
    }

    /// The code of a run over several predicates.
    package func combined(with other: ExitCode) -> ExitCode {
        if self == .success { return other }
        return other == .success || rawValue < other.rawValue ? self : other
    }
}

extension DiagnosticID {
    /// Whether the construct belongs to the language, but this package does not evaluate it.
    fileprivate var isRefusal: Bool { Self.refusals.contains(self) }
    private static let refusals: [DiagnosticID] = [
        .refusedCast, .refusedFetch, .refusedMethod, .refusedOperator, .tokenMatches, .unsupportedFunction,
    ]

    /// Whether the text can be parsed but is meaningless or cannot be evaluated.
    fileprivate var isAboutMeaning: Bool { isRefusal || Self.aboutMeaning.contains(self) }
    private static let aboutMeaning: [DiagnosticID] = [
        .cannotAssign, .malformedPattern, .modelVersion, .notACollection, .operandType, .profileConstruct, .profileKey,
        .profileTerm, .profileValue, .quantifierOverSingle, .sqlInexact, .toManyKey, .transientKey,
        .typeMismatch, .unknownEntity, .unknownKey, .unreadText, .valueExpected,
    ]
}
