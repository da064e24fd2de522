// What a change of a SQLite database answers is what has happened: for tables with unique keys, conflict clauses, keys
// with NULL, triggers and views. UncountedRowsTests.swift has single cases.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

/// A random table, and how the database reacts to changes of it.
private struct RandomTable {
    enum Key: CaseIterable { case number, text, pair }

    let key: Key
    let conflict: String
    /// What a trigger does with rows whose `n` is 3.
    let reaction: String?
    let hasLog: Bool
    /// Whether changes are made through a view.
    let isView: Bool
    let hasKeyOfView: Bool
    let missingTrigger: String?

    init(_ random: inout SplitMix) {
        key = random.pick(Key.allCases)
        isView = random.chance(30)
        hasKeyOfView = random.chance(50)
        // The triggers of the view decide what a constraint of the table does.
        let reactions = isView ? ["ABORT", "FAIL"] : ["ABORT", "FAIL", "IGNORE", "REPLACE"]
        conflict = random.chance(30) ? "" : " ON CONFLICT " + random.pick(reactions)
        reaction = random.chance(30) ? random.pick(["IGNORE", "ABORT, 'no three'", "FAIL, 'no three'"]) : nil
        hasLog = !isView && random.chance(30)
        missingTrigger = isView && random.chance(30) ? random.pick(["INSERT", "UPDATE", "DELETE"]) : nil
    }

    var entity: String { isView ? "shown" : "item" }
    /// Whether a row may be dropped without an error.
    var drops: Bool { reaction == "IGNORE" || conflict.hasSuffix("IGNORE") }

    var statements: [String] {
        let (id, end) =
            switch key {
            case .number: ("INTEGER PRIMARY KEY", "")
            case .text: ("TEXT PRIMARY KEY", "")
            case .pair: ("TEXT", ", PRIMARY KEY (id, u)")
            }
        let unique = key == .pair ? "" : " UNIQUE" + conflict
        var found = [
            "CREATE TABLE item (id \(id), u INTEGER\(unique), n INTEGER, name TEXT, tag INTEGER, stamp INTEGER\(end))",
            "CREATE TABLE log (n INTEGER)",
        ]
        for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
            if let reaction {
                found.append(
                    """
                    CREATE TRIGGER react_\(event) BEFORE \(event) ON item WHEN \(row).n = 3
                    BEGIN SELECT RAISE(\(reaction)); END
                    """)
            }
            if hasLog {
                found.append(
                    "CREATE TRIGGER log_\(event) AFTER \(event) ON item BEGIN INSERT INTO log VALUES (\(row).n); END")
            }
        }
        guard isView else { return found }
        found.append("CREATE VIEW shown AS SELECT id, u, n, name, tag, stamp FROM item")
        let changes = [
            "INSERT": "INSERT INTO item VALUES (NEW.id, NEW.u, NEW.n, NEW.name, NEW.tag, NEW.stamp)",
            "UPDATE": "UPDATE item SET id = NEW.id, u = NEW.u, n = NEW.n, name = NEW.name, stamp = NEW.stamp "
                + "WHERE tag = OLD.tag",
            "DELETE": "DELETE FROM item WHERE tag = OLD.tag",
        ]
        for (event, change) in changes where event != missingTrigger {
            found.append("CREATE TRIGGER view_\(event) INSTEAD OF \(event) ON shown BEGIN \(change); END")
        }
        return found
    }

    func id(_ random: inout SplitMix) -> PredicateValue {
        if key == .number { return .integer(Int64(random.below(8))) }
        return random.chance(30) ? .null : .string("k\(random.below(6))")
    }

    func store(_ random: inout SplitMix) throws -> SQLiteStore {
        let store = try SQLiteStore(path: ":memory:", schema: PredicateSchema([]), mode: .create)
        for statement in statements { _ = try store.rows(statement) }
        for tag in 0..<(1 + random.below(5)) {
            // Rows that the constraints refuse are left out.
            _ = try? store.rows(
                "INSERT OR IGNORE INTO item VALUES (?, ?, ?, ?, ?, 0)",
                [
                    id(&random), random.chance(20) ? .null : .integer(Int64(tag)), .integer(Int64(random.below(5))),
                    .string(random.pick(["a", "bb", "ccc"])), .integer(Int64(tag)),
                ])
        }
        let found = try store.refreshed().schema
        guard isView, hasKeyOfView else { return try store.refreshed() }
        var entities = found.entities
        for index in entities.indices where entities[index].name == "shown" {
            entities[index].primaryKey = key == .pair ? ["id", "u"] : ["id"]
        }
        return try store.refreshed(schema: PredicateSchema(entities))
    }
}

@Suite struct ChangedRowsTests {
    private static let predicates = [
        "TRUEPREDICATE", "n > 1", "n == 3", "name == 'bb'", "id == nil", "id != nil", "u == 2", "{name}[0] != 'a'",
        "name.length > 1", "n IN {1, 2} OR u == 0", "{n, 1}[0] > 1 AND id != nil",
    ]

    /// The rows by tag: each row has another tag.
    private static func rows(_ store: SQLiteStore) throws -> [PredicateValue: [PredicateValue]] {
        let rows = try store.rows("SELECT tag, id, u, n, name, stamp FROM item")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0) })
    }

    private struct Change {
        let name: String
        let run: (SQLiteStore) throws -> Int
    }

    private static func change(
        _ table: RandomTable, _ random: inout SplitMix, _ request: StoreRequest
    ) throws -> Change {
        func object(_ tag: Int, _ random: inout SplitMix) -> ValueDictionary {
            [
                "id": table.id(&random),
                "u": random.chance(20) ? PredicateValue.null : .integer(Int64(random.below(7))), "n": random.below(5),
                "name": "new", "tag": tag, "stamp": 1,
            ]
        }
        let objects = (0..<(1 + random.below(2))).map { object(100 + $0, &random) }
        switch random.below(6) {
        case 0: return Change(name: "insert") { try $0.insert(objects, into: table.entity) }
        case 1: return Change(name: "upsert") { try $0.upsert([objects[0]], into: table.entity) }
        case 2: return Change(name: "delete") { try $0.delete(request) }
        default:
            var set = [KeyAssignment("stamp", 1)]
            switch random.below(5) {
            case 0: set.append(KeyAssignment("u", .integer(Int64(random.below(7)))))
            case 1: set.append(KeyAssignment("n", .integer(Int64(random.below(5)))))
            case 2: set.append(KeyAssignment("n", try FormatExpression("n + 1")))
            case 3: set.append(KeyAssignment("id", table.id(&random)))
            default: set.append(KeyAssignment("name", try FormatExpression("lowercase(name)")))
            }
            return Change(name: "update \(set.map { "\($0.key) \($0.expression)" })") { [set] in
                try $0.update(request, set: set)
            }
        }
    }

    @Test func theAnswerIsWhatHappened() throws {
        var counts = (changed: 0, refused: 0)
        for turn in 0..<TestDepth.count(20_000, full: 20_000) {
            var random = SplitMix(99_991 &+ UInt64(turn) &* 7877)
            let table = RandomTable(&random)
            let store = try table.store(&random)
            var request = StoreRequest(table.entity, where: try FormatPredicate(random.pick(Self.predicates)))
            if random.chance(20), !table.isView || table.hasKeyOfView { request.limit = 1 + random.below(3) }
            request.allowingConstantComparisons = true
            let change = try Self.change(table, &random, request)
            let matched = try Set(store.fetch(request).map { $0["tag"] })
            let before = try Self.rows(store)
            let note = Comment("\(turn): \(change.name), \(request.predicate), \(table)")
            do {
                let count = try random.chance(20) ? store.transaction { try change.run(store) } : change.run(store)
                let after = try Self.rows(store)
                let stamped = Set(after.values.filter { $0[5] == 1 }.map { $0[0] })
                let lost = Set(before.keys).subtracting(after.keys)
                counts.changed += count
                switch change.name {
                case "insert", "upsert":
                    // A row that is updated gets the new tag.
                    #expect(stamped.count == count && lost.count <= (change.name == "upsert" ? count : 0), note)
                    #expect(after.count >= before.count, note)
                case "delete":
                    #expect(lost.count == count && lost.isSubset(of: matched), note)
                    #expect(table.drops || lost == matched, note)
                    #expect(after.allSatisfy { before[$0] == $1 }, note)
                default:
                    #expect(lost.isEmpty && stamped.count == count && stamped.isSubset(of: matched), note)
                    #expect(table.drops || stamped == matched, note)
                    #expect(after.allSatisfy { stamped.contains($0) || before[$0] == $1 }, note)
                }
            } catch let failure as StoreFailure {
                counts.refused += 1
                #expect(try Self.rows(store) == before, note)
                switch failure {
                case .constraint, .schema: break
                case .engine(_, let message, _, _):
                    let words = ["cannot modify shown because it is a view", "cannot UPSERT a view"]
                    #expect(words.contains(message), "\(note) \(failure)")
                default: Issue.record("\(note) \(failure)")
                }
            }
        }
        #expect(counts.changed > TestDepth.least(200) && counts.refused > TestDepth.least(50))
    }
}
