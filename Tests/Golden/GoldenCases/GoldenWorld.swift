// The rows of a golden schema, both as objects in memory and as SQLite tables. Every predicate is run on both.
//
// `Tests/Golden/Schemas/NAME.json`: `{"entity": …, "entities": {…}, "rows": {"Person": [{"id": …, …}, …], …}}`,
// with values in tagged JSON. A to-one relationship is the key of another row, a to-many one a list of keys.

import PredicateEvaluation
package import PredicateModel
import PredicateRecords
package import PredicateSQL
import PredicateStores
package import PredicateSyntax

package struct GoldenWorld {
    package let schema: PredicateSchema
    /// The entity that the predicates select.
    package let entity: String
    /// The objects of this entity in memory, in the order of the file.
    package let rows: [(id: String, object: PredicateValue)]
    package let checker: TypeChecker
    /// The database, or nil if the system has no SQLite.
    private let database: SQLiteStore?

    /// The checker with the extensions of a case.
    func checker(in environment: PredicateEnvironment) throws -> TypeChecker {
        try TypeChecker(schema: schema, entity: entity, in: environment)
    }

    /// - Throws: if the file is invalid; also if the system has no SQLite, unless `mayLackSQLite` is true.
    package init(_ name: String, json text: String, mayLackSQLite: Bool) throws {
        guard case .dictionary(let file) = try JSON.parse(text), case .dictionary(let rows)? = file["rows"] else {
            throw GoldenFile.Malformed(description: "schema '\(name)' has no rows")
        }
        let described = zip(file.keys, file.values).filter { $0.0 != "rows" }
        schema = try PredicateSchema(value: .dictionary(ValueDictionary(described)))
        guard let entity = schema.defaultEntity else {
            throw GoldenFile.Malformed(
                description: "schema '\(name)' does not say which entity its predicates are about")
        }
        self.entity = entity
        checker = try TypeChecker(schema: schema, entity: entity)
        var objects: [String: [ValueDictionary]] = [:]
        for (entity, list) in zip(rows.keys, rows.values) {
            guard case .array(let elements) = list else { continue }
            objects[entity] = try elements.map { element in
                guard case .dictionary(let fields) = try TaggedJSON.decodeValue(element) else {
                    throw GoldenFile.Malformed(description: "a row of '\(name)' is no object")
                }
                return fields
            }
        }
        let tables = try StoredTables(schema, objects)
        let memory = try InMemoryStore(schema, tables)
        self.rows = try memory.fetch(StoreRequest(entity)).map { (Self.id($0), .object(ObjectReference($0))) }
        database = try Self.database(schema, tables, mayLackSQLite)
    }

    private static func id(_ object: StoredObject) -> String {
        if case .string(let text)? = object.primaryKey.first { return text }
        return object.primaryKey.first.map(TaggedJSON.text) ?? "?"
    }

    private static func database(
        _ schema: PredicateSchema, _ tables: StoredTables, _ mayLackSQLite: Bool
    ) throws -> SQLiteStore? {
        let store: SQLiteStore
        do throws(StoreFailure) {
            store = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        } catch {
            guard case .noLibrary(let sentence) = error, mayLackSQLite else { throw error }
            print("skipped: \(sentence)")
            return nil
        }
        var types: [String: [String: ExpressionType.Kind]] = [:]
        for entity in schema.entities {
            for attribute in entity.attributes { types[entity.table, default: [:]][attribute.column] = attribute.type }
        }
        for (name, table) in tables.tables {
            let columns = table.columns.map { quoted($0) + " " + declared(types[name]?[$0]) }.joined(separator: ", ")
            _ = try store.rows("CREATE TABLE \(quoted(name)) (\(columns))")
            let places = table.columns.map { _ in "?" }.joined(separator: ", ")
            for row in table.rows {
                _ = try store.rows("INSERT INTO \(quoted(name)) VALUES (\(places))", row.map(stored))
            }
        }
        return store
    }

    private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    private static func declared(_ type: ExpressionType.Kind?) -> String {
        switch type {
        case .integer, .boolean: "INTEGER"
        case .double, .date: "REAL"
        case .data: "BLOB"
        case .any, nil: ""
        default: "TEXT"
        }
    }

    private static func stored(_ value: PredicateValue) -> PredicateValue {
        switch value {
        case .array, .set, .dictionary: .string(JSON.text(value))
        default: value
        }
    }

    /// The rows that match in memory.
    package func selected(by predicate: FormatPredicate) -> [String] {
        guard let matcher = try? predicate.compiled() else { return [] }
        return rows.filter { matcher.matches($0.object) }.map(\.id)
    }

    /// Sorts indices of rows in memory.
    package func sorted(_ places: [Int], by order: [PredicateSortKey]) -> [Int] {
        var sorter = Sorter<Int>(keys: order)
        for place in places {
            guard case .object(let reference) = rows[place].object, let object = reference.object as? StoredObject
            else { continue }
            sorter.add(place, fields: order.map { object.value(at: $0.path) })
        }
        return sorter.finish()
    }

    /// Compares the rows that SQLite selects with those of the evaluator: with our functions, without them, and after
    /// the residual. Returns a message if they differ.
    package func disagreement(
        _ predicate: FormatPredicate, by order: [PredicateSortKey] = [], with expected: [String]
    ) -> String? {
        guard let database else { return nil }
        if !order.isEmpty {
            do {
                let found = try database.fetch(StoreRequest(entity, where: predicate, sort: order)).map(Self.id)
                return found == expected ? nil : "SQLite answers \(found), memory \(expected)"
            } catch {
                return "\(error)"
            }
        }
        for dialect in [SQLDialect.sqlite, .sqlitePlain] {
            do {
                let found = try fetch(predicate, dialect, database)
                let order = rows.map(\.id).filter(found.contains)
                if order != expected || found.count != order.count {
                    return "\(dialect) answers \(found), the evaluator \(expected)"
                }
            } catch {
                return "\(dialect): \(error)"
            }
        }
        return nil
    }

    /// The clock of `now()` in all cases.
    package static let clock = PredicateClock.at(700_000_000)

    private func fetch(_ predicate: FormatPredicate, _ dialect: SQLDialect, _ database: SQLiteStore) throws -> [String]
    {
        if dialect == database.dialect {
            return try database.fetch(StoreRequest(entity, where: predicate)).map(Self.id)
        }
        let query = try predicate.sql(dialect, entity: entity, in: schema, clock: Self.clock)
        let found = try database.rows(query.statement, query.bindings).map { row in
            if case .string(let text) = row[0] { text } else { TaggedJSON.text(row[0]) }
        }
        guard let residual = query.residual else { return found }
        let matcher = try residual.compiled()
        let kept = Set(rows.filter { matcher.matches($0.object) }.map(\.id))
        return found.filter(kept.contains)
    }

    /// The statement without the list of columns.
    package static func text(_ statement: SQLStatement) -> String {
        guard let from = statement.text.firstRange(of: " FROM ") else { return statement.text }
        let order = statement.sortReasons.map { "-- sorted in memory: \($0.sentence)" }
        return (["FROM " + statement.text[from.upperBound...]] + order).joined(separator: "\n")
    }

    /// The condition, with joins if there are any, and the residual.
    package static func text(_ query: SQLQuery) -> String {
        var lines = query.from.contains(" JOIN ") ? ["FROM " + query.from, "WHERE " + query.text] : [query.text]
        if let residual = query.residual { lines.append("-- residual: \(residual)") }
        return lines.joined(separator: "\n")
    }

    /// The condition in every dialect: one line for each distinct text after the names of its dialects, then the
    /// bindings and the residual.
    static func dialects(_ predicate: FormatPredicate, _ world: GoldenWorld) throws(PredicateFailure) -> String {
        var lines: [(text: String, names: [String])] = []
        for dialect in SQLDialect.all {
            let query = try predicate.sql(dialect, entity: world.entity, in: world.schema, clock: clock)
            let bindings = query.bindings.map { FormatExpression.value($0).description }.joined(separator: ", ")
            var text = (query.isExact ? "" : "~ ") + "\(query.text) [\(bindings)]"
            // The scalars that extend a letter need hundreds of ranges.
            text.replace(/(\[[^\[\],]{40})[^\[\],]{160,}\]/) { $0.1 + "…]" }
            if let residual = query.residual, residual != predicate { text += " residual: \(residual)" }
            if let index = lines.firstIndex(where: { $0.text == text }) {
                lines[index].names.append(dialect.name)
            } else {
                lines.append((text, [dialect.name]))
            }
        }
        return lines.map { $0.names.joined(separator: " ") + ": " + $0.text }.joined(separator: "\n")
    }
}
