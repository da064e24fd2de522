// Compiles expressions of the tree to plan nodes; see PlanCompiler.swift.

extension PlanCompiler {
    /// Pushes the tasks for a node: its children from left to right, then the node itself.
    mutating func visit(_ node: ExpressionNode) {
        switch node.kind {
        case .keyPath, .value, .selfObject: expressions.append(build(node))
        case .variable(let name): visitVariable(name, node.span)
        case .member(let base, let step): visitMember(node, base, step)
        case .index(let collection, let index): visitIndex(node, collection, index)
        case .call(let name, let arguments) where isElement(name, arguments):
            visitIndex(node, arguments[0], arguments[1])
        case .subquery(let collection, let name, let condition):
            tasks += [.build(node), .unbind, .predicate(condition), .bind(name: name), .expression(collection)]
        default:
            tasks.append(.build(node))
            var children: [Task] = []
            node.kind.forEachChild({ children.append(.predicate($0)) }, { children.append(.expression($0)) })
            tasks += children.reversed()
        }
    }

    /// A variable refers to the innermost SUBQUERY variable, else to an assignment or to the caller's binding. An
    /// expression bound by the caller can refer only to values bound by the caller, not to SUBQUERY variables or other
    /// bound expressions. So no expression can contain itself.
    private mutating func visitVariable(_ name: String, _ span: SourceSpan) {
        if let bound = scope.last(where: { $0.name == name }) {
            expressions.append(VariableExpression(name, slot: bound.slot, span: span))
            return
        }
        let slot = assigned[name]
        switch variables[name] {
        case .value(let value):
            let constant = ConstantExpression(value)
            expressions.append(
                slot.map { VariableExpression(name, slot: $0, otherwise: constant, span: span) } ?? constant)
        case .expression(let node) where !isExpanding:
            tasks += [.leave(scope: scope, variable: name, slot: slot, span: span), .expression(node)]
            scope = []
            isExpanding = true
        default: expressions.append(VariableExpression(name, slot: slot, span: span))
        }
    }

    private mutating func visitMember(_ node: ExpressionNode, _ base: ExpressionNode, _ step: ExpressionNode) {
        switch step.kind {
        case .keyPath, .value(.string): tasks += [.build(node), .expression(base)]
        case .selfObject: tasks.append(.expression(base))
        default: tasks += [.build(node), .expression(step), .expression(base)]
        }
    }

    private mutating func visitIndex(_ node: ExpressionNode, _ collection: ExpressionNode, _ index: ExpressionNode) {
        tasks.append(.build(node))
        if case .indexSymbol = index.kind {} else { tasks.append(.expression(index)) }
        tasks.append(.expression(collection))
    }

    /// Builds a node. The plans of its children are on the stacks.
    mutating func build(_ node: ExpressionNode) -> any ExpressionPlan {
        switch node.kind {
        case .value(let value): return ConstantExpression(value)
        case .selfObject, .variable:
            readsObject()
            return SelfExpression.shared
        case .keyPath(let keys):
            readsObject(keys.first)
            return path(SelfExpression.shared, keys, node.span)
        case .member(_, let step): return member(step, node.span)
        case .index(let collection, let index): return element(collection, index, node.span)
        case .binary(let op, let left, let right):
            return pair(.binary(op), NodeSpans(node.span, left.span, right.span))
        case .negation(let operand):
            return fold(OperationExpression(.negation, popExpression(), at: NodeSpans(node.span, operand.span)))
        case .call(let name, let arguments): return call(name, arguments, node.span)
        case .method(let target, let selector, let arguments):
            return method(selector, [target] + arguments, node.span)
        case .cast(let operand, let type): return cast(type, NodeSpans(node.span, operand.span))
        case .aggregate(let elements):
            return fold(AggregateExpression(popExpressions(elements.count)))
        case .ternary:
            let no = popExpression()
            let yes = popExpression()
            let test = popPredicate()
            if let constant = test as? ConstantPredicate { return constant.known ? yes : no }
            return TernaryExpression(test, yes, no)
        case .subquery(let collection, _, _):
            let slot = subquerySlots.popLast() ?? makeSlot()
            return SubqueryExpression(popExpression(), slot: slot, popPredicate(), span: collection.span)
        case .assignment(let name, _):
            dependsOnOrder = true
            let slot = scope.last { $0.name == name }?.slot ?? assigned[name] ?? makeSlot()
            return AssignmentExpression(slot: slot, popExpression())
        // The checker has already refused these.
        case .anyKey, .indexSymbol, .term, .argument, .error: return ConstantExpression(.null)
        case .fetch(let arguments):
            _ = popExpressions(arguments.count)
            return ConstantExpression(.null)
        }
    }

    private mutating func path(_ base: any ExpressionPlan, _ keys: [String], _ span: SourceSpan) -> any ExpressionPlan {
        let cache = cacheCount
        cacheCount += keys.count
        if keys.count == 1, base is SelfExpression, !Self.isOperator(keys[0]), keys[0] != "self" {
            return RootKeyExpression(keys, cache: cache, span: span)
        }
        return PathExpression(base, DottedPath(keys: keys, cache: cache), span: span)
    }

    private mutating func member(_ step: ExpressionNode, _ span: SourceSpan) -> any ExpressionPlan {
        switch step.kind {
        case .keyPath(let keys): return path(popExpression(), keys, span)
        case .value(.string(let key)): return path(popExpression(), [key], span)
        default:
            let step = popExpression()
            return ComputedStepExpression(popExpression(), step, span: span)
        }
    }

    private mutating func element(
        _ collection: ExpressionNode, _ index: ExpressionNode, _ span: SourceSpan
    ) -> any ExpressionPlan {
        let spans = NodeSpans(span, collection.span, index.span)
        if case .indexSymbol(let symbol) = index.kind {
            return fold(OperationExpression(.symbol(symbol), popExpression(), at: spans))
        }
        return pair(.element, spans)
    }

    private mutating func pair(_ operation: OperationExpression.Operation, _ spans: NodeSpans) -> any ExpressionPlan {
        let right = popExpression()
        return fold(OperationExpression(operation, popExpression(), right, at: spans))
    }

    private mutating func cast(_ type: String, _ spans: NodeSpans) -> any ExpressionPlan {
        fold(OperationExpression(.cast(type), popExpression(), at: spans))
    }

    /// Whether a call is an index, `objectFrom:withIndex:(list, LAST)`.
    private func isElement(_ name: String, _ arguments: [ExpressionNode]) -> Bool {
        arguments.count == 2 && functions.function(named: name)?.intrinsic == .element
    }

    private mutating func call(_ name: String, _ arguments: [ExpressionNode], _ span: SourceSpan) -> any ExpressionPlan
    {
        if isElement(name, arguments) { return element(arguments[0], arguments[1], span) }
        return call(
            functions.function(named: name), popExpressions(arguments.count),
            NodeSpans(span, arguments: arguments.map { $0.span }))
    }

    private mutating func method(_ selector: String, _ arguments: [ExpressionNode], _ span: SourceSpan)
        -> any ExpressionPlan
    {
        call(
            functions.method(named: selector), popExpressions(arguments.count),
            NodeSpans(span, arguments: arguments.map { $0.span }))
    }

    private mutating func call(_ function: PredicateFunction?, _ plans: [any ExpressionPlan], _ spans: NodeSpans)
        -> any ExpressionPlan
    {
        // The checker has already reported missing functions.
        guard let function else { return ConstantExpression(.null) }
        // The result of `now()` and `today()` does not depend on the order of evaluation.
        if function.isVolatile {
            if function.intrinsic?.asksClock ?? false { asksClock = true } else { dependsOnOrder = true }
        }
        let plan = CallExpression(function, plans, spans)
        return function.isVolatile ? plan : fold(plan)
    }
}
