// Makes a table of records, one after the other. ColumnBuilder.swift decides what form a column takes.
public import PredicateSyntax

/// Collects records for a `Table`.
///
///     var builder = TableBuilder()
///     try builder.append(["name": "Ada", "age": 36])
///     let table = builder.finish()
///
/// Not Sendable: one thread fills it.
public struct TableBuilder {
    private var records = RecordBuilder(depth: 0)
    private var others: [Int: Value] = [:]
    /// The rows until a dictionary comes.
    private var values = ColumnBuilder(depth: 0)

    public init() {}

    /// How many records have been appended.
    public var count: Int { records.count + values.count }

    /// Adds a record.
    /// - Complexity: linear in the record, amortised.
    public mutating func append(_ record: Value) {
        if case .dictionary(let dictionary) = record {
            if values.count > 0 { beginRecords() }
            if records.append(dictionary) { return }
        } else if records.count == 0 {
            return values.append(record)
        }
        appendOther(record)
    }

    private mutating func appendOther(_ record: Value) {
        others[records.count] = record
        records.appendNil()
    }

    /// The first dictionary behind what is none.
    private mutating func beginRecords() {
        let count = values.count
        let before = values.finish()
        for row in 0..<count { appendOther(before.value(at: row)) }
    }

    /// Adds a dictionary of Swift's and Foundation's values.
    /// - Throws: `argument-type`, which names the key, for a value of a type that the language does not know.
    public mutating func append(_ record: [String: Any]) throws(PredicateFailure) {
        append(try Value(converting: record))
    }

    /// The table of what was appended. The builder is empty afterwards.
    /// - Complexity: linear in the rows: columns take their final, narrowest form here.
    public mutating func finish() -> Table {
        let count = count
        let rows = values.count > 0 ? values.finish() : Column(.records(records.finish()), nils: nil)
        let table = Table(rows: rows, others: others, count: count)
        self = TableBuilder()
        return table
    }
}

/// Collects dictionaries, nil among them.
struct RecordBuilder {
    private let depth: Int
    private(set) var count = 0
    private var columns: [ColumnBuilder] = []
    private var positions: [String: Int] = [:]
    private var forms: [RecordColumns.Form] = []
    private var formOfRow: [UInt16] = []
    /// The forms of shapes that were met: by identity, for readers share them, and by keys.
    private var known: [ObjectIdentifier: Int] = [:]
    private var knownKeys: [[String]: Int] = [:]
    private var shapes: [ValueDictionary.Shape] = []
    private var last: (shape: ValueDictionary.Shape, form: Int)?

    /// More keys, or more sets of keys, than this are no table: the keys are data.
    private static let mostColumns = 4096
    private static let mostForms = 4096

    init(depth: Int) { self.depth = depth }

    /// Adds a dictionary; false where it cannot be held in columns, and nothing was added.
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
            // Held, so that no other shape can come to lie where it lay.
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
    /// Whether the keys are the same code point by code point; `==` of texts takes other spellings for equal.
    fileprivate func hasSameSpelling(as other: ValueDictionary.Shape) -> Bool {
        zip(keys, other.keys).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }
}
