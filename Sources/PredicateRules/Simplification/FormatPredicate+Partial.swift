// Partial evaluation: the rest of a predicate when the values of some keys are known.
import PredicateEvaluation
public import PredicateModel
public import PredicateSyntax

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
    /// Evaluates the parts of the predicate that the known keys decide, and returns the rest as a predicate.
    ///
    ///     let rule = try FormatPredicate("role == 'admin' OR (tenant == owner AND NOT archived == YES)")
    ///     try rule.partial(knowing: ["tenant": 5, "role": "guest"])    // archived != 1 AND owner == 5
    ///     try rule.partial(knowing: ["role": "admin"])                 // .always
    ///
    /// The residual is simplified (`simplified(for:entity:)`) and can be translated to SQL like any other
    /// predicate. Key paths through known objects are resolved. A key with the value nil is known to be nil. A part
    /// that fails with the known values stays in the residual and fails when it is evaluated. `SELF` and variables are
    /// never known.
    ///
    /// The known names and the keys of the object share one scope: with a known tenant, `tenant == tenant` is true for
    /// every object. With a prefix the known values have their own scope, and all keys are those of the object:
    ///
    ///     let rule = try FormatPredicate("tenant == $user.tenant AND archived != YES")
    ///     try rule.partial(knowing: ["tenant": 5], as: "user")         // archived != 1 AND tenant == 5
    ///
    /// - Parameters:
    ///   - known: the values that are known, by the key of the object or by the key after the prefix.
    ///   - prefix: the variable whose keys are known; nil if keys of the object are. Other keys of the variable stay.
    /// - Throws: `argument-type` for an object that may not be Sendable; `limit-exceeded` if the tree becomes too high.
    /// - Complexity: n log n for the number of nodes.
    public func partial(
        knowing known: [String: (any PredicateValueConvertible)?], as prefix: String? = nil
    ) throws(PredicateFailure) -> PartialAnswer {
        try partial(knowing: known.mapValues { $0?.predicateValue ?? .null }, as: prefix)
    }

    /// Returns a warning for each comparison that reads the same known key on both sides, such as `tenant == tenant`,
    /// which `partial(knowing:)` decides without the object.
    /// - Parameter known: the names of the known keys.
    public func warnings(knowing known: some Sequence<String>) -> [Diagnostic] {
        let known = Set(known)
        var found: [Diagnostic] = []
        PredicateWalker(predicate: { node in
            guard case .comparison(let comparison) = node.kind, case .keyPath(let left) = comparison.left.kind,
                case .keyPath(let right) = comparison.right.kind, let key = left.first, known.contains(key),
                right.first == key
            else { return }
            let advice = "write $user.\(key) for the known value, and partial(knowing:as: \"user\")"
            found.append(Diagnostic(.knownKey, at: node.span, key, advice))
        }).walk(root)
        return found
    }

    package func partial(
        knowing known: [String: PredicateValue], as prefix: String?
    ) throws(PredicateFailure) -> PartialAnswer {
        let binding = Binding()
        guard (try? binding.plan(self)) != nil else { return .residual(self) }
        let readsPaths = Simplifier.takes(root)
        let computed = try substituting(known, as: prefix) { path in
            guard readsPaths else { return nil }
            return try? FormatExpression(ExpressionNode(.keyPath(path)), in: environment).evaluate(
                ValueDictionary(known.map { ($0.key, $0.value) }))
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
