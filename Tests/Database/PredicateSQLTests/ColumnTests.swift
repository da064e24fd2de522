// Tests of what a schema states about columns besides their types: folded texts, decimals and dates as integers,
// ranges, lists, entities that share a table. The SQL of each predicate is exact, and selects on SQLite the same rows
// as the evaluator.

import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct ColumnTests {
    private static func schema() throws -> PredicateSchema {
        let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        return try PredicateSchema([
            .init(
                "Thing", table: "thing", primaryKey: ["id"],
                attributes: [
                    .init("title", .string).with {
                        $0.folds = [both: "title_cd", .caseInsensitive: "title_c"]
                    },
                    .init("other", .string, isOptional: true).with {
                        $0.folds = [both: "other_cd"]
                    },
                    .init("price", .decimal, isOptional: true).with { $0.scale = 2 },
                    .init("made", .date).with { $0.dateStorage = .milliseconds },
                    .init("read", .date, isOptional: true).with { $0.dateStorage = .seconds },
                    .init("level", .integer).with { $0.range = 0...10 },
                    .init("tags", .list(of: .string), isOptional: true), .init("marks", .list(of: .integer)),
                ],
                relationships: [.init("parts", toMany: "Part", link: .foreignKey("owner"))],
                discriminator: "kind"),
            .init("Part", parent: "Thing", code: .integer(2)),
            .init("Screw", attributes: [.init("turns", .integer, isOptional: true)], parent: "Part", code: .integer(3)),
        ])
    }

    private struct Row {
        let id: Int64
        let kind: Int64
        var owner: Int64?
        let title: String
        let other: String?
        let cents: Int64?
        let made: Int64
        let read: Int64?
        let level: Int64
        let tags: [String]?
        let marks: [Int64]

        func object(_ rows: [Row]) -> PredicateValue {
            let parts = rows.filter { $0.owner == id && $0.kind > 1 }.map { $0.object([]) }
            return .dictionary(
                ValueDictionary([
                    ("title", .string(title)), ("other", other.map(PredicateValue.string) ?? .null),
                    ("price", cents.map { .decimal(DecimalNumber(coefficient: $0, exponent: -2)) } ?? .null),
                    ("made", .date(DateStorage.milliseconds.seconds(of: made))),
                    ("read", read.map { .date(DateStorage.seconds.seconds(of: $0)) } ?? .null),
                    ("level", .integer(level)), ("tags", tags.map { .array($0.map(PredicateValue.string)) } ?? .null),
                    ("marks", .array(marks.map(PredicateValue.integer))), ("parts", .array(parts)),
                ]))
        }
    }

    private static let rows = [
        Row(
            id: 1, kind: 1, title: "Élan", other: "elan", cents: 125, made: 1_700_000_000_123, read: 1_700_000_000,
            level: 0, tags: ["a", "B\"", "é"], marks: [1, 2]),
        Row(
            id: 2, kind: 2, owner: 1, title: "straße", other: nil, cents: nil, made: 0, read: nil, level: 10, tags: nil,
            marks: []),
        Row(
            id: 3, kind: 3, owner: 1, title: "STRASSE", other: "x", cents: -1, made: -1, read: 978_307_200, level: 5,
            tags: [], marks: [.max]),
        Row(
            id: 4, kind: 1, owner: 3, title: "elan", other: "ÉLAN", cents: 0, made: 978_307_200_000, read: 0, level: 3,
            tags: ["abc", "a"], marks: [-1, 0, 1]),
    ]

    private static func database() throws -> SQLiteDatabase {
        let database = try SQLiteDatabase()
        try database.run(
            """
            CREATE TABLE thing (id INTEGER PRIMARY KEY, kind INTEGER, owner INTEGER, title TEXT, title_c TEXT,
            title_cd TEXT, other TEXT, other_cd TEXT, price INTEGER, made INTEGER, read INTEGER, level INTEGER, tags TEXT, marks TEXT,
            turns INTEGER)
            """)
        func list(_ values: [Any]?) throws -> PredicateValue {
            guard let values else { return .null }
            return .string(String(decoding: try JSONSerialization.data(withJSONObject: values), as: UTF8.self))
        }
        let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        for row in rows {
            let values: [PredicateValue] = [
                .integer(row.id), .integer(row.kind), row.owner.map(PredicateValue.integer) ?? .null,
                .string(row.title), .string(StringFold.fold(row.title, .caseInsensitive)),
                .string(StringFold.fold(row.title, both)), row.other.map(PredicateValue.string) ?? .null,
                row.other.map { .string(StringFold.fold($0, both)) } ?? .null,
                row.cents.map(PredicateValue.integer) ?? .null, .integer(row.made),
                row.read.map(PredicateValue.integer) ?? .null, .integer(row.level), try list(row.tags),
                try list(row.marks), .null,
            ]
            try database.run("INSERT INTO thing VALUES (\(values.map { _ in "?" }.joined(separator: ",")))", values)
        }
        return database
    }

    static let formats = [
        "title ==[cd] 'ELAN'", "title ==[c] 'STRASSE'", "title BEGINSWITH[cd] 'él'", "title ==[cd] other",
        "other CONTAINS[cd] 'LA'", "title <[cd] other", "title LIKE[cd] '*L?N'", "title MATCHES[c] 'stra.*'",
        "price > 1.2", "price == 1.25", "price < 0.001", "price * 2 > 2.5", "price + 1 == 1", "price == nil",
        "price > 1", "made > %@", "read == made", "read < %@", "made BETWEEN {%@, %@}", "CAST(%@, 'NSDate') > read",
        "level + 1 > 3", "NOT level * level > 20", "level - 11 == -1",
        // Decimal constants are written as units, and integers beside them, too.
        "1 + CAST('2.5', 'NSDecimalNumber') < level", "level < 6 - CAST('2.5', 'NSDecimalNumber')",
        "level * CAST('0.3', 'NSDecimalNumber') < level - CAST('2.25', 'NSDecimalNumber')", "'a' IN tags",
        "tags CONTAINS 'é'", "ANY tags BEGINSWITH 'a'", "ALL tags == 'a'", "NONE tags == 'a'", "tags == nil",
        "tags != nil", "ANY tags ==[c] 'b\"'", "marks[SIZE] > 1", "marks.@count == 0", "ANY marks > level",
        "SUBQUERY(marks, $m, $m > 0).@count == 1", "parts.@count == 2", "parts.@sum.level == 15",
        "parts.@avg.level > 7", "parts.@avg.level == nil", "ANY parts.title == 'straße'",
    ]

    @Test(.cases) func sqlSelectsTheRowsOfTheEvaluator() {
        forEachCase(pairs(Self.formats, [SQLDialect.sqlite, .sqlitePlain] as [SQLDialect])) { format, dialect in
            guard SQLiteDatabase.isAvailable else { return }
            let count = format.split(separator: "%@", omittingEmptySubsequences: false).count - 1
            for seconds in [0, 721_692_800.123, 721_692_800, -978_307_200, -978_307_200.0005] {
                let dates = [PredicateValue](repeating: .date(seconds), count: count)
                let predicate = try FormatPredicate(format, arguments: dates)
                let query = try predicate.sql(dialect, entity: "Thing", in: Self.schema())
                let found = try Self.database().run(query.statement, query.bindings).sorted()
                let expected = try Self.rows.filter { try predicate.evaluate($0.object(Self.rows)) }.map(\.id)
                if query.isExact {
                    #expect(found == expected, "\(query.text) \(query.bindings)")
                } else {
                    #expect(Set(found).isSuperset(of: expected), "\(query.text) \(query.bindings)")
                }
                // Two columns with different units are compared in memory.
                if format == "read == made" { continue }
                // Checking that a letter ends after the needle also needs a pattern.
                let isPattern = ["LIKE", "MATCHES", "ANY tags ==[c]", "BEGINSWITH[", "CONTAINS["].contains(
                    where: format.contains)
                #expect(query.isExact || dialect == .sqlitePlain && isPattern, "\(query.reasons)")
                if count == 0 { break }
            }
        }
    }

    /// Folded columns and decimals in units are sorted as in memory: nil first or last as requested, and equal
    /// rows by key.
    @Test(.cases) func rowsAreSortedAsInMemory() {
        forEachCase(
            pairs(
                [
                    "title[cd]", "-title[c]", "other[cd]:nils-last", "-other[cd]:nils-first", "-price",
                    "price:nils-last,-title[cd]",
                ] as [String], [SQLDialect.sqlite, .sqlitePlain] as [SQLDialect])
        ) { list, dialect in
            guard SQLiteDatabase.isAvailable else { return }
            let keys = try #require(PredicateSortKey.list(list))
            let statement = try FormatPredicate("level >= 0").sql(
                .select(sort: keys), dialect, entity: "Thing", in: Self.schema())
            #expect(statement.isSorted && !statement.text.contains("COLLATE"), "\(statement.sortReasons)")
            var sorter = Sorter<Int64>(keys: keys)
            for row in Self.rows {
                guard case .dictionary(let fields) = row.object([]) else { continue }
                sorter.add(row.id, fields: keys.map { fields[$0.path] ?? .null })
            }
            #expect(try Self.database().run(statement.text, statement.bindings) == sorter.finish())
        }
    }

    @Test(.cases) func sharedTablesAreFilteredByEntity() {
        let cases: [(String, String, [Int64])] = [
            ("Thing", "", [1, 2, 3, 4]), ("Part", #""t0"."kind" IN (?, ?) AND "#, [2, 3]),
            ("Screw", #""t0"."kind" = ? AND "#, [3]),
        ]
        forEachCase(cases) { entity, condition, expected in
            guard SQLiteDatabase.isAvailable else { return }
            let query = try FormatPredicate("level >= 0").sql(.sqlite, entity: entity, in: Self.schema())
            #expect(query.text == condition + #""t0"."level" >= ?"#)
            #expect(query.from == #""thing" AS "t0""#)
            #expect(try Self.database().run(query.statement, query.bindings).sorted() == expected)
        }
    }

    /// NaN has no order in a predicate, even if the engine orders it.
    @Test func nanHasNoOrder() throws {
        let schema = try PredicateSchema([
            .init("A", attributes: [.init("x", .double).with { $0.allowsNaN = true }, .init("y", .double)])
        ])
        func text(_ format: String, _ dialect: SQLDialect) throws -> String {
            try FormatPredicate(format).sql(dialect, entity: "A", in: schema).text
        }
        #expect(try text("x > 1", .duckDB) == #""t0"."x" > $1 AND "t0"."x" <= $2"#)
        #expect(try text("x > 1", .clickHouse) == "`t0`.`x` > {p1:Float64}")
        #expect(try text("x < 1", .duckDB) == #""t0"."x" < $1"#)
        #expect(try text("NOT x < 1", .duckDB) == #"("t0"."x" < $1) IS NOT TRUE"#)
        #expect(try text("x > y", .postgreSQL) == #""t0"."x" > "t0"."y" AND "t0"."x" <= $1::float8"#)
        #expect(try text("x > 1", .sqlite) == #""t0"."x" > ?"#)
    }

    /// If no stored text contains U+0000, then the texts before `a\0b` in the order are `a` and the texts before it.
    @Test(.cases) func constantsWithNULAreShortened() {
        forEachCase(
            [("<", "<=", "a"), ("<=", "<=", "a"), (">", ">", "a"), (">=", ">", "a")] as [(String, String, String)]
        ) { `operator`, written, value in
            let predicate = try FormatPredicate("title \(`operator`) %@", "a\0b")
            let query = try predicate.sql(.postgreSQL, entity: "Thing", in: Self.schema())
            #expect(query.text == "\"t0\".\"title\" \(written) $1::text")
            #expect(query.bindings == [.string(value)])
            #expect(query.isExact)
        }
    }

    @Test func nowIsExactUnlessItsClockIsInMemory() throws {
        let predicate = try FormatPredicate("made < now()")
        let later = try predicate.sql(.sqlite, entity: "Thing", in: Self.schema(), clock: .memory)
        #expect(later.residual == predicate && later.reasons.map(\.sentence) == ["its clock is read in memory"])
        let query = try predicate.sql(.sqlite, entity: "Thing", in: Self.schema(), clock: .at(0))
        #expect(query.text == "\"t0\".\"made\" <= ?")
        #expect(query.bindings == [.integer(978_307_199_999)])
        #expect(try predicate.sql(.sqlite, entity: "Thing", in: Self.schema()).text == query.text)
    }

    /// SQL and the residual have the same instant, also in statements and in the compiler's cache.
    @Test func allPartsOfAQueryHaveOneInstant() throws {
        let predicate = try FormatPredicate("made < now() AND (title MATCHES '(?=a).*' OR made < now())")
        let schema = try Self.schema()
        let compiler = SQLCompiler(.sqlite, schema: schema)
        for instant in [100.0, 200] {
            let expected = try FormatPredicate(
                "made < %@ AND (title MATCHES '(?=a).*' OR made < %@)", arguments: [.date(instant), .date(instant)]
            ).sql(.sqlite, entity: "Thing", in: schema)
            let clock = PredicateClock.at(instant)
            let query = try predicate.sql(.sqlite, entity: "Thing", in: schema, clock: clock)
            #expect(query.bindings == expected.bindings && query.residual == expected.residual)
            #expect(try compiler.query(predicate, entity: "Thing", clock: clock) == query)
            let statement = try predicate.sql(.select(), .sqlite, entity: "Thing", in: schema, clock: clock)
            #expect(statement.query == query)
            #expect(try compiler.statement(.select(), predicate, entity: "Thing", clock: clock) == statement)
        }
    }

    /// A range in the schema proves that the arithmetic does not overflow.
    @Test func rangesExcludeOverflow() throws {
        let schema = try Self.schema()
        func text(_ format: String) throws -> String {
            try FormatPredicate(format).sql(.sqlite, entity: "Thing", in: schema).text
        }
        #expect(try text("NOT level + 1 > 3") == #""t0"."level" <= ?"#)
        #expect(!(try text("NOT level * level > 20")).contains("IS NOT NULL"))
    }
}
