// The columns of a new object, for stores that insert.
import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSQL
import PredicateSyntax

extension EntityLayout {
    /// The columns of a new row and their values, as the columns store them.
    ///
    /// - Throws: `request`, for an unknown key or a value that its column cannot store.
    func stored(
        _ object: ValueDictionary, in schema: PredicateSchema, _ dialect: SQLDialect
    ) throws(StoreFailure) -> [StoredColumn] {
        var found: [StoredColumn] = []
        if let (column, code) = schema.code(of: entity) {
            found.append(StoredColumn(column, code, SQLType(code) ?? .integer))
        }
        do throws(PredicateFailure) {
            for (key, value) in zip(object.keys, object.values) {
                for stored in try self.stored(key, value, in: schema, dialect) {
                    // A relationship may share columns with other keys.
                    if let index = found.firstIndex(where: { $0.column == stored.column }) {
                        found[index].value = stored.value
                    } else {
                        found.append(stored)
                    }
                }
            }
        } catch {
            throw .request(error)
        }
        return found
    }

    private func stored(
        _ key: String, _ value: PredicateValue, in schema: PredicateSchema, _ dialect: SQLDialect
    ) throws(PredicateFailure) -> [StoredColumn] {
        var value = value
        switch schema.key(key, of: entity) {
        case .attribute(let attribute):
            let type = SQLType(value) ?? .text
            switch (attribute.type, value) {
            case (.collection(_, let element), .array(let elements)):
                let array = StoredColumn(attribute.column, list: elements, of: element.kind, dialect)
                return [array ?? StoredColumn(attribute.column, .string(JSON.text(value)), .text)]
            case (.collection(_, let element), .null) where attribute.isOptional:
                let array = StoredColumn(attribute.column, list: nil, of: element.kind, dialect)
                return [array ?? StoredColumn(attribute.column, value, type)]
            // A column of type `any` stores the value unchanged.
            case (.any, _): return [StoredColumn(attribute.column, value, type)]
            default: break
            }
        case .relationship(let relationship):
            // nil sets no columns, because other keys may share them.
            if value.isNil { return [] }
            if case .object(let reference) = value {
                let keys = schema.keyAttributes(of: relationship.target)
                    .map { reference.object.value(forKey: $0) ?? .null }
                value = keys.count == 1 ? keys[0] : .array(keys)
            }
        case nil:
            if schema.primaryKey(of: entity).contains(key) {
                return [StoredColumn(key, value, SQLType(value) ?? .integer)]
            }
        }
        return try schema.storedColumns([SQLAssignment(key, value)], of: entity, dialect)
    }
}

extension PredicateSchema {
    /// The names of the primary key's attributes; for a column without an attribute, the name of the column.
    fileprivate func keyAttributes(of entity: String) -> [String] {
        let attributes = lineage(of: entity).flatMap(\.attributes)
        return primaryKey(of: entity).map { column in attributes.first { $0.column == column }?.name ?? column }
    }
}

extension ValueDictionary {
    /// The published keys of an object, without those that the entity does not have.
    init(_ object: some Queryable, of entity: String, in schema: PredicateSchema) {
        guard case .object(let reference) = object.queryValue else {
            self.init([])
            return
        }
        let keys = reference.object.publishedKeys.filter { key in
            switch schema.key(key, of: entity) {
            case .attribute: true
            case .relationship(let relationship): !relationship.isToMany
            case nil: schema.primaryKey(of: entity).contains(key)
            }
        }
        self.init(keys.map { ($0, reference.object.value(forKey: $0) ?? .null) })
    }
}
