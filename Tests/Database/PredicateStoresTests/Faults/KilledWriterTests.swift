// Tests that transactions are complete or missing if their writer is killed. The writer is another process of the test
// program, which runs only `writesUntilItIsKilled`.

#if os(Linux)
    import Foundation
    import PredicateStores
    import PredicateTestSupport
    import Testing

    @Suite struct KilledWriterTests {
        private static let variable = "PREDICATE_KILLED_WRITER"
        private static let path = ProcessInfo.processInfo.environment[variable]
        private static let batchSize: Int64 = 20

        /// Inserts one batch after the other. After each, it updates the previous batch, and deletes the one before
        /// that if its number is odd. Prints the number of each committed batch.
        @Test(.enabled(if: path != nil)) func writesUntilItIsKilled() throws {
            let store = try SQLiteStore(path: try #require(Self.path), mode: .readWrite)
            let last = try store.fetch(StoreRequest("item", sort: [PredicateSortKey("id", descending: true)], limit: 1))
                .first
            let next = if case .integer(let batch)? = last?["batch"] { batch + 1 } else { Int64(0) }
            for batch in next... {
                try store.transaction {
                    try store.insert(
                        (0..<Self.batchSize).map { index in
                            ValueDictionary([
                                ("id", .integer(batch * Self.batchSize + index)), ("batch", .integer(batch)),
                                ("state", .string("new")), ("text", .string(String(repeating: "x", count: 300))),
                            ])
                        }, into: "item")
                    let before = StoreRequest("item", matching: ["batch": .integer(batch - 1)])
                    _ = try store.update(before, set: [KeyAssignment("state", .string("old"))])
                    if batch % 2 == 1 {
                        _ = try store.delete(StoreRequest("item", matching: ["batch": .integer(batch - 2)]))
                    }
                }
                try OtherProcess.report("committed \(batch)")
            }
        }

        @Test(arguments: [true, false]) func killedWritersLeaveWholeBatches(_ hasLog: Bool) throws {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("killed-\(UUID()).sqlite").path
            defer { WritingTests.remove(path) }
            let maker = try SQLiteStore(path: path, mode: .create, writeAheadLog: hasLog)
            _ = try maker.rows("CREATE TABLE item (id INTEGER PRIMARY KEY, batch INTEGER, state TEXT, text TEXT)")
            var random = SplitMix(hasLog ? 1 : 2)
            var last: Int64 = -1
            for _ in 0..<TestDepth.count(20, full: 100) {
                last = try max(last, Self.killedWriter(path, microseconds: UInt32(random.below(40_000))))
                do {
                    _ = try SQLiteStore(path: path)
                } catch StoreFailure.cannotOpen(_, let reason) {
                    // The command that repairs the database follows.
                    let isNamed = reason.hasPrefix(StoreProblem.interrupted.description)
                    #expect(isNamed)
                }
                // Opening the store rolls back what the writer has not committed.
                let store = try SQLiteStore(path: path, mode: .readWrite)
                #expect(try store.rows("PRAGMA integrity_check") == [[.string("ok")]])
                try Self.expectWholeBatches(store, last)
            }
            #expect(last >= 0)
        }

        private static func expectWholeBatches(_ store: SQLiteStore, _ last: Int64) throws {
            var request = StoreRequest("item", sort: [PredicateSortKey("batch")])
            request.groupBy = ["batch", "state"]
            request.properties = ["batch", "state", "@count"]
            let groups = try store.records(request)
            guard case .integer(let newest)? = groups.last?["batch"] else {
                Issue.record("all committed batches are lost")
                return
            }
            #expect(newest >= last, "a committed batch is lost")
            // Of the batches with odd numbers, only the last remains.
            let kept = (0...newest).filter { $0 % 2 == 0 || $0 >= newest - 1 }
            let expected = kept.map { batch -> [PredicateValue] in
                [.integer(batch), .string(batch == newest ? "new" : "old"), .integer(Self.batchSize)]
            }
            #expect(groups.map(\.values) == expected, "a batch is half-written")
        }

        /// Starts a writer and kills it some time after its first commit. Returns the number of the last committed
        /// batch.
        private static func killedWriter(_ path: String, microseconds: UInt32) throws -> Int64 {
            let writer = try OtherProcess(test: "writesUntilItIsKilled", environment: [variable: path])
            writer.wait(for: "committed")
            usleep(microseconds)
            writer.kill()
            let numbers = try writer.end().split(separator: "\n").compactMap { line in
                line.hasPrefix("committed ") ? Int64(line.dropFirst("committed ".count)) : nil
            }
            return try #require(numbers.last, "the writer has committed nothing")
        }
    }
#endif
