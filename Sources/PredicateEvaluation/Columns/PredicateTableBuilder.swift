// Builds a table from records. ColumnBuilder.swift chooses the form of each column.
public import PredicateSyntax

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
    /// - Complexity: linear in the rows, because columns get their final, most compact form.
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
    private var forms: [RecordColumns.Form] = []
    private var formOfRow: [UInt16] = []
    /// The forms of known shapes, by identity, because readers share shapes, and by keys.
    private var known: [ObjectIdentifier: Int] = [:]
    private var knownKeys: [[String]: Int] = [:]
    private var shapes: [ValueDictionary.Shape] = []
    private var last: (shape: ValueDictionary.Shape, form: Int)?

    /// Limits. If there are more keys or more sets of keys, the keys are probably data; then dictionaries are stored as
    /// plain values.
    private static let mostColumns = 4096
    private static let mostForms = 4096

    init(depth: Int) { self.depth = depth }

    /// Adds a dictionary. Returns false, and adds nothing, if columns cannot store it.
    mutating func append(_ dictionary: ValueDictionary) -> Bool {
        guard let index = form(of: dictionary.shape) else { return false }
        for (column, value) in zip(forms[index].columns, dictionary.values) {
            columns[column].pad(to: count)
            columns[column].append(value)
        }
        formOfRow.append(UInt16(truncatingIfNeeded: index))
        count += 1
        return true
    }

    mutating func appendNil() {
        formOfRow.append(.max)
        count += 1
    }

    private mutating func form(of shape: ValueDictionary.Shape) -> Int? {
        if let last, last.shape === shape { return last.form }
        let index: Int
        if let form = known[ObjectIdentifier(shape)] {
            index = form
        } else if let form = knownKeys[shape.keys], forms[form].shape.hasSameSpelling(as: shape) {
            index = form
        } else {
            guard let form = makeForm(of: shape) else { return nil }
            index = form
            // Keep the shape alive, so that no other shape can get the same identity.
            shapes.append(shape)
            known[ObjectIdentifier(shape)] = index
            knownKeys[shape.keys] = index
        }
        last = (shape, index)
        return index
    }

    private mutating func makeForm(of shape: ValueDictionary.Shape) -> Int? {
        guard forms.count < Self.mostForms else { return nil }
        let new = shape.keys.filter { positions[$0] == nil }
        guard columns.count + new.count <= Self.mostColumns, Set(shape.keys).count == shape.keys.count else {
            return nil
        }
        for key in new {
            positions[key] = columns.count
            columns.append(ColumnBuilder(depth: depth))
        }
        forms.append(RecordColumns.Form(shape: shape, columns: shape.keys.compactMap { positions[$0] }))
        return forms.count - 1
    }

    mutating func finish() -> RecordColumns {
        let isUniform = forms.count == 1 && !formOfRow.contains(.max)
        return RecordColumns(
            columns: columns.indices.map { index in
                columns[index].pad(to: count)
                return columns[index].finish()
            }, positions: positions, forms: forms,
            formOfRow: isUniform ? [] : formOfRow)
    }
}

extension ValueDictionary.Shape {
    /// Whether the keys have the same code points. `==` on strings treats canonically equivalent spellings as
    /// equal.
    fileprivate func hasSameSpelling(as other: ValueDictionary.Shape) -> Bool {
        zip(keys, other.keys).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }
}
