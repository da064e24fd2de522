// Determines the columns of CSV output before filtering. They are the keys of all records, not only of the selected
// ones.

import PredicateRecords
import PredicateSyntax

/// The columns of CSV output, and the inputs that were opened to find them.
struct OutputColumns {
    /// The columns; nil if the first record or `--keys` names them.
    var columns: [String]?
    var opened: [String: RecordReader] = [:]
    /// The keys of the records read so far, if the files are filtered before their keys are known. The selected rows
    /// are held in memory until all keys are known.
    var collected: KeyList?
    fileprivate(set) var held = HeldRows(delimiter: nil)
    /// Where standard input began, if it is a file.
    var inputPlace: Int?

    /// Holds the row of a record. Returns false if that cannot be, so that the files must be read for their keys.
    mutating func hold(_ record: Record) -> Bool { held.add(record, columns: collected?.names ?? []) }

    /// Ends collecting. Returns the rows that were held.
    mutating func settle(_ names: [String]) -> HeldRows {
        defer { (held, collected) = (HeldRows(delimiter: nil), nil) }
        columns = names.isEmpty ? nil : names
        return held
    }
}

extension Invocation {
    /// Finds the columns of CSV output without `--keys`: the keys of all records, in order of first appearance.
    ///
    /// Those of CSV files are in their headers. Of a stream the first 10,000 records are read in advance. The keys of
    /// other files are collected while they are filtered.
    func outputColumns(_ names: [String], _ options: ReaderOptions, threads: Int) throws -> OutputColumns {
        var found = OutputColumns()
        guard !has(.keys), !has(.countOnly), names.count > 1 || self[.to] == "csv", try writesCSV(names, options)
        else { return found }
        var keys = KeyList()
        var isKnown = true
        var streams: [String: [String]] = [:]
        found.inputPlace = input.descriptor.flatMap(SystemFile.place)
        for name in names {
            let place = name == "-" ? found.inputPlace : nil
            let isStream = name == "-" && place == nil
            let reader = try open(name, isStream || names.count == 1 ? options : surveying(options))
            if reader.totalBytes == nil || isStream {
                let first = reader.firstKeys()
                keys.add(first)
                streams[name] = first
                found.opened[name] = reader
            } else if names.count == 1 {
                found.opened[name] = reader
                isKnown = false
            } else {
                _ = reader.nextBatch()
                keys.add(reader.source.columns)
                isKnown = isKnown && !reader.source.columns.isEmpty
                if let place, let descriptor = input.descriptor { SystemFile.move(descriptor, to: place) }
            }
        }
        if isKnown {
            found.columns = keys.names.isEmpty ? nil : keys.names
        } else if !streams.isEmpty {
            // An unexpected key later in a stream is an error, so the columns must be known before the stream is
            // filtered.
            found.columns = try surveyedKeys(names, options, threads: threads, from: found.inputPlace, streams)
        } else {
            found.collected = KeyList()
            found.held = HeldRows(delimiter: options.delimiter)
        }
        return found
    }

    /// Reads the files to collect the keys of all records.
    /// - Parameters:
    ///   - start: the offset at which standard input began, if it is a file.
    ///   - streams: the keys of streams, which cannot be read a second time.
    func surveyedKeys(
        _ names: [String], _ options: ReaderOptions, threads: Int, from start: Int?, _ streams: [String: [String]] = [:]
    ) throws -> [String] {
        var keys = KeyList()
        for name in names {
            if let first = streams[name] {
                keys.add(first)
                continue
            }
            let descriptor = name == "-" ? input.descriptor : nil
            let place = descriptor.flatMap(SystemFile.place)
            if let descriptor, let start { SystemFile.move(descriptor, to: start) }
            try open(name, surveying(options)).addKeys(to: &keys, threads: threads)
            if let descriptor, let place { SystemFile.move(descriptor, to: place) }
        }
        return keys.names
    }

    private func surveying(_ options: ReaderOptions) -> ReaderOptions {
        var survey = options
        (survey.types, survey.fields, survey.decidesAllColumns) = (FieldTypes(), [], false)
        return survey
    }

    /// Whether the output is CSV. Without `--to`, the output has the format of the first input.
    private func writesCSV(_ names: [String], _ options: ReaderOptions) throws -> Bool {
        if let format = self[.to] { return format == "csv" }
        guard let first = names.first, first != "-" else { return self[.from] == "csv" }
        let reader = try open(first, options)
        _ = reader.nextBatch()
        return reader.source.format == .csv
    }
}

extension RecordReader {
    /// Reads all records to collect their keys.
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
