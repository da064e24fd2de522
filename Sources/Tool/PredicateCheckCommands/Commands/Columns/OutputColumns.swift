// Determines the columns of CSV output before filtering. They are the keys of all records, not only of the selected
// ones.

/// The columns of CSV output, and the inputs that were opened to find them.
struct OutputColumns {
    /// The columns; nil if the first record or `--keys` names them.
    private(set) var columns: [String]?
    /// The keys of the records read so far, if the files are filtered before their keys are known. The selected rows
    /// are held in memory until all keys are known.
    private(set) var collected: KeyList?
    private var held = HeldRows(delimiter: nil)
    private var opened: [String: RecordReader] = [:]
    private var names: [String] = []
    private(set) var options = ReaderOptions()
    private var threads = 1
    /// Where standard input began, if it is a file.
    private var inputPlace: Int?

    init() {}

    /// Finds the columns of CSV output without `--keys`: the keys of all records, in order of first appearance.
    ///
    /// Those of CSV files are in their headers. Of a stream the first 10,000 records are read in advance. The keys of
    /// other files are collected while they are filtered.
    init(_ invocation: Invocation, _ names: [String], _ options: ReaderOptions, threads: Int) throws {
        (self.names, self.options, self.threads) = (names, options, threads)
        inputPlace = invocation.input.descriptor.flatMap(SystemFile.place)
        guard ![OptionDescription.keys, .countOnly, .group].contains(where: invocation.has),
            names.count > 1 || invocation[.to] == "csv",
            try invocation.writesCSV(names, options)
        else { return }
        var keys = KeyList()
        var isKnown = true
        var streams: [String: [String]] = [:]
        for name in names {
            let place = name == "-" ? inputPlace : nil
            let isStream = name == "-" && place == nil
            let reader = try invocation.open(name, isStream || names.count == 1 ? options : options.forSurvey)
            if reader.totalBytes == nil || isStream {
                let first = reader.firstKeys()
                keys.add(first)
                streams[name] = first
                opened[name] = reader
            } else if names.count == 1 {
                opened[name] = reader
                isKnown = false
            } else {
                _ = reader.nextBatch()
                keys.add(reader.source.columns)
                isKnown = isKnown && !reader.source.columns.isEmpty
                invocation.input.move(to: place)
            }
        }
        if isKnown {
            columns = keys.names.isEmpty ? nil : keys.names
        } else if !streams.isEmpty {
            // An unexpected key later in a stream is an error, so the columns must be known before the stream is
            // filtered.
            columns = try surveyed(invocation, streams)
        } else {
            collected = KeyList()
            held = HeldRows(delimiter: options.delimiter)
        }
    }

    /// The reader of an input that was opened to find the columns.
    mutating func takeReader(_ name: String) -> RecordReader? { opened.removeValue(forKey: name) }

    /// Reads the files to collect the keys of all records.
    /// - Parameter streams: the keys of streams, which cannot be read a second time.
    func surveyed(_ invocation: Invocation, _ streams: [String: [String]] = [:]) throws -> [String] {
        var keys = KeyList()
        for name in names {
            if let first = streams[name] {
                keys.add(first)
                continue
            }
            let place = name == "-" ? invocation.input.descriptor.flatMap(SystemFile.place) : nil
            if name == "-" { invocation.input.move(to: inputPlace) }
            try invocation.open(name, options.forSurvey).addKeys(to: &keys, threads: threads)
            invocation.input.move(to: place)
        }
        return keys.names
    }

    // MARK: Collecting

    /// Whether no row is held.
    var holdsNothing: Bool { held.isEmpty }

    /// Adds keys of records, if they are collected.
    mutating func add(_ keys: [String]) { collected?.add(keys) }

    mutating func add(_ record: PredicateValue) { collected?.add(record) }

    /// Adds the columns of a CSV file. If there is only one input, they are the columns of the output.
    mutating func note(_ source: RecordInput) {
        guard collected != nil, !source.columns.isEmpty else { return }
        add(source.columns)
        if names.count == 1, held.isEmpty { _ = settle(source.columns) }
    }

    /// Holds the row of a record. Returns false if that cannot be, so that the files must be read for their keys.
    mutating func hold(_ record: Record) -> Bool { held.add(record, columns: collected?.names ?? []) }

    /// Ends collecting. Returns the rows that were held.
    mutating func settle(_ names: [String]) -> HeldRows {
        defer { (held, collected) = (HeldRows(delimiter: nil), nil) }
        columns = names.isEmpty ? nil : names
        return held
    }
}

extension ReaderOptions {
    /// The options for reading keys only.
    fileprivate var forSurvey: ReaderOptions {
        var survey = self
        (survey.types, survey.fields, survey.decidesAllColumns) = (FieldTypes(), [], false)
        return survey
    }
}

extension CommandInput {
    /// Moves standard input to a place, if it is a file.
    func move(to place: Int?) {
        if let place, let descriptor { SystemFile.move(descriptor, to: place) }
    }
}

extension Invocation {
    /// Whether the output is CSV. Without `--to`, the output has the format of the first input.
    fileprivate func writesCSV(_ names: [String], _ options: ReaderOptions) throws -> Bool {
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
