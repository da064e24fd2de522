// Prints long predicates over several lines. A part that fits the width is printed in canonical form; other parts are
// broken at their outermost operator. The output parses to the same tree.

/// Prints trees over several lines.
///
///     PrettyPrinter(width: 40).print(tree)
///     // name BEGINSWITH[cd] "é"
///     // AND (
///     //     age > 21
///     //     OR ANY tags == "vip"
///     // )
///
/// Cost: the size of the tree times its height.
package struct PrettyPrinter: Sendable {
    /// The preferred maximum line length. Constants are not broken.
    package var width: Int
    private static let step = 4

    /// - Parameter width: the preferred maximum line length. Constants are not broken.
    package init(width: Int = 80) { self.width = width }

    /// Prints a tree. Lines are separated by LF.
    package func print(_ node: PredicateNode) -> String { layout(node, 0, after: 0) }
    package func print(_ node: ExpressionNode) -> String { layout(node, 0, after: 0) }

    /// - Parameter after: the number of columns needed on the first line for text before the node.
    private func layout(_ node: PredicateNode, _ indent: Int, after: Int) -> String {
        let flat = CanonicalPrinter.readable(node)
        if flat.count + indent + after <= width { return flat }
        switch node.kind {
        case .and(let children): return chain(children, "AND ", indent, flat)
        case .or(let children): return chain(children, "OR ", indent, flat)
        case .not(let child): return "NOT " + operand(child, indent, after: 4)
        case .comparison(let comparison):
            let prefix = comparison.modifier == .direct ? "" : comparison.modifier.spelling + " "
            let middle = " \(comparison.operator.spelling)\(comparison.options.spelling) "
            return prefix + layout(comparison.left, indent, after: prefix.count) + middle
                + layout(comparison.right, indent, after: prefix.count + middle.count)
        case .constant, .error: return flat
        }
    }

    private func chain(_ children: [PredicateNode], _ word: String, _ indent: Int, _ flat: String) -> String {
        guard children.count > 1 else { return children.first.map { layout($0, indent, after: 0) } ?? flat }
        return children.enumerated().map { position, child in
            (position == 0 ? "" : word) + operand(child, indent, after: position == 0 ? 0 : word.count)
        }.joined(separator: newline(indent))
    }

    /// Prints a part of a compound. A compound that does not fit gets parentheses on separate lines.
    private func operand(_ child: PredicateNode, _ indent: Int, after: Int) -> String {
        guard child.isCompound else { return layout(child, indent, after: after) }
        let flat = "(\(CanonicalPrinter.readable(child)))"
        if flat.count + indent + after <= width { return flat }
        let inner = indent + Self.step
        return "(" + newline(inner) + layout(child, inner, after: 0) + newline(indent) + ")"
    }

    private func layout(_ node: ExpressionNode, _ indent: Int, after: Int) -> String {
        let flat = CanonicalPrinter.readable(node)
        if flat.count + indent + after <= width { return flat }
        let inner = indent + Self.step
        func list(_ open: String, _ parts: [String], _ close: String) -> String {
            parts.isEmpty
                ? open + close
                : open + newline(inner) + parts.joined(separator: "," + newline(inner)) + newline(indent) + close
        }
        func parts(_ nodes: [ExpressionNode]) -> [String] { nodes.map { layout($0, inner, after: 0) } }
        switch node.kind {
        case .subquery(let collection, let variable, let condition):
            return list(
                "SUBQUERY(", [layout(collection, inner, after: 0), "$" + variable, layout(condition, inner, after: 0)],
                ")")
        case .ternary(let condition, let yes, let no):
            return list("TERNARY(", [layout(condition, inner, after: 0)] + parts([yes, no]), ")")
        case .aggregate(let elements): return list("{", parts(elements), "}")
        case .call(let name, let arguments): return list(name + "(", parts(arguments), ")")
        case .member(let base, let step) where !base.isInfix:
            return layout(base, indent, after: 0) + "." + CanonicalPrinter.readable(step)
        default: return flat
        }
    }

    private func newline(_ indent: Int) -> String { "\n" + String(repeating: " ", count: indent) }
}
