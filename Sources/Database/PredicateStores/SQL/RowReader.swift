// Makes objects from the rows of a statement, with the schema's types. SQLite and ADBC use the faster SQLiteRows.swift
// and ADBCRows.swift.
import PredicateRecords

struct RowReader {
    let layout: EntityLayout
    var maker: ObjectMaker
    /// Whether an extra column after those of the layout says that the row surely matches and needs no test.
    var hasCertain = false
    /// Called for a row that surely matches, instead of making its object.
    var tally: (() -> Void)?
    /// The number of extra columns after those of the layout that form a key. Their values are appended to `keys`.
    var keyCount = 0
    var keys: [[PredicateValue]] = []

    /// Appends the objects of the next rows, at least one. Returns false at the end.
    mutating func read(
        _ objects: inout [StoredObject], _ count: Int, from rows: some SQLRows
    ) throws(StoreFailure) -> Bool {
        if let rows = rows as? SQLiteRows { return try rows.read(&objects, count, &self) }
        if let rows = rows as? ADBCRows { return try rows.read(&objects, count, &self) }
        let known = objects.count
        while objects.count == known {
            let batch = try rows.next(count)
            if batch.isEmpty { return false }
            for row in batch {
                guard row.count >= layout.columns.count else { throw .schema("a row has too few columns") }
                let isCertain = hasCertain && row.count > layout.columns.count && row[layout.columns.count].isTrue
                if isCertain, let tally {
                    tally()
                    continue
                }
                try maker.add(to: &objects, isCertain: isCertain) { (values) throws(StoreFailure) in
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
            guard let value = value(of: row[index], kind, at: index) else { throw unfit(row[index], at: index) }
            values.append(value)
        }
    }

    /// Converts what an engine returns for a column; nil if it does not fit.
    func value(of stored: PredicateValue, _ kind: ColumnKind, at index: Int) -> PredicateValue? {
        if case .document(let document) = kind { return document.value(of: stored) }
        // Read as JSON, the empty PostgreSQL array `{}` is an object.
        return list(stored, at: index) ?? kind.value(of: stored)
    }

    func unfit(
        _ stored: PredicateValue, at index: Int, key: String? = nil, found: String? = nil
    ) -> StoreFailure {
        .storedValue(
            table: table, column: key ?? columns[index], found: found ?? stored.typeDescription,
            expected: ExpressionType(types[index]).inWords)
    }

    /// Converts an array, or the text of one, to the element types of the schema; nil if it does not fit.
    private func list(_ stored: PredicateValue, at index: Int) -> PredicateValue? {
        guard case .collection(_, let element) = types[index] else { return nil }
        let kind = ColumnKind(element.kind)
        let elements: [PredicateValue]?
        switch stored {
        case .array(let found): elements = found
        case .string(let text): elements = PostgreSQLArray.elements(of: text)
        default: elements = nil
        }
        guard let elements else { return nil }
        var values: [PredicateValue] = []
        for element in elements {
            // Lists of lists are not converted.
            if case .array = element {
                values.append(element)
            } else if let value = kind.value(of: element) {
                values.append(value)
            } else {
                return nil
            }
        }
        return .array(values)
    }
}

/// The texts of PostgreSQL's arrays. https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
enum PostgreSQLArray {
    /// The elements of `{1,NULL,"a \"word\""}` as texts; nil for anything else, such as an array of arrays.
    static func elements(of text: String) -> [PredicateValue]? {
        var rest = text.utf8[...]
        guard rest.popFirst() == UInt8(ascii: "{"), rest.popLast() == UInt8(ascii: "}") else { return nil }
        var elements: [PredicateValue] = []
        while !rest.isEmpty {
            var bytes: [UInt8] = []
            let isQuoted = rest.first == UInt8(ascii: "\"")
            if isQuoted { rest.removeFirst() }
            while let byte = rest.first, byte != UInt8(ascii: isQuoted ? "\"" : ",") {
                if byte == UInt8(ascii: "{"), !isQuoted { return nil }
                rest.removeFirst()
                if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                    bytes.append(escaped)
                } else {
                    bytes.append(byte)
                }
            }
            if isQuoted, rest.popFirst() == nil { return nil }
            let element = String(decoding: bytes, as: UTF8.self)
            elements.append(!isQuoted && element == "NULL" ? .null : .string(element))
            guard rest.popFirst() ?? UInt8(ascii: ",") == UInt8(ascii: ",") else { return nil }
        }
        return elements
    }
}

extension PredicateValue {
    /// Whether a value returned by the engine is true.
    package var isTrue: Bool { ColumnKind.boolean.value(of: self) == .bool(true) }
}

extension ColumnKind {
    /// Converts a value returned by an engine; nil if it does not fit.
    func value(of stored: PredicateValue) -> PredicateValue? {
        switch (self, stored) {
        case (_, .null), (_, .nsNull): .null
        case (.any, _), (.boolean, .bool), (.integer, .integer), (.double, .double), (.decimal, .decimal),
            (.string, .string), (.date, .date), (.data, .data), (.uuid, .uuid), (.url, .url),
            (.encoded, .date), (.encoded, .decimal):
            stored
        case (.boolean, .integer(let number)): number == 0 || number == 1 ? .bool(number == 1) : nil
        case (.double, .integer(let number)): .double(Double(number))
        // Engines return the sum of integers as a wider type.
        case (.integer, .decimal(let number)): Int64(number.description).map { .integer($0) }
        case (.double, .float(let number)): .double(Double(number))
        case (.decimal, .integer(let number)): .decimal(DecimalNumber(number))
        case (.date, .double(let number)): .date(number)
        case (.date, .integer(let number)): .date(Double(number))
        case (.encoded(let encoding), .double(let number)): encoding.value(ofDouble: number)
        case (.encoded(let encoding), .integer(let number)) where encoding.isDouble:
            encoding.value(ofDouble: Double(number))
        case (.encoded(let encoding), .integer(let number)) where !encoding.isText: encoding.value(WideInteger(number))
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
        case .encoded(let encoding) where encoding.isText: encoding.value(ofText: text)
        case .encoded(let encoding) where encoding.isDouble: Double(text).flatMap(encoding.value(ofDouble:))
        case .encoded(let encoding): WideInteger(text).map(encoding.value)
        case .uuid: UniversalID(text).map { .uuid($0) }
        case .url: .url(text)
        case .json: try? JSON.parse(text)
        case .doubles: Self.doubles(text).map { .array($0.map { $0.map(PredicateValue.double) ?? .null }) }
        case .dates: Self.doubles(text).map { .array($0.map { $0.map(PredicateValue.date) ?? .null }) }
        case .string, .any: .string(text)
        case .document(let document): document.value(of: .string(text))
        case .data: nil
        }
    }

    /// Converts `2024-01-31 13:45:00+00` to the canonical `2024-01-31 13:45:00.000000`.
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
