// Compares the rows that SQL selects on the real engines with the rows that the evaluator selects.

import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct EngineTests {
    struct Tally {
        var predicates = 0
        var refused = 0
        var exact = 0
        var wrong = 0
        var selected = 0

        static func += (left: inout Tally, right: Tally) {
            left.predicates += right.predicates
            left.refused += right.refused
            left.exact += right.exact
            left.wrong += right.wrong
            left.selected += right.selected
        }
    }

    @Test(arguments: Engine.chosen) func sqlSelectsTheRowsOfTheEvaluator(_ engine: Engine) async throws {
        try await Self.compare(engine, try Corpus(stream: 1), TestDepth.count(engine.count))
    }

    /// The same schemas with JSON columns, and with attributes inside them.
    @Test(arguments: Engine.chosen) func sqlSelectsTheRowsByValuesInsideJSON(_ engine: Engine) async throws {
        try await Self.compare(engine, try Corpus(stream: 6, withDocuments: true), TestDepth.count(engine.count / 2))
    }

    private static func compare(_ engine: Engine, _ corpus: Corpus, _ count: Int) async throws {
        // An engine in the test process runs in two tasks at the same time.
        let lanes = if case .library = engine.opening { 2 } else { 1 }
        let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
            for lane in 0..<lanes {
                group.addTask { try await Self.run(engine, corpus, count, lane: lane, of: lanes) }
            }
            var sum = Tally()
            for try await tally in group { sum += tally }
            return sum
        }
        guard tally.predicates > 0 else { return }
        TestDepth.note(
            "\(engine.dialect): seed \(TestDepth.seed), \(tally.predicates) predicates, \(tally.wrong) wrong,",
            "\(tally.exact * 100 / tally.predicates) % exact, \(tally.refused) refused by the type checker,",
            "\(tally.selected) rows selected")
        #expect(tally.wrong == 0)
        #expect(tally.refused * 10 < tally.predicates)
        #expect(tally.selected > tally.predicates / 2)
    }

    /// Runs every `lanes`th batch until the number of predicates is reached.
    private static func run(
        _ engine: Engine, _ corpus: Corpus, _ count: Int, lane: Int, of lanes: Int
    ) async throws -> Tally {
        var tally = Tally()
        try await engine.withConnection { connection in
            let oracle = Oracle(engine: engine, connection: connection)
            var index = lane
            while tally.predicates * lanes < count {
                let (data, cases) = try corpus.batch(index, for: engine)
                try await connection.load(data.tables)
                for (one, verdict) in zip(cases, try await oracle.verdicts(cases, data)) {
                    switch verdict.kind {
                    case .refused: tally.refused += 1
                    case .right, .wrong:
                        tally.predicates += 1
                        tally.exact += verdict.isExact ? 1 : 0
                        tally.selected += verdict.selected
                    }
                    guard case .wrong(let complaint) = verdict.kind else { continue }
                    tally.wrong += 1
                    if tally.wrong <= 5 { await report(one, data, complaint, oracle, index) }
                }
                index += lanes
            }
        }
        return tally
    }

    /// Shrinks a failure and prints it as a line for regressions.jsonl.
    private static func report(
        _ one: Case, _ data: DataSet, _ complaint: String, _ oracle: Oracle, _ index: Int
    ) async {
        var shrinker = Shrinker(oracle)
        let (small, rows, why) = await shrinker.shrink(one, data, complaint)
        let name = "\(oracle.engine.dialect)-\(TestDepth.seed)-\(index)"
        Issue.record(
            """
            \(small.predicate)
            \(why)
            \(Regression(name, why.split(separator: "\n").first.map(String.init) ?? "", small, rows).line)
            """)
        // Restore the batch's own rows for the next predicates.
        try? await oracle.connection.load(data.tables)
    }

    @Test(arguments: Engine.chosen) func regressionsStayFixed(_ engine: Engine) async throws {
        let regressions = try Regression.all()
        let schemas = try NamedSchema.all() + NamedSchema.allWithDocuments()
        #expect(Set(regressions.map(\.name)).count == regressions.count, "each has its own name")
        try await engine.withConnection { connection in
            let oracle = Oracle(engine: engine, connection: connection)
            for regression in regressions {
                let data = try regression.data(schemas, for: engine)
                let one = Case(entity: regression.entity, predicate: regression.predicate)
                // The test passes if the type checker rejects the predicate.
                _ = try one.predicate.sql(engine.dialect, entity: one.entity, in: data.schema)
                let complaint = try await oracle.complaint(one, data)
                #expect(complaint == nil, "\(regression.name): \(regression.predicate)\n\(complaint ?? "")")
                for (key, value) in regression.set ?? [:] {
                    let request = RequestCase(one, set: KeyAssignment(key, .integer(value)))
                    let outcome = await RequestOracle(engine, connection, data).outcome(request)
                    if case .wrong(let why) = outcome { Issue.record("\(regression.name): \(request)\n\(why)") }
                }
            }
        }
    }
}
