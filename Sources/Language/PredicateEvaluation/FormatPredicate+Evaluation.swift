// Tests a single object, or computes a single expression. Each call compiles the predicate. For many objects, compile
// it once (PredicateMatcher.swift).

extension FormatPredicate {
    package func evaluate(
        _ object: PredicateValue, variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> Bool {
        try test(object, Binding(variables: variables, run: run))
    }

    func test(_ object: PredicateValue, _ binding: Binding) throws(PredicateFailure) -> Bool {
        var run = PlanRun(try binding.plan(self), source)
        return try run.test(object)
    }
}

extension FormatExpression {
    package func evaluate(
        _ object: PredicateValue, variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> PredicateValue {
        try CompiledExpression(self, variables: variables, run: run).value(of: object)
    }
}
