// Builds a table from records. ColumnBuilder.swift chooses the layout of each column.

/// Collects records for a `PredicateTable`.
///
///     var builder = PredicateTableBuilder()
///     try builder.append(["name": "Ada", "age": 36])
///     let table = builder.finish()
///
/// Not Sendable: use a builder from one thread.
public struct PredicateTableBuilder {
    private var records = RecordBuilder(depth: 0)
    private var others: [Int: PredicateValue] = [:]
    /// The rows before the first dictionary.
    private var values = ColumnBuilder(depth: 0)

    public init() {}

    /// The number of appended records.
    public var count: Int { records.count + values.count }

    /// Adds a record.
    /// - Complexity: linear in the record, amortised.
    public mutating func append(_ record: PredicateValue) {
        if case .dictionary(let dictionary) = record {
            if values.count > 0 { beginRecords() }
            if records.append(dictionary) { return }
        } else if records.count == 0 {
            return values.append(record)
        }
        appendOther(record)
    }

    private mutating func appendOther(_ record: PredicateValue) {
        others[records.count] = record
        records.appendNil()
    }

    /// Starts the columns at the first dictionary. The rows before it are stored as other values.
    private mutating func beginRecords() {
        let count = values.count
        let before = values.finish()
        for row in 0..<count { appendOther(before.value(at: row)) }
    }

    /// Adds a dictionary of Swift and Foundation values.
    /// - Throws: `argument-type`, with the key, for a value of an unsupported type.
    public mutating func append(_ record: [String: Any]) throws(PredicateFailure) {
        append(try PredicateValue(converting: record))
    }

    /// Returns the table and empties the builder.
    /// - Complexity: linear in the rows, because columns get their final, most compact layout.
    public mutating func finish() -> PredicateTable {
        let count = count
        let rows = values.count > 0 ? values.finish() : Column(.records(records.finish()), nils: nil)
        let table = PredicateTable(rows: rows, others: others, count: count)
        self = PredicateTableBuilder()
        return table
    }
}

/// Collects dictionaries and nil.
struct RecordBuilder {
    private let depth: Int
    private(set) var count = 0
    private var columns: [ColumnBuilder] = []
    private var positions: [String: Int] = [:]
    private var layouts: [RecordColumns.Layout] = []
    private var layoutOfRow: [UInt16] = []
    /// The layouts of known shapes, by identity, because readers share shapes, and by keys.
    private var known: [ObjectIdentifier: Int] = [:]
    private var knownKeys: [[String]: Int] = [:]
    private var shapes: [ValueDictionary.Shape] = []
    private var last: (shape: ValueDictionary.Shape, layout: Int)?

    /// Limits. If there are more keys or more sets of keys, the keys are probably data; then dictionaries are stored as
    /// plain values.
    private static let mostColumns = 4096
    private static let mostLayouts = 4096

    init(depth: Int) { self.depth = depth }

    /// Adds a dictionary. Returns false, and adds nothing, if columns cannot store it.
    mutating func append(_ dictionary: ValueDictionary) -> Bool {
        guard let index = layout(of: dictionary.shape) else { return false }
        for (column, value) in zip(layouts[index].columns, dictionary.values) {
            columns[column].pad(to: count)
            columns[column].append(value)
        }
        layoutOfRow.append(UInt16(truncatingIfNeeded: index))
        count += 1
        return true
    }

    mutating func appendNil() {
        layoutOfRow.append(.max)
        count += 1
    }

    private mutating func layout(of shape: ValueDictionary.Shape) -> Int? {
        if let last, last.shape === shape { return last.layout }
        let index: Int
        if let layout = known[ObjectIdentifier(shape)] {
            index = layout
        } else if let layout = knownKeys[shape.keys], layouts[layout].shape.hasSameSpelling(as: shape) {
            index = layout
        } else {
            guard let layout = makeLayout(of: shape) else { return nil }
            index = layout
            // Keep the shape alive, so that no other shape can get the same identity.
            shapes.append(shape)
            known[ObjectIdentifier(shape)] = index
            knownKeys[shape.keys] = index
        }
        last = (shape, index)
        return index
    }

    private mutating func makeLayout(of shape: ValueDictionary.Shape) -> Int? {
        guard layouts.count < Self.mostLayouts else { return nil }
        let new = shape.keys.filter { positions[$0] == nil }
        guard columns.count + new.count <= Self.mostColumns, Set(shape.keys).count == shape.keys.count else {
            return nil
        }
        for key in new {
            positions[key] = columns.count
            columns.append(ColumnBuilder(depth: depth))
        }
        layouts.append(RecordColumns.Layout(shape: shape, columns: shape.keys.compactMap { positions[$0] }))
        return layouts.count - 1
    }

    mutating func finish() -> RecordColumns {
        let isUniform = layouts.count == 1 && !layoutOfRow.contains(.max)
        return RecordColumns(
            columns: columns.indices.map { index in
                columns[index].pad(to: count)
                return columns[index].finish()
            }, positions: positions, layouts: layouts,
            layoutOfRow: isUniform ? [] : layoutOfRow)
    }
}

extension ValueDictionary.Shape {
    /// Whether the keys have the same code points. `==` on strings treats canonically equivalent spellings as
    /// equal.
    fileprivate func hasSameSpelling(as other: ValueDictionary.Shape) -> Bool {
        zip(keys, other.keys).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }
}
