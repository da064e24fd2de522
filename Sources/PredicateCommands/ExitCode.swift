// How a command ends. The numbers are API: scripts test them.

import PredicateSyntax

/// What `predicate` answers to its caller.
enum ExitCode: Int32, Sendable {
    /// Fine, or true.
    case success = 0
    /// False, or no rows.
    case negative = 1
    /// The command line was wrong.
    case usage = 2
    /// A predicate does not parse; an unknown function is such a case.
    case syntax = 3
    /// A predicate does not type-check, or is refused.
    case refused = 4
    /// Reading, writing or evaluating failed.
    case failed = 5

    /// The code for what was found in a text: the lowest that applies, since a text that does not parse was not checked
    /// further. Warnings are fine.
    init(checking diagnostics: [Diagnostic]) {
        let errors = diagnostics.filter { $0.severity == .error }
        self = errors.isEmpty ? .success : errors.allSatisfy { $0.id.isAboutMeaning } ? .refused : .syntax
    }

    /// The code for an evaluation that ended in an error: what is refused was never begun.
    init(evaluating failure: PredicateFailure) {
        let errors = failure.diagnostics.filter { $0.severity == .error }
        self = !errors.isEmpty && errors.allSatisfy { $0.id.isRefusal } ? .refused : .failed
    }

    /// The code of a run over several predicates.
    func combined(with other: ExitCode) -> ExitCode {
        if self == .success { return other }
        return other == .success || rawValue < other.rawValue ? self : other
    }
}

extension DiagnosticID {
    /// The language knows the construct, and the package never runs it.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refusedCast, .refusedFetch, .refusedMethod, .refusedOperator, .tokenMatches, .unsupportedFunction: true
        default: false
        }
    }

    /// The text parses; what it says cannot be meant, or cannot be done.
    fileprivate var isAboutMeaning: Bool {
        switch self {
        case .cannotAssign, .malformedPattern, .modelVersion, .notACollection, .operandType, .profileConstruct,
            .profileKey, .profileTerm, .profileValue, .quantifierOverSingle, .schemaKey, .sqlInexact, .toManyKey,
            .transientKey, .typeMismatch, .unknownEntity, .unknownKey, .valueExpected:
            true
        default: isRefusal
        }
    }
}

/// Why a command ends before its work is done.
enum CommandEnd: Error {
    /// The command line is wrong: the reason, and what to do instead.
    case usage(String, hint: String? = nil)
    /// A sentence for standard error.
    case failure(ExitCode, String)
    /// All was said already.
    case exit(ExitCode)
    /// Nobody reads the output any more (`predicate … | head`): no failure.
    case outputClosed
}
