// Tests of columns for which the schema states a collation that does not compare by code points: the statement names
// the binary collation, and selects the same rows as the evaluator.

import PredicateEvaluation
import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct CollationTests {
    /// The statements that create a table whose column `name` has a collation.
    struct Making: Sendable, CustomTestStringConvertible {
        let dialect: SQLDialect
        let type: String
        var testDescription: String { dialect.name }
    }

    static let makings = [
        Making(dialect: .sqlite, type: "TEXT COLLATE NOCASE"),
        Making(dialect: .sqlitePlain, type: "TEXT COLLATE RTRIM"),
        Making(dialect: .postgreSQL, type: "text COLLATE loose"),
        Making(dialect: .mySQL, type: "VARCHAR(50) COLLATE utf8mb4_general_ci"),
        Making(dialect: .duckDB, type: "VARCHAR COLLATE NOCASE"),
        Making(dialect: .spark, type: "STRING COLLATE UTF8_LCASE"),
    ]

    private static let names = ["a", "A", "á", "a ", "ab", "AB", "B", "b", "Z", "_"]

    private static func schema(_ collation: TextCollation?) throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Row", table: "collated", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("name", .string).with { $0.collation = collation }])
        ])
    }

    @Test(arguments: makings) func sqlSelectsTheRowsOfTheEvaluator(_ making: Making) async throws {
        let engine = try #require(Engine.named(making.dialect))
        guard Engine.chosen.contains(where: { $0.dialect == engine.dialect }) else { return }
        try await engine.withConnection { connection in
            if making.dialect == .postgreSQL {
                let sql =
                    "CREATE COLLATION IF NOT EXISTS loose "
                    + "(provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
                _ = try await connection.rows(EngineQuery(sql: sql))
            }
            let rows = Self.names.enumerated().map { "(\($0), '\($1)')" }.joined(separator: ", ")
            let statements =
                making.dialect == .spark
                ? [
                    "CREATE OR REPLACE TEMPORARY VIEW collated AS SELECT id, CAST(name AS \(making.type)) AS name "
                        + "FROM VALUES \(rows) AS v(id, name)"
                ]
                : [
                    "DROP TABLE IF EXISTS collated", "CREATE TABLE collated (id INTEGER, name \(making.type))",
                    "INSERT INTO collated VALUES \(rows)",
                ]
            for sql in statements { _ = try await connection.rows(EngineQuery(sql: sql)) }
            for format in [
                "name == 'a'", "name != 'a'", "name < 'b'", "name >= 'a'", "NOT name > 'A'", "name IN {'A', 'b'}",
                "NOT name IN {'a', 'B'}", "name BETWEEN {'A', 'a'}", "name BEGINSWITH 'a'", "name ENDSWITH 'b'",
                "name CONTAINS 'A'", "name LIKE 'a*'", "name LIKE '*?b'", "name == name",
                "name == 'a' OR name == 'B' AND id > 3",
            ] {
                let predicate = try FormatPredicate(format)
                let query = try predicate.sql(making.dialect, entity: "Row", in: Self.schema(.other))
                #expect(query.isExact && query.requirements.allSatisfy { !$0.isBinaryCollation })
                let found = try await connection.select([
                    EngineQuery(sql: query.statement, values: query.bindings, types: query.bindingTypes)
                ])[0].get()
                let wanted = try Self.names.indices.filter { index in
                    let row = ValueDictionary([("id", .integer(Int64(index))), ("name", .string(Self.names[index]))])
                    return try predicate.compiled().test(.dictionary(row))
                }
                #expect(found.sorted() == wanted.map(Int64.init), "\(format): \(query.text)")
            }
        }
    }

    /// If the schema does not state a collation, the statement requires the binary one. If it does, the
    /// statement relies on it or names the collation.
    @Test(
        arguments: [
            (nil, #""t0"."name" = $1"#, true), (TextCollation.binary, #""t0"."name" = $1"#, false),
            (.other, #""t0"."name" = $1 AND "t0"."name" COLLATE "C" = $1"#, false),
        ] as [(TextCollation?, String, Bool)])
    func whatIsRequired(_ collation: TextCollation?, _ text: String, _ isRequired: Bool) throws {
        let query = try FormatPredicate("name == 'x'").sql(.postgreSQL, entity: "Row", in: Self.schema(collation))
        #expect(query.text.replacing("::text", with: "").replacing("$2", with: "$1") == text)
        #expect(query.requirements == (isRequired ? [.binaryCollation(table: "collated", column: "name")] : []))
    }

    /// The ANSI dialect has no known syntax for a binary comparison.
    @Test func ansiRequiresABinaryCollation() throws {
        let query = try FormatPredicate("name == 'x'").sql(.ansi, entity: "Row", in: Self.schema(.other))
        #expect(query.requirements == [.binaryCollation(table: "collated", column: "name")])
    }
}

extension SQLRequirement {
    fileprivate var isBinaryCollation: Bool { if case .binaryCollation = self { true } else { false } }
}
