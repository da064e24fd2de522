// The rows of one record (with the objects nested in it) or of one archive, and the links between them. Each row gets
// its key before anything is written, so rows can be written in any order and may refer to each other in cycles.
import PredicateModel
import PredicateRecords
import PredicateSQL
import PredicateSyntax

/// A row to write.
final class ImportedRow {
    let layout: EntityLayout
    let place: String
    /// Empty if the database makes the key when the row is inserted.
    let key: [PredicateValue]
    /// Whether the row may exist already: true for a nested object that has a key.
    let isShared: Bool
    /// Attributes and keys of to-one relationships.
    var fields: [(String, PredicateValue)] = []
    /// Values of columns that no key of the entity has.
    var columns: [StoredColumn] = []
    /// The record as it was read, with the keys of related objects.
    var record: [(String, PredicateValue)] = []
    var problem: String?
    var isWritten = false

    init(_ layout: EntityLayout, _ place: String, _ key: [PredicateValue], isShared: Bool) {
        self.layout = layout
        self.place = place
        self.key = key
        self.isShared = isShared
        fields = Array(zip(layout.keyNames, key))
    }

    var name: String { "\(layout.entity) \(ImportedRow.text(key))" }

    static func text(_ key: [PredicateValue]) -> String { key.map { JSON.text($0) }.joined(separator: ", ") }

    /// Stores the key of an owner in the columns that refer to it.
    func give(_ columns: [String], _ owner: [PredicateValue]) {
        let inverse = layout.relationships.values.first { $0.link == .column(columns) }
        if let inverse {
            if !fields.contains(where: { $0.0 == inverse.name }) { fields.append((inverse.name, owner.asKey)) }
        } else {
            self.columns += zip(columns, owner).map { StoredColumn($0, $1, SQLType($1) ?? .text) }
        }
    }
}

/// A link between a row and the row with a key.
struct ImportedLink {
    enum Kind {
        /// A column of the row itself, already written.
        case own
        /// Columns of the related row.
        case other([String])
        case pair(table: String, from: [String], to: [String])
    }

    let row: ImportedRow
    let relationship: PredicateSchema.Relationship
    let kind: Kind
    let target: EntityLayout
    let key: [PredicateValue]
}

/// Why a record cannot be imported.
struct ImportProblem: Error {
    let reason: String
}

/// Collects the rows of one record or archive.
struct ImportedDocument {
    typealias Fields = [(name: String, value: Result<PredicateValue, DocumentProblem>)]

    /// The object or key that a value refers to.
    private enum Target {
        case row(ImportedRow)
        case key([PredicateValue])
    }

    let layouts: SchemaLayout
    let options: ImportOptions
    let place: String
    var archive: ArchivedObjects?
    /// Makes the key of an object that has none.
    let makeKey: (EntityLayout) throws(StoreFailure) -> [PredicateValue]?

    private(set) var rows: [ImportedRow] = []
    private(set) var links: [ImportedLink] = []
    private(set) var losses: [ImportLoss] = []
    private var byReference: [Int64: ImportedRow] = [:]
    private var byKey: [RowIdentity: ImportedRow] = [:]
    private var waiting: [(ImportedRow, Fields)] = []

    init(
        _ layouts: SchemaLayout, _ options: ImportOptions, _ place: String, archive: ArchivedObjects?,
        makeKey: @escaping (EntityLayout) throws(StoreFailure) -> [PredicateValue]?
    ) {
        self.layouts = layouts
        self.options = options
        self.place = place
        self.archive = archive
        self.makeKey = makeKey
    }

    /// Adds an object, or each of a list, with all objects to which it refers. Not recursive: a chain may be long.
    mutating func add(_ value: PredicateValue, _ layout: EntityLayout) {
        if let elements = value.elements, archive != nil {
            for element in elements { add(element, layout) }
            return
        }
        do throws(ImportProblem) {
            guard case .row? = try target(of: value, layout, isRoot: true) else {
                throw ImportProblem(reason: "a record is expected, not \(value.typeDescription)")
            }
        } catch {
            lose(layout, error.reason)
        }
        while let (row, fields) = waiting.popLast() { fill(row, fields) }
    }

    private mutating func lose(_ layout: EntityLayout, _ reason: String) {
        losses.append(ImportLoss(place: place, entity: layout.entity, reason: reason, record: nil))
    }

    // MARK: Objects

    /// Returns the object that a value contains, or the key that it gives; nil for nil.
    private mutating func target(
        of value: PredicateValue, _ layout: EntityLayout, isRoot: Bool = false
    ) throws(ImportProblem) -> Target? {
        if value.isNil { return nil }
        if archive != nil, let uid = KeyedArchive.uid(value) {
            if let known = byReference[uid] { return .row(known) }
            let fields: Fields
            do throws(DocumentProblem) {
                fields = try archive?.fields(uid) ?? []
            } catch {
                throw ImportProblem(reason: error.message)
            }
            let row = try row(fields, try layouts.special(archive?.className(uid), of: layout), isRoot: isRoot)
            byReference[uid] = row
            return .row(row)
        }
        if case .dictionary(let dictionary) = value {
            let fields: Fields = zip(dictionary.keys, dictionary.values).map { ($0, .success($1)) }
            // A nested object that has only its key refers to an existing row.
            if !isRoot, dictionary.keys.allSatisfy(layout.keyNames.contains), let key = try key(in: fields, layout) {
                return .key(key)
            }
            return .row(try row(fields, layout, isRoot: isRoot))
        }
        if isRoot { return nil }
        guard let parts = value.key(of: layout.primaryKey.count), !layout.primaryKey.isEmpty else {
            throw ImportProblem(reason: "\(JSON.text(value)) is not a key of \(layout.entity)")
        }
        var key: [PredicateValue] = []
        for (name, part) in zip(layout.keyNames, parts) { key.append(try layout.converted(part, name)) }
        return .key(key)
    }

    private mutating func row(
        _ fields: Fields, _ layout: EntityLayout, isRoot: Bool
    ) throws(ImportProblem) -> ImportedRow {
        let given = try key(in: fields, layout)
        let identity = given.map { RowIdentity(table: layout.table, key: $0) }
        if let identity, let known = byKey[identity] {
            waiting.append((known, fields))
            return known
        }
        let made: [PredicateValue]?
        do throws(StoreFailure) {
            if let given { made = given } else { made = try makeKey(layout) }
        } catch {
            throw ImportProblem(reason: error.shortDescription)
        }
        let row = ImportedRow(layout, place, made ?? [], isShared: given != nil && !isRoot)
        if let identity { byKey[identity] = row }
        rows.append(row)
        waiting.append((row, fields))
        return row
    }

    /// The primary key in the fields of an object; nil if it has none.
    private func key(in fields: Fields, _ layout: EntityLayout) throws(ImportProblem) -> [PredicateValue]? {
        var key: [PredicateValue] = []
        for name in layout.keyNames {
            guard case .success(let value)? = fields.last(where: { $0.name == name })?.value, !value.isNil else {
                return nil
            }
            key.append(try layout.converted(value, name))
        }
        return key.isEmpty ? nil : key
    }

    // MARK: Fields

    private mutating func fill(_ row: ImportedRow, _ fields: Fields) {
        for (name, value) in fields where !options.ignoredKeys.contains(name) {
            switch value {
            case .success(let value):
                do throws(ImportProblem) {
                    try set(name, value, of: row)
                } catch {
                    row.problem = row.problem ?? error.reason
                    row.record.append((name, value))
                }
            case .failure(let problem):
                let reason = "'\(name)' of \(row.name): \(problem.message)"
                if options.keepsGoing { lose(row.layout, reason) } else { row.problem = row.problem ?? reason }
            }
        }
    }

    private mutating func set(_ name: String, _ value: PredicateValue, of row: ImportedRow) throws(ImportProblem) {
        let layout = row.layout
        switch layouts.schema.key(name, of: layout.entity) {
        case .attribute:
            if archive != nil, let uid = KeyedArchive.uid(value) {
                let type = archive?.className(uid).map { "an object of class \($0)" } ?? "a dictionary"
                throw ImportProblem(reason: "'\(name)' is \(type), and in the schema an attribute")
            }
            row.record.append((name, value))
            if !layout.keyNames.contains(name) { row.fields.append((name, try layout.converted(value, name))) }
        case .relationship(let relationship):
            try set(relationship, value, of: row)
        case nil where layout.keyNames.contains(name): row.record.append((name, value))
        case nil:
            let nearest = Suggestions.nearest(to: name, in: layout.keys).map { ": did you mean '\($0)'?" }
            throw ImportProblem(reason: "\(layout.entity) has no key '\(name)'\(nearest ?? "")")
        }
    }

    private mutating func set(
        _ relationship: PredicateSchema.Relationship, _ value: PredicateValue, of row: ImportedRow
    ) throws(ImportProblem) {
        let target = try layouts.known(relationship.target)
        guard let link = layouts.schema.link(of: relationship) else {
            throw ImportProblem(reason: "the schema has no column or table for '\(relationship.name)'")
        }
        var keys: [PredicateValue] = []
        for element in relationship.isToMany ? value.elements ?? [value] : [value] {
            guard let other = try self.target(of: element, target) else { continue }
            let (otherRow, key): (ImportedRow?, [PredicateValue]) =
                switch other {
                case .row(let row): (row, row.key)
                case .key(let key): (nil, key)
                }
            let owner = relationship.isToMany ? row.layout : target
            if key.isEmpty || row.key.isEmpty && relationship.isToMany {
                throw ImportProblem(reason: "'\(relationship.name)' needs a primary key of \(owner.entity)")
            }
            keys.append(key.asKey)
            func add(_ kind: ImportedLink.Kind) {
                links.append(
                    ImportedLink(
                        row: row, relationship: relationship, kind: kind, target: otherRow?.layout ?? target, key: key))
            }
            switch link {
            case .column:
                row.fields.append((relationship.name, key.asKey))
                add(.own)
            case .foreignKey(let columns):
                if let otherRow { otherRow.give(columns, row.key) } else { add(.other(columns)) }
            case .join(let table, let from, let to): add(.pair(table: table, from: from, to: to))
            }
        }
        row.record.append((relationship.name, relationship.isToMany ? .array(keys) : keys.first ?? .null))
    }
}

extension PredicateValue {
    /// The elements of a list or a set; nil for other values.
    fileprivate var elements: [PredicateValue]? {
        switch self {
        case .array(let elements), .set(let elements): elements
        default: nil
        }
    }
}

extension [PredicateValue] {
    /// A key as a value: a list for a key of several columns.
    var asKey: PredicateValue { count == 1 ? self[0] : .array(self) }
}

extension StoreFailure {
    /// One line about a record.
    package var shortDescription: String {
        if case .request(let failure) = self, let first = failure.diagnostics.first { return first.message }
        return description
    }
}

extension EntityLayout {
    /// The names of the primary key's attributes; for a column without an attribute, the name of the column.
    var keyNames: [String] {
        primaryKey.map { place in keys.first { position(ofAttribute: $0) == place } ?? columns[place] }
    }

    /// Converts a value of the file to the type of its attribute.
    func converted(_ value: PredicateValue, _ name: String) throws(ImportProblem) -> PredicateValue {
        guard let position = position(ofAttribute: name) else { return value }
        do throws(FieldTypeProblem) {
            return try types[position].converted(value, field: name)
        } catch {
            throw ImportProblem(reason: error.message)
        }
    }
}

extension SchemaLayout {
    func known(_ entity: String) throws(ImportProblem) -> EntityLayout {
        do throws(StoreFailure) {
            return try layout(entity)
        } catch {
            throw ImportProblem(reason: error.shortDescription)
        }
    }

    /// Returns the entity with the name of a class if it inherits from the layout's entity, else the layout's entity.
    func special(_ className: String?, of layout: EntityLayout) throws(ImportProblem) -> EntityLayout {
        guard let className, schema.lineage(of: className).contains(where: { $0.name == layout.entity }) else {
            return layout
        }
        return try known(className)
    }
}

extension PredicateSchema {
    /// Returns where a relationship is stored. If it has no columns of its own, the result is the inverse's place, seen
    /// from this side.
    func link(of relationship: Relationship) -> Relationship.Link? {
        if let link = relationship.link { return link }
        guard let inverse = relationship.inverse,
            case .relationship(let other)? = key(inverse, of: relationship.target)
        else { return nil }
        switch other.link {
        case .column(let columns)?: return relationship.isToMany ? .foreignKey(columns) : nil
        case .foreignKey(let columns)?: return .column(columns)
        case .join(let table, let from, let to)?: return .join(table: table, from: to, to: from)
        case nil: return nil
        }
    }
}
