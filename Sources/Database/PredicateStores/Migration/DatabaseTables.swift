// The tables of a SQLite database with their indexes and triggers, and the schema version of a database that records
// none.

struct DatabaseTables {
    /// An index, a trigger or a view, by its type in SQLite's own table.
    struct Part {
        let type: String
        let name: String
        let table: String
        let sql: String

        /// Distinguishes it from all others: a trigger may have the name of an index.
        var key: String { "\(type) \(name.lowercased())" }
    }

    /// The indexes, views and triggers, in the order in which they can be created.
    private(set) var parts: [Part] = []
    private var tables: [String: DatabaseTable] = [:]

    init(_ store: SQLiteStore) throws(StoreFailure) {
        self = try store.writing { (connection) throws(StoreFailure) in try DatabaseTables(connection) }
    }

    init(_ connection: SQLiteConnection) throws(StoreFailure) {
        let sql = """
            SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL
            ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, rowid
            """
        try connection.run(sql) { row in
            let part = Part(type: row.text(0), name: row.text(1), table: row.text(2), sql: row.text(3))
            if part.type != "table" { parts.append(part) }
            if part.type == "index" || part.type == "trigger" { return }
            tables[part.name.lowercased()] = DatabaseTable(name: part.name, isView: part.type == "view", sql: part.sql)
        }
        for (key, table) in tables {
            // A view whose table is missing, or a virtual table whose module is missing, has no known columns.
            let columns = try connection.unlessRefused { () throws(StoreFailure) in
                try connection.columns(of: table.name)
            }
            tables[key]?.columns = columns?.filter { !$0.isHidden } ?? []
        }
    }

    /// The tables and views, by name.
    var all: [DatabaseTable] { tables.values.sorted { $0.name < $1.name } }
    var names: [String] { all.map(\.name) }

    subscript(_ name: String) -> DatabaseTable? { tables[name.lowercased()] }

    func has(_ columns: [String], in table: String) -> Bool {
        guard let table = self[table] else { return false }
        return columns.allSatisfy { table.column($0) != nil || SQLiteNames.isRowNumber($0) && !table.isView }
    }

    // MARK: The version of a database without a record

    /// The part of a schema that the tables have. It is the assumed version of a database that records none. Tables and
    /// columns that the schema does not name are ignored and stay unchanged.
    func version(like schema: PredicateSchema) throws(StoreFailure) -> PredicateSchema {
        var names: [String: String] = [:]
        var entities: [PredicateSchema.Entity] = []
        for entity in schema.entities {
            let table = schema.table(of: entity.name)
            if self[table] != nil {
                names[entity.name] = entity.name
                entities.append(entity)
            } else if let name = entity.formerly, self[name] != nil, entity.code == nil {
                names[entity.name] = name
                var former = entity
                (former.name, former.table) = (name, name)
                entities.append(former)
            }
        }
        for index in entities.indices {
            let table = schema.entity(entities[index].name).map { schema.table(of: $0.name) } ?? entities[index].table
            entities[index].parent = entities[index].parent.flatMap { names[$0] }
            entities[index].attributes = entities[index].attributes.compactMap { attribute($0, in: table) }
            entities[index].relationships = entities[index].relationships.compactMap { relationship in
                guard let target = names[relationship.target] else { return nil }
                var found = relationship
                found.target = target
                found.inverse = nil
                let targetTable = schema.entity(target).map { schema.table(of: $0.name) } ?? target
                return has(found.link, table, targetTable) ? found : nil
            }
        }
        return try PredicateSchema(stored: entities)
    }

    private func has(_ link: PredicateSchema.Relationship.Link?, _ table: String, _ target: String) -> Bool {
        switch link {
        case .column(let columns): has(columns, in: table)
        case .foreignKey(let columns): has(columns, in: target)
        case .join(let join, let from, let to): has(from + to, in: join)
        case nil: true
        }
    }

    /// Returns the attribute as the table stores it; nil if the table has no such column.
    private func attribute(_ wanted: PredicateSchema.Attribute, in table: String) -> PredicateSchema.Attribute? {
        var found = wanted
        found.formerly = nil
        var column = self[table]?.column(wanted.column)
        if column == nil, let name = wanted.formerly {
            column = self[table]?.column(name)
            (found.name, found.column) = (name, name)
        }
        guard let column else { return nil }
        // Only tables, not views, know whether a column may be NULL.
        if let table = self[table], !table.isView { found.isOptional = !column.isNotNull && column.keyPosition == 0 }
        let definition = TableDefinition.Column(wanted, isRequired: false)
        let (old, new) = (SQLiteAffinity(column.declared), SQLiteAffinity(definition.declared))
        let isSame =
            old == new || [.none, .numeric].contains(old) || definition.declared.isEmpty || wanted.type == .boolean
        if !isSame {
            found = PredicateSchema.Attribute(found.name, old.type, isOptional: found.isOptional, column: found.column)
        }
        return found
    }
}

extension SQLiteAffinity {
    fileprivate var type: ExpressionType.Kind {
        switch self {
        case .integer: .integer
        case .text: .string
        case .real: .double
        case .none, .numeric: .any
        }
    }
}

extension PredicateValue {
    /// A text from SQLite's own tables.
    var shown: String { stringValue ?? "" }
    /// A number from SQLite's own tables.
    var number: Int { if case .integer(let number) = self { Int(number) } else { 0 } }
}
