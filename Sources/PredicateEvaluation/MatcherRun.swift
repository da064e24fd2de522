// Tests many values one by one. For other targets of this package that read values as a stream.
package import PredicateModel
package import PredicateSyntax

/// A run over many values. Caches (shapes of dictionaries, states of patterns) are reused for the next value. `now()`
/// is the same instant for all values. Use a run from one thread.
package struct MatcherRun {
    private let plan: DynamicPlan
    private let source: String
    private var context: EvaluationContext

    package init(_ matcher: Matcher<PredicateValue>) {
        plan = matcher.plan
        source = matcher.predicate.source
        context = EvaluationContext(object: .null, plan: plan)
    }

    /// Returns whether the value matches. It does not retain the value, so the caller can change it in place.
    /// - Throws: like `Matcher.test`.
    package mutating func test(_ object: PredicateValue) throws(PredicateFailure) -> Bool {
        context.begin(object)
        defer { context.object = .null }
        do throws(EvaluationFault) {
            return try plan.test(&context)
        } catch {
            throw error.failure(source: source)
        }
    }
}

/// An expression compiled once for many values. `now()` is a new instant for each.
package struct CompiledExpression: Sendable {
    private let plan: DynamicPlan
    private let source: String

    /// - Throws: every construct that evaluation refuses, and every unbound variable.
    package init(
        _ expression: FormatExpression, variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) {
        self.init(expression, try Binding(variables: variables, run: run).plan(expression))
    }

    init(_ expression: FormatExpression, _ plan: DynamicPlan) {
        self.plan = plan
        source = expression.source
    }

    /// Returns the value of the expression for an object.
    package func value(of object: PredicateValue) throws(PredicateFailure) -> PredicateValue {
        var context = EvaluationContext(object: object, plan: plan)
        do throws(EvaluationFault) {
            return try plan.value(&context)
        } catch {
            throw error.failure(source: source)
        }
    }
}

extension Matcher {
    /// The keys of an object that the expression reads; nil if it also reads the object as a whole, for example with
    /// SELF.
    package var rootKeys: Set<String>? { plan.rootKeys }
}
