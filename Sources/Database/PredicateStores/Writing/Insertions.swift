// The columns of a new object, for stores that insert.
import PredicateRecords

extension EntityLayout {
    /// The columns of a new row and their values, as the columns store them.
    ///
    /// - Throws: `request`, for an unknown key, a value that its column cannot store, or two keys that share a column
    ///   and have different values.
    func stored(
        _ object: ValueDictionary, in schema: PredicateSchema, _ dialect: SQLDialect
    ) throws(StoreFailure) -> [StoredColumn] {
        var found: [StoredColumn] = []
        if let (column, code) = schema.code(of: entity) {
            found.append(StoredColumn(column, code, SQLType(code) ?? .integer))
        }
        try StoreFailure.ofRequest { () throws(PredicateFailure) in
            for (key, value) in zip(object.keys, object.values) {
                for stored in try self.stored(key, value, in: schema, dialect) {
                    guard let index = found.firstIndex(where: { $0.column == stored.column }) else {
                        found.append(stored)
                        continue
                    }
                    // A relationship may share columns with other keys. If it is nil, the others set the column.
                    if found[index].value.isNil { found[index] = stored }
                    if stored.value.isNil || found[index].value.isSameKey(as: stored.value) { continue }
                    let sentence = "another key sets its column '\(stored.column)' to \(JSON.text(found[index].value))"
                    throw PredicateFailure(.cannotAssign, key, sentence)
                }
            }
        }
        return found
    }

    private func stored(
        _ key: String, _ value: PredicateValue, in schema: PredicateSchema, _ dialect: SQLDialect
    ) throws(PredicateFailure) -> [StoredColumn] {
        var value = value
        switch schema.key(key, of: entity) {
        case .attribute: break
        case .relationship(let relationship): value = schema.key(of: value, in: relationship)
        case nil:
            if schema.primaryKey(of: entity).contains(key) {
                return [StoredColumn(key, value, SQLType(value) ?? .integer)]
            }
        }
        return try schema.storedColumns([KeyAssignment(key, value)], of: entity, dialect)
    }

    /// The object with values of the schema's types, for a store that does not convert them to columns.
    func assigned(_ object: ValueDictionary, in schema: PredicateSchema) throws(StoreFailure) -> ValueDictionary {
        var fields: [(String, PredicateValue)] = []
        try StoreFailure.ofRequest { () throws(PredicateFailure) in
            for (key, value) in zip(object.keys, object.values) {
                switch schema.key(key, of: entity) {
                case .attribute(let attribute):
                    fields.append((key, try schema.assigned(KeyAssignment(key, value), to: attribute)))
                case .relationship(let relationship): fields.append((key, schema.key(of: value, in: relationship)))
                case nil: fields.append((key, value))
                }
            }
        }
        return ValueDictionary(fields)
    }
}

extension PredicateSchema {
    /// The names of the primary key's attributes; for a column without an attribute, the name of the column.
    func keyAttributes(of entity: String) -> [String] {
        let attributes = lineage(of: entity).flatMap(\.attributes)
        return primaryKey(of: entity).map { column in attributes.first { $0.column == column }?.name ?? column }
    }

    /// The primary key of an object of a to-one relationship; another value is already a key.
    func key(of value: PredicateValue, in relationship: Relationship) -> PredicateValue {
        guard case .object(let reference) = value, !relationship.isToMany else { return value }
        return keyAttributes(of: relationship.target).map { reference.object.value(forKey: $0) ?? .null }.asKey
    }
}

extension PredicateValue {
    /// Whether two keys are equal in a database that may store an identifier as a text.
    func isSameKey(as other: PredicateValue) -> Bool {
        func text(_ value: PredicateValue) -> PredicateValue {
            if case .uuid(let id) = value { .string(id.description) } else { value }
        }
        return self == other || text(self) == text(other)
    }
}
