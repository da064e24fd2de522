// Builds a table from a file of records. Only one record at a time is held as a value.
package import PredicateEvaluation

extension PredicateTableBuilder {
    /// Adds the records of an input.
    ///
    ///     var builder = TableBuilder()
    ///     try builder.append(contentsOf: RecordReader(path: "people.jsonl")) { throw $0 }
    ///     let table = builder.finish()
    ///
    /// The table does not need the records' texts, so set `ReaderOptions.keepsText` to false.
    ///
    /// - Parameter onProblem: called for each record that cannot be read. Reading continues unless it throws or the
    ///   problem ends the input.
    /// - Returns: the number of records added.
    @discardableResult
    package mutating func append<Failure: Error>(
        contentsOf reader: RecordReader, onProblem: (RecordProblem) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        let before = count
        while let event = reader.next() {
            switch event {
            case .record(let record): append(record.value)
            case .problem(let problem): try onProblem(problem)
            }
        }
        return count - before
    }
}
