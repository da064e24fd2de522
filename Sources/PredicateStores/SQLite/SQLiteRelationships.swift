// Foreign keys as relationships: to one, back to many, and through a table of pairs.
import PredicateModel

struct SQLiteRelationships {
    private let tables: [SQLiteIntrospection.Table]

    init(_ tables: [SQLiteIntrospection.Table]) { self.tables = tables }

    func add(to entities: inout [Entity]) {
        for table in tables {
            if let (one, other) = pairs(table) {
                addPairs(table, one, other, to: &entities)
            } else {
                for key in table.foreignKeys { add(key, of: table, to: &entities) }
            }
        }
    }

    /// The two foreign keys of a table that says nothing else.
    private func pairs(
        _ table: SQLiteIntrospection.Table
    ) -> (SQLiteIntrospection.ForeignKey, SQLiteIntrospection.ForeignKey)? {
        guard table.foreignKeys.count == 2, table.foreignKeys.allSatisfy(leadsToKey) else { return nil }
        let keys = Set(table.foreignKeys.map(\.column))
        guard keys.count == 2 else { return nil }
        let others = table.columns.filter { !keys.contains($0.name) }
        // A row number of its own changes nothing.
        let isPure = others.isEmpty || (others.count == 1 && others[0].keyPosition == 1 && table.primaryKey.count == 1)
        let ordered = table.foreignKeys.sorted { position($0, table) < position($1, table) }
        return isPure ? (ordered[0], ordered[1]) : nil
    }

    private func position(_ key: SQLiteIntrospection.ForeignKey, _ table: SQLiteIntrospection.Table) -> Int {
        table.columns.firstIndex { $0.name == key.column } ?? 0
    }

    /// A relationship leads to a primary key of one column.
    private func leadsToKey(_ key: SQLiteIntrospection.ForeignKey) -> Bool {
        guard let target = table(key.table), target.primaryKey.count == 1 else { return false }
        return key.target.map { $0.lowercased() == target.primaryKey[0].lowercased() } ?? true
    }

    /// SQLite's names of tables know no case.
    private func table(_ name: String) -> SQLiteIntrospection.Table? {
        tables.first { $0.name.lowercased() == name.lowercased() }
    }

    private func add(
        _ key: SQLiteIntrospection.ForeignKey, of table: SQLiteIntrospection.Table, to entities: inout [Entity]
    ) {
        guard leadsToKey(key), let target = self.table(key.table),
            let own = entities.firstIndex(where: { $0.name == table.name }),
            let other = entities.firstIndex(where: { $0.name == target.name })
        else { return }
        let isOptional = !(table.columns.first { $0.name == key.column }?.isNotNull ?? false)
        let name = free(SQLiteRelationships.name(of: key.column) ?? target.name, in: entities[own])
        entities[own].relationships.append(
            Relationship(name, to: target.name, isOptional: isOptional, link: .column(key.column)))
        let isOnly = table.foreignKeys.filter { $0.table.lowercased() == key.table.lowercased() }.count == 1
        let back = free(isOnly && own != other ? table.name : table.name + "_" + name, in: entities[other])
        entities[other].relationships.append(
            Relationship(back, toMany: table.name, link: .foreignKey(key.column)))
    }

    private func addPairs(
        _ table: SQLiteIntrospection.Table, _ one: SQLiteIntrospection.ForeignKey,
        _ other: SQLiteIntrospection.ForeignKey, to entities: inout [Entity]
    ) {
        for (from, to) in [(one, other), (other, one)] {
            guard let source = self.table(from.table), let target = self.table(to.table),
                let index = entities.firstIndex(where: { $0.name == source.name })
            else { continue }
            // Among rows of one table the pairs' own name and columns tell the directions apart.
            let wanted =
                source.name == target.name
                ? table.name + (from.column == one.column ? "" : "_" + from.column) : target.name
            let name = free(wanted, in: entities[index])
            entities[index].relationships.append(
                Relationship(
                    name, toMany: target.name,
                    link: .join(table: table.name, from: from.column, to: to.column)))
        }
    }

    /// `employer_id`, `employerId` and `employerID` are the key of `employer`.
    static func name(of column: String) -> String? {
        for suffix in ["_id", "Id", "ID", "_ID", "_fk"] where column.hasSuffix(suffix) {
            let name = String(column.dropLast(suffix.count))
            if !name.isEmpty { return SQLiteNames.key(name) }
        }
        return nil
    }

    /// The name, or one like it that no key of the entity has.
    private func free(_ name: String, in entity: Entity) -> String {
        let taken = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
        var name = SQLiteNames.key(name)
        while taken.contains(name) { name += "_" }
        return name
    }
}
