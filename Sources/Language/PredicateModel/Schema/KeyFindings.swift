// Checks the key paths that requests name, such as sort keys, and suggests keys for unknown ones.

extension PredicateSchema {
    /// Returns an error for each sort key whose path the entity does not have.
    ///
    /// - Throws: the errors of the first sort key that is no path and no valid expression.
    package func findings(
        sort: [PredicateSortKey], of entity: String
    ) throws(PredicateFailure) -> [PredicateDiagnostic] {
        var findings: [PredicateDiagnostic] = []
        for key in sort { if let finding = try finding(key: key, of: entity) { findings.append(finding) } }
        return findings
    }

    /// Returns the error in a sort key; nil if the path or expression is valid.
    ///
    /// - Throws: the errors of an expression.
    package func finding(key: PredicateSortKey, of entity: String) throws(PredicateFailure) -> PredicateDiagnostic? {
        if self.key(key.path, of: entity) != nil { return nil }
        guard let finding = finding(path: key.path, of: entity) else { return nil }
        let expression: FormatExpression
        do throws(PredicateFailure) { expression = try key.expression() } catch {
            // A name such as `first name`, or two keys without a comma.
            guard error.diagnostics.contains(where: { $0.id == .expectedOperator }) else { throw error }
            return finding
        }
        let findings = try TypeChecker(schema: self, entity: entity, in: key.environment)
            .check(expression.root, source: expression.source, adding: expression.warnings).diagnostics
        let errors = findings.filter { $0.severity == .error }
        if errors.isEmpty { return nil }
        if key.isKeyPath { return finding }
        throw PredicateFailure(errors, source: expression.source)
    }

    /// Returns the error in a dotted key path; nil if the path is valid.
    /// - Parameter isPrefetched: whether it may have relationships only.
    package func finding(path: String, of entity: String, isPrefetched: Bool = false) -> PredicateDiagnostic? {
        var entity = entity
        let keys = joining(path.keyPathKeys, of: entity)
        for (index, name) in keys.enumerated() {
            switch key(name, of: entity) {
            case .relationship(let relationship): entity = relationship.target
            case .attribute where isPrefetched:
                let found = "the attribute '\(name)'"
                return PredicateDiagnostic(.argumentType, at: .none, "prefetch", found, "name relationships")
            case .attribute where index == keys.count - 1: return nil
            // A value of type `any` may be a dictionary that has the key.
            case .attribute(let attribute) where attribute.type == .any: return nil
            case .attribute: return PredicateDiagnostic(.unknownKey, at: .none, "'\(name)'", keys[index + 1])
            default: return unknownKey(at: index, of: keys, in: entity)
            }
        }
        return nil
    }

    /// The error for a key of a path that the entity does not have, with the nearest key.
    package func unknownKey(
        at index: Int, of path: [String], in entity: String, span: SourceSpan = .none
    ) -> PredicateDiagnostic {
        let nearest = nearestKey(to: path, at: index, of: entity)
        let name = path[index..<(nearest?.end ?? index + 1)].joined(separator: ".")
        return PredicateDiagnostic(.unknownKey, at: span, entity, name, suggestion: nearest?.name)
    }

    /// The key of an entity that is nearest to a key of a path; nil if none is near. `end` is the index after the keys
    /// that it replaces: several if it is a name with points, such as `meta.theme`.
    func nearestKey(to path: [String], at index: Int, of entity: String) -> (name: String, end: Int)? {
        let keys = keys(of: entity)
        if let nearest = Suggestions.nearest(to: path[index], in: keys) { return (nearest, index + 1) }
        let names = keys.filter { $0.utf8.contains(UInt8(ascii: ".")) }
        for end in path.indices.dropFirst(index + 1) where !names.isEmpty {
            let joined = path[index...end].joined(separator: ".")
            if let nearest = Suggestions.nearest(to: joined, in: names) { return (nearest, end + 1) }
        }
        return nil
    }
}
