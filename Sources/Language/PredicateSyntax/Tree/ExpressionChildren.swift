// Splits an expression node into its children and rebuilds it. Recursive functions on trees use this to keep their
// stack frames at a few hundred bytes. A `switch` that binds the payload of every case needs kilobytes per level in
// debug builds, and a thread may have only 512 KB (Limits.nesting; tests measure it).

/// The children of an expression, from left to right: expressions, and a predicate for TERNARY and SUBQUERY.
struct ExpressionChildren {
    var first: ExpressionNode?
    var second: ExpressionNode?
    var rest: [ExpressionNode] = []
    var condition: PredicateNode?
    /// Whether the condition comes first, as in TERNARY; in SUBQUERY it is last.
    var conditionLeads = false

    @inline(__always)
    func forEach(_ predicate: (PredicateNode) -> Void, _ expression: (ExpressionNode) -> Void) {
        if conditionLeads, let condition { predicate(condition) }
        if let first { expression(first) }
        if let second { expression(second) }
        for node in rest { expression(node) }
        if !conditionLeads, let condition { predicate(condition) }
    }
}

extension ExpressionNode.Kind {
    package func forEachChild(
        _ predicate: (PredicateNode) -> Void, _ expression: (ExpressionNode) -> Void
    ) {
        children.forEach(predicate, expression)
    }

    /// Whether the node has no children. Most nodes have none, so this avoids building `children`.
    package var isLeaf: Bool {
        switch self {
        case .value, .selfObject, .anyKey, .variable, .keyPath, .indexSymbol, .term, .argument, .error: true
        case .member, .index, .binary, .negation, .call, .method, .cast, .aggregate, .ternary, .subquery, .assignment,
            .fetch:
            false
        }
    }

    var children: ExpressionChildren {
        switch self {
        case .value, .selfObject, .anyKey, .variable, .keyPath, .indexSymbol, .term, .argument, .error:
            ExpressionChildren()
        case .member(let base, let step): ExpressionChildren(first: base, second: step)
        case .index(let base, let index): ExpressionChildren(first: base, second: index)
        case .binary(_, let left, let right): ExpressionChildren(first: left, second: right)
        case .negation(let operand), .cast(let operand, _), .assignment(_, let operand):
            ExpressionChildren(first: operand)
        case .call(_, let arguments), .aggregate(let arguments), .fetch(let arguments):
            ExpressionChildren(rest: arguments)
        case .method(let target, _, let arguments): ExpressionChildren(first: target, rest: arguments)
        case .ternary(let condition, let yes, let no):
            ExpressionChildren(first: yes, second: no, condition: condition, conditionLeads: true)
        case .subquery(let collection, _, let condition): ExpressionChildren(first: collection, condition: condition)
        }
    }

    /// The same kind of node with other children, of the same number.
    @inline(never)
    func with(_ children: ExpressionChildren) -> ExpressionNode.Kind {
        guard let first = children.first else {
            switch self {
            case .call(let name, _): return .call(name, children.rest)
            case .aggregate: return .aggregate(children.rest)
            case .fetch: return .fetch(children.rest)
            default: return self
            }
        }
        switch (self, children.second, children.condition) {
        case (.member, let second?, _): return .member(first, step: second)
        case (.index, let second?, _): return .index(first, second)
        case (.binary(let binary, _, _), let second?, _): return .binary(binary, first, second)
        case (.negation, _, _): return .negation(first)
        case (.cast(_, let type), _, _): return .cast(first, type: type)
        case (.assignment(let variable, _), _, _): return .assignment(variable: variable, first)
        case (.method(_, let selector, _), _, _): return .method(first, selector: selector, children.rest)
        case (.ternary, let second?, let condition?): return .ternary(condition, first, second)
        case (.subquery(_, let variable, _), _, let condition?):
            return .subquery(first, variable: variable, condition)
        default: return self
        }
    }

    /// Structural equality, consistent with the synthesised hash.
    public static func == (left: ExpressionNode.Kind, right: ExpressionNode.Kind) -> Bool {
        guard left.isAlike(right) else { return false }
        if left.isLeaf { return true }
        let (mine, others) = (left.children, right.children)
        if let first = mine.first, let other = others.first, first != other { return false }
        if let second = mine.second, let other = others.second, second != other { return false }
        if let condition = mine.condition, let other = others.condition, condition != other { return false }
        for index in mine.rest.indices where mine.rest[index] != others.rest[index] { return false }
        return true
    }

    /// Whether two nodes are equal apart from their children, and have the same number of children.
    private func isAlike(_ other: ExpressionNode.Kind) -> Bool {
        switch (self, other) {
        case (.value(let a), .value(let b)): a == b
        case (.variable(let a), .variable(let b)): a == b
        case (.keyPath(let a), .keyPath(let b)): a == b
        case (.indexSymbol(let a), .indexSymbol(let b)): a == b
        case (.binary(let a, _, _), .binary(let b, _, _)): a == b
        case (.call(let a, let mine), .call(let b, let others)): a == b && mine.count == others.count
        case (.method(_, let a, let mine), .method(_, let b, let others)): a == b && mine.count == others.count
        case (.cast(_, let a), .cast(_, let b)): a == b
        case (.aggregate(let mine), .aggregate(let others)): mine.count == others.count
        case (.fetch(let mine), .fetch(let others)): mine.count == others.count
        case (.subquery(_, let a, _), .subquery(_, let b, _)): a == b
        case (.assignment(let a, _), .assignment(let b, _)): a == b
        case (.term(let a, let mine), .term(let b, let others)): a == b && mine == others
        case (.argument(let a), .argument(let b)): a == b
        case (.selfObject, .selfObject), (.anyKey, .anyKey), (.error, .error), (.member, .member), (.index, .index),
            (.negation, .negation), (.ternary, .ternary):
            true
        default: false
        }
    }
}
