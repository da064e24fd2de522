// Values that a #Predicate captures from the code around it: `filter.name`, `filter.tags[0]`, `filter.limit?.price`. They
// are computed when the predicate is converted.
import Foundation

/// An expression that has a value without an object if its parts have one.
protocol CapturedExpression {
    var parts: [Any] { get }
    /// Whether it reads no variable of the given predicates.
    func isCaptured(_ variables: Set<PredicateExpressions.VariableID>) -> Bool
    /// - Throws: Foundation's error, for example for nil that is unwrapped.
    func capturedValue() throws -> Any?
}

extension CapturedExpression {
    func isCaptured(_ variables: Set<PredicateExpressions.VariableID>) -> Bool {
        parts.allSatisfy { ($0 as? any CapturedExpression)?.isCaptured(variables) == true }
    }
}

extension CapturedExpression where Self: PredicateExpression {
    func capturedValue() throws -> Any? { try evaluate(PredicateBindings()) }
}

extension PredicateExpressions.Variable: CapturedExpression {
    var parts: [Any] { [] }
    /// A variable that is not known yet belongs to an inner closure, so its value is a part.
    func isCaptured(_ variables: Set<PredicateExpressions.VariableID>) -> Bool { !variables.contains(key) }
}

extension PredicateExpressions.Value: CapturedExpression {
    var parts: [Any] { [] }
}

extension PredicateExpressions.NilLiteral: CapturedExpression {
    var parts: [Any] { [] }
}

extension PredicateExpressions.KeyPath: CapturedExpression {
    var parts: [Any] { [root] }
}

extension PredicateExpressions.OptionalFlatMap: CapturedExpression {
    var parts: [Any] { [wrapped, transform] }
}

extension PredicateExpressions.ForcedUnwrap: CapturedExpression {
    var parts: [Any] { [inner] }
}

extension PredicateExpressions.NilCoalesce: CapturedExpression {
    var parts: [Any] { [lhs, rhs] }
}

extension PredicateExpressions.CollectionIndexSubscript: CapturedExpression {
    var parts: [Any] { [wrapped, index] }
}

extension PredicateExpressions.CollectionRangeSubscript: CapturedExpression {
    var parts: [Any] { [wrapped, range] }
}

extension PredicateExpressions.DictionaryKeySubscript: CapturedExpression {
    var parts: [Any] { [wrapped, key] }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: CapturedExpression {
    var parts: [Any] { [wrapped, key, self.default] }
}

extension PredicateExpressions.Range: CapturedExpression {
    var parts: [Any] { [lower, upper] }
}

extension PredicateExpressions.ClosedRange: CapturedExpression {
    /// Reversed bounds are no captured value, because Foundation ends the process for them.
    var parts: [Any] {
        let none = PredicateBindings()
        guard let low = try? lower.evaluate(none), let high = try? upper.evaluate(none), low > high else {
            return [lower, upper]
        }
        return [()]
    }
}
