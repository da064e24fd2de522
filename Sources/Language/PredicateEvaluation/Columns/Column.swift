// The columns of a table: one per key, each in the most compact layout that preserves its values.
// PredicateTableBuilder.swift builds them; ColumnFields.swift describes how plans read them.

/// The values of one key, or the elements of all lists of one key.
final class Column: Sendable {
    enum Storage: Sendable {
        /// All values are nil.
        case none
        case integers(IntegerColumn)
        /// Doubles. `integers` marks values that were integers; all of them are below 2^53 in magnitude.
        case doubles(PackedValues, integers: Bits?)
        case booleans(Bits)
        /// Seconds since 2001-01-01.
        case dates(PackedValues)
        case texts(TextColumn)
        /// For few distinct texts. Code 0 is nil; any other code is the index of the text plus one.
        case codes(CodeColumn, TextColumn)
        case lists(ListColumn)
        case records(RecordColumns)
        /// Values of mixed types, or of types without a compact layout.
        case values([PredicateValue])
    }

    let storage: Storage
    /// The rows that are nil or lack the key. nil if there are none, or if the storage represents nil itself.
    let nils: Bits?
    /// Whether some row is nil or lacks the key, even if the storage represents nil itself.
    let hasNil: Bool
    /// The type of the values; `any` if they have several types.
    let valueKind: ExpressionType.Kind

    init(_ storage: Storage, nils: Bits?, hasNil: Bool? = nil, valueKind: ExpressionType.Kind = .any) {
        self.storage = storage
        self.nils = nils
        self.hasNil = hasNil ?? (nils != nil)
        self.valueKind = valueKind
    }

    /// Returns a value exactly as it was loaded.
    func value(at row: Int) -> PredicateValue {
        if let nils, nils[row] { return .null }
        switch storage {
        case .none: return .null
        case .integers(let column): return .integer(column.value(at: row))
        case .doubles(let values, let integers):
            let number = values.value(at: row, as: Double.self)
            guard let integers, integers[row] else { return .double(number) }
            return Int64(exactly: number).map(PredicateValue.integer) ?? .double(number)
        case .booleans(let bits): return .bool(bits[row])
        case .dates(let values): return .date(values.value(at: row, as: Double.self))
        case .texts(let texts): return .string(texts.text(at: row))
        case .codes(let codes, let texts):
            let code = codes.value(at: row)
            return code == 0 ? .null : .string(texts.text(at: code - 1))
        case .lists(let lists): return .array(lists.range(of: row).map(lists.elements.value))
        case .records(let records): return records.value(at: row)
        case .values(let values): return values[row]
        }
    }
}

/// Integers with the smallest width that fits the minimum and the maximum.
struct IntegerColumn: Sendable {
    enum Width: Sendable {
        case int8, int16, int32, int64
    }

    let values: PackedValues
    let width: Width
    /// From the minimum to the maximum.
    let range: ClosedRange<Int64>

    init(_ integers: [Int64]) {
        let range = (integers.min() ?? 0)...(integers.max() ?? 0)
        self.range = range
        func fits<T: FixedWidthInteger>(_ type: T.Type) -> Bool {
            range.lowerBound >= Int64(T.min) && range.upperBound <= Int64(T.max)
        }
        if fits(Int8.self) {
            (width, values) = (.int8, PackedValues(integers.map { Int8(truncatingIfNeeded: $0) }))
        } else if fits(Int16.self) {
            (width, values) = (.int16, PackedValues(integers.map { Int16(truncatingIfNeeded: $0) }))
        } else if fits(Int32.self) {
            (width, values) = (.int32, PackedValues(integers.map { Int32(truncatingIfNeeded: $0) }))
        } else {
            (width, values) = (.int64, PackedValues(integers))
        }
    }

    func value(at row: Int) -> Int64 {
        switch width {
        case .int8: Int64(values.value(at: row, as: Int8.self))
        case .int16: Int64(values.value(at: row, as: Int16.self))
        case .int32: Int64(values.value(at: row, as: Int32.self))
        case .int64: values.value(at: row, as: Int64.self)
        }
    }
}

/// The code of each row: one byte if there are few codes, else two.
struct CodeColumn: Sendable {
    let values: PackedValues
    let isNarrow: Bool

    init(_ codes: [UInt16], count: Int) {
        isNarrow = count < 256
        values = isNarrow ? PackedValues(codes.map { UInt8(truncatingIfNeeded: $0) }) : PackedValues(codes)
    }

    func value(at row: Int) -> Int {
        isNarrow ? Int(values.value(at: row, as: UInt8.self)) : Int(values.value(at: row, as: UInt16.self))
    }
}

/// Texts in one buffer of UTF-8 bytes.
struct TextColumn: Sendable {
    /// Text i is the bytes from `offsets[i]` to `offsets[i + 1]`.
    private(set) var offsets: [Int] = [0]
    private var bytes: [UInt8] = []

    var count: Int { offsets.count - 1 }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: text)
        offsets.append(bytes.count)
    }

    func text(at index: Int) -> String {
        withBytes(at: index) { String(decoding: $0, as: UTF8.self) }
    }

    @inline(__always) func withBytes<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withBytes { body(UnsafeBufferPointer(rebasing: $0[offsets[index]..<offsets[index + 1]])) }
    }

    /// Calls `body` with the bytes of all texts.
    @inline(__always) func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer(body)
    }
}

/// Lists as ranges in one column of elements. A nil list is an empty range.
struct ListColumn: Sendable {
    let offsets: [Int]
    let elements: Column

    func range(of row: Int) -> Range<Int> { offsets[row]..<offsets[row + 1] }
}

/// Dictionaries as columns with common rows. The shape of a row lists its keys in order.
struct RecordColumns: Sendable {
    struct Layout: Sendable {
        let shape: ValueDictionary.Shape
        /// The index of the column for each key of the shape.
        let columns: [Int]
    }

    let columns: [Column]
    /// The column indices by key.
    let positions: [String: Int]
    let layouts: [Layout]
    /// The index of each row's layout; empty if there is only one layout.
    let layoutOfRow: [UInt16]
}

extension RecordColumns {
    /// Records that all have the same keys.
    init(keys: [String], columns: [Column]) {
        self.init(
            columns: columns, positions: Dictionary(zip(keys, columns.indices)) { first, _ in first },
            layouts: [Layout(shape: ValueDictionary.Shape(keys), columns: Array(columns.indices))], layoutOfRow: [])
    }

    func layout(at row: Int) -> Layout? {
        let index = layoutOfRow.isEmpty ? 0 : Int(layoutOfRow[row])
        return index < layouts.count ? layouts[index] : nil
    }

    /// Returns the dictionary of a row as it was loaded.
    func value(at row: Int) -> PredicateValue {
        guard let layout = layout(at: row) else { return .null }
        return .dictionary(
            ValueDictionary(shape: layout.shape, values: layout.columns.map { columns[$0].value(at: row) }))
    }
}
