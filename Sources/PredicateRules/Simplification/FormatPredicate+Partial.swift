// Partial evaluation: the rest of a predicate when the values of some keys are known.
public import PredicateEvaluation
public import PredicateModel
public import PredicateSyntax

/// The result of evaluating a predicate when some keys of the object are known.
public enum PartialAnswer: Sendable, Hashable {
    /// The predicate is true, whatever the other keys are.
    case always
    /// The predicate is false, whatever the other keys are.
    case never
    /// A predicate over the other keys, with the same result and the same failures.
    case residual(FormatPredicate)

    /// The result as a predicate: a constant or the residual.
    public var predicate: FormatPredicate {
        switch self {
        case .always: .constant(true)
        case .never: .constant(false)
        case .residual(let predicate): predicate
        }
    }
}

extension FormatPredicate {
    /// Evaluates the parts of the predicate that the known keys decide, and returns the rest as a predicate.
    ///
    ///     let rule = try FormatPredicate("role == 'admin' OR (tenant == owner AND NOT archived == YES)")
    ///     try rule.partial(knowing: ["tenant": 5, "role": "guest"])    // archived != 1 AND owner == 5
    ///     try rule.partial(knowing: ["role": "admin"])                 // .always
    ///
    /// The residual is simplified (`simplified(for:entity:options:)`) and can be translated to SQL like any other
    /// predicate. Key paths through known objects are resolved. A key with the value nil is known to be nil. A part
    /// that fails with the known values stays in the residual and fails when it is evaluated. `SELF` and variables are
    /// never known.
    ///
    /// - Parameters:
    ///   - known: the values of the object's keys that are known.
    ///   - options: the functions and the language options of the evaluation.
    /// - Throws: `argument-type` for an object that may not be Sendable; `limit-exceeded` if the tree becomes too high.
    /// - Complexity: n log n for the number of nodes.
    public func partial(
        knowing known: [String: (any PredicateValueConvertible)?], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> PartialAnswer {
        try partial(knowing: known.mapValues { $0?.predicateValue ?? .null }, options: options)
    }

    package func partial(
        knowing known: [String: PredicateValue], options: EvaluationOptions
    ) throws(PredicateFailure) -> PartialAnswer {
        let binding = Binding(variables: [:], options: options)
        guard (try? binding.plan(self, isStrict: false)) != nil else { return .residual(self) }
        let readsPaths = Simplifier.takes(root)
        let computed = try substituting(known) { path in
            guard readsPaths else { return nil }
            return try? FormatExpression(ExpressionNode(.keyPath(path))).evaluate(
                .dictionary(ValueDictionary(known.map { ($0.key, $0.value) })), options: options)
        }
        // A known pattern may be malformed. Then evaluation must fail when it reaches the pattern, not when the
        // residual is bound.
        guard (try? binding.plan(computed, isStrict: false)) != nil else {
            return .residual(try substituting(known) { _ in nil })
        }
        let simple = computed.simplified(options: options)
        if case .constant(let value) = simple.root.kind { return value ? .always : .never }
        return .residual(simple)
    }
}
