// Expressions about all records, or about a group of them: they begin with a collection operator, such as `@avg.age`.

extension ExpressionNode {
    /// Whether an expression begins with a collection operator and so refers to all records: `@count`, `@avg.age`. The
    /// operator of `SUBQUERY(…).@count` refers to the result of the SUBQUERY.
    package var isAboutAll: Bool {
        if case .keyPath(let keys) = kind { return keys.first?.hasPrefix("@") ?? false }
        var found = false
        forEachBase { if $0.isAboutAll { found = true } }
        return found
    }

    /// Calls `body` for each child except the step of a key path, which is relative to the value before it.
    private func forEachBase(_ body: (ExpressionNode) -> Void) {
        if case .member(let base, _) = kind { return body(base) }
        kind.forEachChild({ $0.forEachExpression(body) }, body)
    }

    /// Returns an error for each key that no record has. Such keys are nil, which `@sum` and `@avg` count as 0.
    package func unknownKeys(of entity: String, in schema: PredicateSchema) -> [PredicateDiagnostic] {
        if case .keyPath(let keys) = kind {
            let path = Array(keys.drop { $0.hasPrefix("@") })
            return schema.unknownKey(in: path, of: entity, at: span).map { [$0] } ?? []
        }
        var found: [PredicateDiagnostic] = []
        forEachBase { found += $0.unknownKeys(of: entity, in: schema) }
        return found
    }
}

extension PredicateSchema {
    /// Returns the error for the first key of a path that its entity does not have. Keys after an attribute or an
    /// operator are not checked.
    fileprivate func unknownKey(in path: [String], of entity: String, at span: SourceSpan) -> PredicateDiagnostic? {
        var entity = entity
        let keys = joining(path, of: entity)
        for (index, name) in keys.enumerated() {
            if name.hasPrefix("@") || name == "self" { return nil }
            switch key(name, of: entity) {
            case .relationship(let relationship): entity = relationship.target
            case .attribute: return nil
            case nil: return unknownKey(at: index, of: keys, in: entity, span: span)
            }
        }
        return nil
    }
}

extension PredicateNode {
    /// Calls `body` for the expressions of the predicate's comparisons.
    fileprivate func forEachExpression(_ body: (ExpressionNode) -> Void) {
        kind.forEachChild({ $0.forEachExpression(body) }, body)
    }
}
