// The errors of evaluation. An operator reports which operand caused an error; the plan that called it adds the
// place in the text. Nothing here traps (LANGUAGE C 3).
public import PredicateSyntax

/// An evaluation error: a diagnostic whose place in the text is added later by the plan.
///
/// Host functions throw it:
///
///     throw EvaluationFault(.operandType, "area:", "a negative side", at: .argument(0))
public struct EvaluationFault: Error, Hashable, Sendable {
    /// The part of the node that caused the error.
    public enum Place: Hashable, Sendable {
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
    package var fixIts: [Diagnostic.FixIt] = []
    /// The place in the text; nil until a plan adds it.
    package private(set) var span: SourceSpan?

    /// A fault with the details for its message.
    public init(_ id: DiagnosticID, _ details: String..., at place: Place = .whole) {
        self.id = id
        // A refused selector is shown whole, a function without its final colon.
        let isSelector = id == .refusedOperator || id == .refusedMethod
        self.details = isSelector ? details : details.map(PredicateFunction.shown)
        self.place = place
    }

    /// Adds a place in the text, unless the fault has one: the innermost place is kept.
    package func located(at span: SourceSpan) -> EvaluationFault {
        guard self.span == nil else { return self }
        var fault = self
        fault.span = span
        return fault
    }

    /// The fault as a diagnostic. Always an error, also where `check` reports a warning.
    package var diagnostic: Diagnostic {
        Diagnostic(
            id, at: span ?? .none, details: details, severity: .error, suggestion: suggestion, fixIts: fixIts)
    }
}
