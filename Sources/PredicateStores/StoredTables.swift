// Objects as rows of tables: the same tables that a database of the schema has. InMemoryStore keeps its objects so.
package import PredicateModel
package import PredicateSyntax

/// The tables of a schema, filled.
package struct StoredTables: Sendable {
    package struct Table: Sendable {
        package var columns: [String]
        package var rows: [[Value]] = []

        package func position(of column: String) -> Int? { columns.firstIndex(of: column) }

        /// Whether a row is of an entity that has these codes.
        func holds(_ codes: (column: String, codes: [Value])?, _ row: [Value]) -> Bool {
            guard let codes, let position = position(of: codes.column) else { return true }
            return codes.codes.contains(row[position])
        }
    }

    package private(set) var tables: [String: Table] = [:]
    private let schema: Schema
    private var problems: [String] = []

    /// - Parameter objects: by entity. A to-one relationship is the key of another object, a to-many one a list of keys;
    ///   of two relationships that are each other's inverse one is enough.
    package init(_ schema: Schema, _ objects: [String: [ValueDictionary]]) throws(StoreFailure) {
        self.schema = schema
        for entity in schema.entities { addColumns(of: entity) }
        for name in objects.keys.sorted() {
            guard schema.entity(name) != nil else { throw .schema("the schema has no entity '\(name)'") }
            for object in objects[name] ?? [] { try add(object, name) }
        }
        for name in objects.keys.sorted() {
            for object in objects[name] ?? [] { try link(object, name) }
        }
    }

    private mutating func addColumns(of entity: Entity) {
        add(schema.columns(of: entity.name), to: schema.table(of: entity.name))
        if let column = entity.discriminator { add([column], to: schema.table(of: entity.name)) }
        for relationship in entity.relationships {
            switch relationship.link {
            case .foreignKey(let column): add([column], to: schema.table(of: relationship.target))
            case .join(let table, let from, let to): add([from, to], to: table)
            case .column, nil: break
            }
        }
    }

    private mutating func add(_ columns: [String], to table: String) {
        var known = tables[table]?.columns ?? []
        for column in columns where !known.contains(column) { known.append(column) }
        tables[table, default: Table(columns: [])].columns = known
    }

    /// The row of an object, without what other objects say of it.
    private mutating func add(_ object: ValueDictionary, _ entity: String) throws(StoreFailure) {
        let table = schema.table(of: entity)
        guard let columns = tables[table]?.columns else { return }
        var row = [Value](repeating: .null, count: columns.count)
        if let (column, code) = schema.code(of: entity), let position = columns.firstIndex(of: column) {
            row[position] = code
        }
        for (key, value) in zip(object.keys, object.values) {
            let column: String
            switch schema.key(key, of: entity) {
            case .attribute(let attribute): column = attribute.column
            case .relationship(let relationship):
                guard case .column(let name)? = relationship.link else { continue }
                column = name
            case nil:
                guard schema.primaryKey(of: entity).contains(key) else {
                    throw .schema("\(entity) has no key '\(key)'")
                }
                column = key
            }
            if let position = columns.firstIndex(of: column) { row[position] = value }
        }
        tables[table]?.rows.append(row)
    }

    /// What an object says of its to-many neighbours.
    private mutating func link(_ object: ValueDictionary, _ entity: String) throws(StoreFailure) {
        for (key, value) in zip(object.keys, object.values) {
            guard case .relationship(let relationship)? = schema.key(key, of: entity), relationship.isToMany,
                case .array(let others) = value
            else { continue }
            let own = try self.key(of: object, entity)
            switch relationship.link {
            case .join(let table, let from, let to):
                for other in others { pair(table, from, own, to, other) }
            case .foreignKey(let column):
                for other in others { try set(column, own, of: relationship.target, other) }
            case .column, nil: throw .schema("the schema keeps '\(key)' of \(entity) nowhere")
            }
        }
    }

    private mutating func pair(_ name: String, _ from: String, _ one: Value, _ to: String, _ other: Value) {
        guard var table = tables[name], let first = table.position(of: from), let second = table.position(of: to)
        else { return }
        // Both sides may tell of one pair.
        if table.rows.contains(where: { $0[first] == one && $0[second] == other }) { return }
        var row = [Value](repeating: .null, count: table.columns.count)
        row[first] = one
        row[second] = other
        table.rows.append(row)
        tables[name] = table
    }

    private mutating func set(_ column: String, _ value: Value, of entity: String, _ key: Value) throws(StoreFailure) {
        let name = schema.table(of: entity)
        guard let table = tables[name], let position = table.position(of: column),
            let keyPosition = try keyPosition(of: entity, table),
            let row = table.rows.firstIndex(where: { $0[keyPosition] == key })
        else { throw .schema("there is no \(entity) with the key \(ExpressionNode(.value(key)))") }
        tables[name]?.rows[row][position] = value
    }

    private func keyPosition(of entity: String, _ table: Table) throws(StoreFailure) -> Int? {
        let keys = schema.primaryKey(of: entity)
        guard keys.count == 1 else { throw .schema("\(entity) has no primary key of one column") }
        return table.position(of: keys[0])
    }

    private func key(of object: ValueDictionary, _ entity: String) throws(StoreFailure) -> Value {
        let keys = schema.primaryKey(of: entity)
        guard keys.count == 1 else { throw .schema("\(entity) has no primary key of one column") }
        let names = schema.lineage(of: entity).flatMap(\.attributes).filter { $0.column == keys[0] }.map(\.name)
        for name in names + keys { if let value = object[name] { return value } }
        throw .schema("an object of \(entity) has no key")
    }

    // MARK: Changing

    /// Sets columns of the rows at some positions.
    mutating func set(_ values: [(column: String, value: Value)], _ table: String, rows: [Int]) {
        for (column, value) in values {
            guard let position = tables[table]?.position(of: column) else { continue }
            for row in rows { tables[table]?.rows[row][position] = value }
        }
    }

    mutating func delete(_ table: String, rows: [Int]) {
        for row in rows.sorted(by: >) { tables[table]?.rows.remove(at: row) }
    }
}

extension Schema {
    /// Where a new object says of which entity it is, and what; nil where it need not.
    fileprivate func code(of name: String) -> (column: String, code: Value)? {
        guard let code = entity(name)?.code,
            let column = lineage(of: name).first(where: { $0.discriminator != nil })?.discriminator
        else { return nil }
        return (column, code)
    }
}
