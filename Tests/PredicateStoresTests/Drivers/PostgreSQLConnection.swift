// A connection to PostgreSQL, as an app writes it over the client that it has; here libpq, which is opened at run time.
// The article "Databases and drivers" shows this file.

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

    func run(_ statement: String, _ bindings: [PredicateValue], types: [SQLType]) throws(StoreFailure) -> Rows {
        if Task.isCancelled, !statement.hasPrefix("ROLLBACK") { throw .cancelled }
        let values = bindings.map { $0.isNil ? nil : Self.text($0) }
        if values.contains(where: { $0?.utf8.contains(0) ?? false }) {
            throw .engine(code: 0, message: "PostgreSQL has no texts with U+0000", statement: statement)
        }
        let texts = values.map { $0.flatMap { strdup($0) } }
        defer { for text in texts { free(text) } }
        let places = texts.map { $0.map { UnsafePointer($0) } }
        let result = pq.execute(handle, statement, Int32(texts.count), nil, places, nil, nil, 0)
        // 1 and 2: the statement has run, without and with rows.
        guard [1, 2].contains(pq.resultStatus(result)) else {
            defer { pq.clear(result) }
            throw failure(result, statement)
        }
        return Rows(pq, result)
    }

    private func failure(_ result: OpaquePointer?, _ statement: String) -> StoreFailure {
        func field(_ code: Character) -> String? {
            pq.errorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
        }
        let message = field("M") ?? String(cString: pq.errorMessage(handle))
        let names = field("D")?.split(separator: ")").first?.split(separator: "(").last ?? ""
        let columns = field("c").map { [$0] } ?? names.split(separator: ", ").map(String.init)
        func constraint(_ kind: StoreConstraint.Kind) -> StoreFailure {
            .constraint(StoreConstraint(kind, table: field("t"), columns: columns, message: message))
        }
        switch field("C") {
        case "23505": return constraint(field("n")?.hasSuffix("_pkey") ?? false ? .primaryKey : .unique)
        case "23502": return constraint(.notNull)
        case "23503": return constraint(.foreignKey)
        case "23514": return constraint(.check)
        case "57014": return .cancelled
        case "55P03": return .unusable(.locked, statement: statement)
        case "53100": return .unusable(.diskFull, statement: statement)
        case "25006": return .readOnly
        default: return .engine(code: pq.resultStatus(result), message: message, statement: statement)
        }
    }

    private static func text(_ value: PredicateValue) -> String {
        switch value {
        case .bool(let flag): flag ? "t" : "f"
        case .integer(let number): "\(number)"
        case .double(let number), .date(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .string(let text), .url(let text): text
        case .uuid(let id): "\(id)"
        case .data(let bytes): "\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        default: ""
        }
    }

    final class Rows: SQLRows {
        private let pq: LibPQ
        private var result: OpaquePointer?
        private var row: Int32 = 0
        let changes: Int

        init(_ pq: LibPQ, _ result: OpaquePointer?) {
            (self.pq, self.result) = (pq, result)
            changes = Int(String(cString: pq.changes(result))) ?? 0
        }

        deinit { close() }

        func close() {
            pq.clear(result)
            result = nil
        }

        func next(_ count: Int) throws(StoreFailure) -> [[PredicateValue]] {
            let last = min(row + Int32(clamping: count), pq.rowCount(result))
            defer { row = last }
            return (row..<last).map { row in (0..<pq.columnCount(result)).map { value(row, $0) } }
        }

        /// The store converts texts to the types of the schema.
        private func value(_ row: Int32, _ column: Int32) -> PredicateValue {
            guard pq.isNull(result, row, column) == 0, let bytes = pq.value(result, row, column) else { return .null }
            let text = String(cString: bytes)
            switch pq.type(result, column) {
            case 17: return .data(Self.bytes(text))
            case 20, 21, 23: return Int64(text).map { .integer($0) } ?? .string(text)
            case 700, 701: return Double(text).map { .double($0) } ?? .string(text)
            default: return .string(text)
            }
        }

        /// `\x00ff`
        private static func bytes(_ text: String) -> [UInt8] {
            let digits = Array(text.utf8.dropFirst(2))
            return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
            }
        }
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
    let errorMessage: @convention(c) (OpaquePointer) -> Text
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
        errorMessage = load("PQerrorMessage")
        clear = load("PQclear")
        rowCount = load("PQntuples")
        columnCount = load("PQnfields")
        isNull = load("PQgetisnull")
        value = load("PQgetvalue")
        type = load("PQftype")
        changes = load("PQcmdTuples")
    }
}
