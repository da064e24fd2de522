// The relationship paths that a predicate or expression reads, so that the objects on them are fetched in batches
// (StoredObject.prefetch).

extension FormatPredicate {
    /// See `PredicateTree.pathsRead`.
    var pathsRead: [[String]] { PredicateTree.predicate(root).pathsRead }
}

extension PredicateTree {
    /// Whether evaluation may read keys that are missing in `pathsRead`.
    var readsUnknownKeys: Bool {
        contains { node in
            switch node.kind {
            case .anyKey, .fetch, .term, .method: true
            default: false
            }
        }
    }

    /// Key paths from the tested object, without collection operators. For a variable of a SUBQUERY, the path starts
    /// with the collection. The list may have paths that evaluation never reads.
    var pathsRead: [[String]] {
        var found: Set<[String]> = []
        var variables: [String: [[String]]] = [:]
        let walker = PredicateWalker(expression: { node in
            if case .subquery(let collection, let variable, _) = node.kind {
                variables[variable, default: []] += paths(of: collection, variables)
            }
            for path in paths(of: node, variables) { found.insert(path.filter { !$0.hasPrefix("@") }) }
        })
        walk(by: walker)
        return found.filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

private func paths(of node: ExpressionNode, _ variables: [String: [[String]]]) -> [[String]] {
    switch node.kind {
    case .keyPath(let keys): [keys]
    case .selfObject: [[]]
    case .variable(let name): variables[name] ?? []
    case .member(let base, let step):
        paths(of: base, variables).flatMap { base in paths(of: step, variables).map { base + $0 } }
    case .index(let base, _): paths(of: base, variables)
    case .subquery(let collection, _, _): paths(of: collection, variables)
    default: []
    }
}
