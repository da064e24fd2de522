// The current row of a statement: reads its values by storage class, or by the schema's types.
import PredicateRecords

struct SQLiteRow {
    let library: SQLiteLibrary
    let handle: OpaquePointer

    var count: Int { Int(library.columnCount(handle)) }
    var values: [PredicateValue] { (0..<count).map { stored(Int32($0)) } }

    func text(_ column: Int32) -> String {
        guard let bytes = library.columnText(handle, column) else { return "" }
        let count = Int(library.columnBytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// A text; nil if its bytes are not UTF-8, which SQLite does not check.
    @inline(__always)
    private func unicode(_ column: Int32) -> String? {
        guard let bytes = library.columnText(handle, column) else { return "" }
        let count = Int(library.columnBytes(handle, column))
        return String(validUTF8: UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Whether a value is no text, or one in UTF-8.
    func isUnicode(_ column: Int32) -> Bool {
        library.columnType(handle, column) != SQLiteCode.text || unicode(column) != nil
    }

    private func list(_ column: Int32, _ value: (Double) -> PredicateValue) -> PredicateValue? {
        guard let start = library.columnText(handle, column) else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: Int(library.columnBytes(handle, column)))
        return StoredDoubles.read(bytes).map { .array($0.map { $0.map(value) ?? .null }) }
    }

    func integer(_ column: Int32) -> Int64 { library.columnInteger(handle, column) }
    func isNull(_ column: Int32) -> Bool { library.columnType(handle, column) == SQLiteCode.null }

    /// The value by its storage class; the bytes of a text that is not UTF-8.
    func stored(_ column: Int32) -> PredicateValue {
        switch library.columnType(handle, column) {
        case SQLiteCode.integer: .integer(library.columnInteger(handle, column))
        case SQLiteCode.float: .double(library.columnDouble(handle, column))
        case SQLiteCode.text: unicode(column).map { .string($0) } ?? .data(blob(column))
        case SQLiteCode.blob: .data(blob(column))
        default: .null
        }
    }

    private func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = library.columnBlob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(library.columnBytes(handle, column))))
    }

    /// Appends the values of all columns. Throws if a value is not of its column's type.
    @inline(__always)
    func read(_ layout: EntityLayout, into values: inout [PredicateValue]) throws(StoreFailure) {
        for (index, kind) in layout.kinds.enumerated() {
            let column = Int32(truncatingIfNeeded: index)
            guard let value = value(column, kind) else {
                throw layout.unfit(stored(column), at: index, found: isUnicode(column) ? nil : "text that is not UTF-8")
            }
            values.append(value)
        }
    }

    /// nil if the column holds another type. Inlined so that the value is created directly at its destination.
    @inline(__always)
    func value(_ column: Int32, _ kind: ColumnKind) -> PredicateValue? {
        let storage = library.columnType(handle, column)
        switch (kind, storage) {
        case (_, SQLiteCode.null): return .null
        case (.integer, SQLiteCode.integer): return .integer(library.columnInteger(handle, column))
        case (.string, SQLiteCode.text): return unicode(column).map { .string($0) }
        case (.double, SQLiteCode.float), (.double, SQLiteCode.integer):
            return .double(library.columnDouble(handle, column))
        case (.boolean, SQLiteCode.integer):
            let number = library.columnInteger(handle, column)
            return number == 0 || number == 1 ? .bool(number == 1) : nil
        case (.date, SQLiteCode.float), (.date, SQLiteCode.integer): return .date(library.columnDouble(handle, column))
        case (.encoded(let encoding), let code)
        where encoding.isDouble && (code == SQLiteCode.float || code == SQLiteCode.integer):
            return encoding.value(ofDouble: library.columnDouble(handle, column))
        case (.encoded(let encoding), SQLiteCode.integer) where !encoding.isText:
            return encoding.value(WideInteger(library.columnInteger(handle, column)))
        case (.encoded(let encoding), SQLiteCode.text): return encoding.value(ofText: text(column))
        case (.decimal, SQLiteCode.text): return DecimalNumber(text(column)).map { .decimal($0) }
        case (.decimal, SQLiteCode.integer): return .decimal(DecimalNumber(library.columnInteger(handle, column)))
        case (.data, SQLiteCode.blob): return .data(blob(column))
        case (.uuid, SQLiteCode.text): return UniversalID(text(column)).map { .uuid($0) }
        case (.url, SQLiteCode.text): return unicode(column).map { .url($0) }
        case (.any, _): return stored(column)
        case (.document(let document), _): return document.value(of: stored(column))
        case (.json, SQLiteCode.text): return unicode(column).flatMap { try? JSON.parse($0) }
        case (.doubles, SQLiteCode.text): return list(column, PredicateValue.double)
        case (.dates, SQLiteCode.text): return list(column, PredicateValue.date)
        default: return nil
        }
    }
}
