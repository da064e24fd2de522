// What `predicate filter` reads before it filters: the columns of CSV output, which are the keys of all records, not
// of those that are selected.

import PredicateRecords
import PredicateSyntax

/// The columns of CSV output, and the streams whose start was read to find them.
struct OutputColumns {
    var columns: [String]?
    var streams: [String: RecordReader] = [:]
}

extension Invocation {
    /// The keys of all records, in order of first appearance, for CSV output without `--keys`. One file of CSV needs
    /// none: its columns are known.
    ///
    /// Files are read twice. Of a stream the first 10,000 records are read in advance.
    func outputColumns(_ names: [String], _ options: ReaderOptions, threads: Int) throws -> OutputColumns {
        var found = OutputColumns()
        guard !has(.keys), !has(.countOnly), names.count > 1 || self[.to] == "csv", try writesCSV(names, options)
        else { return found }
        var keys = KeyList()
        for name in names {
            var survey = options
            (survey.types, survey.fields, survey.decidesAllColumns) = (FieldTypes(), [], false)
            let place = name == "-" ? input.descriptor.flatMap(SystemFile.place) : nil
            let reader = try open(name, name == "-" && place == nil ? options : survey)
            if reader.totalBytes == nil || name == "-" && place == nil {
                keys.add(reader.firstKeys())
                found.streams[name] = reader
                continue
            }
            try reader.addKeys(to: &keys, threads: threads)
            if let place, let descriptor = input.descriptor { SystemFile.move(descriptor, to: place) }
        }
        found.columns = keys.names.isEmpty ? nil : keys.names
        return found
    }

    /// Whether the output is CSV. Without `--to` it has the format of the first input.
    private func writesCSV(_ names: [String], _ options: ReaderOptions) throws -> Bool {
        if let format = self[.to] { return format == "csv" }
        guard let first = names.first, first != "-" else { return self[.from] == "csv" }
        let reader = try open(first, options)
        _ = reader.nextBatch()
        return reader.source.format == .csv
    }
}

extension RecordReader {
    /// Reads all records for their keys.
    fileprivate func addKeys(to keys: inout KeyList, threads: Int) throws {
        var found = keys
        try OrderedThreads.run(
            threads: threads,
            next: { [self] _ in
                guard case .batch(let batch) = nextBatch() else { return .end }
                found.add(batch.source.columns)
                return batch.source.columns.isEmpty ? .work(batch) : .end
            },
            worker: { { (batch: RecordBatch) in batch.keys() } },
            finish: { names in
                found.add(names)
                return true
            })
        while source.columns.isEmpty, let event = next() {
            guard case .record(let record) = event else { continue }
            found.add(record.value)
        }
        found.add(source.columns)
        keys = found
    }
}
