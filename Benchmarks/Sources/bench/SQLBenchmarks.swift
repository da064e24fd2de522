// The cost of translating ten comparisons, first and again, and of fetching through a store. The references are
// parsing the predicate's text, and the same statement through the same SQLite connection.
import PredicateModel
import PredicateSQL
import PredicateStores
import PredicateSyntax

enum SQLBenchmarks {
    /// Empty if the system has no SQLite.
    static var all: [Benchmark] {
        do {
            return try translating() + fetching()
        } catch {
            print("no SQL benchmarks: \(error)")
            return []
        }
    }

    static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            PredicateSchema.Entity(
                "Person", table: "person", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("id", .integer), PredicateSchema.Attribute("name", .string),
                    PredicateSchema.Attribute("nick", .string, isOptional: true),
                    PredicateSchema.Attribute("age", .integer, isOptional: true),
                    PredicateSchema.Attribute("height", .double),
                    PredicateSchema.Attribute("active", .boolean),
                ])
        ])
    }

    static func predicate() throws -> FormatPredicate { try FormatPredicate(text) }

    static let text = """
        age > 21 AND name == "Ada" AND nick != "x" AND height < 1.9 AND active == YES AND name BEGINSWITH "A" \
        AND (age IN {1, 2, 3} OR nick == nil OR name CONTAINS "d") AND NOT age == 40
        """

    private static func translating() throws -> [Benchmark] {
        let schema = try schema()
        let predicate = try predicate()
        let compiler = SQLCompiler(.postgreSQL, schema: schema)
        _ = try compiler.query(predicate, entity: "Person")
        let text = text
        func reading() -> Int { (try? FormatPredicate(text)) == nil ? 0 : 1 }
        let checker = try TypeChecker(schema: schema, entity: "Person")
        return [
            // Measures type checking, lowering and emitting together. The goal of 15 µs applies to the last
            // two, so to the difference.
            Benchmark(
                "sql, ten leaves", against: "its type check alone",
                reference: {
                    checker.check(predicate.root, source: text).count
                }
            ) {
                (try? predicate.sql(.postgreSQL, entity: "Person", in: schema))?.bindings.count ?? 0
            },
            Benchmark("sql, ten leaves, known shape", goal: 3_000, against: "reading the text", reference: reading) {
                (try? compiler.query(predicate, entity: "Person"))?.bindings.count ?? 0
            },
        ]
    }

    private static func fetching() throws -> [Benchmark] {
        let store = try SQLiteStore(path: ":memory:", schema: schema(), mode: .readWrite)
        _ = try store.rows(
            "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, nick TEXT, age INTEGER, height REAL, active INTEGER)"
        )
        _ = try store.rows("CREATE INDEX person_age ON person (age)")
        _ = try store.rows("BEGIN")
        for id in 0..<100_000 {
            _ = try store.rows(
                "INSERT INTO person VALUES (?, ?, ?, ?, ?, ?)",
                [
                    .integer(Int64(id)), .string("person number \(id)"), id % 3 == 0 ? .null : .string("n\(id)"),
                    .integer(Int64(id * 7919 % 1000)), .double(Double(id) / 7), .bool(id % 2 == 0),
                ])
        }
        _ = try store.rows("COMMIT")
        let request = FetchRequest("Person", where: try FormatPredicate("age < 100"))
        let sql = "SELECT id, name, nick, age, height, active FROM person WHERE age < ?"
        guard try store.fetch(request).count == 10_000, try store.rows(sql, [.integer(100)]).count == 10_000 else {
            return []
        }
        return [
            Benchmark(
                "fetch 10,000 of 100,000", items: 10_000, against: "the same SQL by hand",
                reference: { (try? store.rows(sql, [.integer(100)]))?.count ?? 0 },
                ours: { (try? store.fetch(request))?.count ?? 0 })
        ]
    }
}
