// The tree of a predicate or an expression, as the parser, checkers and compilers take it, and what both kinds of nodes
// have in common.

/// The kind of a predicate or an expression, with its children.
package protocol NodeKind: Equatable {
    static var error: Self { get }
    /// Calls a closure for each child, from left to right: `predicate` for predicates, `expression` for
    /// expressions.
    func forEachChild(_ predicate: (PredicateNode) -> Void, _ expression: (ExpressionNode) -> Void)
}

extension NodeKind {
    /// Whether the node itself could not be parsed.
    var isError: Bool { self == .error }

    /// The greatest height of the children; 0 if there are none.
    @inline(__always) var heightOfChildren: Int32 {
        var height: Int32 = 0
        forEachChild({ height = max(height, $0.height) }, { height = max(height, $0.height) })
        return height
    }
}

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
        case .predicate(let node): node.kind.isError
        case .expression(let node): node.kind.isError
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

    /// Visits all nodes.
    package func walk(by walker: PredicateWalker) { walker.walk(self) }

    /// What a closure returns for the expressions, parents before children; nil is left out.
    package func values<Value>(_ read: @escaping (ExpressionNode) -> Value?) -> [Value] {
        var found: [Value] = []
        walk(by: PredicateWalker(expression: { if let value = read($0) { found.append(value) } }))
        return found
    }

    /// Whether a condition holds for one of the expressions.
    package func contains(where condition: @escaping (ExpressionNode) -> Bool) -> Bool {
        !values { condition($0) ? true : nil }.isEmpty
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
