// Opens the data sources of the command line and of `.open`.

enum DataSources {
    /// Opens files of records, or one database. Without names, opens the sample data, or one of the samples.
    ///
    /// - Parameters:
    ///   - joined: the name of the one entity of all files; nil makes an entity of each file.
    ///   - keepsRecords: whether to keep the records of files, not only their schema.
    static func open(
        _ names: [String], _ input: CommandInput, _ options: ReaderOptions, as joined: String? = nil,
        driver: DriverOptions = DriverOptions(), example: Example? = nil, keepsRecords: Bool = true
    ) throws -> any DataSource {
        var input = input
        // The records of joined files are read twice.
        if joined != nil || !keepsRecords { input.keepsPipes = true }
        let names = try input.recordFiles(names)
        guard !names.isEmpty else {
            return try MemorySource(
                (example.map { [$0] } ?? Example.all).map { example in
                    (example.file, { _, _ in reader(example, options) })
                }, as: joined)
        }
        for name in names {
            guard let database = DatabaseAddress(name, input, driver) else { continue }
            guard names.count == 1 else {
                throw CommandEnd.usage("a database must be the only file", hint: "'\(name)' is a database")
            }
            if joined != nil { throw CommandEnd.usage("'\(name)' is a database, not a file of records") }
            return try DatabaseSource(name, database)
        }
        return try MemorySource(
            names.map { [input] name in
                (
                    name,
                    { types, fields in
                        var options = options
                        (options.columnTypes, options.fields) = (types, fields)
                        do throws(RecordProblem) { return try input.reader(name, options) } catch {
                            throw CommandEnd.failure(.failed, error.description)
                        }
                    }
                )
            }, as: joined, keepsRecords: keepsRecords)
    }

    private static func reader(_ example: Example, _ options: ReaderOptions) -> RecordReader {
        var options = options
        if let types = example.types, options.types.isEmpty, let known = try? FieldTypes(types) {
            options.types = known
        }
        return RecordReader(bytes: example.bytes, name: example.file, options: options)
    }
}
