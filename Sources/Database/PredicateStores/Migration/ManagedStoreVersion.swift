// Determines the version of a Core Data store from its metadata and tables. The hashes in the metadata are computed by
// Core Data and are not used; the names of the entities that have one are.
import PredicateRecords

/// The version of the model with which Core Data last opened a store.
public struct ManagedStoreVersion: Sendable {
    /// The model's version identifiers; empty if it has none.
    public let identifiers: [String]
    /// The entities of the model.
    public let entities: Set<String>
}

extension SQLStore where Connection == SQLiteConnection {
    /// The version that a Core Data store records; nil if the database is not a Core Data store.
    ///
    /// - Throws: errors of the engine.
    public func managedVersion() throws(StoreFailure) -> ManagedStoreVersion? {
        func has(_ column: String, in table: String) throws(StoreFailure) -> Bool {
            try writing { (connection) throws(StoreFailure) in try connection.columns(of: table) }
                .contains { $0.name == column }
        }
        guard try has("Z_PLIST", in: "Z_METADATA") else { return nil }
        let names =
            try has("Z_NAME", in: "Z_PRIMARYKEY")
            ? rows("SELECT Z_NAME FROM Z_PRIMARYKEY").compactMap(\.[0].stringValue) : []
        var identifiers: [String] = []
        var entities = Set(names)
        if case .data(let bytes)? = try rows("SELECT Z_PLIST FROM Z_METADATA").first?[0],
            case .dictionary(let list)? = try? PropertyList.parse(bytes)
        {
            if case .array(let texts)? = list["NSStoreModelVersionIdentifiers"] {
                identifiers = texts.compactMap(\.stringValue).filter { !$0.isEmpty }
            }
            if case .dictionary(let hashes)? = list["NSStoreModelVersionHashes"] { entities = Set(hashes.keys) }
        }
        return ManagedStoreVersion(identifiers: identifiers, entities: entities)
    }

    /// Returns the versions of a model that fit a Core Data store: they have its entities and the columns of its
    /// tables. If several fit, those whose name the store records are returned.
    ///
    ///     try store.fitting([version1, version2]).map(\.version)    // ["Shop 2"]
    ///
    /// - Parameter models: versions of the model, without keys that exist only in memory.
    /// - Throws: errors of the engine.
    public func fitting(_ models: [PredicateSchema]) throws(StoreFailure) -> [PredicateSchema] {
        guard let version = try managedVersion() else { return [] }
        let tables = try DatabaseTables(self)
        let fitting = models.filter { model in
            guard Set(model.entities.map(\.name)) == version.entities else { return false }
            return TableDefinition.tables(of: model).allSatisfy { name, definition in
                guard let table = tables[name] else { return false }
                let columns = Set(definition.columnNames.map { $0.uppercased() })
                // Z_ENT, Z_OPT and the positions of ordered relationships belong to Core Data itself.
                let known = Set(
                    table.columns.map { $0.name.uppercased() }.filter { !$0.hasPrefix("Z_") || $0 == "Z_PK" })
                return columns.isSuperset(of: known) && known.isSuperset(of: columns.filter { !$0.hasPrefix("Z_") })
            }
        }
        let named = fitting.filter { $0.version.map(version.identifiers.contains) ?? false }
        return named.isEmpty ? fitting : named
    }
}
