// Tests a single object, or computes a single expression. Each call compiles the predicate. For many objects, compile
// it once (PredicateMatcher.swift).

extension FormatPredicate {
    package func evaluate(
        _ object: PredicateValue, variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> Bool {
        try test(object, Binding(variables: variables, run: run))
    }

    func test(_ object: PredicateValue, _ binding: Binding) throws(PredicateFailure) -> Bool {
        let plan = try binding.plan(self, isStrict: false)
        var context = EvaluationContext(object: object, plan: plan)
        do throws(EvaluationFault) {
            return try plan.test(&context)
        } catch {
            throw error.failure(source: source)
        }
    }
}

extension FormatExpression {
    package func evaluate(
        _ object: PredicateValue, variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> PredicateValue {
        try CompiledExpression(self, variables: variables, run: run).value(of: object)
    }
}
