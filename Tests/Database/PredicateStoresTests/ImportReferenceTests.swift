// Tests of imports into a database with rows: an object in a record is a reference, every spelling of a foreign key is
// checked, and a record that cannot be imported is a loss in words.

import Foundation
import PredicateStores
import Testing

@Suite(BothPaths()) struct ImportReferenceTests {
    private static func store(enforced: Bool = false) throws -> SQLiteStore {
        let store = try SQLiteStore(path: ":memory:", schema: PredicateSchema([]), mode: .create)
        for statement in [
            "PRAGMA foreign_keys = \(enforced ? "ON" : "OFF")",
            "CREATE TABLE company (id INTEGER PRIMARY KEY, title TEXT, city TEXT)",
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE, member BOOLEAN, email TEXT UNIQUE,
            extra, employer_id INTEGER REFERENCES company)
            """,
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL, person_id INTEGER NOT NULL REFERENCES person)",
            "CREATE TABLE line (id INTEGER PRIMARY KEY, note TEXT, orders_id INTEGER NOT NULL REFERENCES orders)",
            "CREATE TABLE made (id INTEGER PRIMARY KEY, name TEXT, size INTEGER AS (length(name)))",
            "INSERT INTO company VALUES (1, 'Engines', NULL), (2, 'Looms', 'Lyon')",
            "INSERT INTO person (id, name, employer_id) VALUES (5, 'Ada', 2), (6, 'Jean', NULL)",
        ] { _ = try store.rows(statement) }
        return try store.refreshed()
    }

    private static func run(
        _ store: SQLiteStore, _ text: String, _ entity: String = "person", _ suffix: String = "jsonl",
        _ change: (inout ImportOptions) -> Void = { $0.keepsGoing = true }
    ) throws -> ImportReport {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID()).\(suffix)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        var options = ImportOptions()
        change(&options)
        return try store.importFiles([path], into: entity, options: options)
    }

    private static func rows(_ store: SQLiteStore, _ table: String) throws -> String {
        try store.rows("SELECT * FROM \(table) ORDER BY id").map { row in
            row.map { $0.isNil ? "" : ($0.stringValue ?? "\($0)") }.joined(separator: "|")
        }.joined(separator: "\n")
    }

    /// A row whose required reference is missing cannot be removed if a row of the same record refers to it, by a column
    /// that only the to-many relationship names.
    @Test func rowsThatOthersReferToAreNotRemoved() throws {
        let id = PredicateSchema.Attribute("id", .integer)
        let schema = try PredicateSchema([
            .init("owner", primaryKey: ["id"], attributes: [id]),
            .init(
                "list", primaryKey: ["id"], attributes: [id],
                relationships: [
                    .init("owner", to: "owner", isOptional: false, link: .column("owner_id")),
                    .init("todos", toMany: "todo", link: .foreignKey("list_id")),
                ]),
            .init("todo", primaryKey: ["id"], attributes: [id, .init("name", .string)]),
        ])
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        _ = try store.rows("CREATE TABLE owner (id INTEGER PRIMARY KEY)")
        _ = try store.rows("CREATE TABLE list (id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL)")
        _ = try store.rows("CREATE TABLE todo (id INTEGER PRIMARY KEY, name TEXT, list_id INTEGER)")
        let report = try Self.run(store, #"{"id": 1, "owner": 9, "todos": [{"id": 5, "name": "a"}]}"#, "list")
        let reason = "'owner' of list 1 refers to owner 9, which does not exist, and cannot be nil"
        #expect(report.losses.map(\.reason) == [reason] && !report.isCommitted)
        #expect(try store.count(StoreRequest("list")) == 0 && store.count(StoreRequest("todo")) == 0)
    }

    /// A case: records, the rows of both tables afterwards, and the reasons of the losses.
    struct Case: Sendable, CustomTestStringConvertible {
        let records: String
        var updates = false
        var entity = "person"
        let company: String
        var losses: [String] = []
        var rows: [String: Int]
        var testDescription: String { records }
    }

    private static let companies = "1|Engines|\n2|Looms|Lyon"

    private static let cases: [Case] = [
        // The same values, or fewer, are a reference.
        Case(
            records: #"{"id": 10, "name": "a", "employer": {"id": 2, "title": "Looms"}}"#, company: companies,
            rows: ["person": 1]),
        Case(
            records: #"{"id": 10, "name": "a", "employer": {"id": 1, "title": "OTHER"}}"#, company: companies,
            losses: [#"'title' of company 1 is "Engines", not "OTHER"; updates are off"#], rows: ["person": 1]),
        Case(
            records: #"{"id": 10, "name": "a", "employer": {"id": 1, "city": "Bonn"}}"#, company: companies,
            losses: [#"'city' of company 1 is null, not "Bonn"; updates are off"#], rows: ["person": 1]),
        Case(
            records: #"{"id": 10, "name": "a", "employer": {"id": 1, "title": "OTHER"}}"#, updates: true,
            company: "1|OTHER|\n2|Looms|Lyon", rows: ["person": 1, "company": 1]),
        // Objects of this import complete each other, are counted once, and may not disagree.
        Case(
            records: """
                {"id": 10, "name": "a", "employer": {"id": 3, "title": "New"}}
                {"id": 11, "name": "b", "employer": {"id": 3, "title": "New", "city": "Bonn"}}
                {"id": 12, "name": "c", "employer": {"id": 3}}
                """, company: companies + "\n3|New|Bonn", rows: ["person": 3, "company": 1]),
        Case(
            records: """
                {"id": 10, "name": "a", "employer": {"id": 3, "title": "New"}}
                {"id": 11, "name": "b", "employer": {"id": 3, "title": "Other"}}
                """, company: companies + "\n3|New|",
            losses: [#"'title' of company 3 is "New", not "Other"; updates are off"#],
            rows: ["person": 2, "company": 1]),
        // Children of another parent; a child without a parent gets one.
        Case(
            records: #"{"id": 1, "person": [{"id": 5, "name": "Ada"}]}"#, updates: false, entity: "company",
            company: companies, losses: ["company 1 exists; updates are off"], rows: [:]),
        Case(
            records: #"{"id": 3, "title": "C", "person": [{"id": 5, "name": "Ada"}, {"id": 6}, 5]}"#, entity: "company",
            company: companies + "\n3|C|",
            losses: [
                "'employer' of person 5 is 2, not 3; updates are off",
                "'person' of company 3: person 5 belongs to company 2; updates are off",
            ], rows: ["company": 1]),
        Case(
            records: #"{"id": 3, "title": "C", "person": [{"id": 6, "name": "Jean"}]}"#, entity: "company",
            company: companies + "\n3|C|", rows: ["company": 1, "person": 1]),
        // Keys.
        Case(
            records: """
                {"id": 20, "name": "a"}
                {"id": 20, "name": "b"}
                {"id": 5, "name": "c"}
                {"id": null, "name": "d"}
                {"name": "e"}
                {"id": 21, "name": "f"}
                {"id": 22, "name": "g", "email": "x"}
                {"id": 23, "name": "h", "email": "x"}
                """, company: companies,
            losses: [
                "two records have id 20; updates are off", "person 5 exists; updates are off",
                "'id' is null in a record of person: give a key, or leave 'id' out",
                "a record without a key got id 21: put the records that have keys first",
                "another row has the same email",
            ], rows: ["person": 3]),
        // Values.
        Case(
            records: """
                {"id": 10, "name": 5}
                {"id": 11, "name": "b", "extra": {"a": 1}}
                {"id": 12, "name": "c", "extra": [1]}
                {"id": 13, "name": "d", "member": "yes"}
                {"id": 14, "name": "e", "extra": 1, "member": true}
                """, company: companies,
            losses: [
                "the field 'name' is not a string: 5", #"the field 'extra' is not a single value: {"a":1}"#,
                "the field 'extra' is not a single value: [1]", #"the field 'member' is not a boolean: "yes""#,
            ], rows: ["person": 1]),
        // Both spellings of a foreign key.
        Case(
            records: """
                {"id": 10, "name": "a", "employer": 99}
                {"id": 11, "name": "b", "employer_id": 99}
                {"id": 12, "name": "c", "employer_id": 1, "employer": 2}
                {"id": 13, "name": "d", "employer_id": 3}
                {"id": 14, "name": "e", "employer": {"id": 3, "title": "Later"}}
                """, company: companies + "\n3|Later|",
            losses: [
                "'employer' of person 12 is 2, and 'employer_id' is 1",
                "'employer' of person 10 refers to company 99, which does not exist",
                "'employer' of person 11 refers to company 99, which does not exist",
            ], rows: ["person": 4, "company": 1]),
        // A record is lost with the objects in it.
        Case(
            records: """
                {"id": 30, "nam": "a", "orders": [{"total": 1}], "employer": {"id": 4, "title": "D"}}
                {"id": 31, "name": "b", "orders": [{"total": 2}]}
                """, company: companies, losses: ["person has no key 'nam': did you mean 'name'?"],
            rows: ["person": 1, "orders": 1]),
    ]

    @Test(arguments: cases, [true, false]) func nothingIsOverwrittenOrDangling(_ test: Case, _ isEnforced: Bool) throws
    {
        let store = try Self.store(enforced: isEnforced)
        let report = try Self.run(store, test.records, test.entity) { options in
            (options.keepsGoing, options.updates) = (true, test.updates)
        }
        #expect(report.losses.map(\.reason) == test.losses)
        #expect(report.isCommitted && report.rows.filter { $0.value > 0 } == test.rows)
        #expect(try Self.rows(store, "company") == test.company)
        #expect(try store.rows("PRAGMA foreign_key_check").isEmpty)
        // Without --keep-going, one loss means that nothing is imported.
        let strict = try Self.store(enforced: isEnforced)
        let before = try Self.rows(strict, "person")
        let all = try Self.run(strict, test.records, test.entity) { $0.updates = test.updates }
        #expect(all.isCommitted == test.losses.isEmpty && all.losses.map(\.reason) == test.losses)
        if !test.losses.isEmpty { #expect(try Self.rows(strict, "person") == before) }
    }

    /// A required reference in the column's spelling is checked, and a later record may have the row.
    @Test func columnsOfTablesAreChecked() throws {
        let store = try Self.store()
        let good = try Self.run(store, "id,person_id,total\n1,5,3\n2,6,4\n", "orders", "csv")
        #expect(good.isCommitted && good.rows == ["orders": 2])
        let bad = try Self.run(store, "id,person_id,total\n3,5,3\n4,99,4\n", "orders", "csv")
        #expect(bad.isCommitted && bad.rows == ["orders": 1])
        #expect(
            bad.losses.map(\.reason) == [
                "'person' of orders 4 refers to person 99, which does not exist, and cannot be nil"
            ])
        // Other rows refer to the row that would have to be removed.
        let owned = try Self.run(store, #"{"id": 5, "person_id": 99, "total": 1, "line": [{"note": "x"}]}"#, "orders")
        #expect(!owned.isCommitted && owned.lossCount == 1)
        #expect(try store.count(StoreRequest("line")) == 0)
        let late = try Self.run(store, "id,name,employer_id\n10,a,2\n", "person", "csv")
        #expect(late.isCommitted && late.lossCount == 0)
    }

    /// Losses of a CSV file are values, which can be imported again.
    @Test func lossesOfTablesCanBeImportedAgain() throws {
        let store = try Self.store()
        let report = try Self.run(store, "id,name,member,employer_id\nx,a,yes,2\n11,b,no,7\n", "person", "csv")
        let records = report.losses.compactMap(\.record)
        #expect(
            records == [
                ["id": "x", "name": "a", "member": true, "employer_id": 2],
                ["id": 11, "name": "b", "member": false, "employer_id": 7],
            ])
        let again = try Self.run(
            store, #"{"id": 12, "name": "a", "member": true, "employer_id": 2}"#, "person", "jsonl"
        ) { _ in }
        #expect(again.isCommitted)
    }

    /// A reference to a row that does not exist leaves the stored one.
    @Test(arguments: ["employer", "employer_id"]) func updatesKeepReferences(_ key: String) throws {
        let store = try Self.store()
        let report = try Self.run(store, #"{"id": 5, "name": "A.", "\#(key)": 99}"#) { options in
            (options.keepsGoing, options.updates) = (true, true)
        }
        #expect(report.isCommitted && report.lossCount == 1)
        #expect(try store.rows("SELECT name, employer_id FROM person WHERE id = 5") == [[.string("A."), .integer(2)]])
    }

    @Test func nilOfARelationshipIsWritten() throws {
        let store = try Self.store()
        let kept = try Self.run(store, #"{"id": 5, "name": "Ada"}"#) { $0.updates = true }
        #expect(kept.isCommitted)
        #expect(try store.rows("SELECT employer_id FROM person WHERE id = 5") == [[.integer(2)]])
        _ = try Self.run(store, #"{"id": 5, "employer": null}"#) { $0.updates = true }
        #expect(try store.rows("SELECT employer_id FROM person WHERE id = 5") == [[.null]])
    }

    @Test func keysEndAtTheGreatestInteger() throws {
        let store = try Self.store()
        _ = try store.rows("INSERT INTO company (id) VALUES (9223372036854775806)")
        let report = try Self.run(store, "{\"title\": \"a\"}\n{\"title\": \"b\"}", "company")
        #expect(report.isCommitted && report.rows == ["company": 1])
        let reason = "a record of company has no 'id', and there is no integer after 9223372036854775807"
        #expect(report.losses.map(\.reason) == [reason])
    }

    /// A constraint that replaces rows does not delete a stored one.
    @Test func constraintsDoNotReplaceRows() throws {
        let store = try Self.store()
        _ = try store.rows(
            "CREATE TABLE r (id INTEGER PRIMARY KEY ON CONFLICT REPLACE, name TEXT UNIQUE ON CONFLICT REPLACE)")
        _ = try store.rows("INSERT INTO r VALUES (1, 'a'), (2, 'b')")
        let lines = #"{"id": 1, "name": "x"}"# + "\n" + #"{"id": 3, "name": "b"}"#
        let report = try Self.run(try store.refreshed(), lines, "r")
        #expect(report.losses.map(\.reason) == ["r 1 exists; updates are off", "another row has the same name"])
        let updates = try Self.run(try store.refreshed(), #"{"id": 1, "name": "b"}"#, "r") { $0.updates = true }
        #expect(updates.losses.map(\.reason) == ["another row has the same name"])
        #expect(try Self.rows(store, "r") == "1|a\n2|b")
    }

    /// A key with NULL is stored where the column allows it, and names no row to update.
    @Test func recordsWhoseKeysAreNull() throws {
        let store = try Self.store()
        _ = try store.rows("CREATE TABLE t (id TEXT PRIMARY KEY, u INTEGER)")
        let lines = "{\"id\": null, \"u\": 1}\n{\"id\": null, \"u\": 2}\n{\"id\": \"a\", \"u\": 3}"
        let report = try Self.run(try store.refreshed(), lines, "t")
        #expect(report.losses.isEmpty && report.rows == ["t": 3])
        #expect(try Self.rows(store, "t") == "|1\n|2\na|3")
        let update = try Self.run(try store.refreshed(), #"{"id": null, "u": 5}"#, "t") { $0.updates = true }
        #expect(update.losses.map(\.reason) == ["'id' is null in a record of t: give a key, or leave 'id' out"])
        let number = try Self.run(store, #"{"id": null, "name": "a"}"#)
        #expect(number.losses.map(\.reason) == ["'id' is null in a record of person: give a key, or leave 'id' out"])
    }

    /// A view has no primary key, so an import only inserts into it.
    @Test func recordsOfAView() throws {
        let store = try Self.store()
        for statement in [
            "CREATE VIEW shown AS SELECT id, title FROM company",
            """
            CREATE TRIGGER added INSTEAD OF INSERT ON shown
            BEGIN INSERT INTO company (id, title) VALUES (NEW.id, NEW.title); END
            """,
        ] { _ = try store.rows(statement) }
        let lines = "{\"id\": 1, \"title\": \"x\"}\n{\"id\": 3, \"title\": \"y\"}"
        for updates in [false, true] {
            let reason =
                "UNIQUE constraint failed: company.id"
                + (updates ? "; shown has no primary key, so no row is updated" : "")
            let report = try Self.run(try store.refreshed(), lines, "shown") {
                ($0.updates, $0.keepsGoing, $0.isDryRun) = (updates, true, true)
            }
            #expect(report.losses.map(\.reason) == [reason] && report.rows == ["shown": 1])
        }
    }

    /// A decimal is stored with all its digits, or is a loss.
    @Test func decimalsKeepTheirDigits() throws {
        let small = "0.10000000000000000001"
        let great = "123456789012345678901.5"
        let long = "1.00000000000000000000000000000000000000001"
        let lost = "the field 'd': its column keeps a number as a double, which loses digits of "
        let cases: [(column: String, type: ExpressionType.Kind?, number: String, stored: String?, reason: String?)] = [
            ("TEXT", .decimal, small, small, nil), ("TEXT", .decimal, great, great, nil),
            ("TEXT", .decimal, "1e-400", "1e-400", nil), ("TEXT", .decimal, "1.50000000000000000000", "1.5", nil),
            ("TEXT", .decimal, long, nil, "38 digits"), ("DECIMAL(30,20)", nil, small, nil, lost + small),
            ("DECIMAL(30,20)", nil, great, nil, lost + great), ("DECIMAL(30,20)", nil, "0.25", "0.25", nil),
            ("DECIMAL(30,20)", nil, "12345678901234567", "12345678901234567", nil),
            ("DECIMAL(30,20)", .double, small, nil, lost + small), ("NUMERIC", .decimal, small, nil, lost + small),
            ("REAL", .decimal, small, nil, lost + small), ("REAL", .double, small, "0.1", nil),
        ]
        for (column, type, number, stored, reason) in cases {
            for suffix in ["jsonl", "csv"] {
                let made = try Self.store()
                _ = try made.rows("CREATE TABLE d (id INTEGER PRIMARY KEY, d \(column))")
                var entities = try made.refreshed().schema.entities
                for index in entities.indices where entities[index].name == "d" {
                    if let type { entities[index].attributes[1] = .init("d", type, isOptional: true) }
                }
                let store = try made.refreshed(schema: PredicateSchema(entities))
                let text = suffix == "csv" ? "id,d\n1,\(number)" : #"{"id": 1, "d": \#(number)}"#
                let report = try Self.run(store, text, "d", suffix)
                let found = report.losses.map(\.reason).joined()
                let note = Comment("\(column) \(number) \(suffix): \(found)")
                #expect(reason.map(found.contains) ?? found.isEmpty || reason == "38 digits" && !found.isEmpty, note)
                #expect(try store.rows("SELECT CAST(d AS TEXT) FROM d").first?[0].stringValue == stored, note)
                // The same for a value of the app.
                guard suffix == "csv", let decimal = DecimalNumber(number), reason != nil else { continue }
                #expect(throws: StoreFailure.self, note) {
                    try store.insert([["id": 2, "d": 1], ["id": 3, "d": PredicateValue.decimal(decimal)]], into: "d")
                }
                #expect(throws: StoreFailure.self, note) {
                    try store.update(StoreRequest("d"), set: [KeyAssignment("d", .decimal(decimal))])
                }
            }
        }
    }

    @Test func valuesOfGeneratedColumnsAreLosses() throws {
        let store = try Self.store()
        let report = try Self.run(
            store, "{\"id\": 1, \"name\": \"a\", \"size\": 1}\n{\"id\": 2, \"name\": \"bc\"}", "made")
        #expect(report.isCommitted && report.rows == ["made": 1])
        #expect(report.losses.map(\.reason) == [#"cannot INSERT into generated column "size""#])
        #expect(try Self.rows(store, "made") == "2|bc|2")
    }
}
