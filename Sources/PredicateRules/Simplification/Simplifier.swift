// Rebuilds a tree bottom-up in a simpler form. The result and the failure of every evaluation stay the same. Terms are
// evaluated from left to right; AND stops at the first false term, OR at the first true one. So a term that may throw
// separates the terms before it from those after it.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

final class Simplifier {
    /// Whether the height of a predicate is supported. Higher predicates are not simplified or explained in parts,
    /// because each level needs more stack than evaluation.
    static func takes(_ root: PredicateNode) -> Bool {
        Int(root.height) <= ThreadStack.height(64, for: root.height)
    }

    private let risks: TermRisks
    private let options: EvaluationOptions

    init(_ risks: TermRisks, options: EvaluationOptions) {
        self.risks = risks
        self.options = options
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
        if let answer = answer(of: comparison, node) { return PredicateNode(.constant(answer), span: node.span) }
        let (left, right) = (comparison.left.constant, comparison.right.constant)
        if left != nil, right != nil { return node }
        guard comparison.modifier == .direct else { return node }
        if left != nil { return mirrored(comparison, node) ?? node }
        guard let right else { return node }
        return withConstant(comparison, right, node)
    }

    /// The result of a comparison that does not read the object; nil if it throws, or depends on the time or the
    /// locale.
    private func answer(of comparison: ComparisonNode, _ node: PredicateNode) -> Bool? {
        if case .keyPath = comparison.left.kind { return nil }
        if case .keyPath = comparison.right.kind { return nil }
        var usesLocale = false
        PredicateWalker(predicate: { node in
            guard case .comparison(let inner) = node.kind else { return }
            if inner.options.contains(.localeSensitive) { usesLocale = true }
        }).walk(node)
        let alone = FormatPredicate(node)
        guard !usesLocale,
            let plan = try? Binding(variables: [:], options: options).plan(alone, isStrict: true).plan,
            plan.rootKeys == [], !plan.asksClock, !plan.dependsOnOrder
        else { return nil }
        return try? alone.evaluate(PredicateValue.null, options: options)
    }

    /// The comparison with its constant on the right side.
    private func mirrored(_ comparison: ComparisonNode, _ node: PredicateNode) -> PredicateNode? {
        var other = comparison
        (other.left, other.right) = (comparison.right, comparison.left)
        if comparison.operator == .contains, comparison.left.constant?.elements != nil {
            other.operator = .in
        } else if let order = Order(comparison.operator) {
            other.operator = order.mirrored.comparison
            // The error message for an order names both operands.
            guard order == .equal || order == .different || risks.risks(of: node).isEmpty else { return nil }
        } else {
            return nil
        }
        return simplified(other, PredicateNode(.comparison(other), span: node.span))
    }

    private func withConstant(
        _ comparison: ComparisonNode, _ right: PredicateValue, _ node: PredicateNode
    ) -> PredicateNode {
        let (op, key, span) = (comparison.operator, comparison.left, node.span)
        if case .custom = op { return node }
        if right.isNil {
            switch op {
            case .equal, .notEqual: return .comparing(key, op, .null, span: span)
            case .lessThanOrEqual, .greaterThanOrEqual: return .comparing(key, .equal, .null, span: span)
            default: return constant(false, reading: key, node)
            }
        }
        if case .double(let number) = right, number.isNaN, op == .equal || op == .notEqual {
            return constant(op == .notEqual, reading: key, node)
        }
        switch op {
        case .in where comparison.options.isEmpty: return membership(key, right, node)
        case .between: return between(key, right, node)
        case .beginsWith, .endsWith, .contains, .like:
            guard case .string("") = right, risks.risks(of: node).isEmpty else { return node }
            // A list can contain the empty text.
            if op == .contains, risks.type(of: key).kind != .string { return node }
            return PredicateNode(.constant(false), span: span)
        default: return node
        }
    }

    /// Replaces a comparison by a constant, unless reading its key may throw.
    private func constant(_ value: Bool, reading key: ExpressionNode, _ node: PredicateNode) -> PredicateNode {
        risks.mayRaise(reading: key) ? node : PredicateNode(.constant(value), span: node.span)
    }

    /// `key IN {…}` with its list sorted, without duplicates and nil.
    private func membership(_ key: ExpressionNode, _ list: PredicateValue, _ node: PredicateNode) -> PredicateNode {
        let values: [PredicateValue]
        switch list {
        case .array(let elements), .set(let elements): values = elements
        default: return node
        }
        var simple: [SimpleConstant] = []
        for value in values where !value.isNil {
            if case .double(let number) = value, number.isNaN { continue }
            guard let constant = SimpleConstant(value) else { return node }
            simple.append(constant)
        }
        if simple.isEmpty { return constant(false, reading: key, node) }
        return .membership(key, SimpleConstant.sorted(simple), isExcluded: false, span: node.span)
    }

    private func between(_ key: ExpressionNode, _ range: PredicateValue, _ node: PredicateNode) -> PredicateNode {
        guard case .array(let values) = range, values.count == 2 else { return node }
        if values.contains(where: \.isNil) { return constant(false, reading: key, node) }
        guard let low = SimpleConstant(values[0]), let high = SimpleConstant(values[1]), low.kind == high.kind,
            values[0].typeDescription == values[1].typeDescription, let relation = low.relation(to: high)
        else { return node }
        switch relation {
        case .greater: return .between(key, high, low, span: node.span)
        case .equal where risks.risks(of: node).isEmpty: return .comparing(key, .equal, values[0], span: node.span)
        default: return node
        }
    }

    // MARK: Expressions

    /// The value of a constant expression, if it can be written as a literal.
    private func folded(_ node: ExpressionNode) -> ExpressionNode {
        switch node.kind {
        case .ternary(let condition, let yes, let no):
            guard case .constant(let value) = condition.kind else { return node }
            return value ? yes : no
        case .call(let name, _):
            guard let function = options.functions.function(named: name), !function.isVolatile else { return node }
        case .method(_, let selector, _):
            guard let method = options.functions.method(named: selector), !method.isVolatile else { return node }
        case .binary, .negation, .cast, .index: break
        default: return node
        }
        var isConstant = true
        node.kind.forEachChild({ _ in isConstant = false }) { child in
            if case .indexSymbol = child.kind { return }
            if child.constant == nil { isConstant = false }
        }
        guard isConstant, let value = try? FormatExpression(node).evaluate(PredicateValue.null, options: options)
        else { return node }
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
            let next = list.simplified()
            if next == terms { break }
            terms = next
        }
        if terms.isEmpty { return PredicateNode(.constant(isAnd), span: span) }
        if terms.count == 1 { return terms[0] }
        return PredicateNode(isAnd ? .and(terms) : .or(terms), span: span)
    }
}
