// Executes a plan by SQLite's procedure for changes that ALTER TABLE cannot make, whose step numbers the comments have:
// https://www.sqlite.org/lang_altertable.html#otheralter. Steps 1, 2, 11 and 12 are in StoreMigration.swift, the
// replacement of the tables, 3 and 6 to 9, in MigrationReplacement.swift. The procedure is for one table; here each step is
// done for all tables before the next one, because they may refer to each other.
import PredicateRecords

struct MigrationRun {
    let plan: MigrationPlan
    /// The store with the old version.
    let store: SQLiteStore
    let progress: (MigrationProgress) -> Void

    var log = ObstacleLog()
    var obstacles: [MigrationObstacle] = []
    private(set) var steps: [MigrationReport.Step] = []
    private var totals: [String: Int] = [:]
    private let layouts: SchemaLayout
    private let dialect: SQLDialect
    /// The attributes that have an obstacle in the plan. No rows of their entities are written.
    private let blocked: Set<[String]>

    /// The number of rows between two reports of progress.
    private static let reportEvery = 1000

    init(
        _ plan: MigrationPlan, _ store: SQLiteStore, progress: @escaping (MigrationProgress) -> Void
    ) throws(StoreFailure) {
        self.plan = plan
        self.store = store
        self.progress = progress
        layouts = try SchemaLayout(plan.new)
        dialect = SQLDialect.sqlite
        blocked = Set(plan.obstacles.compactMap { obstacle in obstacle.key.map { [obstacle.entity, $0] } })
    }

    static func shadow(_ table: String) -> String { "predicate_new_" + table }

    func quoted(_ name: String) -> String { SQLiteNames.quoted(name) }

    /// The table that holds an entity's rows while they are written.
    func place(of table: String) -> String {
        "main." + quoted(plan.rebuilt[table] == nil ? table : Self.shadow(table))
    }

    /// Whether all rows of a table are written, so that a missing row is an obstacle of its own.
    func isComplete(_ table: String) -> Bool {
        let entities = log.entities.union(plan.unmade).union(blocked.map { $0[0] })
        return !plan.new.entityNames.contains { plan.new.table(of: $0) == table && entities.contains($0) }
    }

    /// Makes the new tables, fills them and replaces the old ones.
    mutating func run() throws {
        let known = try violations()
        // Step 4: create the new table in the new format, with a name that no table has.
        for (name, definition) in plan.rebuilt.sorted(by: { $0.key < $1.key }) {
            let shadow = Self.shadow(name)
            _ = try store.rows(
                plan.trial.texts[name]?.statement(creating: shadow) ?? definition.statement(creating: shadow))
        }
        // Step 5: transfer the content, here through predicates and expressions instead of INSERT … SELECT.
        var links: [LinkWriter] = []
        for mapping in plan.mappings { links += try fill(mapping) }
        for link in links { try link.apply(self, &obstacles) }
        try replace()
        obstacles = log.obstacles(totals) + obstacles
        // Step 10: run PRAGMA foreign_key_check. What was dangling before is no obstacle.
        try findDanglingKeys(known)
    }

    // MARK: Rows

    private mutating func fill(_ mapping: MigrationPlan.EntityMapping) throws -> [LinkWriter] {
        let layout = try layouts.layout(mapping.entity)
        let writer = mapping.writesRows ? RowWriter(self, layout, plan) : nil
        let links = try mapping.links.map { try LinkWriter($0, mapping.entity, self) }
        var request = StoreRequest(mapping.source, where: mapping.predicate)
        request.prefetch = mapping.prefetch
        let total = try store.count(request)
        let all = mapping.predicate == .constant(true) ? total : try store.count(StoreRequest(mapping.source))
        totals[mapping.entity, default: 0] += total
        var (read, made) = (0, 0)
        let column = store.schema.discriminator(of: mapping.source)
        let discriminator = store.schema.lineage(of: mapping.source).flatMap(\.attributes).last { $0.column == column }?
            .name
        let cursor = try store.cursor(request)
        while let object = try cursor.next() {
            if let code = mapping.code, let discriminator, object[discriminator] != code { continue }
            read += 1
            for values in try newValues(object, mapping) {
                var key = object.primaryKey
                if let writer {
                    guard let row = row(values, layout, mapping) else { continue }
                    guard let written = try write(row, writer, mapping) else { continue }
                    key = written
                    made += 1
                }
                for link in links { try link.add(values[link.name] ?? .null, of: key, self, &log) }
            }
            try object.checkFaults()
            if read % Self.reportEvery == 0 {
                progress(MigrationProgress(entity: mapping.entity, done: read, total: total))
            }
        }
        if let failure = cursor.failures.first {
            for _ in 0..<cursor.failures.count { log.add(.evaluation, mapping.entity, nil, failure.firstMessage) }
        }
        progress(MigrationProgress(entity: mapping.entity, done: read, total: read))
        if mapping.writesRows {
            let unread = all - total
            steps.append(
                .init(entity: mapping.entity, source: mapping.source, read: read + unread, made: made, leftOut: unread))
        }
        return links
    }

    /// The values of the new objects that an old object becomes.
    private mutating func newValues(
        _ object: StoredObject, _ mapping: MigrationPlan.EntityMapping
    ) throws(StoreFailure) -> [[String: PredicateValue]] {
        var values: [String: PredicateValue] = [:]
        values.reserveCapacity(mapping.origins.count)
        for (key, origin) in mapping.origins {
            do throws(PredicateFailure) {
                values[key] = try origin.value(of: object)
            } catch {
                log.add(.evaluation, mapping.entity, key, error.firstMessage)
            }
        }
        guard let policy = mapping.policy else { return [values] }
        do {
            return try policy(object, values)
        } catch {
            log.add(.policy, mapping.entity, nil, "\(error)")
            return []
        }
    }

    /// The object as the entity's columns store it; nil if there is an obstacle.
    private mutating func row(
        _ values: [String: PredicateValue], _ layout: EntityLayout, _ mapping: MigrationPlan.EntityMapping
    ) -> ValueDictionary? {
        let schema = plan.new
        let entity = mapping.entity
        var isGood = true
        var fields: [(String, PredicateValue)] = []
        func keys() -> [PredicateSchema.Attribute] { schema.lineage(of: entity).flatMap(\.attributes) }
        for attribute in keys() {
            var value = values[attribute.name] ?? .null
            let isGiven = mapping.mapped.contains(attribute.name) || mapping.policy != nil
            if blocked.contains([entity, attribute.name]) {
                isGood = false
                continue
            }
            guard let fitting = attribute.fitting(value, isGiven: isGiven) else {
                log.add(.value, entity, attribute.name, ExpressionNode(.value(value)).description)
                isGood = false
                continue
            }
            value = fitting
            let wantsDefault = !attribute.isOptional || mapping.isNew(attribute.name)
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
        _ object: ValueDictionary, _ writer: RowWriter, _ mapping: MigrationPlan.EntityMapping
    ) throws(StoreFailure) -> [PredicateValue]? {
        do throws(StoreFailure) {
            return try writer.write(writer.layout.stored(object, in: plan.new, dialect), store)
        } catch {
            switch error {
            case .constraint(let constraint) where constraint.kind == .primaryKey || constraint.kind == .unique:
                let key = object.values.first.map { ExpressionNode(.value($0)).description } ?? ""
                log.add(.key, mapping.entity, nil, "\(constraint.columns.joined(separator: ", ")), such as \(key)")
            case .constraint(let constraint): log.add(.other, mapping.entity, nil, constraint.message)
            case .request(let failure): log.add(.other, mapping.entity, nil, failure.firstMessage)
            default: throw error
            }
            return nil
        }
    }
}

extension MigrationPlan.EntityMapping {
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

extension PredicateSchema.Attribute {
    /// The value in the attribute's type; nil if it does not fit. A mapped value is converted as `import` does.
    fileprivate func fitting(_ value: PredicateValue, isGiven: Bool) -> PredicateValue? {
        if let found = converted(value, toText: isGiven) { return found }
        guard isGiven, case .string = value, let read = try? type.converted(value, field: name) else { return nil }
        return converted(read)
    }
}

extension PredicateFailure {
    var firstMessage: String { diagnostics.first?.message ?? "\(self)" }
}

extension PredicateSchema {
    func discriminator(of entity: String) -> String? {
        lineage(of: entity).first { $0.discriminator != nil }?.discriminator
    }
}

extension EntityLayout {
    /// Whether a column is the whole primary key, so that SQLite generates missing values.
    func isOnlyKey(_ column: String) -> Bool { keyColumns == [column] }
}
