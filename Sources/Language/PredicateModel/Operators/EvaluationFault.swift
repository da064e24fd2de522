// The errors of evaluation. An operator reports which operand caused an error; the plan that called it adds the
// position in the text. Nothing in this file traps (LANGUAGE C 3).

/// An evaluation error: a diagnostic whose position in the text is added later by the plan.
///
/// Functions of the app can throw it:
///
///     throw EvaluationFault(.operandType, "area:", "a negative side", at: .argument(0))
public struct EvaluationFault: Error, Equatable, Sendable {
    /// The part of the node that caused the error.
    public enum Place: Equatable, Sendable {
        case whole, left, right
        /// An argument of a function, by index from 0.
        case argument(Int)
    }

    /// The kind of error.
    package let id: DiagnosticID
    /// The values for `{0}`, `{1}` … in the message.
    package let details: [String]
    /// The part of the node that caused the error.
    package let place: Place
    /// The probable intention, shown as "did you mean …?"
    public var suggestion: String?
    /// Replacements that correct the predicate's text.
    package var fixIts: [PredicateDiagnostic.FixIt] = []
    /// The position in the text; nil until a plan adds it.
    package private(set) var span: SourceSpan?
    /// The error that reading a key of an object threw. Such a fault does not depend on the values of the object.
    package internal(set) var cause: ReadError?

    /// A fault with the details for its message.
    public init(_ id: DiagnosticID, _ details: String..., at place: Place = .whole) {
        self.init(id, details: details, at: place)
    }

    init(_ id: DiagnosticID, details: [String], at place: Place = .whole) {
        self.id = id
        // For a refused selector the message shows the whole selector; for a function it leaves out the final colon.
        let isSelector = id == .refusedOperator || id == .refusedMethod
        self.details = isSelector ? details : details.map(PredicateFunction.shown)
        self.place = place
    }

    /// A fault because an object cannot be read as a value.
    package init(_ failure: PredicateFailure) {
        let diagnostic = failure.diagnostics.first
        self.init(diagnostic?.id ?? .failedRead, details: diagnostic?.details ?? [])
    }

    /// Adds a position in the text if the fault has none yet, so that the innermost position is kept.
    package func located(at span: SourceSpan) -> EvaluationFault {
        guard self.span == nil else { return self }
        var fault = self
        fault.span = span
        return fault
    }

    /// The fault as a diagnostic. Always an error, even where `check` reports only a warning.
    package var diagnostic: PredicateDiagnostic {
        PredicateDiagnostic(
            id, at: span ?? .none, details: details, severity: .error, suggestion: suggestion, fixIts: fixIts)
    }

    /// The fault as the error of a predicate's evaluation.
    package func failure(source: String) -> PredicateFailure {
        cause?.isThrown()
        return PredicateFailure([diagnostic], source: source, cause: cause)
    }
}

extension KeyedObject {
    /// The value of a key for an evaluation; nil if the key is not published.
    package func read(_ key: String) throws(EvaluationFault) -> PredicateValue? {
        do {
            return try readValue(forKey: key)
        } catch {
            throw EvaluationFault(reading: key, of: self, error)
        }
    }
}
