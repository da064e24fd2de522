// Inserting objects.
import PredicateModel
import PredicateSQL
public import PredicateSyntax

extension SQLStore {
    @discardableResult
    public func insert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int {
        try write(objects, entity, replacing: false).count
    }

    public func insertReturningKeys(
        _ objects: [ValueDictionary], into entity: String
    ) throws(StoreFailure) -> [[PredicateValue]] {
        guard !schema.primaryKey(of: entity).isEmpty else {
            _ = try layouts.layout(entity)
            throw .schema("\(entity) has no primary key")
        }
        return try write(objects, entity, replacing: false, returnsKeys: true)
    }

    @discardableResult
    public func upsert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int {
        try write(objects, entity, replacing: true).count
    }

    /// Returns the primary key of each object if `returnsKeys`, else an empty one.
    private func write(
        _ objects: [ValueDictionary], _ entity: String, replacing: Bool, returnsKeys: Bool = false
    ) throws(StoreFailure) -> [[PredicateValue]] {
        if mode == .readOnly { throw .readOnly }
        let layout = try layouts.layout(entity)
        let key = replacing ? schema.primaryKey(of: entity) : nil
        if key?.isEmpty ?? false { throw .schema("\(entity) has no primary key") }
        // Everything that is wrong with an object is found before the first is written.
        var rows: [[StoredColumn]] = []
        rows.reserveCapacity(objects.count)
        for object in objects { rows.append(try layout.stored(object, in: schema, dialect)) }
        return try write(rows, layout, key, returnsKeys: returnsKeys)
    }

    /// Writes rows, either all of them or none.
    ///
    /// - Parameter key: the columns by which an existing row is found, which is then updated; nil only inserts.
    func write(
        _ rows: [[StoredColumn]], _ layout: EntityLayout, _ key: [String]?, returnsKeys: Bool = false
    ) throws(StoreFailure) -> [[PredicateValue]] {
        try atomically { () throws(StoreFailure) in
            try recording(layout.table) { (isObserved) throws(StoreFailure) in
                let known = isObserved ? layout.keys(of: rows) : nil
                let asks = returnsKeys || isObserved && known == nil && key == nil && dialect.returnsInserted
                let keys = try run(rows, layout, key, returned: asks ? layout.primaryKey : [])
                return (keys, rows.count, asks ? keys : known)
            }
        }
    }

    /// Writes rows. Returns the values of the returned columns for each.
    private func run(
        _ rows: [[StoredColumn]], _ layout: EntityLayout, _ key: [String]?, returned: [Int]
    ) throws(StoreFailure) -> [[PredicateValue]] {
        try writing { (connection) throws(StoreFailure) in
            var keys: [[PredicateValue]] = []
            keys.reserveCapacity(rows.count)
            var known: (columns: [String], types: [SQLType], text: String)?
            for row in rows {
                let (columns, types) = (row.map(\.column), row.map(\.type))
                if known?.columns != columns || known?.types != types {
                    guard
                        let text = dialect.insert(
                            into: layout.table, row, key: key, returning: returned.map { layout.columns[$0] })
                    else {
                        let reason = key == nil ? "return the keys of new rows" : "update rows that exist"
                        throw .schema("\(dialect.name) cannot \(reason)")
                    }
                    known = (columns, types, text)
                }
                let (text, values) = (known?.text ?? "", row.map(\.value))
                if returned.isEmpty {
                    _ = try connection.change(text, values, types: types)
                    keys.append([])
                    continue
                }
                let found = try connection.rows(text, values, types: types).first ?? []
                keys.append(zip(returned, found).map { layout.kinds[$0].value(of: $1) ?? $1 })
            }
            return keys
        }
    }
}

extension EntityLayout {
    /// The primary keys of new rows; nil if the database makes some of them.
    fileprivate func keys(of rows: [[StoredColumn]]) -> [[PredicateValue]]? {
        var keys: [[PredicateValue]] = []
        for row in rows {
            let parts = primaryKey.compactMap { position in
                row.first { $0.column == columns[position] && !$0.value.isNil }
                    .map { kinds[position].value(of: $0.value) ?? $0.value }
            }
            if parts.isEmpty || parts.count < primaryKey.count { return nil }
            keys.append(parts)
        }
        return keys
    }
}
