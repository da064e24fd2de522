// SQLite as an engine of the tests: a database in memory, made anew for every load.

import Foundation
import PredicateSQL
import PredicateSyntax

actor SQLiteConnection: EngineConnection {
    private var database: SQLiteDatabase

    init() throws { database = try SQLiteDatabase() }

    func load(_ tables: [DataSet.Table]) throws {
        database = try SQLiteDatabase()
        for table in tables { try database.fill(table) }
    }

    func select(_ queries: [EngineQuery]) -> [Result<[Int64], EngineFailure>] {
        queries.map { query in
            do {
                return .success(try database.run(query.sql, query.values))
            } catch {
                return .failure(EngineFailure("\(error)"))
            }
        }
    }

    func rows(_ query: EngineQuery) throws -> [[String]] { try database.texts(query.sql, query.values) }

    func close() {}
}

extension SQLiteDatabase {
    func fill(_ table: DataSet.Table) throws {
        let types: [SQLType: String] = [
            .integer: "INTEGER", .decimal: "INTEGER", .boolean: "INTEGER", .double: "REAL", .date: "REAL",
            .data: "BLOB",
        ]
        let columns = table.columns.map { column in
            Self.quoted(column.name) + " " + (types[column.type] ?? "TEXT")
                + (column.name == table.key ? " PRIMARY KEY" : column.isOptional ? "" : " NOT NULL")
        }
        try run("CREATE TABLE \(Self.quoted(table.name)) (\(columns.joined(separator: ", ")))")
        let places = table.columns.map { _ in "?" }.joined(separator: ", ")
        for row in table.rows {
            let values = zip(table.columns, row).map { Self.stored($1.stored(in: $0)) }
            try run("INSERT INTO \(Self.quoted(table.name)) VALUES (\(places))", values)
        }
    }

    private static func stored(_ value: Value) -> Value {
        guard case .decimal(let number) = value else { return value }
        return DecimalUnits.of(number).map(Value.integer) ?? value
    }

    private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
