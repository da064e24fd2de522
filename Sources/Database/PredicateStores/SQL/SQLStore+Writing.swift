// Inserting objects.

/// A statement that inserts rows, and what it was made for.
struct InsertionText {
    let rows: StoredRows
    let key: [String]?
    let returned: [Int]
    let text: String?
}

extension SQLStore {
    @discardableResult
    public func insert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int {
        try write(objects, entity, replacing: false).count
    }

    public func insertReturningKeys(
        _ objects: [ValueDictionary], into entity: String
    ) throws(StoreFailure) -> [[PredicateValue]] {
        try layouts.layout(entity).requireKey()
        return try write(objects, entity, replacing: false, returnsKeys: true).keys
    }

    @discardableResult
    public func upsert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int {
        try write(objects, entity, replacing: true).count
    }

    /// Returns the number of written rows, and the primary key of each object if `returnsKeys`.
    func write(
        _ objects: [ValueDictionary], _ entity: String, replacing: Bool, returnsKeys: Bool = false
    ) throws(StoreFailure) -> (count: Int, keys: [[PredicateValue]]) {
        if mode == .readOnly { throw .readOnly }
        let layout = try layouts.layout(entity)
        let key = replacing ? schema.primaryKey(of: entity) : nil
        if key?.isEmpty ?? false { throw .schema("\(entity) has no primary key") }
        // Find every error before the first object is written.
        if objects.count > StoredRows.limit,
            let plain = PlainRows(
                objects[0].shape, try layout.stored(objects[0], in: schema, dialect), entity, in: schema, dialect),
            objects.allSatisfy(plain.fits)
        {
            return try atomically { () throws(StoreFailure) in
                var all: (count: Int, keys: [[PredicateValue]]) = (0, [])
                for first in stride(from: 0, to: objects.count, by: StoredRows.limit) {
                    let part = Array(objects[first..<min(first + StoredRows.limit, objects.count)])
                    let written = try write(part, entity, replacing: replacing, returnsKeys: returnsKeys)
                    all.count += written.count
                    all.keys += written.keys
                }
                return all
            }
        }
        var rows: [StoredRows] = []
        var plain: PlainRows?
        for object in objects {
            if let plain, rows[rows.count - 1].append(object, plain) { continue }
            let row = try layout.stored(object, in: schema, dialect)
            rows.append(row)
            plain = PlainRows(object.shape, row, entity, in: schema, dialect)
            // In most calls all objects have the same keys.
            if rows.count == 1, plain != nil { rows[0].reserveCapacity(objects.count) }
        }
        return try write(rows, layout, key, returnsKeys: returnsKeys)
    }

    /// Writes rows, except those that the database drops. After an error none is written.
    ///
    /// - Parameters:
    ///   - key: the columns that identify an existing row, which is then updated; nil only inserts.
    ///   - returnsKeys: whether to return the primary key of each row. Then a dropped row is an error.
    func write(
        _ rows: [StoredRows], _ layout: EntityLayout, _ key: [String]?, returnsKeys: Bool = false
    ) throws(StoreFailure) -> (count: Int, keys: [[PredicateValue]]) {
        try atomically { () throws(StoreFailure) in
            try recording(layout.table) { (isObserved) throws(StoreFailure) in
                let known = isObserved ? layout.keys(of: rows) : nil
                let asks = returnsKeys || isObserved && known == nil && key == nil && dialect.changes.returnsInserted
                let written = try run(rows, layout, key, returned: asks ? layout.primaryKey : [])
                let sent = rows.reduce(0) { $0 + $1.count }
                if returnsKeys, written.count < sent {
                    let message = "\(layout.table): \(sent - written.count) of \(sent) rows were \(Self.dropped)"
                    throw .constraint(StoreConstraint(.other, table: layout.table, message: message))
                }
                return (written, written.count, asks ? written.keys : known)
            }
        }
    }

    /// Why a statement without an error has changed no row.
    static var dropped: String { "dropped by a constraint with ON CONFLICT IGNORE or by a trigger" }

    /// Runs a statement for each row of values and returns the number of rows that the database changed. If the engine
    /// does not report it, this is the number of rows.
    func change(
        _ connection: Connection, _ table: String, _ text: String, each values: [PredicateValue], types: [SQLType],
        rows: Int = 1
    ) throws(StoreFailure) -> Int {
        let before = connection.totalChanges
        guard let count = try connection.change(text, each: values, types: types), dialect.countsRows else {
            return rows
        }
        if count == 0, let before, let after = connection.totalChanges, after != before, try connection.isView(table) {
            return min(after - before, rows)
        }
        return min(count, rows)
    }

    /// The statement in a form that fails instead of deleting another row by a constraint with ON CONFLICT REPLACE.
    func keepingRows(_ text: String, _ table: String, _ connection: Connection) throws(StoreFailure) -> String {
        let verb = text.prefix { $0 != " " }
        guard verb != "DELETE", try connection.replacesRows(table) else { return text }
        return verb + " OR ABORT" + text.dropFirst(verb.count)
    }

    /// The statement that inserts rows. The last one of each table is kept.
    private func insertion(
        of rows: StoredRows, _ layout: EntityLayout, _ key: [String]?, returning returned: [Int]
    ) -> String? {
        let known = insertions.withLock { $0[layout.table] }
        if let known, known.key == key, known.returned == returned, rows.hasColumns(of: known.rows) {
            return known.text
        }
        let names = returned.map { layout.columns[$0] }
        let text = dialect.insert(into: layout.table, rows.columns, key: key, returning: names)
        let kept = InsertionText(rows: StoredRows(rows.columns), key: key, returned: returned, text: text)
        insertions.withLock { $0[layout.table] = kept }
        return text
    }

    /// Writes rows. Returns their number, and the values of the returned columns of each row, if there are such
    /// columns.
    private func run(
        _ rows: [StoredRows], _ layout: EntityLayout, _ key: [String]?, returned: [Int]
    ) throws(StoreFailure) -> (count: Int, keys: [[PredicateValue]]) {
        try writing { (connection) throws(StoreFailure) in
            try connection.deferForeignKeys()
            var count = 0
            var keys: [[PredicateValue]] = []
            for rows in rows {
                guard var text = insertion(of: rows, layout, key, returning: returned) else {
                    let reason = key == nil ? "return the keys of new rows" : "update rows that exist"
                    throw .schema("\(dialect.name) cannot \(reason)")
                }
                text = try keepingRows(text, layout.table, connection)
                if let key, dialect.countsRows, layout.lacksRequired(rows.columns, in: schema) {
                    count += try update(connection, rows, layout, key, orInsert: text)
                    continue
                }
                if returned.isEmpty {
                    count += try change(
                        connection, layout.table, text, each: rows.values, types: rows.types, rows: rows.count)
                    continue
                }
                for row in 0..<rows.count {
                    let all = try connection.rows(text, rows.row(row), types: rows.types)
                    guard let found = all.first else { continue }
                    keys.append(zip(returned, found).map { layout.kinds[$0].value(of: $1) ?? $1 })
                    count += 1
                }
            }
            if layout.primaryKey.count == 1, let given = rows.compactMap({ $0.greatest(layout.keyColumns[0]) }).max(),
                let move = dialect.movingCounter(of: layout.table, layout.keyColumns[0], past: given)
            {
                _ = try connection.rows(move.text, move.values, types: move.types)
            }
            return (count, keys)
        }
    }
}

extension SQLStore {
    /// Updates each row that exists with its key, else inserts it. Engines test NOT NULL before they find a row with the
    /// key, so one statement would refuse objects without all required keys.
    private func update(
        _ connection: Connection, _ rows: StoredRows, _ layout: EntityLayout, _ key: [String], orInsert text: String
    ) throws(StoreFailure) -> Int {
        let keys = rows.columns.indices.filter { key.contains(rows.columns[$0].column) }
        let others = rows.columns.indices.filter { !keys.contains($0) }
        let places = (others.isEmpty ? keys : others) + keys
        let bound = places.map { rows.columns[$0] }
        let update = try keepingRows(
            dialect.change(
                layout.table, set: Array(bound.dropLast(keys.count)), where: Array(bound.suffix(keys.count))),
            layout.table, connection)
        var count = 0
        for row in 0..<rows.count {
            var changed = 0
            if keys.count == key.count {
                let values = places.map { rows.value(row, $0) }
                changed = try change(connection, layout.table, update, each: values, types: bound.map(\.type))
            }
            if changed == 0 {
                changed = try change(connection, layout.table, text, each: rows.row(row), types: rows.types)
            }
            count += changed
        }
        return count
    }
}

extension EntityLayout {
    /// Whether some column without a default that may not be NULL is not among the given ones.
    fileprivate func lacksRequired(_ given: [StoredColumn], in schema: PredicateSchema) -> Bool {
        schema.lineage(of: entity).contains { entity in
            entity.attributes.contains { attribute in
                !attribute.isOptional && attribute.defaultValue == nil
                    && !given.contains { $0.column == attribute.column }
            }
        }
    }

    /// The primary keys of new rows; nil if the database generates some of them.
    fileprivate func keys(of groups: [StoredRows]) -> [[PredicateValue]]? {
        var keys: [[PredicateValue]] = []
        for rows in groups {
            let places = primaryKey.compactMap { position in
                rows.columns.firstIndex { $0.column == columns[position] }.map { (position, $0) }
            }
            if places.isEmpty || places.count < primaryKey.count { return nil }
            for row in 0..<rows.count {
                let key = places.map { position, place in
                    let value = rows.value(row, place)
                    return kinds[position].value(of: value) ?? value
                }
                if key.contains(where: \.isNil) { return nil }
                keys.append(key)
            }
        }
        return keys
    }
}
