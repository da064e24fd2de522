// Records in columns: where a whole file is held to be asked again and again. TableBuilder.swift makes one,
// TableMatcher.swift asks it.
public import PredicateModel
public import PredicateSyntax

/// Records as columns: narrow integers, bits, texts side by side or as codes. A predicate compiled for a table
/// (`compiled(for:)`) reads only the columns that it names, many rows at a time.
///
///     var builder = TableBuilder()
///     for record in records { builder.append(record) }
///     let table = builder.finish()
///     try FormatPredicate("age > 30").compiled(for: table).count()
///
/// Immutable. Every row can be had back as it was: its keys in their order, nil apart from missing.
public struct Table: Sendable {
    /// The rows as a column: of records, or where no row is a dictionary, of what they are.
    let rows: Column
    /// Among records, rows that are none, or that repeat a key: kept as they are.
    let others: [Int: Value]
    /// How many rows there are.
    public let count: Int

    /// The keys of all rows, in the order in which they first appeared.
    public var keys: [String] { (records?.positions ?? [:]).sorted { $0.value < $1.value }.map(\.key) }

    private var records: RecordColumns? {
        if case .records(let records) = rows.storage { records } else { nil }
    }

    /// A row as it was loaded.
    /// - Complexity: linear in the row; the texts are copied.
    public subscript(row: Int) -> Value {
        if !others.isEmpty, let other = others[row] { return other }
        return rows.value(at: row)
    }

    /// The same rows with some of their keys only, nil where they lack one. The columns are shared.
    package func projection(_ keys: Set<String>) -> Table {
        guard let records else { return self }
        let known = self.keys.filter(keys.contains)
        let columns = known.compactMap { key in records.positions[key].map { records.columns[$0] } }
        let form = RecordColumns.Form(shape: ValueDictionary.Shape(known), columns: Array(columns.indices))
        let positions = Dictionary(uniqueKeysWithValues: zip(known, columns.indices))
        let projected = RecordColumns(columns: columns, positions: positions, forms: [form], formOfRow: [])
        return Table(rows: Column(.records(projected), nils: nil), others: others, count: count)
    }

    /// The rows that satisfy a predicate, which is compiled for this call.
    ///
    ///     let adults = try table.filter(FormatPredicate("age >= 21"))
    ///
    /// - Throws: what `compiled(for:)` throws.
    public func filter(
        _ predicate: FormatPredicate, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> [Value] {
        try predicate.compiled(for: self, variables: variables, options: options).rows()
    }
}

extension Table: CustomStringConvertible {
    /// `1000000 rows: id integer, name text of 50, tags list of text of 18`
    public var description: String {
        let columns = keys.compactMap { key in
            (records?.positions[key]).flatMap { records?.columns[$0] }.map { "\(key) \($0.words)" }
        }
        return "\(count) rows: " + (records == nil ? rows.words : columns.joined(separator: ", "))
    }
}

extension Column {
    /// What it holds, in words.
    var words: String {
        switch storage {
        case .none: "nil"
        case .integers(let column):
            switch column.values {
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
