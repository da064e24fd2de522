// Rebuilds a tree bottom-up in a simpler form. The result and the failure of every evaluation stay the same. Terms are
// evaluated from left to right; AND stops at the first false term, OR at the first true one. So a term that may throw
// separates the terms before it from those after it.

final class Simplifier {
    private let risks: TermRisks
    private let environment: PredicateEnvironment
    private var redundancy: Redundancy

    init(_ root: PredicateNode, _ risks: TermRisks, in environment: PredicateEnvironment, _ steps: ProofSteps) {
        self.risks = risks
        self.environment = environment
        redundancy = Redundancy(root, risks, in: environment, steps)
    }

    func simplify(_ root: PredicateNode) -> PredicateNode {
        PredicateRewriter<Never>(
            predicate: { self.simplified($0) }, expression: { self.folded($0) }
        ).rewrite(root)
    }

    /// Simplifies a node whose children are already simplified.
    private func simplified(_ node: PredicateNode) -> PredicateNode {
        switch node.kind {
        case .constant, .error: node
        case .comparison(let comparison): simplified(comparison, node)
        case .and(let children): compound(children, isAnd: true, node.span)
        case .or(let children): compound(children, isAnd: false, node.span)
        case .not(let child): negated(child, node.span)
        }
    }

    // MARK: NOT

    private func negated(_ node: PredicateNode, _ span: SourceSpan) -> PredicateNode {
        switch node.kind {
        case .constant(let value): return PredicateNode(.constant(!value), span: span)
        case .not(let child): return child
        case .and(let children): return negated(children, isAnd: true, span)
        case .or(let children): return negated(children, isAnd: false, span)
        case .comparison(let comparison):
            return complement(comparison, span) ?? PredicateNode(.not(node), span: span)
        case .error: return PredicateNode(.not(node), span: span)
        }
    }

    @inline(never)
    private func negated(_ children: [PredicateNode], isAnd: Bool, _ span: SourceSpan) -> PredicateNode {
        compound(children.map { negated($0, $0.span) }, isAnd: !isAnd, span)
    }

    /// The comparison that is true where another one is false. `NOT a < 5` is also true for nil and NaN, so for an
    /// order it exists only if the value is neither.
    private func complement(_ comparison: ComparisonNode, _ span: SourceSpan) -> PredicateNode? {
        guard comparison.modifier == .direct, let order = Order(comparison.operator) else { return nil }
        var opposite = comparison
        opposite.operator = order.complement.comparison
        if order != .equal, order != .different {
            let type = risks.type(of: comparison.left)
            let other = risks.type(of: comparison.right)
            guard comparison.options.isEmpty, !type.isOptional, !other.isOptional else { return nil }
            let isWhole = [type.kind, other.kind].allSatisfy { $0 == .integer || $0 == .boolean }
            guard isWhole || type.kind == .string && other.kind == .string else { return nil }
        }
        return simplified(opposite, PredicateNode(.comparison(opposite), span: span))
    }

    // MARK: Comparisons

    private func simplified(_ comparison: ComparisonNode, _ node: PredicateNode) -> PredicateNode {
        if let outcome = environment.constantOutcome(of: comparison), outcome != .raised {
            return PredicateNode(.constant(outcome == .true), span: node.span)
        }
        let (left, right) = (comparison.left.constant, comparison.right.constant)
        if left != nil, right != nil { return node }
        guard comparison.modifier == .direct else { return node }
        return left == nil ? withConstant(comparison, node) : mirrored(comparison, node) ?? node
    }

    /// The comparison with its constant on the right side.
    private func mirrored(_ comparison: ComparisonNode, _ node: PredicateNode) -> PredicateNode? {
        guard let (_, op, constant) = comparison.keyed(), op != .contains else { return nil }
        let neverFails = op == .equal || op == .notEqual || op == .in && constant.elements != nil
        // The error message names the operator and the operands in their order.
        guard neverFails || Order(op) != nil && risks.risks(of: node).isEmpty else { return nil }
        let other = ComparisonNode(comparison.right, op, comparison.left, options: comparison.options)
        return simplified(other, PredicateNode(.comparison(other), span: node.span))
    }

    /// A comparison of a key with a constant in its normal form, with a sorted list and bounds in order.
    private func withConstant(_ comparison: ComparisonNode, _ node: PredicateNode) -> PredicateNode {
        guard let condition = KeyCondition(comparison), !risks.isOpen(condition) else { return node }
        if condition.isNever {
            return risks.mayRaise(reading: condition.key)
                ? node : PredicateNode(.constant(condition.isNegated), span: node.span)
        }
        var simple = condition
        switch condition.test {
        case .isNil: break
        case .members(let list):
            if list.contains(where: { ConstantKind($0) == nil }) { return node }
            simple = condition.with(.members(list.distinctInOrder()))
        case .range(let low, let high):
            guard let kind = ConstantKind(low), kind == ConstantKind(high), low.typeDescription == high.typeDescription
            else { return node }
            if low == high, risks.risks(of: node).isEmpty { simple = condition.with(.members([low])) }
        case .text("", _), .pattern(.like, ""), .contains(.string("")):
            guard risks.risks(of: node).isEmpty else { return node }
            // A list can contain the empty text.
            if comparison.operator == .contains, risks.type(of: condition.key).kind != .string { return node }
            return PredicateNode(.constant(false), span: node.span)
        case .order, .text, .contains, .part, .pattern: return node
        }
        let result = simple.node(span: node.span)
        return result == node ? node : result
    }

    // MARK: Expressions

    /// The value of a constant expression, if it can be written as a literal.
    private func folded(_ node: ExpressionNode) -> ExpressionNode {
        switch node.kind {
        case .ternary(let condition, let yes, let no):
            guard case .constant(let value) = condition.kind else { return node }
            return value ? yes : no
        case .call, .method, .binary, .negation, .cast, .index: break
        default: return node
        }
        guard let value = environment.constant(node) else { return node }
        switch value {
        case .null, .bool, .integer, .decimal, .string: break
        case .double(let number) where number.isFinite: break
        default: return node
        }
        return ExpressionNode(.value(value), span: node.span)
    }

    // MARK: AND and OR

    private func compound(_ children: [PredicateNode], isAnd: Bool, _ span: SourceSpan) -> PredicateNode {
        var terms = children.flatMap { $0.terms(isAnd: isAnd) }
        // A merged term may absorb others. The second round usually changes nothing.
        for _ in 0..<8 {
            var list = TermList(terms, isAnd: isAnd, risks)
            let next = redundancy.reduced(list.simplified(), isAnd: isAnd)
            if next == terms { break }
            terms = next
        }
        if terms.isEmpty { return PredicateNode(.constant(isAnd), span: span) }
        if terms.count == 1 { return terms[0] }
        return PredicateNode(isAnd ? .and(terms) : .or(terms), span: span)
    }
}
