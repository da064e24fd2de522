// Delete rules that the tables do not have. Deletion.swift finds the rows, this file changes them.

extension SQLStore {
    /// The references whose rules the store must apply: those that the engine does not.
    ///
    /// - Parameter foreignKeys: what SQLite does; nil for other engines, which apply the rules of their tables.
    private func references(_ foreignKeys: SQLiteForeignKeys?) -> [PredicateSchema.Reference] {
        guard let foreignKeys else { return schema.references.filter { $0.rule != nil } }
        if case .off = foreignKeys.state { return [] }
        return schema.references.map { reference in
            var reference = reference
            if foreignKeys.isEnforced, let key = foreignKeys.key(reference.table, reference.columns) {
                switch key.action {
                // The engine deletes the rows, but others may refer to them.
                case "CASCADE": reference.rule = .cascade
                case "NO ACTION": if reference.rule == .deny { reference.rule = nil }
                default: reference.rule = nil
                }
            } else if foreignKeys.isEnforced {
                return reference.denying
            }
            return reference
        }
    }

    /// What deleting objects of a table changes in other rows; nil if the engine does it all.
    func deletion(from table: String) throws(StoreFailure) -> Deletion? {
        let foreignKeys = try session.use { (connection) throws(StoreFailure) in
            let connection = connection.sqlite
            // Whether SQLite applies the rules of the tables must be known before the first row is deleted.
            if case .unchecked? = connection?.foreignKeys.state { try connection?.checkForeignKeys() }
            if connection?.foreignKeys.isEnforced ?? false { try connection?.refreshForeignKeys() }
            return connection?.foreignKeys
        }
        let references = references(foreignKeys)
        // The tables from which rows may be deleted.
        var (tables, next) = ([table], 0)
        var isNeeded = false
        while next < tables.count {
            for reference in references where reference.target == tables[next] && reference.rule != nil {
                let key = foreignKeys?.key(reference.table, reference.columns)
                isNeeded = isNeeded || foreignKeys?.isEnforced != true || key?.action != "CASCADE"
                if reference.entity != nil, reference.rule == .cascade, !tables.contains(reference.table) {
                    tables.append(reference.table)
                }
            }
            next += 1
        }
        return isNeeded ? Deletion(references, self) : nil
    }

    /// Throws the error of the first relationship that prevents a deletion, if the schema has one.
    func denied(_ request: StoreRequest) throws(StoreFailure) {
        var deletion = Deletion(schema.references.map { $0.denying }, self)
        try deletion.add(layouts.layout(request.entity), fetch(request).map(\.primaryKey))
        try deletion.requireAllowed(isDone: false)
    }

    /// Deletes the objects of a request and applies the delete rules. Returns the number of the request's objects.
    func delete(_ request: StoreRequest, _ found: Deletion) throws(StoreFailure) -> Int {
        let layout = try layouts.layout(request.entity)
        try layout.requireKey()
        try request.requireObjects()
        try request.checkCondition(of: schema)
        return try atomically { () throws(StoreFailure) in
            try recording(layout.table) { (_) throws(StoreFailure) in
                var deletion = found
                let keys = try fetch(request).map(\.primaryKey)
                try deletion.add(layout, keys)
                let statements = statements(deletion)
                let deleting = dialect.change(layout.table, where: layout.keyColumns(keys.first ?? []))
                let (changes, mayBeKept) = try writing { (connection) throws(StoreFailure) in
                    // Rows that refer to each other are deleted one after another.
                    try connection.deferForeignKeys()
                    var (changes, mayBeKept) = (0, false)
                    for (text, values) in statements {
                        for value in values {
                            let changed = try connection.change(text, value)
                            changes += changed
                            if changed == 0, dialect.countsRows, text == deleting { mayBeKept = true }
                        }
                    }
                    return (changes, mayBeKept)
                }
                try deletion.requireAllowed(isDone: true)
                let changed = deletion.changes
                SQLTransaction.current(on: session)?.changes.withLock { $0.add(changed) }
                // A trigger may keep a row. A foreign key may have deleted it already.
                let kept = mayBeKept ? try Set(fetch(request).map(\.primaryKey)).intersection(keys).count : 0
                return (keys.count - kept, changes, keys)
            }
        }
    }

    /// The statements with the values of each run: rows that refer to others come first.
    private func statements(_ deletion: Deletion) -> [(text: String, values: [[PredicateValue]])] {
        var statements: [(String, [[PredicateValue]])] = []
        func add(_ table: String, emptying empty: [String] = [], _ columns: [String], _ keys: [[PredicateValue]]) {
            guard let key = keys.first else { return }
            let wanted = zip(columns, key).map { StoredColumn($0, $1) }
            statements.append((dialect.change(table, emptying: empty, where: wanted), keys))
        }
        for (reference, layout, keys) in deletion.emptied {
            let empty = schema.emptied(by: reference)
            if !empty.isEmpty { add(layout.table, emptying: empty, layout.keyColumns, keys) }
        }
        for (reference, keys) in deletion.pairs { add(reference.table, reference.columns, keys) }
        for (layout, keys) in deletion.rows.reversed() { add(layout.table, layout.keyColumns, keys) }
        return statements
    }
}
