// Sorts the records of a file: FieldPath finds the fields, PredicateModel's Sorter defines the order.

package import PredicateModel

/// Collects records and sorts them. With a limit it holds at most twice that number of records.
package struct RecordSorter {
    private let paths: [FieldPath]
    private var sorter: Sorter<Record>

    /// - Parameters:
    ///   - limit: the number of records to keep, including skipped ones (offset + limit); nil keeps all.
    ///   - rules: the text rules, with the locale for `[l]`.
    package init(keys: [SortKey], limit: Int? = nil, rules: OperatorRules = .standard) {
        paths = keys.map { FieldPath($0.path) }
        sorter = Sorter(keys: keys, limit: limit, rules: rules)
    }

    package mutating func add(_ record: Record) {
        sorter.add(record, fields: paths.map { $0.value(in: record.value) })
    }

    /// The records in order.
    package mutating func finish() -> [Record] { sorter.finish() }
}
