// Writes the records of an import whose keys are all attributes: one prepared statement, no objects of a row. It has no
// messages. A record that does not fit, or that the database refuses, goes to `Importer.add`, which has the reasons.
import PredicateModel
import PredicateRecords
import PredicateSQL
import PredicateSyntax

/// How the records with some keys become rows of one statement.
final class FlatRows {
    /// The attribute of a key.
    private final class Column {
        /// The position of the key in the record.
        let position: Int
        let attribute: PredicateSchema.Attribute
        let isKey: Bool
        /// The column, if it may lose digits.
        let rounded: SQLColumn?

        init(_ position: Int, _ attribute: PredicateSchema.Attribute, _ layout: EntityLayout, _ rounding: Set<SQLColumn>) {
            (self.position, self.attribute) = (position, attribute)
            isKey = layout.keyColumns.contains(attribute.column)
            let column = SQLColumn(table: layout.table, column: attribute.column)
            rounded = rounding.contains(column) ? column : nil
        }
    }

    let layout: EntityLayout
    let text: String
    /// The number of values of a row.
    let width: Int
    /// The positions of the primary key in a row.
    let keys: [Int]
    /// Whether the importer makes the key, because the records have none.
    let makesKey: Bool
    private let columns: [Column]
    private let plain: PlainRows
    private let rounding: Set<SQLColumn>
    private let hasTexts: Bool

    /// nil if some key is more than a column of its own, and if the database may do more than write the row.
    init?(
        _ shape: ValueDictionary.Shape, _ layout: EntityLayout, hasTexts: Bool, _ options: ImportOptions,
        _ store: some ImportTarget, _ dialect: SQLDialect
    ) throws(StoreFailure) {
        let schema = store.schema
        (self.layout, self.hasTexts, rounding) = (layout, hasTexts, dialect.roundingColumns)
        var columns: [Column] = []
        for (position, name) in shape.keys.enumerated() where !options.ignoredKeys.contains(name) {
            guard case .attribute(let attribute)? = schema.key(name, of: layout.entity), attribute.json == nil,
                attribute.swiftValues == nil
            else { return nil }
            columns.append(Column(position, attribute, layout, rounding))
        }
        let names = columns.map(\.attribute.name)
        let keyNames = layout.keyNames
        let given = shape.keys.filter(keyNames.contains)
        makesKey = given.isEmpty && keyNames.count == 1 && layout.position(ofAttribute: keyNames[0]) != nil
        guard given.count == names.count(where: keyNames.contains), given.isEmpty || given.count == keyNames.count,
            !given.isEmpty || keyNames.count < 2, Set(shape.keys) != ImportedDocument.lossKeys,
            !shape.keys.contains("$objects"),
            !layout.references.contains(where: { $0.attributes.allSatisfy(names.contains) }),
            !columns.contains(where: { $0.isKey && Encoding($0.attribute) != nil })
        else { return nil }
        self.columns = columns
        var attributes = columns.map(\.attribute)
        if makesKey, case .attribute(let made)? = schema.key(keyNames[0], of: layout.entity) {
            guard made.type == .integer || made.type == .uuid, Encoding(made) == nil else { return nil }
            attributes.insert(made, at: 0)
        }
        var row: [StoredColumn] = []
        if let (column, code) = schema.code(of: layout.entity) {
            row.append(StoredColumn(column, code, SQLType(code) ?? .integer))
        }
        let leads = row.count
        for attribute in attributes {
            guard let type = Encoding(attribute)?.type(dialect) ?? SQLType(attribute.type) else { return nil }
            row.append(StoredColumn(attribute.column, .null, type))
        }
        let all = ValueDictionary.Shape(attributes.map(\.name))
        guard let plain = PlainRows(all, row, layout.entity, in: schema, dialect),
            let text = try store.plainInsertion(row, layout, updates: options.updates && !given.isEmpty)
        else { return nil }
        (self.plain, self.text, width) = (plain, text, row.count)
        keys = keyNames.compactMap { name in attributes.firstIndex { $0.name == name }.map { $0 + leads } }
    }

    /// Appends the row of a record, with any key if the importer makes it. Returns false, and appends nothing, if the
    /// record needs more.
    func append(_ record: ValueDictionary, to values: inout [PredicateValue]) -> Bool {
        let count = values.count
        values += plain.lead
        if makesKey { values.append(.null) }
        for (index, column) in columns.enumerated() {
            guard let value = converted(record.values[column.position], column), !(column.isKey && value.isNil),
                let stored = plain.stored(value, at: makesKey ? index + 1 : index)
            else {
                values.removeSubrange(count...)
                return false
            }
            values.append(stored)
        }
        return true
    }

    /// The value as `ImportedDocument` converts it; nil if that may fail.
    private func converted(_ value: PredicateValue, _ column: Column) -> PredicateValue? {
        if value.isNil { return .null }
        if column.rounded.flatMap({ value.loss(in: $0, rounding) }) != nil { return nil }
        guard hasTexts, case .string(let text) = value else { return column.attribute.assigned(value) }
        switch column.attribute.type {
        case .string: return value
        case .integer: return Int64(text).map { .integer($0) }
        default:
            let typed = try? column.attribute.type.converted(value, field: column.attribute.name)
            return typed.flatMap { column.attribute.assigned($0) }
        }
    }
}

/// The keys of written rows in little memory: ranges of integers, and the hash value of another key.
struct WrittenKeys {
    private static let rangeLimit = 1000
    private static let chunk = 8192

    private var ranges: [ClosedRange<Int64>] = []
    /// Hash values that were not looked up yet, in lists that are not copied when there are more.
    private var added: [[Int]] = []
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
        if added.last.map({ $0.count == Self.chunk }) ?? true {
            added.append([])
            added[added.count - 1].reserveCapacity(Self.chunk)
        }
        added[added.count - 1].append(hash())
    }

    mutating func contains(_ key: PredicateValue, _ hash: Int) -> Bool {
        hashes.formUnion(added.joined())
        added = []
        if case .integer(let number) = key, ranges.contains(where: { $0.contains(number) }) { return true }
        return hashes.contains(hash)
    }
}

/// Records whose rows are written together.
struct FlatBatch {
    static let size = 256
    private static let shapeLimit = 16

    private var known: [(shape: ValueDictionary.Shape, entity: String, hasTexts: Bool, rows: FlatRows?)] = []
    var rows: FlatRows?
    var records: [Record] = []
    var values: [PredicateValue] = []

    /// The rows of records with some keys; nil if there are none.
    mutating func rows(
        _ shape: ValueDictionary.Shape, _ entity: String, hasTexts: Bool,
        _ make: () throws(StoreFailure) -> FlatRows?
    ) throws(StoreFailure) -> FlatRows? {
        let place = known.firstIndex { $0.shape === shape && $0.hasTexts == hasTexts && $0.entity == entity }
        if let place { return known[place].rows }
        let rows = try make()
        if known.count == Self.shapeLimit { known.removeFirst() }
        known.append((shape, entity, hasTexts, rows))
        return rows
    }
}

extension Importer {
    /// Keeps a record whose row is written with others. Returns false if `add` must write it.
    func hold(_ record: Record, _ layout: EntityLayout) throws -> Bool {
        guard !ImportOptions.isRowByRow, case .dictionary(let fields) = record.value else { return false }
        let hasTexts = record.source.format == .csv
        let rows = try batch.rows(fields.shape, layout.entity, hasTexts: hasTexts) { () throws(StoreFailure) in
            try store.flatRows(fields.shape, layout, hasTexts: hasTexts, options)
        }
        if rows !== batch.rows {
            try writeBatch()
            batch.rows = rows
        }
        guard let rows, rows.append(fields, to: &batch.values) else { return false }
        batch.records.append(record)
        if batch.records.count == FlatBatch.size { try writeBatch() }
        return true
    }

    /// Writes the records that are kept. The database may refuse some: `add` writes or loses them.
    func writeBatch() throws {
        guard let rows = batch.rows, !batch.records.isEmpty else { return }
        var first = 0
        while first < batch.records.count {
            let count = batch.records.count - first
            var written = 0
            if !rows.makesKey {
                written = try store.insert(rows.text, batch.values.dropFirst(first * rows.width), width: rows.width)
            } else if let made = try? keys(of: rows.layout, count) {
                for (row, key) in made.enumerated() { batch.values[(first + row) * rows.width + rows.keys[0]] = key }
                written = try store.insert(rows.text, batch.values.dropFirst(first * rows.width), width: rows.width)
                // The keys of the rows that follow are made again.
                if case .integer(let number)? = made.first {
                    greatestKeys[rows.layout.table] = number - 1 + Int64(written)
                }
            }
            for row in first..<first + written { note(rows, row) }
            first += written
            guard first < batch.records.count else { break }
            try add(batch.records[first], rows.layout)
            first += 1
        }
        batch.records.removeAll(keepingCapacity: true)
        batch.values.removeAll(keepingCapacity: true)
    }

    private func note(_ rows: FlatRows, _ row: Int) {
        let layout = rows.layout
        let key = rows.keys.map { batch.values[row * rows.width + $0] }
        func mark() -> Int { RowIdentity(table: layout.table, key: key).hashValue }
        // A record that updates a row may be one of several with its key.
        if options.updates, !rows.makesKey, !key.isEmpty {
            guard writtenAs.updateValue(.record, forKey: mark()) == nil else { return }
        } else if let first = key.first {
            flatKeys[layout.table, default: [:]][rows.makesKey ? .made : .record, default: WrittenKeys()]
                .insert(key.count == 1 ? first : .null, mark)
        }
        report.rows[layout.entity, default: 0] += 1
        if !rows.makesKey, case .integer(let number)? = key.first, let greatest = greatestKeys[layout.table] {
            greatestKeys[layout.table] = max(greatest, number)
        }
    }

    /// How the row with a key was written by this import; nil if it was not.
    func written(_ row: ImportedRow, _ mark: Int) -> WrittenAs? {
        if row.key.isEmpty { return nil }
        if let known = writtenAs[mark] { return known }
        let key = row.key.count == 1 ? row.key[0] : .null
        for kind in [WrittenAs.made, .record] {
            guard flatKeys[row.layout.table]?[kind]?.contains(key, mark) == true else { continue }
            writtenAs[mark] = kind
            return kind
        }
        return nil
    }
}
