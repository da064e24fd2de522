// In: the CREATE statements of a database, and the changes that MigrationPlan wants. Out: what cannot be kept, and why. The
// changes are tried on a copy of the schema in memory, which has no rows, so SQLite itself gives most reasons. If the
// column `lastAlert` of `item` is dropped, the loss for CREATE INDEX by_alert ON item (lastAlert) is shown as
//
//     the index 'by_alert' cannot be kept: it names 'lastAlert', which is dropped
//
// The order is that of MigrationReplacement.swift, which does the same in the database: renames, tables, indexes, views,
// triggers.

struct SchemaTrial {
    private let copy: SQLiteStore
    /// The tables of the copy: first those of the database, then with their new names.
    private(set) var tables: DatabaseTables
    let original: DatabaseTables
    private(set) var losses: [MigrationLoss] = []
    /// The `Part.key`s of indexes that served only dropped relationships.
    private(set) var obsolete: Set<String> = []
    private(set) var obstacles: [MigrationObstacle] = []
    /// Whether an obstacle prevents even an attempt in the database.
    private(set) var isBlocked = false
    /// The views and triggers that are dropped before tables are renamed, by their keys: SQLite renames nothing while
    /// one of them is invalid.
    private(set) var droppedFirst: Set<String> = []
    /// The views and triggers that were invalid before. They keep their texts.
    private(set) var invalid: [DatabaseTables.Part] = []
    /// The indexes that this SQLite cannot create: they use functions or collations of another program.
    private var unsupportedIndexes: [(part: DatabaseTables.Part, message: String)] = []
    /// The changed texts of the tables that are created again.
    private(set) var texts: [String: TableText] = [:]

    init(_ store: SQLiteStore) throws(StoreFailure) {
        original = try DatabaseTables(store)
        tables = original
        copy = try SQLiteStore(path: ":memory:", mode: .create)
        try run("PRAGMA foreign_keys = OFF")
        try run("PRAGMA legacy_alter_table = OFF")
        try copyTables()
        try copyParts()
    }

    /// SQLite makes its own tables, and some tables of virtual tables, by itself.
    private func copyTables() throws(StoreFailure) {
        let all = original.all.filter { !$0.isView }
        for table in all where table.sql.uppercased().hasPrefix("CREATE VIRTUAL") { _ = try refusal(of: table.sql) }
        for table in all where !table.name.hasPrefix("sqlite_") { _ = try refusal(of: table.sql) }
    }

    /// Creates the indexes, views and triggers that are valid.
    private mutating func copyParts() throws(StoreFailure) {
        for part in original.parts where part.type != "trigger" {
            guard let message = try refusal(of: part.sql) else { continue }
            if part.type == "index" { unsupportedIndexes.append((part, message)) } else { invalid.append(part) }
        }
        for part in original.parts where part.type != "index" {
            if invalid.contains(where: { $0.key == part.key }) { continue }
            if try refusal(ofUsing: part, []) == nil { continue }
            if part.type == "view" { try run("DROP VIEW IF EXISTS \(SQLiteNames.quoted(part.name))") }
            invalid.append(part)
        }
        droppedFirst = Set(invalid.map(\.key))
        for part in original.parts where part.type == "trigger" && !droppedFirst.contains(part.key) {
            try run(part.sql)
        }
    }

    private func run(_ statement: String) throws(StoreFailure) { _ = try copy.rows(statement) }

    /// Runs a statement and returns SQLite's message if it fails.
    private func refusal(of statement: String) throws(StoreFailure) -> String? {
        do throws(StoreFailure) {
            try run(statement)
            return nil
        } catch {
            switch error {
            case .engine(_, let message, _, _): return message.replacing(MigrationRenames.aside, with: "")
            case .constraint(let constraint): return constraint.message
            default: throw error
            }
        }
    }

    /// Compiles a view, or a trigger while it is the only one, and returns SQLite's message if it is invalid. The
    /// statements change nothing.
    ///
    /// - Parameter dropped: the columns that are dropped. Their names are written as `[a]`, because SQLite reads
    ///   an unknown name in double quotes as a text.
    private func refusal(
        ofUsing part: DatabaseTables.Part, _ dropped: Set<String>
    ) throws(StoreFailure) -> String? {
        let name = SQLiteNames.quoted(part.name)
        if part.type == "view" { return try refusal(of: "SELECT * FROM \(name) LIMIT 0") }
        let text = DefinitionText(part.sql)
        if let message = try refusal(of: text.withoutTexts(dropped)) { return message }
        defer { _ = try? refusal(of: "DROP TRIGGER \(name)") }
        guard let event = text.event else { return nil }
        let table = SQLiteNames.quoted(part.table)
        if event.word == "DELETE" { return try refusal(of: "DELETE FROM \(table) WHERE 0") }
        let columns = try copy.writing { (connection) throws(StoreFailure) in try connection.columns(of: part.table) }
        let known = DatabaseTable(name: part.table, columns: columns)
        // SQLite does not check the list of UPDATE OF.
        if let missing = event.columns.first(where: { known.column($0) == nil }) { return "no such column: \(missing)" }
        // Generated columns cannot be written.
        let wanted = event.columns.isEmpty ? columns : event.columns.compactMap(known.column)
        let column = wanted.first { !$0.isHidden && !$0.isGenerated }
        guard let quoted = column.map({ SQLiteNames.quoted($0.name) }) else { return nil }
        return try refusal(
            of: event.word == "INSERT"
                ? "INSERT INTO \(table) (\(quoted)) SELECT NULL WHERE 0"
                : "UPDATE \(table) SET \(quoted) = \(quoted) WHERE 0")
    }

    private mutating func lose(_ part: DatabaseTables.Part, _ reason: String) {
        losses.append(MigrationLoss(kind: part.type, name: part.name, table: part.table, reason: reason))
    }

    private mutating func block(_ table: String, _ message: String) {
        obstacles.add(table, nil, message)
        isBlocked = true
    }

    // MARK: Renaming

    /// Renames tables and columns.
    mutating func rename(_ statements: [String]) throws(StoreFailure) {
        for statement in statements {
            while let message = try refusal(of: statement) {
                // A message such as: error in view names after rename: no such column: name
                let part = try DatabaseTables(copy).parts.first { part in
                    let start = "error in \(part.type) \(part.name)"
                    return message.hasPrefix(start + ":") || message.hasPrefix(start + " after")
                }
                guard let part else {
                    return block(DefinitionText(statement).tokens[2].value, "SQLite refuses \(statement): \(message)")
                }
                lose(part, message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? message)
                droppedFirst.insert(part.key)
                try run("DROP \(part.type) \(SQLiteNames.quoted(part.name))")
            }
        }
        if !statements.isEmpty { tables = try DatabaseTables(copy) }
    }

    // MARK: Creating tables again

    /// Creates the tables of the new version, drops the others, and creates indexes, views and triggers again.
    mutating func replace(
        _ rebuilt: [String: TableDefinition], _ before: [String: TableDefinition], dropping dropped: [String],
        _ renamed: [String: String]
    ) throws(StoreFailure) {
        let parts = tables.parts.filter { !droppedFirst.contains($0.key) }
        for part in parts.reversed() where part.type != "index" {
            try run("DROP \(part.type) IF EXISTS \(SQLiteNames.quoted(part.name))")
        }
        var missing: [String: Set<String>] = [:]
        for (name, definition) in rebuilt.sorted(by: { $0.key < $1.key }) where tables[name]?.isView != true {
            missing[name.lowercased()] = try replace(name, definition, before[name] ?? TableDefinition(), dropped)
        }
        for name in dropped {
            if let message = try refusal(of: "DROP TABLE \(SQLiteNames.quoted(name))") { block(name, message) }
        }
        if isBlocked { return }
        try recreateIndexes(parts, missing, before, renamed)
        let columns = missing.values.reduce(into: Set()) { $0.formUnion($1) }
        try recreateViews(parts, without: columns)
        for part in parts where part.type == "trigger" && !dropped.contains(part.table) {
            if let message = try refusal(ofUsing: part, columns) { lose(part, message) }
        }
        // Even what was invalid before must fit its table.
        for part in invalid where !dropped.contains(part.table) {
            if let message = try refusal(of: part.sql) { lose(part, message) }
        }
        try checkParents(dropped)
    }

    /// - Parameter missing: the columns that the tables have no more, by the tables that are created again.
    private mutating func recreateIndexes(
        _ parts: [DatabaseTables.Part], _ missing: [String: Set<String>], _ before: [String: TableDefinition],
        _ renamed: [String: String]
    ) throws(StoreFailure) {
        for part in parts where part.type == "index" {
            guard let names = missing[part.table.lowercased()] else { continue }
            let text = DefinitionText(part.sql)
            // The columns follow ON and the table.
            let list = text.tokens.indices.dropFirst((text.tokens.firstIndex { $0.isWord("ON") } ?? 0) + 2)
            if unsupportedIndexes.contains(where: { $0.part.name == part.name }) { continue }
            if let table = before[part.table], table.isIndexOfDroppedKey(part, names) {
                obsolete.insert(part.key)
                continue
            }
            if let column = text.column(among: names, in: list) {
                lose(part, "it names '\(column)', which is dropped")
            } else if let message = try refusal(of: part.sql) {
                lose(part, message)
            }
        }
        for (part, message) in unsupportedIndexes
        where missing[(renamed[part.table] ?? part.table).lowercased()] != nil {
            lose(part, message)
        }
    }

    /// All views are created before one is used, because it may read others.
    private mutating func recreateViews(
        _ parts: [DatabaseTables.Part], without columns: Set<String>
    ) throws(StoreFailure) {
        let views = parts.filter { $0.type == "view" }
        for view in views { _ = try refusal(of: DefinitionText(view.sql).withoutTexts(columns)) }
        for view in views {
            if let message = try refusal(ofUsing: view, columns) { lose(view, message) }
        }
        for loss in losses where loss.kind == "view" {
            try run("DROP VIEW IF EXISTS \(SQLiteNames.quoted(loss.name))")
        }
    }

    /// Creates a table again and returns the columns that it had before and has no more, in lowercase.
    private mutating func replace(
        _ name: String, _ definition: TableDefinition, _ before: TableDefinition, _ dropped: [String]
    ) throws(StoreFailure) -> Set<String> {
        let quoted = SQLiteNames.quoted(name)
        guard let table = tables[name] else {
            if let message = try refusal(of: definition.statement(creating: name)) { block(name, message) }
            return []
        }
        guard var text = TableText(name, table.sql) else {
            block(name, "it is a virtual table, which cannot be created again")
            return []
        }
        text.change(from: before, to: definition, dropping: dropped)
        let unnamed = text.storedColumns.filter { !definition.has($0) }
        text.drop(Set(unnamed.map { $0.lowercased() }))
        losses += text.losses
        for column in unnamed {
            losses.append(
                MigrationLoss(
                    kind: "column", name: column, table: name,
                    reason: "neither version names it, and the rows are made from others"))
        }
        texts[name] = text
        if let message = try refusal(of: "DROP TABLE \(quoted)") { block(name, message) }
        if let message = try refusal(of: text.statement()) { block(name, "it cannot be created again: \(message)") }
        let now = try DatabaseTables(copy)[name]?.columns.map { $0.name.lowercased() } ?? []
        for column in definition.columns where !now.contains(column.name.lowercased()) && !isBlocked {
            block(name, "'\(column.name)' is computed from a column that is dropped: drop it, too")
        }
        return Set(table.columns.map { $0.name.lowercased() }).subtracting(now)
    }

    /// Finds the foreign keys to dropped tables.
    private mutating func checkParents(_ dropped: [String]) throws(StoreFailure) {
        let now = try DatabaseTables(copy)
        var seen: Set<[String]> = []
        for key in try copy.declaredForeignKeys() where tables[key.parent] != nil && now[key.parent] == nil {
            if dropped.contains(key.table) || !seen.insert([key.table, key.parent]).inserted { continue }
            obstacles.add(
                key.table, nil,
                "it has a foreign key to '\(key.parent.replacing(MigrationRenames.aside, with: ""))', "
                    + "which is dropped: drop the foreign key first")
        }
    }
}
