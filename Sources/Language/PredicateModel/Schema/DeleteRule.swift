// What deleting an object does to the objects that refer to it, and the columns that refer to objects.

extension PredicateSchema {
    /// What deleting an object does to the objects that refer to it by a relationship.
    ///
    ///     var orders = PredicateSchema.Relationship("orders", toMany: "Order", link: .foreignKey("person_id"))
    ///     orders.onDelete = .cascade    // deleting a person deletes its orders
    ///
    /// The rule belongs to the columns of the relationship's link. For a to-one relationship with a column, it applies when
    /// the object that it refers to is deleted. For a to-many relationship, it applies when the object that has the
    /// relationship is deleted.
    public enum DeleteRule: String, Sendable, Hashable, CaseIterable {
        /// They refer to nothing afterwards: their key becomes nil, or the pairs of the join table are deleted.
        case nullify
        /// They are deleted, too. Of a join table only the pairs are deleted.
        case cascade
        /// Deleting fails, unless they are deleted by the same request.
        case deny
    }

    /// Columns of a table that refer to the primary key of another one.
    package struct Reference: Sendable, Hashable {
        package let table: String
        package let columns: [String]
        /// The entity of all rows of the table that refer; nil for the pairs of a join table.
        package let entity: String?
        /// For a join table: the entity at the other end of the pairs, and its columns.
        package let other: Other?
        /// The table that the columns refer to.
        package let target: String
        /// Whether the schema says that the key is never nil.
        package fileprivate(set) var isRequired: Bool
        package var rule: DeleteRule?

        package struct Other: Sendable, Hashable {
            package let entity: String
            package let columns: [String]
        }

        fileprivate func isSame(as other: Reference) -> Bool {
            table == other.table && columns == other.columns && target == other.target
        }
    }

    /// All columns that refer to objects, each once. Inverse relationships share their columns and the rule.
    package var references: [Reference] {
        var found: [Reference] = []
        func add(
            _ table: String, _ columns: [String], to target: String, entity: String? = nil,
            other: Reference.Other? = nil, isRequired: Bool = false, _ rule: DeleteRule?
        ) {
            let reference = Reference(
                table: table, columns: columns, entity: entity, other: other, target: target, isRequired: isRequired,
                rule: rule)
            guard let known = found.firstIndex(where: reference.isSame) else { return found.append(reference) }
            found[known].rule = found[known].rule ?? reference.rule
            if reference.isRequired { found[known].isRequired = true }
        }
        for entity in entities {
            let own = table(of: entity.name)
            // An entity in a table of its own repeats the columns of its ancestors' relationships.
            let inherited = lineage(of: entity.name).dropFirst().flatMap { $0.relationships }.filter { relationship in
                if case .column? = relationship.link { true } else { false }
            }
            for relationship in entity.relationships + inherited {
                let (rule, target) = (relationship.onDelete, table(of: relationship.target))
                switch relationship.link {
                case .column(let columns):
                    let holder = self.entity(sharingTableOf: entity.name)
                    add(own, columns, to: target, entity: holder, isRequired: !relationship.isOptional, rule)
                case .foreignKey(let columns):
                    add(target, columns, to: own, entity: self.entity(sharingTableOf: relationship.target), rule)
                case .join(let pairs, let from, let to):
                    add(pairs, from, to: own, other: .init(entity: relationship.target, columns: to), rule)
                    add(pairs, to, to: target, other: .init(entity: entity.name, columns: from), nil)
                case nil: break
                }
            }
        }
        return found
    }

    /// The columns that identify a row of a table; empty if there are none.
    package func primaryKey(ofTable table: String) -> [String] {
        entities.first { self.table(of: $0.name) == table }.map { primaryKey(of: $0.name) } ?? []
    }

    /// The columns of a reference that become NULL when it refers to nothing: those that nothing else needs.
    package func emptied(by reference: Reference) -> [String] {
        guard let entity = reference.entity else { return [] }
        let sharing = entities.filter { table(of: $0.name) == reference.table }
        let required = sharing.flatMap { $0.attributes }.filter { !$0.isOptional }.map { $0.column }
        return reference.columns.filter { !required.contains($0) && !primaryKey(of: entity).contains($0) }
    }
}
