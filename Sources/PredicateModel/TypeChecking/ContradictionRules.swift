// Finds conditions on one key that are never true together, or of which at least one is always true: `age > 30 AND age
// < 20`, `status != 1 OR status != 2`, `NOT (a > 3) AND a > 3`. They are reported as warnings, because the predicate is
// legal but probably a mistake.
package import PredicateSyntax

/// A summary of a condition that is cheap to compute and to compare.
private struct TermMark {
    /// A hash of the key; 0 for conditions without a key.
    let key: Int
    let isNegated: Bool

    init(_ node: PredicateNode) {
        isNegated = if case .not = node.kind { true } else { false }
        guard let key = Self.key(of: node), case .keyPath(let path) = key.kind, let last = path.last?.utf8 else {
            key = 0
            return
        }
        self.key = 2 + (path.count << 16 | min(last.count, 255) << 8 | Int(last.first ?? 0))
    }

    /// The key path that a condition compares with a constant.
    private static func key(of node: PredicateNode) -> ExpressionNode? {
        var node = node
        while case .not(let inner) = node.kind { node = inner }
        guard case .comparison(let comparison) = node.kind else { return nil }
        switch (comparison.left.kind, comparison.right.kind) {
        case (.keyPath, .value), (.keyPath, .aggregate): return comparison.left
        case (.value, .keyPath): return comparison.right
        default: return nil
        }
    }

    /// Whether two conditions compare one key with constants.
    static func haveOneKey(_ one: PredicateNode, _ other: PredicateNode) -> Bool {
        guard let key = Self.key(of: one), let second = Self.key(of: other) else { return false }
        return key.kind == second.kind
    }

    /// A set with one member. Two conditions can be a pair only if their sets overlap, which is rare otherwise.
    var bits: UInt64 { 1 << UInt64(truncatingIfNeeded: (key ^ key >> 6) & 63) }

    /// Two conditions on the same key can be a pair. Other conditions can be one only if one of them is negated.
    func canBePair(with other: TermMark) -> Bool {
        key == other.key && (key != 0 || isNegated || other.isNegated)
    }
}

extension SourceText {
    /// The maximum number of terms of one AND or OR that are compared with each other.
    private static let comparedTerms = 32

    /// Checks the terms of an AND or OR against each other.
    /// - Returns: the result of the whole, if two terms decide it for every value and nil, and a hint; nil if no two
    ///   terms decide it. There is no hint about terms that are not in the text.
    package func checkTerms(_ node: PredicateNode) -> (result: Bool?, hint: Diagnostic?)? {
        let (children, isConjunction): ([PredicateNode], Bool)
        switch node.kind {
        case .and(let terms): (children, isConjunction) = (terms, true)
        case .or(let terms): (children, isConjunction) = (terms, false)
        default: return nil
        }
        let terms = flattened(children, isConjunction)
        guard mayHavePairs(terms) else { return nil }
        let marks = terms.prefix(Self.comparedTerms).map { TermMark($0) }
        for index in marks.indices {
            for earlier in 0..<index where marks[index].canBePair(with: marks[earlier]) {
                let (before, later) = (terms[earlier], terms[index])
                let isPair = marks[index].key != 0 && TermMark.haveOneKey(before, later)
                guard
                    let (id, exception) = (isPair ? finding(before, later, isConjunction) : nil)
                        ?? opposites(before, later, isConjunction)
                else { continue }
                let result = exception.isEmpty ? id == .tautology : nil
                // Terms built in code have no place in the text.
                guard !before.span.isEmpty, !later.span.isEmpty else { return (result, nil) }
                let both = before.span.joined(later.span)
                let isWhole = !bytes[both.range.clamped(to: 0..<bytes.count)].contains(UInt8(ascii: ")"))
                return (
                    result,
                    Diagnostic(id, at: isWhole ? both : node.span, text(before.span), text(later.span), exception)
                )
            }
        }
        return nil
    }

    /// Whether two terms may have the same key. Most predicates have one term for each key.
    private func mayHavePairs(_ terms: [PredicateNode]) -> Bool {
        var (seen, withoutKey, negations) = (UInt64(0), 0, 0)
        for term in terms.prefix(Self.comparedTerms) {
            let mark = TermMark(term)
            if mark.key == 0 {
                withoutKey += 1
                negations += mark.isNegated ? 1 : 0
            } else if seen & mark.bits != 0 {
                return true
            } else {
                seen |= mark.bits
            }
        }
        return withoutKey > 1 && negations > 0
    }

    /// The result of two terms on one key: never true together, or always true.
    private func finding(
        _ before: PredicateNode, _ later: PredicateNode, _ isConjunction: Bool
    ) -> (DiagnosticID, String)? {
        guard let term = KeyCondition(before), let other = KeyCondition(later), !term.isNever, !other.isNever else {
            return nil
        }
        let relation = term.relation(to: other)
        if isConjunction { return relation.contains(.disjoint) ? (.contradiction, "") : nil }
        if relation.contains(.exhaustive) { return (.tautology, "") }
        return term.coversValues(with: other) ? (.tautology, " except nil") : nil
    }

    /// Reports a condition next to its own negation.
    private func opposites(
        _ before: PredicateNode, _ later: PredicateNode, _ isConjunction: Bool
    ) -> (DiagnosticID, String)? {
        func negates(_ node: PredicateNode, _ other: PredicateNode) -> Bool {
            if case .not(let inner) = node.kind, inner.span != node.span { inner == other } else { false }
        }
        guard negates(before, later) || negates(later, before), !before.span.isEmpty, !later.span.isEmpty,
            !later.callsFunctions
        else { return nil }
        return (isConjunction ? .contradiction : .tautology, "")
    }

    /// The terms, including those of nested conditions of the same kind in parentheses.
    private func flattened(_ terms: [PredicateNode], _ isConjunction: Bool) -> [PredicateNode] {
        func nested(_ node: PredicateNode) -> [PredicateNode]? {
            switch node.kind {
            case .and(let terms) where isConjunction: terms
            case .or(let terms) where !isConjunction: terms
            default: nil
            }
        }
        // Most predicates have no nested conditions, so usually no list is built.
        for term in terms.prefix(Self.comparedTerms) where nested(term) != nil {
            return terms.prefix(Self.comparedTerms).flatMap { nested($0) ?? [$0] }
        }
        return terms
    }
}

extension PredicateNode {
    /// Whether the result may differ each time: random(), or a function of the app.
    fileprivate var callsFunctions: Bool {
        var found = false
        PredicateWalker(expression: { node in
            switch node.kind {
            case .call, .method, .fetch, .argument, .error: found = true
            default: break
            }
        }).walk(self)
        return found
    }
}
