// From a file to a table: the records of a reader, one after the other, so that no more than one of them is held as a
// value.
public import PredicateEvaluation

extension TableBuilder {
    /// Adds the records of an input.
    ///
    ///     var builder = TableBuilder()
    ///     try builder.append(contentsOf: RecordReader(path: "people.jsonl")) { throw $0 }
    ///     let table = builder.finish()
    ///
    /// A reader for a table need not keep the records' texts (`ReaderOptions.keepsText`).
    /// - Parameter onProblem: called for each record that cannot be read; reading goes on unless it throws or the problem
    ///   ends the input.
    /// - Returns: how many records were added.
    @discardableResult
    public mutating func append<Failure: Error>(
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
