// A database in memory for the statements of the tests: a store's, with the functions and collations that it registers.

import Foundation
import PredicateModel
import PredicateSQL
import PredicateStores
import PredicateSyntax

struct SQLiteDatabase {
    private let store: SQLiteStore

    /// - Throws: `noLibrary` where the system has none.
    init() throws { store = try SQLiteStore(path: ":memory:", schema: Schema([]), mode: .readWrite) }

    /// Whether the system has SQLite. CI has it, or fails.
    static let isAvailable = (try? SQLiteDatabase()) != nil || ProcessInfo.processInfo.environment["CI"] != nil

    /// Runs one statement and answers the first column, as integers; what is none is 0.
    @discardableResult
    func run(_ sql: String, _ bindings: [Value] = []) throws -> [Int64] {
        try store.rows(sql, bindings).map { row in
            switch row.first {
            case .integer(let number): number
            case .double(let number): Int64(number)
            default: 0
            }
        }
    }

    /// Runs one statement and answers its rows, as texts; what is none is empty.
    func texts(_ sql: String, _ bindings: [Value] = []) throws -> [[String]] {
        try store.rows(sql, bindings).map { row in
            row.map { value in
                switch value {
                case .string(let text): text
                case .integer(let number): String(number)
                case .double(let number): String(number)
                default: ""
                }
            }
        }
    }
}
