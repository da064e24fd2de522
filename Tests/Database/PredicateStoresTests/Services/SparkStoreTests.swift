// Tests of a store on Spark: a Connect server with a cluster of one worker, in full runs two, on partitioned Parquet
// files. The calls are the same as for other databases, and the answers must be those of memory. Spark starts slowly,
// so only CI and full runs use it.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

/// The server, started by Tests/House/Engines/spark_connect.py. It stops when this object is released.
private final class SparkServer {
    struct Missing: Error, CustomStringConvertible { let description: String }
    private struct Answer: Decodable { let address: String?, error: String? }

    let address: String
    private let input = Pipe()
    private let process = Process()

    init() throws {
        process.executableURL = URL(fileURLWithPath: DriverLibraries.interpreter)
        process.arguments = [
            "-B", "\(DriverLibraries.root)/Tests/House/Engines/spark_connect.py",
            TestDepth.current == .full ? "2" : "1",
        ]
        let output = Pipe()
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while line.last != 10 {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            line += more
        }
        let answer = try JSONDecoder().decode(Answer.self, from: line)
        guard let address = answer.address else { throw Missing(description: answer.error ?? "no answer") }
        self.address = address
    }

    func close() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

@Suite struct SparkStoreTests {
    @Test func sparkAnswersAsMemory() async throws { try await onOwnThread { try compareWithMemory() } }

    private func compareWithMemory() throws {
        if TestDepth.isQuick || !DriverLibraries.isChosen("spark") {
            TestDepth.note("skipped: Spark over ADBC starts slowly; PREDICATE_TESTS=ci runs it")
            return
        }
        let isCI = DriverLibraries.environment["CI"] != nil
        guard let library = DriverLibraries.shared.spark else {
            TestDepth.note("skipped: Spark's ADBC driver is not installed; run Tests/House/Engines/install")
            #expect(!isCI, "CI needs Spark's driver")
            return
        }
        let server: SparkServer
        do {
            server = try SparkServer()
        } catch {
            TestDepth.note("skipped: Spark does not start (\(error)); Tests/House/Engines/install installs it")
            #expect(!isCI, "CI needs Spark")
            return
        }
        defer { server.close() }
        try check(ADBCDriver(library), ["uri": server.address])
        if Backend.here.contains(.postgreSQLOverADBC) { try theSameCall(library, server.address) }
    }

    private func theSameCall(_ sparkLibrary: String, _ cluster: String) throws {
        let postgreSQLLibrary = try #require(DriverLibraries.shared.postgresql)
        let server = try #require(PostgreSQLServer.shared).database()
        let empty = try SQLStore(driver: ADBCDriver(postgreSQLLibrary), options: ["uri": server])
        _ = try empty.rows("CREATE TABLE person (id bigint PRIMARY KEY, name text, age bigint)")
        _ = try empty.rows("INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Zoe', 20)")
        // Databases-and-drivers {
        func adults(in store: some PredicateStore) throws -> [StoredObject] {
            try store.fetch(
                StoreRequest("person", where: FormatPredicate("age >= 21"), sort: [PredicateSortKey("name")]))
        }
        let sqlite = try SQLiteStore(path: "Tests/Tool/Sessions/fixtures/shop.sqlite")
        let postgreSQL = try SQLStore(  // libadbc_driver_postgresql.so, postgresql://localhost/shop
            driver: ADBCDriver(postgreSQLLibrary), options: ["uri": server])
        let spark = try SQLStore(  // libadbc_driver_spark.so, sc://localhost
            driver: ADBCDriver(sparkLibrary), options: ["uri": cluster])
        let found = try adults(in: sqlite) + adults(in: postgreSQL) + adults(in: spark)
        // } Databases-and-drivers
        #expect(found.contains { $0["name"] == .string("Grace") })
        #expect(try adults(in: postgreSQL).map { $0["name"] } == [.string("Ada")])
        #expect(try adults(in: spark).count > 10)
    }

    private func check(_ driver: ADBCDriver, _ options: [String: String]) throws {
        let schema = try PredicateSchema(
            Shop.schema().entities.map { entity in
                var entity = entity
                entity.attributes.removeAll { $0.name == "tags" }
                return entity
            })
        let objects = Shop.objects().mapValues { objects in
            objects.map { object in ValueDictionary(zip(object.keys, object.values).filter { $0.0 != "tags" }) }
        }
        let tables = try StoredTables(schema, objects)
        let loader = try SQLStore(driver: driver, options: options)
        #expect(loader.dialect == .spark && loader.schema.entities.isEmpty)
        // The partition's column is the last one.
        let definitions = [
            "person":
                "id BIGINT, name STRING, nick STRING, boss_id BIGINT, age BIGINT) USING parquet PARTITIONED BY (age)",
            "orders": "id BIGINT, total DOUBLE, person_id BIGINT) USING parquet",
            "friendship": "a BIGINT, b BIGINT) USING parquet",
        ]
        for (name, definition) in definitions {
            let table = try #require(tables.tables[name])
            _ = try loader.rows("CREATE TABLE \(name) (\(definition)")
            let rows = table.rows.map { row in "(" + row.map(Self.literal).joined(separator: ", ") + ")" }
            let columns = table.columns.joined(separator: ", ")
            _ = try loader.rows("INSERT INTO \(name) (\(columns)) VALUES \(rows.joined(separator: ", "))")
        }

        let memory = try InMemoryStore(schema, tables)
        let store = try SQLStore(driver: driver, options: options, schema: schema, mode: .readOnly)
        let texts = StoreTests.predicates.filter { !$0.contains("tags") } + ["name == %@ OR age IN {31, 62}"]
        for (index, text) in texts.enumerated() {
            let predicate = try FormatPredicate(text, arguments: text.contains("%@") ? [.string("Élodie")] : [])
            let window: (Int?, Int) = index % 2 == 0 ? (nil, 0) : (7, 5)
            let request = StoreRequest(
                "Person", where: predicate, sort: [PredicateSortKey("name"), PredicateSortKey("id", descending: true)],
                limit: window.0,
                offset: window.1)
            let expected = try memory.fetch(request)
            #expect(try store.fetch(request).map(\.attributes) == expected.map(\.attributes), "\(text)")
            if index % 3 == 0 { #expect(try store.count(request) == expected.count, "\(text)") }
        }
        let all = StoreRequest("Person", sort: [PredicateSortKey("id")], prefetch: ["orders", "boss"])
        for (found, expected) in zip(try store.fetch(all), try memory.fetch(all)) {
            for key in ["orders.id", "boss.name"] { #expect(found.value(at: key) == expected.value(at: key)) }
        }

        // The schema of the existing tables.
        let known = try SQLStore(driver: driver, options: options, mode: .readOnly)
        #expect(known.schema.entityNames == ["friendship", "orders", "person"])
        #expect(
            known.schema.entity("person")?.attributes.map(\.type) == [.integer, .string, .string, .integer, .integer])
        let adults = StoreRequest("person", where: try FormatPredicate("age >= 21"))
        #expect(try known.count(adults) == memory.count(StoreRequest("Person", where: FormatPredicate("age >= 21"))))

        let error = try #require(throws: StoreFailure.self) { try store.rows("SELECT nothing") }
        guard case .engine(_, let message, _, let state) = error else { throw error }
        #expect(message.contains("nothing") && state == "42703")
    }

    private static func literal(_ value: PredicateValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .double(let number): "CAST(\(number) AS DOUBLE)"
        case .string(let text): "'\(text)'"
        default: "NULL"
        }
    }
}
