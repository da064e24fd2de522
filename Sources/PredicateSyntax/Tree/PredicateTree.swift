// The tree of a predicate or an expression, as the parser, checkers and compilers take it.

package enum PredicateTree: Sendable, Hashable {
    case predicate(PredicateNode)
    case expression(ExpressionNode)

    package var height: Int32 {
        switch self {
        case .predicate(let node): node.height
        case .expression(let node): node.height
        }
    }

    /// Whether the root is an error node.
    var isError: Bool {
        switch self {
        case .predicate(let node): node.isError
        case .expression(let node): node.isError
        }
    }

    /// The children of the root, from left to right.
    var children: [PredicateTree] {
        var children: [PredicateTree] = []
        switch self {
        case .predicate(let node):
            node.kind.forEachChild({ children.append(.predicate($0)) }, { children.append(.expression($0)) })
        case .expression(let node):
            node.kind.forEachChild({ children.append(.predicate($0)) }, { children.append(.expression($0)) })
        }
        return children
    }

    /// The variables bound by `:=`. Found without recursion, because this may be called deep inside a walk.
    package var assignedVariables: [String] {
        var names: [String] = []
        var rest = [self]
        while let tree = rest.popLast() {
            if case .expression(let node) = tree, case .assignment(let name, _) = node.kind, !names.contains(name) {
                names.append(name)
            }
            rest += tree.children
        }
        return names
    }
}
