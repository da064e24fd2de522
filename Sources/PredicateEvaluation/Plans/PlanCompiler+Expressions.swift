// Expressions of the tree to nodes of the plan; see PlanCompiler.swift.
import PredicateModel
import PredicateSyntax

extension PlanCompiler {
    /// Only names the kind: each case is read out in a method of its own, for the sake of the stack.
    func expression(_ node: ExpressionNode) -> any ExpressionPlan {
        switch node.kind {
        case .value, .selfObject, .keyPath, .variable: leaf(node)
        case .member: member(node)
        case .index: index(node)
        case .binary: binary(node)
        case .negation: negation(node)
        case .call: call(node)
        case .method: method(node)
        case .cast: cast(node)
        case .aggregate: aggregate(node)
        case .ternary: ternary(node)
        case .subquery: subquery(node)
        case .assignment: assignment(node)
        case .anyKey, .indexSymbol, .fetch, .term, .argument, .error: refused(node)
        }
    }

    private func leaf(_ node: ExpressionNode) -> any ExpressionPlan {
        switch node.kind {
        case .value(let value): return ConstantExpression(value)
        case .keyPath(let keys): return path(SelfExpression(), keys, node.span)
        case .variable(let name): return variable(name, node.span)
        default: return SelfExpression()
        }
    }

    private func path(_ base: any ExpressionPlan, _ keys: [String], _ span: SourceSpan) -> any ExpressionPlan {
        let cache = cacheCount
        cacheCount += keys.count
        if keys.count == 1, base is SelfExpression, !keys[0].hasPrefix("@"), keys[0] != "self" {
            return RootKeyExpression(keys[0], cache: cache, span: span)
        }
        return PathExpression(base, DottedPath(keys: keys, cache: cache), span: span)
    }

    /// The innermost SUBQUERY's, else what an assignment or the caller bound.
    private func variable(_ name: String, _ span: SourceSpan) -> any ExpressionPlan {
        if let bound = scope.last(where: { $0.name == name }) {
            return VariableExpression(name, slot: bound.slot, otherwise: nil, span: span)
        }
        let given = given(name)
        if let slot = assigned[name] {
            return VariableExpression(name, slot: slot, otherwise: given, span: span)
        }
        if let given { return given }
        if isStrict { report(.unboundVariable, at: span, name) }
        return UnboundVariableExpression(name, span: span)
    }

    /// What the caller bound to a variable. An expression sees the caller's values, not the variables of a SUBQUERY, nor
    /// other variables that are expressions: so none can contain itself.
    private func given(_ name: String) -> (any ExpressionPlan)? {
        switch variables[name] {
        case nil: return nil
        case .value(let value): return ConstantExpression(value)
        case .expression(let node):
            if isExpanding { return nil }
            if node.height > options.limits.nesting {
                report(.limitExceeded, at: node.span, "the variable's expression is nested too deep", "\(options.limits.nesting)")
                return nil
            }
            let outer = scope
            scope = []
            isExpanding = true
            defer {
                scope = outer
                isExpanding = false
            }
            return expression(node)
        }
    }

    private func member(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .member(let base, let step) = node.kind else { return refused(node) }
        switch step.kind {
        case .keyPath(let keys): return path(expression(base), keys, node.span)
        case .value(.string(let key)): return path(expression(base), [key], node.span)
        case .selfObject: return expression(base)
        case .index:
            report(Self.indexAfterPath(base, step, node.span))
            return ConstantExpression(.null)
        default:
            let base = expression(base)
            return ComputedStepExpression(base, expression(step), span: node.span)
        }
    }

    /// `a.d[0]` asks for d[0] first, as Apple does; what is meant is `(a.d)[0]` (LANGUAGE C 6).
    private static func indexAfterPath(
        _ base: ExpressionNode, _ step: ExpressionNode, _ span: SourceSpan
    ) -> Diagnostic {
        var inner = step
        var brackets = ""
        while case .index(let collection, let index) = inner.kind {
            brackets = "[\(index)]" + brackets
            inner = collection
        }
        let mended = "(\(base).\(inner))" + brackets
        return Diagnostic(
            .indexAfterPath, at: span, "\(step)", "\(base)", mended, severity: .error,
            fixIts: [Diagnostic.FixIt(span, mended)])
    }

    private func index(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .index(let collection, let index) = node.kind else { return refused(node) }
        return element(collection, index, node.span)
    }

    private func element(
        _ collection: ExpressionNode, _ index: ExpressionNode, _ span: SourceSpan
    ) -> any ExpressionPlan {
        let spans = NodeSpans(span, [collection.span, index.span])
        let base = expression(collection)
        if case .indexSymbol(let symbol) = index.kind {
            return fold(IndexSymbolExpression(base, symbol, spans), if: base.constant != nil) {
                (_) throws(EvaluationFault) in try Indexing.element(symbol, of: base.constant ?? .null)
            }
        }
        let position = expression(index)
        return fold(
            IndexExpression(base, position, spans), if: base.constant != nil && position.constant != nil
        ) { (_) throws(EvaluationFault) in
            try Indexing.element(position.constant ?? .null, of: base.constant ?? .null)
        }
    }

    private func binary(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .binary(let op, let left, let right) = node.kind else { return refused(node) }
        let a = expression(left)
        let b = expression(right)
        let plan = BinaryExpression(op, a, b, NodeSpans(node.span, [left.span, right.span]))
        return fold(plan, if: a.constant != nil && b.constant != nil) { (context) throws(EvaluationFault) in
            try context.rules.apply(op, a.constant ?? .null, b.constant ?? .null)
        }
    }

    private func negation(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .negation(let operand) = node.kind else { return refused(node) }
        let a = expression(operand)
        let plan = NegationExpression(a, NodeSpans(node.span, [operand.span]))
        return fold(plan, if: a.constant != nil) { (context) throws(EvaluationFault) in
            try context.rules.negate(a.constant ?? .null)
        }
    }

    private func cast(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .cast(let operand, let type) = node.kind else { return refused(node) }
        if !Conversions.types.contains(type) { report(.refusedCast, at: node.span, type) }
        let a = expression(operand)
        let plan = CastExpression(a, type, NodeSpans(node.span, [operand.span]))
        return fold(plan, if: a.constant != nil) { (_) throws(EvaluationFault) in
            try Conversions.cast(a.constant ?? .null, to: type)
        }
    }

    private func call(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .call(let name, let arguments) = node.kind else { return refused(node) }
        if name == "objectFrom:withIndex:", arguments.count == 2 {
            return element(arguments[0], arguments[1], node.span)
        }
        guard let function = options.functions.function(named: name) else {
            let nearest = Suggestions.nearest(to: name, in: options.functions.functionNames)
            report(
                Diagnostic(.unknownFunction, at: node.span, details: [name], severity: .error, suggestion: nearest))
            return ConstantExpression(.null)
        }
        return finish(function, arguments, given: arguments.count, expected: function.arity, node)
    }

    private func method(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .method(let target, let selector, let arguments) = node.kind else { return refused(node) }
        guard let method = options.functions.method(named: selector) else {
            report(.refusedMethod, at: node.span, selector)
            return ConstantExpression(.null)
        }
        return finish(method, [target] + arguments, given: arguments.count, expected: method.arity - 1, node)
    }

    private func finish(
        _ function: Function, _ arguments: [ExpressionNode], given: Int, expected: Int, _ node: ExpressionNode
    ) -> any ExpressionPlan {
        guard given == expected else {
            report(.functionArguments, at: node.span, function.name, Function.count(expected), "\(given)")
            return ConstantExpression(.null)
        }
        let plans = expressions(arguments)
        let plan = CallExpression(function, plans, NodeSpans(node.span, arguments.map(\.span)))
        let isConstant = !function.isVolatile && plans.allSatisfy { $0.constant != nil }
        return fold(plan, if: isConstant) { (context) throws(EvaluationFault) in
            try function.call(plans.compactMap(\.constant), &context)
        }
    }

    private func expressions(_ nodes: [ExpressionNode]) -> [any ExpressionPlan] {
        var plans: [any ExpressionPlan] = []
        plans.reserveCapacity(nodes.count)
        for node in nodes { plans.append(expression(node)) }
        return plans
    }

    private func aggregate(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .aggregate(let elements) = node.kind else { return refused(node) }
        let plans = expressions(elements)
        return fold(AggregateExpression(plans), if: plans.allSatisfy { $0.constant != nil }) {
            (_) throws(EvaluationFault) in .array(plans.compactMap(\.constant))
        }
    }

    private func ternary(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .ternary(let condition, let yes, let no) = node.kind else { return refused(node) }
        let test = predicate(condition)
        let a = expression(yes)
        let b = expression(no)
        if let constant = test as? ConstantPredicate { return constant.known ? a : b }
        return TernaryExpression(test, a, b)
    }

    /// The collection is read in the outer scope, the condition with the variable bound (LANGUAGE 5.10, B 15).
    private func subquery(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .subquery(let collection, let name, let condition) = node.kind else { return refused(node) }
        let base = expression(collection)
        let slot = makeSlot()
        scope.append((name, slot))
        let test = predicate(condition)
        scope.removeLast()
        return SubqueryExpression(base, slot: slot, test, span: collection.span)
    }

    private func assignment(_ node: ExpressionNode) -> any ExpressionPlan {
        guard case .assignment(let name, let operand) = node.kind else { return refused(node) }
        let value = expression(operand)
        let slot = scope.last { $0.name == name }?.slot ?? assigned[name] ?? makeSlot()
        return AssignmentExpression(slot: slot, value)
    }

    private func refused(_ node: ExpressionNode) -> any ExpressionPlan {
        switch node.kind {
        case .anyKey: report(.valueExpected, at: node.span, "ANYKEY")
        case .indexSymbol(let symbol): report(.indexSymbol, at: node.span, symbol.rawValue)
        case .fetch: report(.refusedFetch, at: node.span)
        case .term(let name, _): report(.unsupportedFunction, at: node.span, name)
        case .argument(let conversion): report(.unboundArgument, at: node.span, conversion.spelling)
        default: report(.expectedExpression, at: node.span, "a text that could not be read")
        }
        return ConstantExpression(.null)
    }
}
