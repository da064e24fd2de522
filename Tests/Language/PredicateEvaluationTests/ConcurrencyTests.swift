// The concurrent methods give the results of the plain ones, and stop when their task is cancelled.
import Foundation
import PredicateTestSupport
import Predicates
import Testing

@testable import PredicateEvaluation

@Suite struct ConcurrencyTests {
    /// A record that can be shared between threads.
    struct Item: Queryable, Equatable {
        var id: Int
        var name: String
        static let keys: KeyTable<Item> = [.key("id", \.id), .key("name", \.name)]

        static func make(_ count: Int) -> [Item] {
            (0..<count).map { Item(id: $0 % 1000, name: "a name of more than fifteen bytes, \($0 % 17)") }
        }
    }

    static let texts = [
        "id > 700", "name CONTAINS '7'", "name LIKE '*1?'", "name.length > 35 AND id < 900", "10 / id > 1",
        "TRUEPREDICATE", "FALSEPREDICATE", "NOT name ENDSWITH '3'", "now() == now()",
    ]

    @Test(.cases) func resultsAreThoseOfOneThread() async {
        await forEachAsyncCase(pairs(Self.texts, [0, 1, 255, 256, 257, 20_000] as [Int])) { text, count in
            let items = Item.make(count)
            let matcher = try FormatPredicate(text).compiled(for: Item.self)
            let slice = items.dropFirst(count / 3)
            #expect(try await items.filter(concurrently: matcher) == items.filter(matcher))
            #expect(try await items.count(concurrently: matcher) == items.count(matching: matcher))
            #expect(try await items.indices(concurrently: matcher) == items.indices(matching: matcher))
            #expect(try await slice.indices(concurrently: matcher) == slice.indices(matching: matcher))
            #expect(try await ContiguousArray(slice).filter(concurrently: matcher) == slice.filter(matcher))
            // Elements without contiguous storage.
            let range = (0..<count).map { PredicateValue.integer(Int64($0)) }
            let numbers = try FormatPredicate("SELF > 100").compiled()
            #expect(try await range.reversed().count(concurrently: numbers) == max(0, count - 101))
        }
    }

    @Test func partsCoverAllElements() {
        for count in [0, 1, 255, 256, 257, 100_000, 1_000_003] {
            for cost in [nil, 0, 1, 25, 200, .max] {
                let parts = ConcurrentParts(count: count, cost: cost).ranges
                // Each part starts where the one before it ends.
                #expect(parts.first?.lowerBound == 0)
                #expect(parts.dropFirst().map(\.lowerBound) == parts.dropLast().map(\.upperBound))
                #expect(parts.last?.upperBound == count)
                #expect(parts.dropLast().allSatisfy { $0.count % 256 == 0 && !$0.isEmpty })
            }
        }
        #expect(ConcurrentParts(count: 200_000, cost: 1).ranges.count == 1)
        #expect(ConcurrentParts(count: 200_001, cost: 1).ranges.count == 2)
        #expect(ConcurrentParts(count: 100_000, cost: 25).ranges.count == 25)
        #expect(ConcurrentParts(count: 100_000, cost: nil).ranges.count == 1)
    }

    /// `now()` is the same instant in all parts, and a predicate that depends on the order stays in one part.
    @Test func allPartsHaveOneInstant() async throws {
        let calls = Mutex(0)
        var run = PredicateRun()
        run.clock = {
            calls.withLock {
                $0 += 1
                return Double($0)
            }
        }
        let items = Item.make(5_000)
        let matcher = try FormatPredicate("name.length > 0 AND now() == CAST(1, 'NSDate')")
            .compiled(for: Item.self, run: run)
        #expect(try await items.count(concurrently: matcher) == items.count)
        #expect(calls.withLock { $0 } == 1)
        run.seed = 7
        let random = try FormatPredicate("random() > 0.5 AND name.length > 0").compiled(for: Item.self, run: run)
        #expect(try await items.indices(concurrently: random) == items.indices(matching: random))
    }

    @Test func cancelledTasksThrow() async throws {
        let items = Item.make(20_000)
        let matcher = try FormatPredicate("name CONTAINS 'x'").compiled(for: Item.self)
        let task = Task {
            // Starts only after the task is cancelled.
            while !Task.isCancelled { await Task.yield() }
            return try await items.count(concurrently: matcher)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// Parts that have not started when the task is cancelled never start.
    @Test func cancelledPartsDoNotStart() async throws {
        let parts = ConcurrentParts(count: 256 * 1000, cost: 1000)
        #expect(parts.ranges.count == 1000)
        let begun = Mutex(0)
        let running = Mutex<Task<Void, any Error>?>(nil)
        let task = Task {
            while running.withLock({ $0 == nil }) { await Task.yield() }
            _ = try await parts.map { _ in
                begun.withLock { $0 += 1 }
                running.withLock { $0?.cancel() }
            }
        }
        running.withLock { $0 = task }
        await #expect(throws: CancellationError.self) { try await task.value }
        // A thread starts no second part, because its first part cancels the task.
        #expect((1..<1000).contains(begun.withLock { $0 }))
    }

    /// No element is lost or released twice when elements are moved between arrays.
    @Test func elementsAreCounted() async throws {
        let items = Item.make(20_000)
        let matcher = try FormatPredicate("name CONTAINS 'name'").compiled(for: Item.self)
        for _ in 0..<3 {
            let found = try await items.filter(concurrently: matcher)
            #expect(found == items)
        }
    }
}
