// Draws a tree for `predicate format --tree`, the prompt, and the section `--- tree` of golden files.

/// Draws a tree, one node per line.
///
///     comparison any >
///     ├─ keypath orders.total
///     └─ value 100
///
/// Cost: linear in the tree.
package struct TreeDump {
    private var lines: [String] = []

    package static func dump(_ tree: PredicateTree) -> String {
        var dump = TreeDump()
        dump.draw(tree, first: "", rest: "")
        return dump.lines.joined(separator: "\n")
    }

    private mutating func draw(_ tree: PredicateTree, first: String, rest: String) {
        lines.append(first + tree.title)
        let children = tree.children
        for (position, child) in children.enumerated() {
            let isLast = position == children.count - 1
            draw(child, first: rest + (isLast ? "└─ " : "├─ "), rest: rest + (isLast ? "   " : "│  "))
        }
    }
}

extension PredicateTree {
    fileprivate var title: String {
        switch self {
        case .predicate(let node): node.title
        case .expression(let node): node.title
        }
    }
}

extension PredicateNode {
    fileprivate var title: String {
        switch kind {
        case .constant(let value): return "constant \(value)"
        case .comparison(let comparison):
            let modifier = comparison.modifier == .direct ? "" : comparison.modifier.spelling.lowercased() + " "
            return "comparison \(modifier)\(comparison.operator.spelling)\(comparison.options.spelling)"
        case .and: return "and"
        case .or: return "or"
        case .not: return "not"
        case .error: return "error"
        }
    }
}

extension ExpressionNode {
    fileprivate var title: String {
        switch kind {
        case .value: "value \(self)"
        case .selfObject: "self"
        case .anyKey: "anykey"
        case .variable: "variable \(self)"
        case .keyPath: "keypath \(self)"
        case .member: "member"
        case .index: "index"
        case .indexSymbol(let symbol): "symbol \(symbol.rawValue)"
        case .binary(let binary, _, _): "operator \(binary.spelling)"
        case .negation: "negation"
        case .call(let name, _): "function \(name)"
        case .method(_, let selector, _): "method \(selector)"
        case .cast(_, let type): "cast \(type)"
        case .aggregate: "aggregate"
        case .ternary: "ternary"
        case .subquery(_, let variable, _): "subquery $\(variable)"
        case .assignment(let variable, _): "assignment $\(variable)"
        case .fetch: "fetch"
        case .term: "term \(self)"
        case .argument(let conversion): "argument \(conversion.spelling)"
        case .error: "error"
        }
    }
}
