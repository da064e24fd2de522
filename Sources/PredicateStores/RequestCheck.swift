// Checks requests against the schema.
package import PredicateModel
import PredicateSQL
package import PredicateSyntax

extension PredicateSchema {
    /// Checks the entity, the sort keys and the prefetched paths of a request.
    ///
    /// - Parameters:
    ///   - asRecords: whether sort keys of groups are allowed; RecordShape checks those.
    ///   - withPredicate: whether the predicate is checked, too.
    /// - Throws: `unknown-entity`; `schema-key` for each unknown key; the errors of the first other sort key that is no
    ///   valid expression; every error in the predicate; `position`.
    func check(
        _ request: FetchRequest, asRecords: Bool = false, withPredicate: Bool = false
    ) throws(StoreFailure) {
        try StoreFailure.ofRequest { () throws(PredicateFailure) in
            try checkKeys(request, asRecords)
            if withPredicate { try request.predicate.typeCheck(request.entity, self) }
        }
        try request.checkPosition(in: self)
    }

    private func checkKeys(_ request: FetchRequest, _ asRecords: Bool) throws(PredicateFailure) {
        guard entity(request.entity) != nil else {
            let nearest = Suggestions.nearest(to: request.entity, in: entityNames)
            throw PredicateFailure(Diagnostic(.unknownEntity, at: .none, request.entity, suggestion: nearest))
        }
        var findings: [Diagnostic] = []
        for key in asRecords && request.hasGroups ? [] : request.sort {
            if let finding = try finding(key: key, of: request.entity) { findings.append(finding) }
        }
        findings += request.prefetch.compactMap { finding(path: $0, of: request.entity) }
        if !findings.isEmpty { throw PredicateFailure(findings, source: "") }
    }

    /// Returns the error in a key path; nil if the path or expression is valid.
    ///
    /// - Throws: the errors of an expression.
    package func finding(key: SortKey, of entity: String) throws(PredicateFailure) -> Diagnostic? {
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
    package func finding(path: String, of entity: String) -> Diagnostic? {
        var entity = entity
        let keys = joining(path.keyPathKeys, of: entity)
        for (index, name) in keys.enumerated() {
            switch key(name, of: entity) {
            case .relationship(let relationship): entity = relationship.target
            case .attribute where index == keys.count - 1: return nil
            // A value of type `any` may be a dictionary that has the key.
            case .attribute(let attribute) where attribute.type == .any: return nil
            case .attribute: return Diagnostic(.schemaKey, at: .none, "'\(name)'", keys[index + 1])
            default:
                let nearest = Suggestions.nearest(to: name, in: self.keys(of: entity))
                return Diagnostic(.schemaKey, at: .none, entity, name, suggestion: nearest)
            }
        }
        return nil
    }
}
