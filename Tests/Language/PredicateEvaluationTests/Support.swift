// Short helpers for checks of the form "this text, for this object, gives this result".
import Predicates

/// The value of a Swift literal: numbers, texts, arrays, dictionaries; nil is nil.
func v(_ any: Any?) -> PredicateValue {
    guard let any else { return .null }
    return (try? PredicateValue(converting: any)) ?? .string("not a value: \(any)")
}

/// The result of a predicate for an object: `true`, `false`, or the ID of the first diagnostic.
func answer(_ format: String, _ object: PredicateValue = .null, variables: PredicateVariables = [:]) -> String {
    do throws(PredicateFailure) {
        return "\(try FormatPredicate(format).evaluate(object, variables: variables))"
    } catch { return error.diagnostics.first { $0.severity == .error }?.id.rawValue ?? "no error" }
}

/// The value of an expression for an object.
func value(_ format: String, _ object: PredicateValue = .null, variables: PredicateVariables = [:]) throws
    -> PredicateValue
{
    try FormatExpression(format).evaluate(object, variables: variables)
}

extension PredicateEnvironment {
    /// Environments whose limit is 0 to 7 steps.
    static let ofFewSteps = (0..<8).map { steps in
        var limits = PredicateLimits()
        limits.steps = steps
        return PredicateEnvironment(limits: limits)
    }
}

extension PredicateTable {
    /// A table with these rows.
    init(_ rows: [PredicateValue]) {
        var builder = PredicateTableBuilder()
        for row in rows { builder.append(row) }
        self = builder.finish()
    }
}
