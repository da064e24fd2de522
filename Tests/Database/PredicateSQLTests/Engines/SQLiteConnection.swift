// SQLite as an engine of the tests: a database in memory, created again for every load.

import Foundation
import PredicateSQL

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
            let type =
                Affinities.type(table.name, column.name) ?? types[column.type].flatMap { column.isList ? nil : $0 }
            return Self.quoted(column.name) + " " + (type ?? "TEXT")
                + (column.name == table.key ? " PRIMARY KEY" : column.isOptional ? "" : " NOT NULL")
        }
        let options = Affinities.isStrict(table.name) ? " STRICT" : ""
        try run("CREATE TABLE \(Self.quoted(table.name)) (\(columns.joined(separator: ", ")))\(options)")
        let places = table.columns.map { _ in "?" }.joined(separator: ", ")
        for row in table.rows {
            let values = zip(table.columns, row).map { Self.stored($1.stored(in: $0), $0.scale) }
            try run("INSERT INTO \(Self.quoted(table.name)) VALUES (\(places))", values)
        }
    }

    private static func stored(_ value: PredicateValue, _ scale: Int) -> PredicateValue {
        switch value {
        case .decimal(let number): DecimalUnits.of(number, scale: scale).map(PredicateValue.integer) ?? value
        case .array(let elements): .string("[" + elements.map(json).joined(separator: ",") + "]")
        default: value
        }
    }

    /// An element of a list as JSON. A double is written in one of several forms.
    private static func json(_ element: PredicateValue) -> String {
        switch element {
        case .null: "null"
        case .bool(let flag): String(flag)
        case .integer(let number): String(number)
        case .double(let number), .date(let number):
            if let whole = Int64(exactly: number), whole % 2 == 0, whole != 0 {
                String(whole)
            } else {
                number.isInfinite ? "\(number < 0 ? "-" : "")1e999" : String(number).uppercased()
            }
        default:
            (try? JSONEncoder().encode(WireValue.text(element))).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        }
    }

    private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
