// The engines that predicates run on, one row for each dialect. To add an engine, add its script in Tests/House/Engines and
// its row here.

import Foundation
import PredicateSQL
import PredicateTestSupport
import Testing

struct Engine: Sendable, CustomTestStringConvertible {
    enum Opening: Sendable {
        /// The system's SQLite, in the test process.
        case library
        /// The Python script of this name in Tests/House/Engines.
        case sidecar(String)
        /// The same script, but SELECTs run over the engine's ADBC driver.
        case adbc(String)
    }

    let dialect: SQLDialect
    var opening: Opening
    /// Number of predicates, for TestDepth.count: a quarter of them in a CI run.
    let count: Int
    /// Number of requests, for TestDepth.count: selections with an order, counts and changes.
    let requests: Int
    /// Every `metamorphicStep`th predicate is also checked by TLP and NoREC. Tests with a long list of predicates, such as
    /// those of dates, run only these.
    var metamorphicStep = 1
    /// Whether a text may contain U+0000.
    var storesNUL = true
    /// Whether a text in a list may contain U+0000.
    var listsNUL = true
    /// Whether a list may be nil.
    var storesNilLists = true
    var storesInfinity = true
    var storesNaN = true
    /// Whether a column keeps the sign of zero.
    var storesMinusZero = true
    /// Whether decimals are stored as decimals, and not as integers of units.
    var storesDecimals = true
    /// Whether a condition may be a result column of a SELECT.
    var hasConditionsAsResults = true
    /// Whether any condition may select the rows that are changed and deleted.
    var changesRows = true
    /// Whether many SELECTs can run as one statement. They must then have the same number of columns.
    var joinsSelects = false
    /// Whether the engine takes too long to start for a quick run.
    var startsSlowly = false
    /// Whether it differs from another engine only by the functions that are registered. Quick runs leave it to CI.
    var isVariant = false

    /// The engines of this run.
    static let chosen = all.filter { engine in
        if let names = Run.engines { return names.contains(engine.dialect.name) }
        return !(TestDepth.isQuickest && engine.isVariant || TestDepth.isQuick && engine.startsSlowly)
    }

    private static let isFull = TestDepth.current == .full

    static let all: [Engine] = [
        Engine(
            dialect: Affinities.dialect(.sqlite), opening: .library, count: 20_000, requests: 2_000, listsNUL: false,
            storesNaN: false, storesMinusZero: false,
            storesDecimals: false),
        Engine(
            dialect: Affinities.dialect(.sqlitePlain), opening: .library, count: 5_000, requests: 500, listsNUL: false,
            storesNaN: false, storesMinusZero: false, storesDecimals: false, isVariant: true),
        Engine(dialect: .postgreSQL, opening: .sidecar("postgresql"), count: 3_000, requests: 400, storesNUL: false),
        Engine(
            dialect: .mySQL, opening: .sidecar("mariadb"), count: 3_000, requests: 400, storesInfinity: false,
            storesNaN: false,
            storesMinusZero: false),
        Engine(
            dialect: .duckDB, opening: .sidecar("duckdb"), count: 3_000, requests: 400,
            metamorphicStep: isFull ? 1 : 3),
        Engine(
            dialect: .clickHouse, opening: .sidecar("clickhouse"), count: 1_000, requests: 200, metamorphicStep: 4,
            storesNilLists: false, changesRows: false),
        Engine(
            dialect: .spark, opening: .sidecar("spark"), count: 200, requests: 20, metamorphicStep: isFull ? 8 : 32,
            hasConditionsAsResults: false,
            changesRows: false, joinsSelects: true, startsSlowly: true),
    ]

    /// The engines of this run that are also used over ADBC.
    static let overADBC = chosen.compactMap { engine -> Engine? in
        guard case .sidecar(let name) = engine.opening, ["postgresql", "duckdb"].contains(name) else { return nil }
        var engine = engine
        engine.opening = .adbc(name)
        return engine
    }

    static func named(_ dialect: SQLDialect) -> Engine? { all.first { $0.dialect == dialect } }

    var testDescription: String { if case .adbc = opening { dialect.name + " over ADBC" } else { dialect.name } }

    /// The value that the engine stores instead of one that it cannot store.
    func storable(_ value: PredicateValue, in column: DataSet.Column) -> PredicateValue {
        guard column.isList else { return storable(value) }
        guard case .array(let elements) = value else {
            return storesNilLists && column.isOptional ? value : .array([])
        }
        let stored = elements.map { (element) -> PredicateValue in
            switch element {
            case .string(let text) where !listsNUL: .string(text.replacing("\0", with: ""))
            // A list keeps the sign, because it is an array or a text.
            case .double(let number) where number == 0: element
            case .date(let seconds) where seconds == 0: element
            default: storable(element)
            }
        }
        return .array(stored)
    }

    func storable(_ value: PredicateValue) -> PredicateValue {
        switch value {
        case .decimal(let number) where !storesDecimals:
            DecimalUnits.of(number) == nil ? .decimal(DecimalNumber(42)) : value
        case .string(let text) where !storesNUL: .string(text.replacing("\0", with: ""))
        case .url(let text) where !storesNUL: .url(text.replacing("\0", with: ""))
        case .double(let number) where !storesNaN && number.isNaN: .double(0.5)
        case .double(let number) where !storesInfinity && number.isInfinite: .double(number < 0 ? -1e308 : 1e308)
        case .double(let number) where !storesMinusZero && number == 0: .double(0)
        case .date(let seconds) where !storesMinusZero && seconds == 0: .date(0)
        default: value
        }
    }

    func open() async throws -> any EngineConnection {
        switch opening {
        case .library: return try SQLiteConnection()
        case .sidecar(let name): return try await Sidecar(name)
        case .adbc(let name): return try await ADBCEngine(name)
        }
    }

    /// Runs a test on an engine if it is available. If it is not, the test fails in CI and is reported as skipped
    /// elsewhere. The tests of one server run one after another. They do not wait for tests that need no engine.
    func withConnection(_ body: (any EngineConnection) async throws -> Void) async throws {
        try await onOwnThread { try await connected(body) }
    }

    private func connected(_ body: (any EngineConnection) async throws -> Void) async throws {
        let shared = SharedConnections.all[testDescription] ?? SharedConnections(self)
        let connection: any EngineConnection
        do {
            connection = try await shared.take()
        } catch {
            TestDepth.note(
                "skipped: \(dialect) is not installed (\(error)); Tests/House/Engines/install gets all engines")
            #expect(!Run.isCI, "CI needs every engine; \(dialect): \(error)")
            return
        }
        do {
            try await body(connection)
        } catch {
            await shared.giveBack(connection, isUsable: false)
            throw error
        }
        await shared.giveBack(connection)
    }
}

/// The connections to an engine, each of which only one test uses at a time. Tests share them, because a server for
/// each test would be too many servers at the same time. A server stops when this process ends.
actor SharedConnections {
    /// By the engines' descriptions. Without SQLite, which is in this process: each test opens its own database.
    static let all: [String: SharedConnections] = Dictionary(
        uniqueKeysWithValues: (Engine.all + Engine.overADBC).compactMap { engine in
            if case .library = engine.opening { nil } else { (engine.testDescription, SharedConnections(engine)) }
        })

    private let engine: Engine
    private var idle: [any EngineConnection] = []
    /// The number of further tests that may get a connection now.
    private var free = 1
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The error if the engine could not be opened. It is not opened again.
    private var error: (any Error)?

    init(_ engine: Engine) { self.engine = engine }

    /// Returns a connection. Waits until one is free.
    func take() async throws -> any EngineConnection {
        if free == 0 { await withCheckedContinuation { waiting.append($0) } } else { free -= 1 }
        do {
            if let error { throw error }
            if let connection = idle.popLast() { return connection }
            return try await engine.open()
        } catch {
            self.error = error
            handOver()
            throw error
        }
    }

    func giveBack(_ connection: any EngineConnection, isUsable: Bool = true) async {
        let isLibrary = if case .library = engine.opening { true } else { false }
        if isLibrary || !isUsable { await connection.close() } else { idle.append(connection) }
        handOver()
    }

    private func handOver() { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
}

/// A statement with its values. The test reads the first column of a SELECT, which contains integers.
struct EngineQuery: Sendable {
    let sql: String
    var values: [PredicateValue] = []
    var types: [SQLType] = []
}

struct EngineFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

protocol EngineConnection: Sendable {
    /// Creates and fills the tables, and replaces tables of the same names.
    func load(_ tables: [DataSet.Table]) async throws
    func select(_ queries: [EngineQuery]) async throws -> [Result<[Int64], EngineFailure>]
    /// Runs one statement and returns its rows as texts.
    func rows(_ query: EngineQuery) async throws -> [[String]]
    func close() async
}

/// The paths of the test files, and the chosen engines. `PREDICATE_ENGINES=spark,duckdb` runs only those engines.
enum Run {
    static let environment = ProcessInfo.processInfo.environment
    static let isCI = environment["CI"] != nil
    static let engines = environment["PREDICATE_ENGINES"].map { Set($0.split(separator: ",").map(String.init)) }

    /// The folder that contains Package.swift.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func file(_ name: String) -> URL { root.appendingPathComponent("Tests/House/Engines/" + name) }
}

/// Decimals as integers of units, for a store that has only integers. Returns nil for a decimal with more digits after
/// the point than the scale.
enum DecimalUnits {
    static func of(_ number: DecimalNumber, scale: Int = 10) -> Int64? {
        let units = (0..<scale).reduce(Int64(1)) { power, _ in power * 10 }
        return (try? number.multiplied(by: DecimalNumber(units))).flatMap { Int64($0.description) }
    }
}
