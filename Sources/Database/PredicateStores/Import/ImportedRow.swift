// A row to write, and a link between two rows. ImportedDocument.swift collects the rows of a record; each gets its key
// before anything is written, so rows may refer to each other in cycles.
import PredicateRecords

/// Whether the values of an input are texts, as those of CSV, and then what `""` is.
enum FieldTexts {
    /// They have types.
    case none
    case bare
    /// Every field has quotation marks, so `""` is nil but in a column of texts.
    case quoted

    init(_ source: RecordInput) { self = source.format != .csv ? .none : source.isQuoted ? .quoted : .bare }
}

/// A row to write.
final class ImportedRow {
    enum State { case open, written, lost }

    let layout: EntityLayout
    let place: String
    /// Empty if the database makes the key when the row is inserted.
    let key: [PredicateValue]
    /// Whether the importer made the key, because the record has none.
    let hasMadeKey: Bool
    /// Whether the row may exist already: true for a nested object that has a key.
    let isShared: Bool
    /// Attributes and keys of to-one relationships.
    private(set) var fields: [(name: String, value: PredicateValue)] = []
    /// Values of columns that no key of the entity has.
    private(set) var columns: [StoredColumn] = []
    /// The object to whose to-many relationship the row belongs, and the names of the keys that refer to it.
    private(set) var owner: ImportedRow?
    private(set) var ownerKeys: Set<String> = []
    /// The object as it was read; nil for an object of an archive.
    let original: ValueDictionary?
    private let texts: FieldTexts
    /// The fields of an archive's object, with the keys of related objects.
    var record: [(String, PredicateValue)] = []
    var problem: String?
    /// The row before its update.
    var stored: StoredObject?
    var state = State.open

    init(
        _ layout: EntityLayout, _ place: String, _ key: [PredicateValue], hasMadeKey: Bool, isShared: Bool,
        _ original: ValueDictionary?, _ texts: FieldTexts
    ) {
        self.layout = layout
        self.place = place
        self.key = key
        self.hasMadeKey = hasMadeKey
        self.isShared = isShared
        self.original = original
        self.texts = texts
        fields = zip(layout.keyNames, key).map { ($0, $1) }
    }

    var name: String { "\(layout.entity) \(ImportedRow.text(key))" }
    /// `id 20`
    var keyText: String { zip(layout.keyNames, key).map { "\($0) \(JSON.text($1))" }.joined(separator: ", ") }

    static func text(_ key: [PredicateValue]) -> String { key.map { JSON.text($0) }.joined(separator: ", ") }

    /// The row as a record that can be imported again.
    var lost: ValueDictionary {
        guard let original else { return ValueDictionary(record) }
        var lost = Array(zip(original.keys, original.values))
        // The texts of CSV as values, because the file of losses is JSON.
        if texts != .none { lost = lost.map { ($0, value($0) ?? $1) } }
        // The row is there without a part of the record, so the record must have its key.
        if state == .written, hasMadeKey { lost = zip(layout.keyNames, key) + lost }
        return ValueDictionary(lost)
    }

    func value(_ name: String) -> PredicateValue? { fields.first { $0.name == name }?.value }

    /// Sets a field that another object of the record may have set.
    ///
    /// - Parameter replaces: whether the last value counts. Otherwise another value is a problem.
    func set(_ name: String, _ value: PredicateValue, replaces: Bool) throws(ImportProblem) {
        guard let index = fields.firstIndex(where: { $0.name == name }) else { return fields.append((name, value)) }
        let known = fields[index].value
        if !replaces, known != value {
            let texts = (JSON.text(known), JSON.text(value))
            throw ImportProblem(
                reason: "'\(name)' of \(self.name) is \(texts.0) in one object and \(texts.1) in another")
        }
        fields[index].value = value
    }

    /// Sets the key of a to-one relationship. The value nil yields to a key that the other side gives.
    func refer(_ relationship: PredicateSchema.Relationship, _ columns: [String], to key: [PredicateValue]?)
        throws(ImportProblem)
    {
        guard case .column? = relationship.link else {
            if let key { self.columns += zip(columns, key).map { StoredColumn($0, $1) } }
            return
        }
        let known = value(relationship.name)
        guard let key else {
            if known == nil { try set(relationship.name, .null, replaces: true) }
            return
        }
        try set(relationship.name, key.asKey, replaces: known?.isNil ?? true)
    }

    /// Makes the row belong to an owner, whose key is stored in the given columns. Returns the relationship to the
    /// owner, if the schema has one.
    func belong(to owner: ImportedRow, _ columns: [String]) throws(ImportProblem) -> PredicateSchema.Relationship? {
        self.owner = owner
        if let inverse = layout.relationships.values.first(where: { $0.link == .column(columns) }) {
            ownerKeys.insert(inverse.name)
            try refer(inverse, columns, to: owner.key)
            return inverse
        }
        ownerKeys.formUnion(columns)
        self.columns += zip(columns, owner.key).map { StoredColumn($0, $1) }
        return nil
    }
}

/// A link between a row and the row with a key.
struct ImportedLink {
    enum Kind {
        /// Columns of the row itself, already written.
        case own([String])
        /// Columns of the related row.
        case other([String])
        case pair(table: String, from: [String], to: [String])
    }

    let row: ImportedRow
    let relationship: PredicateSchema.Relationship
    let kind: Kind
    let target: EntityLayout
    let key: [PredicateValue]
    /// The related row, if it is an object of the same record.
    var object: ImportedRow?

    var targetName: String { "\(target.entity) \(ImportedRow.text(key))" }
}

/// Why a record cannot be imported.
struct ImportProblem: Error {
    let reason: String

    /// Converts the errors of a store.
    static func catching<Value>(_ body: () throws(StoreFailure) -> Value) throws(ImportProblem) -> Value {
        do throws(StoreFailure) { return try body() } catch { throw ImportProblem(reason: error.shortDescription) }
    }
}

extension [PredicateValue] {
    /// A key as a value: a list for a key of several columns.
    var asKey: PredicateValue { count == 1 ? self[0] : .array(self) }
}
