// A schema whose columns are declared in SQLite in every possible way: types that convert texts to numbers
// (DATETIME, DECIMAL), no type, and a STRICT table. In the other engines its columns are ordinary.

import PredicateSQL

enum Affinities {
    /// The declared types, by table and column. Other columns have the usual type.
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

    /// The dialect that a SQLite store creates for these tables. StoredColumnTests in PredicateStoresTests
    /// checks that.
    static func dialect(_ dialect: SQLDialect) -> SQLDialect {
        let columns = [
            "record": ["stamp", "day", "site", "price", "amount", "made", "code", "loose"],
            "part": ["code", "weight"],
        ]
        var stored = dialect.stored
        for (table, names) in columns {
            for name in names { stored.numeric[SQLColumn(table: table, column: name)] = .ofTable }
        }
        return dialect.knowing(stored)
    }

    /// The texts for a column that converts texts to numbers. None of them looks like a number.
    static func choices(_ attribute: PredicateSchema.Attribute, _ table: String) -> [PredicateValue] {
        guard let declared = type(table, attribute.column), !isStrict(table), declared != "" else { return [] }
        switch attribute.type {
        case .string where !declared.contains("CHAR"): return texts.map(PredicateValue.string)
        case .url: return texts.map(PredicateValue.url)
        default: return []
        }
    }

    private static let texts = [
        "2024-01-01", "2024-12-31 23:59:59", "2024-", "2024x", "2024\u{1}", "2025-01-01", "1e", "", "a", "A", "é", "-",
        "0x10", "1 2",
    ]

    static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Record", table: "record", primaryKey: ["id"],
                attributes: [
                    .init("stamp", .string, isOptional: true), .init("day", .string),
                    .init("site", .url, isOptional: true), .init("price", .double, isOptional: true),
                    .init("amount", .double), .init("units", .integer, isOptional: true),
                    .init("free", .string, isOptional: true), .init("number", .integer, isOptional: true),
                    .init("flag", .boolean, isOptional: true), .init("made", .date, isOptional: true),
                    .init("code", .string), .init("rate", .double, isOptional: true),
                    .init("loose", .string, isOptional: true), .init("title", .string),
                ],
                relationships: [.init("parts", toMany: "Part", link: .foreignKey("record_id"))]),
            .init(
                "Part", table: "part", primaryKey: ["id"],
                attributes: [
                    .init("code", .string, isOptional: true), .init("title", .string),
                    .init("number", .integer, isOptional: true), .init("weight", .double, isOptional: true),
                ],
                relationships: [.init("record", to: "Record", link: .column("record_id"))]),
        ])
    }
}
