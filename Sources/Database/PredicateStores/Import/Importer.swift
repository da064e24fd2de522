// In: records, such as {"id": 9, "name": "x", "done": false} for the entity Item, and a store. Out: their rows, in one
// transaction, and a loss for each record that cannot be stored. One loss rolls all back, unless the options keep going:
//
//     items.json:1: Item 9 exists; updates are off
//
// A record becomes rows and links, because there may be objects in it (ImportedDocument.swift). Rows are written at once
// (Importer+Rows.swift). References and links are checked when all rows exist (`finish`): a record may refer to a later
// one. SQLStore+Import.swift is the public interface.
import PredicateRecords

/// Thrown to roll back the transaction of an import that stores nothing.
private struct ImportUndone: Error {}

/// Imports records into a store.
final class Importer<Target: ImportTarget> {
    /// The number of references that are looked up at a time.
    private static var batch: Int { 500 }
    /// How a row of this import was written.
    enum WrittenAs {
        /// As a record.
        case record
        /// As an object in a record.
        case nested
        /// With a key that the importer made.
        case made
        /// The row existed before the import.
        case changed
    }

    let store: Target
    let options: ImportOptions
    /// Whether the first loss is thrown, as for objects that an app saves (ObjectGraph.swift).
    let failsFast: Bool
    private let keepsLosses: Bool
    /// All losses, if the caller wants them.
    private var losses: [ImportLoss] = []
    var report = ImportReport()
    /// The greatest integer key of each table.
    var greatestKeys: [String: Int64] = [:]
    /// The greatest integer key of the rows that RowGroups.swift writes later; made keys are greater.
    var givenKeys: [String: Int64] = [:]
    /// The written rows, by hash values of their tables and keys.
    var writtenAs: [Int: WrittenAs] = [:]
    /// The keys of the rows that FlatRows.swift has written, by their tables.
    var flatKeys: [String: [WrittenAs: WrittenKeys]] = [:]
    /// By the list of keys of the input's records; nil for records that are more than a row.
    var flatRows: [ObjectIdentifier: FlatRows?] = [:]
    /// The rows that are written next.
    var flat: FlatRows?
    let flatStore: SQLiteStore?
    /// References that are not looked up yet.
    private var references: [ImportedLink] = []
    /// References to rows that do not exist yet.
    private var openReferences: [ImportedLink] = []
    /// The links that are not columns of the row itself, written at the end.
    private var links: [ImportedLink] = []
    /// Whether a required reference has no row, and its row cannot be removed, so that nothing is imported.
    private var isRefused = false

    /// The advice in losses of rows that exist.
    var hint: String { failsFast || options.updates ? "" : "; " + ImportLoss.updatesAreOff }

    init(_ store: Target, _ options: ImportOptions, keepsLosses: Bool = false, failsFast: Bool = false) {
        self.store = store
        self.options = options
        self.keepsLosses = keepsLosses
        self.failsFast = failsFast
        flatStore = ImportOptions.isRowByRow ? nil : store as? SQLiteStore
    }

    /// Imports the records of some inputs in one transaction. Returns all losses if the importer keeps them.
    ///
    /// - Parameters:
    ///   - inputs: make the readers, with `isVerbatim`, and have the entities of their records.
    /// - Throws: `StoreFailure` for errors that do not concern a single record; what `readers` throw.
    static func run(
        _ inputs: [(entity: String, open: () throws -> RecordReader)], _ store: Target, _ options: ImportOptions,
        keepsLosses: Bool
    ) throws -> (ImportReport, [ImportLoss]) {
        for input in inputs { _ = try store.layouts.layout(input.entity) }
        var last: Importer?
        do {
            try store.importing { store in
                let importer = Importer(store, options, keepsLosses: keepsLosses)
                last = importer
                for input in inputs { try importer.read(try input.open(), store.layouts.layout(input.entity)) }
                try importer.finish()
                let isLossy = importer.report.lossCount > 0 && !options.keepsGoing
                if options.isDryRun || importer.isRefused || isLossy { throw ImportUndone() }
            }
            last?.report.isCommitted = true
        } catch is ImportUndone {}
        return (last?.report ?? ImportReport(), last?.losses ?? [])
    }

    /// Ends what waits for other rows: clears references to rows that do not exist, and writes links.
    func finish() throws {
        try lookUpReferences(all: true)
        try clearOpenReferences()
        for link in links where link.row.state == .written { try write(link) }
    }

    // MARK: Reading

    private func read(_ reader: RecordReader, _ layout: EntityLayout) throws {
        (flatRows, flat) = ([:], nil)
        while let event = reader.next() {
            switch event {
            case .problem(let problem):
                try writeFlat()
                let place = problem.line > 0 ? "\(problem.file):\(problem.line)" : problem.file
                try lose(at: place, layout, problem.message)
            case .record(let record):
                if try hold(record, layout) { continue }
                try writeFlat()
                try add(record, layout)
            }
        }
        try writeFlat()
    }

    /// Writes a record with the objects in it.
    func add(_ record: Record, _ layout: EntityLayout) throws {
        let file = record.source.name
        try add(record.value, layout, at: record.line > 0 ? "\(file):\(record.line)" : file, FieldTexts(record.source))
    }

    /// Writes a record with the objects in it. Returns the primary key of the record's own row; empty if it has none.
    @discardableResult
    func add(
        _ value: PredicateValue, _ layout: EntityLayout, at place: String, _ texts: FieldTexts
    ) throws -> [PredicateValue] {
        var (value, layout) = (value, layout)
        // The record is an entry of a file of losses, unless the entity has such keys itself.
        let keys = ImportedDocument.lossKeys
        if case .dictionary(let loss) = value, loss.count == keys.count, Set(loss.keys) == keys,
            !keys.isSubset(of: layout.keys), case .string(let entity)? = loss["entity"]
        {
            layout = try store.layouts.layout(entity)
            value = loss["record"] ?? .null
        }
        let archive = ArchivedObjects(value)
        var document = ImportedDocument(store.layouts, options, place, texts, archive: archive) {
            [self] (layout) throws(StoreFailure) in try key(of: layout)
        }
        if var archive {
            for number in archive.damaged { try lose(at: place, layout, "object \(number) of the archive is damaged") }
            for root in archive.roots() {
                switch root {
                case .success(let value): document.add(value, layout)
                case .failure(let problem):
                    try lose(at: place, layout, problem.message)
                }
            }
        } else {
            document.add(value, layout)
        }
        document.finish()
        for loss in document.losses { try lose(loss) }
        let root = archive == nil ? document.rows.first : nil
        for row in document.rows {
            // A record is lost with all objects in it.
            if let root, row !== root, root.state == .lost {
                row.state = .lost
            } else if let owner = row.owner, owner.state == .lost {
                try lose(row, "\(row.name) belongs to \(owner.name), which is not imported")
            } else {
                try write(row)
            }
        }
        for link in document.links where link.row.state == .written {
            switch link.kind {
            case .own: if link.object?.state != .written { references.append(link) }
            case .other, .pair: links.append(link)
            }
        }
        if references.count >= Self.batch { try lookUpReferences(all: false) }
        return root?.key ?? []
    }

    // MARK: Losses

    func lose(_ loss: ImportLoss) throws {
        if failsFast {
            throw StoreFailure.constraint(StoreConstraint(.other, message: loss.reason))
        }
        report.lossCount += 1
        if report.losses.count < ImportReport.shownLosses { report.losses.append(loss) }
        if keepsLosses { losses.append(loss) }
    }

    private func lose(at place: String, _ layout: EntityLayout, _ reason: String) throws {
        try lose(ImportLoss(place: place, entity: layout.entity, reason: reason, record: nil))
    }

    func lose(_ row: ImportedRow, _ reason: String) throws {
        try lose(ImportLoss(place: row.place, entity: row.layout.entity, reason: reason, record: row.lost))
        if row.state == .open { row.state = .lost }
    }

    // MARK: Links

    /// Looks up the rows that references refer to. References to rows that do not exist yet stay open.
    private func lookUpReferences(all: Bool) throws(StoreFailure) {
        if all {
            references += openReferences
            openReferences = []
        }
        for group in Dictionary(grouping: references, by: { $0.target.entity }).values {
            let missing = try store.missing(Set(group.map(\.key)), group[0].target)
            openReferences += group.filter { missing.contains($0.key) }
        }
        references = []
    }

    /// Clears references to rows that do not exist. If one cannot be cleared, its row is removed. If that cannot be done,
    /// nothing is imported.
    private func clearOpenReferences() throws {
        for link in openReferences where link.row.state == .written {
            guard case .own(let columns) = link.kind else { continue }
            let isCleared = try clear(link, columns)
            if !isCleared, try !remove(link.row) { isRefused = true }
            try lose(link.row, missingReason(link) + (isCleared ? "" : ", and cannot be nil"))
        }
    }

    /// Sets a reference to nil, or to the key that an updated row had before. Returns false if that is not possible.
    private func clear(_ link: ImportedLink, _ columns: [String]) throws(StoreFailure) -> Bool {
        let (row, relationship) = (link.row, link.relationship)
        let known = row.stored?.storedKey(of: relationship.name)
        guard known != nil || relationship.isToMany || relationship.isOptional, !row.key.isEmpty,
            !columns.contains(where: row.layout.keyColumns.contains)
        else { return false }
        let values = known ?? columns.map { _ in .null }
        let restored = zip(columns, values).map { StoredColumn($0, $1, SQLType($1) ?? .integer) }
        do throws(StoreFailure) {
            return try store.set(ValueDictionary([]), restored, row.layout, row.key)
        } catch {
            if error.endsImport { throw error }
            return false
        }
    }

    /// Removes a row of this import. Returns false if it existed before, or if other rows refer to it.
    private func remove(_ row: ImportedRow) throws(StoreFailure) -> Bool {
        let (layout, key) = (row.layout, row.key)
        let mark = RowIdentity(table: layout.table, key: key).hashValue
        guard let written = writtenAs[mark], written != .changed,
            layout.keyNames.allSatisfy({ layout.position(ofAttribute: $0) != nil })
        else { return false }
        var deletion = Deletion(
            store.schema.references.map { reference in
                var reference = reference
                reference.rule = .deny
                return reference
            }, store)
        try deletion.add(layout, [key])
        if !deletion.denied.isEmpty { return false }
        let values = Dictionary(zip(layout.keyNames, key), uniquingKeysWith: { first, _ in first })
        guard try store.delete(StoreRequest(layout.entity, matching: values)) == 1 else { return false }
        writtenAs[mark] = nil
        report.rows[layout.entity, default: 1] -= 1
        row.state = .lost
        return true
    }

    private func missingReason(_ link: ImportedLink) -> String {
        "'\(link.relationship.name)' of \(link.row.name) refers to \(link.targetName), which does not exist"
    }

    private func write(_ link: ImportedLink) throws {
        let problem: String?
        do throws(StoreFailure) {
            problem = try problemOfWriting(link)
        } catch {
            if failsFast || error.endsImport { throw error }
            problem = error.shortReason
        }
        if let problem { try lose(link.row, problem) }
    }

    /// Writes a link. Returns why it cannot be written.
    private func problemOfWriting(_ link: ImportedLink) throws(StoreFailure) -> String? {
        if link.object?.state != .written, try !store.missing([link.key], link.target).isEmpty {
            return missingReason(link)
        }
        func columns(_ names: [String], _ key: [PredicateValue]) -> [StoredColumn] {
            zip(names, key).map { StoredColumn($0, $1) }
        }
        let isWritten: Bool
        switch link.kind {
        case .own: return nil
        case .other(let names):
            guard let known = try store.values(of: names, link.target, link.key) else { return missingReason(link) }
            if zip(known, link.row.key).allSatisfy({ $0.isSameKey(as: $1) }) { return nil }
            if !options.updates, !known.allSatisfy(\.isNil) {
                return "'\(link.relationship.name)' of \(link.row.name): \(link.targetName) belongs to "
                    + "\(link.row.layout.entity) \(ImportedRow.text(known))\(hint)"
            }
            isWritten = try store.set(ValueDictionary([]), columns(names, link.row.key), link.target, link.key)
        case .pair(let table, let from, let to):
            guard let isNew = try store.link(table, columns(from, link.row.key) + columns(to, link.key)) else {
                return nil
            }
            isWritten = isNew
        }
        if isWritten { report.links += 1 }
        return isWritten ? nil : "the link to \(link.targetName) was \(Self.dropped)"
    }

    static var dropped: String { SQLStore<SQLiteConnection>.dropped }
}
