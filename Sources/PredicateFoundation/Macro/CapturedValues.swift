// Values that a #Predicate captures from the code around it: `filter.name`, `filter.tags[0]`, `filter.limit?.price`. They
// are computed when the predicate is converted.
import Foundation

/// An expression that has a value without an object if its parts have one.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
protocol CapturedExpression {
    var parts: [Any] { get }
    /// Whether it reads no variable of the given predicates.
    func isCaptured(_ variables: Set<PredicateExpressions.VariableID>) -> Bool
    /// - Throws: Foundation's error, for example for nil that is unwrapped.
    func capturedValue() throws -> Any?
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension CapturedExpression {
    func isCaptured(_ variables: Set<PredicateExpressions.VariableID>) -> Bool {
        parts.allSatisfy { ($0 as? any CapturedExpression)?.isCaptured(variables) == true }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension CapturedExpression where Self: PredicateExpression {
    func capturedValue() throws -> Any? { try evaluate(PredicateBindings()) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Variable: CapturedExpression {
    var parts: [Any] { [] }
    /// A variable that is not known yet belongs to an inner closure, so its value is a part.
    func isCaptured(_ variables: Set<PredicateExpressions.VariableID>) -> Bool { !variables.contains(key) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Value: CapturedExpression {
    var parts: [Any] { [] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.NilLiteral: CapturedExpression {
    var parts: [Any] { [] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.KeyPath: CapturedExpression {
    var parts: [Any] { [root] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.OptionalFlatMap: CapturedExpression {
    var parts: [Any] { [wrapped, transform] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.ForcedUnwrap: CapturedExpression {
    var parts: [Any] { [inner] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.NilCoalesce: CapturedExpression {
    var parts: [Any] { [lhs, rhs] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.CollectionIndexSubscript: CapturedExpression {
    var parts: [Any] { [wrapped, index] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.CollectionRangeSubscript: CapturedExpression {
    var parts: [Any] { [wrapped, range] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.DictionaryKeySubscript: CapturedExpression {
    var parts: [Any] { [wrapped, key] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: CapturedExpression {
    var parts: [Any] { [wrapped, key, self.default] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Range: CapturedExpression {
    var parts: [Any] { [lower, upper] }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
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
