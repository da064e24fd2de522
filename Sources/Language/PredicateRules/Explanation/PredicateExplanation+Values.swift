// Explanations for objects of Swift's types.

extension FormatPredicate {
    /// Explains why a value matches the predicate or not, and which changes would alter the result.
    ///
    /// Every part is evaluated in the same way as by `evaluate(_:variables:run:)`, and every change is tested
    /// before it is returned. A failing evaluation is also explained and does not throw. `now()` is the same instant
    /// throughout. A predicate that assigns variables, draws random numbers or uses custom operators is explained
    /// without parts, and so is one with more than 64 levels.
    ///
    /// - Parameters:
    ///   - object: an object of a published type, a text, a number or another value.
    ///   - variables: the values of the predicate's variables.
    ///   - run: the clock of `now()` and the seed of `random()`.
    /// - Throws: every construct that evaluation refuses, as `evaluate` does.
    /// - Complexity: evaluates the predicate once for each candidate change, at most about 2000 times.
    public func explanation(
        for object: some PredicateValueConvertible, variables: PredicateVariables = [:],
        run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> PredicateExplanation {
        let (value, binding) = try Binding.of(object, variables: variables, run: run)
        _ = try binding.plan(self, isStrict: false)
        return try Explainer(self, variables, run).explain(value)
    }

    /// Explains why a dictionary matches the predicate or not; see `explanation(for:variables:run:)`.
    public func explanation(
        for object: [String: Any], variables: PredicateVariables = [:],
        run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> PredicateExplanation {
        try explanation(for: try PredicateValue(converting: object), variables: variables, run: run)
    }
}
