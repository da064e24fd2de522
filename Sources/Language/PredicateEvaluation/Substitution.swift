// Replaces variables in the tree permanently. `evaluate(_:variables:)` binds them for one evaluation.

extension FormatPredicate {
    /// Returns the predicate with each variable replaced by a value or an expression. Variables bound by a
    /// SUBQUERY or an assignment are kept.
    ///
    ///     try FormatPredicate("age >= $AGE").substituting(["AGE": 30]).description    // age >= 30
    ///
    /// - Throws: `unbound-variable` for every variable without a value; `limit-exceeded` if the tree becomes
    ///   too high.
    public func substituting(_ variables: PredicateVariables) throws(PredicateFailure) -> FormatPredicate {
        let root = try Substitution.replacing(variables, in: root, { $0.height }, source) { $0.predicate($1) }
        return FormatPredicate(root, source: source, in: environment)
    }
}

extension FormatExpression {
    /// Returns the expression with each variable replaced; see `FormatPredicate.substituting(_:)`.
    /// - Throws: `unbound-variable` for every variable without a value; `limit-exceeded` if the tree becomes
    ///   too high.
    public func substituting(_ variables: PredicateVariables) throws(PredicateFailure) -> FormatExpression {
        let root = try Substitution.replacing(variables, in: root, { $0.height }, source) { $0.expression($1) }
        return FormatExpression(root, source: source, in: environment)
    }
}

extension FormatPredicate {
    /// Returns the predicate with each known key of the object, or of a variable, replaced by its value. Other variables
    /// are kept.
    /// - Parameters:
    ///   - prefix: the variable whose keys are known; nil for the object.
    ///   - value: returns the value of a key path that begins with a known key. If it returns nil, the path is kept and
    ///     read from the known values during evaluation.
    package func substituting(
        _ known: [String: PredicateValue], as prefix: String?, value: @escaping ([String]) -> PredicateValue?
    ) throws(PredicateFailure) -> FormatPredicate {
        let substitution = Substitution([:])
        substitution.known = known.filter { !$0.key.hasPrefix("@") && $0.key != "self" }
        try FormatArgument.requireSendable(substitution.known.values.map(FormatArgument.value), source: source)
        substitution.prefix = prefix
        substitution.value = value
        let root = substitution.predicate(self.root)
        try Substitution.check(root.height, source: source)
        return replacingRoot(root)
    }
}

/// Replaces variables top-down, because their meaning depends on the enclosing SUBQUERYs. It also replaces known keys.
private final class Substitution {
    let variables: [String: FormatArgument]
    var known: [String: PredicateValue] = [:]
    /// The variable whose keys are known; nil for the object.
    var prefix: String?
    var value: ([String]) -> PredicateValue? = { _ in nil }
    var diagnostics: [PredicateDiagnostic] = []
    private var bound: [String] = []
    private var assigned: Set<String> = []

    init(_ variables: [String: FormatArgument]) { self.variables = variables }

    static func replacing<Root>(
        _ variables: PredicateVariables, in root: Root, _ height: (Root) -> Int32, _ source: String,
        _ replace: (Substitution, Root) -> Root
    ) throws(PredicateFailure) -> Root {
        try check(height(root), source: source)
        try FormatArgument.requireSendable(variables.arguments.values, source: source)
        let substitution = Substitution(variables.arguments)
        let replaced = replace(substitution, root)
        if !substitution.diagnostics.isEmpty { throw PredicateFailure(substitution.diagnostics, source: source) }
        try check(height(replaced), source: source)
        return replaced
    }

    static func check(_ height: Int32, source: String) throws(PredicateFailure) {
        if let tooHigh = PredicateLimits.standard.exceeded(by: height) {
            throw PredicateFailure(tooHigh, source: source)
        }
    }

    func predicate(_ node: PredicateNode) -> PredicateNode {
        switch node.kind {
        case .constant, .error: return node
        case .comparison: return comparison(node)
        case .and(let children): return PredicateNode(.and(predicates(children)), span: node.span)
        case .or(let children): return PredicateNode(.or(predicates(children)), span: node.span)
        case .not(let child): return PredicateNode(.not(predicate(child)), span: node.span)
        }
    }

    private func predicates(_ nodes: [PredicateNode]) -> [PredicateNode] {
        var result: [PredicateNode] = []
        for node in nodes { result.append(predicate(node)) }
        return result
    }

    private func expressions(_ nodes: [ExpressionNode]) -> [ExpressionNode] {
        var result: [ExpressionNode] = []
        for node in nodes { result.append(expression(node)) }
        return result
    }

    private func comparison(_ node: PredicateNode) -> PredicateNode {
        guard case .comparison(var comparison) = node.kind else { return node }
        comparison.left = expression(comparison.left)
        comparison.right = expression(comparison.right)
        return PredicateNode(.comparison(comparison), span: node.span)
    }

    /// One method for each kind of node keeps stack frames small, because a tree may be 200 levels high and the stack
    /// may have 512 KB.
    @inline(never)
    func expression(_ node: ExpressionNode) -> ExpressionNode {
        switch node.kind {
        case .value, .selfObject, .anyKey, .indexSymbol, .term, .argument, .error: node
        case .keyPath(let keys): prefix == nil ? key(keys, node) : node
        case .variable: variable(node)
        case .member(_, let step): step.isPath ? path(node) : pair(node)
        case .index, .binary: pair(node)
        case .negation, .cast, .assignment: single(node)
        case .call, .method, .aggregate, .fetch: list(node)
        case .ternary: ternary(node)
        case .subquery: subquery(node)
        }
    }

    private func variable(_ node: ExpressionNode) -> ExpressionNode {
        guard case .variable(let name) = node.kind, !bound.contains(name), !assigned.contains(name) else { return node }
        switch variables[name] {
        case .value(let value): return ExpressionNode(.value(value), span: node.span)
        case .expression(let expression): return expression.movingSpans { _ in node.span }
        case nil:
            diagnostics.append(PredicateDiagnostic(.unboundVariable, at: node.span, name))
            return node
        }
    }

    /// The replacement of a path that begins with a known key: its value, or a path from a constant with the known
    /// value.
    private func key(_ keys: [String], _ node: ExpressionNode) -> ExpressionNode {
        guard let first = keys.first, let known = known[first] else { return node }
        if let value = value(keys) { return ExpressionNode(.value(value.isNil ? .null : value), span: node.span) }
        let base = ExpressionNode(.value(.dictionary(ValueDictionary([(first, known)]))), span: node.span)
        return ExpressionNode(.member(base, step: ExpressionNode(.keyPath(keys))), span: node.span)
    }

    private func pair(_ node: ExpressionNode) -> ExpressionNode {
        switch node.kind {
        case .member(let base, let step):
            ExpressionNode(.member(expression(base), step: expression(step)), span: node.span)
        case .index(let base, let index): ExpressionNode(.index(expression(base), expression(index)), span: node.span)
        case .binary(let op, let left, let right):
            ExpressionNode(.binary(op, expression(left), expression(right)), span: node.span)
        default: node
        }
    }

    /// Replaces the base of `base.keys`; the keys belong to the base.
    private func path(_ node: ExpressionNode) -> ExpressionNode {
        guard case .member(let base, let step) = node.kind else { return node }
        if case .keyPath(let keys) = step.kind, holdsKnownKeys(base) { return key(keys, node) }
        return ExpressionNode(.member(expression(base), step: step), span: node.span)
    }

    /// Whether a value is the object or the variable whose keys are known.
    private func holdsKnownKeys(_ base: ExpressionNode) -> Bool {
        switch base.kind {
        case .selfObject: prefix == nil
        case .variable(let name): name == prefix && !bound.contains(name) && !assigned.contains(name)
        default: false
        }
    }

    private func single(_ node: ExpressionNode) -> ExpressionNode {
        switch node.kind {
        case .negation(let operand): return ExpressionNode(.negation(expression(operand)), span: node.span)
        case .cast(let operand, let type):
            return ExpressionNode(.cast(expression(operand), type: type), span: node.span)
        case .assignment(let name, let operand):
            let value = expression(operand)
            assigned.insert(name)
            return ExpressionNode(.assignment(variable: name, value), span: node.span)
        default: return node
        }
    }

    private func list(_ node: ExpressionNode) -> ExpressionNode {
        switch node.kind {
        case .call(let name, let arguments):
            return ExpressionNode(.call(name, expressions(arguments)), span: node.span)
        case .aggregate(let elements): return ExpressionNode(.aggregate(expressions(elements)), span: node.span)
        case .fetch(let arguments): return ExpressionNode(.fetch(expressions(arguments)), span: node.span)
        default: return method(node)
        }
    }

    private func method(_ node: ExpressionNode) -> ExpressionNode {
        guard case .method(let target, let selector, let arguments) = node.kind else { return node }
        let base = expression(target)
        return ExpressionNode(.method(base, selector: selector, expressions(arguments)), span: node.span)
    }

    private func ternary(_ node: ExpressionNode) -> ExpressionNode {
        guard case .ternary(let condition, let yes, let no) = node.kind else { return node }
        return ExpressionNode(.ternary(predicate(condition), expression(yes), expression(no)), span: node.span)
    }

    private func subquery(_ node: ExpressionNode) -> ExpressionNode {
        guard case .subquery(let collection, let name, let condition) = node.kind else { return node }
        let base = expression(collection)
        bound.append(name)
        let inner = predicate(condition)
        bound.removeLast()
        return ExpressionNode(.subquery(base, variable: name, inner), span: node.span)
    }
}
