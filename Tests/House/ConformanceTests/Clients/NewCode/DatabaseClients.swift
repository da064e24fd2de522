// swift-format-ignore-file
// A client: runs our statements with GRDB, PostgresNIO, MySQLNIO and SQLKit. The types below are stubs with the names
// and functions that the article "Database clients" uses; those of GRDB run on the system's SQLite. NewCodeTests.swift
// runs this file and compiles it in other modes.

import Foundation
import PredicateFoundation
import PredicateSQL
import PredicateStores

// MARK: GRDB

private protocol DatabaseValueConvertible { var stored: PredicateValue { get } }
extension Bool: DatabaseValueConvertible { fileprivate var stored: PredicateValue { .integer(self ? 1 : 0) } }
extension Int64: DatabaseValueConvertible { fileprivate var stored: PredicateValue { .integer(self) } }
extension Double: DatabaseValueConvertible { fileprivate var stored: PredicateValue { .double(self) } }
extension String: DatabaseValueConvertible { fileprivate var stored: PredicateValue { .string(self) } }
extension Data: DatabaseValueConvertible { fileprivate var stored: PredicateValue { .data(Array(self)) } }

private struct StatementArguments {
    let values: [PredicateValue]
    init(_ values: [(any DatabaseValueConvertible)?]) { self.values = values.map { $0?.stored ?? .null } }
}

private struct Configuration {
    var preparation: (ClientSQLite) throws -> Void = { _ in }
    mutating func prepareDatabase(_ body: @escaping (ClientSQLite) throws -> Void) { preparation = body }
}

private struct DatabaseQueue {
    let database: ClientSQLite
    init(path: String, configuration: Configuration) throws {
        database = try ClientSQLite(path)
        try configuration.preparation(database)
        _ = try database.rows("CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL)", [])
        _ = try database.rows("INSERT INTO person VALUES (1, 'Ada', 36), (2, 'Madeleine', 40), (3, 'Bob', 50)", [])
    }
    func read<Value>(_ body: (ClientSQLite) throws -> Value) rethrows -> Value { try body(database) }
}

private enum Row {
    static func fetchAll(_ db: ClientSQLite, sql: String, arguments: StatementArguments) throws -> [[String]] {
        try db.rows(sql, arguments.values)
    }
}

// MARK: PostgresNIO, MySQLNIO, SQLKit

private struct ByteBuffer { init(bytes: [UInt8]) {} }

private struct PostgresBindings {
    var texts: [String] = []
    mutating func append(_ value: some Sendable) { texts.append("\(value)") }
    mutating func appendNull() { texts.append("NULL") }
}

private struct PostgresQuery {
    let unsafeSQL: String
    let binds: PostgresBindings
}

private struct PostgresClient {
    func query(_ query: PostgresQuery) async throws -> [String] { [query.unsafeSQL] + query.binds.texts }
}

private enum MySQLData {
    enum Kind { case blob }
    enum Format { case binary }
    case null, value(String)
    init(bool: Bool) { self = .value("\(bool)") }
    init(int: Int) { self = .value("\(int)") }
    init(double: Double) { self = .value("\(double)") }
    init(string: String) { self = .value(string) }
    init(type: Kind, format: Format, buffer: ByteBuffer) { self = .value("\(buffer)") }
}

private struct EventLoopFuture<Value: Sendable> {
    let value: Value
    func get() async throws -> Value { value }
}

private struct MySQLDatabase {
    func query(_ sql: String, _ binds: [MySQLData]) -> EventLoopFuture<[String]> {
        EventLoopFuture(value: [sql] + binds.map { "\($0)" })
    }
}

private struct SQLRaw {
    let sql: String
    let binds: [any Encodable & Sendable]
    init(_ sql: String, _ binds: [any Encodable & Sendable]) { (self.sql, self.binds) = (sql, binds) }
}

private struct SQLDatabase {
    func execute(sql: SQLRaw, _ body: (String) -> Void) async throws {
        body("\(sql.binds.count) of \(sql.sql)")
    }
}

// MARK: The article's code

struct DatabaseClientsClient {
    private let schema: PredicateSchema

    init() throws {
        schema = try PredicateSchema([
            PredicateSchema.Entity(
                "Person", table: "person", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("id", .integer), PredicateSchema.Attribute("name", .string),
                    PredicateSchema.Attribute("age", .integer),
                ])
        ])
    }

    private func makeStatement(_ dialect: SQLDialect) throws -> SQLStatement {
        // Database-clients {
        let predicate = try FormatPredicate("name CONTAINS[c] 'ad' AND age >= 21")
        func statement(_ dialect: SQLDialect) throws -> SQLStatement {
            try predicate.sql(.select(sort: [PredicateSortKey("name")], limit: 10), dialect, entity: "Person", in: schema)
        }
        // } Database-clients
        return try statement(dialect)
    }

    /// The names that GRDB's stub selects.
    func sqlite() throws -> [[String]] {
        let path = ":memory:"
        func statement(_ dialect: SQLDialect) throws -> SQLStatement { try makeStatement(dialect) }
        // Database-clients {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            if let connection = db.sqliteConnection { try SQLiteFunctions.register(on: connection) }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)

        func argument(_ value: PredicateValue) -> (any DatabaseValueConvertible)? {
            switch SQLBinding(value) {
            case .null: nil
            case .boolean(let value): value
            case .integer(let value): value
            case .double(let value): value
            case .text(let value): value
            case .data(let value): Data(value)
            }
        }

        let select = try statement(.sqlite)
        let arguments = StatementArguments(select.bindings.map(argument))
        let rows = try queue.read { db in try Row.fetchAll(db, sql: select.text, arguments: arguments) }
        // } Database-clients
        return rows
    }

    func postgreSQL() async throws -> [String] {
        let client = PostgresClient()
        func statement(_ dialect: SQLDialect) throws -> SQLStatement { try makeStatement(dialect) }
        // Database-clients {
        func query(_ statement: SQLStatement) -> PostgresQuery {
            var binds = PostgresBindings()
            for value in statement.bindings {
                switch SQLBinding(value) {
                case .null: binds.appendNull()
                case .boolean(let value): binds.append(value)
                case .integer(let value): binds.append(value)
                case .double(let value): binds.append(value)
                case .text(let value): binds.append(value)
                case .data(let value): binds.append(ByteBuffer(bytes: value))
                }
            }
            return PostgresQuery(unsafeSQL: statement.text, binds: binds)
        }

        let rows = try await client.query(query(statement(.postgreSQL)))
        // } Database-clients
        return rows
    }

    func mySQL() async throws -> [String] {
        let database = MySQLDatabase()
        func statement(_ dialect: SQLDialect) throws -> SQLStatement { try makeStatement(dialect) }
        // Database-clients {
        func data(_ value: PredicateValue) -> MySQLData {
            switch SQLBinding(value) {
            case .null: .null
            case .boolean(let value): MySQLData(bool: value)
            case .integer(let value): MySQLData(int: Int(value))
            case .double(let value): MySQLData(double: value)
            case .text(let value): MySQLData(string: value)
            case .data(let value): MySQLData(type: .blob, format: .binary, buffer: ByteBuffer(bytes: value))
            }
        }

        let select = try statement(.mySQL)
        let rows = try await database.query(select.text, select.bindings.map(data)).get()
        // } Database-clients
        return rows
    }

    func sqlKit() async throws -> [String] {
        let database = SQLDatabase()
        var found: [String] = []
        func handle(_ row: String) { found.append(row) }
        func statement(_ dialect: SQLDialect) throws -> SQLStatement { try makeStatement(dialect) }
        // Database-clients {
        func bind(_ value: PredicateValue) -> any Encodable & Sendable {
            switch SQLBinding(value) {
            case .null: String?.none
            case .boolean(let value): value
            case .integer(let value): value
            case .double(let value): value
            case .text(let value): value
            case .data(let value): Data(value)
            }
        }

        let select = try statement(.postgreSQL)
        try await database.execute(sql: SQLRaw(select.text, select.bindings.map(bind))) { row in handle(row) }
        // } Database-clients
        return found
    }
}
