// Records of files, held in memory as columns. The prompt uses it for everything except databases.

/// Files of records: one entity per file, or one of all.
final class MemorySource: DataSource {
    let name: String
    let schema: PredicateSchema
    let entities: [String]
    /// What was assumed about the files.
    private(set) var notes: [String] = []
    /// The records that could not be read.
    let problems: [RecordProblem]
    let files: [String]
    private let openings: [String: [([String]) throws -> RecordReader]]
    private let tables: [String: (records: PredicateTable, shape: FieldShape)]

    /// A file to read. `open` takes the types of CSV columns, nil infers them from the start of the file, and the keys to
    /// read, nil reads all.
    typealias File = (name: String, open: ([CSVColumnType?]?, [String]?) throws -> RecordReader)

    /// Reads whole files. Throws if a file cannot be opened or read to its end. Invalid records are skipped and added
    /// to `problems`.
    ///
    /// - Parameters:
    ///   - joined: the name of the one entity of all files.
    ///   - keepsRecords: whether to keep the records. Otherwise only the schema is there.
    init(_ files: [File], as joined: String? = nil, keepsRecords: Bool = true) throws {
        var tables: [String: (records: PredicateTable, shape: FieldShape)] = [:]
        var names: [String] = []
        var problems: [RecordProblem] = []
        let types =
            try joined == nil || files.count == 1
            ? files.map { _ in nil } : RecordReader.columnTypes(of: files.map { file in { try file.open(nil, nil) } })
        var notes: [String] = []
        var openings: [String: [([String]) throws -> RecordReader]] = [:]
        var (records, shape) = (PredicateTableBuilder(), FieldShape())
        for (index, file) in files.enumerated() {
            let known = try Self.read(file, &problems, types[index], &records, &shape, keepsRecords, &notes)
            let name = joined ?? Self.entityName(file.name, besides: names)
            openings[name, default: []].append { try file.open(known, $0) }
            if joined != nil, index < files.count - 1 { continue }
            names.append(name)
            tables[name] = (records.finish(), shape)
            (records, shape) = (PredicateTableBuilder(), FieldShape())
        }
        (self.openings, self.notes) = (openings, notes)
        self.tables = tables
        self.problems = problems
        self.entities = names
        self.files = files.map(\.name)
        name = files.map(\.name).joined(separator: ", ")
        do {
            let entities = names.flatMap { tables[$0]?.shape.entities(named: $0) ?? [] }
            schema = try PredicateSchema(entities, defaultEntity: names.first)
        } catch {
            throw CommandEnd.failure(.failed, "these records have no schema: \(error)")
        }
    }

    /// Adds the records of a file. Returns the types of its columns; nil if its start has them.
    private static func read(
        _ file: File, _ problems: inout [RecordProblem], _ types: [CSVColumnType?]?,
        _ records: inout PredicateTableBuilder, _ shape: inout FieldShape, _ keepsRecords: Bool,
        _ notes: inout [String]
    ) throws -> [CSVColumnType?]? {
        let first = problems.count
        let reader = try file.open(types, nil)
        while let event = reader.next() {
            try Task.checkCancellation()
            switch event {
            case .record(let record):
                if keepsRecords { records.append(record.value) }
                if shape.count == 0 { shape = FieldShape(of: record.source.format) }
                shape.add(record.value)
            case .problem(let problem):
                if problem.misfit != nil, types == nil, let all = try file.open(nil, nil).columnTypes() {
                    problems.removeSubrange(first...)
                    (records, shape) = (PredicateTableBuilder(), FieldShape())
                    return try read(file, &problems, all, &records, &shape, keepsRecords, &notes)
                }
                if problem.endsInput { throw CommandEnd.failure(.failed, problem.description) }
                problems.append(problem)
            }
        }
        if let note = reader.source.noteOfQuotes(ReaderOptions()) { notes.append(note) }
        return types
    }

    /// Calls `body` with each value at a path of an entity's records, read again; with the elements of a list.
    func readAgain(_ entity: String, _ path: [String], _ body: (PredicateValue) throws -> Void) throws {
        for open in openings[entity] ?? [] {
            try open([path[0]]).eachValue { record in
                try path.reduce([record]) { objects, key in
                    objects.flatMap { object -> [PredicateValue] in
                        guard let value = object[member: key] else { return [] }
                        return if case .array(let elements) = value { elements } else { [value] }
                    }
                }.forEach(body)
            }
        }
    }

    /// The entity name of a file: `people` for `data/people.json`, or `people-2` if that name is taken.
    static func entityName(_ path: String, besides taken: [String]) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let base = file.split(separator: ".").first.map(String.init) ?? "records"
        var name = base
        var number = 2
        while taken.contains(name) {
            name = "\(base)-\(number)"
            number += 1
        }
        return name
    }

    var dialect: SQLDialect? { nil }
    func checkFaults(_ records: [PredicateValue]) {}

    var summary: String {
        entities.map { "\(DisplayText.count(count(of: $0), "record")) of \($0)" }.joined(separator: ", ")
    }

    /// The number of records, even if they are not kept.
    func recordCount(of entity: String) -> Int { tables[entity]?.shape.count ?? 0 }

    func isDescribed(_ entity: String) -> Bool { tables[entity]?.shape.isOfObjects ?? false }

    func columns(of entity: String) -> [String] { tables[entity]?.shape.keys ?? [] }

    func count(of entity: String, isCancelled: () -> Bool) -> Int? { count(of: entity) }

    private func count(of entity: String) -> Int { tables[entity]?.records.count ?? 0 }

    func domain(of path: [String], in entity: String) -> [PredicateValue] {
        guard let field = tables[entity]?.shape.field(at: path) else { return [] }
        return field.domain.sorted { ValueOrder.compare($0, $1) < 0 }
    }

    /// Whether the records of an entity are rows of CSV.
    func isOfCSV(_ entity: String) -> Bool { tables[entity]?.shape.format == .csv }

    func select(_ selection: Selection) throws(PredicateFailure) -> SelectedRecords {
        guard let table = tables[selection.entity]?.records else { return SelectedRecords() }
        let matcher = try selection.predicate.compiled(for: table, variables: selection.variables, run: selection.run)
        let (sort, limit, keys) = (selection.sort, selection.limit, selection.keys)
        let (found, wasCancelled) = try Interruptible.run(isCancelled: selection.isCancelled) {
            () throws(PredicateFailure) in
            var answer = SelectedRecords()
            let evaluation = matcher.evaluation { Task.isCancelled }
            let shown = keys.map(table.projection) ?? table
            let rows = evaluation.selected
            answer.records =
                sort.keys.isEmpty
                ? rows.prefix(limit ?? .max).map { shown[$0] }
                : try Self.sorted(rows, table, sort, limit).map { shown[$0] }
            answer.count = evaluation.selected.count
            answer.failed = evaluation.failed.count
            answer.firstFailure = evaluation.firstFailure
            return answer
        }
        var answer = found ?? SelectedRecords()
        answer.wasCancelled = wasCancelled
        return answer
    }

    private static func sorted(
        _ rows: some Sequence<Int>, _ table: PredicateTable, _ sort: RecordOrder, _ limit: Int?
    ) throws(PredicateFailure) -> [Int] {
        let readers = sort.readers
        // A name with a dot may be a key or a key path.
        let keys = readers.reduce(into: Set(readers.map(\.path.name))) { $0.formUnion($1.reads ?? []) }
        let fields = readers.contains { $0.reads == nil } ? table : table.projection(keys)
        var sorter = Sorter<Int>(keys: sort.keys, limit: limit, rules: sort.keys.rules)
        for row in rows {
            if Task.isCancelled { return [] }
            sorter.add(row, fields: try sort.values(in: fields[row]))
        }
        return sorter.finish()
    }

    func plan(of selection: Selection, width: Int?) -> [String] {
        let count = DisplayText.count(count(of: selection.entity), "record")
        return ["each of the \(count) of \(selection.entity) is tested in memory"]
    }
}
