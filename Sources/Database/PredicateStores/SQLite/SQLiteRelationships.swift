// Converts foreign keys to relationships: to-one, the inverse to-many, and many-to-many through a join table.

struct SQLiteRelationships {
    private let tables: [DatabaseTable]

    /// Only foreign keys that refer to a primary key are used.
    init(_ tables: [DatabaseTable]) {
        self.tables = tables.map { table in
            var table = table
            table.foreignKeys = table.foreignKeys.compactMap { Self.inOrder($0, tables) }
            return table
        }
    }

    /// Sorts the columns of a foreign key in the order of the primary key that they refer to; nil if they refer to
    /// other columns.
    private static func inOrder(
        _ key: DatabaseTable.ForeignKey, _ tables: [DatabaseTable]
    ) -> DatabaseTable.ForeignKey? {
        guard let target = table(key.parent, tables), target.primaryKey.count == key.columns.count else { return nil }
        if key.targets.isEmpty { return key }
        let targets = key.targets.map { $0.lowercased() }
        var ordered = key
        ordered.columns = target.primaryKey.compactMap { column in
            targets.firstIndex(of: column.lowercased()).map { key.columns[$0] }
        }
        return ordered.columns.count == key.columns.count ? ordered : nil
    }

    func add(to entities: inout [PredicateSchema.Entity]) {
        for table in tables {
            if let (one, other) = pairs(table) {
                addPairs(table, one, other, to: &entities)
            } else {
                for key in table.foreignKeys { add(key, of: table, to: &entities) }
            }
        }
    }

    /// The two foreign keys of a join table; nil if the table has other columns.
    private func pairs(
        _ table: DatabaseTable
    ) -> (DatabaseTable.ForeignKey, DatabaseTable.ForeignKey)? {
        guard table.foreignKeys.count == 2, table.foreignKeys[0].columns != table.foreignKeys[1].columns else {
            return nil
        }
        let keys = Set(table.foreignKeys.flatMap(\.columns))
        let others = table.columns.filter { !keys.contains($0.name) }
        // A join table may also have its own row number.
        let isPure = others.isEmpty || (others.count == 1 && others[0].keyPosition == 1 && table.primaryKey.count == 1)
        let ordered = table.foreignKeys.sorted { position($0, table) < position($1, table) }
        return isPure ? (ordered[0], ordered[1]) : nil
    }

    private func position(_ key: DatabaseTable.ForeignKey, _ table: DatabaseTable) -> Int {
        // The last column, because the keys may share their first columns.
        table.columns.lastIndex { key.columns.contains($0.name) } ?? 0
    }

    /// SQLite compares table names without case.
    private static func table(
        _ name: String, _ tables: [DatabaseTable]
    ) -> DatabaseTable? {
        tables.first { $0.name.lowercased() == name.lowercased() }
    }

    private func add(
        _ key: DatabaseTable.ForeignKey, of table: DatabaseTable,
        to entities: inout [PredicateSchema.Entity]
    ) {
        guard let target = Self.table(key.parent, tables),
            let own = entities.firstIndex(where: { $0.name == table.name }),
            let other = entities.firstIndex(where: { $0.name == target.name })
        else { return }
        let isOptional = !key.columns.allSatisfy { name in
            table.columns.contains { $0.name == name && $0.isNotNull }
        }
        let column = namingColumn(key, table)
        let refersTo = zip(key.columns, target.primaryKey).first { $0.0 == column }?.1
        let name = free(Self.name(of: column, refersTo) ?? target.name, in: entities[own])
        var relationship = PredicateSchema.Relationship(
            name, to: target.name, isOptional: isOptional, link: .column(key.columns))
        relationship.onDelete = key.onDelete
        entities[own].relationships.append(relationship)
        let isOnly = table.foreignKeys.filter { $0.parent.lowercased() == key.parent.lowercased() }.count == 1
        let back = free(isOnly && own != other ? table.name : table.name + "_" + name, in: entities[other])
        var inverse = PredicateSchema.Relationship(back, toMany: table.name, link: .foreignKey(key.columns))
        inverse.onDelete = key.onDelete
        entities[other].relationships.append(inverse)
    }

    private func addPairs(
        _ table: DatabaseTable, _ one: DatabaseTable.ForeignKey,
        _ other: DatabaseTable.ForeignKey, to entities: inout [PredicateSchema.Entity]
    ) {
        for (from, to) in [(one, other), (other, one)] {
            guard let source = Self.table(from.parent, tables), let target = Self.table(to.parent, tables),
                let index = entities.firstIndex(where: { $0.name == source.name })
            else { continue }
            // A join table between rows of the same table gives two relationships, distinguished by table and column
            // names.
            let wanted =
                source.name == target.name
                ? table.name + (from.columns == one.columns ? "" : "_" + namingColumn(from, table)) : target.name
            let name = free(wanted, in: entities[index])
            var relationship = PredicateSchema.Relationship(
                name, toMany: target.name, link: .join(table: table.name, from: from.columns, to: to.columns))
            relationship.onDelete = from.onDelete
            entities[index].relationships.append(relationship)
        }
    }

    /// The column that gives the relationship its name: the last one that is in no other foreign key of the table.
    private func namingColumn(_ key: DatabaseTable.ForeignKey, _ table: DatabaseTable) -> String {
        let others = table.foreignKeys.filter { $0.columns != key.columns }.flatMap(\.columns)
        return key.columns.last { !others.contains($0) } ?? key.columns.last ?? ""
    }

    /// The relationship name for a key column: `employer` for `employer_id`, `employerId` and `employerID`;
    /// `parent` for `parent_number` if the key refers to a column `number`.
    private static func name(of column: String, _ target: String?) -> String? {
        for suffix in ["_id", "Id", "ID", "_ID", "_fk"] + (target.map { ["_" + $0] } ?? [])
        where column.hasSuffix(suffix) {
            let name = String(column.dropLast(suffix.count))
            if !name.isEmpty { return SQLiteNames.key(name) }
        }
        return nil
    }

    /// Returns the name, with underscores appended until it differs from all keys of the entity.
    private func free(_ name: String, in entity: PredicateSchema.Entity) -> String {
        let taken = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
        var name = SQLiteNames.key(name)
        while taken.contains(name) { name += "_" }
        return name
    }
}

extension PredicateSchema.DeleteRule {
    /// The rule of an action after ON DELETE; nil for NO ACTION and SET DEFAULT.
    init?(action: String) {
        switch action {
        case "CASCADE": self = .cascade
        case "SET NULL": self = .nullify
        case "RESTRICT": self = .deny
        default: return nil
        }
    }

    /// The action after ON DELETE. Not RESTRICT, which fails even if the rows that refer are deleted, too.
    var action: String {
        switch self {
        case .cascade: "CASCADE"
        case .nullify: "SET NULL"
        case .deny: "NO ACTION"
        }
    }
}
