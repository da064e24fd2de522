// Finds terms of an AND that are never true together, and terms of an OR of which one is always true: `age > 30 AND age
// < 20`, `status != 1 OR status != 2`, `a > 5 AND (a < 3 OR a == 4)`. They are reported as warnings, because the
// predicate is legal but probably a mistake. Prover decides, so the same conditions are refused for changes and dropped
// by simplification.
package import PredicateSyntax

/// Finds such terms in the nodes of one tree.
package struct ContradictionRules {
    /// The maximum number of terms of one AND or OR that are compared with each other.
    private static let comparedTerms = 32

    private let source: SourceText
    private var prover: Prover

    /// - Parameter tree: the tree whose nodes are checked, with its typed texts read.
    package init(_ tree: PredicateTree, _ source: SourceText, _ types: TypeChecker) {
        self.source = source
        prover = Prover(tree, types: types)
    }

    /// A warning about the fewest terms of an AND or OR that decide its result; nil if they do not, or if they are not in
    /// the text. A term that is decided alone has a warning of its own.
    package mutating func warning(about node: PredicateNode) -> Diagnostic? {
        let isAnd = if case .and = node.kind { true } else { false }
        let terms = node.terms(isAnd: isAnd).prefix(Self.comparedTerms)
        guard terms.count > 1, Prover.takes(node) else { return nil }
        let goals = terms.map { (prover.read($0), Outcomes(isAnd)) }
        for exceptsNil in isAnd ? [false] : [false, true] {
            guard let deciding = prover.core(goals, exceptsNil: exceptsNil) else { continue }
            let parts = deciding.map { terms[$0] }
            guard let last = parts.last, parts.count > 1, !parts.contains(where: { $0.span.isEmpty }) else { return nil }
            let all = parts.dropFirst().reduce(parts[0].span) { $0.joined($1.span) }
            let bytes = source.bytes
            let isWhole = !bytes[all.range.clamped(to: 0..<bytes.count)].contains(UInt8(ascii: ")"))
            let first = parts.dropLast().map { source.text($0.span) }.joined(separator: "', '")
            return Diagnostic(
                isAnd ? .contradiction : .tautology, at: isWhole ? all : node.span, first, source.text(last.span),
                exceptsNil ? " except nil" : "")
        }
        return nil
    }
}
