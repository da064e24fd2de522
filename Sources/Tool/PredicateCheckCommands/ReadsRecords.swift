// Determines whether the value of a predicate or an expression depends on a record.

extension PredicateTree {
    /// Whether the value depends on a record.
    package var readsRecords: Bool {
        var found = false
        PredicateWalker(expression: { node in
            switch node.kind {
            case .keyPath, .selfObject, .anyKey, .term: found = true
            default: break
            }
        }).walk(self)
        return found
    }
}
