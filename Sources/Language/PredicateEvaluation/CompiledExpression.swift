// Computes an expression for many values.
package import PredicateModel
package import PredicateSyntax

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
