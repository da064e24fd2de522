// Why a value could not be computed. The scalar operators know which of their operands is to blame, not where it stands
// in a text; the plan that called them adds the span. Nothing here ever traps (LANGUAGE C 3).
public import PredicateSyntax

/// What ended an evaluation: a diagnostic without its place in the text, until a plan adds that.
///
/// A function that a host registers throws it:
///
///     throw EvaluationFault(.operandType, "area:", "a negative side", at: .argument(0))
public struct EvaluationFault: Error, Hashable, Sendable {
    /// Which part of the failing node is to blame.
    public enum Place: Hashable, Sendable {
        case whole, left, right
        /// An argument of a function, from 0.
        case argument(Int)
    }

    public let id: DiagnosticID
    public let details: [String]
    public let place: Place
    public var suggestion: String?
    public var fixIts: [Diagnostic.FixIt] = []
    /// Where in the text; nil until a plan has said so.
    public private(set) var span: SourceSpan?

    public init(_ id: DiagnosticID, _ details: String..., at place: Place = .whole) {
        self.id = id
        // A refused selector is told whole; a function as it is written.
        let isSelector = id == .refusedOperator || id == .refusedMethod
        self.details = isSelector ? details : details.map(Function.shown)
        self.place = place
    }

    /// The same fault at a place of the text. The innermost place wins: a located fault stays where it is.
    public func located(at span: SourceSpan) -> EvaluationFault {
        guard self.span == nil else { return self }
        var fault = self
        fault.span = span
        return fault
    }

    /// The finding as a diagnostic; always an error, also where `check` only warns.
    public var diagnostic: Diagnostic {
        Diagnostic(
            id, at: span ?? .none, details: details, severity: .error, suggestion: suggestion, fixIts: fixIts)
    }
}
