// `predicate import`: writes the records of files into a database.

import Foundation

extension CommandDescription {
    static let importRecords = CommandDescription(
        name: "import", summary: "writes records and archives into a database",
        operands: "FILE…", operandCount: 1...Int.max,
        options: [
            .into, .table, .databaseSchema, .keepGoing, .reportOnly, .updateExisting, .ignoredKeys, .losses,
        ] + OptionDescription.reading + [.output, .help],
        details: """
            Reads JSON, JSON Lines, CSV, property lists and keyed archives, and writes a row for each record, in one
            transaction. Keys of a record are those of the entity. Objects inside of a record are rows of the entities to which
            the relationships lead; an object of an archive is one row, however many refer to it. A relationship is given from
            either side, as an object or as its key. An object without a primary key gets the next integer. An object inside of a
            record whose row exists is a reference: without --update, other values than the stored ones are a loss.

            If a record cannot be imported, nothing is, and each loss is printed with its reason; the exit code is 5. With
            --keep-going the other records are imported, and the exit code is 1. If the database ends the transaction, as
            SQLite does for RAISE(ROLLBACK), nothing is imported. The file of --losses can be imported again after a
            correction, with another file of losses. Of a damaged archive, --keep-going imports the objects that can be read.

            A database that does not exist is made in the same transaction, with the tables of --schema, or of the records: one
            named by --entity, else by the file, and one for each object or list of objects in a record, with the types of all
            records. The primary key is the column id if each record has another one, else a new column; a note says which. A
            database that exists is never made again: its tables must fit. Without --entity and --schema, each of several files is
            a table of its name, which is made if the database has none. Folders and the options of the input are those of
            predicate filter.
            """,
        examples: [
            "predicate import people.csv --into new.sqlite",
            "predicate import people.json --into shop.sqlite --entity person --dry-run",
            "predicate import todo.plist --into todo.sqlite --entity todo --ignore-keys color",
            "predicate import people.csv --into shop.sqlite --entity person --keep-going --losses lost.jsonl",
        ]
    ) { invocation in try ImportRun(invocation).run() }
}

/// One run of the command.
private struct ImportRun {
    /// The maximum number of losses that are printed.
    private static let shown = 20

    private let invocation: Invocation
    private let input: CommandInput
    private let files: [String]
    private let store: SQLiteStore
    /// The path of the database, if this run makes it; nil for one that exists.
    private let newPath: String?
    /// The entity of each file.
    private let entities: [String]
    /// The tables to make in the transaction.
    private let newTables: PredicateSchema?
    private let lossesPlace: OutputPlace?

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        guard let name = invocation[.into] else {
            throw CommandEnd.usage("a database is required", hint: "--into FILE.sqlite")
        }
        guard !invocation.operands.isEmpty else {
            throw CommandEnd.usage("a file is required", hint: "predicate import people.json --into \(name)")
        }
        files = try invocation.input.recordFiles(invocation.operands)
        let environment = try invocation.textReader(unbound: false).environment
        var schema = invocation.has(.schema) ? try invocation.schemaOption(environment)?.schema : nil
        let path = invocation.input.path(name)
        let isNew = invocation.input.entryKind(name, followsLinks: true) == nil
        newPath = isNew ? path : nil
        // The records of new tables are read twice.
        var input = invocation.input
        let areTables = files.count > 1 && !invocation.has(.table) && schema == nil
        input.keepsPipes = isNew || areTables
        self.input = input
        var inferred: InferredTables?
        if isNew {
            if schema == nil { inferred = try Self.inferred(invocation, input, files) }
            schema = schema ?? inferred?.schema
            do throws(StoreFailure) {
                store = try SQLiteStore(
                    path: invocation.has(.reportOnly) ? ":memory:" : path, schema: schema, mode: .create)
            } catch {
                let reason = if case .cannotOpen(_, let reason) = error { reason } else { error.shortDescription }
                throw CommandEnd.failure(.failed, "cannot make '\(name)': \(reason)")
            }
        } else {
            store = try SQLiteStore(name, invocation.input, schema: schema, mode: .readWrite)
            if areTables { inferred = try Self.inferred(invocation, input, files, besides: store.schema) }
        }
        newTables = isNew ? store.schema : inferred.flatMap { $0.schema.entities.isEmpty ? nil : $0.schema }
        entities =
            areTables
            ? inferred?.roots.map { [store] in store.schema.entity(ofFile: $0)?.name ?? $0 } ?? []
            : Array(repeating: try FetchRun.entity(invocation, store), count: files.count)
        lossesPlace = invocation[.losses].map { [files] in
            OutputPlace($0, invocation.input, inputs: files, store: name, kind: .losses)
        }
        try lossesPlace?.check()
    }

    /// The tables of the records that the database does not have. Prints what the primary keys are. Throws if a file does
    /// not fit the table of its name.
    private static func inferred(
        _ invocation: Invocation, _ input: CommandInput, _ files: [String], besides existing: PredicateSchema = .empty
    ) throws -> InferredTables {
        let file = invocation.operands[0]
        let name = invocation[.table] ?? (file == "-" ? "records" : MemorySource.entityName(file, besides: []))
        let isOne = files.count == 1 || invocation.has(.table)
        let reading = try invocation.readerOptions(keepsText: false)
        let source = try DataSources.open(files, input, reading, as: isOne ? name : nil, keepsRecords: false)
        guard let records = source as? MemorySource else {
            throw CommandEnd.usage("'\(file)' is a database, not a file of records")
        }
        let ignored = Set(invocation.list(.ignoredKeys))
        for (file, root) in zip(files, records.entities) {
            guard let entity = existing.entity(ofFile: root)?.name else { continue }
            let known = ignored.union(existing.keys(of: entity))
            let others = records.columns(of: root).filter { !known.contains($0) }.map { "'\($0)'" }
            if others.isEmpty { continue }
            let reason = "the table '\(entity)' has no column \(others.joined(separator: ", "))"
            throw CommandEnd.failure(.failed, "\(file): \(reason); --entity NAME names another table")
        }
        let tables = try InferredTables(records, ignoring: ignored, besides: existing)
        for note in records.notes + tables.notes { try invocation.output.note(DisplayText.visible(note)) }
        return tables
    }

    func run() throws -> ExitCode {
        var options = ImportOptions()
        options.keepsGoing = invocation.has(.keepGoing)
        options.isDryRun = invocation.has(.reportOnly)
        options.updates = invocation.has(.updateExisting)
        options.ignoredKeys = Set(invocation.list(.ignoredKeys))
        var reading = try invocation.readerOptions(keepsText: false)
        reading.isVerbatim = true
        let (report, losses): (ImportReport, [ImportLoss])
        do {
            let inputs = zip(entities, files).map { entity, name in
                (entity: entity, open: { [reading] in try input.reader(name, reading, isWhole: true) })
            }
            (report, losses) = try creating { store in
                try store.importRecords(inputs, options, keepsLosses: lossesPlace != nil)
            }
        } catch let failure as StoreFailure {
            let isBegun = if case .request = failure { false } else { true }
            throw CommandEnd.failure(.failed, failure.shortDescription + (isBegun ? "; nothing was imported" : ""))
        }
        // Written after the transaction, so the losses are those of the rows that are stored.
        let written = Result {
            try lossesPlace?.write(Array(losses.map { JSON.text($0.namingOption.fields) + "\n" }.joined().utf8))
        }
        for violation in try store.foreignKeyViolations {
            try invocation.output.note(DisplayText.visible("foreign keys are not enforced: \(violation)"))
        }
        try show(report, options)
        try written.get()
        if report.lossCount == 0 { return .success }
        // Even with --keep-going nothing is imported if a required object is missing.
        return options.keepsGoing && (report.isCommitted || options.isDryRun) ? .negative : .failed
    }

    /// Thrown to undo the creation of a database into which nothing was imported.
    private struct NothingImported: Error {
        let result: (ImportReport, [ImportLoss])
    }

    /// Makes the database or the tables if they are new, in one transaction with the import. Without rows, there is no
    /// database.
    private func creating(
        _ body: (SQLiteStore) throws -> (ImportReport, [ImportLoss])
    ) throws -> (ImportReport, [ImportLoss]) {
        guard let newTables else { return try body(store) }
        do {
            return try store.transaction {
                try store.create(newTables)
                let all = newPath == nil ? try PredicateSchema(store.schema.entities + newTables.entities) : nil
                let result = try body(all.map { try store.assuming($0) } ?? store)
                if !result.0.isCommitted { throw NothingImported(result: result) }
                return result
            }
        } catch {
            // The transaction was undone, so the file is empty.
            if let newPath {
                let size = try? FileManager.default.attributesOfItem(atPath: newPath)[.size] as? Int
                if size == 0 { try? FileManager.default.removeItem(atPath: newPath) }
            }
            guard let undone = error as? NothingImported else { throw error }
            return undone.result
        }
    }

    private func show(_ report: ImportReport, _ options: ImportOptions) throws {
        let output = invocation.output
        for loss in report.losses.prefix(Self.shown) {
            try output.note(DisplayText.visible(loss.namingOption.description))
        }
        if report.lossCount > Self.shown { try output.note("\(report.lossCount - Self.shown) more losses") }
        let rows = report.rows.sorted { $0.key < $1.key }.filter { $0.value > 0 }
        if Report(invocation).format == .json {
            let fields: [(String, PredicateValue)] =
                [
                    ("rows", .object(rows.map { ($0.key, .integer(Int64($0.value))) })),
                    ("links", .integer(Int64(report.links))), ("losses", .integer(Int64(report.lossCount))),
                    ("imported", .bool(report.isCommitted)),
                ] + (newPath == nil ? [] : [("created", .bool(report.isCommitted))])
            return try output.line(JSON.text(.object(fields)))
        }
        if newPath != nil, report.isCommitted {
            try output.line("made \(DisplayText.visible(invocation[.into] ?? ""))")
        }
        for (entity, count) in rows {
            try output.line("\(DisplayText.visible(entity)): \(DisplayText.count(count, "row"))")
        }
        if report.links > 0 { try output.line(DisplayText.count(report.links, "link")) }
        if report.lossCount > 0 { try output.line(report.lossCount == 1 ? "1 loss" : "\(report.lossCount) losses") }
        if !report.isCommitted { try output.line("nothing is imported" + (options.isDryRun ? ": --dry-run" : "")) }
    }
}

extension ImportLoss {
    /// With the option of the command.
    fileprivate var namingOption: ImportLoss { replacing(Self.updatesAreOff, by: "use --update") }

    /// The loss as a line for the file of losses.
    fileprivate var fields: PredicateValue {
        .object([
            ("at", .string(place)), ("entity", .string(entity)), ("reason", .string(reason)),
            ("record", record.map(PredicateValue.dictionary) ?? .null),
        ])
    }
}
