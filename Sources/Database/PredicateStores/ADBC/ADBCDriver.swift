// Opens an ADBC driver (database connectivity of Apache Arrow): a shared library with a table of functions.
// ADBCConnection.swift uses it; ADBCFailure.swift converts its errors. https://arrow.apache.org/adbc/
import CArrow

/// An ADBC database driver: a shared library, opened at run time.
///
///     let driver = try ADBCDriver("libadbc_driver_postgresql.so")
///     let connection = try ADBCConnection(driver, ["uri": "postgresql://localhost/shop"])
///
/// The library stays loaded until the process ends.
// @unchecked Sendable: only `init` writes the table of functions.
public final class ADBCDriver: @unchecked Sendable {
    let library: String
    private let table: UnsafeMutablePointer<AdbcDriver>

    private typealias Initializer =
        @convention(c) (
            Int32, UnsafeMutableRawPointer?, UnsafeMutablePointer<AdbcError>?
        ) -> AdbcStatusCode

    /// Opens a driver.
    ///
    /// - Parameters:
    ///   - library: the path of the shared library, or a name that the system searches for.
    ///   - entryPoint: the function that fills the driver's table of functions; nil tries `AdbcDriverInit`, the name
    ///     derived from the library, such as `AdbcDriverPostgresqlInit`, and `duckdb_adbc_init`.
    ///   - needed: libraries whose symbols the driver uses without linking to them. They are opened first.
    /// - Throws: `noLibrary` for a file that is not a library or not a driver, and for a driver that cannot start.
    public init(_ library: String, entryPoint: String? = nil, after needed: [String] = []) throws(StoreFailure) {
        for name in needed where DynamicLibrary(name, sharesSymbols: true) == nil {
            throw .noLibrary("cannot open '\(name)', which the driver needs: \(DynamicLibrary.lastError)")
        }
        guard let opened = DynamicLibrary(library) else {
            throw .noLibrary(
                "cannot open the driver '\(library)': \(DynamicLibrary.lastError); give the path of an ADBC driver")
        }
        let names = entryPoint.map { [$0] } ?? Self.entryPoints(of: library)
        guard let address = names.lazy.compactMap(opened.address).first else {
            throw .noLibrary(
                "'\(library)' is not an ADBC driver: it has no function \(names.joined(separator: " or "))")
        }
        self.library = library
        table = .allocate(capacity: 1)
        table.initialize(to: AdbcDriver())
        let initialize = unsafeBitCast(address, to: Initializer.self)
        let notImplemented: AdbcStatusCode = 2
        do throws(StoreFailure) {
            // A driver of ADBC 1.0 does not know 1.1.
            try call { (table, error) in
                let status = initialize(1_001_000, table, error)
                if status != notImplemented { return status }
                error.pointee.release?(error)
                table.pointee = AdbcDriver()
                return initialize(1_000_000, table, error)
            }
        } catch {
            throw .noLibrary("the driver '\(library)' cannot start: \(error)")
        }
        let functions = table.pointee
        let isWhole =
            functions.DatabaseNew != nil && functions.DatabaseSetOption != nil && functions.DatabaseInit != nil
            && functions.DatabaseRelease != nil && functions.ConnectionNew != nil && functions.ConnectionInit != nil
            && functions.ConnectionRelease != nil && functions.StatementNew != nil
            && functions.StatementSetSqlQuery != nil && functions.StatementExecuteQuery != nil
            && functions.StatementRelease != nil
        if !isWhole { throw .noLibrary("the driver '\(library)' lacks functions that ADBC 1.0 requires") }
    }

    deinit {
        var error = AdbcError()
        _ = table.pointee.release?(table, &error)
        error.release?(&error)
        table.deallocate()
    }

    /// `libadbc_driver_postgresql.so` has `AdbcDriverPostgresqlInit`.
    private static func entryPoints(of library: String) -> [String] {
        let file = library.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        var name = file.prefix { $0 != "." }
        if name.hasPrefix("lib") { name = name.dropFirst(3) }
        let words = name.split(whereSeparator: { $0 == "_" || $0 == "-" })
        let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return ["AdbcDriverInit", (joined.hasPrefix("Adbc") ? joined : "Adbc" + joined) + "Init", "duckdb_adbc_init"]
    }

    /// Calls functions of the driver, and throws its error.
    ///
    /// - Parameters:
    ///   - statement: the statement for the error.
    ///   - body: returns the status; nil if the driver does not have the function.
    func call(
        _ statement: String = "",
        _ body: (UnsafeMutablePointer<AdbcDriver>, UnsafeMutablePointer<AdbcError>) -> AdbcStatusCode?
    ) throws(StoreFailure) {
        var error = AdbcError()
        // This value says that the struct has the members of ADBC 1.1.
        error.vendor_code = .min
        error.private_driver = table
        guard let status = withUnsafeMutablePointer(to: &error, { body(table, $0) }) else {
            throw .engine(code: 2, message: "the driver '\(library)' does not have this function", statement: statement)
        }
        let failure = status == 0 ? nil : failure(status, &error, statement)
        error.release?(&error)
        if let failure { throw failure }
    }

    /// The details of an error: its place, its constraint.
    func details(of error: UnsafePointer<AdbcError>) -> [String: String] {
        guard error.pointee.vendor_code == .min, let count = table.pointee.ErrorGetDetailCount,
            let detail = table.pointee.ErrorGetDetail
        else { return [:] }
        var found: [String: String] = [:]
        for index in 0..<max(0, count(error)) {
            let one = detail(error, index)
            guard let key = one.key, let start = one.value else { continue }
            let bytes = UnsafeBufferPointer(start: start, count: one.value_length)
            found[String(cString: key)] = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return found
    }

    /// The error of reading a stream.
    func failure(of stream: UnsafeMutablePointer<ArrowArrayStream>, _ statement: String) -> StoreFailure {
        var status: AdbcStatusCode = 1
        if let error = table.pointee.ErrorFromArrayStream?(stream, &status) {
            return failure(status, error, statement)
        }
        let message = stream.pointee.get_last_error?(stream).map { String(cString: $0) }
        return Self.failure(status, message ?? "the driver cannot read on", nil, [:], statement)
    }
}
