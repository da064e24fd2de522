// The tables and columns that have other names in the new version. SQLite renames them, with their names in indexes,
// triggers, views, constraints and foreign keys.

struct MigrationRenames {
    /// The name in front of which a table or column is moved away if another one gets its name.
    static let aside = "predicate_old_"

    /// The new names of tables by their old ones, and of columns by their table's old name.
    private(set) var tables: [String: String] = [:]
    private var columns: [String: [String: String]] = [:]
    /// The tables of the old version.
    private let known: [String: TableDefinition]
    /// The statements that rename them.
    private(set) var statements: [String] = []

    init(_ pairs: SchemaPairs, _ mapping: MigrationMapping, _ database: DatabaseTables) {
        let (old, new) = (pairs.old, pairs.new)
        var owners: [String: [(entity: String, source: String)]] = [:]
        var found: [String: String] = [:]
        for entity in new.entities {
            let sources = mapping.sources[entity.name]?.map(\.entity) ?? [pairs.source(of: entity)?.name ?? ""]
            let former = Set(sources.filter { old.entity($0) != nil }.map { old.table(of: $0) })
            let table = new.table(of: entity.name)
            for source in sources where old.entity(source) != nil {
                owners[old.table(of: source), default: []].append((entity.name, source))
            }
            // An entity that is made from several tables gets a new one.
            guard former.count == 1, let name = former.first else { continue }
            let isNatural = pairs.source(of: entity).map { old.table(of: $0.name) == name } ?? false
            if found[name] == nil || name == table || isNatural && found[name] != name { found[name] = table }
        }
        known = TableDefinition.tables(of: old)
        for (table, name) in found.sorted(by: { $0.key < $1.key }) where found[name] != name {
            rename(table, name, in: database)
        }
        for (table, pairings) in owners.sorted(by: { $0.key < $1.key }) {
            for (entity, source) in pairings where new.table(of: entity) == tables[table] ?? table {
                addKeys(entity, source, pairs, database)
                addLinks(entity, source, pairs, database)
            }
        }
        write(database)
    }

    private mutating func rename(_ table: String, _ name: String, in database: DatabaseTables) {
        // A table that the old version does not name keeps its name.
        guard table != name, database[table]?.isView == false, !tables.values.contains(name),
            database[name] == nil || known.keys.contains(where: { $0.lowercased() == name.lowercased() })
        else { return }
        tables[table] = name
    }

    private mutating func rename(_ column: String, _ name: String, of table: String, in database: DatabaseTables) {
        guard let place = database[table], !place.isView, place.column(column) != nil else { return }
        let isFree = place.column(name) == nil || known[table]?.has(name) ?? false
        // A column that keeps its name has precedence.
        guard column == name || isFree && columns[table]?[column] == nil else { return }
        columns[table, default: [:]][column] = name
    }

    // MARK: Finding

    private mutating func addKeys(
        _ entity: String, _ source: String, _ pairs: SchemaPairs, _ database: DatabaseTables
    ) {
        let (old, new) = (pairs.old, pairs.new)
        let table = old.table(of: source)
        for attribute in new.lineage(of: entity).flatMap(\.attributes) {
            guard let former = pairs.source(of: attribute, entity, from: source) else { continue }
            rename(former.column, attribute.column, of: table, in: database)
            for (options, column) in former.folds {
                if let name = attribute.folds[options] { rename(column, name, of: table, in: database) }
            }
        }
        let (key, former) = (new.primaryKey(of: entity), old.primaryKey(of: source))
        func isAttribute(_ column: String, _ schema: PredicateSchema, _ entity: String) -> Bool {
            schema.lineage(of: entity).flatMap(\.attributes).contains { $0.column == column }
        }
        if key.count == former.count {
            for (column, name) in zip(former, key)
            where !isAttribute(column, old, source) && !isAttribute(name, new, entity) {
                rename(column, name, of: table, in: database)
            }
        }
        let codes = (old.discriminator(of: source), new.discriminator(of: entity))
        if let column = codes.0, let name = codes.1 { rename(column, name, of: table, in: database) }
    }

    private mutating func addLinks(
        _ entity: String, _ source: String, _ pairs: SchemaPairs, _ database: DatabaseTables
    ) {
        for relationship in pairs.new.lineage(of: entity).flatMap(\.relationships) {
            guard let former = pairs.source(of: relationship, entity, from: source) else { continue }
            let place: (table: String, olds: [String], news: [String])
            switch (former.link, relationship.link) {
            case (.column(let olds), .column(let news)): place = (pairs.old.table(of: source), olds, news)
            case (.foreignKey(let olds), .foreignKey(let news)):
                place = (pairs.old.table(of: former.target), olds, news)
            case (.join(let table, let from, let to), .join(let name, let newFrom, let newTo)):
                if from.count + to.count != newFrom.count + newTo.count { continue }
                if tables[table] == nil { rename(table, name, in: database) }
                place = (table, from + to, newFrom + newTo)
            default: continue
            }
            guard place.olds.count == place.news.count else { continue }
            for (column, name) in zip(place.olds, place.news) { rename(column, name, of: place.table, in: database) }
        }
    }

    // MARK: Statements

    private mutating func write(_ database: DatabaseTables) {
        for table in columns.keys.sorted() {
            let known = database[table]?.columns.map(\.name) ?? []
            let text = "ALTER TABLE \(SQLiteNames.quoted(table)) RENAME COLUMN "
            columns[table] = Self.ordered(columns[table] ?? [:], known) { old, new in
                statements.append(text + "\(SQLiteNames.quoted(old)) TO \(SQLiteNames.quoted(new))")
            }
        }
        tables = Self.ordered(tables, database.names) { old, new in
            statements.append("ALTER TABLE \(SQLiteNames.quoted(old)) RENAME TO \(SQLiteNames.quoted(new))")
        }
    }

    /// Calls `body` for each change of a name, in an order in which no name is used twice. Returns all changes.
    private static func ordered(
        _ wanted: [String: String], _ known: [String], _ body: (String, String) -> Void
    ) -> [String: String] {
        let changes = wanted.filter { $0.key != $0.value }
        let names = Set(changes.values.map { $0.lowercased() })
        var all = changes
        var places: [String: String] = [:]
        for name in known where names.contains(name.lowercased()) {
            places[name.lowercased()] = aside + name
            body(name, aside + name)
            if changes[name] == nil { all[name] = aside + name }
        }
        for (old, new) in changes.sorted(by: { $0.key < $1.key }) { body(places[old.lowercased()] ?? old, new) }
        return all
    }

    // MARK: The old version with the new names

    /// The old version, as the database has it after the statements.
    func applied(to old: PredicateSchema) throws(StoreFailure) -> PredicateSchema {
        func names(_ columns: [String], _ table: String) -> [String] {
            columns.map { self.columns[table]?[$0] ?? $0 }
        }
        let entities = old.entities.map { entity in
            var entity = entity
            let table = old.table(of: entity.name)
            entity.table = tables[entity.table] ?? entity.table
            entity.primaryKey = names(entity.primaryKey, table)
            entity.discriminator = entity.discriminator.map { names([$0], table)[0] }
            for place in entity.attributes.indices {
                let attribute = entity.attributes[place]
                entity.attributes[place].column = names([attribute.column], table)[0]
                entity.attributes[place].folds = attribute.folds.mapValues { names([$0], table)[0] }
            }
            for place in entity.relationships.indices {
                let relationship = entity.relationships[place]
                entity.relationships[place].link =
                    switch relationship.link {
                    case .column(let columns): .column(names(columns, table))
                    case .foreignKey(let columns): .foreignKey(names(columns, old.table(of: relationship.target)))
                    case .join(let join, let from, let to):
                        .join(table: tables[join] ?? join, from: names(from, join), to: names(to, join))
                    case nil: nil
                    }
            }
            return entity
        }
        return try PredicateSchema(stored: entities, like: old)
    }
}
