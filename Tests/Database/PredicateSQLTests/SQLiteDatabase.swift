// A database in memory for statements of the tests. A store opens it and registers its functions and collations.

import Foundation
import PredicateStores

struct SQLiteDatabase {
    private let store: SQLiteStore

    /// - Throws: `noLibrary` if the system has no SQLite.
    init() throws { store = try SQLiteStore(path: ":memory:", schema: PredicateSchema([]), mode: .readWrite) }

    /// Whether the system has SQLite. True in CI, where a missing SQLite must fail the tests.
    static let isAvailable = (try? SQLiteDatabase()) != nil || ProcessInfo.processInfo.environment["CI"] != nil

    /// Runs one statement and returns the first column as integers. A value that is not a number counts as 0.
    @discardableResult
    func run(_ sql: String, _ bindings: [PredicateValue] = []) throws -> [Int64] {
        try store.rows(sql, bindings).map { row in
            switch row.first {
            case .integer(let number): number
            case .double(let number): Int64(number)
            default: 0
            }
        }
    }

    /// Runs one statement and returns its rows as texts. A value that is neither a text nor a number becomes an empty
    /// text.
    func texts(_ sql: String, _ bindings: [PredicateValue] = []) throws -> [[String]] {
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
