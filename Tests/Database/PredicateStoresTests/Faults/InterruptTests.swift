// Tests of interrupting queries that would never end.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct InterruptTests {
    /// A table of all integers from 0.
    private static func numbers() throws -> SQLiteStore {
        let number = PredicateSchema.Entity(
            "Number", table: "number", primaryKey: ["i"], attributes: [.init("i", .integer)])
        let store = try SQLiteStore(path: ":memory:", schema: PredicateSchema([number]), mode: .readWrite)
        let rows = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        _ = try store.rows("CREATE VIEW number AS \(rows)")
        return store
    }

    enum Scan: CaseIterable {
        /// The engine finds no row, counts without end, or returns rows of which none is selected in memory.
        case noRow, count, residual, statement

        func run(_ store: SQLiteStore) throws -> Int {
            switch self {
            case .noRow: try store.fetch(StoreRequest("Number", where: FormatPredicate("i < 0"))).count
            case .count: try store.count(StoreRequest("Number"))
            case .residual: try store.fetch(StoreRequest("Number", where: FormatPredicate("i ** 2 < 0"))).count
            case .statement: try store.rows("SELECT count(*) FROM number").count
            }
        }
    }

    @Test(.cases) func endlessScansAreInterrupted() async {
        await forEachAsyncCase(pairs(Scan.allCases, [true, false] as [Bool])) { scan, isTask in
            let store = try Self.numbers()
            let isOver = Flag()
            let task = Task.detached {
                defer { isOver.raise() }
                return try scan.run(store)
            }
            // Interrupts until the scan has ended, because the first interrupt may come before the scan begins. This runs
            // on a separate thread, because the endless scan blocks one of the few threads for tasks.
            DispatchQueue.global().async {
                while !isOver.isRaised {
                    if isTask { task.cancel() } else { store.interrupt() }
                    Thread.sleep(forTimeInterval: 0.005)
                }
            }
            let error = try await #require(throws: StoreFailure.self, "it ended by itself") { try await task.value }
            guard case .cancelled = error else { throw error }
            #expect("\(error)" == "cancelled")
            // The store can still be used.
            #expect(try store.rows("SELECT i FROM number LIMIT 2") == [[.integer(0)], [.integer(1)]])
        }
    }

    /// A cursor can also be interrupted between two rows.
    @Test func cursorsAreInterrupted() throws {
        let store = try Self.numbers()
        let cursor = try store.cursor(StoreRequest("Number"))
        #expect(try cursor.next()?["i"] == .integer(0))
        store.interrupt()
        #expect(throws: StoreFailure.self) { while try cursor.next() != nil {} }
    }
}

/// A flag that several threads read and set.
private final class Flag: Sendable {
    private let value = Mutex(false)

    var isRaised: Bool { value.withLock { $0 } }
    func raise() { value.withLock { $0 = true } }
}
