// The cost of translating ten comparisons, for a new shape and for a cached one. The references are the type check, and
// parsing the predicate's text.
import PredicateModel
import PredicateSQL
import PredicateSyntax

enum SQLBenchmarks {
    static var all: [Benchmark] {
        do {
            return try translating()
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
}
