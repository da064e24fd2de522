// Makes objects from the rows of a statement, with the schema's types. SQLite has a faster way, in SQLiteRows.swift.
import PredicateModel
import PredicateRecords
import PredicateSQL
import PredicateSyntax

struct RowReader {
    let layout: EntityLayout
    var maker: ObjectMaker
    /// Whether the column behind the layout's says that the row needs no test.
    var hasSure = false
    /// Called for such a row, instead of making its object.
    var tally: (() -> Void)?
    /// The number of columns behind the layout's that are a key, whose values are added to `keys`.
    var keyCount = 0
    var keys: [[PredicateValue]] = []

    /// Appends the objects of the next rows, at least one unless it returns false, at the end.
    mutating func read(
        _ objects: inout [StoredObject], _ count: Int, from rows: some SQLRows
    ) throws(StoreFailure) -> Bool {
        if let rows = rows as? SQLiteRows { return try rows.read(&objects, count, &self) }
        let known = objects.count
        while objects.count == known {
            let batch = try rows.next(count)
            if batch.isEmpty { return false }
            for row in batch {
                guard row.count >= layout.columns.count else { throw .schema("a row has too few columns") }
                let isSure = hasSure && row.count > layout.columns.count && row[layout.columns.count].isTrue
                if isSure, let tally {
                    tally()
                    continue
                }
                try maker.add(to: &objects, isSure: isSure) { (values) throws(StoreFailure) in
                    try layout.append(row, to: &values)
                }
                if keyCount > 0 { keys.append(Array(row[layout.columns.count...].prefix(keyCount))) }
            }
            maker.finish(&objects)
        }
        return true
    }
}

extension EntityLayout {
    /// Appends the values of a row, converted to the types of their columns.
    func append(_ row: [PredicateValue], to values: inout [PredicateValue]) throws(StoreFailure) {
        for (index, kind) in kinds.enumerated() {
            guard let value = kind.value(of: row[index]) else {
                throw .storedValue(
                    table: table, column: columns[index], found: row[index].typeDescription,
                    expected: types[index].nameForMessages)
            }
            values.append(value)
        }
    }
}

extension PredicateValue {
    /// Whether an engine's value is true.
    fileprivate var isTrue: Bool { ColumnKind.boolean.value(of: self) == .bool(true) }
}

extension ColumnKind {
    /// Converts what an engine returns; nil if it does not fit.
    func value(of stored: PredicateValue) -> PredicateValue? {
        switch (self, stored) {
        case (_, .null), (_, .nsNull): .null
        case (.any, _), (.boolean, .bool), (.integer, .integer), (.double, .double), (.decimal, .decimal),
            (.string, .string), (.date, .date), (.data, .data), (.uuid, .uuid), (.url, .url), (.json, .array),
            (.encoded, .date), (.encoded, .decimal):
            stored
        case (.boolean, .integer(let number)): number == 0 || number == 1 ? .bool(number == 1) : nil
        case (.double, .integer(let number)): .double(Double(number))
        // Sums of integers are wider.
        case (.integer, .decimal(let number)): Int64(number.description).map { .integer($0) }
        case (.double, .float(let number)): .double(Double(number))
        case (.decimal, .integer(let number)): .decimal(DecimalNumber(number))
        case (.date, .double(let number)): .date(number)
        case (.date, .integer(let number)): .date(Double(number))
        case (.doubles, .array): stored
        case (.dates, .array(let elements)):
            .array(elements.map { if case .double(let seconds) = $0 { .date(seconds) } else { $0 } })
        case (.encoded(let encoding), .integer(let number)) where !encoding.isTimestamp:
            encoding.value(Int128(number))
        case (_, .string(let text)): value(ofText: text)
        default: nil
        }
    }

    private func value(ofText text: String) -> PredicateValue? {
        switch self {
        case .boolean:
            switch text {
            case "t", "true", "1": .bool(true)
            case "f", "false", "0": .bool(false)
            default: nil
            }
        case .integer: Int64(text).map { .integer($0) }
        case .double: Double(text).map { .double($0) }
        case .decimal, .encoded(.scaled): DecimalNumber(text).map { .decimal($0) }
        case .date: Double(text).map { .date($0) }
        case .encoded(let encoding) where encoding.isTimestamp: encoding.value(ofText: Self.timestamp(text))
        case .encoded(let encoding): Int128(text).map(encoding.value)
        case .uuid: UniversalID(text).map { .uuid($0) }
        case .url: .url(text)
        case .json: try? JSON.parse(text)
        case .doubles: Self.doubles(text).map { .array($0.map { $0.map(PredicateValue.double) ?? .null }) }
        case .dates: Self.doubles(text).map { .array($0.map { $0.map(PredicateValue.date) ?? .null }) }
        case .string, .any: .string(text)
        case .data: nil
        }
    }

    /// Makes `2024-01-31 13:45:00+00` the canonical `2024-01-31 13:45:00.000000`.
    private static func timestamp(_ text: String) -> String {
        var text = text
        for zone in ["+00:00", "+00", "Z"] where text.hasSuffix(zone) { text.removeLast(zone.count) }
        let count = text.utf8.count
        if count == 19 { text += "." }
        return count < 26 ? text + String(repeating: "0", count: 26 - max(20, count)) : text
    }

    private static func doubles(_ text: String) -> [Double?]? {
        var text = text
        return text.withUTF8 { StoredDoubles.read($0) }
    }
}
