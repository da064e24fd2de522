// Testing one object, and computing one expression: the throwing forms. Each call compiles the predicate; for many
// objects compile it once (Matcher.swift).
public import PredicateModel
public import PredicateSyntax

/// Values, or expressions, for the variables of a predicate, by name without `$`.
public typealias PredicateVariables = [String: (any FormatArgumentConvertible)?]

extension FormatPredicate {
    /// Whether a value satisfies the predicate.
    ///
    ///     try FormatPredicate("SELF > $least").evaluate(5, variables: ["least": 3])  // true
    ///
    /// - Throws: what the predicate may not do (all of it, with spans), or what went wrong with this value: operands of
    ///   the wrong kind, division by zero, an unbound variable.
    /// - Complexity: compiles the predicate, then one pass that stops as soon as the answer is known.
    public func evaluate(
        _ object: Value, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Bool {
        try test(object, DynamicPlan(self, variables: variables.mapValues(\.argument), options: options))
    }

    private func test(_ object: Value, _ plan: DynamicPlan) throws(PredicateFailure) -> Bool {
        var context = EvaluationContext(object: object, plan: plan)
        do throws(EvaluationFault) {
            return try plan.test(&context)
        } catch {
            throw PredicateFailure(error.diagnostic, source: source)
        }
    }

    /// Whether a text, a number, a list … satisfies the predicate; it is SELF.
    public func evaluate(
        _ object: some PredicateValueConvertible, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Bool {
        try evaluate(object.predicateValue, variables: variables, options: options)
    }

    /// Whether a dictionary satisfies the predicate. An absent key is nil.
    ///
    ///     try FormatPredicate("age >= 21").evaluate(["age": 30, "name": "Élodie"])  // true
    ///
    /// - Throws: also for a value of a type that the language does not know, naming its key.
    public func evaluate(
        _ object: [String: Any], variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Bool {
        try evaluate(try Value(converting: object), variables: variables, options: options)
    }

    /// Whether an object of a published type satisfies the predicate. For many objects use `compiled(for:)`.
    ///
    /// - Throws: what `compiled(for:)` throws, whatever the object; or what went wrong with this object.
    public func evaluate<Root: Queryable>(
        _ object: Root, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Bool {
        let binding = try TypedBinding(Root.self, variables: variables, options: options)
        return try test(object.queryValue, binding.plan(self, isStrict: false).plan)
    }
}

extension FormatExpression {
    /// The value of the expression for an object.
    ///
    ///     try FormatExpression("price * 2").evaluate(["price": 21])  // 42
    ///
    /// - Throws: as for predicates.
    public func evaluate(
        _ object: Value, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Value {
        try value(object, DynamicPlan(self, variables: variables.mapValues(\.argument), options: options))
    }

    private func value(_ object: Value, _ plan: DynamicPlan) throws(PredicateFailure) -> Value {
        var context = EvaluationContext(object: object, plan: plan)
        do throws(EvaluationFault) {
            return try plan.value(&context)
        } catch {
            throw PredicateFailure(error.diagnostic, source: source)
        }
    }

    /// The value of the expression for a text, a number, a list …, which is SELF.
    public func evaluate(
        _ object: some PredicateValueConvertible, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Value {
        try evaluate(object.predicateValue, variables: variables, options: options)
    }

    /// The value of the expression for a dictionary.
    public func evaluate(
        _ object: [String: Any], variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Value {
        try evaluate(try Value(converting: object), variables: variables, options: options)
    }

    /// The value of the expression for an object of a published type.
    ///
    /// - Throws: every type error, whatever the object, as for predicates.
    public func evaluate<Root: Queryable>(
        _ object: Root, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Value {
        let binding = try TypedBinding(Root.self, variables: variables, options: options)
        return try value(object.queryValue, binding.plan(self))
    }
}

extension Optional where Wrapped == any FormatArgumentConvertible {
    var argument: FormatArgument { self?.formatArgument ?? .value(.null) }
}
