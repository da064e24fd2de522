// Tests of requests on the real engines: rows are sorted, limited, counted, changed and deleted as in memory.

import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct RequestTests {
    @Test(arguments: Engine.chosen + Engine.overADBC) func requestsAgreeWithMemory(_ engine: Engine) async throws {
        let corpus = try Corpus(stream: 2)
        try await engine.withConnection { connection in
            var (requests, sorted, limited, exact, refused) = (0, 0, 0, 0, 0)
            var (rows, sure) = (0, 0)
            var wrong: [String] = []
            var index = 0
            while requests < TestDepth.count(engine.requests) {
                let (data, cases) = try corpus.requests(index, for: engine)
                try await connection.load(data.tables)
                let oracle = RequestOracle(engine, connection, data)
                for one in cases where requests < TestDepth.count(engine.requests) {
                    requests += 1
                    switch await oracle.outcome(one) {
                    case .refused: refused += 1
                    case .wrong(let complaint): wrong.append("batch \(index), \(one)\n\(complaint)")
                    case .right(let isSorted, let isLimited, let isExact, let found, let known):
                        sorted += isSorted ? 1 : 0
                        limited += isLimited ? 1 : 0
                        exact += isExact ? 1 : 0
                        rows += found
                        sure += known
                    }
                }
                index += 1
            }
            TestDepth.note(
                "\(engine.dialect): seed \(TestDepth.seed), \(requests) requests, \(wrong.count) wrong, \(sorted) sorted,",
                "\(limited) cut off and \(exact) counted and changed in SQL, \(refused) refused by the type checker;",
                "of \(rows) rows with a residual \(sure) need no test")
            for complaint in wrong.prefix(5) { Issue.record("\(complaint)") }
            #expect(wrong.isEmpty)
            // With only a few requests the shares are not meaningful.
            #expect(requests < 20 || min(sorted, limited, exact) * 2 > requests)
        }
    }

    @Test(arguments: Engine.chosen) func groupsAgreeWithMemory(_ engine: Engine) async throws {
        let corpus = try Corpus(stream: 5)
        try await engine.withConnection { connection in
            var (requests, grouped) = (0, 0)
            var wrong: [String] = []
            var index = 0
            while requests < TestDepth.count(engine.requests) {
                let (data, cases) = try corpus.groups(index, for: engine)
                try await connection.load(data.tables)
                let oracle = RequestOracle(engine, connection, data)
                for one in cases where requests < TestDepth.count(engine.requests) {
                    requests += 1
                    do {
                        grouped += try await oracle.checkGroups(one) ? 1 : 0
                    } catch let failure as EngineFailure {
                        wrong.append("batch \(index): \(failure)")
                    } catch {
                        // The type checker refuses it.
                    }
                }
                index += 1
            }
            TestDepth.note(
                "\(engine.dialect): \(requests) requests for groups, \(wrong.count) wrong, \(grouped) grouped in SQL")
            for complaint in wrong.prefix(5) { Issue.record("\(complaint)") }
            #expect(wrong.isEmpty)
            #expect(requests < 20 || grouped * 3 > requests)
        }
    }

    /// A column of the primary key by which the rows are sorted is not sorted by again.
    @Test func keysAreSortedByOnce() throws {
        let named = try #require(try NamedSchema.all().first { $0.name == "sites" })
        for (isDescending, expected) in [(false, #""zone", "#), (true, #""zone" DESC, "#)] {
            let statement = try FormatPredicate("volume > 3").sql(
                .select(sort: [PredicateSortKey("zone", descending: isDescending)]), .sqlite, entity: "Site",
                in: named.schema)
            #expect(statement.text.hasSuffix(" ORDER BY \"t0\".\(expected)\"t0\".\"number\""), "\(statement.text)")
        }
    }

    /// If an engine changes no rows, the request throws an error that says so.
    @Test func enginesThatChangeNoRowsThrow() throws {
        let schema = try Fixtures.schema()
        let predicate = try FormatPredicate("age > 3")
        func refusal(_ dialect: SQLDialect) throws -> String {
            do throws(PredicateFailure) {
                _ = try predicate.sql(.delete, dialect, entity: "Person", in: schema)
                return "nothing"
            } catch {
                return error.diagnostics.map(\.message).joined(separator: "; ")
            }
        }
        #expect(try refusal(.clickHouse).contains("the database changes rows only by key"))
        #expect(try refusal(.spark).contains("the database cannot change rows of plain tables"))
        #expect(try refusal(.duckDB) == "nothing")
    }
}
