// Tests that a writer which is killed at any moment leaves whole transactions. The writer is another process of the test
// program, which runs `writesUntilItIsKilled` alone.

#if os(Linux)
    import Foundation
    import PredicateModel
    import PredicateSQL
    import PredicateStores
    import PredicateSyntax
    import PredicateTestSupport
    import Testing

    @Suite struct KilledWriterTests {
        private static let variable = "PREDICATE_KILLED_WRITER"
        private static let path = ProcessInfo.processInfo.environment[variable]
        private static let batchSize: Int64 = 20

        /// Inserts batches and updates the batch before, and prints the number of each batch that is committed.
        @Test(.enabled(if: path != nil)) func writesUntilItIsKilled() throws {
            let store = try SQLiteStore(path: try #require(Self.path), mode: .readWrite)
            for batch in (Int64(try store.count(FetchRequest("item"))) / Self.batchSize)... {
                try store.transaction {
                    try store.insert(
                        (0..<Self.batchSize).map { index in
                            ValueDictionary([
                                ("id", .integer(batch * Self.batchSize + index)), ("batch", .integer(batch)),
                                ("state", .string("new")), ("text", .string(String(repeating: "x", count: 300))),
                            ])
                        }, into: "item")
                    let before = FetchRequest("item", matching: ["batch": .integer(batch - 1)])
                    _ = try store.update(before, set: [SQLAssignment("state", .string("old"))])
                }
                try FileHandle.standardError.write(contentsOf: Data("committed \(batch)\n".utf8))
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
                    #expect(reason == StoreProblem.interrupted.description)
                }
                // Undoes what the writer has not committed.
                let store = try SQLiteStore(path: path, mode: .readWrite)
                #expect(try store.rows("PRAGMA integrity_check") == [[.string("ok")]])
                var request = FetchRequest("item", sort: [SortKey("batch")])
                request.groupBy = ["batch", "state"]
                request.properties = ["batch", "state", "@count"]
                let groups = try store.records(request)
                #expect(groups.count >= last + 1, "a committed batch is lost")
                for (number, group) in groups.enumerated() {
                    let state = number == groups.count - 1 ? "new" : "old"
                    let expected: [PredicateValue] = [
                        .integer(Int64(number)), .string(state), .integer(Self.batchSize),
                    ]
                    #expect(group.values == expected, "a batch is half-written")
                }
            }
            #expect(last >= 0)
        }

        /// Starts a writer, kills it some time after its first commit, and returns the last batch that it has committed.
        private static func killedWriter(_ path: String, microseconds: UInt32) throws -> Int64 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["--testing-library", "swift-testing", "--filter", "writesUntilItIsKilled"]
            process.environment = ProcessInfo.processInfo.environment.merging([variable: path]) { $1 }
            let output = Pipe()
            process.standardOutput = FileHandle.nullDevice
            process.standardError = output
            try process.run()
            var text = Data()
            while !String(decoding: text, as: UTF8.self).contains("committed") {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                text += more
            }
            usleep(microseconds)
            kill(process.processIdentifier, SIGKILL)
            text += output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let numbers = String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
                line.hasPrefix("committed ") ? Int64(line.dropFirst("committed ".count)) : nil
            }
            return try #require(numbers.last, "the writer has committed nothing")
        }
    }
#endif
