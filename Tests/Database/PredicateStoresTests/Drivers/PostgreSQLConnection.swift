// A connection to PostgreSQL that an app can write with its own client; here the client is libpq, which is opened at
// run time. The article "Databases and drivers" contains this file.

import Foundation
import PredicateSQL
import PredicateStores
import PredicateSyntax

// Databases-and-drivers {
final class PostgreSQLConnection: SQLConnection {
    private let pq: LibPQ
    private let handle: OpaquePointer
    let cancel: @Sendable () -> Void

    init(_ address: String) throws(StoreFailure) {
        guard let pq = LibPQ.shared else { throw .noLibrary("libpq was not found") }
        guard let handle = pq.connect(address), pq.status(handle) == 0 else {
            throw .cannotOpen(path: address, reason: "PostgreSQL refuses the connection")
        }
        (self.pq, self.handle) = (pq, handle)
        // Safe: libpq documents that another thread may cancel.
        nonisolated(unsafe) let request = pq.getCancel(handle)
        cancel = {
            var message = [CChar](repeating: 0, count: 256)
            _ = pq.cancel(request, &message, 256)
        }
    }

    deinit { pq.finish(handle) }

    func run(
        _ statement: String, _ bindings: [PredicateValue], types: [SQLType]
    ) throws(StoreFailure) -> SQLRowArray {
        if Task.isCancelled, !statement.hasPrefix("ROLLBACK") { throw .cancelled }
        let values = bindings.map { SQLBinding($0).postgreSQLText }
        if values.contains(where: { $0?.utf8.contains(0) ?? false }) {
            throw .engine(code: 0, message: "PostgreSQL has no texts with U+0000", statement: statement)
        }
        let texts = values.map { $0.flatMap { strdup($0) } }
        defer { for text in texts { free(text) } }
        let places = texts.map { $0.map { UnsafePointer($0) } }
        let result = pq.execute(handle, statement, Int32(texts.count), nil, places, nil, nil, 0)
        defer { pq.clear(result) }
        // 1 and 2: the statement was run, without and with rows.
        guard [1, 2].contains(pq.resultStatus(result)) else {
            throw .postgreSQL(statement: statement) { letter in
                pq.errorField(result, Int32(letter.asciiValue ?? 0)).map { String(cString: $0) }
            }
        }
        let rows = (0..<pq.rowCount(result)).map { row in
            (0..<pq.columnCount(result)).map { value(result, row, $0) }
        }
        return SQLRowArray(rows, changes: Int(String(cString: pq.changes(result))) ?? 0)
    }

    private func value(_ result: OpaquePointer?, _ row: Int32, _ column: Int32) -> PredicateValue {
        guard pq.isNull(result, row, column) == 0, let text = pq.value(result, row, column) else { return .null }
        return PredicateValue(postgreSQLText: String(cString: text), type: pq.type(result, column))
    }
}
// } Databases-and-drivers

/// The functions of libpq.
struct LibPQ: Sendable {
    static let shared = LibPQ()

    typealias Text = UnsafePointer<CChar>
    let connect: @convention(c) (Text) -> OpaquePointer?
    let status: @convention(c) (OpaquePointer) -> Int32
    let finish: @convention(c) (OpaquePointer) -> Void
    let getCancel: @convention(c) (OpaquePointer) -> OpaquePointer?
    let cancel: @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>, Int32) -> Int32
    let execute:
        @convention(c) (
            OpaquePointer, Text, Int32, UnsafePointer<UInt32>?, UnsafePointer<Text?>?, UnsafePointer<Int32>?,
            UnsafePointer<Int32>?, Int32
        ) -> OpaquePointer?
    let resultStatus: @convention(c) (OpaquePointer?) -> Int32
    let errorField: @convention(c) (OpaquePointer?, Int32) -> Text?
    let clear: @convention(c) (OpaquePointer?) -> Void
    let rowCount: @convention(c) (OpaquePointer?) -> Int32
    let columnCount: @convention(c) (OpaquePointer?) -> Int32
    let isNull: @convention(c) (OpaquePointer?, Int32, Int32) -> Int32
    let value: @convention(c) (OpaquePointer?, Int32, Int32) -> Text?
    let type: @convention(c) (OpaquePointer?, Int32) -> UInt32
    let changes: @convention(c) (OpaquePointer?) -> Text

    private init?() {
        #if canImport(Darwin)
            let name = "libpq.5.dylib"
        #else
            let name = "libpq.so.5"
        #endif
        guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL), dlsym(library, "PQexecParams") != nil else {
            return nil
        }
        func load<Function>(_ name: String) -> Function { unsafeBitCast(dlsym(library, name), to: Function.self) }
        connect = load("PQconnectdb")
        status = load("PQstatus")
        finish = load("PQfinish")
        getCancel = load("PQgetCancel")
        cancel = load("PQcancel")
        execute = load("PQexecParams")
        resultStatus = load("PQresultStatus")
        errorField = load("PQresultErrorField")
        clear = load("PQclear")
        rowCount = load("PQntuples")
        columnCount = load("PQnfields")
        isNull = load("PQgetisnull")
        value = load("PQgetvalue")
        type = load("PQftype")
        changes = load("PQcmdTuples")
    }
}
