// Finds what a deletion does to the objects that refer to the deleted ones, by the delete rules of their relationships.
// InMemoryStore and SQLStore then change the rows.

/// The rows that a deletion changes.
struct Deletion {
    /// The references whose rows the store changes itself, with the rule to apply.
    let references: [PredicateSchema.Reference]
    private let source: any ObjectSource
    private let log = FaultLog()
    /// The deleted rows: first those of the request, then those that refer to them, and so on.
    private(set) var rows: [(layout: EntityLayout, keys: [[PredicateValue]])] = []
    /// The rows whose columns become NULL.
    private(set) var emptied: [(reference: PredicateSchema.Reference, layout: EntityLayout, keys: [[PredicateValue]])] =
        []
    /// The keys whose pairs are deleted from join tables.
    private(set) var pairs: [(reference: PredicateSchema.Reference, keys: [[PredicateValue]])] = []
    /// References that the rules deny, with the deleted keys that rows outside of the deletion refer to.
    private(set) var denied: [(reference: PredicateSchema.Reference, keys: [[PredicateValue]])] = []
    private var seen: Set<RowIdentity> = []

    /// The changed rows by table.
    var changes: StoreChanges {
        var changes = StoreChanges()
        for (layout, keys) in rows { changes.add(keys, of: layout.table) }
        for (_, layout, keys) in emptied { changes.add(keys, of: layout.table) }
        for (reference, _) in pairs { changes.add(nil, of: reference.table) }
        return changes
    }

    init(_ references: [PredicateSchema.Reference], _ source: any ObjectSource) {
        self.references = references
        self.source = source
    }

    /// Finds what deleting the rows of an entity changes.
    ///
    /// - Throws: `constraint`, if a key that cannot be nil would become nil; errors of the store.
    mutating func add(_ layout: EntityLayout, _ keys: [[PredicateValue]]) throws(StoreFailure) {
        var referring: [(reference: PredicateSchema.Reference, keys: [[PredicateValue]], rows: [RowIdentity])] = []
        try append(layout, keys)
        var next = 0
        while next < rows.count {
            let (layout, keys) = rows[next]
            next += 1
            for reference in references where reference.target == layout.table {
                guard let rule = reference.rule else { continue }
                guard let entity = reference.entity else {
                    if rule != .deny {
                        pairs.append((reference, keys))
                    } else if try !rows(reference, keys).isEmpty {
                        denied.append((reference, keys))
                    }
                    continue
                }
                let others = try rows(reference, keys)
                if others.isEmpty { continue }
                let holder = try source.layouts.layout(entity)
                try holder.requireKey()
                switch rule {
                case .cascade: try append(holder, others.map(\.primaryKey))
                case .nullify: emptied.append((reference, holder, try holder.named(others.map(\.primaryKey))))
                case .deny:
                    let rows = others.map { RowIdentity(table: holder.table, key: $0.primaryKey) }
                    referring.append((reference, keys, rows))
                }
            }
        }
        for (reference, keys, rows) in referring where !seen.isSuperset(of: rows) { denied.append((reference, keys)) }
        for index in emptied.indices {
            let (reference, layout, keys) = emptied[index]
            emptied[index].keys = keys.filter { !seen.contains(RowIdentity(table: layout.table, key: $0)) }
            let isRequired = reference.isRequired || source.layouts.schema.emptied(by: reference).isEmpty
            if !emptied[index].keys.isEmpty, isRequired {
                throw reference.violation(.notNull, "cannot be nil")
            }
        }
    }

    private mutating func append(_ layout: EntityLayout, _ keys: [[PredicateValue]]) throws(StoreFailure) {
        let new = try layout.named(keys).filter { seen.insert(RowIdentity(table: layout.table, key: $0)).inserted }
        if !new.isEmpty { rows.append((layout, new)) }
    }

    /// The rows that refer to keys; for a join table, the rows at the other end of its pairs.
    private func rows(
        _ reference: PredicateSchema.Reference, _ keys: [[PredicateValue]]
    ) throws(StoreFailure) -> [StoredObject] {
        guard let entity = reference.entity ?? reference.other?.entity else { return [] }
        let place =
            reference.other.map { ObjectPlace.pairs(table: reference.table, from: reference.columns, to: $0.columns) }
            ?? .columns(reference.columns)
        return try source.objects(source.layouts.layout(entity), place, keys, log).flatMap(\.self)
    }

    /// Throws if the rules deny the deletion.
    ///
    /// - Parameter isDone: whether the rows are deleted already, so that triggers may have removed the references.
    func requireAllowed(isDone: Bool) throws(StoreFailure) {
        for (reference, keys) in denied {
            if isDone, try rows(reference, keys).isEmpty { continue }
            throw reference.violation(.foreignKey, "refers to the objects to delete")
        }
    }
}

extension PredicateSchema.Reference {
    /// The reference with the rule that holds if there is none.
    var denying: Self {
        var reference = self
        reference.rule = rule ?? .deny
        return reference
    }

    fileprivate func violation(_ kind: StoreConstraint.Kind, _ sentence: String) -> StoreFailure {
        .constraint(
            StoreConstraint(
                kind, table: table, columns: columns,
                message: "\(table).\(columns.joined(separator: ", ")) \(sentence)"))
    }
}
