// Stores compared with handwritten code on the same libraries: the reference runs the same statement and creates an
// array of structs. StoresByHand.swift has this code. PostgreSQL and DuckDB run if Tests/House/Engines/install has installed
// them.
import Foundation
import PredicateModel
import PredicateSQL
import PredicateStores
import PredicateSyntax

enum StoreBenchmarks {
    static var all: [Benchmark] {
        do {
            return try sqlite() + published() + drivers()
        } catch {
            print("no store benchmarks: \(error)")
            return []
        }
    }

    static let count = 100_000
    static let columns = """
        id bigint PRIMARY KEY, name text NOT NULL, nick text, age bigint, height float8 NOT NULL, active boolean NOT NULL
        """
    static let selection = "SELECT id, name, nick, age, height, active FROM person WHERE age < 100"
    static let boundSelection = "SELECT id, name, nick, age, height, active FROM person WHERE age < $1"

    /// The statement that fills a table of SQLite.
    static func rows(_ count: Int) -> String {
        """
        INSERT INTO person WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(count - 1)) \
        SELECT i, 'person number ' || i, CASE WHEN i % 3 = 0 THEN NULL ELSE 'n' || i END, i * 7919 % 1000, i / 7.0, \
        i % 2 = 0 FROM n
        """
    }

    private static func store() throws -> SQLiteStore {
        let store = try SQLiteStore(path: ":memory:", schema: SQLBenchmarks.schema(), mode: .create)
        _ = try store.rows("CREATE TABLE person (\(columns))")
        return store
    }

    private static func request() throws -> StoreRequest {
        StoreRequest("Person", where: try FormatPredicate("age < 100"))
    }

    private static func fetches<Connection>(
        _ name: String, clock: clockid_t, _ store: SQLStore<Connection>, reference: @escaping () -> [PersonRow]
    ) throws -> [Benchmark] {
        let request = try request()
        let expected = reference().sorted { $0.id < $1.id }
        let objects = try store.fetch(request).map { try $0.decoded(as: PersonRow.self) }
        let typed = try store.fetch(PersonRow.self, request).sorted { $0.id < $1.id }
        guard expected.count == 10_000, typed == expected, objects.sorted(by: { $0.id < $1.id }) == expected
        else {
            print("\(name): the rows differ")
            return []
        }
        func benchmark(_ what: String, _ ours: @escaping () -> Int) -> Benchmark {
            var benchmark = Benchmark(
                "stores \(name), 10,000 of 100,000 \(what)", items: 10_000, against: "structs by hand",
                reference: { reference().count }, ours: ours)
            benchmark.clock = clock
            return benchmark
        }
        return [
            benchmark("as objects") { (try? store.fetch(request))?.count ?? 0 },
            benchmark("as Decodable structs") { (try? store.fetch(PersonRow.self, request))?.count ?? 0 },
        ]
    }

    private static func sqlite() throws -> [Benchmark] {
        guard let byHand = SQLiteByHand() else { return [] }
        let (filled, empty) = (try store(), try store())
        for statement in [rows(count), "CREATE INDEX person_age ON person (age)"] { _ = try filled.rows(statement) }
        byHand.run("CREATE TABLE person (\(columns)); CREATE TABLE other (\(columns))")
        byHand.run(rows(count) + "; CREATE INDEX person_age ON person (age)")
        let people = byHand.people("SELECT id, name, nick, age, height, active FROM person")
        let objects = people.map { person in
            ValueDictionary([
                ("id", .integer(person.id)), ("name", .string(person.name)),
                ("nick", person.nick.map(PredicateValue.string) ?? .null),
                ("age", person.age.map(PredicateValue.integer) ?? .null), ("height", .double(person.height)),
                ("active", .bool(person.active)),
            ])
        }
        return try fetches("sqlite", clock: CLOCK_THREAD_CPUTIME_ID, filled, reference: { byHand.people(selection) })
            + [
                Benchmark(
                    "stores sqlite, insert 100,000", items: count, against: "a prepared loop",
                    reference: {
                        byHand.run("DELETE FROM other")
                        return byHand.insert(people, into: "other")
                    },
                    ours: {
                        _ = try? empty.rows("DELETE FROM person")
                        return (try? empty.insert(objects, into: "Person")) ?? 0
                    })
            ]
    }

    /// Inserting published types, compared with dictionaries that exist already.
    private static func published() throws -> [Benchmark] {
        let store = try store()
        let people = (0..<count).map { PublishedPerson($0) }
        let dictionaries = people.map { ValueDictionary(zip(PublishedPerson.keys.names, $0.values)) }
        func insert(_ body: () throws -> Int) -> Int {
            _ = try? store.rows("DELETE FROM person")
            return (try? body()) ?? 0
        }
        let schema = try PredicateSchema(of: [PublishedOwner.self, PublishedItem.self])
        let shop = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try shop.create(schema)
        let owners = (0..<count / 10).map { PublishedOwner(id: $0 + 1, name: "owner number \($0)") }
        let items = (0..<count).map { PublishedItem(id: $0 + 1, title: "item \($0)", owner: owners[$0 / 10]) }
        let parents = (0..<count / 10).map { number in
            let items = (0..<10).map { PublishedItem(id: nil, title: "item \(number * 10 + $0)") }
            return PublishedOwner(id: nil, name: "owner number \(number)", items: items)
        }
        func id(_ id: Int?) -> PredicateValue { .integer(Int64(id ?? 0)) }
        let ownerRows = owners.map { ValueDictionary([("id", id($0.id)), ("name", .string($0.name))]) }
        let itemRows = items.map {
            ValueDictionary([("id", id($0.id)), ("title", .string($0.title)), ("owner", id($0.owner?.id))])
        }
        func fill(_ body: () throws -> Int) -> Int {
            _ = try? shop.rows("DELETE FROM \"PublishedItem\"")
            _ = try? shop.rows("DELETE FROM \"PublishedOwner\"")
            return (try? body()) ?? 0
        }
        func rows() -> Int {
            fill { try shop.insert(ownerRows, into: "PublishedOwner") + shop.insert(itemRows, into: "PublishedItem") }
        }
        return [
            Benchmark(
                "stores published, insert 100,000", items: count, against: "dictionaries",
                reference: { insert { try store.insert(dictionaries, into: "Person") } },
                ours: { insert { try store.insert(people, into: "Person") } }),
            Benchmark(
                "stores published, with their owners", items: count, against: "dictionaries", reference: rows,
                ours: {
                    fill {
                        try shop.insert(owners, into: "PublishedOwner") + shop.insert(items, into: "PublishedItem")
                    }
                }),
            Benchmark(
                "stores published, with children", items: count, against: "dictionaries", reference: rows,
                ours: { fill { try shop.insert(parents, into: "PublishedOwner") } }),
        ]
    }

    /// Measures elapsed time, because servers and DuckDB's threads do a part of the work on both sides.
    private static func drivers() throws -> [Benchmark] {
        let libraries = DriversByHand.libraries()
        var found: [Benchmark] = []
        func add(_ name: String, _ library: String?, _ options: [String: String], after needed: [String] = []) throws {
            guard let library else { return print("no \(name): run Tests/House/Engines/install") }
            let driver = try ADBCDriver(library, after: needed)
            let store = try SQLStore(driver: driver, options: options, schema: SQLBenchmarks.schema())
            guard let byHand = DriversByHand(library, options) else { return print("no \(name) by hand") }
            for statement in [
                "CREATE TABLE person (\(columns))",
                """
                INSERT INTO person SELECT i, 'person number ' || i, CASE WHEN i % 3 = 0 THEN NULL ELSE 'n' || i END, \
                i * 7919 % 1000, CAST(i AS float8) / 7, i % 2 = 0 FROM generate_series(0, \(count - 1)) AS g(i)
                """, "CREATE INDEX person_age ON person (age)", "ANALYZE person",
            ] {
                _ = try store.rows(statement)
                // Without options the database is in memory and belongs to its connection, so the reference needs its
                // own rows.
                if options.isEmpty { byHand.run(statement) }
            }
            found += try fetches(
                name, clock: CLOCK_MONOTONIC, store, reference: { byHand.people(boundSelection, bound: 100) })
        }
        try add("duckdb", libraries["duckdb"] ?? nil, [:], after: (libraries["python"] ?? nil).map { [$0] } ?? [])
        if let server = DatabaseServer.shared {
            try add("postgresql", libraries["postgresql"] ?? nil, ["uri": server.address])
        }
        return found
    }

    /// The growth of the process's memory while a cursor reads all rows of a file.
    static func cursor(rows count: Int) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        do {
            let store = try SQLiteStore(path: file, schema: SQLBenchmarks.schema(), mode: .create)
            _ = try store.rows("CREATE TABLE person (\(columns))")
            _ = try store.rows(rows(count))
        }
        let store = try SQLiteStore(path: file, schema: SQLBenchmarks.schema())
        for text in ["TRUEPREDICATE", "name MATCHES '(?!x).*[0-4]'"] {
            // Linux: reset the peak of the memory.
            try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
            let before = Harness.memory("VmRSS")
            let cursor = try store.cursor(StoreRequest("Person", where: FormatPredicate(text)))
            var found = 0
            while try cursor.next() != nil { found += 1 }
            let growth = Harness.memory("VmHWM") - before
            print("\(text): \(found) of \(count) rows, \(growth) KB more at the peak, before it \(before) KB")
        }
    }
}

/// A published type with the keys of the benchmarks' table.
struct PublishedPerson: Queryable {
    var id: Int64, name: String, nick: String?, age: Int64?, height: Double, active: Bool

    static let keys: KeyTable<PublishedPerson> = [
        .key("id", \.id), .key("name", \.name), .key("nick", \.nick), .key("age", \.age), .key("height", \.height),
        .key("active", \.active),
    ]

    init(_ number: Int) {
        id = Int64(number)
        name = "person number \(number)"
        nick = number % 3 == 0 ? nil : "n\(number)"
        age = Int64(number * 7919 % 1000)
        height = Double(number) / 7
        active = number % 2 == 0
    }

    var values: [PredicateValue] {
        [
            .integer(id), .string(name), nick.map(PredicateValue.string) ?? .null,
            age.map(PredicateValue.integer) ?? .null, .double(height), .bool(active),
        ]
    }
}

struct PublishedOwner: Queryable {
    var id: Int?
    var name: String
    var items: [PublishedItem] = []

    static let keys: KeyTable<PublishedOwner> = [.key("id", \.id), .key("name", \.name), .key("items", \.items)]
}

struct PublishedItem: Queryable {
    var id: Int?
    var title: String
    var owner: PublishedOwner?

    static let keys: KeyTable<PublishedItem> = [.key("id", \.id), .key("title", \.title), .key("owner", \.owner)]
}
