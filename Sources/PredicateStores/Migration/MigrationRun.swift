// Executes a plan: makes the new tables next to the old ones, row by row. A dry run makes them in the connection's
// temporary database. So it finds every obstacle that a migration would find, and changes nothing.
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateSyntax

struct MigrationRun {
    let plan: MigrationPlan
    /// The store with the old version.
    let store: SQLiteStore
    /// `main`, or `temp` for a dry run.
    let database: String
    let progress: (MigrationProgress) -> Void

    var log = ObstacleLog()
    private(set) var obstacles: [MigrationObstacle] = []
    private(set) var steps: [MigrationReport.Step] = []
    private var totals: [String: Int] = [:]
    private let layouts: SchemaLayout
    private let dialect: SQLDialect

    /// The number of rows between two reports of progress.
    private static let reportEvery = 1000

    init(
        _ plan: MigrationPlan, _ store: SQLiteStore, database: String, progress: @escaping (MigrationProgress) -> Void
    ) throws(StoreFailure) {
        self.plan = plan
        self.store = store
        self.database = database
        self.progress = progress
        layouts = try SchemaLayout(plan.new)
        dialect = SQLDialect.sqlite
    }

    static func shadow(_ table: String) -> String { "predicate_new_" + table }

    func quoted(_ name: String) -> String { SQLiteNames.quoted(name) }

    /// The table that holds an entity's rows after the migration.
    func place(of table: String) -> String {
        plan.rebuilt[table] == nil ? "main." + quoted(table) : "\(database).\(quoted(Self.shadow(table)))"
    }

    /// Makes the new tables and fills them.
    mutating func fill() throws {
        for (name, definition) in plan.rebuilt.sorted(by: { $0.key < $1.key }) {
            _ = try store.rows(definition.statement(creating: Self.shadow(name), in: database))
        }
        var links: [LinkWriter] = []
        for step in plan.steps { links += try fill(step) }
        for link in links { try link.apply(self, &obstacles) }
        obstacles = log.obstacles(totals) + obstacles
        if obstacles.isEmpty { try findDanglingKeys() }
    }

    // MARK: Rows

    private mutating func fill(_ step: MigrationPlan.Step) throws -> [LinkWriter] {
        let layout = try layouts.layout(step.entity)
        let writer = step.writesRows ? RowWriter(self, layout, plan) : nil
        let links = try step.links.map { try LinkWriter($0, step.entity, self) }
        var request = FetchRequest(step.source, where: step.predicate)
        request.prefetch = step.prefetch
        let total = try store.count(request)
        totals[step.entity, default: 0] += total
        var (read, made) = (0, 0)
        let discriminator = store.schema.discriminator(of: step.source).map(MigrationPlan.carrier)
        let cursor = try store.cursor(request)
        while let object = try cursor.next() {
            if let code = step.code, let discriminator, object[discriminator] != code { continue }
            read += 1
            for values in try newValues(object, step) {
                var key = object.primaryKey
                if let writer {
                    guard let row = row(values, layout, step) else { continue }
                    guard let written = try write(row, writer, step) else { continue }
                    key = written
                    made += 1
                }
                for link in links { try link.add(values[link.name] ?? .null, of: key, self, &log) }
            }
            try object.checkFaults()
            if read % Self.reportEvery == 0 {
                progress(MigrationProgress(entity: step.entity, done: read, total: total))
            }
        }
        if let failure = cursor.failures.first {
            for _ in 0..<cursor.failures.count { log.add(.evaluation, step.entity, nil, failure.firstMessage) }
        }
        progress(MigrationProgress(entity: step.entity, done: read, total: read))
        if step.writesRows {
            steps.append(.init(entity: step.entity, source: step.source, read: read, made: made))
        }
        return links
    }

    /// The values of the new objects that an old object becomes.
    private mutating func newValues(
        _ object: StoredObject, _ step: MigrationPlan.Step
    ) throws(StoreFailure) -> [[String: PredicateValue]] {
        var values: [String: PredicateValue] = [:]
        values.reserveCapacity(step.origins.count)
        for (key, origin) in step.origins {
            do throws(PredicateFailure) {
                values[key] = try origin.value(of: object)
            } catch {
                log.add(.evaluation, step.entity, key, error.firstMessage)
            }
        }
        guard let policy = step.policy else { return [values] }
        do {
            return try policy(object, values)
        } catch {
            log.add(.policy, step.entity, nil, "\(error)")
            return []
        }
    }

    /// The object as the entity's columns store it; nil if there is an obstacle.
    private mutating func row(
        _ values: [String: PredicateValue], _ layout: EntityLayout, _ step: MigrationPlan.Step
    ) -> ValueDictionary? {
        let schema = plan.new
        let entity = step.entity
        var isGood = true
        var fields: [(String, PredicateValue)] = []
        func keys() -> [PredicateSchema.Attribute] { schema.lineage(of: entity).flatMap(\.attributes) }
        for attribute in keys() {
            var value = values[attribute.name] ?? .null
            let isGiven = step.mapped.contains(attribute.name) || step.policy != nil
            guard let fitting = attribute.converted(value, toText: isGiven) else {
                log.add(.value, entity, attribute.name, ExpressionNode(.value(value)).description)
                isGood = false
                continue
            }
            value = fitting
            let wantsDefault = !attribute.isOptional || step.isNew(attribute.name)
            if value.isNil, wantsDefault, let initial = attribute.defaultValue { value = initial }
            if !value.isNil {
                fields.append((attribute.name, value))
            } else if !attribute.isOptional, !(attribute.type == .integer && layout.isOnlyKey(attribute.column)) {
                log.add(.missing, entity, attribute.name)
                isGood = false
            }
        }
        for column in schema.primaryKey(of: entity) where layout.position(ofAttribute: column) == nil {
            guard !keys().contains(where: { $0.column == column }), let value = values[column], !value.isNil else {
                continue
            }
            fields.append((column, value))
        }
        for relationship in schema.lineage(of: entity).flatMap(\.relationships) {
            guard case .column(let columns)? = relationship.link else { continue }
            let found = (values[relationship.name] ?? .null).keys(of: columns.count)
            guard let found else {
                log.add(.value, entity, relationship.name, "\(values[relationship.name] ?? .null)")
                isGood = false
                continue
            }
            if found.count > 1 {
                log.add(.several, entity, relationship.name)
                isGood = false
            } else if let key = found.first {
                fields.append((relationship.name, key.count == 1 ? key[0] : .array(key)))
            } else if !relationship.isOptional {
                log.add(.missing, entity, relationship.name)
                isGood = false
            }
        }
        return isGood ? ValueDictionary(fields) : nil
    }

    /// Writes a row and returns its primary key; nil if there is an obstacle.
    private mutating func write(
        _ object: ValueDictionary, _ writer: RowWriter, _ step: MigrationPlan.Step
    ) throws(StoreFailure) -> [PredicateValue]? {
        do throws(StoreFailure) {
            return try writer.write(writer.layout.stored(object, in: plan.new, dialect), store)
        } catch {
            switch error {
            case .constraint(let constraint) where constraint.kind == .primaryKey || constraint.kind == .unique:
                let key = object.values.first.map { ExpressionNode(.value($0)).description } ?? ""
                log.add(.key, step.entity, nil, "\(constraint.columns.joined(separator: ", ")), such as \(key)")
            case .constraint(let constraint): log.add(.other, step.entity, nil, constraint.message)
            case .request(let failure): log.add(.other, step.entity, nil, failure.firstMessage)
            default: throw error
            }
            return nil
        }
    }

    // MARK: References

    /// Finds keys that refer to no row of the new tables.
    private mutating func findDanglingKeys() throws(StoreFailure) {
        var seen: Set<TableDefinition.Reference> = []
        for entity in plan.new.entityNames {
            let own = plan.new.table(of: entity)
            for relationship in plan.new.lineage(of: entity).flatMap(\.relationships) {
                let target = plan.new.table(of: relationship.target)
                let (ownKey, key) = (plan.new.primaryKey(of: entity), plan.new.primaryKey(of: relationship.target))
                let references: [(String, TableDefinition.Reference)] =
                    switch relationship.link {
                    case .column(let columns): [(own, .init(columns: columns, table: target, targets: key))]
                    case .foreignKey(let columns): [(target, .init(columns: columns, table: own, targets: ownKey))]
                    case .join(let table, let from, let to):
                        [
                            (table, .init(columns: from, table: own, targets: ownKey)),
                            (table, .init(columns: to, table: target, targets: key)),
                        ]
                    case nil: []
                    }
                for (table, reference) in references {
                    let isChanged = plan.rebuilt[table] != nil || plan.rebuilt[reference.table] != nil
                    let named = TableDefinition.Reference(
                        columns: [table] + reference.columns, table: reference.table, targets: reference.targets)
                    guard isChanged, !reference.targets.isEmpty, seen.insert(named).inserted else { continue }
                    let count = try dangling(table, reference)
                    guard count > 0 else { continue }
                    obstacles.append(
                        MigrationObstacle(
                            entity, relationship.name,
                            "\(count.grouped) rows of '\(table)' refer to a row of '\(reference.table)' that does not "
                                + "exist: give a mapping that leaves them out"))
                }
            }
        }
    }

    private func dangling(_ table: String, _ reference: TableDefinition.Reference) throws(StoreFailure) -> Int {
        let set = reference.columns.map { "a.\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        let pairs = zip(reference.targets, reference.columns).map { "b.\(quoted($0)) = a.\(quoted($1))" }
        let sql = """
            SELECT count(*) FROM \(place(of: table)) a WHERE \(set) AND NOT EXISTS
            (SELECT 1 FROM \(place(of: reference.table)) b WHERE \(pairs.joined(separator: " AND ")))
            """
        return try store.rows(sql).first?[0].number ?? 0
    }

    // MARK: Replacing

    /// Replaces the old tables by the new ones and records the version.
    func replace(_ tables: DatabaseTables) throws(StoreFailure) {
        for name in Set(plan.rebuilt.keys).union(plan.dropped).sorted() where tables[name] != nil {
            _ = try store.rows("DROP TABLE \(quoted(name))")
        }
        for name in plan.rebuilt.keys.sorted() {
            _ = try store.rows("ALTER TABLE \(quoted(Self.shadow(name))) RENAME TO \(quoted(name))")
        }
        for part in tables.parts where plan.rebuilt[part.table] != nil && plan.isKept(part) {
            _ = try store.rows(part.sql)
        }
        for (name, table) in plan.rebuilt.sorted(by: { $0.key < $1.key }) {
            let known = tables.parts.filter { $0.isIndex && $0.table == name && plan.isKept($0) }.map(\.columns)
            for sql in table.indexStatements(of: name, besides: known) { _ = try store.rows(sql) }
        }
    }
}

extension MigrationPlan.Step {
    /// Whether the old version has no value for a key.
    fileprivate func isNew(_ key: String) -> Bool {
        origins.contains { name, origin in
            if case .none = origin { name == key } else { false }
        }
    }
}

extension MigrationPlan.Origin {
    fileprivate func value(of object: StoredObject) throws(PredicateFailure) -> PredicateValue {
        switch self {
        case .key(let name): object[name]
        case .storedKey(let name):
            object.storedKey(of: name).map { $0.contains(where: \.isNil) ? .null : .array($0) } ?? .null
        case .primaryKey(let index): index < object.primaryKey.count ? object.primaryKey[index] : .null
        case .expression(let expression): try expression.value(of: .object(ObjectReference(object)))
        case .predicate(let matcher): .bool(try matcher.test(.object(ObjectReference(object))))
        case .none: .null
        }
    }
}

extension PredicateValue {
    /// The primary keys in a relationship's value, either of old objects or written as keys; nil for other values.
    func keys(of count: Int) -> [[PredicateValue]]? {
        switch self {
        case .null, .nsNull: return []
        case .object(let reference):
            guard let object = reference.object as? StoredObject else { return nil }
            return object.primaryKey.count == count ? [object.primaryKey] : nil
        case .array(let elements), .set(let elements):
            // A key of several columns is a list of values.
            if elements.count == count, elements.allSatisfy(\.isKeyPart) { return [elements] }
            let keys = elements.map { $0.keys(of: count) }
            return keys.contains { $0?.count != 1 } ? nil : keys.flatMap { $0 ?? [] }
        default: return count == 1 && isKeyPart ? [[self]] : nil
        }
    }

    private var isKeyPart: Bool {
        switch self {
        case .integer, .string, .uuid, .url, .double, .bool, .data, .decimal: true
        default: false
        }
    }
}

extension PredicateFailure {
    var firstMessage: String { diagnostics.first?.message ?? "\(self)" }
}

extension PredicateSchema {
    fileprivate func discriminator(of entity: String) -> String? {
        lineage(of: entity).first { $0.discriminator != nil }?.discriminator
    }
}

extension EntityLayout {
    /// Whether a column is the whole primary key, so that SQLite generates missing values.
    func isOnlyKey(_ column: String) -> Bool { primaryKey.map { columns[$0] } == [column] }
}
