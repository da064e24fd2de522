// Reads a schema from a database with catalogue tables: tables and views become entities, columns become attributes,
// foreign keys become relationships. SQLite is different; see SQLiteIntrospection.swift.

/// The statements that describe a database.
struct SQLCatalog: Sendable {
    /// Returns rows of: table, column, type, `YES` if it may be NULL, digits after the point, and `binary` for a text
    /// that compares by code points.
    var columns: @Sendable (_ rows: (String) throws(StoreFailure) -> [[String?]]) throws(StoreFailure) -> [[String?]]
    /// Selects rows of: table, name of the key, column, and for a foreign key the table and column that it refers to.
    /// The rows of one key are in its column order.
    var keys: String?
    /// Types that have another meaning in this engine.
    var types: [String: ColumnType] = [:]

    enum ColumnType: Sendable {
        case plain(ExpressionType.Kind)
        case decimal
        case date(DateStorage)
    }

    private static let all = [
        SQLDialect.postgreSQL.name: postgreSQL, SQLDialect.duckDB.name: duckDB, SQLDialect.spark.name: spark,
    ]

    private static let postgreSQL = SQLCatalog(
        columns: """
            SELECT c.table_name::text, c.column_name::text,
                CASE c.data_type WHEN 'ARRAY' THEN substr(c.udt_name::text, 2) || '[]' ELSE c.data_type::text END,
                c.is_nullable::text, c.numeric_scale::text,
                CASE WHEN COALESCE(c.collation_name::text,
                    (SELECT datcollate::text FROM pg_database WHERE datname = current_database()))
                    IN ('C', 'POSIX', 'ucs_basic', 'C.UTF-8', 'C.utf8') THEN 'binary' ELSE 'other' END
            FROM information_schema.columns AS c WHERE c.table_schema = current_schema()
            ORDER BY c.table_name, c.ordinal_position
            """,
        keys: """
            SELECT t.relname::text, c.conname::text, a.attname::text, f.relname::text, b.attname::text
            FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid
            CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS k(own, other, place)
            JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.own
            LEFT JOIN pg_class AS f ON f.oid = c.confrelid
            LEFT JOIN pg_attribute AS b ON b.attrelid = c.confrelid AND b.attnum = k.other
            WHERE c.contype IN ('p', 'f') AND t.relnamespace = current_schema()::regnamespace
                AND (f.oid IS NULL OR f.relnamespace = t.relnamespace)
            ORDER BY t.relname, c.conname, k.place
            """)

    private static let duckDB = SQLCatalog(
        columns: """
            SELECT table_name, column_name, data_type, is_nullable, CAST(numeric_scale AS VARCHAR),
                CASE WHEN collation_name IS NULL THEN 'binary' ELSE 'other' END
            FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_catalog = current_database()
            ORDER BY table_name, ordinal_position
            """,
        keys: """
            SELECT table_name, constraint_type || CAST(constraint_index AS VARCHAR), unnest(constraint_column_names),
                referenced_table, unnest(referenced_column_names)
            FROM duckdb_constraints()
            WHERE schema_name = current_schema() AND database_name = current_database()
                AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
            ORDER BY table_name, constraint_index
            """)

    private static let spark = SQLCatalog(
        columns: { (rows) throws(StoreFailure) in
            var found: [[String?]] = []
            // Rows of: namespace, table, whether it is temporary.
            for table in try rows("SHOW TABLES").compactMap({ $0.count > 1 ? $0[1] : nil }).sorted() {
                let quoted = "`" + table.replacing("`", with: "``") + "`"
                // The description of partitions begins with an empty name, or a name with `# `.
                for row in try rows("DESCRIBE TABLE " + quoted) {
                    guard row.count > 1, let name = row[0], !name.isEmpty, !name.hasPrefix("# ") else { break }
                    found.append([table, name, row[1], "YES", nil, "binary"])
                }
            }
            return found
        }, types: ["timestamp": .date(.timestampWithZone)])

    /// Converts the name of a type. An unknown type becomes `any`: its values are read, but SQL does not test them.
    fileprivate func type(_ name: String) -> ColumnType {
        let name = name.lowercased()
        let element =
            name.hasSuffix("[]")
            ? String(name.dropLast(2))
            : name.hasPrefix("array<") && name.hasSuffix(">") ? String(name.dropFirst(6).dropLast()) : nil
        if let element {
            guard case .plain(let type) = type(element), type != .any else { return .plain(.any) }
            if case .collection = type { return .plain(.any) }
            return .plain(.list(of: type))
        }
        return types[name] ?? Self.known[String(name.prefix { $0 != "(" })] ?? .plain(.any)
    }

    private static let known: [String: ColumnType] = {
        let names: [(ColumnType, String)] = [
            (
                .plain(.integer),
                "bigint integer int smallint tinyint utinyint usmallint uinteger int2 int4 int8"
            ),
            (.plain(.double), "double float real float4 float8"), (.decimal, "numeric decimal hugeint ubigint"),
            (.plain(.string), "text varchar string"), (.plain(.boolean), "boolean bool"),
            (.plain(.data), "bytea blob binary"), (.plain(.uuid), "uuid"),
            (.date(.timestamp), "timestamp timestamp_s timestamp_ms timestamp_ntz date"),
        ]
        var known: [String: ColumnType] = [
            "double precision": .plain(.double), "character varying": .plain(.string),
            "timestamp without time zone": .date(.timestamp),
            "timestamp with time zone": .date(.timestampWithZone),
        ]
        for (type, words) in names { for word in words.split(separator: " ") { known[String(word)] = type } }
        return known
    }()
}

extension SQLCatalog {
    /// nil for a dialect that has no introspection.
    init?(_ dialect: SQLDialect) {
        guard let catalog = Self.all[dialect.name] else { return nil }
        self = catalog
    }

    private init(columns: String, keys: String) {
        self.init(columns: { (rows) throws(StoreFailure) in try rows(columns) }, keys: keys)
    }
}

extension SQLConnection {
    /// Reads the schema of the database.
    func schema(_ catalog: SQLCatalog) throws(StoreFailure) -> PredicateSchema {
        let texts = { (statement: String) throws(StoreFailure) -> [[String?]] in
            try self.rows(statement).map { $0.map(\.catalogText) }
        }
        var tables: [DatabaseTable] = []
        var entities: [PredicateSchema.Entity] = []
        for row in try catalog.columns(texts) {
            guard row.count >= 6, let table = row[0], let column = row[1], !column.isEmpty else { continue }
            if tables.last?.name != table {
                tables.append(DatabaseTable(name: table))
                entities.append(PredicateSchema.Entity(table))
            }
            let last = tables.count - 1
            tables[last].columns.append(
                DatabaseTable.Column(name: column, declared: row[2] ?? "", isNotNull: row[3] == "NO"))
            var key = SQLiteNames.key(column)
            while entities[last].attributes.contains(where: { $0.name == key }) { key += "_" }
            var attribute = PredicateSchema.Attribute(key, .any, isOptional: row[3] != "NO", column: column)
            attribute.describe(catalog.type(row[2] ?? ""), declared: row[2] ?? "", scale: row[4])
            if attribute.type == .string { attribute.collation = row[5] == "binary" ? .binary : .other }
            entities[last].attributes.append(attribute)
        }
        for row in try catalog.keys.map(texts) ?? [] {
            guard row.count >= 5, let column = row[2], let index = tables.firstIndex(where: { $0.name == row[0] })
            else {
                continue
            }
            tables[index].add(key: row[1] ?? "", column, to: row[3], row[4])
        }
        for index in tables.indices {
            entities[index].primaryKey = tables[index].primaryKey
            for place in tables[index].columns.indices {
                let position = tables[index].primaryKey.firstIndex(of: tables[index].columns[place].name)
                tables[index].columns[place].keyPosition = position.map { $0 + 1 } ?? 0
            }
        }
        SQLiteRelationships(tables).add(to: &entities)
        return try PredicateSchema(stored: entities)
    }
}

extension DatabaseTable {
    /// Adds a column of a key. The rows of one foreign key are consecutive.
    fileprivate mutating func add(key: String, _ column: String, to target: String?, _ other: String?) {
        guard let target, let other else {
            primaryKey.append(column)
            return
        }
        if foreignKeys.last?.name != key {
            foreignKeys.append(ForeignKey(table: name, name: key, parent: target))
        }
        foreignKeys[foreignKeys.count - 1].columns.append(column)
        foreignKeys[foreignKeys.count - 1].targets.append(other)
    }
}

extension PredicateSchema.Attribute {
    fileprivate mutating func describe(_ type: SQLCatalog.ColumnType, declared: String, scale: String?) {
        switch type {
        case .plain(let plain): self.type = plain
        case .decimal:
            self.type = .decimal
            let places = declared.split { $0 == "," || $0 == ")" }.dropFirst().first.map(String.init)
            self.scale = scale.flatMap { Int($0) } ?? places.flatMap { Int($0) }
        case .date(let storage): (self.type, dateStorage) = (.date, storage)
        }
    }
}

extension PredicateValue {
    fileprivate var catalogText: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }
}
