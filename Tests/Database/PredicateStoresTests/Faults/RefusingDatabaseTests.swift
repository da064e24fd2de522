// Databases that refuse rows, drop them, or end the transaction: what every writing function returns or throws is what
// is in the database afterwards.

import Foundation
import PredicateStores
import Testing

/// What a database does with a row whose name is "bad".
enum Refusal: String, CaseIterable, Sendable {
    case check, triggerAborts, triggerFails, triggerIgnores, triggerRollsBack
    case uniqueAborts, uniqueFails, uniqueIgnores, uniqueRollsBack, uniqueReplaces

    /// Whether a row is dropped without an error.
    var drops: Bool { self == .triggerIgnores || self == .uniqueIgnores }
    /// Whether the whole transaction is undone.
    var rollsBack: Bool { self == .triggerRollsBack || self == .uniqueRollsBack }

    private var trigger: String? {
        switch self {
        case .triggerAborts: "ABORT, 'no bad names'"
        case .triggerFails: "FAIL, 'no bad names'"
        case .triggerIgnores: "IGNORE"
        case .triggerRollsBack: "ROLLBACK, 'no bad names'"
        default: nil
        }
    }

    private var column: String {
        switch self {
        case .check: "TEXT CHECK (name <> 'bad' OR id = 2 AND n = 0)"
        case .uniqueAborts: "TEXT UNIQUE"
        case .uniqueFails: "TEXT UNIQUE ON CONFLICT FAIL"
        case .uniqueIgnores: "TEXT UNIQUE ON CONFLICT IGNORE"
        case .uniqueRollsBack: "TEXT UNIQUE ON CONFLICT ROLLBACK"
        case .uniqueReplaces: "TEXT UNIQUE ON CONFLICT REPLACE"
        default: "TEXT"
        }
    }

    /// A store with three rows, of which the second is bad.
    func store() throws -> SQLiteStore {
        let store = try SQLiteStore(path: ":memory:", schema: PredicateSchema([]), mode: .create)
        _ = try store.rows("CREATE TABLE item (id INTEGER PRIMARY KEY, name \(column), n INTEGER)")
        _ = try store.rows("INSERT INTO item VALUES (1, 'old', 0), (2, 'bad', 0), (3, 'older', 0)")
        for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
            guard let trigger else { break }
            _ = try store.rows(
                """
                CREATE TRIGGER refuse_\(event) BEFORE \(event) ON item WHEN \(row).name = 'bad'
                BEGIN SELECT RAISE(\(trigger)); END
                """)
        }
        return try store.refreshed()
    }
}

/// A function that writes.
enum Writer: String, CaseIterable, Sendable {
    case insert, insertReturningKeys, upsert, updateAll, updateName, updateInMemory, delete, deleteInMemory
    case published, rows

    /// Returns the number of rows that the function has written, as it says.
    func write(_ store: SQLiteStore) throws -> Int {
        let all = StoreRequest("item")
        let tested = StoreRequest("item", where: try FormatPredicate("name.length > 0"))
        switch self {
        case .insert: return try store.insert(Self.items(10, 11, 12), into: "item")
        case .insertReturningKeys: return try store.insertReturningKeys(Self.items(10, 11, 12), into: "item").count
        case .upsert: return try store.upsert(Self.items(1, 11, 12), into: "item")
        case .updateAll: return try store.update(all, set: [KeyAssignment("n", .integer(5))])
        case .updateName:
            let two = StoreRequest("item", where: try FormatPredicate("id != 2"))
            return try store.update(two, set: [KeyAssignment("name", .string("bad"))])
        case .updateInMemory: return try store.update(tested, set: [KeyAssignment("n", .integer(5))])
        case .delete: return try store.delete(all)
        case .deleteInMemory: return try store.delete(tested)
        case .published:
            return try store.insert([10, 11, 12].map { Item(id: $0, name: Self.name($0), n: 0) }, into: "item")
        case .rows:
            let sql = "INSERT INTO item VALUES (10, 'a', 0), (11, 'bad', 0), (12, 'b', 0) RETURNING id"
            return try store.rows(sql).count
        }
    }

    struct Item: Queryable {
        var id: Int
        var name: String
        var n: Int
        static let keys: KeyTable<Item> = [.key("id", \.id), .key("name", \.name), .key("n", \.n)]
    }

    static func name(_ id: Int) -> String { id == 11 ? "bad" : "name \(id)" }

    static func items(_ ids: Int...) -> [ValueDictionary] { ids.map { id in ["id": id, "name": name(id), "n": 0] } }
}

@Suite(BothPaths()) struct RefusingDatabaseTests {
    private static func rows(_ store: SQLiteStore) throws -> Set<[PredicateValue]> {
        Set(try store.rows("SELECT id, name, n FROM item"))
    }

    /// The number of rows that differ: new, changed or deleted.
    private static func difference(_ before: Set<[PredicateValue]>, _ after: Set<[PredicateValue]>) -> Int {
        Set(before.symmetricDifference(after).map { $0[0] }).count
    }

    @Test(arguments: Refusal.allCases, Writer.allCases)
    func theResultIsWhatIsStored(_ refusal: Refusal, _ writer: Writer) throws {
        let store = try refusal.store()
        let before = try Self.rows(store)
        do {
            let count = try writer.write(store)
            let after = try Self.rows(store)
            // A statement of the caller may replace rows.
            let isReplaced = refusal == .uniqueReplaces && writer == .rows
            #expect(count + (isReplaced ? 1 : 0) == Self.difference(before, after), "\(after)")
        } catch {
            // A statement of the caller may change some rows before it fails.
            if writer != .rows { #expect(try Self.rows(store) == before, "\(error)") }
        }
        // The store can still be used.
        #expect(try store.insert([["id": 20, "name": "later", "n": 0]], into: "item") == 1)
    }

    /// A body that ignores errors does not go on without a transaction.
    @Test(arguments: Refusal.allCases, Writer.allCases)
    func aTransactionIsWholeOrNothing(_ refusal: Refusal, _ writer: Writer) throws {
        let store = try refusal.store()
        let before = try Self.rows(store)
        var counts: [Int] = []
        var failure: (any Error)?
        do {
            try store.transaction {
                counts.append(try store.insert([["id": 30, "name": "first", "n": 0]], into: "item"))
                if let count = try? writer.write(store) { counts.append(count) }
                counts.append(try store.insert([["id": 31, "name": "last", "n": 0]], into: "item"))
            }
        } catch {
            failure = error
        }
        let after = try Self.rows(store)
        if let failure {
            #expect(after == before, "\(failure)")
            #expect(refusal.rollsBack, "\(failure)")
            guard case .transactionEnded(let reason)? = failure as? StoreFailure else { throw failure }
            #expect(reason == (refusal == .triggerRollsBack ? "no bad names" : "UNIQUE constraint failed: item.name"))
        } else if writer == .rows {
            #expect(after.isSuperset(of: before) == (refusal != .uniqueReplaces) && after.count >= before.count + 2)
        } else if writer == .delete || writer == .deleteInMemory {
            // The first row is deleted, too.
            #expect(before.count + 2 - after.count == counts.dropFirst().dropLast().reduce(0, +))
        } else {
            #expect(Self.difference(before, after) <= counts.reduce(0, +) && after.count >= before.count + 2)
        }
    }

    @Test func aStatementThatEndsTheTransactionIsAnError() throws {
        for statement in ["ROLLBACK", "COMMIT"] {
            let store = try Refusal.check.store()
            #expect(throws: StoreFailure.self) {
                try store.transaction {
                    _ = try? store.rows(statement)
                    _ = try store.insert(Writer.items(10), into: "item")
                }
            }
            #expect(try Self.rows(store).count == 3)
        }
    }

    @Test(arguments: Refusal.allCases, [0, 1, 2, 3, 4, 5, 6, 7])
    func anImportReportsWhatIsStored(_ refusal: Refusal, _ flags: Int) throws {
        var options = ImportOptions()
        options.keepsGoing = flags & 1 != 0
        options.isDryRun = flags & 2 != 0
        options.updates = flags & 4 != 0
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("refused-\(UUID()).jsonl").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        // With updates, the first record replaces values of a row.
        let first = options.updates ? 1 : 10
        let lines = [first, 11, 12].map { #"{"id": \#($0), "name": "\#(Writer.name($0))", "n": 0}"# }
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let store = try refusal.store()
        let before = try Self.rows(store)
        do {
            let report = try store.importFiles([path], into: "item", options: options)
            let after = try Self.rows(store)
            #expect(!refusal.rollsBack)
            #expect(report.isCommitted == (options.keepsGoing && !options.isDryRun))
            #expect(report.lossCount == 1 && report.rows == ["item": 2], "\(report)")
            #expect(Self.difference(before, after) == (report.isCommitted ? 2 : 0))
            let reason = report.losses.first?.reason ?? ""
            #expect(reason.contains("dropped") == refusal.drops && !reason.isEmpty, "\(reason)")
        } catch {
            #expect(refusal.rollsBack, "\(error)")
            guard case .transactionEnded? = error as? StoreFailure else { throw error }
            #expect(try Self.rows(store) == before)
        }
    }

    /// A view counts no changes, although its trigger writes.
    @Test func viewsWithTriggersAreWritten() throws {
        let store = try Refusal.check.store()
        _ = try store.rows("CREATE VIEW seen AS SELECT id, name, n FROM item")
        _ = try store.rows(
            """
            CREATE TRIGGER write_seen INSTEAD OF INSERT ON seen
            BEGIN INSERT INTO item VALUES (NEW.id, NEW.name, NEW.n); END
            """)
        let view = try store.refreshed()
        #expect(try view.insert(Writer.items(10, 12), into: "seen") == 2)
        #expect(try Self.rows(store).count == 5)
    }
}
