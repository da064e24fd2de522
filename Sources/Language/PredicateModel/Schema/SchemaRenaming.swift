// Renames the keys of a saved predicate for another version of its schema.

extension FormatPredicate {
    /// Returns the predicate with the names of a new version of the schema: keys that have another name there
    /// (`formerly`). The entity at each key path decides, also behind relationships and for the variables of SUBQUERY.
    ///
    ///     // version 2: Item.title was name; Tag.name keeps its name
    ///     let new = try FormatPredicate("name == 'x' AND SUBQUERY(tags, $t, $t.name == 'y').@count > 0")
    ///         .renamed(from: version1, to: version2, entity: "Item")
    ///     // title == "x" AND SUBQUERY(tags, $t, $t.name == "y").@count > 0
    ///
    /// Keys that the new version does not have stay, so that its type checker reports them.
    ///
    /// - Parameters:
    ///   - old: the version for which the predicate was written.
    ///   - new: the version whose `formerly` names keys of the old one.
    ///   - entity: the entity of the objects, by its old name; nil is the schema's only or default entity.
    /// - Returns: a predicate without a source text, because its positions would be wrong there.
    /// - Throws: `unknown-entity`.
    /// - Complexity: linear in the predicate.
    public func renamed(
        from old: PredicateSchema, to new: PredicateSchema, entity: String? = nil
    ) throws(PredicateFailure) -> FormatPredicate {
        let name = entity ?? old.defaultEntity ?? ""
        try old.require(entity: name)
        var renaming = SchemaRenaming(old: old, new: new, root: name)
        return FormatPredicate(renaming.renamed(root), in: environment)
    }
}

/// The walk over a tree. Entities are those of the old version.
private struct SchemaRenaming {
    let old: PredicateSchema
    let new: PredicateSchema
    let root: String
    /// The entities of the variables of enclosing SUBQUERYs.
    var variables: [String: String] = [:]

    /// An expression, and the entity of its value or of the elements of its value, if it has one.
    typealias Renamed = (node: ExpressionNode, entity: String?)

    mutating func renamed(_ node: PredicateNode) -> PredicateNode {
        let kind: PredicateNode.Kind
        switch node.kind {
        case .constant, .error: return node
        case .comparison(var comparison):
            comparison.left = renamed(comparison.left).node
            comparison.right = renamed(comparison.right).node
            kind = .comparison(comparison)
        case .and(let children): kind = .and(children.map { renamed($0) })
        case .or(let children): kind = .or(children.map { renamed($0) })
        case .not(let child): kind = .not(renamed(child))
        }
        return PredicateNode(kind, span: node.span)
    }

    private mutating func renamed(_ nodes: [ExpressionNode]) -> [ExpressionNode] { nodes.map { renamed($0).node } }

    private mutating func renamed(_ node: ExpressionNode) -> Renamed {
        var entity: String?
        let kind: ExpressionNode.Kind
        switch node.kind {
        case .value, .anyKey, .indexSymbol, .term, .argument, .error: return (node, nil)
        case .selfObject: return (node, root)
        case .variable(let name): return (node, variables[name])
        case .keyPath(let keys):
            entity = root
            kind = .keyPath(path(keys, &entity))
        case .member(let base, let step):
            let base = renamed(base)
            entity = base.entity
            kind = .member(base.node, step: self.step(step, &entity))
        case .index(let base, let index):
            let base = renamed(base)
            if case .value(.string(let key)) = index.kind, base.entity != nil {
                entity = base.entity
                kind = .index(base.node, ExpressionNode(.value(.string(path([key], &entity)[0])), span: index.span))
            } else {
                entity = base.entity
                kind = .index(base.node, renamed(index).node)
            }
        case .subquery(let collection, let variable, let condition):
            let collection = renamed(collection)
            entity = collection.entity
            let outer = variables[variable]
            variables[variable] = entity
            kind = .subquery(collection.node, variable: variable, renamed(condition))
            variables[variable] = outer
        case .ternary(let condition, let first, let second):
            let (condition, first, second) = (renamed(condition), renamed(first), renamed(second))
            if first.entity == second.entity { entity = first.entity }
            kind = .ternary(condition, first.node, second.node)
        case .binary(let binary, let left, let right):
            let (left, right) = (renamed(left), renamed(right))
            if binary.isSetOperator { entity = left.entity ?? right.entity }
            kind = .binary(binary, left.node, right.node)
        case .call(let name, let arguments):
            // A function that returns objects returns those of its argument.
            if arguments.count == 1 { entity = renamed(arguments[0]).entity }
            kind = .call(name, renamed(arguments))
        case .negation(let operand): kind = .negation(renamed(operand).node)
        case .method(let target, let selector, let arguments):
            kind = .method(renamed(target).node, selector: selector, renamed(arguments))
        case .cast(let operand, let type): kind = .cast(renamed(operand).node, type: type)
        case .aggregate(let elements): kind = .aggregate(renamed(elements))
        case .assignment(let variable, let value): kind = .assignment(variable: variable, renamed(value).node)
        case .fetch(let arguments): kind = .fetch(renamed(arguments))
        }
        return (ExpressionNode(kind, span: node.span), entity)
    }

    /// The step of a key path, which is relative to the value before it.
    private mutating func step(_ node: ExpressionNode, _ entity: inout String?) -> ExpressionNode {
        switch node.kind {
        case .keyPath(let keys): return ExpressionNode(.keyPath(path(keys, &entity)), span: node.span)
        case .value(.string(let key)):
            return ExpressionNode(.value(.string(path([key], &entity)[0])), span: node.span)
        case .selfObject: return node
        case .index(let base, let index):
            return ExpressionNode(.index(step(base, &entity), renamed(index).node), span: node.span)
        default:
            entity = nil
            return node
        }
    }

    /// Renames the keys of a path, and moves to the entity at its end.
    private func path(_ keys: [String], _ entity: inout String?) -> [String] {
        keys.map { key in
            // An operator is applied to the elements, which have the same entity.
            guard let owner = entity, key != "self", !key.hasPrefix("@") else { return key }
            guard let found = old.key(key, of: owner) else {
                entity = nil
                return key
            }
            if case .relationship(let relationship) = found { entity = relationship.target } else { entity = nil }
            return name(of: key, owner)
        }
    }

    /// The new name of a key; the old one if the new version does not have the key.
    private func name(of key: String, _ owner: String) -> String {
        guard let entity = new.entities.first(where: { $0.formerly == owner }) ?? new.entity(owner) else { return key }
        for own in new.lineage(of: entity.name) {
            if let found = own.attributes.first(where: { $0.formerly == key }) { return found.name }
            if let found = own.relationships.first(where: { $0.formerly == key }) { return found.name }
        }
        return key
    }
}
