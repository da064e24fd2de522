// Writes the rows of records and archives in one transaction. ImportedRow.swift collects the rows;
// SQLStore+Import.swift is the public interface.
import PredicateModel
package import PredicateRecords
import PredicateSQL
import PredicateSyntax

/// Thrown to roll back the transaction of an import that stores nothing.
private struct ImportUndone: Error {}

/// Imports records into a store.
package final class Importer<Connection: SQLConnection> {
    /// The number of references that are looked up at a time.
    private static var batch: Int { 500 }
    /// The keys of an entry in a file of losses, as an earlier import wrote it.
    private static var lossKeys: Set<String> { ["at", "entity", "reason", "record"] }

    private let store: SQLStore<Connection>
    private let options: ImportOptions
    private let onLoss: (ImportLoss) throws -> Void
    private var report = ImportReport()
    /// The next key of each table.
    private var nextKeys: [String: Int64] = [:]
    /// Nested objects that were written; several records may contain the same object.
    private var shared: Set<RowIdentity> = []
    private var references: [ImportedLink] = []
    /// References to rows that do not exist yet.
    private var open: [ImportedLink] = []
    private var links: [ImportedLink] = []
    /// Whether a required reference has no row, so that nothing can be imported.
    private var isRefused = false

    /// - Parameter onLoss: called for each loss.
    package init(
        _ store: SQLStore<Connection>, _ options: ImportOptions,
        onLoss: @escaping (ImportLoss) throws -> Void = { _ in }
    ) {
        self.store = store
        self.options = options
        self.onLoss = onLoss
    }

    /// Imports the records of some inputs in one transaction.
    ///
    /// - Parameters:
    ///   - readers: make the readers of the inputs, with `isVerbatim`.
    ///   - entity: the entity of the records.
    /// - Throws: `StoreFailure` for errors that do not concern a single record; what `readers` and `onLoss` throw.
    package func run(_ readers: [() throws -> RecordReader], into entity: String) throws -> ImportReport {
        let layout = try store.layouts.layout(entity)
        do {
            try store.transaction {
                for reader in readers { try read(try reader(), layout) }
                try check(all: true)
                try resolve()
                for link in links where link.row.isWritten { try write(link) }
                if options.isDryRun || isRefused || report.lossCount > 0 && !options.keepsGoing { throw ImportUndone() }
            }
            report.isCommitted = true
        } catch is ImportUndone {}
        return report
    }

    // MARK: Reading

    private func read(_ reader: RecordReader, _ layout: EntityLayout) throws {
        while let event = reader.next() {
            switch event {
            case .problem(let problem):
                try lose(
                    ImportLoss(
                        place: problem.line > 0 ? "\(problem.file):\(problem.line)" : problem.file,
                        entity: layout.entity, reason: problem.message, record: nil))
            case .record(let record):
                let file = record.source.name
                try add(record.value, layout, at: record.line > 0 ? "\(file):\(record.line)" : file)
            }
        }
    }

    private func add(_ value: PredicateValue, _ layout: EntityLayout, at place: String) throws {
        var (value, layout) = (value, layout)
        // The record is an entry of a file of losses.
        if case .dictionary(let loss) = value, Set(loss.keys) == Self.lossKeys,
            case .string(let entity)? = loss["entity"]
        {
            layout = try store.layouts.layout(entity)
            value = loss["record"] ?? .null
        }
        let archive = ArchivedObjects(value)
        var document = ImportedDocument(store.layouts, options, place, archive: archive) {
            [self] (layout) throws(StoreFailure) in try key(of: layout)
        }
        if var archive {
            for number in archive.damaged {
                try lose(
                    ImportLoss(
                        place: place, entity: layout.entity, reason: "object \(number) of the archive is damaged",
                        record: nil))
            }
            for root in archive.roots() {
                switch root {
                case .success(let value): document.add(value, layout)
                case .failure(let problem):
                    try lose(ImportLoss(place: place, entity: layout.entity, reason: problem.message, record: nil))
                }
            }
        } else {
            document.add(value, layout)
        }
        for loss in document.losses { try lose(loss) }
        for row in document.rows { try write(row) }
        for link in document.links where link.row.isWritten {
            if case .own = link.kind { references.append(link) } else { links.append(link) }
        }
        if references.count >= Self.batch { try check(all: false) }
    }

    /// Makes a key for an object without one: the next integer after the greatest key. nil if the database makes the
    /// key.
    private func key(of layout: EntityLayout) throws(StoreFailure) -> [PredicateValue]? {
        guard layout.primaryKey.count == 1, layout.position(ofAttribute: layout.keyNames[0]) != nil else {
            if layout.primaryKey.count <= 1 { return nil }
            throw .schema("a record of \(layout.entity) has no key (\(layout.keyNames.joined(separator: ", ")))")
        }
        let name = layout.keyNames[0]
        switch layout.types[layout.primaryKey[0]] {
        case .uuid: return [.uuid(UniversalID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))]
        case .integer: break
        default: throw .schema("a record of \(layout.entity) has no key '\(name)'")
        }
        if nextKeys[layout.table] == nil {
            // Entities may share the table.
            let first = store.schema.lineage(of: layout.entity).last { store.schema.table(of: $0.name) == layout.table }
            let greatest = FetchRequest(
                first?.name ?? layout.entity, sort: [SortKey(name, descending: true)], limit: 1)
            guard case .integer(let number)? = try store.fetch(greatest).first?.primaryKey[0] else {
                nextKeys[layout.table] = 2
                return [.integer(1)]
            }
            nextKeys[layout.table] = max(0, number) &+ 1
        }
        let next = nextKeys[layout.table] ?? 1
        nextKeys[layout.table] = next &+ 1
        return [.integer(next)]
    }

    private func lose(_ loss: ImportLoss) throws {
        report.lossCount += 1
        if report.losses.count < ImportReport.shownLosses { report.losses.append(loss) }
        try onLoss(loss)
    }

    private func lose(_ row: ImportedRow, _ reason: String) throws {
        try lose(
            ImportLoss(
                place: row.place, entity: row.layout.entity, reason: reason, record: ValueDictionary(row.record)))
    }

    // MARK: Rows

    private func write(_ row: ImportedRow) throws {
        if let problem = row.problem { return try lose(row, problem) }
        let identity = RowIdentity(table: row.layout.table, key: row.key)
        do throws(StoreFailure) {
            var columns = try row.layout.stored(ValueDictionary(row.fields), in: store.schema, store.dialect)
            columns += row.columns.filter { extra in !columns.contains { $0.column == extra.column } }
            let isThere = !row.key.isEmpty && (options.updates || row.isShared || shared.contains(identity))
            let isUpdated = isThere ? try update(row, columns) : false
            if !isUpdated { try store.write([StoredRows(columns)], row.layout, nil) }
        } catch {
            switch error {
            case .request, .constraint, .schema, .storedValue: return try lose(row, error.shortDescription)
            default: throw error
            }
        }
        row.isWritten = true
        if row.isShared { shared.insert(identity) }
        report.rows[row.layout.entity, default: 0] += 1
    }

    /// Updates the row with the key. Returns false if there is none.
    private func update(_ row: ImportedRow, _ columns: [StoredColumn]) throws(StoreFailure) -> Bool {
        let names = Set(row.layout.primaryKey.map { row.layout.columns[$0] })
        let keys = columns.filter { names.contains($0.column) }
        let others = columns.filter { !names.contains($0.column) }
        if try missing([row.key], row.layout).isEmpty {
            if !others.isEmpty { try set(others, row.layout, keys, row.key) }
            return true
        }
        return false
    }

    /// Sets columns of the row with a key. Returns the number of rows.
    @discardableResult
    private func set(
        _ columns: [StoredColumn], _ layout: EntityLayout, _ keys: [StoredColumn], _ key: [PredicateValue]
    ) throws(StoreFailure) -> Int {
        let text = store.dialect.update(layout.table, set: columns, where: keys)
        let all = columns + keys
        return try store.recording(layout.table) { (_) throws(StoreFailure) in
            let count = try store.writing { (connection) throws(StoreFailure) in
                try connection.change(text, all.map(\.value), types: all.map(\.type))
            }
            return (count, count, [key])
        }
    }

    // MARK: Links

    /// Returns those of the keys that no row has.
    private func missing(
        _ keys: Set<[PredicateValue]>, _ layout: EntityLayout
    ) throws(StoreFailure) -> Set<[PredicateValue]> {
        let (log, keys) = (FaultLog(), Array(keys))
        let place = ObjectPlace.columns(layout.primaryKey.map { layout.columns[$0] })
        let found = try store.objects(layout, place, keys, log)
        return Set(zip(keys, found).filter { $1.isEmpty }.map(\.0))
    }

    /// Looks up the rows that references refer to. References to rows that do not exist yet stay open.
    private func check(all: Bool) throws(StoreFailure) {
        if all {
            references += open
            open = []
        }
        for group in Dictionary(grouping: references, by: { $0.target.entity }).values {
            let missing = try missing(Set(group.map(\.key)), group[0].target)
            open += group.filter { missing.contains($0.key) }
        }
        references = []
    }

    /// Sets references to rows that do not exist to nil. If one must not be nil, nothing is imported, because other
    /// rows may refer to its row.
    private func resolve() throws {
        for link in open where link.row.isWritten {
            let name = "\(link.target.entity) \(ImportedRow.text(link.key))"
            let reason = "'\(link.relationship.name)' of \(link.row.name) refers to \(name), which does not exist"
            guard link.relationship.isOptional else {
                isRefused = true
                try lose(link.row, reason + ", and cannot be nil")
                continue
            }
            try lose(link.row, reason)
            let layout = link.row.layout
            guard case .column(let columns)? = store.schema.link(of: link.relationship), !link.row.key.isEmpty else {
                continue
            }
            let nils = columns.map { StoredColumn($0, .null, .integer) }
            try set(nils, layout, layout.keyColumns(link.row.key), link.row.key)
        }
    }

    private func write(_ link: ImportedLink) throws {
        let isThere = try missing([link.key], link.target).isEmpty
        let name = "\(link.target.entity) \(ImportedRow.text(link.key))"
        guard isThere else {
            return try lose(
                link.row, "'\(link.relationship.name)' of \(link.row.name) refers to \(name), which does not exist")
        }
        func columns(_ names: [String], _ key: [PredicateValue]) -> [StoredColumn] {
            zip(names, key).map { StoredColumn($0, $1, SQLType($1) ?? .text) }
        }
        switch link.kind {
        case .own: return
        case .other(let names):
            try set(columns(names, link.row.key), link.target, link.target.keyColumns(link.key), link.key)
        case .pair(let table, let from, let to):
            let pair = columns(from, link.row.key) + columns(to, link.key)
            let (names, types) = (pair.map(\.column), pair.map(\.type))
            let known = store.dialect.selectRows(
                of: table, names, where: names, types: types, keys: 1, pairs: nil, orderedBy: [], codes: nil)
            let isNew = try store.reading { (connection) throws(StoreFailure) in
                try connection.rows(known, pair.map(\.value), types: types).isEmpty
            }
            // Both objects may contain the same link.
            guard isNew, let text = store.dialect.insert(into: table, pair) else { return }
            try store.recording(table) { (_) throws(StoreFailure) in
                try store.writing { (connection) throws(StoreFailure) in
                    ((), try connection.change(text, pair.map(\.value), types: types), nil)
                }
            }
        }
        report.links += 1
    }
}

extension EntityLayout {
    /// The columns of a primary key as conditions.
    fileprivate func keyColumns(_ key: [PredicateValue]) -> [StoredColumn] {
        zip(primaryKey, key).map { StoredColumn(columns[$0], $1, SQLType($1) ?? .text) }
    }
}
