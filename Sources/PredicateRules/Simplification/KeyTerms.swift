// Merges the conditions of one AND or OR on the same expression: ranges, lists, tests for nil.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// The result of merging a group of terms.
enum MergedTerms {
    case constant(Bool)
    case terms([PredicateNode])
}

/// The conditions of an AND or OR on one expression. Each term of an AND restricts the possible values; each term of an
/// OR extends them.
struct KeyTerms {
    /// A bound, and the term that it was taken from.
    private struct Bound {
        let order: Order
        let constant: SimpleConstant
        let node: PredicateNode?

        var isStrict: Bool { order == .less || order == .greater }
    }

    private let key: ExpressionNode
    private let isAnd: Bool
    private let span: SourceSpan
    /// Whether two bounds may be merged to one BETWEEN or `==`, which fail with other messages.
    private let joinsBounds: Bool
    private var requiresNil = false
    private var requiresValue = false
    /// The values of IN: in an AND the values that all lists contain, in an OR the values of any list.
    private var members: [SimpleConstant]?
    /// The values of NOT IN: in an AND the values of any list, in an OR the values that all lists contain.
    private var excluded: [SimpleConstant]?
    /// The tightest bounds for each type of constant.
    private var lower: [ConstantKind: Bound] = [:]
    private var upper: [ConstantKind: Bound] = [:]

    /// Merges terms that have the same key.
    static func merge(_ terms: [KeyTerm], isAnd: Bool, joinsBounds: Bool) -> MergedTerms {
        var group = KeyTerms(terms[0], isAnd: isAnd, joinsBounds: joinsBounds)
        for term in terms { group.add(term) }
        return isAnd ? group.conjunction() : group.disjunction()
    }

    private init(_ first: KeyTerm, isAnd: Bool, joinsBounds: Bool) {
        key = first.key
        span = first.node.span
        self.isAnd = isAnd
        self.joinsBounds = joinsBounds
    }

    private mutating func add(_ term: KeyTerm) {
        switch term.test {
        case .isNil(true): requiresNil = true
        case .isNil(false): requiresValue = true
        case .members(let list, let isExcluded):
            // Lists are intersected if terms restrict the values; otherwise they are united.
            if isExcluded {
                excluded = isAnd ? (excluded ?? []) + list : meet(excluded, list)
            } else {
                members = isAnd ? meet(members, list) : (members ?? []) + list
            }
        case .bound(let order, let constant): add(Bound(order: order, constant: constant, node: term.node))
        case .between(let low, let high):
            add(Bound(order: .greaterOrEqual, constant: low, node: nil))
            add(Bound(order: .lessOrEqual, constant: high, node: nil))
        }
    }

    /// The constants that both lists contain. No constant of one list equals one of the other with another number type;
    /// see `mergeable`.
    private func meet(_ known: [SimpleConstant]?, _ list: [SimpleConstant]) -> [SimpleConstant] {
        guard let known else { return list }
        let others = Set(list)
        return known.filter(others.contains)
    }

    private mutating func add(_ bound: Bound) {
        let isUpper = bound.order == .less || bound.order == .lessOrEqual
        let kind = bound.constant.kind
        guard let known = isUpper ? upper[kind] : lower[kind] else {
            if isUpper { upper[kind] = bound } else { lower[kind] = bound }
            return
        }
        let relation = bound.constant.relation(to: known.constant)
        let isTighter =
            relation == .equal
            ? bound.isStrict && !known.isStrict : isUpper ? relation == .less : relation == .greater
        let isSame = relation == .equal && bound.isStrict == known.isStrict
        guard !isSame, isTighter == isAnd else { return }
        if isUpper { upper[kind] = bound } else { lower[kind] = bound }
    }

    private var bounds: [Bound] {
        (Array(lower.values) + upper.values).sorted {
            ($0.constant.kind.rawValue, $0.order == .less || $0.order == .lessOrEqual ? 1 : 0)
                < ($1.constant.kind.rawValue, $1.order == .less || $1.order == .lessOrEqual ? 1 : 0)
        }
    }

    /// Whether a value that equals a constant fulfils a bound; nil if this is unknown.
    private func passes(_ constant: SimpleConstant, _ bound: Bound) -> Bool? {
        constant.fulfils(bound.order, bound.constant)
    }

    // MARK: AND

    private mutating func conjunction() -> MergedTerms {
        let hasBounds = !lower.isEmpty || !upper.isEmpty
        if requiresNil {
            return requiresValue || members != nil || hasBounds ? .constant(false) : .terms([nilTest(true)])
        }
        if boundsConflict { return .constant(false) }
        if let list = members { return narrowed(list) }
        collapseBounds()
        if let list = members { return narrowed(list) }
        let bounds = bounds
        let rest = excluded.map { list in
            SimpleConstant.sorted(list.filter { one in !bounds.contains { passes(one, $0) == false } })
        }
        var nodes: [PredicateNode] = requiresValue && !hasBounds ? [nilTest(false)] : []
        nodes += emit(bounds)
        if let rest, !rest.isEmpty { nodes.append(.membership(key, rest, isExcluded: true, span: span)) }
        return .terms(nodes)
    }

    /// The terms if the value must be in a list.
    private func narrowed(_ list: [SimpleConstant]) -> MergedTerms {
        var undecided: [Bound] = []
        var kept = list
        for bound in bounds {
            var isDecided = true
            kept = kept.filter { one in
                guard let passes = passes(one, bound) else {
                    isDecided = false
                    return true
                }
                return passes
            }
            if !isDecided { undecided.append(bound) }
        }
        var others: [SimpleConstant] = []
        if let excluded {
            let all = Set(excluded)
            kept.removeAll(where: all.contains)
            // The list has 5 and 5.0, and a decimal may equal only one of them.
            let numbers = Set(kept.compactMap { $0.kind.isNumber ? $0.value.doubleValue : nil })
            others = excluded.filter { $0.value.doubleValue.map(numbers.contains) ?? false }
        }
        if kept.isEmpty { return .constant(false) }
        var nodes = [PredicateNode.membership(key, SimpleConstant.sorted(kept), isExcluded: false, span: span)]
        nodes += emit(undecided)
        if !others.isEmpty {
            nodes.append(.membership(key, SimpleConstant.sorted(others), isExcluded: true, span: span))
        }
        return .terms(nodes)
    }

    /// Whether a lower bound is greater than an upper one.
    private var boundsConflict: Bool {
        for low in lower.values {
            for high in upper.values {
                switch low.constant.relation(to: high.constant) {
                case .greater: return true
                case .equal where low.isStrict || high.isStrict: return true
                default: break
                }
            }
        }
        return false
    }

    /// Replaces `key >= 5 AND key <= 5` by `key == 5`.
    private mutating func collapseBounds() {
        guard joinsBounds else { return }
        for (kind, low) in lower {
            guard let high = upper[kind], low.constant.relation(to: high.constant) == .equal else { continue }
            members = [low.constant]
            lower[kind] = nil
            upper[kind] = nil
            return
        }
    }

    private func emit(_ bounds: [Bound]) -> [PredicateNode] {
        var nodes: [PredicateNode] = []
        var index = 0
        while index < bounds.count {
            let bound = bounds[index]
            index += 1
            if joinsBounds, index < bounds.count, bound.order == .greaterOrEqual,
                bounds[index].order == .lessOrEqual, bounds[index].constant.kind == bound.constant.kind
            {
                nodes.append(.between(key, bound.constant, bounds[index].constant, span: span))
                index += 1
                continue
            }
            nodes.append(
                bound.node ?? .comparing(key, bound.order.comparison, bound.constant.value, span: span))
        }
        return nodes
    }

    private func nilTest(_ isNil: Bool) -> PredicateNode {
        .comparing(key, isNil ? .equal : .notEqual, .null, span: span)
    }

    // MARK: OR

    private mutating func disjunction() -> MergedTerms {
        if requiresNil && requiresValue { return .constant(true) }
        if requiresValue {
            // Lists and bounds do not hold for nil. The remaining excluded values do not hold for nil either.
            return excluded == nil ? .terms([nilTest(false)]) : .constant(true)
        }
        let bounds = bounds
        if var list = excluded {
            let accepted = Set(members ?? [])
            list.removeAll { one in accepted.contains(one) || bounds.contains { passes(one, $0) == true } }
            if list.isEmpty { return .constant(true) }
            var nodes: [PredicateNode] = []
            // Keep constants that may equal an excluded value of another number type.
            let numbers = Set(list.compactMap { $0.value.doubleValue })
            let open = (members ?? []).filter { $0.value.doubleValue.map(numbers.contains) ?? false }
            if !open.isEmpty {
                nodes.append(.membership(key, SimpleConstant.sorted(open), isExcluded: false, span: span))
            }
            nodes.append(.membership(key, SimpleConstant.sorted(list), isExcluded: true, span: span))
            return .terms(nodes + emit(bounds.filter { bound in list.contains { passes($0, bound) == nil } }))
        }
        var nodes: [PredicateNode] = requiresNil ? [nilTest(true)] : []
        if let members {
            let kept = members.filter { one in !bounds.contains { passes(one, $0) == true } }
            if !kept.isEmpty {
                nodes.append(.membership(key, SimpleConstant.sorted(kept), isExcluded: false, span: span))
            }
        }
        return .terms(nodes + emit(bounds))
    }

    // MARK: Selecting mergeable terms

    /// The terms that can be merged; the others stay unchanged. BETWEEN stays if its bounds must not be separated. A
    /// list stays if it contains the same number as an integer and as a double.
    static func mergeable(_ terms: [KeyTerm], joinsBounds: Bool) -> [KeyTerm] {
        var kinds: [Double: ConstantKind] = [:]
        return terms.filter { term in
            switch term.test {
            case .isNil, .bound: return true
            case .between: return joinsBounds
            case .members(let list, _):
                for one in list where one.kind.isNumber {
                    guard let number = one.value.doubleValue else { continue }
                    if let other = kinds[number], other != one.kind { return false }
                    kinds[number] = one.kind
                }
                return true
            }
        }
    }
}
