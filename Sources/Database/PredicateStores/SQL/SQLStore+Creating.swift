// Creates the tables of a schema. Migration/TableDefinition.swift has the text of a table.

extension SQLStore {
    /// Creates the tables of a schema with their primary keys, foreign keys and defaults, and an index for each foreign
    /// key. Tables that exist stay unchanged: `StoreMigration` changes them.
    ///
    ///     let model = try PredicateSchema(of: [Person.self, Company.self])
    ///     let store = try SQLiteStore(path: "people.sqlite", schema: model, mode: .create)
    ///     try store.create(model)
    ///
    /// It is one transaction, except that MariaDB and MySQL commit each table. A SQLite database without any of the
    /// tables records the schema as its version. DuckDB's tables get no foreign keys, and it makes no keys for new
    /// objects. Keys that are given count: the database makes later keys after them.
    ///
    /// - Throws: `readOnly`; `schema` for an engine without transactions (ClickHouse, Spark), and for attributes whose
    ///   values the engine cannot keep, such as decimals without a scale; errors of the engine.
    public func create(_ schema: PredicateSchema) throws(StoreFailure) {
        if mode == .readOnly { throw .readOnly }
        guard let syntax = dialect.tableSyntax else {
            throw .schema("\(dialect.name) has no transactions, so no tables are created")
        }
        for entity in schema.entities {
            let attributes = schema.lineage(of: entity.name).flatMap(\.attributes)
            let columns = attributes.filter { $0.json == nil }.map(\.column)
            for attribute in entity.attributes where attribute.json != nil && !columns.contains(attribute.column) {
                throw .schema(
                    "'\(attribute.name)' of \(entity.name) is inside the column '\(attribute.column)': "
                        + "add an attribute for the whole column, such as a string, so that it is created")
            }
            for attribute in entity.attributes
            where dialect.columnType(attribute.type, attribute, isKey: false) == nil {
                let advice = attribute.type == .decimal ? "; set its scale" : ""
                throw .schema("\(dialect.name) has no column for '\(attribute.name)' of \(entity.name)\(advice)")
            }
        }
        let tables = TableDefinition.tables(of: schema, dialect, requiresLinks: true).sorted { $0.key < $1.key }
        try atomically { () throws(StoreFailure) in
            let known = Set(try rows(syntax.names).compactMap { $0.first?.stringValue?.lowercased() })
            let missing = tables.filter { !known.contains($0.key.lowercased()) }
            var statements = missing.map { name, table in table.statement(creating: name, dialect) }
            for (name, table) in missing {
                if case .afterwards = syntax.foreignKeys {
                    statements += table.references.compactMap { $0.constraint(dialect) }.map {
                        "ALTER TABLE \(dialect.quoted(name)) ADD \($0)"
                    }
                }
                if case .afterwards(indexed: true) = syntax.foreignKeys { continue }
                let key = table.primaryKey.map { $0.lowercased() }
                let names = known.union(tables.map { $0.key.lowercased() })
                statements += table.indexStatements(of: name, besides: [], [key], names)
            }
            for statement in statements { _ = try rows(statement) }
            guard missing.count == tables.count else { return }
            try writing { (connection) throws(StoreFailure) in
                guard let connection = connection.sqlite, try connection.recordedSchema() == nil else { return }
                try connection.record(schema)
            }
        }
    }
}
