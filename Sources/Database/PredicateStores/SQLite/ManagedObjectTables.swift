// Reads the number of each entity from the table Z_PRIMARYKEY of a Core Data store; the model does not contain these
// numbers. They are stored in the column Z_ENT and are part of the names of join tables, `Z_1TAGS (Z_1NOTES, Z_2TAGS)`.
// Migrations change them, so they differ between stores.

struct ManagedObjectTables {
    let connection: SQLiteConnection

    /// Adds the store's entity numbers and join tables to the schema. Returns the schema unchanged if the
    /// database is not a Core Data store.
    func completing(_ schema: PredicateSchema) throws(StoreFailure) -> PredicateSchema {
        let numbers = try numbers()
        if numbers.isEmpty { return schema }
        var entities = schema.entities
        for (index, entity) in schema.entities.enumerated() {
            guard let number = numbers[entity.name] else { continue }
            let hasAncestor = schema.lineage(of: entity.name).dropFirst().contains { $0.table == entity.table }
            let isShared =
                hasAncestor || schema.entities.contains { $0.parent == entity.name && $0.table == entity.table }
            if isShared, schema.codes(of: entity.name) == nil, entity.code == nil {
                entities[index].code = .integer(number)
                if !hasAncestor { entities[index].discriminator = "Z_ENT" }
            }
            for (place, relationship) in entity.relationships.enumerated()
            where relationship.isToMany && relationship.link == nil {
                entities[index].relationships[place].link = try pairs(relationship, number, numbers)
            }
        }
        return try PredicateSchema(stored: entities, like: schema)
    }

    /// The numbers by entity name; empty if the table does not exist.
    private func numbers() throws(StoreFailure) -> [String: Int64] {
        guard try columns(of: "Z_PRIMARYKEY").isSuperset(of: ["Z_ENT", "Z_NAME"]) else { return [:] }
        var numbers: [String: Int64] = [:]
        try connection.run("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") { numbers[$0.text(0)] = $0.integer(1) }
        return numbers
    }

    private func columns(of table: String) throws(StoreFailure) -> Set<String> {
        Set(try connection.columns(of: table).map(\.name))
    }

    /// The join table of a many-to-many relationship. Its name contains the name of one of the two relationships; each
    /// column is named after the relationship that refers to its rows. A relationship that is its own inverse stays
    /// unknown.
    private func pairs(
        _ relationship: PredicateSchema.Relationship, _ number: Int64, _ numbers: [String: Int64]
    ) throws(StoreFailure) -> PredicateSchema.Relationship.Link? {
        guard let inverse = relationship.inverse?.uppercased(), let other = numbers[relationship.target] else {
            return nil
        }
        let name = relationship.name.uppercased()
        for table in ["Z_\(number)\(name)", "Z_\(other)\(inverse)"] {
            let columns = try columns(of: table)
            /// The column may end with a digit that distinguishes it from another column of the table.
            func column(_ number: Int64, _ name: String) -> String? {
                let name = "Z_\(number)\(name)"
                return columns.contains(name) ? name : (1...9).map { "\(name)\($0)" }.first(where: columns.contains)
            }
            if let from = column(number, inverse), let to = column(other, name), from != to {
                return .join(table: table, from: from, to: to)
            }
        }
        return nil
    }
}
