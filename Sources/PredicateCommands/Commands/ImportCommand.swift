// `predicate import`: writes the records of files into a database.

import Foundation
import PredicateRecords
import PredicateStores
import PredicateSyntax

extension CommandDescription {
    static let importRecords = CommandDescription(
        name: "import", summary: "writes records and archives into a database",
        operands: "FILE…", operandCount: 1...Int.max,
        options: [
            .into, .table, .databaseSchema, .keepGoing, .reportOnly, .updateExisting, .ignoredKeys, .losses, .from, .at,
            .delimiter, .types, .output, .help,
        ],
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
            """,
        examples: [
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
    private let store: SQLiteStore
    private let entity: String
    private let lossesPlace: OutputPlace?

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        guard let name = invocation[.into] else {
            throw CommandEnd.usage("a database is required", hint: "--into FILE.sqlite")
        }
        guard !invocation.operands.isEmpty else {
            throw CommandEnd.usage("a file is required", hint: "predicate import people.json --into \(name)")
        }
        guard invocation.input.entryKind(name, followsLinks: true) != nil else {
            throw CommandEnd.failure(
                .failed,
                "there is no database '\(name)': predicate migrate --database \(name) --to SCHEMA.json makes it")
        }
        let environment = try invocation.textReader(unbound: false).environment
        let schema = invocation.has(.schema) ? try invocation.schemaOption(environment)?.schema : nil
        store = try SQLiteStore(name, invocation.input, schema: schema, mode: .readWrite)
        entity = try FetchRun.entity(invocation, store)
        lossesPlace = invocation[.losses].map {
            OutputPlace($0, invocation.input, inputs: invocation.operands, store: name, kind: .losses)
        }
        try lossesPlace?.check()
    }

    func run() throws -> ExitCode {
        var options = ImportOptions()
        options.keepsGoing = invocation.has(.keepGoing)
        options.isDryRun = invocation.has(.reportOnly)
        options.updates = invocation.has(.updateExisting)
        options.ignoredKeys = Set(invocation.list(.ignoredKeys))
        var reading = try invocation.readerOptions()
        (reading.isVerbatim, reading.keepsText) = (true, false)
        let (report, losses): (ImportReport, [ImportLoss])
        do {
            let readers = invocation.operands.map { name in
                { [reading] in try invocation.input.reader(name, reading, isWhole: true) }
            }
            (report, losses) = try store.importRecords(
                readers, into: entity, options, keepsLosses: lossesPlace != nil)
        } catch let failure as StoreFailure {
            let isBegun = if case .request = failure { false } else { true }
            throw CommandEnd.failure(.failed, failure.shortDescription + (isBegun ? "; nothing was imported" : ""))
        }
        // Written after the transaction, so the losses are those of the rows that are stored.
        let written = Result {
            try lossesPlace?.write(Array(losses.map { JSON.text($0.fields) + "\n" }.joined().utf8))
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

    private func show(_ report: ImportReport, _ options: ImportOptions) throws {
        let output = invocation.output
        for loss in report.losses.prefix(Self.shown) { try output.note(DisplayText.visible(loss.description)) }
        if report.lossCount > Self.shown { try output.note("\(report.lossCount - Self.shown) more losses") }
        let rows = report.rows.sorted { $0.key < $1.key }.filter { $0.value > 0 }
        if Report(invocation).format == .json {
            let fields: [(String, PredicateValue)] = [
                ("rows", .object(rows.map { ($0.key, .integer(Int64($0.value))) })),
                ("links", .integer(Int64(report.links))), ("losses", .integer(Int64(report.lossCount))),
                ("imported", .bool(report.isCommitted)),
            ]
            return try output.line(JSON.text(.object(fields)))
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
    /// The loss as a line for the file of losses.
    fileprivate var fields: PredicateValue {
        .object([
            ("at", .string(place)), ("entity", .string(entity)), ("reason", .string(reason)),
            ("record", record.map(PredicateValue.dictionary) ?? .null),
        ])
    }
}
