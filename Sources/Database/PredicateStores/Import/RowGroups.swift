// Inserts objects of published types with their children by one call for each relationship, owners first.
// ObjectGraph.swift calls it, and gives Importer.swift what it does not insert: objects that may exist, and links in
// join tables.

/// New rows of one entity, whose owners are all in one other group.
struct RowGroup {
    let layout: EntityLayout
    /// The number of relationships that lead to the rows.
    let depth: Int
    /// The group of the owners, and where the relationship to the rows is stored; nil for the objects of the call.
    let owner: (group: Int, link: PredicateSchema.Relationship.Link)?
    /// The position of each row's owner in its group.
    var owners: [Int] = []
    /// The rows. The first value is the primary key, or nil if it must be made. The last value of a row with an owner
    /// is the owner's key, which is set when it is known.
    var rows: [ValueDictionary] = []

    var keys: [PredicateValue] { rows.map { $0.values[0] } }
}

extension ObjectGraph {
    /// Returns the rows of objects and of their children. nil if there are no children, or some that need more than an
    /// insertion: keys of objects, children in join tables, objects with keys that occur twice.
    mutating func groups(
        of records: [ValueDictionary], _ entity: String, _ layouts: SchemaLayout
    ) throws(StoreFailure) -> [RowGroup]? {
        var records = [records]
        var groups = [RowGroup(layout: try layouts.layout(entity), depth: 0, owner: nil)]
        var next = 0
        while next < groups.count {
            let (layout, depth) = (groups[next].layout, groups[next].depth)
            guard let first = records[next].first else { return nil }
            let known = known(first.shape, layout.entity)
            if known.primaryKey.count != 1 || records[next].contains(where: { $0.shape !== first.shape }) { return nil }
            for (position, relationship) in known.relationships
            where relationship.isToMany && relationship.link != groups[next].owner?.link.reversed {
                var (children, owners): ([ValueDictionary], [Int]) = ([], [])
                for (row, record) in records[next].enumerated() {
                    for element in record.values[position].elements ?? [] {
                        guard case .object(let reference) = element else { return nil }
                        children.append(reference.object.publishedRecord)
                        owners.append(row)
                    }
                }
                if children.isEmpty { continue }
                guard let link = relationship.link, case .foreignKey = link else { return nil }
                try Self.check(depth: depth + 1, relationship.target)
                let target = try layouts.layout(relationship.target)
                groups.append(RowGroup(layout: target, depth: depth + 1, owner: (next, link), owners: owners))
                records.append(children)
            }
            // Most calls have no children.
            if groups.count == 1 { return nil }
            next += 1
        }
        for index in groups.indices {
            guard try fill(&groups[index], records[index]) else { return nil }
        }
        return hasOnlyNewKeys(groups) ? groups : nil
    }

    /// Makes the rows of a group. Returns false if the entity has no key for the owner, and for children that have only
    /// a key: they refer to rows that exist.
    private mutating func fill(_ group: inout RowGroup, _ records: [ValueDictionary]) throws(StoreFailure) -> Bool {
        let known = known(records[0].shape, group.layout.entity)
        let key = known.primaryKey[0]
        let relationships = Dictionary(uniqueKeysWithValues: known.relationships.map { ($0, $1) })
        let kept = known.shape.keys.indices.filter { position in
            if position == key || known.unknown.contains(position) { return false }
            guard let relationship = relationships[position] else { return true }
            return !relationship.isToMany && relationship.link != group.owner?.link.reversed
        }.map { ($0, relationships[$0]) }
        if kept.isEmpty, group.depth > 0, records.contains(where: { !$0.values[key].isNil }) { return false }
        var names = ([key] + kept.map(\.0)).map { known.shape.keys[$0] }
        if let link = group.owner?.link {
            let inverse = group.layout.relationships.values.first { $0.link == link.reversed }
            guard let inverse else { return false }
            names.append(inverse.name)
        }
        let shape = ValueDictionary.Shape(names)
        group.rows.reserveCapacity(records.count)
        for record in records {
            var values: [PredicateValue] = []
            values.reserveCapacity(names.count)
            values.append(record.values[key])
            for (position, relationship) in kept {
                let value = record.values[position]
                values.append(
                    try relationship.map { (found) throws(StoreFailure) in
                        try owner(value, found, group.layout.entity) { [record.values[key]] }
                    } ?? value)
            }
            if group.owner != nil { values.append(.null) }
            group.rows.append(ValueDictionary(shape: shape, values: values))
        }
        return true
    }

    /// Whether no given key occurs twice, and no object refers to a child by its key: it may be inserted later.
    private func hasOnlyNewKeys(_ groups: [RowGroup]) -> Bool {
        var given: [String: Set<PredicateValue>] = [:]
        for group in groups {
            for key in group.keys where !key.isNil {
                if !given[group.layout.table, default: []].insert(key).inserted { return false }
            }
        }
        return !groups.contains { group in
            guard group.depth > 0, let known = references[group.layout.entity] else { return false }
            return group.keys.contains { known[[$0]] != nil }
        }
    }
}

extension ImportTarget {
    /// Inserts groups of rows. Returns false, and inserts nothing, if a child exists or the database makes the keys of
    /// owners.
    func insert(_ groups: [RowGroup]) throws(StoreFailure) -> Bool {
        for group in groups where group.depth > 0 {
            let given = Set(group.keys.filter { !$0.isNil }.map { [$0] })
            if try missing(given, group.layout).count < given.count { return false }
        }
        var groups = groups
        let importer = Importer(self, ImportOptions(), failsFast: true)
        for group in groups { importer.note(keys: group.keys, of: group.layout) }
        for index in groups.indices {
            let open = groups[index].rows.indices.filter { groups[index].rows[$0].values[0].isNil }
            if open.isEmpty { continue }
            guard let made = try importer.keys(of: groups[index].layout, open.count) else { return false }
            for (row, key) in zip(open, made) { groups[index].rows[row].replaceValue(at: 0, with: key) }
        }
        for index in groups.indices {
            if let owner = groups[index].owner {
                let last = groups[index].rows[0].count - 1
                for (row, position) in groups[index].owners.enumerated() {
                    let key = groups[owner.group].rows[position].values[0]
                    groups[index].rows[row].replaceValue(at: last, with: key)
                }
            }
            let count = try insert(groups[index].rows, into: groups[index].layout.entity)
            if count < groups[index].rows.count {
                let lost = "\(groups[index].rows.count - count) of \(groups[index].rows.count) rows"
                let message = "\(groups[index].layout.entity): \(lost) were \(Importer<Self>.dropped)"
                throw .constraint(StoreConstraint(.other, table: groups[index].layout.table, message: message))
            }
        }
        return true
    }
}
