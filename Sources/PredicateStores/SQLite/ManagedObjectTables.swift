// Reads what a Core Data model does not contain from the table Z_PRIMARYKEY of its store: the number of each
// entity. It is stored in the column Z_ENT and is part of the names of join tables,
// `Z_1TAGS (Z_1NOTES, Z_2TAGS)`. Migrations change the numbers, so each store has its own.
import PredicateModel
import PredicateSyntax

struct ManagedObjectTables {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

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
        do throws(SchemaError) {
            return try PredicateSchema(entities, defaultEntity: schema.defaultEntity, version: schema.version)
        } catch {
            throw .schema(error.description)
        }
    }

    /// The numbers by entity name; empty if there is no such table.
    private func numbers() throws(StoreFailure) -> [String: Int64] {
        guard try columns(of: "Z_PRIMARYKEY").isSuperset(of: ["Z_ENT", "Z_NAME"]) else { return [:] }
        var numbers: [String: Int64] = [:]
        try connection.run("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") { numbers[$0.text(0)] = $0.integer(1) }
        return numbers
    }

    private func columns(of table: String) throws(StoreFailure) -> Set<String> {
        var columns: Set<String> = []
        try connection.run("SELECT name FROM pragma_table_xinfo(?)", [.string(table)]) { columns.insert($0.text(0)) }
        return columns
    }

    /// The join table of a many-to-many relationship. It is named after one of the two relationships, and each
    /// column after the relationship that leads to its rows. A relationship that is its own inverse stays
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
            /// The column may have a digit at the end, to distinguish it from another column of the table.
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
