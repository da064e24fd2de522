// The system's SQLite, opened by a client without this package.

import Foundation
import PredicateFoundation

/// A connection of a client.
final class ClientSQLite {
    struct Failure: Error { let message: String }

    let sqliteConnection: OpaquePointer?

    #if os(Windows) || os(WASI)
        init(_ path: String) throws { throw Failure(message: "no SQLite here") }
        func rows(_ sql: String, _ arguments: [PredicateValue]) throws -> [[String]] { [] }
    #else
        private typealias Handle = OpaquePointer?
        private typealias Text = UnsafePointer<CChar>
        private let library: UnsafeMutableRawPointer

        init(_ path: String) throws {
            let names = ["libsqlite3.so.0", "libsqlite3.so", "/usr/lib/libsqlite3.dylib"]
            guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
                throw Failure(message: "no SQLite library")
            }
            self.library = library
            var opened: OpaquePointer?
            let open: @convention(c) (Text, UnsafeMutablePointer<OpaquePointer?>) -> Int32 = try Self.load(
                library, "open")
            guard open(path, &opened) == 0 else { throw Failure(message: "cannot open \(path)") }
            sqliteConnection = opened
        }

        private static func load<Function>(_ library: UnsafeMutableRawPointer, _ name: String) throws -> Function {
            guard let address = dlsym(library, "sqlite3_" + name) else { throw Failure(message: name) }
            return unsafeBitCast(address, to: Function.self)
        }

        private func load<Function>(_ name: String) throws -> Function { try Self.load(library, name) }

        /// The rows of a statement, each column as its text.
        func rows(_ sql: String, _ arguments: [PredicateValue]) throws -> [[String]] {
            let prepare:
                @convention(c) (
                    Handle, Text, Int32, UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<Text?>?
                ) -> Int32 = try load("prepare_v2")
            let finalize: @convention(c) (Handle) -> Int32 = try load("finalize")
            let step: @convention(c) (Handle) -> Int32 = try load("step")
            let count: @convention(c) (Handle) -> Int32 = try load("column_count")
            let text: @convention(c) (Handle, Int32) -> Text? = try load("column_text")
            var statement: OpaquePointer?
            guard prepare(sqliteConnection, sql, -1, &statement, nil) == 0 else {
                throw Failure(message: "prepare \(sql)")
            }
            defer { _ = finalize(statement) }
            for (index, value) in arguments.enumerated() { try bind(value, statement, Int32(index + 1)) }
            var rows: [[String]] = []
            while step(statement) == 100 {
                rows.append((0..<count(statement)).map { text(statement, $0).map { String(cString: $0) } ?? "NULL" })
            }
            return rows
        }

        private func bind(_ value: PredicateValue, _ statement: OpaquePointer?, _ index: Int32) throws {
            switch value {
            case .integer(let number):
                let bind: @convention(c) (Handle, Int32, Int64) -> Int32 = try load("bind_int64")
                _ = bind(statement, index, number)
            case .double(let number):
                let bind: @convention(c) (Handle, Int32, Double) -> Int32 = try load("bind_double")
                _ = bind(statement, index, number)
            case .string(let text):
                let bind: @convention(c) (Handle, Int32, Text, Int32, OpaquePointer?) -> Int32 = try load("bind_text")
                // -1 makes SQLite copy the text.
                _ = bind(statement, index, text, -1, OpaquePointer(bitPattern: -1))
            default: throw Failure(message: "\(value) is not bound here")
            }
        }
    #endif
}
