// Counts and changes objects. If SQL cannot express the predicate exactly, the objects are selected in memory first.
import PredicateModel
public import PredicateSQL
import PredicateSyntax

extension SQLStore {
    public func count(_ request: FetchRequest) throws(StoreFailure) -> Int {
        if request.hasGroups { return try countOfRecords(request) }
        let statement: SQLStatement
        do throws(PredicateFailure) {
            statement = try compiler.statement(.count, request)
        } catch {
            guard error.isOnlyInexact else { throw .request(error) }
            // Count the rows that certainly match, and test the others in memory; with a limit, stop when it is reached.
            var (certain, tested) = (0, 0)
            var all = request
            (all.sort, all.limit, all.offset) = ([], request.wanted, 0)
            let cursor = try cursor(all, certain: request.limit == nil ? { certain += 1 } : nil)
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
        _ request: FetchRequest, set assignments: [SQLAssignment]
    ) throws(StoreFailure) -> Int {
        if assignments.isEmpty { return try count(request) }
        return try change(request, .update(assignments))
    }

    @discardableResult
    public func delete(_ request: FetchRequest) throws(StoreFailure) -> Int {
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
    private func change(_ request: FetchRequest, _ change: SQLRequest) throws(StoreFailure) -> Int {
        if mode == .readOnly { throw .readOnly }
        try request.requireObjects()
        var request = request
        request.clock = request.clock.stopped
        let statement: SQLStatement
        do throws(PredicateFailure) {
            // This also finds errors in the assignments.
            statement = try compiler.statement(change, request)
        } catch {
            guard error.isOnlyInexact else { throw .request(error) }
            return try changeByKey(request, change)
        }
        if request.limit != nil || request.offset > 0 { return try changeByKey(request, change) }
        let layout = try layouts.layout(request.entity)
        return try wholly { () throws(StoreFailure) in
            try recording(layout.table) { (isObserved) throws(StoreFailure) in
                let keys = isObserved && !changesKeys(change, layout) ? try fetch(request).map(\.primaryKey) : nil
                let count = try writing { (connection) throws(StoreFailure) in
                    func run() throws(StoreFailure) -> Int {
                        try connection.change(statement.text, statement.bindings, types: statement.bindingTypes)
                    }
                    return try connection.limited(to: request.deadline) { () throws(StoreFailure) in
                        do throws(StoreFailure) {
                            return try run()
                        } catch {
                            if case .delete = change { throw error }
                            throw try (connection as? SQLiteConnection)?
                                .naming(error) { () throws(StoreFailure) in _ = try run() } ?? error
                        }
                    }
                }
                return (count, count, keys)
            }
        }
    }

    /// Whether a change might set columns of the primary key.
    private func changesKeys(_ change: SQLRequest, _ layout: EntityLayout) -> Bool {
        guard case .update(let assignments) = change else { return layout.primaryKey.isEmpty }
        guard let columns = try? schema.columns(assignments, of: layout.entity) else { return true }
        return layout.primaryKey.isEmpty
            || layout.primaryKey.contains { key in columns.contains { $0.column == layout.columns[key] } }
    }

    private func changeByKey(_ request: FetchRequest, _ change: SQLRequest) throws(StoreFailure) -> Int {
        let layout = try layouts.layout(request.entity)
        if layout.primaryKey.isEmpty { throw .schema("\(request.entity) has no primary key") }
        let assignments = if case .update(let assignments) = change { assignments } else { [SQLAssignment]() }
        let columns = try StoreFailure.ofRequest { () throws(PredicateFailure) in
            try schema.storedColumns(assignments, of: request.entity, dialect)
        }
        return try atomically { () throws(StoreFailure) in
            try recording(layout.table) { (_) throws(StoreFailure) in
                let keys = try fetch(request).map(\.primaryKey)
                let count = try writing { (connection) throws(StoreFailure) in
                    if case .update = change { try (connection as? SQLiteConnection)?.deferForeignKeys() }
                    var count = 0
                    guard let first = keys.first else { return 0 }
                    let text = dialect.change(layout.table, set: columns, where: layout.keyColumns(first))
                    for key in keys {
                        let all = columns + layout.keyColumns(key)
                        count += try self.change(
                            connection, layout.table, text, each: all.map(\.value), types: all.map(\.type))
                    }
                    return count
                }
                return (count, count, changesKeys(change, layout) ? nil : keys)
            }
        }
    }
}

extension PredicateFailure {
    /// Whether the only error is that SQL cannot express the predicate exactly.
    var isOnlyInexact: Bool { diagnostics.allSatisfy { $0.id == .sqlInexact || $0.severity != .error } }
}
