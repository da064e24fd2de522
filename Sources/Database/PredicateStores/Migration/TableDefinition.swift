// The tables that a schema describes, with the types of an engine. Used to compare versions of SQLite databases, and for
// CREATE TABLE (also SQL/SQLStore+Creating.swift).
import PredicateRecords

struct TableDefinition {
    struct Column: Hashable {
        let name: String
        /// The declared type, which determines the affinity of the column.
        let declared: String
        /// The storage form of the values: columns with the same form can hold the same values.
        let form: String
        let isRequired: Bool
        /// The SQL text of the default; nil if there is none, or if SQL cannot express it.
        var defaultText: String?
    }

    struct ForeignKey: Hashable {
        let columns: [String]
        let table: String
        let targets: [String]
        var onDelete: PredicateSchema.DeleteRule?

        /// The constraint of a table; nil for row numbers, which SQLite cannot refer to.
        func constraint(_ dialect: SQLDialect) -> String? {
            if targets.contains(where: SQLiteNames.isRowNumber) { return nil }
            return "FOREIGN KEY (\(dialect.list(columns))) REFERENCES \(dialect.quoted(table)) "
                + "(\(dialect.list(targets)))" + (onDelete.map { " ON DELETE " + $0.action } ?? "")
        }
    }

    private(set) var columns: [Column] = []
    private(set) var primaryKey: [String] = []
    private(set) var references: [ForeignKey] = []
    /// Whether SQLite's row number identifies rows. It is not a column.
    private(set) var hasRowNumber = false

    var columnNames: [String] { (hasRowNumber ? primaryKey : []) + columns.map(\.name) }

    func has(_ name: String) -> Bool { columnNames.contains { $0.lowercased() == name.lowercased() } }

    /// Whether the two definitions describe the same table. The order of columns does not matter.
    func matches(_ other: TableDefinition) -> Bool {
        Set(columns) == Set(other.columns) && primaryKey == other.primaryKey
            && Set(references) == Set(other.references) && hasRowNumber == other.hasRowNumber
    }

    // MARK: Reading a schema

    /// The tables of a schema by name.
    ///
    /// - Parameter requiresLinks: whether the columns of a to-one relationship that is not optional may not be NULL.
    static func tables(
        of schema: PredicateSchema, _ dialect: SQLDialect = .sqlite, requiresLinks: Bool = false
    ) -> [String: TableDefinition] {
        var tables: [String: TableDefinition] = [:]
        for entity in schema.entities {
            let table = schema.table(of: entity.name)
            let inTable = schema.entityNames.filter { schema.table(of: $0) == table }
            let key = schema.primaryKey(of: entity.name)
            tables[table, default: TableDefinition()].primaryKey = key
            if let column = entity.discriminator {
                var type = ExpressionType.Kind.integer
                if case .string? = entity.code { type = .string }
                let declared = dialect.columnType(type, nil, isKey: true)
                tables[table]?.add(Column(name: column, declared: declared, form: "code", isRequired: false))
            }
            for attribute in schema.lineage(of: entity.name).flatMap(\.attributes) where attribute.json == nil {
                let isShared = inTable.allSatisfy { schema.key(attribute.name, of: $0) != nil }
                tables[table]?.add(
                    Column(
                        attribute, isRequired: !attribute.isOptional && isShared, dialect,
                        isKey: key.contains(attribute.column)))
                for (options, column) in attribute.folds.sorted(by: { $0.value < $1.value }) {
                    let form = "folded \(options.rawValue) \(attribute.column)"
                    let declared = dialect.columnType(.string, nil, isKey: true)
                    tables[table]?.add(Column(name: column, declared: declared, form: form, isRequired: false))
                }
            }
            let names = schema.lineage(of: entity.name).flatMap(\.attributes).map(\.column)
            if key.count == 1, !names.contains(key[0]), SQLiteNames.isRowNumber(key[0]), dialect == .sqlite {
                tables[table]?.hasRowNumber = true
            } else {
                for column in key { tables[table]?.add(Column(key: column, nil, dialect)) }
            }
        }
        for entity in schema.entities {
            addLinks(of: entity.name, schema, to: &tables, dialect, requiresLinks: requiresLinks && entity.code == nil)
        }
        return tables
    }

    private static func addLinks(
        of entity: String, _ schema: PredicateSchema, to tables: inout [String: TableDefinition],
        _ dialect: SQLDialect, requiresLinks: Bool
    ) {
        let own = Target(schema, entity, dialect)
        for relationship in schema.lineage(of: entity).flatMap(\.relationships) {
            let target = Target(schema, relationship.target, dialect)
            switch relationship.link {
            case .column(let columns):
                let isRequired = requiresLinks && !relationship.isOptional
                tables[own.table]?.add(columns, to: target, relationship.onDelete, isRequired: isRequired)
            case .foreignKey(let columns): tables[target.table]?.add(columns, to: own, relationship.onDelete)
            case .join(let name, let from, let to):
                if tables[name] == nil { tables[name] = TableDefinition() }
                tables[name]?.add(from, to: own, relationship.onDelete)
                tables[name]?.add(to, to: target, nil)
                if tables[name]?.primaryKey.isEmpty ?? false { tables[name]?.primaryKey = from + to }
            case nil: break
            }
        }
    }

    /// The table that a foreign key refers to, with the columns and types of its primary key.
    private struct Target {
        let table: String
        let key: [String]
        let columns: [Column]

        init(_ schema: PredicateSchema, _ entity: String, _ dialect: SQLDialect) {
            table = schema.table(of: entity)
            key = schema.primaryKey(of: entity)
            let attributes = schema.lineage(of: entity).flatMap(\.attributes)
            columns = key.map { column in
                Column(key: column, attributes.first { $0.column == column }, dialect)
            }
        }
    }

    private mutating func add(_ column: Column) {
        if !columns.contains(where: { $0.name == column.name }) { columns.append(column) }
    }

    private mutating func add(
        _ names: [String], to target: Target, _ rule: PredicateSchema.DeleteRule?, isRequired: Bool = false
    ) {
        for (index, name) in names.enumerated() {
            let declared = index < target.columns.count ? target.columns[index].declared : "INTEGER"
            add(Column(name: name, declared: declared, form: "key", isRequired: isRequired))
        }
        if target.key.isEmpty { return }
        if let known = references.firstIndex(where: {
            $0.columns == names && $0.table == target.table && $0.targets == target.key
        }) {
            // Inverse relationships share the columns and the rule.
            references[known].onDelete = references[known].onDelete ?? rule
        } else {
            references.append(ForeignKey(columns: names, table: target.table, targets: target.key, onDelete: rule))
        }
    }

    // MARK: Creating

    /// Returns CREATE TABLE, with a name that may differ from the schema's.
    func statement(creating name: String, _ dialect: SQLDialect = .sqlite) -> String {
        let integer = dialect.columnType(.integer, nil, isKey: true)
        let number = hasRowNumber ? nil : columns.first { primaryKey == [$0.name] && $0.declared == integer }
        var parts = columns.map { text(of: $0, declared: $0.declared, isNumber: $0 == number, dialect) }
        if number == nil, !hasRowNumber, !primaryKey.isEmpty {
            parts.append("PRIMARY KEY (\(dialect.list(primaryKey)))")
        }
        if case .inTable? = dialect.tableSyntax?.foreignKeys {
            parts += references.compactMap { $0.constraint(dialect) }
        }
        // SQLite requires at least one column.
        if parts.isEmpty { parts.append("\"predicate_empty\"") }
        return "CREATE TABLE \(dialect.quoted(name)) (\(parts.joined(separator: ", ")))"
    }

    /// The text of a column.
    ///
    /// - Parameter isNumber: whether the column is the whole primary key and holds integers.
    func text(of column: Column, declared: String, isNumber: Bool, _ dialect: SQLDialect = .sqlite) -> String {
        var text = dialect.quoted(column.name)
        if !declared.isEmpty { text += " " + declared }
        if isNumber { return text + (dialect.tableSyntax?.identity ?? " PRIMARY KEY") }
        if column.isRequired || primaryKey.contains(column.name) { text += " NOT NULL" }
        if let value = column.defaultText { text += " DEFAULT " + value }
        return text
    }
}

extension TableDefinition {
    /// Returns CREATE INDEX for each new foreign key that is not the beginning of an index. Without an index, a query
    /// about related rows reads the whole table for each row.
    ///
    /// - Parameters:
    ///   - known: the foreign keys that the table had before. Their indexes are kept, and none is added.
    ///   - indexes: the columns of each index and of the primary key, in lowercase.
    ///   - taken: the names of tables, in lowercase.
    func indexStatements(
        of table: String, besides known: [[String]], _ indexes: [[String]], _ taken: Set<String>
    ) -> [String] {
        let keys = references.map(\.columns).filter { key in
            !known.contains(key)
                && !indexes.contains { Set($0.prefix(key.count)) == Set(key.map { $0.lowercased() }) }
        }
        return keys.map { key in
            var name = ([table] + key).joined(separator: "_")
            while taken.contains(name.lowercased()) { name += "_index" }
            return "CREATE INDEX IF NOT EXISTS \(SQLiteNames.quoted(name)) ON \(SQLiteNames.quoted(table)) "
                + "(\(SQLiteNames.list(key)))"
        }
    }

    /// Whether an index is one that `indexStatements` made for a foreign key whose columns are dropped.
    ///
    /// - Parameter dropped: names of columns, in lowercase.
    func isIndexOfDroppedKey(_ index: DatabaseTables.Part, _ dropped: Set<String>) -> Bool {
        references.map(\.columns).contains { key in
            key.allSatisfy { dropped.contains($0.lowercased()) }
                && index.name.hasSuffix("_" + key.joined(separator: "_")) && index.sql.hasPrefix("CREATE INDEX ")
                && index.sql.hasSuffix(" (\(SQLiteNames.list(key)))")
        }
    }
}

extension TableDefinition.Column {
    init(
        _ attribute: PredicateSchema.Attribute, isRequired: Bool, _ dialect: SQLDialect = .sqlite, isKey: Bool = false
    ) {
        let encoding = Encoding(attribute).map { " \($0)" } ?? ""
        let range = attribute.range.map { " \($0.lowerBound)...\($0.upperBound)" } ?? ""
        self.init(
            name: attribute.column, declared: dialect.columnType(attribute.type, attribute, isKey: isKey),
            form: attribute.type.nameForMessages + encoding + range, isRequired: isRequired,
            defaultText: attribute.defaultText(dialect))
    }

    /// A column that only belongs to a key.
    ///
    /// - Parameter attribute: the attribute of the column that it refers to; nil if it has none.
    init(key name: String, _ attribute: PredicateSchema.Attribute?, _ dialect: SQLDialect) {
        let declared = dialect.columnType(attribute?.type ?? .integer, attribute, isKey: true)
        self.init(name: name, declared: declared, form: "key", isRequired: false)
    }

    /// - Parameter declared: nil if the engine has no such type; `SQLStore.create` refuses it before.
    fileprivate init(
        name: String, declared: String?, form: String, isRequired: Bool, defaultText: String? = nil
    ) {
        let type = declared ?? ""
        self.init(name: name, declared: type, form: form, isRequired: isRequired, defaultText: defaultText)
    }
}

extension PredicateSchema.Attribute {
    fileprivate func defaultText(_ dialect: SQLDialect) -> String? {
        guard let defaultValue, !defaultValue.isNil, let syntax = dialect.tableSyntax else { return nil }
        if let encoding = Encoding(self) {
            return encoding.isText || encoding.isDouble ? nil : encoding.stored(defaultValue).map { "\($0)" }
        }
        func literal(_ text: String) -> String? {
            if text.utf8.contains(0) { return nil }
            let text = syntax.escapesBackslash ? text.replacing("\\", with: "\\\\") : text
            return "'" + text.replacing("'", with: "''") + "'"
        }
        switch defaultValue {
        case .bool(let flag): return flag ? syntax.booleans.true : syntax.booleans.false
        case .integer(let number): return "\(number)"
        case .double(let number), .date(let number): return number.isFinite ? "\(number)" : nil
        case .string(let text), .url(let text): return literal(text)
        case .uuid(let id): return literal(id.description)
        case .decimal(let number): return literal("\(number)")
        case .array: return dialect == .sqlite ? literal(JSON.text(defaultValue)) : nil
        default: return nil
        }
    }
}

extension SQLDialect {
    /// Names, separated by commas.
    func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }
}

extension SQLiteNames {
    static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

    /// Whether SQLite uses this name for the row number if no column has it.
    static func isRowNumber(_ name: String) -> Bool { rowNumbers.contains(name.lowercased()) }

    static let rowNumbers = ["rowid", "_rowid_", "oid"]
}
