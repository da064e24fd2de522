// Tests a single object, or computes a single expression. Each call compiles the predicate. For many objects, compile
// it once (Matcher.swift).
public import PredicateModel
public import PredicateSyntax

extension FormatPredicate {
    /// Returns whether a value matches the predicate.
    ///
    ///     try FormatPredicate("SELF > $least").evaluate(5, variables: ["least": 3])    // true
    ///
    /// - Throws: `PredicateFailure` with every construct that evaluation refuses, or with the error of this evaluation:
    ///   operands of the wrong type, division by zero, an unbound variable.
    /// - Complexity: compiles the predicate, then evaluates it in a single pass that stops when the result is known.
    public func evaluate(
        _ object: PredicateValue, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Bool {
        try test(object, Binding(variables: variables, options: options).plan(self, isStrict: false))
    }

    private func test(_ object: PredicateValue, _ plan: DynamicPlan) throws(PredicateFailure) -> Bool {
        var context = EvaluationContext(object: object, plan: plan)
        do throws(EvaluationFault) {
            return try plan.test(&context)
        } catch {
            throw error.failure(source: source)
        }
    }

    /// Returns whether a text, a number, a list or another value matches the predicate. The value is SELF.
    public func evaluate(
        _ object: some PredicateValueConvertible, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Bool {
        try evaluate(object.predicateValue, variables: variables, options: options)
    }

    /// Returns whether a dictionary matches the predicate. A missing key is nil.
    ///
    ///     try FormatPredicate("age >= 21").evaluate(["age": 30, "name": "Élodie"])    // true
    ///
    /// - Throws: like `evaluate` with a value; also `argument-type`, with the key, for a value of an
    ///   unsupported type.
    public func evaluate(
        _ object: [String: Any], variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Bool {
        try evaluate(try PredicateValue(converting: object), variables: variables, options: options)
    }

    /// Returns whether an object of a published type matches the predicate. For many objects use
    /// `compiled(for:)`.
    ///
    /// - Throws: every error that `compiled(for:)` throws, except unbound variables that the evaluation does not reach;
    ///   or the error of evaluating this object.
    public func evaluate<Root: Queryable>(
        _ object: Root, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Bool {
        let binding = try Binding(Root.self, variables: variables, options: options)
        return try test(object.queryValue, binding.plan(self, isStrict: false))
    }
}

extension FormatExpression {
    /// Returns the value of the expression for an object.
    ///
    ///     try FormatExpression("price * 2").evaluate(["price": 21])    // 42
    ///
    /// - Throws: like `FormatPredicate.evaluate`.
    public func evaluate(
        _ object: PredicateValue, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> PredicateValue {
        try CompiledExpression(self, variables: variables, options: options).value(of: object)
    }

    /// Returns the value of the expression for a text, a number, a list or another value, which is SELF.
    public func evaluate(
        _ object: some PredicateValueConvertible, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> PredicateValue {
        try evaluate(object.predicateValue, variables: variables, options: options)
    }

    /// Returns the value of the expression for a dictionary.
    public func evaluate(
        _ object: [String: Any], variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> PredicateValue {
        try evaluate(try PredicateValue(converting: object), variables: variables, options: options)
    }

    /// Returns the value of the expression for an object of a published type.
    ///
    /// - Throws: every type error, as for predicates, even if it does not concern this object.
    public func evaluate<Root: Queryable>(
        _ object: Root, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> PredicateValue {
        let binding = try Binding(Root.self, variables: variables, options: options)
        return try CompiledExpression(self, binding.plan(self)).value(of: object.queryValue)
    }
}
