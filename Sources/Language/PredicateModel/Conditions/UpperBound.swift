// Divides a condition between another engine, which can test some comparisons, and memory.

extension PredicateNode {
    /// Returns an upper bound of the condition that another engine can test, and the condition that is still to be
    /// tested in memory. Each is nil if there is none. Every object that fulfils the whole condition fulfils the bound.
    ///
    /// - Parameters:
    ///   - combinesOr: whether the engine combines conditions by OR.
    ///   - negates: whether it negates conditions.
    ///   - tested: the form in which the engine tests a comparison with the same result; nil if it cannot.
    package func upperBound(
        combinesOr: Bool, negates: Bool, where tested: (ComparisonNode) -> PredicateNode?
    ) -> (bound: PredicateNode?, residual: PredicateNode?) {
        switch kind {
        case .constant: return (self, nil)
        case .error: return (nil, self)
        case .comparison(let comparison): return tested(comparison).map { ($0, nil) } ?? (nil, self)
        case .and(let children):
            let parts = children.map { $0.upperBound(combinesOr: combinesOr, negates: negates, where: tested) }
            let bounds = parts.compactMap { $0.bound }
            let never = bounds.first { $0.kind == .constant(false) }
            let terms = bounds.filter { $0.kind != .constant(true) }
            return (
                never ?? Self.conjunction(terms) ?? bounds.first, Self.conjunction(parts.compactMap { $0.residual })
            )
        case .or(let children):
            let parts = children.map { $0.upperBound(combinesOr: combinesOr, negates: negates, where: tested) }
            // A term without an upper bound leaves the OR without one.
            let terms = parts.compactMap { $0.bound }.filter { $0.kind != .constant(false) }
            guard parts.allSatisfy({ $0.bound != nil }), combinesOr || terms.count < 2 else { return (nil, self) }
            let bound = terms.count > 1 ? PredicateNode(.or(terms)) : terms.first ?? PredicateNode(.constant(false))
            return (bound, parts.allSatisfy { $0.residual == nil } ? nil : self)
        case .not(let child):
            // The negation of an upper bound is none, unless the bound is the whole condition.
            let part = child.upperBound(combinesOr: combinesOr, negates: negates, where: tested)
            guard part.residual == nil, let bound = part.bound else { return (nil, self) }
            if case .constant(let value) = bound.kind { return (PredicateNode(.constant(!value)), nil) }
            return negates ? (PredicateNode(.not(bound), span: span), nil) : (nil, self)
        }
    }

    private static func conjunction(_ nodes: [PredicateNode]) -> PredicateNode? {
        nodes.count > 1 ? PredicateNode(.and(nodes)) : nodes.first
    }
}
