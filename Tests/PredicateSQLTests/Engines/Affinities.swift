// A schema whose columns are declared in SQLite in every way that there is: types that make numbers of texts (DATETIME, DECIMAL),
// no type at all, and a STRICT table. The other engines have ordinary columns for it.

import PredicateModel
import PredicateSQL
import PredicateSyntax

enum Affinities {
    /// By table and column; what is not here is declared as in any other table.
    private static let declared = [
        "record": [
            "stamp": "DATETIME", "day": "DATE", "site": "TIMESTAMP", "price": "DECIMAL(10, 2)", "amount": "NUMERIC",
            "units": "INT", "free": "", "number": "", "flag": "BOOLEAN", "made": "DATETIME", "code": "INTEGER",
            "rate": "DOUBLE", "loose": "ANY", "title": "VARCHAR(40)",
        ],
        "part": ["code": "ANY", "title": "TEXT", "number": "INT", "weight": "ANY"],
    ]
    private static let strictTables: Set<String> = ["part"]

    static func type(_ table: String, _ column: String) -> String? { declared[table]?[column] }
    static func isStrict(_ table: String) -> Bool { strictTables.contains(table) }

    /// A dialect of SQLite as a store makes it of such tables (StoredColumnTests in PredicateStoresTests checks how).
    static func dialect(_ dialect: Dialect) -> Dialect {
        var dialect = dialect
        let columns = [
            "record": ["stamp", "day", "site", "price", "amount", "made", "code", "loose"],
            "part": ["code", "weight"],
        ]
        for (table, names) in columns {
            for name in names { dialect.numericColumns[SQLColumn(table: table, column: name)] = .ofTable }
        }
        return dialect
    }

    /// What a column of texts can hold that makes numbers of texts: nothing that looks like one.
    static func choices(_ attribute: Attribute, _ table: String) -> [Value] {
        guard let declared = type(table, attribute.column), !isStrict(table), declared != "" else { return [] }
        switch attribute.type {
        case .string where !declared.contains("CHAR"): return texts.map(Value.string)
        case .url: return texts.map(Value.url)
        default: return []
        }
    }

    private static let texts = [
        "2024-01-01", "2024-12-31 23:59:59", "2024-", "2024x", "2024\u{1}", "2025-01-01", "1e", "", "a", "A", "é", "-",
        "0x10", "1 2",
    ]

    static func schema() throws -> Schema {
        try Schema([
            Entity(
                "Record", table: "record", primaryKey: ["id"],
                attributes: [
                    Attribute("stamp", .string, isOptional: true), Attribute("day", .string),
                    Attribute("site", .url, isOptional: true), Attribute("price", .double, isOptional: true),
                    Attribute("amount", .double), Attribute("units", .integer, isOptional: true),
                    Attribute("free", .string, isOptional: true), Attribute("number", .integer, isOptional: true),
                    Attribute("flag", .boolean, isOptional: true), Attribute("made", .date, isOptional: true),
                    Attribute("code", .string), Attribute("rate", .double, isOptional: true),
                    Attribute("loose", .string, isOptional: true), Attribute("title", .string),
                ],
                relationships: [Relationship("parts", toMany: "Part", link: .foreignKey("record_id"))]),
            Entity(
                "Part", table: "part", primaryKey: ["id"],
                attributes: [
                    Attribute("code", .string, isOptional: true), Attribute("title", .string),
                    Attribute("number", .integer, isOptional: true), Attribute("weight", .double, isOptional: true),
                ],
                relationships: [Relationship("record", to: "Record", link: .column("record_id"))]),
        ])
    }
}
