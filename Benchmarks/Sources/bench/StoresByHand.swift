// The handwritten code for the benchmarks of stores: reads rows with the C functions of SQLite, and from the batches of
// an ADBC driver.
import CArrow
import Foundation

struct PersonRow: Decodable, Equatable {
    var id: Int64
    var name: String
    var nick: String?
    var age: Int64?
    var height: Double
    var active: Bool
}

/// A database in memory.
final class SQLiteByHand {
    typealias Handle = OpaquePointer?
    private let handle: OpaquePointer
    private let exec: @convention(c) (Handle, UnsafePointer<CChar>, Handle, Handle, Handle) -> Int32
    private let prepare:
        @convention(c) (
            Handle, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>, Handle
        ) -> Int32
    private let step: @convention(c) (Handle) -> Int32
    private let reset: @convention(c) (Handle) -> Int32
    private let finalize: @convention(c) (Handle) -> Int32
    private let type: @convention(c) (Handle, Int32) -> Int32
    private let integer: @convention(c) (Handle, Int32) -> Int64
    private let double: @convention(c) (Handle, Int32) -> Double
    private let text: @convention(c) (Handle, Int32) -> UnsafePointer<UInt8>?
    private let bytes: @convention(c) (Handle, Int32) -> Int32
    private let bindNull: @convention(c) (Handle, Int32) -> Int32
    private let bindInteger: @convention(c) (Handle, Int32, Int64) -> Int32
    private let bindDouble: @convention(c) (Handle, Int32, Double) -> Int32
    private let bindText: @convention(c) (Handle, Int32, UnsafePointer<UInt8>?, Int32, Int) -> Int32

    /// nil if the system has no SQLite.
    init?() {
        guard let library = dlopen("libsqlite3.so.0", RTLD_NOW) else { return nil }
        func function<Function>(_ name: String, _ type: Function.Type = Function.self) -> Function {
            unsafeBitCast(dlsym(library, "sqlite3_" + name), to: type)
        }
        let open: @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32 = function(
            "open")
        var opened: OpaquePointer?
        guard open(":memory:", &opened) == 0, let opened else { return nil }
        handle = opened
        (exec, prepare, step) = (function("exec"), function("prepare_v2"), function("step"))
        (reset, finalize) = (function("reset"), function("finalize"))
        (type, integer, double) = (function("column_type"), function("column_int64"), function("column_double"))
        (text, bytes) = (function("column_text"), function("column_bytes"))
        (bindNull, bindInteger) = (function("bind_null"), function("bind_int64"))
        (bindDouble, bindText) = (function("bind_double"), function("bind_text"))
    }

    func run(_ statements: String) { precondition(exec(handle, statements, nil, nil, nil) == 0, statements) }

    private func prepared(_ statement: String) -> OpaquePointer? {
        var made: OpaquePointer?
        precondition(prepare(handle, statement, -1, &made, nil) == 0, statement)
        return made
    }

    func people(_ selection: String) -> [PersonRow] {
        let statement = prepared(selection)
        defer { _ = finalize(statement) }
        func string(_ column: Int32) -> String {
            let start = text(statement, column)
            let bytes = UnsafeBufferPointer(start: start, count: Int(bytes(statement, column)))
            return String(decoding: bytes, as: UTF8.self)
        }
        var people: [PersonRow] = []
        while step(statement) == 100 {
            people.append(
                PersonRow(
                    id: integer(statement, 0), name: string(1), nick: type(statement, 2) == 5 ? nil : string(2),
                    age: type(statement, 3) == 5 ? nil : integer(statement, 3), height: double(statement, 4),
                    active: integer(statement, 5) != 0))
        }
        return people
    }

    func insert(_ people: [PersonRow], into table: String) -> Int {
        run("BEGIN")
        let statement = prepared("INSERT INTO \(table) (id, name, nick, age, height, active) VALUES (?, ?, ?, ?, ?, ?)")
        defer { _ = finalize(statement) }
        func bind(_ text: String, _ index: Int32) {
            var text = text
            text.withUTF8 { _ = bindText(statement, index, $0.baseAddress, Int32($0.count), -1) }
        }
        for person in people {
            _ = bindInteger(statement, 1, person.id)
            bind(person.name, 2)
            if let nick = person.nick { bind(nick, 3) } else { _ = bindNull(statement, 3) }
            if let age = person.age { _ = bindInteger(statement, 4, age) } else { _ = bindNull(statement, 4) }
            _ = bindDouble(statement, 5, person.height)
            _ = bindInteger(statement, 6, person.active ? 1 : 0)
            precondition(step(statement) == 101)
            _ = reset(statement)
        }
        run("COMMIT")
        return people.count
    }
}

/// A connection with an ADBC driver.
final class DriversByHand {
    private let driver = UnsafeMutablePointer<AdbcDriver>.allocate(capacity: 1)
    private let database = UnsafeMutablePointer<AdbcDatabase>.allocate(capacity: 1)
    private let connection = UnsafeMutablePointer<AdbcConnection>.allocate(capacity: 1)
    /// The error structure, because DuckDB refuses calls without one.
    private let error = UnsafeMutablePointer<AdbcError>.allocate(capacity: 1)

    /// The paths of the libraries that are installed.
    static func libraries() -> [String: String?] {
        guard let output = try? run("Tests/House/Engines/drivers.py").output.readDataToEndOfFile() else { return [:] }
        return (try? JSONDecoder().decode([String: String?].self, from: output)) ?? [:]
    }

    /// Starts a script of the repository.
    static func run(_ script: String) throws -> (process: Process, input: FileHandle, output: FileHandle) {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(root)/.build/engines/bin/python3")
        process.arguments = ["-B", "\(root)/\(script)"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, input.fileHandleForWriting, output.fileHandleForReading)
    }

    /// nil if the driver cannot start or connect.
    init?(_ library: String, _ options: [String: String]) {
        guard let opened = dlopen(library, RTLD_NOW),
            let start = dlsym(opened, "AdbcDriverInit") ?? dlsym(opened, "duckdb_adbc_init")
        else { return nil }
        typealias Start = @convention(c) (Int32, UnsafeMutablePointer<AdbcDriver>, OpaquePointer?) -> AdbcStatusCode
        driver.initialize(to: AdbcDriver())
        database.initialize(to: AdbcDatabase())
        connection.initialize(to: AdbcConnection())
        error.initialize(to: AdbcError())
        // A driver for ADBC 1.0 does not know version 1.1.
        let starts = unsafeBitCast(start, to: Start.self)
        guard [1_001_000, 1_000_000].contains(where: { starts($0, driver, OpaquePointer(error)) == 0 }) else {
            return nil
        }
        _ = driver.pointee.DatabaseNew(database, error)
        for (name, value) in options { _ = driver.pointee.DatabaseSetOption(database, name, value, error) }
        guard driver.pointee.DatabaseInit(database, error) == 0, driver.pointee.ConnectionNew(connection, error) == 0,
            driver.pointee.ConnectionInit(connection, database, error) == 0
        else { return nil }
    }

    func run(_ statement: String) {
        var made = AdbcStatement()
        _ = driver.pointee.StatementNew(connection, &made, error)
        _ = driver.pointee.StatementSetSqlQuery(&made, statement, error)
        precondition(driver.pointee.StatementExecuteQuery(&made, nil, nil, error) == 0, statement)
        _ = driver.pointee.StatementRelease(&made, error)
    }

    /// - Parameter bound: the value of `$1`.
    func people(_ selection: String, bound: Int64) -> [PersonRow] {
        var statement = AdbcStatement()
        _ = driver.pointee.StatementNew(connection, &statement, error)
        defer { _ = driver.pointee.StatementRelease(&statement, error) }
        _ = driver.pointee.StatementSetSqlQuery(&statement, selection, error)
        _ = driver.pointee.StatementPrepare(&statement, error)
        withParameter(bound) { precondition(driver.pointee.StatementBind(&statement, $0, $1, error) == 0) }
        var stream = ArrowArrayStream()
        guard driver.pointee.StatementExecuteQuery(&statement, &stream, nil, error) == 0 else { return [] }
        defer { stream.release?(&stream) }
        var schema = ArrowSchema()
        guard stream.get_schema(&stream, &schema) == 0 else { return [] }
        defer { schema.release?(&schema) }
        let formats = (0..<Int(schema.n_children)).map { String(cString: schema.children[$0]!.pointee.format) }
        precondition(formats == ["l", "u", "u", "l", "g", "b"], "\(formats)")
        var people: [PersonRow] = []
        while true {
            var batch = ArrowArray()
            guard stream.get_next(&stream, &batch) == 0, batch.release != nil else { return people }
            defer { batch.release(&batch) }
            Self.append(batch, &people)
        }
    }

    /// Calls `body` with a batch of one row and one column. The memory of the batch is never released.
    private func withParameter(
        _ value: Int64, _ body: (UnsafeMutablePointer<ArrowArray>, UnsafeMutablePointer<ArrowSchema>) -> Void
    ) {
        func kept<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
            let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            pointer.initialize(to: value)
            return pointer
        }
        func schema(_ format: String) -> ArrowSchema {
            var schema = ArrowSchema()
            (schema.format, schema.name) = (UnsafePointer(strdup(format)), UnsafePointer(strdup("p")))
            schema.release = { $0?.pointee.release = nil }
            return schema
        }
        func array(_ buffers: [UnsafeRawPointer?]) -> ArrowArray {
            var array = ArrowArray()
            (array.length, array.n_buffers) = (1, Int64(buffers.count))
            let pointers = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: buffers.count)
            pointers.initialize(from: buffers, count: buffers.count)
            array.buffers = pointers
            array.release = { $0?.pointee.release = nil }
            return array
        }
        var (batch, type) = (array([nil]), schema("+s"))
        batch.n_children = 1
        batch.children = kept(kept(array([nil, UnsafeRawPointer(kept(value))])))
        type.n_children = 1
        type.children = kept(kept(schema("l")))
        body(&batch, &type)
    }

    private static func append(_ batch: ArrowArray, _ people: inout [PersonRow]) {
        func values<Value>(_ column: Int, _ buffer: Int, _ type: Value.Type) -> UnsafePointer<Value> {
            let array = batch.children[column]!.pointee
            return array.buffers[buffer]!.assumingMemoryBound(to: type) + (type == UInt8.self ? 0 : Int(array.offset))
        }
        func text(_ column: Int) -> (Int) -> String {
            let offsets = values(column, 1, Int32.self)
            let bytes = values(column, 2, UInt8.self)
            return { row in
                let (start, end) = (Int(offsets[row]), Int(offsets[row + 1]))
                return String(decoding: UnsafeBufferPointer(start: bytes + start, count: end - start), as: UTF8.self)
            }
        }
        func isValid(_ column: Int) -> (Int) -> Bool {
            let array = batch.children[column]!.pointee
            guard let bits = array.buffers[0]?.assumingMemoryBound(to: UInt8.self) else { return { _ in true } }
            let offset = Int(array.offset)
            return { bits[($0 + offset) >> 3] >> UInt8(($0 + offset) & 7) & 1 == 1 }
        }
        let (ids, ages, heights) = (values(0, 1, Int64.self), values(3, 1, Int64.self), values(4, 1, Double.self))
        let (names, nicks, hasNick, hasAge) = (text(1), text(2), isValid(2), isValid(3))
        let (flags, shift) = (values(5, 1, UInt8.self), Int(batch.children[5]!.pointee.offset))
        people.reserveCapacity(people.count + Int(batch.length))
        for row in 0..<Int(batch.length) {
            let isActive = flags[(row + shift) >> 3] >> UInt8((row + shift) & 7) & 1 == 1
            people.append(
                PersonRow(
                    id: ids[row], name: names(row), nick: hasNick(row) ? nicks(row) : nil,
                    age: hasAge(row) ? ages[row] : nil, height: heights[row], active: isActive))
        }
    }
}

/// A private PostgreSQL server, which ends with this process.
final class DatabaseServer {
    nonisolated(unsafe) static let shared = DatabaseServer()
    let address: String
    private let process: (process: Process, input: FileHandle, output: FileHandle)

    private init?() {
        guard let process = try? DriversByHand.run("Tests/House/Engines/postgresql_engine.py") else { return nil }
        self.process = process
        func line() -> Data {
            var line = Data()
            while let byte = try? process.output.read(upToCount: 1), byte != Data([10]), !byte.isEmpty { line += byte }
            return line
        }
        // The first line is printed when the server has started.
        guard !line().isEmpty else { return nil }
        let question = #"{"run": "SHOW unix_socket_directories", "types": [], "values": []}"# + "\n"
        try? process.input.write(contentsOf: Data(question.utf8))
        struct Answer: Decodable { let rows: [[String]] }
        guard let folder = try? JSONDecoder().decode(Answer.self, from: line()).rows.first?.first else { return nil }
        address = "host=\(folder) user=tests dbname=postgres"
    }
}
