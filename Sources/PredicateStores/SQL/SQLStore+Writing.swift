// Inserting objects.
import PredicateModel
import PredicateSQL
public import PredicateSyntax

extension SQLStore {
    @discardableResult
    public func insert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int {
        try write(objects, entity, replacing: false)
    }

    @discardableResult
    public func upsert(_ objects: [ValueDictionary], into entity: String) throws(StoreFailure) -> Int {
        try write(objects, entity, replacing: true)
    }

    private func write(
        _ objects: [ValueDictionary], _ entity: String, replacing: Bool
    ) throws(StoreFailure) -> Int {
        if mode == .readOnly { throw .readOnly }
        let layout = try layouts.layout(entity)
        let key = replacing ? schema.primaryKey(of: entity) : nil
        if key?.isEmpty ?? false { throw .schema("\(entity) has no primary key") }
        // Everything that is wrong with an object is found before the first is written.
        var rows: [[StoredColumn]] = []
        rows.reserveCapacity(objects.count)
        for object in objects { rows.append(try layout.stored(object, in: schema, dialect)) }
        return try atomically { () throws(StoreFailure) in
            try writing { (connection) throws(StoreFailure) in
                var known: (columns: [String], types: [SQLType], text: String)?
                for row in rows {
                    let (columns, types) = (row.map(\.column), row.map(\.type))
                    if known?.columns != columns || known?.types != types {
                        guard let text = dialect.insert(into: layout.table, row, key: key) else {
                            throw .schema("\(dialect.name) cannot update rows that exist")
                        }
                        known = (columns, types, text)
                    }
                    try connection.change(known?.text ?? "", row.map(\.value), types: types)
                }
                return rows.count
            }
        }
    }
}
