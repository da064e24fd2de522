// The schema version that a database records: a table of one row, written by StoreMigration. Databases made by other
// programs do not have it.
import PredicateRecords

/// The recorded version of a database, and the different version of the schema it was opened with.
public struct StoreVersionMismatch: Sendable, CustomStringConvertible {
    /// The schema that the database records.
    public let recorded: PredicateSchema
    /// The schema it is opened with.
    public let wanted: PredicateSchema
    /// The differences, without keys and entities that the wanted version merely leaves out.
    public let differences: [SchemaDifference]

    public var description: String {
        let shown = differences.prefix(3).map(\.description).joined(separator: "; ")
        let more = differences.count > 3 ? " and \(differences.count - 3) more" : ""
        return "the database has \(recorded.versionForMessages), not \(wanted.versionForMessages) "
            + "(\(shown)\(more)): migrate it with StoreMigration or 'predicate migrate'"
    }
}

extension PredicateSchema {
    /// The table in which a database records its version.
    package static let versionTable = "predicate_version"

    /// `version 'NAME'`, or the hash if the version has no name.
    package var versionForMessages: String { version.map { "version '\($0)'" } ?? "the version with the hash \(hash)" }

    /// Throws if the recorded schema lacks something that this schema names.
    func check(against recorded: PredicateSchema?) throws(StoreFailure) {
        guard let recorded, recorded.hash != hash else { return }
        let differences = SchemaPairs(old: recorded, new: self).differences.filter { difference in
            difference.kind != .dropped && difference.kind != .defaultValue
        }
        if differences.isEmpty { return }
        throw .otherVersion(StoreVersionMismatch(recorded: recorded, wanted: self, differences: differences))
    }
}

extension SQLStore where Connection == SQLiteConnection {
    /// The schema that the database records; nil if `StoreMigration` has neither created nor migrated it.
    ///
    ///     try SQLiteStore(path: "todo.sqlite").recordedVersion()?.version    // "2"
    ///
    /// - Throws: `schema` for a damaged record; errors of the engine.
    public func recordedVersion() throws(StoreFailure) -> PredicateSchema? {
        try reading { (connection) throws(StoreFailure) in try connection.recordedSchema() }
    }
}

extension PredicateSchema.Relationship.Link {
    /// The join table, in lowercase.
    fileprivate var join: String? { if case .join(let table, _, _) = self { table.lowercased() } else { nil } }
}

extension SQLiteConnection {
    /// The schema that the database records.
    func recordedSchema() throws(StoreFailure) -> PredicateSchema? {
        let columns = try columns(of: PredicateSchema.versionTable).map(\.name)
        guard columns.contains("schema"), columns.contains("hash") else { return nil }
        guard let row = try rows("SELECT schema, hash FROM \(PredicateSchema.versionTable)").first else { return nil }
        do {
            let schema = try PredicateSchema(value: JSON.parse(row[0].shown))
            if schema.hash == row[1].shown { return schema }
        } catch {}
        throw .schema("the version that the database records in the table \(PredicateSchema.versionTable) is damaged")
    }

    /// The schema of a database that is opened without one: the recorded schema, with the tables that it does not name.
    /// If it does not fit the tables any more, this is the schema of the tables.
    func schema(recordedOver found: PredicateSchema) throws(StoreFailure) -> PredicateSchema {
        let recorded: PredicateSchema
        do throws(StoreFailure) {
            guard let known = try recordedSchema() else { return found }
            recorded = known
        } catch {
            guard case .schema = error else { throw error }
            return found
        }
        let definitions = TableDefinition.tables(of: recorded)
        let names = Set(definitions.keys.map { $0.lowercased() })
        for (table, definition) in definitions {
            let columns = Set(try columns(of: table).map { $0.name.lowercased() })
            guard definition.columns.allSatisfy({ columns.contains($0.name.lowercased()) }) else { return found }
        }
        // A relationship to a recorded table keeps its target only if the names are equal.
        let others = found.entities.filter {
            !names.contains($0.table.lowercased()) && recorded.entity($0.name) == nil
        }
        let all = Set((recorded.entities + others).map(\.name))
        let kept = others.map { entity in
            var entity = entity
            entity.relationships.removeAll { relationship in
                !all.contains(relationship.target) || relationship.link?.join.map(names.contains) ?? false
                    || recorded.entity(relationship.target) != nil
                        && recorded.primaryKey(of: relationship.target) != found.primaryKey(of: relationship.target)
            }
            for index in entity.relationships.indices { entity.relationships[index].inverse = nil }
            return entity
        }
        do throws(SchemaError) {
            return try PredicateSchema(
                recorded.entities + kept, defaultEntity: recorded.defaultEntity, version: recorded.version)
        } catch {
            return found
        }
    }

    /// Replaces the recorded version.
    func record(_ schema: PredicateSchema) throws(StoreFailure) {
        let table = PredicateSchema.versionTable
        try change("CREATE TABLE IF NOT EXISTS \(table) (version TEXT, hash TEXT NOT NULL, schema TEXT NOT NULL)")
        try change("DELETE FROM \(table)")
        let text = SchemaText.text(schema, isDatabase: true)
        try change(
            "INSERT INTO \(table) VALUES (?, ?, ?)",
            [schema.version.map { .string($0) } ?? .null, .string(schema.hash), .string(text)])
    }
}
