// A table or a view as a database describes it. SQLiteIntrospection.swift and SQLIntrospection.swift make a schema from
// these descriptions, SQLitePreconditions.swift compares a schema with them, and migrations compare two of them.

struct DatabaseTable {
    struct Column {
        let name: String
        /// The declared type, in uppercase.
        let declared: String
        let isNotNull: Bool
        /// Its position in the primary key, from 1; 0 if it is not part of it.
        var keyPosition = 0
        /// Whether it belongs to the module of a virtual table.
        var isHidden = false
        var isGenerated = false
    }

    struct ForeignKey {
        let table: String
        /// Distinguishes the foreign keys of a table.
        let name: String
        /// The table that it refers to.
        let parent: String
        /// The action after ON DELETE.
        var action = ""
        var columns: [String] = []
        /// The columns that it refers to; empty if it refers to the primary key.
        var targets: [String] = []

        var onDelete: PredicateSchema.DeleteRule? { PredicateSchema.DeleteRule(action: action) }
    }

    let name: String
    var isView = false
    /// The statement that creates it.
    var sql = ""
    var columns: [Column] = []
    var primaryKey: [String] = []
    var foreignKeys: [ForeignKey] = []

    /// SQLite compares names without case.
    func column(_ name: String) -> Column? { columns.first { $0.name.lowercased() == name.lowercased() } }
}

extension [DatabaseTable.Column] {
    var primaryKey: [String] {
        filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    }
}

extension SQLiteConnection {
    /// The columns of a table or view; empty if there is none. https://www.sqlite.org/pragma.html#pragma_table_xinfo
    func columns(of table: String) throws(StoreFailure) -> [DatabaseTable.Column] {
        var columns: [DatabaseTable.Column] = []
        let sql = "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?)"
        try run(sql, [.string(table)]) { row in
            columns.append(
                DatabaseTable.Column(
                    name: row.text(0), declared: row.text(1).uppercased(), isNotNull: row.integer(2) != 0,
                    keyPosition: Int(row.integer(3)), isHidden: row.integer(4) == 1, isGenerated: row.integer(4) > 1))
        }
        return columns
    }

    /// The foreign keys of all tables, by table, in the reverse order of their definition.
    func declaredForeignKeys() throws(StoreFailure) -> [DatabaseTable.ForeignKey] {
        var keys: [DatabaseTable.ForeignKey] = []
        try run(
            """
            SELECT m.name, f.id, f."table", f.on_delete, f."from", f."to" FROM sqlite_master AS m
            JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table' ORDER BY m.name, f.id, f.seq
            """
        ) { row in
            if keys.last?.table != row.text(0) || keys.last?.name != row.text(1) {
                keys.append(
                    DatabaseTable.ForeignKey(
                        table: row.text(0), name: row.text(1), parent: row.text(2), action: row.text(3)))
            }
            keys[keys.count - 1].columns.append(row.text(4))
            if !row.isNull(5) { keys[keys.count - 1].targets.append(row.text(5)) }
        }
        return keys
    }

    /// A name of the row number that no column uses; nil if the table has no row number.
    func rowNumber(of table: String, besides columns: [DatabaseTable.Column]) throws(StoreFailure) -> String? {
        let taken = Set(columns.map { $0.name.lowercased() })
        guard let name = SQLiteNames.rowNumbers.first(where: { !taken.contains($0) }) else { return nil }
        return try unlessRefused { () throws(StoreFailure) in
            try run("SELECT \(name) FROM \(SQLiteNames.quoted(table)) LIMIT 0")
            return name
        }
    }

    /// Runs statements that the database may refuse, such as those about a view whose table is missing. nil if it does.
    @discardableResult
    func unlessRefused<Value>(_ body: () throws(StoreFailure) -> Value) throws(StoreFailure) -> Value? {
        do throws(StoreFailure) {
            return try body()
        } catch {
            guard case .engine = error else { throw error }
            return nil
        }
    }
}

extension SQLStore where Connection == SQLiteConnection {
    func declaredForeignKeys() throws(StoreFailure) -> [DatabaseTable.ForeignKey] {
        try writing { (connection) throws(StoreFailure) in try connection.declaredForeignKeys() }
    }
}

extension PredicateSchema {
    /// The schema of stored entities.
    ///
    /// - Parameter other: a schema with its default entity and its version.
    init(stored entities: [Entity], like other: PredicateSchema? = nil) throws(StoreFailure) {
        do throws(SchemaError) {
            try self.init(entities, defaultEntity: other?.defaultEntity, version: other?.version)
        } catch {
            throw .schema(error.description)
        }
    }
}
