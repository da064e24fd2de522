// The public door of imports. Importer.swift writes.
import PredicateRecords
import PredicateSyntax

extension SQLStore {
    /// Imports the records of files in one transaction: JSON, JSON Lines, CSV, property lists and keyed archives.
    ///
    ///     let report = try store.importFiles(["people.plist"], into: "person")
    ///     print(report.rows)    // ["person": 12, "company": 3]
    ///
    /// Keys of a record are those of the entity. Objects inside of others are rows too, of the entities to which the
    /// relationships lead; an archive's objects are imported once each, with cycles. A relationship may be given from either
    /// side, as objects or as keys. An object without a primary key gets the next integer, or a random UUID. Values are
    /// converted to the types of the schema; dates are ISO 8601 texts.
    ///
    /// - Parameters:
    ///   - paths: the files.
    ///   - entity: the entity of their records.
    ///   - options: whether to keep going after losses, to update rows, and to import at all.
    /// - Returns: the numbers of rows, and every loss. Unless told to keep going, nothing is imported if there is one.
    /// - Throws: `cannotOpen`, for a file that cannot be opened; `readOnly`; errors that are not those of a record.
    /// - Complexity: one statement or two for each row. JSON, JSON Lines and CSV are read one record at a time, property
    ///   lists and archives as a whole; links of to-many relationships are kept until the end.
    public func importFiles(
        _ paths: [String], into entity: String, options: ImportOptions = ImportOptions()
    ) throws(StoreFailure) -> ImportReport {
        var reading = ReaderOptions()
        (reading.isVerbatim, reading.keepsText) = (true, false)
        do {
            return try Importer(self, options).run(
                paths.map { path in { [reading] in try RecordReader(path: path, options: reading) } }, into: entity)
        } catch {
            if let problem = error as? RecordProblem {
                throw .cannotOpen(path: problem.file, reason: problem.message)
            }
            throw error as? StoreFailure ?? .schema("\(error)")
        }
    }
}
