// The rows of SQL on a real SQLite against the rows of the evaluator: equal where SQL is exact, a superset that the residual
// narrows to them where it is not. PREDICATE_SEED runs another seed.

import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateSyntax
import Testing

@Suite struct DifferentialTests {
    static let seed = ProcessInfo.processInfo.environment["PREDICATE_SEED"].flatMap(UInt64.init) ?? 20_240_601
    static let count = ProcessInfo.processInfo.environment["PREDICATE_COUNT"].flatMap(Int.init) ?? 3_000

    struct Tally {
        var predicates = 0
        var refused = 0
        var exact = 0
        var wrong = 0
        var selected = 0
    }

    static let dialects = [Dialect.sqlite, .sqlitePlain]

    @Test func rowsOfSQLAreRowsOfTheEvaluator() throws {
        guard let library = SQLiteLibrary.shared else {
            print("skipped: the system has no libsqlite3.so.0 (apt-get install libsqlite3-0)")
            #expect(ProcessInfo.processInfo.environment["CI"] == nil, "CI needs libsqlite3.so.0")
            return
        }
        let schema = try Fixtures.schema()
        var tallies = Self.dialects.map { _ in Tally() }
        var random = Seeded(Self.seed)
        while tallies[0].predicates < Self.count {
            let database = try SQLiteDatabase(library)
            let world = World(&random)
            try world.fill(database)
            var generator = PredicateGenerator(Seeded(random.next()))
            let objects = world.objects
            for _ in 0..<100 {
                let text = generator.predicate()
                let predicate = try FormatPredicate(text, arguments: generator.arguments)
                let expected = Self.rows(predicate, objects)
                for (index, dialect) in Self.dialects.enumerated() {
                    check(predicate, expected, objects, database, schema, dialect, &tallies[index])
                }
            }
        }
        for (dialect, tally) in zip(Self.dialects, tallies) {
            print(
                "\(dialect): seed \(Self.seed), \(tally.predicates) predicates, \(tally.wrong) wrong,",
                "\(tally.exact * 100 / max(1, tally.predicates)) % exact, \(tally.refused) refused by the type checker,",
                "\(tally.selected) rows selected")
            #expect(tally.wrong == 0)
            #expect(tally.exact * 100 >= tally.predicates * (dialect == .sqlite ? 70 : 50))
            #expect(tally.refused * 10 < tally.predicates)
            #expect(tally.selected > tally.predicates)
        }
    }

    private func check(
        _ predicate: FormatPredicate, _ expected: [Int], _ objects: [Value], _ database: SQLiteDatabase,
        _ schema: Schema, _ dialect: Dialect, _ tally: inout Tally
    ) {
        let query: SQLQuery
        do throws(PredicateFailure) {
            query = try predicate.sql(dialect, entity: "Person", in: schema)
        } catch {
            tally.refused += 1
            return
        }
        tally.predicates += 1
        tally.exact += query.exactness == .exact ? 1 : 0
        tally.selected += expected.count
        var found: [Int] = []
        do {
            found = try database.run(query.statement, query.bindings).map(Int.init).sorted()
        } catch {
            Issue.record("\(error): \(query.statement)")
        }
        var kept = found
        if let residual = query.residual { kept = Self.rows(residual, objects).filter(found.contains) }
        guard kept != expected || Set(found).count != found.count else { return }
        tally.wrong += 1
        if tally.wrong <= 5 {
            Issue.record(
                """
                \(predicate)
                \(query.text) \(query.bindings)
                \(query.exactness) \(query.reasons): \(found), after the residual \(kept), not \(expected)
                """)
        }
    }

    /// An object whose evaluation raises is not selected.
    private static func rows(_ predicate: FormatPredicate, _ objects: [Value]) -> [Int] {
        objects.indices.filter { (try? predicate.evaluate(objects[$0])) ?? false }
    }
}
