// The SQLite C functions that this package calls, with their types, and the result codes.
// https://www.sqlite.org/c3ref/funclist.html

/// The system's SQLite library.
struct SQLiteLibrary: Sendable {
    typealias Handle = OpaquePointer?
    typealias Text = UnsafePointer<CChar>
    typealias Data = UnsafeMutableRawPointer?
    typealias Destructor = @convention(c) (Data) -> Void
    typealias Function = @convention(c) (Handle, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    typealias Collation = @convention(c) (Data, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32
    typealias Progress = @convention(c) (Data) -> Int32

    let open: @convention(c) @Sendable (Text, UnsafeMutablePointer<OpaquePointer?>, Int32, Text?) -> Int32
    let close: @convention(c) @Sendable (Handle) -> Int32
    let errorMessage: @convention(c) @Sendable (Handle) -> Text?
    let errorText: @convention(c) @Sendable (Int32) -> Text?
    let extendedCode: @convention(c) @Sendable (Handle) -> Int32
    let busyTimeout: @convention(c) @Sendable (Handle, Int32) -> Int32
    let progress: @convention(c) @Sendable (Handle, Int32, Progress?, Data) -> Void
    let autocommit: @convention(c) @Sendable (Handle) -> Int32
    let changes: @convention(c) @Sendable (Handle) -> Int32
    let totalChanges: @convention(c) @Sendable (Handle) -> Int32

    let prepare:
        @convention(c) @Sendable (
            Handle, Text, Int32, UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<Text?>?
        ) -> Int32
    let step: @convention(c) @Sendable (Handle) -> Int32
    let reset: @convention(c) @Sendable (Handle) -> Int32
    let clearBindings: @convention(c) @Sendable (Handle) -> Int32
    let finalize: @convention(c) @Sendable (Handle) -> Int32
    let isReadOnly: @convention(c) @Sendable (Handle) -> Int32

    let parameterCount: @convention(c) @Sendable (Handle) -> Int32
    let bindNull: @convention(c) @Sendable (Handle, Int32) -> Int32
    let bindInteger: @convention(c) @Sendable (Handle, Int32, Int64) -> Int32
    let bindDouble: @convention(c) @Sendable (Handle, Int32, Double) -> Int32
    let bindText: @convention(c) @Sendable (Handle, Int32, UnsafePointer<UInt8>?, Int32, Destructor?) -> Int32
    let bindBlob: @convention(c) @Sendable (Handle, Int32, UnsafeRawPointer?, Int32, Destructor?) -> Int32
    let bindEmptyBlob: @convention(c) @Sendable (Handle, Int32, Int32) -> Int32

    let columnCount: @convention(c) @Sendable (Handle) -> Int32
    let columnType: @convention(c) @Sendable (Handle, Int32) -> Int32
    let columnInteger: @convention(c) @Sendable (Handle, Int32) -> Int64
    let columnDouble: @convention(c) @Sendable (Handle, Int32) -> Double
    let columnText: @convention(c) @Sendable (Handle, Int32) -> UnsafePointer<UInt8>?
    let columnBlob: @convention(c) @Sendable (Handle, Int32) -> UnsafeRawPointer?
    let columnBytes: @convention(c) @Sendable (Handle, Int32) -> Int32

    let createFunction:
        @convention(c) @Sendable (
            Handle, Text, Int32, Int32, Data, Function?, Function?, (@convention(c) (Handle) -> Void)?, Destructor?
        ) -> Int32
    let createCollation: @convention(c) @Sendable (Handle, Text, Int32, Data, Collation?, Destructor?) -> Int32
    let userData: @convention(c) @Sendable (Handle) -> Data
    let auxiliaryData: @convention(c) @Sendable (Handle, Int32) -> Data
    let setAuxiliaryData: @convention(c) @Sendable (Handle, Int32, Data, Destructor?) -> Void
    let valueType: @convention(c) @Sendable (Handle) -> Int32
    let valueText: @convention(c) @Sendable (Handle) -> UnsafePointer<UInt8>?
    let valueBytes: @convention(c) @Sendable (Handle) -> Int32
    let valueDouble: @convention(c) @Sendable (Handle) -> Double
    let valueInteger: @convention(c) @Sendable (Handle) -> Int64
    let resultDouble: @convention(c) @Sendable (Handle, Double) -> Void
    let resultInteger: @convention(c) @Sendable (Handle, Int64) -> Void
    let resultText: @convention(c) @Sendable (Handle, UnsafePointer<UInt8>?, Int32, Destructor?) -> Void
    let resultNull: @convention(c) @Sendable (Handle) -> Void

    /// Loaded once. nil if the system has no SQLite, or one that lacks some functions.
    static let shared: SQLiteLibrary? = {
        for name in names {
            if let library = DynamicLibrary(name), let table = try? SQLiteLibrary(library) { return table }
        }
        return nil
    }()

    #if os(Windows)
        static let names = ["winsqlite3.dll", "sqlite3.dll"]
    #elseif canImport(Darwin)
        static let names = ["/usr/lib/libsqlite3.dylib", "libsqlite3.dylib"]
    #else
        static let names = ["libsqlite3.so.0", "libsqlite3.so"]
    #endif

    static let missing =
        "this system has no SQLite library (\(names.joined(separator: ", "))): install it to read databases"

    private struct MissingSymbol: Error {}

    private init(_ library: DynamicLibrary) throws {
        func load<Function>(_ name: String) throws -> Function {
            guard let address = library.address(of: "sqlite3_" + name) else { throw MissingSymbol() }
            // The types declared above match the C header.
            return unsafeBitCast(address, to: Function.self)
        }
        open = try load("open_v2")
        close = try load("close_v2")
        errorMessage = try load("errmsg")
        errorText = try load("errstr")
        extendedCode = try load("extended_errcode")
        busyTimeout = try load("busy_timeout")
        progress = try load("progress_handler")
        autocommit = try load("get_autocommit")
        changes = try load("changes")
        totalChanges = try load("total_changes")
        prepare = try load("prepare_v2")
        step = try load("step")
        reset = try load("reset")
        clearBindings = try load("clear_bindings")
        finalize = try load("finalize")
        isReadOnly = try load("stmt_readonly")
        parameterCount = try load("bind_parameter_count")
        bindNull = try load("bind_null")
        bindInteger = try load("bind_int64")
        bindDouble = try load("bind_double")
        bindText = try load("bind_text")
        bindBlob = try load("bind_blob")
        bindEmptyBlob = try load("bind_zeroblob")
        columnCount = try load("column_count")
        columnType = try load("column_type")
        columnInteger = try load("column_int64")
        columnDouble = try load("column_double")
        columnText = try load("column_text")
        columnBlob = try load("column_blob")
        columnBytes = try load("column_bytes")
        createFunction = try load("create_function_v2")
        createCollation = try load("create_collation_v2")
        userData = try load("user_data")
        auxiliaryData = try load("get_auxdata")
        setAuxiliaryData = try load("set_auxdata")
        valueType = try load("value_type")
        valueText = try load("value_text")
        valueBytes = try load("value_bytes")
        valueDouble = try load("value_double")
        valueInteger = try load("value_int64")
        resultDouble = try load("result_double")
        resultInteger = try load("result_int64")
        resultText = try load("result_text")
        resultNull = try load("result_null")
    }
}

/// Constants of sqlite3.h.
enum SQLiteCode {
    static let ok: Int32 = 0
    static let busy: Int32 = 5
    static let locked: Int32 = 6
    static let readOnly: Int32 = 8
    static let interrupt: Int32 = 9
    static let corrupt: Int32 = 11
    static let notADatabase: Int32 = 26
    static let full: Int32 = 13
    static let constraint: Int32 = 19
    static let row: Int32 = 100
    static let done: Int32 = 101

    static let integer: Int32 = 1
    static let float: Int32 = 2
    static let text: Int32 = 3
    static let blob: Int32 = 4
    static let null: Int32 = 5

    static let openReadOnly: Int32 = 0x1
    static let openReadWrite: Int32 = 0x2
    static let openCreate: Int32 = 0x4
    /// Disables locking inside SQLite, because the store's lock admits one thread at a time.
    static let openNoMutex: Int32 = 0x8000

    static let deterministicUTF8: Int32 = 0x1 | 0x800
    static let utf8: Int32 = 1
    static let cannotOpen: Int32 = 14

    /// The problem that makes the database unusable; nil for other errors.
    static func problem(_ code: Int32) -> StoreProblem? {
        switch code & 0xFF {
        case busy, locked: .locked
        case corrupt: .damaged
        case notADatabase: .notADatabase
        case full: .diskFull
        // SQLITE_READONLY_RECOVERY and SQLITE_READONLY_ROLLBACK.
        case readOnly: [264, 776].contains(code) ? .interrupted : nil
        default: nil
        }
    }

    /// SQLITE_TRANSIENT: SQLite copies the bound value.
    static var copied: SQLiteLibrary.Destructor { unsafeBitCast(-1, to: SQLiteLibrary.Destructor.self) }
}
