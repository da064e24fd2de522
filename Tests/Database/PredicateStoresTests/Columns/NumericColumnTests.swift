// Tests of text and double columns whose declared type converts stored and compared texts to numbers. A store selects
// the same rows as memory, and uses the column's index.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct NumericColumnTests {
    private static let declared = [
        "DATETIME", "DATE", "TIMESTAMP", "NUMERIC", "DECIMAL(10, 2)", "ANY", "", "TEXT", "VARCHAR(30)", "NCHAR",
    ]
    private static let texts = [
        "2024-01-01", "2024-12-31 23:59", "2024-", "2024x", "2025-06-01", "1e", "", "a", "é", "0x10", "1 2",
    ]
    private static let predicates = [
        "at == '2024'", "at != '2024-'", "at < '2025'", "at <= '2024-01-01'", "at > '2024'", "at >= '2024'",
        "NOT at < '2024'", "at BEGINSWITH '2024'", "at BEGINSWITH '20'", "at ENDSWITH '1'", "at CONTAINS '0'",
        "at BETWEEN {'2024', '2025'}", "at LIKE '2024*'", "at LIKE '1?2'", "at MATCHES '2024.*'",
        "at IN {'2024', '2024-', '1e'}", "NOT at IN {'2024', 'a'}", "at < other", "at == other", "other >= at",
        "at ==[c] '1E'", "at <[c] '2025'", "uppercase:(at) == 'A'", "'x2024-y' CONTAINS at", "at != nil AND at > ''",
        "at IN {other, '2024'}", "TERNARY(at < '2025', at, other) > '1'",
    ]

    /// Creates a database with the statements, and opens it with the schema that its declarations give.
    private static func store(_ statements: [String], _ rows: [[PredicateValue]] = []) throws -> SQLiteStore {
        let path = NSTemporaryDirectory() + "numeric-\(UInt64.random(in: 0 ... .max)).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let making = try SQLiteStore(path: path, schema: PredicateSchema([]), mode: .create)
        for sql in statements { _ = try making.rows(sql) }
        for row in rows { _ = try making.rows("INSERT INTO t VALUES (?, ?, ?)", row) }
        return try SQLiteStore(path: path)
    }

    private static func store(_ declared: String, _ options: String = "") throws -> SQLiteStore {
        let rows = texts.enumerated().map { index, text -> [PredicateValue] in
            [.integer(Int64(index)), .string(text), .string(index % 3 == 0 ? "2024" : texts[index / 2])]
        }
        return try store(
            [
                "CREATE TABLE t (id INTEGER PRIMARY KEY, at \(declared), other TEXT)\(options)",
                "CREATE INDEX t_at ON t (at)",
            ], rows)
    }

    /// Checks that the store selects, in SQL alone, the keys that memory selects.
    private static func expectSame(_ store: SQLiteStore, _ entity: String, _ text: String, _ why: String) throws {
        let request = StoreRequest(entity, where: try FormatPredicate(text))
        let plan = try store.plan(request)
        #expect(plan.residual == nil, "\(why): \(text)")
        let matcher = try request.predicate.compiled()
        let all = try store.fetch(StoreRequest(entity))
        let expected = all.filter { matcher.matches(.object(ObjectReference($0))) }.map { $0["id"] }
        let found = try store.fetch(request).map { $0["id"] }
        #expect(Set(found) == Set(expected), "\(why): \(text)\n\(plan.statement.text)")
    }

    @Test(.cases) func textsStayTexts() {
        forEachCase(Self.declared) { declared in
            let store = try Self.store(declared)
            for text in Self.predicates { try Self.expectSame(store, "t", text, declared) }
        }
    }

    @Test(.cases) func strictTables() {
        forEachCase(["TEXT", "ANY"] as [String]) { declared in
            let store = try Self.store(declared, " STRICT")
            for text in Self.predicates { try Self.expectSame(store, "t", text, declared) }
        }
    }

    /// A cached statement gives correct results also for values that look like numbers.
    @Test func knownShapes() throws {
        let store = try Self.store("DATETIME")
        for text in ["a-b", "2025", "2024-01-01", "2024", "1"] {
            for format in ["at < '\(text)'", "at >= '\(text)'", "at BEGINSWITH '\(text)'", "at == '\(text)'"] {
                for _ in 0..<4 { try Self.expectSame(store, "t", format, "DATETIME") }
            }
        }
    }

    @Test(.cases) func anIndexServes() {
        let cases: [String] = [
            "at == '2024-01-01'", "at < '2024'", "at >= '2024-01-01' AND at < '2025'", "at BEGINSWITH '2024'",
            "at LIKE '2024*'", "at IN {'2024-', 'a'}", "at BETWEEN {'2024', '2025'}",
        ]
        forEachCase(cases) { text in
            let store = try Self.store("DATETIME")
            let plan = try store.explain(StoreRequest("t", where: try FormatPredicate(text)))
            #expect(plan.contains { $0.contains("USING INDEX t_at") }, "\(plan)")
        }
    }

    /// A column of a view may contain texts of two tables. A text in it may look like a number.
    @Test func views() throws {
        let store = try Self.store([
            "CREATE TABLE a (id INTEGER PRIMARY KEY, at DATETIME)", "CREATE TABLE b (id INTEGER PRIMARY KEY, at TEXT)",
            "CREATE VIEW one AS SELECT id, at FROM a",
            "CREATE VIEW two AS SELECT id, at FROM b UNION ALL SELECT id, at FROM a",
            "CREATE VIEW three AS SELECT id, at FROM a UNION ALL SELECT id, at FROM b",
            "CREATE VIEW four AS SELECT id, CAST(at AS NUMERIC) || '' AS at FROM b",
            "INSERT INTO a VALUES (1, '2024-01'), (2, '2025-'), (3, 'x')",
            "INSERT INTO b VALUES (4, '2024'), (5, '2025'), (6, '2024-02'), (7, '1e3')",
        ])
        for view in ["one", "two", "three", "four"] {
            for text in Self.predicates where !text.contains("other") { try Self.expectSame(store, view, text, view) }
        }
    }

    /// SQLite stores whole doubles as integers; their products are still computed as doubles.
    @Test(.cases) func doublesStayDoubles() {
        forEachCase(["NUMERIC", "DECIMAL(10, 2)", "", "REAL"] as [String]) { declared in
            let pairs = [(4_503_599_627_370_497, 3), (3, 4), (0.5, 2), (1e18, 1e18), (7, 0), (-3, 2)]
            let store = try Self.store(
                ["CREATE TABLE t (id INTEGER PRIMARY KEY, x \(declared), y \(declared))"],
                pairs.enumerated().map { [.integer(Int64($0)), .double($1.0), .double($1.1)] })
            for text in [
                "x * y > 13510798882111491", "x * y == 12", "x / y == 0.75", "x / y > 1", "x + y == 7", "x - y < 0",
                "-x < 0", "abs:(x) == 3", "x * y * y == 36", "sqrt:(y) == 2", "floor:(x / y) == -2", "x == 3", "x < y",
            ] { try Self.expectSame(store, "t", text, declared) }
        }
    }
}
