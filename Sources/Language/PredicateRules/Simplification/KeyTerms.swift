// Merges the conditions of one AND or OR on the same expression: ranges, lists, tests for nil.

enum KeyTerms {
    /// Merges conditions on one key. nil if no value fulfils an AND, or if every value and nil fulfil an OR.
    /// - Parameter joinsBounds: whether two bounds of an AND may become one BETWEEN or `==`, which fail with other
    ///   messages, and BETWEEN two bounds.
    static func merged(_ terms: [KeyCondition], isAnd: Bool, joinsBounds: Bool) -> [KeyCondition]? {
        // An OR is the negation of the AND of its negated terms.
        isAnd
            ? conjunction(terms, joinsBounds: joinsBounds)
            : conjunction(terms.map { $0.negated }, joinsBounds: false)?.map { $0.negated }
    }

    private static func conjunction(_ terms: [KeyCondition], joinsBounds: Bool) -> [KeyCondition]? {
        // The excluded values become one list first, because a long OR has one for each term.
        var excluded: [PredicateValue] = []
        var open: [KeyCondition] = []
        for term in terms {
            switch term.test {
            case .members(let list) where term.isNegated: excluded += list
            case .range(let low, let high):
                open += [term.with(.order(.greaterOrEqual, low)), term.with(.order(.lessOrEqual, high))]
            default: open.append(term)
            }
        }
        if !excluded.isEmpty {
            open.append(KeyCondition(terms[0].key, .members(excluded.distinctInOrder()), isNegated: true))
        }
        var kept: [KeyCondition] = []
        next: while let term = open.popLast() {
            for index in kept.indices.reversed() {
                let relation = term.relation(to: kept[index])
                if relation.contains(.disjoint) { return nil }
                if relation.contains(.impliedBy) { continue next }
                if relation.contains(.implies) {
                    kept.remove(at: index)
                } else if let simpler = simpler(term, kept[index], joinsBounds: joinsBounds) {
                    kept.remove(at: index)
                    open += simpler
                    continue next
                }
            }
            kept.append(term)
        }
        return (joinsBounds ? joined(kept) : kept).map { term in
            if case .members(let list) = term.test { term.with(.members(list.distinctInOrder())) } else { term }
        }
    }

    /// Conditions with the same meaning as two others together, but with shorter lists; nil if there are none.
    private static func simpler(
        _ one: KeyCondition, _ other: KeyCondition, joinsBounds: Bool
    ) -> [KeyCondition]? {
        for (term, test) in [(one, other), (other, one)] {
            guard case .members(let list) = term.test else { continue }
            // A value that does not fulfil one condition need not be in the list of the other, whether that lists the
            // accepted or the excluded values.
            let decide = test.decision()
            let rest = list.filter { decide($0) != false }
            if rest.count < list.count { return [term.with(.members(rest)), test] }
        }
        // `a >= 5 AND a <= 5`
        guard joinsBounds, let (low, high) = closed(one, other) ?? closed(other, one), low == high else { return nil }
        return [one.with(.members([low]))]
    }

    /// The bounds of `key >= low` and `key <= high`, if both have one type.
    private static func closed(_ lower: KeyCondition, _ upper: KeyCondition) -> (PredicateValue, PredicateValue)? {
        guard case .order(.greaterOrEqual, let low) = lower.test, case .order(.lessOrEqual, let high) = upper.test,
            ConstantKind(low) == ConstantKind(high)
        else { return nil }
        return (low, high)
    }

    /// Joins two bounds to one BETWEEN.
    private static func joined(_ terms: [KeyCondition]) -> [KeyCondition] {
        terms.compactMap { term in
            if let (low, high) = terms.lazy.compactMap({ closed(term, $0) }).first {
                return term.with(.range(low, high))
            }
            return terms.contains { closed($0, term) != nil } ? nil : term
        }
    }
}

extension KeyCondition {
    /// A term that can be merged with others on its key; nil for any other condition, and for options, because they
    /// change which values are equal.
    init?(mergeable node: PredicateNode) {
        var (inner, isNegated) = (node, false)
        if case .not(let child) = node.kind { (inner, isNegated) = (child, true) }
        // The message of a failure names the operands in their order, so a constant stays at the left.
        guard case .comparison(let comparison) = inner.kind, comparison.left.constant == nil,
            let condition = KeyCondition(comparison, isNegated: isNegated), condition.quantifier == .direct,
            condition.options.isEmpty
        else { return nil }
        switch condition.test {
        case .isNil: break
        case .members(let list): if list.contains(where: { ConstantKind($0) == nil }) { return nil }
        case .order(_, let constant): if condition.isNegated || ConstantKind(constant) == nil { return nil }
        case .range(let low, let high):
            guard !condition.isNegated, let kind = ConstantKind(low), kind == ConstantKind(high) else { return nil }
        case .text, .contains, .part, .pattern: return nil
        }
        self = condition
    }

    /// Whether it is BETWEEN.
    var isRange: Bool { if case .range = test { true } else { false } }
}
