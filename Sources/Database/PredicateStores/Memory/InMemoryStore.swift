// A store that holds its objects in memory, for tests and small data. It answers every request with the evaluator
// alone, so the tests compare other stores with it.

/// A store in memory.
///
///     let store = try InMemoryStore(schema, ["Company": [["id": 1, "title": "Engines"]],
///                                            "Person": [["id": 7, "name": "Ada", "employer": 1]]])
public final class InMemoryStore: PredicateStore, ObjectSource {
    public let schema: PredicateSchema
    let layouts: SchemaLayout
    private let tables: Locked<StoredTables>
    /// Held while objects are changed and observed lists are updated. Taken before the lock of the tables.
    let gate = Locked(())
    let observers = StoreObservers()
    /// Whether each key must refer to an object after a change. An import checks them itself, at its end.
    private let checksReferences: Bool

    /// A store with the given objects, by entity. A to-one relationship is the key of another object, a to-many one is
    /// a list of keys; a key of several columns is a list of values. If two relationships are inverse, give only one of
    /// them. Values become those of the attributes' types, as by `insert`; one that does not fit stays what it is.
    ///
    /// - Throws: `schema` for an unknown key, or a reference to an object that does not exist.
    public convenience init(_ schema: PredicateSchema, _ objects: [String: [ValueDictionary]]) throws(StoreFailure) {
        try self.init(schema, StoredTables(schema, objects))
    }

    package init(
        _ schema: PredicateSchema, _ tables: StoredTables, checksReferences: Bool = true
    ) throws(StoreFailure) {
        self.schema = schema
        self.checksReferences = checksReferences
        layouts = try SchemaLayout(schema)
        self.tables = Locked(tables)
    }

    public func cursor(_ request: StoreRequest) throws(StoreFailure) -> FetchCursor {
        try request.requireObjects()
        let request = request.atOneInstant(in: schema)
        let layout = try layouts.layout(request.entity)
        try schema.check(request, withPredicate: true)
        let log = FaultLog()
        var maker = ObjectMaker(layout, self, log, dropsSome: true)
        var rest = self.rows(layout)[...]
        let all = MemoryPart(
            residual: request.predicate, after: request.after, sort: request.sort, limits: true)
        // A window without sort keys uses the order of primary keys, as in SQL.
        let steps = try FetchSteps(layout, all, of: request, sortsByKey: request.isCut, readsAhead: false)
        return try FetchCursor(steps) { (objects) throws(StoreFailure) in
            if Task.isCancelled { throw .cancelled }
            for row in rest.prefix(256) {
                try maker.add(to: &objects) { (values) throws(StoreFailure) in values += row }
            }
            maker.finish(&objects)
            rest = rest.dropFirst(256)
        }
    }

    /// The rows of an entity, in the layout's column order.
    private func rows(_ layout: EntityLayout) -> [[PredicateValue]] {
        tables.withLock { tables in
            tables.tables[layout.table].map { $0.rows($0.rows, of: layout) } ?? []
        }
    }

    func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ keys: [[PredicateValue]], _ log: FaultLog
    ) throws(StoreFailure) -> [[StoredObject]] {
        try keys.map { (key) throws(StoreFailure) in try objects(layout, place, key, log) }
    }

    private func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ key: [PredicateValue], _ log: FaultLog
    ) throws(StoreFailure) -> [StoredObject] {
        let (rows, missing): ([[PredicateValue]], [[PredicateValue]]) = tables.withLock { tables in
            guard let table = tables.tables[layout.table] else { return ([], []) }
            func rows(_ columns: [String], _ key: [PredicateValue]) -> [[PredicateValue]] {
                table.rows(tables.rows(of: layout.table, where: columns, are: key), of: layout)
            }
            switch place {
            case .columns(let columns): return (rows(columns, key), [])
            case .pairs(let name, let from, let to):
                guard let pairs = tables.tables[name] else { return ([], []) }
                let wanted = tables.rows(of: name, where: from, are: key).map { pairs.values(of: to, in: $0) }
                    .filter { !$0.contains(where: \.isNil) }
                let names = layout.keyColumns
                // A row that is linked several times is returned several times, as by a join.
                let all = wanted.map { rows(names, $0) }
                return (all.flatMap(\.self), zip(wanted, all).filter { $1.isEmpty }.map(\.0))
            }
        }
        return try ObjectMaker.objects(of: rows, missing: missing, layout, self, log)
    }

    // MARK: Counting and changing

    public func count(_ request: StoreRequest) throws(StoreFailure) -> Int { try countInMemory(request) }

    @discardableResult
    public func update(_ request: StoreRequest, set assignments: [KeyAssignment]) throws(StoreFailure) -> Int {
        let layout = try layouts.layout(request.entity)
        try layout.requireKey()
        var request = request
        request.clock = request.clock.stopped
        let values = try AssignedValues(assignments, layout, schema, request)
        try request.checkCondition(of: schema)
        let names = schema.columnNames(assignments, of: request.entity)
        let changesKeys = layout.primaryKey.contains { names.contains(layout.columns[$0]) }
        return try gate.withLock { [request] (_) throws(StoreFailure) in
            // Everything is computed before the first object is changed.
            let objects = try fetch(request)
            let keys = try layout.named(objects.map(\.primaryKey))
            let columns = try objects.map { (object) throws(StoreFailure) in
                try values.columns(of: object) { (assignments) throws(PredicateFailure) in
                    try schema.columns(assignments, of: request.entity)
                }
            }
            let changes = Dictionary(zip(keys, columns), uniquingKeysWith: { first, _ in first })
            let count = try tables.withLock { (tables) throws(StoreFailure) in
                guard let table = tables.tables[layout.table] else { return 0 }
                var changed = tables
                var rows: [Int] = []
                for (row, old) in table.rows.enumerated() {
                    guard let columns = changes[table.values(of: layout.keyColumns, in: old)] else { continue }
                    changed.set(columns, layout.table, rows: [row])
                    rows.append(row)
                }
                if changesKeys { try changed.requireUniqueKeys(layout) }
                if checksReferences { try changed.check(layout.table, rows, since: tables) }
                tables = changed
                return rows.count
            }
            tell(changesKeys ? nil : keys, layout)
            return count
        }
    }

    @discardableResult
    public func delete(_ request: StoreRequest) throws(StoreFailure) -> Int {
        let layout = try layouts.layout(request.entity)
        try layout.requireKey()
        try request.checkCondition(of: schema)
        return try gate.withLock { (_) throws(StoreFailure) in
            var deletion = Deletion(schema.references.map(\.denying), self)
            let keys = try fetch(request).map(\.primaryKey)
            try deletion.add(layout, keys)
            try deletion.requireAllowed(isDone: false)
            tables.withLock { [deletion] in $0.apply(deletion) }
            observers.tell(deletion.changes, of: self)
            return keys.count
        }
    }

    @discardableResult
    public func insert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int {
        try put(objects, entity, replacing: false).count
    }

    public func insertReturningKeys(
        _ objects: [ValueDictionary], into entity: String
    ) throws(StoreFailure) -> [[PredicateValue]] {
        try layouts.layout(entity).requireKey()
        return try put(objects, entity, replacing: false)
    }

    @discardableResult
    public func upsert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int {
        try put(objects, entity, replacing: true).count
    }

    private func put(
        _ objects: [ValueDictionary], _ entity: String, replacing: Bool
    ) throws(StoreFailure) -> [[PredicateValue]] {
        let layout = try layouts.layout(entity)
        if replacing { try layout.requireKey() }
        // Finds the same errors as a store over a database.
        let objects = try objects.map { (object) throws(StoreFailure) in
            _ = try layout.stored(object, in: schema, .ansi)
            return try layout.assigned(object, in: schema)
        }
        return try gate.withLock { (_) throws(StoreFailure) in
            let keys = try tables.withLock { (tables) throws(StoreFailure) in
                var changed = tables
                var keys: [[PredicateValue]] = []
                var rows: [Int] = []
                for object in objects {
                    let (key, row) = try changed.put(object, entity, replacing: replacing, isWhole: checksReferences)
                    keys.append(key)
                    rows.append(row)
                }
                if checksReferences { try changed.check(layout.table, rows, since: tables) }
                tables = changed
                return keys
            }
            tell(keys, layout)
            return keys
        }
    }

    private func tell(_ keys: [[PredicateValue]]?, _ layout: EntityLayout) {
        var changes = StoreChanges()
        changes.add(keys, of: layout.table)
        observers.tell(changes, of: self)
    }
}

extension InMemoryStore: ImportTarget {
    /// Changes a copy of the tables, which replaces them if `body` does not throw.
    func importing<Value>(_ body: (InMemoryStore) throws -> Value) throws -> Value {
        var result: Result<Value, any Error>?
        gate.withLock { _ in
            result = Result {
                let copy = try InMemoryStore(schema, tables.withLock { $0 }, checksReferences: false)
                let value = try body(copy)
                let changed = copy.tables.withLock { $0 }
                tables.withLock { $0 = changed }
                observers.tell(.unknown, of: self)
                return value
            }
        }
        guard let result else { throw StoreFailure.cancelled }
        return try result.get()
    }

    func insert(
        _ fields: ValueDictionary, _ columns: [StoredColumn], _ layout: EntityLayout
    ) throws(StoreFailure) -> Bool {
        let key = try put([fields], layout.entity, replacing: false)[0]
        return try set(ValueDictionary([]), columns, layout, key)
    }

    func set(
        _ fields: ValueDictionary, _ columns: [StoredColumn], _ layout: EntityLayout, _ key: [PredicateValue]
    ) throws(StoreFailure) -> Bool {
        if !fields.keys.isEmpty {
            let all = Array(zip(layout.keyNames, key)) + zip(fields.keys, fields.values)
            _ = try put([ValueDictionary(all)], layout.entity, replacing: true)
        }
        if !columns.isEmpty {
            try tables.withLock { (tables) throws(StoreFailure) in
                try tables.set(columns.map(\.column), columns.map(\.value), of: layout.entity, key.asKey)
            }
        }
        return true
    }

    func values(
        of columns: [String], _ layout: EntityLayout, _ key: [PredicateValue]
    ) throws(StoreFailure) -> [PredicateValue]? {
        tables.withLock { tables in
            let names = layout.keyColumns
            let row = tables.rows(of: layout.table, where: names, are: key).first
            return row.flatMap { tables.tables[layout.table]?.values(of: columns, in: $0) }
        }
    }

    func link(_ table: String, _ columns: [StoredColumn]) throws(StoreFailure) -> Bool? {
        tables.withLock { tables in tables.pair(table, columns.map(\.column), columns.map(\.value)) ? true : nil }
    }

    func found(_ keys: [[PredicateValue]], _ layout: EntityLayout) -> Set<[PredicateValue]> { [] }

    func greatestGivenKey(of table: String) -> Int64 { 0 }
}
