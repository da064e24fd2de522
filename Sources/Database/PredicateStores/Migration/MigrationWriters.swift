// Writes the rows and the links of a migration.

/// Writes the rows of an entity with one statement.
struct RowWriter {
    let layout: EntityLayout
    private let text: String
    private let positions: [String: Int]
    private let key: [Int]

    init(_ run: MigrationRun, _ layout: EntityLayout, _ plan: MigrationPlan) {
        self.layout = layout
        let definition = plan.rebuilt[layout.table]
        let stored = plan.trial.texts[layout.table]?.storedColumns.map { $0.lowercased() }
        let columns = (definition?.columnNames ?? []).filter { column in
            stored?.contains(column.lowercased()) ?? true
                || definition?.hasRowNumber ?? false && SQLiteNames.isRowNumber(column)
        }
        positions = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        key = plan.new.primaryKey(of: layout.entity).compactMap { columns.firstIndex(of: $0) }
        let names = columns.map(run.quoted).joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        // ABORT has precedence over the conflict clauses of constraints, which could drop rows or end the transaction.
        text = "INSERT OR ABORT INTO \(run.place(of: layout.table)) (\(names)) VALUES (\(places))"
    }

    /// Returns the primary key of the row.
    func write(_ columns: [StoredColumn], _ store: SQLiteStore) throws(StoreFailure) -> [PredicateValue] {
        var row = [PredicateValue](repeating: .null, count: positions.count)
        for column in columns { if let position = positions[column.column] { row[position] = column.value } }
        _ = try store.rows(text, row)
        let found = key.map { row[$0] }
        guard found == [.null] else { return found }
        return try store.rows("SELECT last_insert_rowid()").first ?? found
    }
}

/// Writes the links of a to-many relationship. Rows of a join table are written at once; keys in the rows of the
/// related objects are written at the end, when those rows exist.
struct LinkWriter {
    let name: String
    private let entity: String
    private let relationship: PredicateSchema.Relationship
    private let text: String
    private let counts: (own: Int, other: Int)
    /// The temporary table of links, with columns for both keys, if one is used.
    private let table: String
    private let columns: (own: [String], other: [String])

    init(_ relationship: PredicateSchema.Relationship, _ entity: String, _ run: MigrationRun) throws(StoreFailure) {
        name = relationship.name
        self.entity = entity
        self.relationship = relationship
        let plan = run.plan
        let quoted = run.quoted
        func insertion(_ table: String, _ columns: [String]) -> String {
            "INSERT OR ABORT INTO \(table) (\(columns.map(quoted).joined(separator: ", "))) VALUES ("
                + columns.map { _ in "?" }.joined(separator: ", ") + ") ON CONFLICT DO NOTHING"
        }
        if case .join(let join, let from, let to)? = relationship.link {
            (columns, counts, table) = ((from, to), (from.count, to.count), "")
            text = insertion(run.place(of: join), from + to)
            return
        }
        counts = (plan.new.primaryKey(of: entity).count, plan.new.primaryKey(of: relationship.target).count)
        columns = ((0..<counts.own).map { "own\($0)" }, (0..<counts.other).map { "other\($0)" })
        table = "temp." + quoted("predicate_links_\(entity)_\(relationship.name)")
        text = insertion(table, columns.own + columns.other)
        let all = (columns.other + columns.own).joined(separator: ", ")
        _ = try run.store.rows("CREATE TABLE IF NOT EXISTS \(table) (\(all), PRIMARY KEY (\(all)))")
    }

    func add(
        _ value: PredicateValue, of key: [PredicateValue], _ run: MigrationRun, _ log: inout ObstacleLog
    ) throws(StoreFailure) {
        guard let others = value.keys(of: counts.other), key.count == counts.own else {
            return log.add(.value, entity, name, "\(value)")
        }
        for other in others {
            do throws(StoreFailure) {
                _ = try run.store.rows(text, key + other)
            } catch {
                guard case .constraint(let constraint) = error else { throw error }
                log.add(.other, entity, name, constraint.message)
            }
        }
    }

    /// Sets the keys in the rows of the related objects.
    func apply(_ run: MigrationRun, _ obstacles: inout [MigrationObstacle]) throws(StoreFailure) {
        guard case .foreignKey(let keys)? = relationship.link else { return }
        let others = columns.other.joined(separator: ", ")
        let shared = "SELECT count(*) FROM (SELECT 1 FROM \(table) GROUP BY \(others) HAVING count(*) > 1)"
        let count = try run.store.rows(shared).first?[0].number ?? 0
        if count > 0 {
            obstacles.add(
                entity, name,
                "\(count.grouped) objects belong to several, and a key in their rows holds one: "
                    + "give a mapping, or a join")
        }
        let place = run.place(of: run.plan.new.table(of: relationship.target))
        let target = run.plan.new.primaryKey(of: relationship.target)
        let pairs = zip(columns.other, target).map { "l.\($0) = t.\(run.quoted($1))" }.joined(separator: " AND ")
        let sets = zip(keys, columns.own).map {
            "\(run.quoted($0)) = (SELECT l.\($1) FROM \(table) l WHERE \(pairs) LIMIT 1)"
        }
        let update =
            "UPDATE OR ABORT \(place) AS t SET \(sets.joined(separator: ", ")) "
            + "WHERE EXISTS (SELECT 1 FROM \(table) l WHERE \(pairs))"
        do throws(StoreFailure) {
            _ = try run.store.rows(update)
        } catch {
            guard case .constraint(let constraint) = error else { throw error }
            obstacles.add(entity, name, "the links cannot be stored: \(constraint.message)")
        }
        let missing = "SELECT count(*) FROM \(table) l WHERE NOT EXISTS (SELECT 1 FROM \(place) t WHERE \(pairs))"
        let lost = try run.store.rows(missing).first?[0].number ?? 0
        if lost > 0, run.isComplete(run.plan.new.table(of: relationship.target)) {
            obstacles.add(entity, name, "\(lost.grouped) links are to objects that do not exist: give a mapping")
        }
        _ = try run.store.rows("DROP TABLE \(table)")
    }
}
