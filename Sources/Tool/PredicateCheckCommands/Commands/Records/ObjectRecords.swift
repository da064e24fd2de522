// Records as the objects of `eval`, `why` and `filter --why-not`, one after another. RecordRun.swift reads many records
// quickly, for `filter` and `match`.

extension OptionDescription {
    /// The options of `eval` and `why` for records in place of one object.
    static let records: [OptionDescription] = reading + [.example, .offset, .limit, .onError]

    static let recordsHelp = """
        Objects may also be records of files, read as by predicate filter; --offset 2 --limit 1 takes the third one. An
        option such as --from csv reads the records of standard input. Each answer then begins with the record's place.
        """
}

extension Invocation {
    /// Whether the objects are records: files are named, or there are options for reading them.
    var hasRecords: Bool {
        let options = OptionDescription.reading.filter { $0 != .types } + [.example, .offset, .limit, .onError]
        return operands.count > (has(.file) ? 0 : 1) || options.contains(where: has)
    }

    /// Calls `body` for the records of the inputs, with their places, from `--offset` up to `--limit`. Throws for a
    /// record that cannot be read, unless `--on-error skip` is given.
    func forEachRecord(_ body: (Record, _ place: String) throws -> Void) throws {
        if has(.object) { throw CommandEnd.usage("give --object or records, not both") }
        var options = try readerOptions(keepsText: false)
        let names = try inputNames()
        let types = try columnTypes(of: names, options, isOfOne: true)
        let (first, limit) = (try count(.offset) ?? 0, try count(.limit) ?? .max)
        var number = 0
        for name in names {
            options.columnTypes = types[name]
            let reader = try open(name, options)
            while number - first < limit, let event = reader.next() {
                switch event {
                case .problem(let problem):
                    try output.note(DisplayText.visible(problem.description))
                    if problem.endsInput || self[.onError] != "skip" { throw CommandEnd.exit(.failed) }
                case .record(let record):
                    number += 1
                    if number <= first { continue }
                    let place = record.line > 0 ? ":\(record.line)" : ", record \(record.index + 1)"
                    try body(record, record.source.name + place)
                }
            }
        }
    }

    /// The types of the CSV columns of several files, which are one entity, from all of their records: a column that is
    /// a text in one file is a text in all. Streams, which cannot be read twice, have types of their own.
    ///
    /// - Parameter isOfOne: whether one file is enough. Otherwise its types are inferred from its start.
    func columnTypes(
        of names: [String], _ options: ReaderOptions, isOfOne: Bool = false
    ) throws -> [String: [CSVColumnType?]] {
        let files = names.filter(input.isFile)
        if files.count < (isOfOne ? 1 : 2) { return [:] }
        // A file that cannot be opened is reported when it is read.
        let types = try RecordReader.columnTypes(of: files.map { file in { try? open(file, options) } })
        return Dictionary(zip(files, types).compactMap { file, types in types.map { (file, $0) } }) { $1 }
    }

    /// Prints the explanation of a record.
    func show(_ explanation: PredicateExplanation, at place: String) throws {
        try output.line(
            Report(self).format == .json
                ? "{\"record\":\(JSON.text(.string(place))),\"explanation\":\(explanation.json)}"
                : DisplayText.visible(place) + ": " + explanation.description)
    }
}

extension RecordReader {
    /// The types of the CSV columns of inputs that are one entity; nil for inputs of other formats.
    package static func columnTypes(of inputs: [() throws -> RecordReader?]) throws -> [[CSVColumnType?]?] {
        var known: [String: CSVColumnType] = [:]
        let columns = try inputs.map { open -> [String]? in
            guard let reader = try open(), let types = reader.columnTypes() else { return nil }
            for (column, type) in zip(reader.source.columns, types) {
                if let type { known[column] = known[column]?.joined(type) ?? type }
            }
            return Array(reader.source.columns.prefix(types.count))
        }
        return columns.map { $0?.map { known[$0] } }
    }
}
