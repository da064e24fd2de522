// Tests of the reports about a database that differs from its schema: table, column, number of rows and first row.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct PreconditionTests {
    private static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Item", table: "item", primaryKey: ["a", "b"],
                attributes: [
                    .init("name", .string, isOptional: true).with {
                        $0.folds = [[.caseInsensitive]: "name_c"]
                    },
                    .init("stock", .integer, isOptional: true).with { $0.range = 0...10 },
                    .init("made", .date, isOptional: true).with { $0.dateStorage = .microseconds },
                    .init("seen", .date, isOptional: true).with { $0.dateStorage = .timestamp },
                    .init("weight", .double, isOptional: true), .init("serial", .uuid, isOptional: true),
                    .init("sold", .boolean, isOptional: true), .init("cost", .decimal, isOptional: true),
                    .init("tags", .list(of: .string), isOptional: true),
                ],
                relationships: [
                    .init("box", to: "Item", link: .column(["box_a", "box_b"])),
                    PredicateSchema.Relationship(
                        "links", toMany: "Item", link: .join(table: "link", from: ["fa", "fb"], to: ["ta", "tb"])),
                ],
                discriminator: "kind", code: .integer(1))
        ])
    }

    private static func store(_ statements: [String]) throws -> SQLiteStore {
        let store = try SQLiteStore(path: ":memory:", schema: schema(), mode: .readWrite)
        let tables = [
            """
            CREATE TABLE item (a, b, name TEXT, name_c TEXT, stock INTEGER, made INTEGER, seen TEXT, weight,
            serial TEXT, sold INTEGER, cost TEXT, tags TEXT, box_a, box_b, kind INTEGER DEFAULT 1)
            """,
            "CREATE TABLE link (fa, fb, ta, tb)", "INSERT INTO item (a, b) VALUES (1, 1), (1, 2), (2, 1)",
            "INSERT INTO link VALUES (1, 1, 1, 2)",
            """
            UPDATE item SET name = 'ΣA', name_c = 'σa', stock = 10, made = 1700000000000000,
            seen = '2023-11-14 22:13:20.000001', weight = 1.5, sold = 1,
            serial = '00000000-0000-0001-0000-00000000000A', cost = '1.5', tags = '["x", null]', box_a = 1, box_b = 2
            WHERE b = 1
            """,
        ]
        for statement in tables + statements { _ = try store.rows(statement) }
        return store
    }

    @Test(.cases) func differencesAreReported() {
        let cases: [(String, String?)] = [
            ("", nil),
            (
                "UPDATE item SET stock = 'many'",
                "item.stock has text, but the schema says integer (3 rows, the first with rowid 1)"
            ),
            ("UPDATE item SET stock = 11 WHERE a = 2", "item.stock has integers above 10 (1 row with rowid 3)"),
            (
                "UPDATE item SET name_c = 'ΣA' WHERE a = 2",
                "item.name_c is not the folded text of name (1 row with rowid 3)"
            ),
            (
                "UPDATE item SET name_c = NULL",
                "item.name_c is not the folded text of name (2 rows, the first with rowid 1)"
            ),
            (
                "UPDATE item SET name = CAST(x'C3' AS TEXT) WHERE b = 2",
                "item.name has text that is not UTF-8 (1 row with rowid 2)"
            ),
            (
                "UPDATE item SET made = 9223372036854775807 WHERE b = 2",
                "item.made has dates that a double cannot distinguish (1 row with rowid 2)"
            ),
            (
                "UPDATE item SET seen = made",
                "item.seen has text that is not a valid date (2 rows, the first with rowid 1)"
            ),
            (
                "UPDATE item SET seen = substr(seen, 1, 19)",
                "item.seen has text that is not a valid date (2 rows, the first with rowid 1)"
            ),
            (
                "UPDATE item SET seen = '2023-02-29 00:00:00.000000' WHERE b = 2",
                "item.seen has text that is not a valid date (1 row with rowid 2)"
            ),
            (
                "UPDATE item SET seen = '0000-12-31 00:00:00.000000' WHERE b = 2",
                "item.seen has text that is not a valid date (1 row with rowid 2)"
            ),
            (
                "UPDATE item SET seen = x'00' WHERE b = 2",
                "item.seen has blob, but the schema says date (1 row with rowid 2)"
            ),
            (
                "UPDATE item SET weight = 9007199254740993 WHERE b = 2",
                "item.weight has integers that a double cannot represent (1 row with rowid 2)"
            ),
            (
                "UPDATE item SET serial = lower(serial)",
                "item.serial has UUIDs that are not spelled like 00000000-0000-0001-0000-00000000000A (2 rows, the first with rowid 1)"
            ),
            (
                "UPDATE item SET serial = 'x' WHERE a = 2",
                "item.serial has text that is not a valid uuid (1 row with rowid 3)"
            ),
            (
                "UPDATE item SET sold = 2 WHERE b = 2",
                "item.sold has integer that is not a valid boolean (1 row with rowid 2)"
            ),
            (
                "UPDATE item SET cost = 'dear' WHERE b = 2",
                "item.cost has text that is not a valid decimal (1 row with rowid 2)"
            ),
            (
                "UPDATE item SET tags = '[' WHERE b = 2",
                "item.tags has text that is not a valid list (1 row with rowid 2)"
            ),
            (
                "UPDATE item SET tags = '[3]' WHERE b = 2",
                "item.tags has lists with elements of another type (1 row with rowid 2)"
            ),
            (
                "UPDATE item SET tags = '[\"\\u0000\"]' WHERE b = 2",
                "item.tags has lists of texts with U+0000 (1 row with rowid 2)"
            ),
            ("UPDATE item SET kind = 7 WHERE b = 2", "item.kind is not the code of an entity (1 row with rowid 2)"),
            ("UPDATE item SET kind = NULL WHERE b = 2", "item.kind is not the code of an entity (1 row with rowid 2)"),
            (
                "UPDATE item SET box_b = 9 WHERE a = 2",
                "item.box_a, box_b refers to rows of item that do not exist (1 row with rowid 3)"
            ),
            // If a part of a key is nil, the key is nil.
            ("UPDATE item SET box_a = 9, box_b = NULL WHERE a = 2", nil),
            (
                "INSERT INTO link VALUES (1, 2, 8, 8)",
                "link.ta, tb refers to rows of item that do not exist (1 row with rowid 2)"
            ),
            (
                "INSERT INTO item (a, b) VALUES (1, 2)",
                "item.a, b is the primary key of several rows (2 rows, the first with rowid 2)"
            ),
            (
                "INSERT INTO item (a, b) VALUES (1, NULL)",
                "item.a, b is NULL, but it is the primary key (1 row with rowid 4)"
            ),
            ("ALTER TABLE item DROP COLUMN name_c", "item.name_c does not exist"),
            ("ALTER TABLE item DROP COLUMN kind", "item.kind does not exist"),
            ("DROP TABLE link", "link does not exist"),
            ("ALTER TABLE link DROP COLUMN tb", "link.tb does not exist"),
        ]
        forEachCase(cases) { statement, expected in
            let store = try Self.store(statement.isEmpty ? [] : [statement])
            let found = try store.violations().map(\.description)
            #expect(found == (expected.map { [$0] } ?? []))
        }
    }

    @Test func affinitiesThatConvertAreReported() throws {
        let schema = try PredicateSchema([
            .init(
                "t", primaryKey: ["a"],
                attributes: [
                    .init("a", .string), .init("b", .integer), .init("c", .string), .init("d", .double),
                    .init("e", .string),
                ])
        ])
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try store.rows("CREATE TABLE t (a NUMERIC, b VARCHAR(3), c TEXT, d BLOB, e)")
        #expect(
            try store.violations().map(\.description) == [
                "t.a is NUMERIC, which converts numeric texts to numbers",
                "t.b is VARCHAR(3), which converts numbers to texts",
            ])
        // A sample has at most the given number of rows.
        for number in 0..<3 { _ = try store.rows("INSERT INTO t VALUES ('k\(number)', \(number), 'c', 1.5, 'e')") }
        let types = { (sample: Int?) in
            try store.violations(sample: sample).filter { $0.kind == .storedType }.map(\.rows)
        }
        #expect(try types(2) == [2])
        #expect(try types(nil) == [3])
    }

    /// The schema that is read from a database contains the collation of each column.
    @Test func collationsAreRead() throws {
        let path = NSTemporaryDirectory() + "collations-\(UInt64.random(in: 0 ... .max)).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let maker = try SQLiteStore(path: path, schema: PredicateSchema([]), mode: .create)
        _ = try maker.rows(
            "CREATE TABLE t (a TEXT, b TEXT COLLATE NOCASE, c TEXT COLLATE BINARY, d INTEGER, e COLLATE RTRIM)")
        _ = try maker.rows("INSERT INTO t VALUES ('x', 'X', 'x', 1, 'x ')")
        let store = try SQLiteStore(path: path)
        #expect(store.schema.entity("t")?.attributes.map(\.collation) == [.binary, .other, .binary, nil, .other])
        for (format, count) in [("b == 'x'", 0), ("b == 'X'", 1), ("e == 'x'", 0), ("NOT e == 'x'", 1), ("b < 'a'", 1)]
        {
            #expect(try store.count(StoreRequest("t", where: try FormatPredicate(format))) == count, "\(format)")
        }
    }
}
