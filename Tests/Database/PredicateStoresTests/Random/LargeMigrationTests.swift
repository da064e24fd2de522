// Migrations that are killed, and a migration of a million rows. The killed migration is another process of the test
// program, which runs only `migratesUntilItIsKilled`.

#if os(Linux)
    import Foundation
    import PredicateStores
    import PredicateTestSupport
    import Testing

    @Suite struct LargeMigrationTests {
        private static let variable = "PREDICATE_KILLED_MIGRATION"
        private static let path = ProcessInfo.processInfo.environment[variable]

        private static func schema(_ version: String) throws -> PredicateSchema {
            let added = version == "1" ? "" : ", \"length\": \"integer\""
            return try MigrationTests.schema(
                """
                { "version": "\(version)", "entities": { "Item": { "table": "item", "primaryKey": "id", "attributes": {
                    "id": "integer", "name": "string"\(added) } } } }
                """)
        }

        /// Fills a database of the first version with rows whose names have 1 to 40 characters.
        private static func database(_ rows: Int) throws -> String {
            let path = MigrationTests.file()
            try StoreMigration(path: path, to: schema("1"), mode: .create).run()
            let maker = try SQLiteStore(path: path, mode: .readWrite)
            _ = try maker.rows(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
                INSERT INTO item SELECT i, substr('abcdefghijklmnopqrstuvwxyzabcdefghijklmnop', 1, 1 + i % 40) FROM n
                """)
            return path
        }

        private static func migration(_ path: String) throws -> StoreMigration {
            var mapping = MigrationMapping()
            mapping.add("Item", from: "Item", values: ["length": .expression(try FormatExpression("name.length"))])
            return try StoreMigration(path: path, to: schema("2"), mapping: mapping)
        }

        /// Checks that all rows have the same version, and returns it.
        private static func version(_ path: String, rows: Int) throws -> String {
            let store = try SQLiteStore(path: path, mode: .readWrite)
            #expect(try store.rows("PRAGMA integrity_check") == [[.string("ok")]])
            let version = try #require(try store.recordedVersion()?.version)
            let tables = try store.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            #expect(tables == [[.string("item")], [.string("predicate_version")]])
            #expect(
                try store.rows("SELECT count(*), sum(length(name)), max(id) FROM item").first?[0]
                    == .integer(Int64(rows)))
            let columns = try store.rows("SELECT name FROM pragma_table_info('item')").count
            #expect(columns == (version == "1" ? 2 : 3))
            if version == "2" {
                #expect(try store.rows("SELECT count(*) FROM item WHERE length IS NOT length(name)") == [[.integer(0)]])
            }
            return version
        }

        @Test(.enabled(if: path != nil)) func migratesUntilItIsKilled() throws {
            let migration = try Self.migration(#require(Self.path))
            try OtherProcess.report("begins")
            try migration.run()
        }

        @Test func killedMigrationsLeaveOneVersion() throws {
            let rows = 1500
            var random = SplitMix(50)
            var versions: [String: Int] = [:]
            var whole = 0.5
            for turn in 0..<TestDepth.count(50, full: 200) {
                let path = try Self.database(rows)
                defer { WritingTests.remove(path) }
                // The first run is not killed. It measures the time of a migration.
                let took = try Self.run(path, killedAfter: turn == 0 ? nil : Double(random.below(1100)) / 1000 * whole)
                if turn == 0 { whole = took }
                let version = try Self.version(path, rows: rows)
                versions[version, default: 0] += 1
                if version == "1" {
                    // A migration that was rolled back can be repeated.
                    try Self.migration(path).run()
                    #expect(try Self.version(path, rows: rows) == "2")
                }
            }
            #expect(versions["2"] ?? 0 > 0 && (TestDepth.isQuick || versions["1"] ?? 0 > 0), "\(versions)")
        }

        /// Runs a migration in another process. Returns its time, from the beginning of the migration.
        private static func run(_ path: String, killedAfter seconds: Double?) throws -> Double {
            let process = try OtherProcess(test: "migratesUntilItIsKilled", environment: [variable: path])
            #expect(process.wait(for: "begins"))
            let start = Date()
            if let seconds {
                usleep(UInt32(seconds * 1_000_000))
                process.kill()
            }
            _ = try process.end()
            return Date().timeIntervalSince(start)
        }

        /// The memory of this process grows by less than 256 MB, and progress is reported.
        @Test func manyRowsNeedBoundedMemory() throws {
            let rows = TestDepth.current == .full ? 1_000_000 : TestDepth.isQuick ? TestDepth.size(2000) : 50_000
            let path = try Self.database(rows)
            defer { WritingTests.remove(path) }
            let before = try Self.memory()
            var most = 0
            var reports: [Int] = []
            try Self.migration(path).run { progress in
                reports.append(progress.done)
                most = max(most, (try? Self.memory()) ?? 0)
                #expect(progress.total == rows)
            }
            #expect(reports.count == rows / 1000 + 1 && reports.last == rows && reports == reports.sorted())
            #expect(most - before < 256 << 20, "the memory grew by \((most - before) >> 20) MB")
            if TestDepth.current == .full { print("1,000,000 rows: the memory grew by \((most - before) >> 20) MB") }
            #expect(try Self.version(path, rows: rows) == "2")
        }

        /// The resident memory in bytes.
        private static func memory() throws -> Int {
            let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return (Int(fields[1]) ?? 0) * 4096
        }
    }
#endif
