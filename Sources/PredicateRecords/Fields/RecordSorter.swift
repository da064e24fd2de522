// Sorting the records of files: fields are looked up by FieldPath, the order is PredicateModel's.

public import PredicateModel

/// Collects records and sorts them. With a limit it holds at most twice as many, whatever the input.
public struct RecordSorter {
    private let paths: [FieldPath]
    private var sorter: Sorter<Record>

    /// - Parameters:
    ///   - limit: how many of the first records are wanted (an offset included); nil is all.
    ///   - rules: have the locale of `[l]`.
    public init(keys: [SortKey], limit: Int? = nil, rules: OperatorRules = .standard) {
        paths = keys.map { FieldPath($0.path) }
        sorter = Sorter(keys: keys, limit: limit, rules: rules)
    }

    public mutating func add(_ record: Record) {
        sorter.add(record, fields: paths.map { $0.value(in: record.value) })
    }

    /// The records in order.
    public mutating func finish() -> [Record] { sorter.finish() }
}
