// An engine whose SELECTs run over its ADBC driver, with values bound by their types. Its sidecar creates and fills the
// tables, and runs statements inside of a transaction.

import Foundation
import PredicateStores
import PredicateTestSupport

/// Unchecked: a test uses it from one task at a time.
final class ADBCEngine: EngineConnection, @unchecked Sendable {
    private let name: String
    private let sidecar: Sidecar
    private let driver: ADBCDriver
    private var connection: ADBCConnection?
    private var isInTransaction = false
    /// The path of DuckDB's file, because DuckDB has no server.
    private let file = FileManager.default.temporaryDirectory.path + "/predicate-\(UUID()).duckdb"

    init(_ name: String) async throws {
        let libraries = DriverLibraries.shared
        guard let library = name == "duckdb" ? libraries.duckdb : libraries.postgresql else {
            throw EngineFailure("there is no driver for \(name)")
        }
        self.name = name
        driver = try ADBCDriver(library, after: name == "duckdb" ? [libraries.python].compactMap(\.self) : [])
        sidecar = try await Sidecar(name)
    }

    func load(_ tables: [DataSet.Table]) async throws {
        try await sidecar.load(tables)
        connection = nil
        var options: [String: String] = [:]
        if name == "duckdb" {
            try? FileManager.default.removeItem(atPath: file)
            var statements = ["ATTACH '\(file)' AS shared"]
            statements += tables.map { table in
                let name = "\"\(table.name.replacing("\"", with: "\"\""))\""
                return "CREATE TABLE shared.\(name) AS FROM \(name)"
            }
            for sql in statements + ["DETACH shared"] { _ = try await sidecar.rows(EngineQuery(sql: sql)) }
            options["path"] = file
        } else {
            let folder = try await sidecar.rows(EngineQuery(sql: "SHOW unix_socket_directories"))[0][0]
            options["uri"] = "host=\(folder) user=tests dbname=postgres"
        }
        connection = try ADBCConnection(driver, options)
    }

    func select(_ queries: [EngineQuery]) async throws -> [Result<[Int64], EngineFailure>] {
        if isInTransaction { return try await sidecar.select(queries) }
        return queries.map { query in
            do {
                return .success(try ids(query))
            } catch {
                return .failure(EngineFailure("\(error)"))
            }
        }
    }

    private func ids(_ query: EngineQuery) throws -> [Int64] {
        guard let connection else { throw EngineFailure("there are no tables") }
        let rows = try connection.run(query.sql, query.values, types: query.types)
        var found: [Int64] = []
        while true {
            let batch = try rows.next(1000)
            if batch.isEmpty { return found }
            for row in batch {
                guard case .integer(let id)? = row.first else { throw EngineFailure("\(row)") }
                found.append(id)
            }
        }
    }

    func rows(_ query: EngineQuery) async throws -> [[String]] {
        if query.sql == "BEGIN" { isInTransaction = true }
        if query.sql == "ROLLBACK" { isInTransaction = false }
        return try await sidecar.rows(query)
    }

    func close() async {
        connection = nil
        try? FileManager.default.removeItem(atPath: file)
        await sidecar.close()
    }
}
