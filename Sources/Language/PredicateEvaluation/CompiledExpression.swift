// Computes an expression for many values.

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

    /// A run over many objects.
    package var run: PlanRun { PlanRun(plan, source) }

    /// Returns the value of the expression for an object.
    package func value(of object: PredicateValue) throws(PredicateFailure) -> PredicateValue {
        var run = run
        return try run.value(of: object)
    }
}
