// Expressions and comparisons that have one result for all objects.

extension PredicateEnvironment {
    /// The value of an expression that reads neither the object nor a variable, the time or another source of new values;
    /// nil for other expressions, and if it throws.
    func constant(_ node: ExpressionNode) -> PredicateValue? {
        if let value = node.constant { return value }
        return isConstant(node) ? try? FormatExpression(node, in: self).evaluate(PredicateValue.null) : nil
    }

    private func isConstant(_ node: ExpressionNode) -> Bool {
        switch node.kind {
        case .value, .indexSymbol: return true
        case .call, .method, .cast, .binary, .negation, .aggregate, .index:
            if functions.isVolatile(node) { return false }
        default: return false
        }
        var isConstant = true
        node.kind.forEachChild({ _ in isConstant = false }, { isConstant = isConstant && self.isConstant($0) })
        return isConstant
    }

    /// The result of a comparison that reads neither the object nor a variable, the time or the locale; nil for others.
    func constantOutcome(of comparison: ComparisonNode) -> Outcomes? {
        if case .keyPath = comparison.left.kind { return nil }
        if case .keyPath = comparison.right.kind { return nil }
        let node = PredicateNode(.comparison(comparison))
        var usesLocale = false
        PredicateWalker(predicate: { node in
            guard case .comparison(let inner) = node.kind else { return }
            if inner.options.contains(.localeSensitive) { usesLocale = true }
        }).walk(node)
        guard !usesLocale, let plan = try? Binding().plan(FormatPredicate(node, in: self), isStrict: true),
            plan.rootKeys == [], !plan.asksClock, !plan.dependsOnOrder
        else { return nil }
        return Outcomes(of: plan, for: .null)
    }

    /// What evaluation knows without an object.
    var known: KnownParts {
        KnownParts(value: { self.constant($0) }, outcome: { self.constantOutcome(of: $0) })
    }
}
