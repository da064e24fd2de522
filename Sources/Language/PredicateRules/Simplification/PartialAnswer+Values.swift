// Partial evaluation with Swift's values.

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
}
