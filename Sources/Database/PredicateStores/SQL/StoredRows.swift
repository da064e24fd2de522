// New rows, grouped by their columns, so that one statement is prepared for each group. Insertions.swift converts one
// object to a row; this file converts the following objects with the same keys without reading the schema again.

/// Rows with the same columns.
struct StoredRows: Sendable {
    /// The number of rows that are written at a time, so that their values are not copied all at once.
    static let limit = 4096

    /// The columns, with the values of the first row.
    let columns: [StoredColumn]
    /// The values of all rows, one row after another.
    private(set) var values: [PredicateValue]
    private(set) var count = 1

    var types: [SQLType] { columns.map(\.type) }

    init(_ row: [StoredColumn]) {
        columns = row
        values = row.map(\.value)
    }

    func value(_ row: Int, _ column: Int) -> PredicateValue { values[row * columns.count + column] }
    func row(_ row: Int) -> [PredicateValue] { Array(values[row * columns.count..<(row + 1) * columns.count]) }

    /// The greatest integer in a column; nil if there is none.
    func greatest(_ column: String) -> Int64? {
        guard let position = columns.firstIndex(where: { $0.column == column }) else { return nil }
        return (0..<count).compactMap { if case .integer(let key) = value($0, position) { key } else { nil } }.max()
    }

    mutating func reserveCapacity(_ rows: Int) { values.reserveCapacity(rows * columns.count) }

    /// Adds a row. Returns false, and adds nothing, if it has other columns.
    mutating func append(_ row: [StoredColumn]) -> Bool {
        guard hasColumns(of: StoredRows(row)) else { return false }
        values += row.map(\.value)
        count += 1
        return true
    }

    /// Whether one statement can insert these rows and others.
    func hasColumns(of other: StoredRows) -> Bool {
        columns.count == other.columns.count && zip(columns, other.columns).allSatisfy { $0.hasPlace(of: $1) }
    }

    /// Adds the row of an object. Returns false, and adds nothing, if `plain` cannot make it.
    mutating func append(_ object: ValueDictionary, _ plain: PlainRows) -> Bool {
        let known = values.count
        guard plain.append(object, to: &values) else {
            values.removeSubrange(known...)
            return false
        }
        count += 1
        return true
    }
}

extension [StoredRows] {
    /// Adds a row to the last group, or a new group.
    mutating func append(_ row: [StoredColumn]) {
        if isEmpty || !self[count - 1].append(row) { append(StoredRows(row)) }
    }
}

/// Converts objects with the same keys to rows, if each column stores the unchanged value of one key.
struct PlainRows {
    private enum Rule {
        case required, optional
        /// A primary or foreign key column that has no attribute.
        case key
        /// A column that encodes the values of a type.
        case encoded(Encoding, SQLType, isOptional: Bool)
    }

    private let shape: ValueDictionary.Shape
    private let rules: [(rule: Rule, type: SQLType, range: ClosedRange<Int64>?)]
    /// The values of the leading columns: the code of the entity in a shared table.
    let lead: [PredicateValue]
    /// The dialect's suffix of timestamps in UTC.
    private let zone: String

    /// nil if some column is not simply the value of its key.
    ///
    /// - Parameters:
    ///   - shape: the keys of the objects.
    ///   - row: the row of one of them.
    init?(
        _ shape: ValueDictionary.Shape, _ row: [StoredColumn], _ entity: String, in schema: PredicateSchema,
        _ dialect: SQLDialect
    ) {
        let leads = row.count - shape.keys.count
        guard leads == (schema.code(of: entity) == nil ? 0 : 1) else { return nil }
        var rules: [(Rule, SQLType, ClosedRange<Int64>?)] = []
        for (key, stored) in zip(shape.keys, row[leads...]) {
            let rule: Rule
            var range: ClosedRange<Int64>?
            switch schema.key(key, of: entity) {
            case .attribute(let attribute):
                let column = SQLColumn(table: schema.table(of: entity), column: attribute.column)
                guard attribute.column == stored.column, attribute.folds.isEmpty,
                    attribute.type == .double || !dialect.stored.rounding.contains(column),
                    let type = SQLType(attribute.type), (type == stored.type) == (Encoding(attribute) == nil)
                else { return nil }
                rule =
                    Encoding(attribute).map { .encoded($0, type, isOptional: attribute.isOptional) }
                    ?? (attribute.isOptional ? .optional : .required)
                range = attribute.range
            case .relationship(let relationship):
                guard case .column([stored.column])? = relationship.link else { return nil }
                rule = .key
            case nil: rule = .key
            }
            rules.append((rule, stored.type, range))
        }
        self.shape = shape
        zone = dialect.zoneOfMoments
        lead = row[..<leads].map(\.value)
        self.rules = rules
    }

    /// Appends the values of an object's row. Returns false if the object must be converted with the schema; the values
    /// appended to `values` are then undefined.
    fileprivate func append(_ object: ValueDictionary, to values: inout [PredicateValue]) -> Bool {
        guard object.shape === shape || object.shape.keys == shape.keys else { return false }
        values += lead
        for (position, value) in object.values.enumerated() {
            guard let stored = stored(value, at: position) else { return false }
            values.append(stored)
        }
        return true
    }

    /// Whether this can convert an object.
    func fits(_ object: ValueDictionary) -> Bool {
        (object.shape === shape || object.shape.keys == shape.keys)
            && object.values.enumerated().allSatisfy { stored($1, at: $0) != nil }
    }

    /// The value as its column stores it; nil if the object must be converted with the schema.
    func stored(_ value: PredicateValue, at position: Int) -> PredicateValue? {
        let (rule, type, range) = rules[position]
        let fits =
            switch rule {
            case .required: type.holds(value)
            case .optional: value.isNil || type.holds(value)
            case .key: SQLType(value) == type
            case .encoded(_, let type, let isOptional): isOptional && value.isNil || type.holds(value)
            }
        if !fits { return nil }
        if let range, case .integer(let number) = value, !range.contains(number) { return nil }
        guard case .encoded(let encoding, _, _) = rule, !value.isNil else { return value }
        return encoding.stored(value).map { encoding.binding($0, zone: zone) }
    }
}
