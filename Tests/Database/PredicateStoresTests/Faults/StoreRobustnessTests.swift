// Tests of many readers and writers at the same time, and of databases that are locked, damaged, full or read-only.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct StoreRobustnessTests {
    /// A database of accounts, each with an amount of 100.
    private static func accounts(
        _ count: Int64, isPersistent: Bool = true
    ) throws -> (store: SQLiteStore, path: String) {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("robust-\(UUID()).sqlite").path
        let maker = try SQLiteStore(
            path: path, schema: PredicateSchema([]), mode: .create, busyTimeout: .seconds(60),
            writeAheadLog: isPersistent)
        _ = try maker.rows("CREATE TABLE account (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL, note TEXT)")
        let store = try maker.refreshed()
        try store.insert((0..<count).map { account($0, 100) }, into: "account")
        return (store, path)
    }

    private static func account(_ id: Int64, _ amount: Int64) -> ValueDictionary {
        ValueDictionary([("id", .integer(id)), ("amount", .integer(amount))])
    }

    private static func amount(_ object: StoredObject?) -> Int64 {
        guard case .integer(let amount)? = object?["amount"] else { return 0 }
        return amount
    }

    /// Moves an amount from one account to another.
    private static func move(_ random: inout SplitMix, in store: SQLiteStore) throws {
        let (from, to, sum) = (Int64(random.below(40)), Int64(random.below(40)), Int64(random.below(50)))
        try store.transaction {
            for (id, change) in [(from, -sum), (to, sum)] {
                let request = StoreRequest("account", matching: ["id": .integer(id)])
                let known = amount(try store.one(request))
                _ = try store.update(request, set: [KeyAssignment("amount", .integer(known + change))])
            }
        }
    }

    /// The sum of all accounts never changes. Another store on the same file, as in another process, sees the same.
    @Test func readersSeeWholeTransactions() async throws {
        let (store, path) = try Self.accounts(40)
        defer { WritingTests.remove(path) }
        let other = try SQLiteStore(path: path, mode: .readWrite, busyTimeout: .seconds(60))
        let clock = ContinuousClock()
        let end = clock.now + .seconds(TestDepth.current == .full ? 60 : 0)
        let turns = TestDepth.count(300)
        func isOver(_ turn: Int) -> Bool { turn >= turns && clock.now >= end }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in [store, other] {
                group.addTask {
                    var random = SplitMix(writer === store ? 1 : 2)
                    var turn = 0
                    while !isOver(turn) {
                        try Self.move(&random, in: writer)
                        turn += 1
                        await Task.yield()
                    }
                }
            }
            for reader in 0..<8 {
                group.addTask {
                    let used = reader % 2 == 0 ? store : other
                    var turn = 0
                    while !isOver(turn) {
                        // The pattern is tested in memory, on the rows of a cursor.
                        let request = StoreRequest(
                            "account", where: try FormatPredicate(reader % 4 < 2 ? "TRUEPREDICATE" : "id ** 2 >= 0"))
                        let sum = try used.fetch(request).reduce(0) { $0 + Self.amount($1) }
                        if sum != 4000 { Issue.record("a torn read: \(sum)") }
                        turn += 1
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func lockedDatabasesAreTyped() throws {
        let (store, path) = try Self.accounts(3, isPersistent: false)
        defer { WritingTests.remove(path) }
        let other = try SQLiteStore(path: path, mode: .readWrite, busyTimeout: .milliseconds(30))
        let clock = ContinuousClock()
        let start = clock.now
        let found = try store.transaction {
            try #require(throws: StoreFailure.self) { try other.insert([Self.account(9, 1)], into: "account") }
        }
        guard case .unusable(.locked, _) = found else { throw found }
        #expect(clock.now - start >= .milliseconds(5), "it waits")
        #expect(try other.insert([Self.account(9, 1)], into: "account") == 1)
    }

    @Test func damagedDatabasesAreTyped() throws {
        let (store, path) = try Self.accounts(2000, isPersistent: false)
        defer { WritingTests.remove(path) }
        let schema = store.schema
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
        try file.close()
        let damaged = try SQLiteStore(path: path, schema: schema)
        let found = try #require(throws: StoreFailure.self) { try damaged.fetch(StoreRequest("account")) }
        guard case .unusable(.damaged, _) = found else { throw found }
        try Data(repeating: 0x41, count: 9000).write(to: URL(fileURLWithPath: path))
        let opening = try #require(throws: StoreFailure.self) { try SQLiteStore(path: path, schema: schema) }
        guard case .cannotOpen(path, let reason) = opening else { throw opening }
        #expect(reason == StoreProblem.notADatabase.description)
    }

    @Test func fullDisksAreTyped() throws {
        let (store, path) = try Self.accounts(3, isPersistent: false)
        defer { WritingTests.remove(path) }
        _ = try store.rows("PRAGMA max_page_count = 20")
        let long = PredicateValue.string(String(repeating: "x", count: 3000))
        let many = (10..<200).map { ValueDictionary([("id", .integer($0)), ("amount", .integer(0)), ("note", long)]) }
        let found = try #require(throws: StoreFailure.self) { try store.insert(many, into: "account") }
        guard case .unusable(.diskFull, _) = found else { throw found }
        #expect(try store.count(StoreRequest("account")) == 3, "nothing is half-written")
        #expect(try store.insert([Self.account(4, 1)], into: "account") == 1)
    }

    @Test func changesOfReadOnlyStoresThrow() throws {
        let (_, path) = try Self.accounts(3)
        defer { WritingTests.remove(path) }
        let store = try SQLiteStore(path: path)
        let changes: [() throws -> Void] = [
            { _ = try store.insert([Self.account(4, 1)], into: "account") },
            { _ = try store.upsert([Self.account(1, 1)], into: "account") },
            { _ = try store.rows("DELETE FROM account") },
            { _ = try store.delete(StoreRequest("account")) },
        ]
        for change in changes {
            let found = try #require(throws: StoreFailure.self, "it was changed") { try change() }
            guard case .readOnly = found else { throw found }
        }
        #expect(try store.count(StoreRequest("account")) == 3)
    }
}
