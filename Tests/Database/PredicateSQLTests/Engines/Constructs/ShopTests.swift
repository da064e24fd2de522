// Tests of predicates that apps use, on a shop of six entities (Tests/House/Engines/Shop). Each dialect must translate nearly
// all of them exactly, and the engines must select the same rows as the evaluator. For each predicate, a person wrote
// the best SQL for PostgreSQL. It must select the same rows; Benchmarks/Shop compares the times.

import Foundation
import PredicateEvaluation
import PredicateRecords
import PredicateSQL
import PredicateTestSupport
import Testing

/// The schema, the predicates and a few rows.
struct Shop {
    struct Line: Decodable, CustomStringConvertible {
        let name: String
        let entity: String
        let predicate: FormatPredicate
        /// Handwritten SQL for PostgreSQL.
        let hand: String

        var description: String { "\(entity), \(name): \(predicate)" }
    }

    let schema: NamedSchema
    let lines: [Line]
    private let rows: [String: [[String: String]]]

    init() throws {
        func text(_ name: String) throws -> String { try String(contentsOf: Run.file("Shop/" + name), encoding: .utf8) }
        schema = NamedSchema(name: "shop", schema: try PredicateSchema(value: JSON.parse(try text("schema.json"))))
        lines = try text("predicates.jsonl").split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        rows = try JSONDecoder().decode([String: [[String: String]]].self, from: Data(try text("rows.json").utf8))
    }

    func data(for engine: Engine) throws -> DataSet { try DataSet(schema, rows: rows, storing: engine) }

    /// All predicates, or every nth one if the engine runs fewer. The seed selects them.
    func lines(for engine: Engine) -> [Line] {
        let step = max(1, lines.count / max(25, TestDepth.count(engine.count)))
        return lines.indices.filter { ($0 + Int(TestDepth.seed % 1000)) % step == 0 }.map { lines[$0] }
    }
}

@Suite struct ShopTests {
    /// The lowest allowed percentage of exact predicates, and the goal.
    static let shares: [(dialect: SQLDialect, least: Double, goal: Double)] = [
        (.sqlite, 100, 97), (.postgreSQL, 100, 97), (.duckDB, 100, 97), (.mySQL, 99.7, 95), (.clickHouse, 99.7, 95),
        (.spark, 99.7, 95),
    ]

    @Test func nearlyAllPredicatesAreExact() throws {
        let shop = try Shop()
        #expect(shop.lines.count >= 250)
        #expect(Set(shop.lines.map { "\($0.entity), \($0.name)" }).count == shop.lines.count, "each has its own name")
        var exact: [SQLDialect: Int] = [:]
        for line in shop.lines {
            var reasons: [String: [String]] = [:]
            for (dialect, _, _) in Self.shares {
                let query = try line.predicate.sql(dialect, entity: line.entity, in: shop.schema.schema)
                if query.isExact { exact[dialect, default: 0] += 1 }
                for reason in Set(query.reasons.map(\.sentence)) { reasons[reason, default: []].append(dialect.name) }
            }
            guard !TestDepth.isQuick else { continue }
            for (reason, dialects) in reasons.sorted(by: { $0.key < $1.key }) {
                TestDepth.note("not exact in \(dialects.joined(separator: ", ")): \(line): \(reason)")
            }
        }
        for (dialect, least, goal) in Self.shares {
            let share = Double(exact[dialect] ?? 0) * 100 / Double(shop.lines.count)
            let summary =
                "\(dialect): \(String(format: "%.1f", share)) % of \(shop.lines.count) predicates about a shop are exact"
            TestDepth.note("\(summary) (at least \(least), goal \(goal))")
            #expect(share >= least, "\(summary), and \(least) % were")
        }
    }

    @Test(arguments: Engine.chosen) func enginesSelectTheRowsOfTheEvaluator(_ engine: Engine) async throws {
        let shop = try Shop()
        let data = try shop.data(for: engine)
        let lines = shop.lines(for: engine)
        let cases = lines.enumerated().map { number, line in
            Case(entity: line.entity, predicate: line.predicate, isMetamorphic: number % engine.metamorphicStep == 0)
        }
        try await engine.withConnection { connection in
            try await connection.load(data.tables)
            let verdicts = try await Oracle(engine: engine, connection: connection).verdicts(cases, data)
            for (line, verdict) in zip(lines, verdicts) where verdict.kind != .right {
                Issue.record("\(line)\n\(verdict.kind)")
            }
            #expect(verdicts.count(where: { $0.selected > 0 }) * 2 > lines.count, "most select something")
            guard engine.dialect == .postgreSQL else { return }
            try await complain(about: lines, data, connection)
        }
    }

    /// Reports handwritten SQL that selects other rows than the predicate.
    private func complain(about lines: [Shop.Line], _ data: DataSet, _ connection: any EngineConnection) async throws {
        let answers = try await connection.select(lines.map { EngineQuery(sql: "SELECT s.id FROM (\($0.hand)) AS s") })
        let graph = ObjectGraph(data)
        for (line, answer) in zip(lines, answers) {
            let matcher = try line.predicate.compiled()
            let expected = graph.objects(of: line.entity).filter { matcher.matches($0.object) }.map(\.key)
            switch answer {
            case .success(let keys):
                #expect(keys.sorted() == expected, "\(line)\nby hand: \(line.hand)")
            case .failure(let failure): Issue.record("\(line)\nby hand: \(line.hand)\n\(failure)")
            }
        }
    }
}
