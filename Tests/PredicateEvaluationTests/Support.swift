// Short ways to say "this text, for this object, gives that".
import Predicates

/// The value of a literal: numbers, texts, arrays, dictionaries; nil is nil.
func v(_ any: Any?) -> Value {
    guard let any else { return .null }
    return (try? Value(converting: any)) ?? .string("not a value: \(any)")
}

/// What a predicate says of an object: `true`, `false`, or the first diagnostic's ID.
func answer(_ format: String, _ object: Value = .null, variables: PredicateVariables = [:]) -> String {
    do throws(PredicateFailure) {
        return "\(try FormatPredicate(format).evaluate(object, variables: variables))"
    } catch {
        return error.diagnostics.first { $0.severity == .error }?.id.rawValue ?? "no error"
    }
}

/// The value of an expression for an object, or the failure.
func value(_ format: String, _ object: Value = .null, variables: PredicateVariables = [:]) throws -> Value {
    try FormatExpression(format).evaluate(object, variables: variables)
}
