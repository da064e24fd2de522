// The common ways to visit and to change a tree, so that other code need not list all cases. Both recurse to the height
// of the tree, which `PredicateLimits.nesting` bounds.

/// Visits every node of a tree, parents before children, left to right.
///
///     var keys: [[String]] = []
///     PredicateWalker(expression: { node in if case .keyPath(let path) = node.kind { keys.append(path) } }).walk(tree)
public struct PredicateWalker {
    let predicate: (PredicateNode) -> Void
    let expression: (ExpressionNode) -> Void

    /// A walker that calls the closures for each node.
    public init(
        predicate: @escaping (PredicateNode) -> Void = { _ in },
        expression: @escaping (ExpressionNode) -> Void = { _ in }
    ) {
        self.predicate = predicate
        self.expression = expression
    }

    /// Visits a node and all its descendants.
    // Not inlined, because inlined copies of recursive functions would be large.
    @inline(never)
    public func walk(_ node: PredicateNode) {
        predicate(node)
        // Non-escaping closures need no allocation, unlike method references.
        node.kind.forEachChild({ walk($0) }, { walk($0) })
    }

    /// Visits a node and all its descendants.
    @inline(never)
    public func walk(_ node: ExpressionNode) {
        expression(node)
        if !node.kind.isLeaf { node.kind.forEachChild({ walk($0) }, { walk($0) }) }
    }

    /// Visits all nodes of a tree.
    package func walk(_ tree: PredicateTree) {
        switch tree {
        case .predicate(let node): walk(node)
        case .expression(let node): walk(node)
        }
    }
}

/// Rebuilds a tree bottom-up. Each closure receives a node whose children are already rebuilt.
public struct PredicateRewriter<Failure: Error> {
    let predicate: ((PredicateNode) throws(Failure) -> PredicateNode)?
    let expression: ((ExpressionNode) throws(Failure) -> ExpressionNode)?

    /// Creates a rewriter. A closure that is nil leaves its nodes unchanged. (It is optional because the Swift 6.3
    /// compiler crashes on a default closure with a typed throw of `Never`.)
    public init(
        predicate: ((PredicateNode) throws(Failure) -> PredicateNode)? = nil,
        expression: ((ExpressionNode) throws(Failure) -> ExpressionNode)? = nil
    ) {
        self.predicate = predicate
        self.expression = expression
    }

    /// Returns the rebuilt tree.
    @inline(never)
    public func rewrite(_ node: PredicateNode) throws(Failure) -> PredicateNode {
        let kind =
            switch node.kind {
            case .constant, .error: node.kind
            case .comparison: try rewriteComparison(node)
            case .and, .or, .not: try rewriteCompound(node)
            }
        let new = PredicateNode(kind, span: node.span)
        guard let predicate else { return new }
        return try predicate(new)
    }

    // Separate methods keep stack frames small; see ExpressionChildren.swift.

    private func rewriteComparison(_ node: PredicateNode) throws(Failure) -> PredicateNode.Kind {
        guard case .comparison(var comparison) = node.kind else { return node.kind }
        comparison.left = try rewrite(comparison.left)
        comparison.right = try rewrite(comparison.right)
        return .comparison(comparison)
    }

    private func rewriteCompound(_ node: PredicateNode) throws(Failure) -> PredicateNode.Kind {
        switch node.kind {
        case .and(let children): return .and(try rewrite(children))
        case .or(let children): return .or(try rewrite(children))
        case .not(let child): return .not(try rewrite(child))
        default: return node.kind
        }
    }

    /// Returns the rebuilt tree.
    @inline(never)
    public func rewrite(_ node: ExpressionNode) throws(Failure) -> ExpressionNode {
        var children = node.kind.children
        if children.conditionLeads { try rewrite(&children.condition) }
        try rewrite(&children.first)
        try rewrite(&children.second)
        if !children.rest.isEmpty { children.rest = try rewrite(children.rest) }
        if !children.conditionLeads { try rewrite(&children.condition) }
        let new = ExpressionNode(node.kind.with(children), span: node.span)
        guard let expression else { return new }
        return try expression(new)
    }

    private func rewrite(_ node: inout ExpressionNode?) throws(Failure) {
        guard let old = node else { return }
        node = try rewrite(old)
    }

    private func rewrite(_ node: inout PredicateNode?) throws(Failure) {
        guard let old = node else { return }
        node = try rewrite(old)
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

extension PredicateNode {
    /// The tree with changed spans, including those of operators. Used for a tree that is inserted into another text.
    package func movingSpans(_ move: (SourceSpan) -> SourceSpan) -> PredicateNode {
        withoutActuallyEscaping(move) { PredicateRewriter(moving: $0).rewrite(self) }
    }
}

extension ExpressionNode {
    /// See `PredicateNode.movingSpans(_:)`.
    package func movingSpans(_ move: (SourceSpan) -> SourceSpan) -> ExpressionNode {
        withoutActuallyEscaping(move) { PredicateRewriter(moving: $0).rewrite(self) }
    }
}

extension PredicateRewriter<Never> {
    fileprivate init(moving move: @escaping (SourceSpan) -> SourceSpan) {
        self.init(
            predicate: { node in
                guard case .comparison(var comparison) = node.kind else {
                    return PredicateNode(node.kind, span: move(node.span))
                }
                comparison.operatorSpan = move(comparison.operatorSpan)
                return PredicateNode(comparison, span: move(node.span))
            },
            expression: { ExpressionNode($0.kind, span: move($0.span)) })
    }
}
