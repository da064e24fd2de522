// The databases that a command line names: SQLite files, and other databases through ADBC drivers.

import Foundation

/// The driver of the command line and its options.
struct DriverOptions {
    var library: String?
    var options: [String: String] = [:]
}

struct DatabaseAddress {
    /// An engine, with the names of its driver library and of the driver option for the address.
    private struct Scheme {
        let prefixes: [String]
        let library: String
        let option: String
        /// Whether the option takes the file after the prefix; otherwise it takes the whole address.
        var isFile = false
        var options: [String: String] = [:]
    }

    private static let schemes = [
        Scheme(prefixes: ["postgresql://", "postgres://"], library: "adbc_driver_postgresql", option: "uri"),
        Scheme(
            prefixes: ["duckdb:"], library: "duckdb", option: "path", isFile: true,
            options: ["access_mode": "READ_ONLY"]),
        Scheme(prefixes: ["sc://"], library: "adbc_driver_spark", option: "uri"),
    ]

    private let name: String
    private let input: CommandInput
    private let driver: DriverOptions

    /// nil if the name looks like a file of records.
    init?(_ name: String, _ input: CommandInput, _ driver: DriverOptions = DriverOptions()) {
        (self.name, self.input, self.driver) = (name, input, driver)
        if driver.library == nil, scheme == nil, !input.isDatabase(name) { return nil }
    }

    /// Treats any name as a database.
    init(any name: String, _ input: CommandInput, _ driver: DriverOptions) {
        (self.name, self.input, self.driver) = (name, input, driver)
    }

    private var scheme: Scheme? { Self.schemes.first { $0.prefixes.contains(where: name.hasPrefix) } }

    /// Opens the database for reading.
    ///
    /// - Parameter schema: nil reads it from the database.
    func open(_ schema: PredicateSchema? = nil) throws -> any DatabaseStore {
        let scheme = scheme
        guard let library = driver.library ?? scheme.map({ Self.file(of: $0.library) }) else {
            guard driver.options.isEmpty else {
                throw CommandEnd.usage(
                    "--option needs a driver", hint: "--driver LIB, or an address such as duckdb:FILE")
            }
            return try SQLiteStore(name, input, schema: schema)
        }
        var options = scheme?.options ?? [:]
        if let scheme, scheme.isFile {
            let file = String(name.dropFirst(scheme.prefixes[0].count))
            _ = try input.source(file)  // throws the usual error for a missing file
            options[scheme.option] = input.path(file)
        } else if !name.isEmpty {
            options[scheme?.option ?? "uri"] = name
        }
        options.merge(driver.options) { $1 }
        return try CommandEnd.failed { () throws(StoreFailure) in
            try SQLStore(driver: ADBCDriver(library), options: options, schema: schema, mode: .readOnly)
        }
    }

    /// The platform's file name of a library.
    private static func file(of library: String) -> String {
        #if os(Windows)
            library + ".dll"
        #elseif canImport(Darwin)
            "lib\(library).dylib"
        #else
            "lib\(library).so"
        #endif
    }
}

extension Invocation {
    /// The options `--driver` and `--option`.
    func driverOptions() throws -> DriverOptions {
        var found = DriverOptions(library: self[.driver])
        for text in values[OptionDescription.driverOption.name] ?? [] {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommandEnd.usage("--option takes NAME=VALUE, not '\(text)'")
            }
            found.options[parts[0]] = parts[1]
        }
        return found
    }

    /// The database of `--database`; nil without it. Some drivers need no address.
    func database() throws -> DatabaseAddress? {
        try databaseName().map { DatabaseAddress(any: $0, input, try driverOptions()) }
    }
}

/// A store over a database, with any connection.
protocol DatabaseStore: PredicateStore {
    var dialect: SQLDialect { get }
    func plan(_ request: StoreRequest) throws(StoreFailure) -> FetchPlan
    func cursor(_ plan: FetchPlan) throws(StoreFailure) -> FetchCursor
    func plan(records request: StoreRequest) throws(StoreFailure) -> RecordPlan?
    func records(_ plan: RecordPlan) throws(StoreFailure) -> [ValueDictionary]
    func rows(_ sql: String, _ bindings: [PredicateValue]) throws(StoreFailure) -> [[PredicateValue]]
    func interrupt()
}

extension SQLStore: DatabaseStore {}
