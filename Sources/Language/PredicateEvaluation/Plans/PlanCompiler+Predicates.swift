// Compiles predicates of the tree to plan nodes; see PlanCompiler.swift.

extension PlanCompiler {
    mutating func visit(_ node: PredicateNode) {
        switch node.kind {
        case .constant, .error: predicates.append(build(node))
        case .comparison(let comparison):
            if let left = leaf(comparison.left), let right = leaf(comparison.right) {
                predicates.append(build(comparison, node.span, left, right))
            } else {
                tasks += [.buildPredicate(node), .expression(comparison.right), .expression(comparison.left)]
            }
        case .and(let children), .or(let children):
            tasks.append(.buildPredicate(node))
            for child in children.reversed() { tasks.append(.predicate(child)) }
        case .not(let child): tasks += [.buildPredicate(node), .predicate(child)]
        }
    }

    /// The plan of a key path, a constant or SELF, which needs no tasks; nil for other expressions. Most operands have
    /// one.
    private mutating func leaf(_ node: ExpressionNode) -> (any ExpressionPlan)? {
        switch node.kind {
        case .keyPath, .value, .selfObject: build(node)
        default: node.constant.map(ConstantExpression.init)
        }
    }

    mutating func build(_ node: PredicateNode) -> any PredicatePlan {
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

    private mutating func popPredicates(_ count: Int) -> [any PredicatePlan] {
        let plans = Array(predicates.suffix(count))
        predicates.removeLast(plans.count)
        return plans
    }

    private mutating func build(
        _ node: ComparisonNode, _ span: SourceSpan, _ left: any ExpressionPlan, _ right: any ExpressionPlan
    ) -> any PredicatePlan {
        let comparison = Comparison(node.operator, node.options, rules: bound.rules)
        let spans = NodeSpans(span, node.left.span, node.right.span)
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
        guard let prepared, node.modifier == .direct else {
            let sides = ComparisonSides(left: left, right: right, comparison: comparison, spans: spans)
            if node.modifier == .direct { return ComparisonPredicate(sides) }
            return QuantifiedPredicate(sides, prepared: prepared, isAll: node.modifier == .all)
        }
        // Fold constants, except for custom operators, whose result may vary.
        if let constant = left.constant, let known = right.constant, !isCustom,
            let answer = try? comparison.test(constant, known)
        {
            return ConstantPredicate(answer)
        }
        return PreparedPredicate(left, prepared, spans)
    }
}
