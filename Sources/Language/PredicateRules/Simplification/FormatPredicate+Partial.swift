// Partial evaluation: the rest of a predicate when the values of some keys are known.

/// The result of evaluating a predicate when some keys of the object are known.
public enum PartialAnswer: Sendable, Equatable {
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
    /// Returns a warning for each comparison that reads the same known key on both sides, such as `tenant == tenant`,
    /// which `partial(knowing:)` decides without the object.
    /// - Parameter known: the values that `partial(knowing:)` gets; only their names matter.
    public func warnings(knowing known: [String: (any PredicateValueConvertible)?]) -> [PredicateDiagnostic] {
        warnings(knowingKeys: Set(known.keys))
    }

    package func warnings(knowingKeys known: Set<String>) -> [PredicateDiagnostic] {
        var found: [PredicateDiagnostic] = []
        PredicateWalker(predicate: { node in
            guard case .comparison(let comparison) = node.kind, case .keyPath(let left) = comparison.left.kind,
                case .keyPath(let right) = comparison.right.kind, let key = left.first, known.contains(key),
                right.first == key
            else { return }
            let advice = "write $user.\(key) for the known value, and partial(knowing:as: \"user\")"
            found.append(PredicateDiagnostic(.knownKey, at: node.span, key, advice))
        }).walk(root)
        return found
    }

    package func partial(
        knowing known: [String: PredicateValue], as prefix: String?
    ) throws(PredicateFailure) -> PartialAnswer {
        let binding = Binding()
        guard (try? binding.plan(self)) != nil else { return .residual(self) }
        let readsPaths = Prover.takes(root)
        let computed = try substituting(known, as: prefix) { path in
            guard readsPaths else { return nil }
            return try? FormatExpression(ExpressionNode(.keyPath(path)), in: environment).evaluate(
                .dictionary(ValueDictionary(known.map { ($0.key, $0.value) })))
        }
        // A known pattern may be malformed. Then evaluation must fail when it reaches the pattern, not when the
        // residual is bound.
        guard (try? binding.plan(computed)) != nil else {
            return .residual(try substituting(known, as: prefix) { _ in nil })
        }
        let simple = computed.simplified()
        if case .constant(let value) = simple.root.kind { return value ? .always : .never }
        return .residual(simple)
    }
}
