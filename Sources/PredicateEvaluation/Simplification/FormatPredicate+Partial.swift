// Partial evaluation: what is left of a predicate once some keys of the object are known.
public import PredicateModel
public import PredicateSyntax

/// What a predicate comes to where some keys of the object are known.
public enum PartialAnswer: Sendable, Hashable {
    /// The predicate is true, whatever the other keys are.
    case always
    /// The predicate is false, whatever the other keys are.
    case never
    /// A predicate over the other keys, with the same answer and the same failure.
    case residual(FormatPredicate)

    /// The answer as a predicate: a constant or the residual.
    public var predicate: FormatPredicate {
        switch self {
        case .always: .constant(true)
        case .never: .constant(false)
        case .residual(let predicate): predicate
        }
    }
}

extension FormatPredicate {
    /// Evaluates what the known keys of an object decide, and returns the rest as a predicate.
    ///
    ///     let rule = try FormatPredicate("role == 'admin' OR (tenant == owner AND NOT archived == YES)")
    ///     try rule.partial(knowing: ["tenant": 5, "role": "guest"])    // archived != 1 AND owner == 5
    ///     try rule.partial(knowing: ["role": "admin"])                 // .always
    ///
    /// The residual is simplified (`simplified(for:entity:options:)`), and becomes SQL like any other predicate. Paths
    /// through known objects are read. A key with the value nil is known to be nil. What fails with the known values
    /// stays in the residual and fails when it is evaluated. `SELF` itself and variables are not known.
    ///
    /// - Parameters:
    ///   - known: values by key, of the evaluated object itself.
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
        // A known pattern may be malformed. It must fail where it is reached, and not when the residual is bound.
        guard (try? binding.plan(computed, isStrict: false)) != nil else {
            return .residual(try substituting(known) { _ in nil })
        }
        let simple = computed.simplified(options: options)
        if case .constant(let value) = simple.root.kind { return value ? .always : .never }
        return .residual(simple)
    }
}
