// Stores objects as rows of tables, the same tables that a database of the schema has. InMemoryStore uses it.

/// The tables of a schema with their rows.
package struct StoredTables: Sendable {
    package struct Table: Sendable {
        package var columns: [String]
        package private(set) var rows: [[PredicateValue]] = []
        /// An index for each list of columns that was searched: the row numbers by the values in these columns.
        private var places: [[Int]: [[PredicateValue]: [Int]]] = [:]

        init(columns: [String]) { self.columns = columns }

        package func position(of column: String) -> Int? { columns.firstIndex(of: column) }

        func values(of columns: [String], in row: [PredicateValue]) -> [PredicateValue] {
            columns.map { position(of: $0).map { row[$0] } ?? .null }
        }

        /// Returns the row numbers with these values. Reads all rows the first time these columns are searched after a
        /// change.
        mutating func indices(where columns: [String], are values: [PredicateValue]) -> [Int] {
            let positions = columns.compactMap(position)
            guard positions.count == values.count else { return [] }
            if places[positions] == nil {
                places[positions] = Dictionary(grouping: rows.indices) { row in positions.map { rows[row][$0] } }
            }
            return places[positions]?[values] ?? []
        }

        mutating func append(_ row: [PredicateValue]) {
            rows.append(row)
            for positions in Array(places.keys) {
                places[positions]?[positions.map { row[$0] }, default: []].append(rows.count - 1)
            }
        }

        mutating func set(_ position: Int, ofRow row: Int, to value: PredicateValue) {
            rows[row][position] = value
            for positions in Array(places.keys) where positions.contains(position) { places[positions] = nil }
        }

        mutating func remove(_ indices: [Int]) {
            let removed = Set(indices)
            rows = rows.indices.filter { !removed.contains($0) }.map { rows[$0] }
            places = [:]
        }

        /// Those of some rows that belong to an entity, in the order of its columns.
        func rows(_ rows: [[PredicateValue]], of layout: EntityLayout) -> [[PredicateValue]] {
            var rows = rows
            if let (column, codes) = layout.codes, let position = position(of: column) {
                rows.removeAll { !codes.contains($0[position]) }
            }
            let positions = layout.columns.map(position)
            return rows.map { row in positions.map { $0.map { row[$0] } ?? .null } }
        }
    }

    package private(set) var tables: [String: Table] = [:]
    private let schema: PredicateSchema

    /// - Parameter objects: the objects by entity. A to-one relationship is the key of another object, a to-many one is
    ///   a list of keys; a key of several columns is a list of values. If two relationships are inverse, give only one
    ///   of them.
    package init(_ schema: PredicateSchema, _ objects: [String: [ValueDictionary]]) throws(StoreFailure) {
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

    private mutating func addColumns(of entity: PredicateSchema.Entity) {
        add(schema.columns(of: entity.name), to: schema.table(of: entity.name))
        if let column = entity.discriminator { add([column], to: schema.table(of: entity.name)) }
        for relationship in entity.relationships {
            switch relationship.link {
            case .foreignKey(let columns): add(columns, to: schema.table(of: relationship.target))
            case .join(let table, let from, let to): add(from + to, to: table)
            case .column, nil: break
            }
        }
    }

    private mutating func add(_ columns: [String], to table: String) {
        var known = tables[table]?.columns ?? []
        for column in columns where !known.contains(column) { known.append(column) }
        tables[table, default: Table(columns: [])].columns = known
    }

    private mutating func add(_ object: ValueDictionary, _ entity: String) throws(StoreFailure) {
        let row = try row(of: object, entity)
        tables[schema.table(of: entity)]?.append(row)
    }

    /// The row of an object, without the columns that other objects set.
    private func row(of object: ValueDictionary, _ entity: String) throws(StoreFailure) -> [PredicateValue] {
        guard let columns = tables[schema.table(of: entity)]?.columns else { return [] }
        var row = [PredicateValue](repeating: .null, count: columns.count)
        if let (column, code) = schema.code(of: entity), let position = columns.firstIndex(of: column) {
            row[position] = code
        }
        func set(_ column: String, _ value: PredicateValue) {
            if let position = columns.firstIndex(of: column) { row[position] = value }
        }
        for (key, value) in zip(object.keys, object.values) {
            switch schema.key(key, of: entity) {
            // As when it is inserted: 3 of a double is 3.0, whose half is 1.5.
            case .attribute(let attribute): set(attribute.place, attribute.assigned(value) ?? value)
            case .relationship(let relationship):
                // A nil value sets no columns, because other keys may share them.
                guard case .column(let names)? = relationship.link, !value.isNil else { continue }
                for (name, part) in zip(names, try parts(value, names.count, relationship.target)) { set(name, part) }
            case nil:
                guard schema.primaryKey(of: entity).contains(key) else {
                    throw .schema("\(entity) has no key '\(key)'")
                }
                set(key, value)
            }
        }
        return row
    }

    /// Adds the links of an object's to-many relationships.
    private mutating func link(_ object: ValueDictionary, _ entity: String) throws(StoreFailure) {
        for (key, value) in zip(object.keys, object.values) {
            guard case .relationship(let relationship)? = schema.key(key, of: entity), relationship.isToMany,
                case .array(let others) = value
            else { continue }
            let own = try self.key(of: object, entity)
            switch relationship.link {
            case .join(let table, let from, let to):
                for other in others { pair(table, from + to, own + (try parts(other, to.count, relationship.target))) }
            case .foreignKey(let columns):
                for other in others { try set(columns, own, of: relationship.target, other) }
            case .column, nil: throw .schema("the schema has no column or table for '\(key)' of \(entity)")
            }
        }
    }

    /// Adds a row to a join table. Returns false if it is there.
    @discardableResult
    mutating func pair(_ name: String, _ columns: [String], _ values: [PredicateValue]) -> Bool {
        // Both objects may contain the same link.
        guard let known = tables[name]?.columns, rows(of: name, where: columns, are: values).isEmpty else {
            return false
        }
        var row = [PredicateValue](repeating: .null, count: known.count)
        for (column, value) in zip(columns, values) {
            if let position = known.firstIndex(of: column) { row[position] = value }
        }
        tables[name]?.append(row)
        return true
    }

    mutating func rows(
        of table: String, where columns: [String], are values: [PredicateValue]
    ) -> [[PredicateValue]] {
        tables[table]?.indices(where: columns, are: values).compactMap { tables[table]?.rows[$0] } ?? []
    }

    mutating func set(
        _ columns: [String], _ values: [PredicateValue], of entity: String, _ key: PredicateValue
    ) throws(StoreFailure) {
        let name = schema.table(of: entity)
        let names = schema.primaryKey(of: entity)
        let parts = try parts(key, names.count, entity)
        guard let row = tables[name]?.indices(where: names, are: parts).first else {
            throw .schema("no \(entity) has the key \(ExpressionNode(.value(key)))")
        }
        set(Array(zip(columns, values)), name, rows: [row])
    }

    /// Splits the key of an object into the values of its columns.
    private func parts(_ key: PredicateValue, _ count: Int, _ entity: String) throws(StoreFailure) -> [PredicateValue] {
        if let parts = key.key(of: count) { return parts }
        throw .schema("\(ExpressionNode(.value(key))) is not a key of \(entity), which has \(count) columns")
    }

    private func key(of object: ValueDictionary, _ entity: String) throws(StoreFailure) -> [PredicateValue] {
        let keys = schema.primaryKey(of: entity)
        if keys.isEmpty { throw .schema("\(entity) has no primary key") }
        let attributes = schema.lineage(of: entity).flatMap(\.attributes)
        return try keys.map { (key) throws(StoreFailure) in
            let names = attributes.filter { $0.column == key }.map(\.name)
            guard let value = (names + [key]).lazy.compactMap({ object[$0] }).first else {
                throw .schema("an object of \(entity) has no key")
            }
            return value
        }
    }

    // MARK: Changing

    /// Adds an object, or updates the row with its primary key. Returns the key and the index of the row.
    ///
    /// - Parameter isWhole: whether a new object has all its keys, so that the others get the defaults of the schema.
    mutating func put(
        _ object: ValueDictionary, _ entity: String, replacing: Bool, isWhole: Bool
    ) throws(StoreFailure) -> (key: [PredicateValue], row: Int) {
        let table = schema.table(of: entity)
        let names = schema.primaryKey(of: entity)
        let object = completed(object, entity, table)
        var known: [PredicateValue] = []
        if !names.isEmpty {
            let key = try key(of: object, entity)
            if let row = tables[table]?.indices(where: names, are: key).first {
                guard replacing else {
                    throw .constraint(
                        StoreConstraint(
                            .primaryKey, table: table, columns: names,
                            message: "\(table) has a row with the key (\(names.joined(separator: ", ")))"))
                }
                // A row of this object alone: its columns that are not nil are those to change.
                let added = try self.row(of: object, entity)
                set(
                    Array(zip(tables[table]?.columns ?? [], added)).filter {
                        !$0.1.isNil || isNull(object, $0.0, entity)
                    }, table, rows: [row])
                return (key, row)
            }
            known = key
        }
        let row = (tables[table]?.rows.count ?? 0)
        try add(object, entity)
        if isWhole { try complete(row, of: object, entity, table) }
        return (known, row)
    }

    /// Sets the columns of a new row whose keys the object does not have to the defaults of the schema.
    ///
    /// - Throws: `constraint` for nil in a column that is not optional.
    private mutating func complete(
        _ row: Int, of object: ValueDictionary, _ entity: String, _ table: String
    ) throws(StoreFailure) {
        for attribute in schema.lineage(of: entity).flatMap(\.attributes) where object[attribute.name] == nil {
            guard let stored = tables[table]?.values(of: [attribute.column], in: tables[table]?.rows[row] ?? []),
                stored.allSatisfy(\.isNil)
            else { continue }
            if let value = attribute.defaultValue {
                set([(attribute.column, value)], table, rows: [row])
            } else if !attribute.isOptional {
                let column = attribute.column
                throw .constraint(
                    StoreConstraint(
                        .notNull, table: table, columns: [column], message: "\(table).\(column) may not be nil"))
            }
        }
    }

    /// Throws if two rows of a table have the same primary key.
    func requireUniqueKeys(_ layout: EntityLayout) throws(StoreFailure) {
        let rows = tables[layout.table].map { table in
            table.rows.map { table.values(of: layout.keyColumns, in: $0) }
        }
        if let rows, Set(rows).count < rows.count {
            let names = layout.keyColumns
            throw .constraint(
                StoreConstraint(
                    .primaryKey, table: layout.table, columns: names,
                    message: "two rows of \(layout.table) would have the same key (\(names.joined(separator: ", ")))"))
        }
    }

    /// Throws if changed rows of a table refer to no row, or if rows refer to keys that they had before.
    mutating func check(_ table: String, _ rows: [Int], since before: StoredTables) throws(StoreFailure) {
        guard let changed = tables[table], let known = before.tables[table] else { return }
        for reference in schema.references {
            let key = schema.primaryKey(ofTable: reference.target)
            /// The new values of columns; nil if they are those before.
            func change(_ columns: [String], _ row: Int) -> (old: [PredicateValue]?, new: [PredicateValue])? {
                let old = row < known.rows.count ? known.values(of: columns, in: known.rows[row]) : nil
                let new = changed.values(of: columns, in: changed.rows[row])
                return old == new ? nil : (old, new)
            }
            var found: [Int] = []
            for row in rows {
                if reference.table == table, let new = change(reference.columns, row)?.new,
                    !new.contains(where: \.isNil), indices(of: reference.target, key, [new]).isEmpty
                {
                    found.append(row)
                }
                if reference.target == table, let old = change(key, row)?.old,
                    indices(of: reference.target, key, [old]).isEmpty
                {
                    found += indices(of: reference.table, reference.columns, [old])
                }
            }
            guard let first = Set(found).min() else { continue }
            throw DanglingRows(
                table: reference.table, columns: reference.columns, target: reference.target, count: Set(found).count,
                first: rowNumber(first, of: reference.table)
            ).failure
        }
    }

    /// The row number that SQLite gives a row: its key, if that is an integer.
    private func rowNumber(_ row: Int, of table: String) -> Int64? {
        let values = tables[table].map { $0.values(of: schema.primaryKey(ofTable: table), in: $0.rows[row]) } ?? []
        guard values.count == 1, case .integer(let number) = values[0] else { return nil }
        return number
    }

    /// Returns the object with the next integer as its primary key if it has none.
    private func completed(_ object: ValueDictionary, _ entity: String, _ table: String) -> ValueDictionary {
        let names = schema.primaryKey(of: entity)
        let attributes = schema.lineage(of: entity).flatMap(\.attributes).filter { names == [$0.column] }
        guard names.count == 1, attributes.first.map({ $0.type == .integer }) ?? true,
            !(attributes.map(\.name) + names).contains(where: { object[$0] != nil })
        else { return object }
        let rows = tables[table].map { table in table.rows.map { table.values(of: names, in: $0) } } ?? []
        let greatest = rows.reduce(Int64(0)) { greatest, key in
            if case .integer(let number) = key[0] { max(greatest, number) } else { greatest }
        }
        let (next, overflow) = greatest.addingReportingOverflow(1)
        if overflow { return object }
        return ValueDictionary([(attributes.first?.name ?? names[0], .integer(next))] + zip(object.keys, object.values))
    }

    private func isNull(_ object: ValueDictionary, _ column: String, _ entity: String) -> Bool {
        schema.lineage(of: entity).contains { entity in
            entity.attributes.contains { $0.place == column && object[$0.name]?.isNil ?? false }
                || entity.relationships.contains { relationship in
                    guard case .column(let columns)? = relationship.link else { return false }
                    return columns.contains(column) && object[relationship.name]?.isNil ?? false
                }
        }
    }

    /// Sets columns of the rows at the given indices.
    mutating func set(_ values: [(column: String, value: PredicateValue)], _ table: String, rows: [Int]) {
        for (column, value) in values {
            guard let position = tables[table]?.position(of: column) else { continue }
            for row in rows { tables[table]?.set(position, ofRow: row, to: value) }
        }
    }

    mutating func apply(_ deletion: Deletion) {
        for (reference, layout, keys) in deletion.emptied {
            let values = schema.emptied(by: reference).map { (column: $0, value: PredicateValue.null) }
            set(
                values, layout.table,
                rows: indices(of: layout.table, layout.keyColumns, keys))
        }
        // Removing rows changes the indices of others.
        var removed: [String: [Int]] = [:]
        for (reference, keys) in deletion.pairs {
            removed[reference.table, default: []] += indices(of: reference.table, reference.columns, keys)
        }
        for (layout, keys) in deletion.rows {
            let columns = layout.keyColumns
            removed[layout.table, default: []] += indices(of: layout.table, columns, keys)
        }
        for (table, rows) in removed { tables[table]?.remove(rows) }
    }

    private mutating func indices(of table: String, _ columns: [String], _ keys: [[PredicateValue]]) -> [Int] {
        keys.flatMap { tables[table]?.indices(where: columns, are: $0) ?? [] }
    }
}

extension PredicateSchema {
    /// The discriminator column and the code of a new object; nil if the entity has none.
    func code(of name: String) -> (column: String, code: PredicateValue)? {
        guard let code = entity(name)?.code,
            let column = lineage(of: name).first(where: { $0.discriminator != nil })?.discriminator
        else { return nil }
        return (column, code)
    }
}
