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
        case .comparison(let comparison):
            let right = popExpression()
            return build(comparison, node.span, popExpression(), right)
        case .and(let children): return CompoundPredicate(isAnd: true, popPredicates(children.count))
        case .or(let children): return CompoundPredicate(isAnd: false, popPredicates(children.count))
        case .not: return NotPredicate(popPredicate())
        case .error:
            report(.expectedExpression, at: node.span, "a text that could not be read")
            return ConstantPredicate(false)
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
        if node.options.contains(.localeSensitive), rules.locale == nil {
            report(.unsupportedFunction, at: node.operatorSpan, "[l] without Foundation")
        }
        if case .tokenMatches = node.operator { report(.tokenMatches, at: node.operatorSpan) }
        if case .custom(let selector) = node.operator {
            isCustom = true
            dependsOnOrder = true
            if options.functions.operators[selector] == nil {
                report(.refusedOperator, at: node.operatorSpan, selector)
            }
        }
        var prepared: PreparedComparison?
        if let constant = right.constant {
            do throws(EvaluationFault) {
                prepared = try PreparedComparison(comparison, constant, matcher: matcherCount)
                if PreparedComparison.needsMatcher(comparison) { matcherCount += 1 }
            } catch {
                report(spans.locate(error).diagnostic)
            }
        }
        if node.modifier != .direct {
            return QuantifiedPredicate(
                left, comparison, right, prepared: prepared, isAll: node.modifier == .all, spans)
        }
        guard let prepared else { return ComparisonPredicate(left, comparison, right, spans) }
        // Fold constants, except for operators of the host, whose answer may vary.
        if let constant = left.constant, let known = right.constant, !isCustom,
            let answer = try? comparison.test(constant, known)
        {
            return ConstantPredicate(answer)
        }
        return PreparedPredicate(left, prepared, spans)
    }
}
