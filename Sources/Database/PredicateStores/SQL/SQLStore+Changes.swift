// Counts and changes objects. If SQL cannot express the predicate exactly, the objects are selected in memory first.

extension SQLStore {
    public func count(_ request: StoreRequest) throws(StoreFailure) -> Int {
        if request.hasGroups { return try countOfRecords(request) }
        try schema.check(request)
        if request.after != nil {
            let compared = request.comparingPosition(in: schema)
            return compared.after == nil ? try count(compared) : try countInMemory(request)
        }
        let exact = try StoreFailure.ifExact { () throws(PredicateFailure) in try compiler.statement(.count, request) }
        guard let statement = exact else {
            // Count the rows that certainly match, and test the others in memory; with a limit, stop when it is reached.
            var (certain, tested) = (0, 0)
            var all = request
            (all.sort, all.limit, all.offset) = ([], request.wanted, 0)
            let cursor = try cursor(
                compiler.plan(all), layouts.layout(all.entity),
                certain: request.limit == nil ? { certain += 1 } : nil)
            while try cursor.next() != nil { tested += 1 }
            return request.window(of: certain + tested)
        }
        return request.window(of: try integers(statement, request.deadline).first ?? 0)
    }

    /// The integers of the first row.
    private func integers(_ statement: SQLStatement, _ deadline: Duration?) throws(StoreFailure) -> [Int] {
        let rows = try reading { (connection) throws(StoreFailure) in
            try connection.limited(to: deadline) { () throws(StoreFailure) in
                try connection.rows(statement.text, statement.bindings, types: statement.bindingTypes)
            }
        }
        return (rows.first ?? []).compactMap { value in
            guard case .integer(let number)? = ColumnKind.integer.value(of: value) else { return nil }
            return Int(number)
        }
    }

    @discardableResult
    public func update(
        _ request: StoreRequest, set assignments: [KeyAssignment]
    ) throws(StoreFailure) -> Int {
        if assignments.isEmpty {
            try request.requireObjects()
            try request.checkCondition(of: schema)
            return try count(request)
        }
        return try change(request, .update(assignments))
    }

    @discardableResult
    public func delete(_ request: StoreRequest) throws(StoreFailure) -> Int {
        let table = try layouts.layout(request.entity).table
        if mode != .readOnly, let deletion = try deletion(from: table) { return try delete(request, deletion) }
        do throws(StoreFailure) {
            return try change(request, .delete)
        } catch {
            guard error.isUnnamedReference else { throw error }
            try denied(request)
            let message = "other rows refer to the rows of \(table) to delete"
            throw .constraint(StoreConstraint(.foreignKey, message: message))
        }
    }

    /// Uses one statement if the predicate is exact. Otherwise selects the keys of the matching rows in memory, then
    /// changes each row by its key.
    private func change(_ request: StoreRequest, _ change: SQLQuery.Request) throws(StoreFailure) -> Int {
        if mode == .readOnly { throw .readOnly }
        try request.requireObjects()
        try schema.check(request)
        var request = request
        request.clock = request.clock.stopped
        let assignments = change.assignments.map { $0.fixed(at: request.clock) }
        let change = if case .delete = change { change } else { SQLQuery.Request.update(assignments) }
        // This also finds errors in the assignments.
        let exact = try StoreFailure.ifExact { () throws(PredicateFailure) in try compiler.statement(change, request) }
        guard let statement = exact, !request.isCut else { return try changeByKey(request, change) }
        let layout = try layouts.layout(request.entity)
        func run() throws(StoreFailure) -> Int {
            try recording(layout.table) { (isObserved) throws(StoreFailure) in
                let keys = isObserved && !changesKeys(change, layout) ? try fetch(request).map(\.primaryKey) : nil
                let isView = try writing { (connection) throws(StoreFailure) in try connection.isView(layout.table) }
                let matched = isView ? try self.count(request) : nil
                let count = try writing { (connection) throws(StoreFailure) in
                    var text = try keepingRows(statement.text, layout.table, connection)
                    // SQLite gives the rows of a view to its triggers, and knows no alias then.
                    if isView {
                        text = text.replacing(" AS \"t0\"", with: "", maxReplacements: 1)
                            .replacing("\"t0\".", with: SQLiteNames.quoted(layout.table) + ".")
                    }
                    func run() throws(StoreFailure) -> Int {
                        guard let matched else {
                            return try connection.change(text, statement.bindings, types: statement.bindingTypes)
                        }
                        return try self.change(
                            connection, layout.table, text, each: statement.bindings, types: statement.bindingTypes,
                            rows: matched)
                    }
                    return try connection.limited(to: request.deadline) { () throws(StoreFailure) in
                        do throws(StoreFailure) {
                            return try run()
                        } catch {
                            if case .delete = change { throw error }
                            throw try connection.sqlite?
                                .naming(error) { () throws(StoreFailure) in _ = try run() } ?? error
                        }
                    }
                }
                return (count, count, keys)
            }
        }
        if assignments.allSatisfy({ $0.constant != nil }) { return try wholly(run) }
        do throws(StoreFailure) {
            return try atomically(run)
        } catch {
            // A value that its column cannot hold. In memory it is found, with its row.
            guard case .engine = error else { throw error.explainingComputedKeys() }
            return try changeByKey(request, change)
        }
    }

    /// Whether a change might set columns of the primary key.
    private func changesKeys(_ change: SQLQuery.Request, _ layout: EntityLayout) -> Bool {
        let columns = schema.columnNames(change.assignments, of: layout.entity)
        return layout.primaryKey.isEmpty || layout.primaryKey.contains { columns.contains(layout.columns[$0]) }
    }

    /// Selects the rows in memory, computes the values of all of them, and then changes each row by its key.
    private func changeByKey(_ request: StoreRequest, _ change: SQLQuery.Request) throws(StoreFailure) -> Int {
        let layout = try layouts.layout(request.entity)
        try layout.requireKey()
        let values = try AssignedValues(change.assignments, layout, schema, request)
        if !values.areConstant, dialect.changes.refusal != nil {
            throw .schema("\(dialect.name) has no transactions, so the values of an update must be constants")
        }
        return try atomically { () throws(StoreFailure) in
            try recording(layout.table) { (_) throws(StoreFailure) in
                // No other transaction may change the rows from which values are computed.
                let lock = values.areConstant ? "" : dialect.rowLockText
                let objects = try cursor(compiler.plan(request), layout, lock: lock).rest()
                try StoredObject.prefetch(values.paths, of: objects)
                let rows = try objects.map { (object) throws(StoreFailure) in
                    try values.columns(of: object) { (assignments) throws(PredicateFailure) in
                        try schema.storedColumns(assignments, of: request.entity, dialect)
                    }
                }
                let keys = try layout.named(objects.map(\.primaryKey))
                let count = try writing { (connection) throws(StoreFailure) in
                    if case .update = change { try connection.deferForeignKeys() }
                    var count = 0
                    var (text, known) = ("", [StoredColumn]?.none)
                    for (key, columns) in zip(keys, rows) {
                        let all = columns + layout.keyColumns(key)
                        if known?.elementsEqual(all, by: { $0.hasPlace(of: $1) }) != true {
                            text = dialect.change(layout.table, set: columns, where: layout.keyColumns(key))
                            (text, known) = (try keepingRows(text, layout.table, connection), all)
                        }
                        do throws(StoreFailure) {
                            count += try self.change(
                                connection, layout.table, text, each: all.map(\.value), types: all.map(\.type))
                        } catch {
                            throw values.areConstant ? error : error.explainingComputedKeys()
                        }
                    }
                    return count
                }
                return (count, count, changesKeys(change, layout) ? nil : keys)
            }
        }
    }
}

extension SQLQuery.Request {
    fileprivate var assignments: [KeyAssignment] {
        if case .update(let assignments) = self { assignments } else { [] }
    }
}
