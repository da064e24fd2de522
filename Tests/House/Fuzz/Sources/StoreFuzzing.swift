// Format strings as requests: checks that SQLite and the store in memory select the same objects.

import PredicateModel
import PredicateSQL
import PredicateStores
import PredicateSyntax

enum StoreFuzzing {
    private static let objects: [String: [ValueDictionary]] = {
        let people = (1...16 as ClosedRange<Int64>).map { id -> ValueDictionary in
            guard case .dictionary(let fields) = People.person(id) else { return ValueDictionary([]) }
            let boss: PredicateValue = id % 2 == 0 ? .null : .integer(id / 2 + 1)
            return ValueDictionary(Array(zip(fields.keys, fields.values)) + [("boss", boss)])
        }
        let orders = (1...20 as ClosedRange<Int64>).map { id in
            ValueDictionary([
                ("id", .integer(id)), ("total", .double(Double(id * 13 % 70))), ("owner", .integer(id * 7 % 11 + 1)),
            ])
        }
        return ["Person": people, "Order": orders]
    }()

    private static let stores: (memory: InMemoryStore, database: SQLiteStore) = {
        do {
            return (try InMemoryStore(People.schema, objects), try database(":memory:"))
        } catch {
            fatalError("\(error)")
        }
    }()

    /// A new database with the objects.
    static func database(_ path: String) throws -> SQLiteStore {
        let database = try SQLiteStore(path: path, schema: People.schema, mode: .create)
        _ = try database.rows(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, nick TEXT, age INTEGER, price REAL, vip INTEGER,
            tags TEXT, boss_id INTEGER)
            """)
        _ = try database.rows("CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL, person_id INTEGER)")
        try database.transaction {
            for entity in ["Person", "Order"] { try database.insert(objects[entity] ?? [], into: entity) }
        }
        return database
    }

    private static let environment = PredicateEnvironment(localeIdentifier: "en_US")

    static func complaint(_ text: String) -> String? {
        guard text.utf8.count < 400, let predicate = try? FormatPredicate(text: text, in: environment) else {
            return nil
        }
        // The answers of random and now are not repeatable.
        if text.lowercased().contains("random") || text.lowercased().contains("now") { return nil }
        for entity in People.schema.entityNames {
            let request = StoreRequest(entity, where: predicate, clock: .at(7e8))
            guard let expected = keys(stores.memory, request) else { continue }
            guard let found = keys(stores.database, request) else { return "SQLite fails: \(failure(request))" }
            if expected != found { return "memory selects \(expected), SQLite \(found) of \(entity): \(predicate)" }
            if let count = try? stores.database.count(request), count != expected.count {
                return "\(count) are counted of \(expected.count) of \(entity): \(predicate)"
            }
        }
        return nil
    }

    private static func keys(_ store: some PredicateStore, _ request: StoreRequest) -> [String]? {
        (try? store.fetch(request))?.map { "\($0.primaryKey)" }.sorted()
    }

    private static func failure(_ request: StoreRequest) -> String {
        do { return "\(try stores.database.fetch(request).count)" } catch { return "\(error)" }
    }
}
