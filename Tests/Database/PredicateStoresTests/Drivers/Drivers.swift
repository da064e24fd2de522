// The databases for the tests of drivers. Tests/House/Engines/install installs them.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

extension DriverLibraries {
    static let postgreSQL = shared.postgresql.flatMap { try? ADBCDriver($0) }
    // The library of DuckDB's Python module uses symbols of Python.
    static let duckDB = shared.duckdb.flatMap { library in
        try? ADBCDriver(library, after: shared.python.map { [$0] } ?? [])
    }
}

/// A store with any connection.
protocol TestedStore: PredicateStore {
    var dialect: SQLDialect { get }
    func rows(_ sql: String, _ bindings: [PredicateValue]) throws(StoreFailure) -> [[PredicateValue]]
    func plan(_ request: StoreRequest) throws(StoreFailure) -> FetchPlan
    func create(_ schema: PredicateSchema) throws(StoreFailure)
    func transaction<Value>(_ body: () throws -> Value) throws -> Value
    func interrupt()
}

extension SQLStore: TestedStore {}

extension TestedStore {
    func rows(_ sql: String) throws(StoreFailure) -> [[PredicateValue]] { try rows(sql, []) }
}

/// A kind of connection and its database.
enum Backend: String, CaseIterable, Sendable {
    /// The connection in the article, over libpq.
    case postgreSQL = "PostgreSQL over libpq"
    case postgreSQLOverADBC = "PostgreSQL over ADBC"
    case duckDB = "DuckDB over ADBC"

    /// The backends that are installed and chosen.
    static let here = allCases.filter { backend in
        guard DriverLibraries.isChosen(backend == .duckDB ? "duckdb" : "postgresql") else { return false }
        if backend.isHere { return true }
        TestDepth.note("skipped: \(backend.rawValue) is not installed; run Tests/House/Engines/install")
        return false
    }

    private var isHere: Bool {
        switch self {
        case .postgreSQL: PostgreSQLServer.shared != nil
        case .postgreSQLOverADBC: PostgreSQLServer.shared != nil && DriverLibraries.postgreSQL != nil
        case .duckDB: DriverLibraries.duckDB != nil
        }
    }

    /// Whether transactions have savepoints.
    var hasSavepoints: Bool { self != .duckDB }

    /// Returns a store on a new database.
    func store(_ schema: PredicateSchema, _ tables: [String] = []) throws -> any TestedStore {
        let store: any TestedStore
        switch self {
        case .postgreSQL:
            let address = try #require(PostgreSQLServer.shared).database()
            store = try SQLStore(schema: schema, dialect: .postgreSQL, connection: PostgreSQLConnection(address))
        case .postgreSQLOverADBC:
            let address = try #require(PostgreSQLServer.shared).database()
            store = try SQLStore(
                driver: #require(DriverLibraries.postgreSQL), options: ["uri": address], schema: schema)
        case .duckDB: store = try SQLStore(driver: #require(DriverLibraries.duckDB), options: [:], schema: schema)
        }
        for table in tables { _ = try store.rows("CREATE TABLE " + table) }
        return store
    }
}

extension Backend {
    /// Creates tables, and returns a store whose schema is read from the database.
    func introspected(_ tables: [String]) throws -> any TestedStore {
        let driver: ADBCDriver
        var options: [String: String] = [:]
        if self == .duckDB {
            driver = try #require(DriverLibraries.duckDB)
            let folder = FileManager.default.temporaryDirectory.path
            options["path"] = "\(folder)/predicate-\(UUID()).duckdb"
        } else {
            driver = try #require(DriverLibraries.postgreSQL)
            options["uri"] = try #require(PostgreSQLServer.shared).database()
        }
        defer { if let path = options["path"] { try? FileManager.default.removeItem(atPath: path) } }
        let empty = try SQLStore(driver: driver, options: options)
        for table in tables { _ = try empty.rows("CREATE TABLE " + table) }
        return try SQLStore(driver: driver, options: options)
    }
}
