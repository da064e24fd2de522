// Migrations between random pairs of versions, compared with the same changes in plain Swift.
import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct RandomMigrationTests {
    /// A new file with the first version and its rows.
    static func database(_ world: MigrationWorld, _ schema: PredicateSchema) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("migration-\(UUID()).sqlite").path
        try StoreMigration(path: path, to: schema, mode: .create).run()
        // The rows are written in any order.
        let store = try SQLiteStore(path: path, schema: schema, mode: .readWrite, foreignKeys: .off)
        try store.transaction { try world.fill(store) }
        return path
    }

    @Test(.cases) func migratedDataEqualsTheReference() {
        forEachCase(0..<TestDepth.count(300, full: 3000)) { number in
            var random = SplitMix(UInt64(number) &* 7919)
            let old = try MigrationWorld(&random)
            let new = try old.changed(&random)
            let (oldSchema, newSchema) = (try old.schema(version: "1"), try new.schema(version: "2"))
            let path = try Self.database(old, oldSchema)
            defer { WritingTests.remove(path) }
            #expect(try MigrationWorld.tables(in: SQLiteStore(path: path)) == old.tables)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))

            let migration = try StoreMigration(path: path, to: newSchema, mapping: new.mapping)
            #expect(migration.source.hash == oldSchema.hash)
            let report = try migration.check()
            #expect(report.obstacles == [], "\(migration.differences)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes, "a dry run has changed the file")

            let done = try migration.run()
            #expect(done.steps == report.steps)
            let store = try SQLiteStore(path: path, schema: newSchema)
            let found = try MigrationWorld.tables(in: store)
            #expect(Set(found.keys) == Set(new.tables.keys))
            for (table, rows) in new.tables { #expect(found[table] == rows, "\(table): \(migration.differences)") }
            #expect(try store.recordedVersion()?.hash == newSchema.hash)
            #expect(try store.violations() == [])
            #expect(try StoreMigration(path: path, to: newSchema).differences == [])
        }
    }
}
