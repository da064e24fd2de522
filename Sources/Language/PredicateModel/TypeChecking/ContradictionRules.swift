// Finds terms of an AND that are never true together, and terms of an OR of which one is always true: `age > 30 AND age
// < 20`, `status != 1 OR status != 2`, `a > 5 AND (a < 3 OR a == 4)`. They are reported as warnings, because the
// predicate is legal but probably a mistake. Prover decides, so the same conditions are refused for changes and dropped
// by simplification.

/// Finds such terms in the nodes of one tree.
package struct ContradictionRules {
    /// The maximum number of terms of one AND or OR that are compared with each other.
    private static let comparedTerms = 32

    private let source: SourceText
    private var prover: Prover

    /// - Parameter tree: the tree whose nodes are checked, with its typed texts read.
    package init(_ tree: PredicateTree, _ source: SourceText, _ types: TypeChecker) {
        self.source = source
        prover = Prover(tree, types: types)
    }

    /// A warning about the fewest terms of an AND or OR that decide its result together; nil if they do not, or if they
    /// are not in the text. A term that decides it alone has a warning of its own.
    package mutating func warning(about node: PredicateNode) -> PredicateDiagnostic? {
        let isAnd = if case .and = node.kind { true } else { false }
        let terms = node.terms(isAnd: isAnd).prefix(Self.comparedTerms)
        guard terms.count > 1, Prover.takes(node) else { return nil }
        let goals = terms.map { (prover.read($0), Outcomes(isAnd)) }
        for exceptsNil in isAnd ? [false] : [false, true] {
            var open = Array(goals.indices)
            while let deciding = prover.core(open.map { goals[$0] }, exceptsNil: exceptsNil) {
                let parts = deciding.map { terms[open[$0]] }
                if parts.count > 1, !Self.readsListAndValue(parts) {
                    return warning(about: parts, of: node, isAnd: isAnd, exceptsNil ? " except nil" : "")
                }
                open.remove(at: deciding[0])
            }
        }
        return nil
    }

    /// Whether a key has a quantifier in one comparison and none in another. It cannot be a list and a single value, but
    /// then the mistake is the quantifier, which the type checker reports if it knows the key's type.
    private static func readsListAndValue(_ parts: [PredicateNode]) -> Bool {
        var lists: Set<ExpressionNode> = []
        var values: Set<ExpressionNode> = []
        let walker = PredicateWalker(predicate: { node in
            guard case .comparison(let comparison) = node.kind else { return }
            if comparison.modifier == .direct { values.insert(comparison.left) } else { lists.insert(comparison.left) }
        })
        for part in parts { walker.walk(part) }
        return !lists.isDisjoint(with: values)
    }

    private func warning(
        about parts: [PredicateNode], of node: PredicateNode, isAnd: Bool, _ exception: String
    ) -> PredicateDiagnostic? {
        if parts.contains(where: { $0.span.isEmpty }) { return nil }
        let all = parts.dropFirst().reduce(parts[0].span) { $0.joined($1.span) }
        let isWhole = !source.bytes[all.range.clamped(to: 0..<source.bytes.count)].contains(UInt8(ascii: ")"))
        let texts = parts.map { source.text($0.span) }
        return PredicateDiagnostic(
            isAnd ? .contradiction : .tautology, at: isWhole ? all : node.span,
            texts.dropLast().joined(separator: "', '"), texts[texts.count - 1], exception)
    }
}
