// The tree of a predicate or an expression, as checkers and compilers take it.
package import PredicateSyntax

package enum PredicateTree: Sendable {
    case predicate(PredicateNode)
    case expression(ExpressionNode)

    var height: Int32 {
        switch self {
        case .predicate(let node): node.height
        case .expression(let node): node.height
        }
    }

    /// The variables bound by `:=`. Found without recursion, because the caller may already be deep inside the tree.
    package var assignedVariables: [String] {
        var names: [String] = []
        var predicates: [PredicateNode] = []
        var expressions: [ExpressionNode] = []
        switch self {
        case .predicate(let node): predicates = [node]
        case .expression(let node): expressions = [node]
        }
        while true {
            if let node = expressions.popLast() {
                if case .assignment(let name, _) = node.kind, !names.contains(name) { names.append(name) }
                node.kind.forEachChild({ predicates.append($0) }, { expressions.append($0) })
            } else if let node = predicates.popLast() {
                node.kind.forEachChild({ predicates.append($0) }, { expressions.append($0) })
            } else {
                return names
            }
        }
    }
}
