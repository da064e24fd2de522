// Writes the records of an import whose keys are all attributes: one prepared statement, no objects of a row. It has no
// messages. A record that does not fit, or that the database refuses, goes to `Importer.add`, which has the reasons.
import PredicateRecords

/// The records with some keys that are written together, and how they become rows of one statement.
final class FlatRows {
    fileprivate static let batch = 256
    /// The number of lists of keys to keep.
    fileprivate static let shapes = 64

    /// An attribute, and the position of its key in the records.
    private struct Column {
        let position: Int
        let attribute: PredicateSchema.Attribute
        let isKey: Bool
        /// The column, if it may lose digits.
        let rounded: SQLColumn?
    }

    fileprivate let shape: ValueDictionary.Shape
    fileprivate let layout: EntityLayout
    fileprivate let text: String
    /// The number of values of a row, and the positions of the primary key in it.
    fileprivate let width: Int
    fileprivate let keys: [Int]
    /// Whether the importer makes the key, because the records have none.
    fileprivate let makesKey: Bool
    private let columns: [Column]
    private let plain: PlainRows
    private let rounding: Set<SQLColumn>
    private let texts: FieldTexts

    fileprivate var records: [Record] = []
    fileprivate var values: [PredicateValue] = []

    /// nil if some key is more than a column of its own, and if the database may do more than write the row.
    init?(
        _ shape: ValueDictionary.Shape, _ layout: EntityLayout, _ texts: FieldTexts, _ options: ImportOptions,
        _ store: SQLiteStore
    ) throws(StoreFailure) {
        let (schema, dialect, keyNames) = (store.schema, store.dialect, layout.keyNames)
        var columns: [Column] = []
        for (position, name) in shape.keys.enumerated() where !options.ignoredKeys.contains(name) {
            guard case .attribute(let attribute)? = schema.key(name, of: layout.entity), attribute.json == nil,
                attribute.swiftValues == nil, attribute.cases.isEmpty
            else { return nil }
            let place = SQLColumn(table: layout.table, column: attribute.column)
            columns.append(
                Column(
                    position: position, attribute: attribute, isKey: keyNames.contains(name),
                    rounded: dialect.stored.rounding.contains(place) ? place : nil))
        }
        var attributes = columns.map(\.attribute)
        let names = attributes.map(\.name)
        let given = columns.count(where: \.isKey)
        makesKey = given == 0 && layout.keyColumns.count == 1 && layout.position(ofAttribute: keyNames[0]) != nil
        guard given == shape.keys.count(where: keyNames.contains), given == keyNames.count || given == 0,
            given > 0 || keyNames.count < 2, Set(shape.keys) != ImportedDocument.lossKeys,
            !shape.keys.contains("$objects"),
            !layout.references.contains(where: { $0.attributes.allSatisfy(names.contains) }),
            !columns.contains(where: { $0.isKey && Encoding($0.attribute) != nil })
        else { return nil }
        if makesKey, case .attribute(let made)? = schema.key(keyNames[0], of: layout.entity) {
            guard made.type == .integer || made.type == .uuid, Encoding(made) == nil else { return nil }
            attributes.insert(made, at: 0)
        }
        let lead = schema.code(of: layout.entity).map { StoredColumn($0.column, $0.code, SQLType($0.code) ?? .integer) }
        let row = attributes.compactMap { attribute in
            (Encoding(attribute)?.type(dialect) ?? SQLType(attribute.type)).map {
                StoredColumn(attribute.column, .null, $0)
            }
        }
        let all = [lead].compactMap { $0 } + row
        let plain = PlainRows(ValueDictionary.Shape(attributes.map(\.name)), all, layout.entity, in: schema, dialect)
        guard row.count == attributes.count, let plain,
            let text = try store.plainInsertion(all, layout, updates: options.updates && given > 0)
        else { return nil }
        (self.shape, self.layout, self.texts, self.columns) = (shape, layout, texts, columns)
        (self.plain, self.text, width, rounding) = (plain, text, all.count, dialect.stored.rounding)
        let leads = all.count - row.count
        keys = keyNames.compactMap { name in attributes.firstIndex { $0.name == name }.map { $0 + leads } }
    }

    /// Adds a record. Returns false, and adds nothing, if it needs more.
    fileprivate func append(_ record: Record, _ fields: ValueDictionary) -> Bool {
        let count = values.count
        values += plain.lead
        if makesKey { values.append(.null) }
        for index in columns.indices {
            guard let value = converted(fields.values[columns[index].position], columns[index]),
                let stored = plain.stored(value, at: makesKey ? index + 1 : index)
            else {
                values.removeSubrange(count...)
                return false
            }
            values.append(stored)
        }
        records.append(record)
        return true
    }

    /// The value as `ImportedDocument` converts it; nil if that may fail.
    private func converted(_ value: PredicateValue, _ column: borrowing Column) -> PredicateValue? {
        if value.isNil { return column.isKey ? nil : .null }
        if let place = column.rounded, value.loss(in: place, rounding) != nil { return nil }
        guard texts != .none, case .string(let text) = value else { return column.attribute.assigned(value) }
        switch column.attribute.type {
        case .string: return value
        case _ where text.isEmpty && texts == .quoted: return column.isKey ? nil : .null
        case .integer: return Int64(text).map { .integer($0) }
        default:
            let typed = try? column.attribute.type.converted(value, field: column.attribute.name)
            return typed.flatMap { column.attribute.assigned($0) }
        }
    }

    fileprivate func key(_ row: Int) -> [PredicateValue] { keys.map { values[row * width + $0] } }
}

extension SQLStore where Connection == SQLiteConnection {
    /// A statement that writes one row with these columns or fails; nil if the database may do more.
    fileprivate func plainInsertion(
        _ row: [StoredColumn], _ layout: EntityLayout, updates: Bool
    ) throws(StoreFailure) -> String? {
        let key = layout.keyColumns
        let isCollated = key.contains { dialect.stored.collated.contains(SQLColumn(table: layout.table, column: $0)) }
        guard let new = dialect.insert(into: layout.table, row), !(updates && isCollated),
            let change = key.isEmpty ? new : dialect.insert(into: layout.table, row, key: key)
        else { return nil }
        return try writing { (connection) throws(StoreFailure) in
            // The second statement can be prepared only if no two rows may have the same key.
            guard try connection.writesOneRow(into: layout.table), connection.accepts(change) else { return nil }
            return updates ? change : new
        }
    }
}

/// The keys of written rows in little memory: ranges of integers, and the hash values of other keys.
struct WrittenKeys {
    private static let rangeLimit = 1000

    private var ranges: [ClosedRange<Int64>] = []
    /// Hash values that were not looked up yet.
    private var added: [Int] = []
    private var hashes: Set<Int> = []

    /// - Parameter hash: of the key and its table.
    mutating func insert(_ key: PredicateValue, _ hash: () -> Int) {
        if case .integer(let number) = key {
            if let last = ranges.last, last.upperBound < number, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
                return
            }
            if ranges.count < Self.rangeLimit { return ranges.append(number...number) }
        }
        added.append(hash())
    }

    mutating func contains(_ key: PredicateValue, _ hash: Int) -> Bool {
        hashes.formUnion(added)
        added = []
        if case .integer(let number) = key, ranges.contains(where: { $0.contains(number) }) { return true }
        return hashes.contains(hash)
    }
}

extension Importer {
    /// Keeps a record whose row is written with others. Returns false if `add` must write it.
    func hold(_ record: Record, _ layout: EntityLayout) throws -> Bool {
        guard let flatStore, case .dictionary(let fields) = record.value else { return false }
        if flat?.shape !== fields.shape {
            try writeFlat()
            let shape = ObjectIdentifier(fields.shape)
            if flatRows[shape] == nil {
                if flatRows.count == FlatRows.shapes { flatRows = [:] }
                let texts = FieldTexts(record.source)
                flatRows[shape] = .some(try FlatRows(fields.shape, layout, texts, options, flatStore))
            }
            flat = flatRows[shape] ?? nil
        }
        guard let flat, flat.append(record, fields) else { return false }
        if flat.records.count == FlatRows.batch { try writeFlat() }
        return true
    }

    /// Writes the records that are kept. The database may refuse some: `add` writes or loses them.
    func writeFlat() throws {
        guard let flat, !flat.records.isEmpty else { return }
        var first = 0
        while first < flat.records.count {
            // Observed lists need the keys of new rows.
            let made = flat.makesKey ? try? keys(of: flat.layout, flat.records.count - first) : []
            var written = 0
            if let made, let flatStore, flatStore.observers.isEmpty {
                for (row, key) in made.enumerated() { flat.values[(first + row) * flat.width + flat.keys[0]] = key }
                let rows = flat.values.dropFirst(first * flat.width)
                written = try flatStore.writing { (connection) throws(StoreFailure) in
                    try connection.insert(flat.text, rows, width: flat.width)
                }
            }
            // The keys of the rows that follow are made again.
            if case .integer(let key)? = made?.first { greatestKeys[flat.layout.table] = key - 1 + Int64(written) }
            for row in first..<first + written { note(flat, row) }
            first += written
            if first < flat.records.count { try add(flat.records[first], flat.layout) }
            first += 1
        }
        flat.records.removeAll(keepingCapacity: true)
        flat.values.removeAll(keepingCapacity: true)
    }

    private func note(_ flat: FlatRows, _ row: Int) {
        let key = flat.key(row)
        func mark() -> Int { RowIdentity(table: flat.layout.table, key: key).hashValue }
        // A record that updates a row may be one of several with its key.
        if options.updates, !flat.makesKey, !key.isEmpty {
            guard writtenAs.updateValue(.record, forKey: mark()) == nil else { return }
        } else if let first = key.first {
            flatKeys[flat.layout.table, default: [:]][flat.makesKey ? .made : .record, default: WrittenKeys()]
                .insert(key.count == 1 ? first : .null, mark)
        }
        report.rows[flat.layout.entity, default: 0] += 1
        if !flat.makesKey, case .integer(let number)? = key.first, let greatest = greatestKeys[flat.layout.table] {
            greatestKeys[flat.layout.table] = max(greatest, number)
        }
    }

    /// How the row with a key was written by this import; nil if it was not.
    func written(_ row: ImportedRow, _ mark: Int) -> WrittenAs? {
        if row.key.isEmpty || writtenAs[mark] != nil { return writtenAs[mark] }
        let key = row.key.count == 1 ? row.key[0] : .null
        writtenAs[mark] = [WrittenAs.made, .record].first {
            flatKeys[row.layout.table]?[$0]?.contains(key, mark) == true
        }
        return writtenAs[mark]
    }
}
