// The values of expressions that are the same for every object: `1 + 1`, `{2, -3}`, `abs:(-2)`. Callers that evaluate
// predicates know more of them.

extension OperatorRules {
    /// The value of an expression that reads no key, no variable and no clock; nil for others. A function added by an app
    /// is not called.
    ///
    /// - Throws: what its evaluation throws, such as `integer-overflow`.
    package func constant(_ node: ExpressionNode) throws(EvaluationFault) -> PredicateValue? {
        switch node.kind {
        // A type, which no text of a predicate can be.
        case .value(.type): return nil
        case .value(let value): return value
        case .aggregate(let nodes): return try constants(nodes).map { .array($0) }
        case .negation(let inner):
            guard let value = try constant(inner) else { return nil }
            return try negate(value)
        case .binary(let op, let left, let right):
            guard let left = try constant(left), let right = try constant(right) else { return nil }
            return try apply(op, left, right)
        case .call(let name, let arguments):
            guard let function = environment.functions.function(named: name), function.types != nil,
                !function.isVolatile, let values = try constants(arguments)
            else { return nil }
            var context = FunctionContext(rules: self, clock: { 0 })
            return try function.call(values, &context)
        default: return nil
        }
    }

    private func constants(_ nodes: [ExpressionNode]) throws(EvaluationFault) -> [PredicateValue]? {
        var values: [PredicateValue] = []
        for node in nodes {
            guard let value = try constant(node) else { return nil }
            values.append(value)
        }
        return values
    }
}
