// Records stored in columns, for files that are filtered repeatedly. TableBuilder.swift builds a table,
// TableMatcher.swift filters it.

/// Records stored as columns: narrow integers, bits, texts in one buffer or as codes. A predicate compiled for
/// a table (`compiled(for:)`) reads only the columns that it names, many rows at a time.
///
///     var builder = PredicateTableBuilder()
///     for row in rows { try builder.append(row) }
///     let table = builder.finish()
///     try FormatPredicate("age > 30").compiled(for: table).count()
///
/// Immutable. Every row can be read exactly as it was loaded, with its keys in order; nil and missing keys remain
/// distinct.
public struct PredicateTable: Sendable {
    /// The rows as one column: of records, or of other values if no row is a dictionary.
    let rows: Column
    /// Rows that cannot be stored in columns: values that are not dictionaries, and dictionaries with a repeated key.
    let others: [Int: PredicateValue]
    /// The number of rows.
    public let count: Int
    /// The types of the rows, for binding.
    let types: TableTypes

    init(rows: Column, others: [Int: PredicateValue], count: Int) {
        self.rows = rows
        self.others = others
        self.count = count
        types = TableTypes(of: rows, hasOthers: !others.isEmpty)
    }

    /// The keys of all rows in order of first appearance.
    public var keys: [String] { (records?.positions ?? [:]).ordered { $0.value < $1.value }.map { $0.key } }

    private var records: RecordColumns? {
        if case .records(let records) = rows.storage { records } else { nil }
    }

    /// Returns a row exactly as it was loaded.
    /// - Complexity: linear in the row; the texts are copied.
    public subscript(row: Int) -> PredicateValue {
        if !others.isEmpty, let other = others[row] { return other }
        return rows.value(at: row)
    }

    /// The same rows with only some of their keys; missing keys are nil. Shares the columns.
    package func projection(_ keys: Set<String>) -> PredicateTable {
        guard let records else { return self }
        let known = self.keys.filter(keys.contains)
        let columns = known.compactMap { key in records.positions[key].map { records.columns[$0] } }
        let projected = RecordColumns(keys: known, columns: columns)
        return PredicateTable(rows: Column(.records(projected), nils: nil), others: others, count: count)
    }

    /// Returns the rows that match a predicate, which is compiled for this call.
    ///
    ///     let adults = try table.filter(FormatPredicate("age >= 21"))
    ///
    /// - Throws: the errors of `compiled(for:)`.
    public func filter(
        _ predicate: FormatPredicate, variables: PredicateVariables = [:],
        run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> [PredicateValue] {
        let matcher = try predicate.compiled(for: self, variables: variables, run: run)
        let rows = matcher.rows()
        try matcher.requireCompletion()
        return rows
    }
}

extension PredicateTable: CustomStringConvertible {
    /// Example: `1000000 rows: id integer, name text of 50, tags list of text of 18`
    public var description: String {
        let columns = keys.compactMap { key in
            (records?.positions[key]).flatMap { records?.columns[$0] }.map { "\(key) \($0.words)" }
        }
        return "\(count) rows: " + (records == nil ? rows.words : columns.joined(separator: ", "))
    }
}

extension Column {
    /// The column's form, for `description`.
    var words: String {
        switch storage {
        case .none: "nil"
        case .integers(let column):
            switch column.width {
            case .int8: "integer of 8 bits"
            case .int16: "integer of 16 bits"
            case .int32: "integer of 32 bits"
            case .int64: "integer"
            }
        case .doubles: "number"
        case .booleans: "Boolean"
        case .dates: "date"
        case .texts: "text"
        case .codes(_, let texts): "text of \(texts.count)"
        case .lists(let lists): "list of \(lists.elements.words)"
        case .records: "dictionary"
        case .values: "value"
        }
    }
}
