// Reads a schema from a database: tables and views become entities, columns become attributes, foreign keys become
// relationships. A sample of the rows shows whether columns hold their declared types; if not, the type is `any`, and
// SQL does not test the column. https://www.sqlite.org/pragma.html
import PredicateModel
import PredicateSQL
import PredicateSyntax

struct SQLiteIntrospection {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    struct Table {
        let name: String
        let isView: Bool
        var columns: [Column] = []
        var primaryKey: [String] = []
        var foreignKeys: [ForeignKey] = []
    }

    struct Column {
        let name: String
        let declared: String
        let isNotNull: Bool
        /// Its position in the primary key, from 1; 0 if it is not part of it.
        let keyPosition: Int
    }

    struct ForeignKey {
        let table: String
        var name = ""
        var columns: [String] = []
        /// The columns it refers to; empty if it refers to the primary key.
        var targets: [String] = []
        var onDelete: DeleteRule?
    }

    /// The number of rows that are sampled per table.
    static let sample = 1000

    // MARK: Reading

    func schema() throws(StoreFailure) -> PredicateSchema {
        var tables: [Table] = []
        var entities: [PredicateSchema.Entity] = []
        for (name, isView) in try names() {
            do throws(StoreFailure) {
                let table = try table(name, isView)
                entities.append(try entity(table))
                tables.append(table)
            } catch {
                // A view whose table is missing, or a virtual table whose module is missing: skip it and read the
                // others.
                guard case .engine = error else { throw error }
            }
        }
        SQLiteRelationships(tables).add(to: &entities)
        let collated = try collatedColumns(of: Self.schema(entities))
        for (index, entity) in entities.enumerated() {
            for (place, attribute) in entity.attributes.enumerated() where attribute.type == .string {
                let isCollated = collated.contains(SQLColumn(table: entity.table, column: attribute.column))
                entities[index].attributes[place].collation = isCollated ? .other : .binary
            }
        }
        return try Self.schema(entities)
    }

    private static func schema(_ entities: [PredicateSchema.Entity]) throws(StoreFailure) -> PredicateSchema {
        do throws(SchemaError) {
            return try PredicateSchema(entities)
        } catch {
            throw .schema(error.description)
        }
    }

    private func names() throws(StoreFailure) -> [(name: String, isView: Bool)] {
        var names: [(String, Bool)] = []
        let sql = """
            SELECT name, type FROM sqlite_master
            WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '\(StoreVersion.table)'
            ORDER BY name
            """
        try connection.run(sql) { names.append(($0.text(0), $0.text(1) == "view")) }
        return names
    }

    private func table(_ name: String, _ isView: Bool) throws(StoreFailure) -> Table {
        var table = Table(name: name, isView: isView)
        // Columns of the result: cid, name, type, notnull, dflt_value, pk, hidden. In `hidden`, 1 marks a
        // hidden column of a virtual table, 2 and 3 mark generated columns.
        try connection.run("SELECT * FROM pragma_table_xinfo(?)", [.string(name)]) { row in
            // A column without a name cannot be named in a predicate either.
            guard row.integer(6) != 1, !row.text(1).isEmpty else { return }
            table.columns.append(
                Column(
                    name: row.text(1), declared: row.text(2).uppercased(), isNotNull: row.integer(3) != 0,
                    keyPosition: Int(row.integer(5))))
        }
        table.primaryKey = table.columns.filter { $0.keyPosition > 0 }
            .sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
        if table.primaryKey.isEmpty, !isView, let rowid = try rowid(table) { table.primaryKey = [rowid] }
        var keys: [Int64: ForeignKey] = [:]
        // Columns of the result: id, seq, table, from, to, on_update, on_delete, match.
        try connection.run("SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq", [.string(name)]) { row in
            keys[row.integer(0), default: ForeignKey(table: row.text(2))].columns.append(row.text(3))
            if !row.isNull(4) { keys[row.integer(0)]?.targets.append(row.text(4)) }
            keys[row.integer(0)]?.onDelete = DeleteRule(action: row.text(6))
        }
        table.foreignKeys = keys.keys.sorted(by: >).compactMap { keys[$0] }
        return table
    }

    /// A name of the row number that no column uses; nil if the table has no row number.
    private func rowid(_ table: Table) throws(StoreFailure) -> String? {
        let taken = Set(table.columns.map { $0.name.lowercased() })
        guard let name = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains($0) }) else { return nil }
        do throws(StoreFailure) {
            try connection.run("SELECT \(name) FROM \(quoted(table.name)) LIMIT 0")
            return name
        } catch {
            guard case .engine = error else { throw error }
            return nil
        }
    }

    private func quoted(_ name: String) -> String { SQLiteNames.quoted(name) }

    // MARK: Entities

    private func entity(_ table: Table) throws(StoreFailure) -> PredicateSchema.Entity {
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
    private func storage(_ table: Table) throws(StoreFailure) -> [Set<String>] {
        var stored = [Set<String>](repeating: [], count: table.columns.count)
        guard !table.columns.isEmpty, table.columns.count <= 1000 else { return stored }
        let types = table.columns.map { "typeof(\(quoted($0.name)))" }.joined(separator: ", ")
        do throws(StoreFailure) {
            try connection.run("SELECT \(types) FROM \(quoted(table.name)) LIMIT \(Self.sample)") { row in
                for index in stored.indices { stored[index].insert(row.text(Int32(index))) }
            }
        } catch {
            guard case .engine = error else { throw error }
            // A broken view or virtual table: keep its columns without a sample.
            return stored
        }
        return stored.map { $0.subtracting(["null"]) }
    }

    /// The type by SQLite's affinity rules, if the sampled values agree. https://www.sqlite.org/datatype3.html
    private func type(_ declared: String, _ stored: Set<String>) -> AttributeType {
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
    func numericColumns(of schema: PredicateSchema) throws(StoreFailure) -> [SQLColumn: NumericColumn] {
        var found: [SQLColumn: NumericColumn] = [:]
        var isVirtual: [String: Bool] = [:]
        var hasUnions = false
        try connection.run("SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')") { row in
            let (isView, definition) = (row.text(1) == "view", row.text(2).uppercased())
            isVirtual[row.text(0)] = isView || definition.hasPrefix("CREATE VIRTUAL")
            // Each part of a union may have a different affinity.
            hasUnions = hasUnions || isView && ["UNION", "INTERSECT", "EXCEPT"].contains(where: definition.contains)
        }
        for table in Set(schema.entities.map { schema.table(of: $0.name) }) {
            let isVirtual = isVirtual[table] ?? true
            var affinities: [String: SQLiteAffinity] = [:]
            try connection.run("SELECT name, type FROM pragma_table_xinfo(?)", [.string(table)]) { row in
                affinities[row.text(0).lowercased()] = SQLiteAffinity(row.text(1).uppercased())
            }
            for entity in schema.entities where schema.table(of: entity.name) == table {
                for (column, isText) in entity.comparedColumns {
                    guard let affinity = affinities[column.lowercased()] else { continue }
                    let isMistaken =
                        isText
                        ? affinity.convertsTexts || isVirtual && (hasUnions || affinity != .text) : affinity != .real
                    guard isMistaken else { continue }
                    found[SQLColumn(table: table, column: column)] = isVirtual ? .ofView : .ofTable
                }
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
        var tables: Set<String> = []
        try connection.run("SELECT name FROM sqlite_master WHERE type = 'table'") { tables.insert($0.text(0)) }
        for (table, keys) in found {
            // A view has no indexes.
            guard tables.contains(table) else {
                found[table] = nil
                continue
            }
            let indexes = try indexes(of: table)
            found[table] = keys.filter { key in
                !indexes.contains { Set($0.prefix(key.count)) == Set(key.map { $0.lowercased() }) }
            }
        }
        return found
    }

    /// The columns of each index of all rows, and the primary key.
    func indexes(of table: String) throws(StoreFailure) -> [[String]] {
        var names: [String] = []
        try connection.run("SELECT name FROM pragma_index_list(?) WHERE partial = 0", [.string(table)]) {
            names.append($0.text(0))
        }
        var indexes: [[String]] = [[]]
        // An INTEGER PRIMARY KEY is not in the list.
        try connection.run("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", [.string(table)]) {
            indexes[0].append($0.text(0).lowercased())
        }
        for name in names {
            var columns: [String] = []
            // An expression has no name.
            try connection.run("SELECT name FROM pragma_index_info(?) ORDER BY seqno", [.string(name)]) {
                columns.append($0.isNull(0) ? "" : $0.text(0).lowercased())
            }
            indexes.append(columns)
        }
        return indexes
    }

    // MARK: Collations

    /// The text columns of a schema's tables that SQLite does not compare by bytes.
    func collatedColumns(of schema: PredicateSchema) throws(StoreFailure) -> Set<SQLColumn> {
        var found: Set<SQLColumn> = []
        for table in Set(schema.entities.map(\.table)) {
            var definition = ""
            try connection.run("SELECT sql FROM sqlite_master WHERE name = ?", [.string(table)]) { row in
                definition = row.text(0).uppercased()
            }
            // A table has such a column only if its definition contains COLLATE. The columns of a view depend on its
            // tables.
            guard definition.contains("COLLATE") || definition.hasPrefix("CREATE VIEW") else { continue }
            for entity in schema.entities where entity.table == table {
                for column in schema.columns(of: entity.name) where try !isBinary(column, table) {
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
        var isBinary = true
        do throws(StoreFailure) {
            try connection.run(sql) { isBinary = $0.integer(0) == 3 }
        } catch {
            // The collation is not registered with this connection.
            guard case .engine = error else { throw error }
            return false
        }
        return isBinary
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

enum SQLiteNames {
    /// Quotes a name for SQL text.
    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    /// Converts a column name to a schema key: without dots, which separate keys, and without a leading `@`.
    static func key(_ column: String) -> String {
        let name = column.replacing(".", with: "_")
        let key = name.drop { $0 == "@" }
        return key.isEmpty ? "column" : String(key)
    }
}
