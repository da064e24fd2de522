// What a query relies on, asked of the live database: that the columns are there and hold what the schema says, that keys
// lead somewhere, that texts are texts.
import PredicateModel
import PredicateSQL
import PredicateSyntax

/// Something in the database that the schema does not say.
public struct StoreViolation: Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable {
        case missingTable, missingColumn, storedType, missingValue, danglingKey, collation, encoding
    }

    public let kind: Kind
    public let table: String
    public let column: String?
    /// `holds text where the schema says integer`
    public let sentence: String

    public var description: String {
        (column.map { "\(table).\($0)" } ?? table) + " " + sentence
    }
}

extension SQLiteStore {
    /// What of the database does not hold what the schema says: rows that it concerns may be selected wrongly, or fail.
    ///
    /// A collation other than BINARY is told, and changes no result: the store says `COLLATE BINARY`, which no index of
    /// the column serves. So is UTF-16, in which our functions cost a conversion.
    ///
    /// - Parameter sample: how many rows of each table are looked at; nil is all of them.
    public func violations(sample: Int? = 1000) throws(StoreFailure) -> [StoreViolation] {
        try withConnection { (connection) throws(StoreFailure) in
            var check = SQLitePreconditions(connection, schema, dialect, sample)
            try check.run()
            return check.found
        }
    }
}

private struct SQLitePreconditions {
    private let connection: SQLiteConnection
    private let schema: Schema
    private let dialect: Dialect
    private let limit: String
    private(set) var found: [StoreViolation] = []

    init(_ connection: SQLiteConnection, _ schema: Schema, _ dialect: Dialect, _ sample: Int?) {
        self.connection = connection
        self.schema = schema
        self.dialect = dialect
        limit = sample.map { " LIMIT \(max(0, $0))" } ?? ""
    }

    mutating func run() throws(StoreFailure) {
        var encoding = ""
        try connection.run("PRAGMA encoding") { encoding = $0.text(0) }
        if encoding != "UTF-8" {
            report(.encoding, "the database", nil, "keeps texts as \(encoding)")
        }
        for entity in schema.entities { try check(entity) }
        for place in dialect.collatedColumns.sorted(by: { ($0.table, $0.column) < ($1.table, $1.column) }) {
            report(.collation, place.table, place.column, "has a collation other than BINARY")
        }
    }

    private mutating func report(_ kind: StoreViolation.Kind, _ table: String, _ column: String?, _ sentence: String) {
        found.append(StoreViolation(kind: kind, table: table, column: column, sentence: sentence))
    }

    private func table(of entity: Entity) -> String { schema.table(of: entity.name) }
    private func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    private mutating func check(_ entity: Entity) throws(StoreFailure) {
        var columns: Set<String> = []
        try connection.run("SELECT name FROM pragma_table_xinfo(?)", [.string(table(of: entity))]) {
            columns.insert($0.text(0).lowercased())
        }
        guard !columns.isEmpty else { return report(.missingTable, table(of: entity), nil, "is not there") }
        let rowids: Set = ["rowid", "_rowid_", "oid"]
        let wanted = schema.columns(of: entity.name).filter { !rowids.contains($0) }
        for column in wanted where !columns.contains(column.lowercased()) {
            report(.missingColumn, table(of: entity), column, "is not there")
        }
        for attribute in entity.attributes where columns.contains(attribute.column.lowercased()) {
            try check(attribute, entity)
        }
        for relationship in entity.relationships { try check(relationship, entity) }
    }

    private mutating func check(_ attribute: Attribute, _ entity: Entity) throws(StoreFailure) {
        let column = quoted(attribute.column)
        var classes: Set<String> = []
        // NaN cannot be stored: SQLite makes NULL of it.
        try connection.run(
            "SELECT DISTINCT typeof(\(column)) FROM (SELECT \(column) FROM \(quoted(table(of: entity)))\(limit))"
        ) { classes.insert($0.text(0)) }
        if classes.remove("null") != nil, !attribute.isOptional {
            report(
                .missingValue, table(of: entity), attribute.column,
                "holds NULL where the schema says that there is a value")
        }
        guard let allowed = attribute.type.storageClasses else { return }
        for other in classes.subtracting(allowed).sorted() {
            report(
                .storedType, table(of: entity), attribute.column,
                "holds \(other) where the schema says \(attribute.type.nameForMessages)")
        }
    }

    private mutating func check(_ relationship: Relationship, _ entity: Entity) throws(StoreFailure) {
        guard case .column(let columns)? = relationship.link, let target = schema.entity(relationship.target) else {
            return
        }
        let keys = schema.primaryKey(of: target.name)
        guard keys.count == 1, let column = columns.first else { return }
        let place = quoted(table(of: entity)) + "." + quoted(column)
        var dangling = 0
        do throws(StoreFailure) {
            try connection.run(
                """
                SELECT 1 FROM (SELECT \(place) AS k FROM \(quoted(table(of: entity)))\(limit)) WHERE k IS NOT NULL AND NOT EXISTS
                (SELECT 1 FROM \(quoted(table(of: target))) AS t WHERE t.\(quoted(keys[0])) = k) LIMIT 1
                """
            ) { _ in dangling += 1 }
        } catch {
            guard case .engine = error else { throw error }
            // The column is missing, which was told.
            return
        }
        if dangling > 0 {
            report(.danglingKey, table(of: entity), column, "leads to rows of \(table(of: target)) that are not there")
        }
    }
}

extension AttributeType {
    /// What `typeof` may say; nil where it does not matter.
    fileprivate var storageClasses: Set<String>? {
        switch self {
        case .boolean, .integer: ["integer"]
        case .double, .date: ["real", "integer"]
        case .decimal: ["text", "integer"]
        case .string, .uuid, .url, .list, .set, .dictionary: ["text"]
        case .data: ["blob"]
        case .any: nil
        }
    }
}
