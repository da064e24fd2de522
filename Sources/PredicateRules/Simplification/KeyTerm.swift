// A condition that compares one expression with constants. KeyTerms.swift merges such terms.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

struct KeyTerm {
    enum Test {
        /// `key == nil`, `key != nil`
        case isNil(Bool)
        /// `key IN {…}` or `NOT key IN {…}`; also `key == c` and `key != c`. No constant is nil.
        case members([SimpleConstant], isExcluded: Bool)
        /// `key < c`, `<=`, `>`, `>=`
        case bound(Order, SimpleConstant)
        /// `key BETWEEN {low, high}`, of one kind and in order
        case between(SimpleConstant, SimpleConstant)
    }

    let key: ExpressionNode
    let test: Test
    /// The term as it is in the predicate.
    let node: PredicateNode

    /// nil for any other condition, and for options, because options change which values are equal.
    init?(_ node: PredicateNode) {
        var (inner, isNegated) = (node, false)
        if case .not(let child) = node.kind { (inner, isNegated) = (child, true) }
        guard case .comparison(let comparison) = inner.kind, comparison.modifier == .direct, comparison.options.isEmpty,
            comparison.left.constant == nil, let test = Self.test(comparison, isNegated)
        else { return nil }
        key = comparison.left
        self.test = test
        self.node = node
    }

    private static func test(_ comparison: ComparisonNode, _ isNegated: Bool) -> Test? {
        if comparison.operator == .in {
            guard let list = constants(of: comparison.right), !list.contains(where: { $0.kind == .null }) else {
                return nil
            }
            return .members(list, isExcluded: isNegated)
        }
        if isNegated { return nil }
        if comparison.operator == .between {
            guard let (low, high) = bounds(of: comparison.right), low.kind == high.kind,
                let relation = low.relation(to: high), relation == .less || relation == .equal
            else { return nil }
            return .between(low, high)
        }
        guard let order = Order(comparison.operator), case .value(let value) = comparison.right.kind,
            let constant = SimpleConstant(value)
        else { return nil }
        switch (order, constant.kind) {
        case (.equal, .null), (.different, .null): return .isNil(order == .equal)
        case (.equal, _), (.different, _): return .members([constant], isExcluded: order == .different)
        case (_, .null): return nil
        default: return .bound(order, constant)
        }
    }

    /// The simple constants in a list; nil if it contains others.
    static func constants(of node: ExpressionNode) -> [SimpleConstant]? {
        let values: [PredicateValue]
        switch node.constant {
        case .array(let elements), .set(let elements): values = elements
        default: return nil
        }
        let simple = values.compactMap { SimpleConstant($0) }
        return simple.count == values.count ? simple : nil
    }

    /// The two bounds of BETWEEN, neither of them nil.
    static func bounds(of node: ExpressionNode) -> (SimpleConstant, SimpleConstant)? {
        guard case .array(let values) = node.constant, values.count == 2, let low = SimpleConstant(values[0]),
            let high = SimpleConstant(values[1]), low.kind != .null, high.kind != .null
        else { return nil }
        return (low, high)
    }
}

extension PredicateNode {
    /// A comparison with a constant that replaces another term.
    static func comparing(
        _ key: ExpressionNode, _ op: ComparisonOperator, _ value: PredicateValue, span: SourceSpan
    ) -> PredicateNode {
        PredicateNode(.comparison(ComparisonNode(key, op, ExpressionNode(.value(value)))), span: span)
    }

    /// `key IN {…}`, `key == c`, or their negation.
    static func membership(
        _ key: ExpressionNode, _ members: [SimpleConstant], isExcluded: Bool, span: SourceSpan
    ) -> PredicateNode {
        if members.count == 1 { return comparing(key, isExcluded ? .notEqual : .equal, members[0].value, span: span) }
        let list = ExpressionNode(.aggregate(members.map { ExpressionNode(.value($0.value)) }))
        let node = PredicateNode(.comparison(ComparisonNode(key, .in, list)), span: span)
        return isExcluded ? PredicateNode(.not(node), span: span) : node
    }

    /// `key BETWEEN {low, high}`
    static func between(
        _ key: ExpressionNode, _ low: SimpleConstant, _ high: SimpleConstant, span: SourceSpan
    ) -> PredicateNode {
        let list = ExpressionNode(.aggregate([ExpressionNode(.value(low.value)), ExpressionNode(.value(high.value))]))
        return PredicateNode(.comparison(ComparisonNode(key, .between, list)), span: span)
    }
}
