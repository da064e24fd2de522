// What an import does with a store: it writes rows and links, and reads columns. Importer.swift uses it.

/// A store into which rows are imported. The results are false if the database has dropped the row without an error.
protocol ImportTarget: PredicateStore, ObjectSource {
    /// Runs `body` with the store to write to: all of its changes are made, or none if it throws. `body` checks at its end
    /// that each key refers to an object.
    func importing<Value>(_ body: (Self) throws -> Value) throws -> Value
    /// Writes a new row.
    ///
    /// - Parameter columns: values of columns that no key of the entity has.
    func insert(
        _ fields: ValueDictionary, _ columns: [StoredColumn], _ layout: EntityLayout
    ) throws(StoreFailure) -> Bool
    /// Sets values of the row with a key.
    func set(
        _ fields: ValueDictionary, _ columns: [StoredColumn], _ layout: EntityLayout, _ key: [PredicateValue]
    ) throws(StoreFailure) -> Bool
    /// Returns the values of columns of the row with a key; nil if there is no such row.
    func values(
        of columns: [String], _ layout: EntityLayout, _ key: [PredicateValue]
    ) throws(StoreFailure) -> [PredicateValue]?
    /// Adds a row to a join table. Returns nil if it is there.
    func link(_ table: String, _ columns: [StoredColumn]) throws(StoreFailure) -> Bool?
    /// Those of some primary keys that rows certainly have; others may exist in another form.
    func found(_ keys: [[PredicateValue]], _ layout: EntityLayout) throws(StoreFailure) -> Set<[PredicateValue]>
    /// The greatest key that the table has given to a row, even if it is deleted; 0 if the table keeps none.
    func greatestGivenKey(of table: String) throws(StoreFailure) -> Int64
}

extension SQLStore: ImportTarget {
    func importing<Value>(_ body: (SQLStore) throws -> Value) throws -> Value {
        try transaction {
            // The order of the records does not matter: a row may refer to a later one.
            try session.use { (connection) throws(StoreFailure) in try connection.deferForeignKeys() }
            return try body(self)
        }
    }

    func insert(
        _ fields: ValueDictionary, _ columns: [StoredColumn], _ layout: EntityLayout
    ) throws(StoreFailure) -> Bool {
        let stored = try layout.stored(fields, in: schema, dialect)
        let others = columns.filter { extra in !stored.contains { $0.column == extra.column } }
        return try write([StoredRows(stored + others)], layout, nil).count > 0
    }

    func set(
        _ fields: ValueDictionary, _ columns: [StoredColumn], _ layout: EntityLayout, _ key: [PredicateValue]
    ) throws(StoreFailure) -> Bool {
        let code = schema.code(of: layout.entity)?.column
        let all = try layout.stored(fields, in: schema, dialect).filter { $0.column != code } + columns
        let keys = layout.keyColumns(key)
        let text = dialect.change(layout.table, set: all, where: keys)
        return try atomically { () throws(StoreFailure) in
            try recording(layout.table) { (_) throws(StoreFailure) in
                let count = try writing { (connection) throws(StoreFailure) in
                    let (values, types) = ((all + keys).map(\.value), (all + keys).map(\.type))
                    let text = try keepingRows(text, layout.table, connection)
                    return try change(connection, layout.table, text, each: values, types: types)
                }
                return (count > 0, count, [key])
            }
        }
    }

    func values(
        of columns: [String], _ layout: EntityLayout, _ key: [PredicateValue]
    ) throws(StoreFailure) -> [PredicateValue]? {
        let keys = layout.keyColumns(key)
        return try select(columns, layout.table, keys).first.map { Array($0.prefix(columns.count)) }
    }

    private func select(
        _ columns: [String], _ table: String, _ wanted: [StoredColumn]
    ) throws(StoreFailure) -> [[PredicateValue]] {
        let text = dialect.selectRows(
            of: table, columns, where: wanted.map(\.column), types: wanted.map(\.type), pairs: nil, orderedBy: [])
        return try reading { (connection) throws(StoreFailure) in
            try connection.rows(text, wanted.map(\.value), types: wanted.map(\.type))
        }
    }

    func found(_ keys: [[PredicateValue]], _ layout: EntityLayout) throws(StoreFailure) -> Set<[PredicateValue]> {
        let names = layout.keyColumns
        let codes = layout.codes?.codes ?? []
        var found: Set<[PredicateValue]> = []
        var rest = keys[...]
        while let first = rest.first {
            let types = first.map { SQLType($0) ?? .text }
            let batch = rest.prefix(500)
            rest = rest.dropFirst(batch.count)
            let text = dialect.selectRows(
                of: layout.table, names, where: names, types: types, keys: batch.count, pairs: nil, orderedBy: [],
                codes: layout.codes)
            let bindingTypes = codes.map { SQLType($0) ?? .integer } + batch.flatMap { _ in types }
            let rows = try reading { (connection) throws(StoreFailure) in
                try connection.rows(text, codes + batch.flatMap { $0 }, types: bindingTypes)
            }
            for row in rows {
                found.insert(zip(layout.primaryKey, row).map { layout.kinds[$0].value(of: $1) ?? $1 })
            }
        }
        return found
    }

    func greatestGivenKey(of table: String) throws(StoreFailure) -> Int64 {
        try writing { (connection) throws(StoreFailure) in try connection.greatestGivenKey(of: table) ?? 0 }
    }

    func link(_ table: String, _ columns: [StoredColumn]) throws(StoreFailure) -> Bool? {
        guard try select(columns.map(\.column), table, columns).isEmpty else { return nil }
        guard let text = dialect.insert(into: table, columns) else { return false }
        return try atomically { () throws(StoreFailure) in
            try recording(table) { (_) throws(StoreFailure) in
                let count = try writing { (connection) throws(StoreFailure) in
                    try change(connection, table, text, each: columns.map(\.value), types: columns.map(\.type))
                }
                return (count > 0, count, nil)
            }
        }
    }
}

extension EntityLayout {
    /// The columns of a primary key as conditions.
    func keyColumns(_ key: [PredicateValue]) -> [StoredColumn] { zip(keyColumns, key).map { StoredColumn($0, $1) } }
}

extension StoredColumn {
    /// A column of a key.
    init(_ column: String, _ value: PredicateValue) { self.init(column, value, SQLType(value) ?? .text) }
}
