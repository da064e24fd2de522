// Replaces the old tables by the new ones, with their indexes, triggers and views, and checks the foreign keys. The
// numbers are those of SQLite's procedure (MigrationRun.swift).

extension MigrationRun {
    // MARK: Replacing

    /// Replaces the old tables by the new ones.
    mutating func replace() throws(StoreFailure) {
        for name in plan.views { _ = try store.rows("DROP TABLE temp.\(quoted(name))") }
        // Step 3: remember the indexes, triggers and views, to create them again in step 8.
        let tables = try DatabaseTables(store)
        let lost = plan.trial.obsolete.union(plan.trial.losses.map(\.key))
        let names = plan.rebuilt.keys.sorted()
        let numbers = try numbers(of: names)
        // Step 9: drop views that the change affects. Dropped first, neither they nor the triggers prevent steps 6 and 7.
        for part in tables.parts.reversed() where part.type != "index" {
            _ = try store.rows("DROP \(part.type) IF EXISTS main.\(quoted(part.name))")
        }
        // Step 6: drop the old table. Renaming it instead would change the foreign keys that refer to it.
        for name in names + plan.dropped where tables[name] != nil { _ = try store.rows("DROP TABLE \(quoted(name))") }
        // Step 7: give the new table its name.
        for name in names {
            _ = try store.rows("ALTER TABLE \(quoted(Self.shadow(name))) RENAME TO \(quoted(name))")
        }
        for (name, number) in numbers where plan.trial.texts[name]?.hasAutoincrement ?? false {
            try keep(number, of: name)
        }
        // Step 8: create the indexes, triggers and views again, except for those that are lost.
        let replaced = Set(names.map { $0.lowercased() })
        let gone = Set(plan.dropped.map { $0.lowercased() })
        for part in tables.parts where !lost.contains(part.key) {
            let table = part.table.lowercased()
            if part.type == "index" ? !replaced.contains(table) : gone.contains(table) { continue }
            try create(part)
        }
        let before = TableDefinition.tables(of: plan.old)
        let taken = Set((names + tables.names).map { $0.lowercased() })
        for (name, table) in plan.rebuilt.sorted(by: { $0.key < $1.key }) {
            let known = before[name]?.references.map(\.columns) ?? []
            let indexes = try store.writing { (connection) throws(StoreFailure) in
                try connection.indexes(of: name)
            }
            for sql in table.indexStatements(of: name, besides: known, indexes, taken) { _ = try store.rows(sql) }
        }
        // They were invalid before, and are as they were.
        for part in plan.trial.invalid where !lost.contains(part.key) && !gone.contains(part.table.lowercased()) {
            _ = try store.rows(part.sql)
        }
    }

    private mutating func create(_ part: DatabaseTables.Part) throws(StoreFailure) {
        do throws(StoreFailure) {
            _ = try store.rows(part.sql)
        } catch {
            guard case .constraint(let constraint) = error else { throw error }
            obstacles.add(part.table, nil, "the index '\(part.name)' does not fit the new rows: \(constraint.message)")
        }
    }

    /// The greatest keys that tables with AUTOINCREMENT have given to rows.
    private func numbers(of names: [String]) throws(StoreFailure) -> [(String, PredicateValue)] {
        try store.writing { (connection) throws(StoreFailure) in
            var found: [(String, PredicateValue)] = []
            for name in names {
                if let number = try connection.greatestGivenKey(of: name) { found.append((name, .integer(number))) }
            }
            return found
        }
    }

    /// Makes a table give no key again that it has given before.
    private func keep(_ number: PredicateValue, of table: String) throws(StoreFailure) {
        let name = PredicateValue.string(table)
        _ = try store.rows("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", [number, name])
        _ = try store.rows(
            """
            INSERT INTO sqlite_sequence (name, seq)
            SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)
            """, [name, number, name])
    }

    // MARK: References

    /// The rows whose foreign keys refer to no row, by table and the table that they refer to. The number is nil if
    /// SQLite cannot check them.
    func violations() throws(StoreFailure) -> [[String]: Int?] {
        let changed = Set((plan.dropped + Array(plan.rebuilt.keys)).map { $0.lowercased() })
        var found: [[String]: Int?] = [:]
        for key in try store.declaredForeignKeys() where found[[key.table, key.parent]] == nil {
            let (table, parent) = (key.table, key.parent)
            guard changed.contains(table.lowercased()) || changed.contains(parent.lowercased()) else { continue }
            let sql = "SELECT count(*) FROM pragma_foreign_key_check(?) WHERE lower(parent) = lower(?)"
            let rows = try store.writing { (connection) throws(StoreFailure) in
                try connection.unlessRefused { () throws(StoreFailure) in
                    try connection.rows(sql, [.string(table), .string(parent)])
                }
            }
            found[[table, parent]] = .some(rows.map { $0.first?[0].number ?? 0 })
        }
        return found
    }

    /// Finds keys that refer to no row of the new tables.
    ///
    /// - Parameter known: the violations before the migration.
    mutating func findDanglingKeys(_ known: [[String]: Int?]) throws(StoreFailure) {
        var seen: Set<TableDefinition.ForeignKey> = []
        var told: Set<[String]> = []
        for entity in plan.new.entityNames {
            for relationship in plan.new.lineage(of: entity).flatMap(\.relationships) {
                for (table, reference) in references(of: relationship, entity) {
                    let isChanged = plan.rebuilt[table] != nil || plan.rebuilt[reference.table] != nil
                    let named = TableDefinition.ForeignKey(
                        columns: [table] + reference.columns, table: reference.table, targets: reference.targets)
                    guard isChanged, !reference.targets.isEmpty, isComplete(reference.table),
                        seen.insert(named).inserted
                    else { continue }
                    let count = try dangling(table, reference)
                    guard count > 0 else { continue }
                    told.insert([table.lowercased(), reference.table.lowercased()])
                    add(entity, relationship.name, count, table, reference.table)
                }
            }
        }
        for (pair, count) in try violations().sorted(by: { $0.key.joined() < $1.key.joined() }) {
            let isTold = told.contains(pair.map { $0.lowercased() }) || !isComplete(pair[1])
            // A table that is new has no violations before.
            guard !isTold, let former = known[pair] ?? .some(0) else { continue }
            if let count {
                if count > former { add(pair[0], nil, count, pair[0], pair[1]) }
            } else {
                obstacles.add(pair[0], nil, "its foreign key does not refer to a key of '\(pair[1])' any more")
            }
        }
    }

    private mutating func add(_ entity: String, _ key: String?, _ count: Int, _ table: String, _ target: String) {
        obstacles.add(
            entity, key,
            "\(count.grouped) rows of '\(table)' refer to a row of '\(target)' that does not "
                + "exist: give a mapping that leaves them out")
    }

    private func references(
        of relationship: PredicateSchema.Relationship, _ entity: String
    ) -> [(table: String, TableDefinition.ForeignKey)] {
        let own = plan.new.table(of: entity)
        let target = plan.new.table(of: relationship.target)
        let (ownKey, key) = (plan.new.primaryKey(of: entity), plan.new.primaryKey(of: relationship.target))
        return switch relationship.link {
        case .column(let columns): [(own, .init(columns: columns, table: target, targets: key))]
        case .foreignKey(let columns): [(target, .init(columns: columns, table: own, targets: ownKey))]
        case .join(let table, let from, let to):
            [
                (table, .init(columns: from, table: own, targets: ownKey)),
                (table, .init(columns: to, table: target, targets: key)),
            ]
        case nil: []
        }
    }

    private func dangling(_ table: String, _ reference: TableDefinition.ForeignKey) throws(StoreFailure) -> Int {
        if [table, reference.table].contains(where: { plan.trial.tables[$0]?.isView ?? false }) { return 0 }
        let set = reference.columns.map { "a.\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        let pairs = zip(reference.targets, reference.columns).map { "b.\(quoted($0)) = a.\(quoted($1))" }
        let sql = """
            SELECT count(*) FROM \(quoted(table)) a WHERE \(set) AND NOT EXISTS
            (SELECT 1 FROM \(quoted(reference.table)) b WHERE \(pairs.joined(separator: " AND ")))
            """
        return try store.rows(sql).first?[0].number ?? 0
    }
}
