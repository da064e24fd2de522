// Tests a single object, or computes a single expression. Each call compiles the predicate. For many objects, compile
// it once (PredicateMatcher.swift).

extension FormatPredicate {
    /// Returns whether an object matches the predicate: an object of a published type, a text, a number, a list or
    /// another value. For many objects use `compiled(for:)`.
    ///
    ///     try FormatPredicate("SELF > $least").evaluate(5, variables: ["least": 3])    // true
    ///
    /// - Throws: `PredicateFailure` with every construct that evaluation refuses; for a published type with every error
    ///   that `compiled(for:)` throws, except unbound variables that the evaluation does not reach; or with the error
    ///   of this evaluation: operands of the wrong type, division by zero, an unbound variable.
    /// - Complexity: compiles the predicate, then evaluates it in a single pass that stops when the result is known.
    public func evaluate(
        _ object: some PredicateValueConvertible, variables: PredicateVariables = [:],
        run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> Bool {
        let (value, binding) = try Binding.of(object, variables: variables, run: run)
        return try test(value, binding)
    }

    /// Returns whether a dictionary matches the predicate. A missing key is nil.
    ///
    ///     try FormatPredicate("age >= 21").evaluate(["age": 30, "name": "Élodie"])    // true
    ///
    /// - Throws: like `evaluate` with a value; also `argument-type`, with the key, for a value of an
    ///   unsupported type.
    public func evaluate(
        _ object: [String: Any], variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> Bool {
        try evaluate(try PredicateValue(converting: object), variables: variables, run: run)
    }
}

extension FormatExpression {
    /// Returns the value of the expression for an object: an object of a published type, a text, a number, a list or
    /// another value.
    ///
    ///     try FormatExpression("price * 2").evaluate(book)    // 42
    ///
    /// - Throws: like `FormatPredicate.evaluate`; for a published type every type error, even if it does not concern
    ///   this object.
    public func evaluate(
        _ object: some PredicateValueConvertible, variables: PredicateVariables = [:],
        run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> PredicateValue {
        let (value, binding) = try Binding.of(object, variables: variables, run: run)
        return try CompiledExpression(self, binding.plan(self)).value(of: value)
    }

    /// Returns the value of the expression for a dictionary.
    public func evaluate(
        _ object: [String: Any], variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> PredicateValue {
        try evaluate(try PredicateValue(converting: object), variables: variables, run: run)
    }
}
