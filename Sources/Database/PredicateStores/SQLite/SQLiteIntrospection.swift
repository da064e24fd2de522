// Reads a schema from a database: tables and views become entities, columns become attributes, foreign keys become
// relationships. A sample of the rows shows whether columns hold their declared types; if not, the type is `any`, and
// SQL does not test the column. https://www.sqlite.org/pragma.html

struct SQLiteIntrospection {
    private let connection: SQLiteConnection
    private let tables: DatabaseTables

    init(_ connection: SQLiteConnection) throws(StoreFailure) {
        self.connection = connection
        tables = try DatabaseTables(connection)
    }

    /// The number of rows that are sampled per table.
    static let sample = 1000

    // MARK: Reading

    func schema() throws(StoreFailure) -> PredicateSchema {
        var tables: [DatabaseTable] = []
        var entities: [PredicateSchema.Entity] = []
        let keys = Dictionary(grouping: try connection.declaredForeignKeys(), by: \.table)
        for var table in self.tables.all {
            // A view whose table is missing, or a virtual table whose module is missing, is left out.
            if table.columns.isEmpty || table.name.hasPrefix("sqlite_") { continue }
            if table.name == PredicateSchema.versionTable { continue }
            // A column without a name cannot be named in a predicate either.
            table.columns.removeAll(where: \.name.isEmpty)
            table.foreignKeys = (keys[table.name] ?? []).reversed()
            table.primaryKey = table.columns.primaryKey
            if table.primaryKey.isEmpty, !table.isView,
                let rowid = try connection.rowNumber(of: table.name, besides: table.columns)
            {
                table.primaryKey = [rowid]
            }
            entities.append(try entity(table))
            tables.append(table)
        }
        SQLiteRelationships(tables).add(to: &entities)
        let collated = try collatedColumns(of: PredicateSchema(stored: entities))
        for (index, entity) in entities.enumerated() {
            for (place, attribute) in entity.attributes.enumerated() where attribute.type == .string {
                let isCollated = collated.contains(SQLColumn(table: entity.table, column: attribute.column))
                entities[index].attributes[place].collation = isCollated ? .other : .binary
            }
        }
        return try PredicateSchema(stored: entities)
    }

    private func quoted(_ name: String) -> String { SQLiteNames.quoted(name) }

    // MARK: Entities

    private func entity(_ table: DatabaseTable) throws(StoreFailure) -> PredicateSchema.Entity {
        var entity = PredicateSchema.Entity(table.name, primaryKey: table.primaryKey)
        let stored = try storage(table)
        var keys: Set<String> = []
        for (index, column) in table.columns.enumerated() {
            var key = SQLiteNames.key(column.name)
            while !keys.insert(key).inserted { key += "_" }
            let isRowID = table.primaryKey == [column.name] && column.declared == "INTEGER"
            entity.attributes.append(
                PredicateSchema.Attribute(
                    key, type(column.declared, stored[index]),
                    // In ordinary tables a primary key other than the row number may be NULL.
                    isOptional: !column.isNotNull && !isRowID, column: column.name))
        }
        return entity
    }

    /// The storage classes that occur in each column of the first rows.
    private func storage(_ table: DatabaseTable) throws(StoreFailure) -> [Set<String>] {
        var stored = [Set<String>](repeating: [], count: table.columns.count)
        guard !table.columns.isEmpty, table.columns.count <= 1000 else { return stored }
        let types = table.columns.map { "typeof(\(quoted($0.name)))" }.joined(separator: ", ")
        // A broken view or virtual table keeps its columns without a sample.
        try connection.unlessRefused { () throws(StoreFailure) in
            try connection.run("SELECT \(types) FROM \(quoted(table.name)) LIMIT \(Self.sample)") { row in
                for index in stored.indices { stored[index].insert(row.text(Int32(index))) }
            }
        }
        return stored.map { $0.subtracting(["null"]) }
    }

    /// The type by SQLite's affinity rules, if the sampled values agree. https://www.sqlite.org/datatype3.html
    private func type(_ declared: String, _ stored: Set<String>) -> ExpressionType.Kind {
        func holds(_ classes: Set<String>) -> Bool { stored.isSubset(of: classes) }
        if declared.contains("BOOL") { return holds(["integer"]) ? .boolean : .any }
        switch SQLiteAffinity(declared) {
        case .integer: return holds(["integer"]) ? .integer : .any
        case .text: return holds(["text"]) ? .string : .any
        case .none where !declared.isEmpty: return holds(["blob"]) ? .data : .any
        case .real: return holds(["real"]) ? .double : .any
        case .none, .numeric: break
        }
        // For NUMERIC, DATE or no declared type, use the sampled values.
        switch stored {
        case ["integer"]: return .integer
        case ["real"], ["integer", "real"]: return .double
        case ["text"]: return .string
        case ["blob"]: return .data
        default: return .any
        }
    }

    // MARK: Affinities

    /// The text columns that SQLite compares as numbers, and the double columns in which it stores integers.
    func numericColumns(of schema: PredicateSchema) -> [SQLColumn: NumericColumn] {
        var found: [SQLColumn: NumericColumn] = [:]
        // Each part of a union may have a different affinity.
        let hasUnions = tables.all.contains { table in
            table.isView && ["UNION", "INTERSECT", "EXCEPT"].contains(where: table.sql.uppercased().contains)
        }
        for entity in schema.entities {
            let name = schema.table(of: entity.name)
            guard let table = tables[name] else { continue }
            let isVirtual = table.isView || table.sql.uppercased().hasPrefix("CREATE VIRTUAL")
            for (column, isText) in entity.comparedColumns {
                guard let affinity = table.column(column).map({ SQLiteAffinity($0.declared) }) else { continue }
                let isMistaken =
                    isText
                    ? affinity.convertsTexts || isVirtual && (hasUnions || affinity != .text) : affinity != .real
                if isMistaken { found[SQLColumn(table: name, column: column)] = isVirtual ? .ofView : .ofTable }
            }
        }
        return found
    }

    /// The columns of decimals that SQLite converts to doubles: it has no type for decimals.
    func roundingColumns(of schema: PredicateSchema) -> Set<SQLColumn> {
        var found: Set<SQLColumn> = []
        for entity in schema.entities {
            let name = schema.table(of: entity.name)
            for attribute in entity.attributes where attribute.json == nil && Encoding(attribute) == nil {
                guard let declared = tables[name]?.column(attribute.column)?.declared else { continue }
                let affinity = SQLiteAffinity(declared)
                let isRounding =
                    switch attribute.type {
                    case .decimal: affinity.convertsTexts
                    case .any: affinity == .numeric
                    case .double: affinity == .numeric && (declared.contains("DEC") || declared.contains("NUM"))
                    default: false
                    }
                if isRounding { found.insert(SQLColumn(table: name, column: attribute.column)) }
            }
        }
        return found
    }

    // MARK: Indexes

    /// By table: the foreign keys of to-many relationships that are not the first columns of an index.
    func unindexedKeys(of schema: PredicateSchema) throws(StoreFailure) -> [String: Set<[String]>] {
        var found: [String: Set<[String]>] = [:]
        for relationship in schema.entities.flatMap(\.relationships) {
            switch relationship.link {
            case .foreignKey(let columns): found[schema.table(of: relationship.target), default: []].insert(columns)
            case .join(let table, let from, _): found[table, default: []].insert(from)
            case .column, nil: break
            }
        }
        // A view has no indexes.
        found = found.filter { tables[$0.key]?.isView == false }
        for (table, keys) in found {
            let indexes = try connection.indexes(of: table)
            found[table] = keys.filter { key in
                !indexes.contains { Set($0.prefix(key.count)) == Set(key.map { $0.lowercased() }) }
            }
        }
        return found
    }

    /// The attributes inside JSON columns that an index serves: the definition of the index has their expression.
    func indexedDocuments(of schema: PredicateSchema) throws(StoreFailure) -> Set<SQLColumn> {
        var found: Set<SQLColumn> = []
        if schema.documents.isEmpty { return found }
        let texts = schema.documents.mapValues(SQLDialect.sqlite.indexed)
        let indexes = "SELECT tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '%json%'"
        try connection.run(indexes) { row in
            let (table, definition) = (row.text(0), row.text(1))
            for (place, text) in texts where definition.contains(text) {
                found.insert(SQLColumn(table: table, column: place))
            }
        }
        return found
    }

    // MARK: Collations

    /// The text columns of a schema's tables that SQLite does not compare by bytes.
    func collatedColumns(of schema: PredicateSchema) throws(StoreFailure) -> Set<SQLColumn> {
        var found: Set<SQLColumn> = []
        for table in Set(schema.entities.map(\.table)) {
            let definition = tables[table]?.sql.uppercased() ?? ""
            // A table has such a column only if its definition contains COLLATE. The columns of a view depend on its
            // tables.
            guard definition.contains("COLLATE") || definition.hasPrefix("CREATE VIEW") else { continue }
            for entity in schema.entities where entity.table == table {
                for column in schema.columns(of: entity.name)
                where schema.documents[column] == nil {
                    if try isBinary(column, table) { continue }
                    found.insert(SQLColumn(table: table, column: column))
                }
            }
        }
        return found
    }

    /// Asks SQLite itself: NOCASE and RTRIM would merge these values in a UNION.
    private func isBinary(_ column: String, _ table: String) throws(StoreFailure) -> Bool {
        let sql = """
            SELECT count(*) FROM (SELECT \(quoted(column)) FROM \(quoted(table)) WHERE 0
            UNION SELECT 'a' UNION SELECT 'A' UNION SELECT 'a ')
            """
        // It fails if the collation is not registered with this connection.
        return try connection.unlessRefused { () throws(StoreFailure) in
            try connection.value(sql) { $0.integer(0) == 3 } ?? false
        } ?? false
    }
}

extension SQLiteConnection {
    /// The columns of each index of all rows, and the primary key.
    func indexes(of table: String) throws(StoreFailure) -> [[String]] {
        // An INTEGER PRIMARY KEY is not in the list.
        var indexes = [try columns(of: table).primaryKey.map { $0.lowercased() }]
        let sql = """
            SELECT i.seqno, i.name FROM pragma_index_list(?) AS l JOIN pragma_index_info(l.name) AS i WHERE l.partial = 0
            ORDER BY l.seq, i.seqno
            """
        try run(sql, [.string(table)]) { row in
            if row.integer(0) == 0 { indexes.append([]) }
            // An expression has no name.
            indexes[indexes.count - 1].append(row.isNull(1) ? "" : row.text(1).lowercased())
        }
        return indexes
    }
}

extension PredicateSchema.Entity {
    /// The text and double columns, and for each whether it contains texts.
    fileprivate var comparedColumns: [(column: String, isText: Bool)] {
        var found: [(String, Bool)] = []
        if let discriminator, case .string? = code { found.append((discriminator, true)) }
        for attribute in attributes {
            switch attribute.type {
            case .string, .url:
                found.append((attribute.column, true))
                found += attribute.folds.values.map { ($0, true) }
            case .double: found.append((attribute.column, false))
            case .date where [.referenceSeconds, .julianDay].contains(attribute.dateStorage):
                found.append((attribute.column, false))
            default: break
            }
        }
        return found
    }
}

package enum SQLiteNames {
    /// Quotes a name for SQL text.
    package static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    /// Converts a column name to a schema key: without dots, which separate keys, and without a leading `@`.
    static func key(_ column: String) -> String {
        let name = column.replacing(".", with: "_")
        let key = name.drop { $0 == "@" }
        return key.isEmpty ? "column" : String(key)
    }
}
