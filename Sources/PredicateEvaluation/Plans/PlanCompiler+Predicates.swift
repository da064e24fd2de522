// Compiles predicates of the tree to plan nodes; see PlanCompiler.swift.
import PredicateModel
import PredicateSyntax

extension PlanCompiler {
    func visit(_ node: PredicateNode) {
        tasks.append(.buildPredicate(node))
        switch node.kind {
        case .constant, .error: break
        case .comparison(let comparison):
            tasks.append(.expression(comparison.right))
            tasks.append(.expression(comparison.left))
        case .and(let children), .or(let children): tasks += children.reversed().map(Task.predicate)
        case .not(let child): tasks.append(.predicate(child))
        }
    }

    func build(_ node: PredicateNode) -> any PredicatePlan {
        switch node.kind {
        case .constant(let value): return ConstantPredicate(value)
        case .error: return ConstantPredicate(false)
        case .comparison(let comparison):
            let right = popExpression()
            return build(comparison, node.span, popExpression(), right)
        case .and(let children): return CompoundPredicate(isAnd: true, popPredicates(children.count))
        case .or(let children): return CompoundPredicate(isAnd: false, popPredicates(children.count))
        case .not: return NotPredicate(popPredicate())
        }
    }

    private func popPredicates(_ count: Int) -> [any PredicatePlan] {
        let plans = Array(predicates.suffix(count))
        predicates.removeLast(plans.count)
        return plans
    }

    private func build(
        _ node: ComparisonNode, _ span: SourceSpan, _ left: any ExpressionPlan, _ right: any ExpressionPlan
    ) -> any PredicatePlan {
        let comparison = Comparison(node.operator, node.options, rules: rules)
        let spans = NodeSpans(span, [node.left.span, node.right.span])
        var isCustom = false
        if case .custom = node.operator {
            isCustom = true
            dependsOnOrder = true
        }
        var prepared: PreparedComparison?
        if let constant = right.constant {
            do throws(EvaluationFault) {
                prepared = try PreparedComparison(comparison, constant, matcher: matcherCount)
                if PreparedComparison.needsMatcher(comparison) { matcherCount += 1 }
            } catch {
                faults.append(spans.locate(error))
            }
        }
        if node.modifier != .direct {
            return QuantifiedPredicate(
                left, comparison, right, prepared: prepared, isAll: node.modifier == .all, spans)
        }
        guard let prepared else { return ComparisonPredicate(left, comparison, right, spans) }
        // Fold constants, except for custom operators, whose result may vary.
        if let constant = left.constant, let known = right.constant, !isCustom,
            let answer = try? comparison.test(constant, known)
        {
            return ConstantPredicate(answer)
        }
        return PreparedPredicate(left, prepared, spans)
    }
}
