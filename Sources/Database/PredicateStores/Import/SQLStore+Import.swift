// The public interface of imports. Importer.swift does the import.
package import PredicateRecords

extension SQLStore {
    /// Imports the records of files in one transaction: JSON, JSON Lines, CSV, property lists and keyed archives.
    ///
    ///     let report = try store.importFiles(["people.plist"], into: "person")
    ///     print(report.rows)    // ["person": 12, "company": 3]
    ///
    /// The keys of a record are those of the entity. Nested objects become rows of the entities that the relationships
    /// refer to. An archive's objects are imported once each, and may form cycles. A relationship may be given on
    /// either side, as objects or as keys. An object without a primary key gets the next integer or a random UUID.
    /// Values are converted to the types of the schema; dates are ISO 8601 texts.
    ///
    /// An object inside of a record whose row exists is a reference to this row. It is a loss if it has other values, or
    /// belongs to another object, unless `options.updates` is set.
    ///
    /// - Parameters:
    ///   - paths: the files.
    ///   - entity: the entity of their records.
    ///   - options: whether to continue after losses, to update existing rows, and to write anything.
    /// - Returns: the numbers of rows, and the first 1,000 losses. If there is a loss, nothing is imported unless
    ///   `options.keepsGoing` is set.
    /// - Throws: `cannotOpen` for a file that cannot be opened; `readOnly`; errors that do not concern a single record.
    /// - Complexity: one prepared statement for records whose keys are all attributes, a few statements for each other
    ///   row, and at most some bytes of memory for each key. JSON, JSON Lines and CSV are read one record at a time,
    ///   property lists and archives as a whole. Links of to-many relationships are kept in memory until the end.
    public func importFiles(
        _ paths: [String], into entity: String, options: ImportOptions = ImportOptions()
    ) throws(StoreFailure) -> ImportReport {
        var reading = ReaderOptions()
        (reading.isVerbatim, reading.keepsText) = (true, false)
        do {
            let readers = paths.map { path in { [reading] in try RecordReader(path: path, options: reading) } }
            return try importRecords(readers.map { (entity: entity, open: $0) }, options).report
        } catch {
            if let problem = error as? RecordProblem {
                throw .cannotOpen(path: problem.file, reason: problem.message)
            }
            throw error as? StoreFailure ?? .schema("\(error)")
        }
    }

    /// Imports the records of some inputs in one transaction.
    ///
    /// - Parameters:
    ///   - inputs: make the readers, with `isVerbatim`, and have the entities of their records.
    ///   - keepsLosses: whether to return all losses, not only those of the report.
    /// - Throws: `StoreFailure` for errors that do not concern a single record; what `readers` throw. Then nothing is
    ///   imported.
    package func importRecords(
        _ inputs: [(entity: String, open: () throws -> RecordReader)], _ options: ImportOptions,
        keepsLosses: Bool = false
    ) throws -> (report: ImportReport, losses: [ImportLoss]) {
        try Importer.run(inputs, self, options, keepsLosses: keepsLosses)
    }
}
