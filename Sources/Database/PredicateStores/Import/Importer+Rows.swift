// Writes one row of an import: a new row, or values of a row that exists. Without `updates`, an object whose row exists
// is a reference, and other values than the stored ones are a loss.
import PredicateRecords

extension Importer {
    /// Makes a key for an object without one: the next integer after the greatest key, or a random UUID. nil if the
    /// database makes the key.
    func key(of layout: EntityLayout) throws(StoreFailure) -> [PredicateValue]? {
        try keys(of: layout, 1).map { [$0[0]] }
    }

    /// Makes the keys of several objects.
    func keys(of layout: EntityLayout, _ count: Int) throws(StoreFailure) -> [PredicateValue]? {
        guard layout.primaryKey.count == 1, layout.position(ofAttribute: layout.keyNames[0]) != nil else {
            if layout.primaryKey.count <= 1 { return nil }
            throw .schema("a record of \(layout.entity) has no key (\(layout.keyNames.joined(separator: ", ")))")
        }
        let name = layout.keyNames[0]
        switch layout.types[layout.primaryKey[0]] {
        case .uuid:
            return (0..<count).map { _ in
                .uuid(UniversalID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))
            }
        case .integer: break
        default: throw .schema("a record of \(layout.entity) has no key '\(name)'")
        }
        if greatestKeys[layout.table] == nil {
            let entity = store.schema.entity(sharingTableOf: layout.entity)
            let greatest = StoreRequest(entity, sort: [PredicateSortKey(name, descending: true)], limit: 1)
            let key = try store.fetch(greatest).first?.primaryKey[0]
            let given = max(try store.greatestGivenKey(of: layout.table), givenKeys[layout.table] ?? 0)
            if case .integer(let number)? = key { greatestKeys[layout.table] = max(0, number, given) }
            if key == nil { greatestKeys[layout.table] = given }
        }
        let first = greatestKeys[layout.table] ?? 0
        let (last, overflow) = first.addingReportingOverflow(Int64(count))
        if overflow {
            throw .schema("a record of \(layout.entity) has no '\(name)', and there is no integer after \(Int64.max)")
        }
        greatestKeys[layout.table] = last
        return (1...Int64(count)).map { .integer(first + $0) }
    }

    /// Notes keys of rows that are not written yet: keys that are made are greater.
    func note(keys: [PredicateValue], of layout: EntityLayout) {
        for case .integer(let number) in keys { givenKeys[layout.table] = max(givenKeys[layout.table] ?? 0, number) }
    }

    func write(_ row: ImportedRow) throws {
        if let problem = row.problem { return try lose(row, problem) }
        let reason: String?
        do throws(StoreFailure) {
            reason = try problemOfWriting(row)
        } catch {
            if failsFast || error.endsImport { throw error }
            reason = row.reason(error, hint)
        }
        if let reason { return try lose(row, reason) }
        row.state = .written
    }

    /// Writes a row. Returns why it cannot be written.
    private func problemOfWriting(_ row: ImportedRow) throws(StoreFailure) -> String? {
        let layout = row.layout
        let mark = RowIdentity(table: layout.table, key: row.key).hashValue
        let written = written(row, mark)
        if !row.hasMadeKey {
            if written == .made {
                return "a record without a key got \(row.keyText): put the records that have keys first"
            }
            if written == .record, !row.isShared, !options.updates { return "two records have \(row.keyText)\(hint)" }
            if !row.key.isEmpty, row.isShared || written != nil || options.updates, let object = try stored(row) {
                return try merge(row, object, mark)
            }
        }
        guard try store.insert(ValueDictionary(row.fields.map { ($0.name, $0.value) }), row.columns, layout) else {
            return "the row was \(Self.dropped)"
        }
        note(row, row.hasMadeKey ? .made : row.isShared ? .nested : .record, mark)
        return nil
    }

    /// Counts a row once.
    private func note(_ row: ImportedRow, _ written: WrittenAs, _ mark: Int) {
        if row.key.isEmpty || writtenAs[mark] == nil { report.rows[row.layout.entity, default: 0] += 1 }
        guard !row.key.isEmpty else { return }
        if writtenAs[mark] == nil || written == .record { writtenAs[mark] = written }
        // A key that is made later must be another one.
        if case .integer(let number) = row.key[0], let greatest = greatestKeys[row.layout.table] {
            greatestKeys[row.layout.table] = max(greatest, number)
        }
    }

    /// The stored object with the key of a row.
    private func stored(_ row: ImportedRow) throws(StoreFailure) -> StoredObject? {
        try store.objects(row.layout, withKeys: [row.key]).first?.first
    }

    /// Sets the values of a row that exists. Without `updates`, only those that an object of this import has left nil,
    /// and the owner if there is none. Returns why the row differs.
    private func merge(_ row: ImportedRow, _ object: StoredObject, _ mark: Int) throws(StoreFailure) -> String? {
        let layout = row.layout
        let keys = Set(layout.keyNames)
        var fields = row.fields.filter { !keys.contains($0.name) }
        var columns = row.columns
        if !options.updates {
            let isOwn = writtenAs[mark].map { $0 != .changed } ?? false
            func difference(_ name: String, _ stored: PredicateValue, _ new: PredicateValue) -> String? {
                if stored.isNil, isOwn || row.ownerKeys.contains(name) { return nil }
                return "'\(name)' of \(row.name) is \(JSON.text(stored)), not \(JSON.text(new))\(hint)"
            }
            fields = fields.filter { !isStored($0.value, $0.name, object) }
            for (name, value) in fields {
                if let reason = difference(name, storedValue(name, object), value) { return reason }
            }
            let known = columns.isEmpty ? [] : try store.values(of: columns.map(\.column), layout, row.key) ?? []
            for (column, value) in zip(columns, known) where !column.value.isSameKey(as: value) {
                if let reason = difference(column.column, value, column.value) { return reason }
            }
            columns = zip(columns, known).filter { $1.isNil }.map(\.0)
        }
        row.stored = object
        if !fields.isEmpty || !columns.isEmpty {
            let values = ValueDictionary(fields.map { ($0.name, $0.value) })
            guard try store.set(values, columns, layout, row.key) else { return "the change was \(Self.dropped)" }
        }
        if options.updates || !fields.isEmpty || !columns.isEmpty || !row.isShared {
            note(row, row.isShared ? .changed : .record, mark)
        }
        return nil
    }

    /// The stored value of an attribute, or the key of a to-one relationship.
    private func storedValue(_ name: String, _ object: StoredObject) -> PredicateValue {
        guard let key = object.storedKey(of: name) else { return object[name] }
        return key.contains(where: \.isNil) ? .null : key.asKey
    }

    /// Whether a row has a value, as its column stores it.
    private func isStored(_ value: PredicateValue, _ name: String, _ object: StoredObject) -> Bool {
        let stored = storedValue(name, object)
        if stored == value || stored.isNil && value.isNil { return true }
        if stored.isNil || value.isNil { return false }
        guard case .attribute(let attribute)? = store.schema.key(name, of: object.entity) else {
            return stored.isSameKey(as: value)
        }
        if let encoding = Encoding(attribute), let units = encoding.stored(value) {
            return encoding.value(WideInteger(units)) == stored
        }
        guard attribute.type == .any else { return false }
        // A column without a type has no Booleans, and identifiers are texts.
        if case .bool(let flag) = value { return stored == .integer(flag ? 1 : 0) }
        return JSON.text(stored) == JSON.text(value)
    }
}

extension StoreFailure {
    /// Whether an error concerns the whole import, not a single record.
    var endsImport: Bool {
        switch self {
        case .request, .constraint, .schema, .storedValue, .engine: false
        default: true
        }
    }

    /// One line about a record, without the text of a statement.
    var shortReason: String {
        if case .engine(_, let message, _, _) = self { return message }
        return shortDescription
    }
}

extension ImportedRow {
    /// Why the database refuses the row.
    fileprivate func reason(_ failure: StoreFailure, _ hint: String) -> String {
        guard case .constraint(let constraint) = failure else { return failure.shortReason }
        let names = layout.keyColumns
        // A trigger has written to another table.
        if let table = constraint.table, table.lowercased() != layout.table.lowercased() {
            let isUnnamed = key.isEmpty && hint.isEmpty
            return constraint.message + (isUnnamed ? "; \(layout.entity) has no primary key, so no row is updated" : "")
        }
        switch constraint.kind {
        case .primaryKey: return "\(name) exists\(hint)"
        case .unique where Set(constraint.columns) == Set(names): return "\(name) exists\(hint)"
        case .unique where !constraint.columns.isEmpty:
            return "another row has the same \(constraint.columns.joined(separator: ", "))"
        case .notNull where !constraint.columns.isEmpty:
            return "'\(constraint.columns.joined(separator: ", "))' of \(name) has no value, and must not be nil"
        default: return constraint.message
        }
    }
}
