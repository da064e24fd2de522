// Random schemas of other programs are migrated: everything that is not asked to change stays, with its text.
import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct RandomSchemaTests {
    @Test(.cases) func whatIsNotAskedToChangeStays() {
        forEachCase(0..<TestDepth.count(200)) { number in
            var random = SplitMix(UInt64(number) &* 104_729 &+ 7)
            let path = MigrationTests.file()
            defer { WritingTests.remove(path) }
            let maker = try SQLiteStore(path: path, mode: .create, foreignKeys: .off)
            let version = try maker.rows("SELECT sqlite_version()")[0][0].stringValue ?? ""
            let old = SchemaWorld(&random, hasStrict: version.compare("3.37", options: .numeric) != .orderedAscending)
            let new = old.changed(&random)
            for (_, sql) in old.statements(&random) { _ = try maker.rows(sql) }
            try Self.fill(maker)
            let before = try Self.rows(maker, old, like: old)
            let numbers = try Self.numbers(maker, old)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))

            // What cannot be kept stops the migration, by name.
            let (first, second) = (try old.schema("1"), try new.schema("2"))
            let plain = try StoreMigration(path: path, to: second, from: first)
            let named = try plain.check().obstacles.compactMap { Self.name(in: $0.message) }
            #expect(named.sorted() == new.lost.sorted(), "\(number)")
            if !new.lost.isEmpty { #expect(throws: MigrationFailure.self) { try plain.run() } }
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: path)) == bytes, "a migration that failed changed the file")

            let migration = try StoreMigration(path: path, to: second, from: first, allowingLossOf: new.lost)
            let report = try migration.check()
            #expect(report.obstacles == [], "\(number): \(migration.differences)")
            guard report.obstacles.isEmpty else { return }
            #expect(try migration.run().steps == report.steps)
            let store = try SQLiteStore(path: path, mode: .readWrite, foreignKeys: .off)
            let texts = try store.rows("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").map { row in
                (row[0].stringValue ?? "", Self.normal(row[1].stringValue ?? ""))
            }.filter { $0.0 != "predicate_version" && !$0.0.hasPrefix("sqlite_") }
            var found = Dictionary(texts) { first, _ in first }
            for (name, sql) in new.statements(&random) {
                #expect(found.removeValue(forKey: name) == Self.normal(sql), "\(number): \(name)")
            }
            #expect(found.isEmpty, "\(number): \(found)")
            #expect(try Self.rows(store, new, like: old) == Self.expected(before, old, new), "\(number)")
            #expect(try Self.numbers(store, new) == numbers, "\(number)")
            #expect(try store.rows("PRAGMA integrity_check") == [[.string("ok")]])
            #expect(try store.rows("PRAGMA foreign_key_check") == [])
            for part in new.parts where part.text.contains("CREATE VIEW") {
                _ = try store.rows("SELECT * FROM \"\(part.name)\"")
            }
            try Self.write(store, new)
        }
    }

    // MARK: Rows

    private static func fill(_ store: SQLiteStore) throws {
        for row in 1...5 {
            _ = try store.rows("INSERT INTO parent (id_0, a_0, b_0, f_0) VALUES (\(row), \(row), 'B\(row)', \(row))")
            _ = try store.rows(
                "INSERT INTO child (id_1, a_1, b_1, n_1, u_1, p_1) VALUES (\(row), 9, 'c\(row)', 'n', 'U', \(row % 4 + 1))"
            )
        }
        // AUTOINCREMENT does not give these keys again.
        _ = try store.rows("DELETE FROM parent WHERE id_0 = 5")
        _ = try store.rows("INSERT INTO side VALUES (1, 'x'), (NULL, 'y')")
    }

    /// The rows of the columns that both worlds have, by table.
    private static func rows(
        _ store: SQLiteStore, _ world: SchemaWorld, like other: SchemaWorld
    ) throws -> [[[PredicateValue]]] {
        try zip(world.tables, other.tables).map { table, former in
            let n = "\(table.number)"
            let names = former.columns.filter { one in table.columns.contains { $0.id == one.id } }
                .map { "\"\(world.names[n + $0.id] ?? "")\"" }
            return try store.rows(
                "SELECT \(names.joined(separator: ", ")) FROM \(world.names[n + "t"] ?? "") ORDER BY 1")
        } + [store.rows("SELECT * FROM side ORDER BY v"), store.rows("SELECT * FROM log")]
    }

    /// The rows without dropped columns, and with doubles in columns that have become doubles.
    private static func expected(
        _ rows: [[[PredicateValue]]], _ old: SchemaWorld, _ new: SchemaWorld
    ) -> [[[PredicateValue]]] {
        rows.enumerated().map { place, rows in
            guard place < old.tables.count else { return rows }
            return rows.map { row in
                zip(row, old.tables[place].columns).compactMap { value, column in
                    guard let kept = new.tables[place].columns.first(where: { $0.id == column.id }) else { return nil }
                    if kept.type == "REAL", case .integer(let number) = value { return .double(Double(number)) }
                    return value
                }
            }
        }
    }

    /// The greatest keys that AUTOINCREMENT has given.
    private static func numbers(_ store: SQLiteStore, _ world: SchemaWorld) throws -> [[[PredicateValue]]] {
        if try store.rows("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").isEmpty { return [] }
        return try world.tables.map { table in
            try store.rows(
                "SELECT seq FROM sqlite_sequence WHERE name = ?",
                [.string(world.names["\(table.number)t"] ?? "")])
        }
    }

    /// Inserts, updates and deletes a row of each table, so that all triggers run.
    private static func write(_ store: SQLiteStore, _ world: SchemaWorld) throws {
        _ = try store.rows("PRAGMA foreign_keys = ON")
        for n in ["1", "0"] {
            func name(_ id: String) -> String { world.names[n + id] ?? "" }
            _ = try store.rows(
                "INSERT INTO \(name("t")) (\(name("id")), \(name("a")), \(name("b"))) VALUES (20, 5, 'new')")
            _ = try store.rows("UPDATE \(name("t")) SET \(name("a")) = 6, \(name("b")) = 'z' WHERE \(name("id")) = 20")
            _ = try store.rows("DELETE FROM \(name("t")) WHERE \(name("id")) = 20")
        }
    }

    // MARK: Texts

    /// The text without quotes, comments and commas: SQLite quotes names, and commas between constraints are optional.
    private static func normal(_ sql: String) -> String {
        sql.replacing(#/--[^\n]*\n|/\*.*?\*/|["`\[\],]/#, with: " ").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ").replacing("( ", with: "(").replacing(" )", with: ")")
            .replacing(" (", with: "(").replacing(" .", with: ".").replacing(". ", with: ".").replacing(" ;", with: ";")
    }

    /// The name in the advice: allow losing 'NAME'.
    private static func name(in message: String) -> String? {
        message.firstMatch(of: #/allow losing '(.*)'$/#).map { String($0.1) }
    }
}
