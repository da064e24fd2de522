// One way to visit a tree and one to change it, so that no pass lists the cases again. Both recurse as deep as the tree is
// high, which `Limits.nesting` bounds.

/// Visits every node of a tree, parents before children, left to right.
///
///     var keys: [[String]] = []
///     Walker(expression: { node in if case .keyPath(let path) = node.kind { keys.append(path) } }).walk(tree)
public struct Walker {
    let predicate: (PredicateNode) -> Void
    let expression: (ExpressionNode) -> Void

    public init(
        predicate: @escaping (PredicateNode) -> Void = { _ in },
        expression: @escaping (ExpressionNode) -> Void = { _ in }
    ) {
        self.predicate = predicate
        self.expression = expression
    }

    public func walk(_ node: PredicateNode) {
        predicate(node)
        node.kind.forEachChild(walk, walk)
    }

    public func walk(_ node: ExpressionNode) {
        expression(node)
        node.kind.forEachChild(walk, walk)
    }
}

/// Rebuilds a tree from its leaves up; each closure sees a node whose children are already new.
public struct Rewriter<Failure: Error> {
    let predicate: ((PredicateNode) throws(Failure) -> PredicateNode)?
    let expression: ((ExpressionNode) throws(Failure) -> ExpressionNode)?

    /// A closure that is left out changes nothing. (Optional, since the compiler of Swift 6.3 crashes on a closure as the
    /// default of a typed throw where `Failure` is `Never`.)
    public init(
        predicate: ((PredicateNode) throws(Failure) -> PredicateNode)? = nil,
        expression: ((ExpressionNode) throws(Failure) -> ExpressionNode)? = nil
    ) {
        self.predicate = predicate
        self.expression = expression
    }

    public func rewrite(_ node: PredicateNode) throws(Failure) -> PredicateNode {
        let kind: PredicateNode.Kind
        switch node.kind {
        case .constant, .error: kind = node.kind
        case .comparison(var comparison):
            comparison.left = try rewrite(comparison.left)
            comparison.right = try rewrite(comparison.right)
            kind = .comparison(comparison)
        case .and(let children): kind = .and(try rewrite(children))
        case .or(let children): kind = .or(try rewrite(children))
        case .not(let child): kind = .not(try rewrite(child))
        }
        let new = PredicateNode(kind, span: node.span)
        guard let predicate else { return new }
        return try predicate(new)
    }

    public func rewrite(_ node: ExpressionNode) throws(Failure) -> ExpressionNode {
        let kind: ExpressionNode.Kind
        switch node.kind {
        case .value, .selfObject, .anyKey, .variable, .keyPath, .indexSymbol, .term, .argument, .error:
            kind = node.kind
        case .member(let base, let step): kind = .member(try rewrite(base), step: try rewrite(step))
        case .index(let base, let index): kind = .index(try rewrite(base), try rewrite(index))
        case .binary(let op, let left, let right): kind = .binary(op, try rewrite(left), try rewrite(right))
        case .negation(let operand): kind = .negation(try rewrite(operand))
        case .call(let name, let arguments): kind = .call(name, try rewrite(arguments))
        case .method(let target, let selector, let arguments):
            kind = .method(try rewrite(target), selector: selector, try rewrite(arguments))
        case .cast(let operand, let type): kind = .cast(try rewrite(operand), type: type)
        case .aggregate(let elements): kind = .aggregate(try rewrite(elements))
        case .ternary(let condition, let yes, let no):
            kind = .ternary(try rewrite(condition), try rewrite(yes), try rewrite(no))
        case .subquery(let collection, let variable, let condition):
            kind = .subquery(try rewrite(collection), variable: variable, try rewrite(condition))
        case .assignment(let variable, let operand): kind = .assignment(variable: variable, try rewrite(operand))
        case .fetch(let arguments): kind = .fetch(try rewrite(arguments))
        }
        let new = ExpressionNode(kind, span: node.span)
        guard let expression else { return new }
        return try expression(new)
    }

    private func rewrite(_ nodes: [PredicateNode]) throws(Failure) -> [PredicateNode] {
        var new: [PredicateNode] = []
        new.reserveCapacity(nodes.count)
        for node in nodes { new.append(try rewrite(node)) }
        return new
    }

    private func rewrite(_ nodes: [ExpressionNode]) throws(Failure) -> [ExpressionNode] {
        var new: [ExpressionNode] = []
        new.reserveCapacity(nodes.count)
        for node in nodes { new.append(try rewrite(node)) }
        return new
    }
}
