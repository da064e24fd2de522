// Checks SQL against the evaluator. For each predicate: SQL with its residual selects the evaluator's rows; SQL alone
// omits none of them; no row is returned twice; each row is selected either by p or by NOT p (TLP; its third part is
// empty, because no condition is unknown); the condition has the same result as a result column and after WHERE
// (NoREC); and the count is right.

import PredicateEvaluation
import PredicateSQL
import Testing

struct Case: Sendable {
    let entity: String
    let predicate: FormatPredicate
    var isMetamorphic = true
}

struct Verdict: Sendable {
    enum Kind: Sendable, Equatable {
        /// The type checker rejects the predicate.
        case refused
        case right
        case wrong(String)
    }
    var kind: Kind
    var isExact = false
    var selected = 0
}

extension Engine {
    /// Loads the rows and records an issue for each predicate that does not select what matches.
    func check(
        _ cases: [Case], _ data: DataSet, each body: @Sendable (Case, Verdict) -> Void = { _, _ in }
    ) async throws {
        try await withConnection { connection in
            try await connection.load(data.tables)
            let verdicts = try await Oracle(engine: self, connection: connection).verdicts(cases, data)
            for (one, verdict) in zip(cases, verdicts) {
                if case .wrong(let complaint) = verdict.kind {
                    Issue.record("\(one.predicate)\n\(complaint.prefix(1000))")
                }
                body(one, verdict)
            }
        }
    }
}

struct Oracle: Sendable {
    let engine: Engine
    let connection: any EngineConnection

    /// Loads the rows and checks one predicate on them. Returns a message if something is wrong, or nil.
    func complaint(_ one: Case, _ data: DataSet) async throws -> String? {
        try await connection.load(data.tables)
        let verdict = try await verdicts([one], data).first
        if case .wrong(let complaint)? = verdict?.kind { return complaint }
        return nil
    }

    /// Requires that the data is loaded.
    func verdicts(_ cases: [Case], _ data: DataSet) async throws -> [Verdict] {
        let graph = ObjectGraph(data)
        var plans: [Plan] = []
        var statements: [EngineQuery] = []
        for one in cases {
            let plan = Plan(one, graph, engine)
            statements += plan.statements
            plans.append(plan)
        }
        let answers = try await connection.select(statements)
        var start = 0
        return plans.map { plan in
            defer { start += plan.statements.count }
            return plan.verdict(Array(answers[start..<start + plan.statements.count]))
        }
    }
}

/// One predicate: its statements, and their expected results.
private struct Plan {
    let one: Case
    let graph: ObjectGraph
    var query: SQLQuery?
    var opposite: SQLQuery?
    var failure: String?
    var expected: [Int64] = []
    var statements: [EngineQuery] = []
    private var hasResultTest = false
    private var countsRows = false

    init(_ one: Case, _ graph: ObjectGraph, _ engine: Engine) {
        self.one = one
        self.graph = graph
        do throws(PredicateFailure) {
            query = try one.predicate.sql(engine.dialect, entity: one.entity, in: graph.schema)
        } catch {
            // Only the type checker may reject the predicate.
            if error.diagnostics.contains(where: { $0.id == .sqlInexact }) { failure = "\(error)" }
            return
        }
        guard let query else { return }
        let (rows, raises) = Self.rows(one.predicate, one.entity, graph)
        expected = rows
        statements.append(Self.statement(query, one.entity, graph.schema, engine))
        guard one.isMetamorphic else { return }
        // A result column comes before FROM, and its values would come before those of FROM.
        if engine.hasConditionsAsResults, !query.from.contains("?") {
            hasResultTest = true
            let key = Self.key(one.entity, graph.schema, engine)
            statements.append(
                EngineQuery(
                    sql: "SELECT CASE WHEN \(query.text) THEN \(key) ELSE -1 - \(key) END FROM \(query.from)",
                    values: query.bindings, types: query.bindingTypes))
        }
        // Engines plan a count in another way than the rows.
        if query.isExact {
            countsRows = true
            statements.append(
                EngineQuery(
                    sql: "SELECT COUNT(*) FROM \(query.from) WHERE \(query.text)", values: query.bindings,
                    types: query.bindingTypes))
        }
        if !raises, let opposite = try? (!one.predicate).sql(engine.dialect, entity: one.entity, in: graph.schema) {
            self.opposite = opposite
            statements.append(Self.statement(opposite, one.entity, graph.schema, engine))
        }
    }

    private static func key(_ entity: String, _ schema: PredicateSchema, _ engine: Engine) -> String {
        let quote = engine.dialect.quotation
        let columns = schema.primaryKey(of: entity).map { "\(schema.root(quote)).\(quote)\($0)\(quote)" }
        return columns.count == 1 ? columns[0] : "(\(columns[0]) * 3 + \(columns[1]))"
    }

    /// The whole statement, or only its key columns if statements are joined.
    private static func statement(
        _ query: SQLQuery, _ entity: String, _ schema: PredicateSchema, _ engine: Engine
    ) -> EngineQuery {
        let sql =
            engine.joinsSelects || schema.primaryKey(of: entity).count > 1
            ? "SELECT \(key(entity, schema, engine)) FROM \(query.from) WHERE \(query.text)" : query.statement
        return EngineQuery(sql: sql, values: query.bindings, types: query.bindingTypes)
    }

    /// The keys of the rows that the predicate selects, and whether it throws for any row. A row for which it throws is
    /// not selected.
    private static func rows(
        _ predicate: FormatPredicate, _ entity: String, _ graph: ObjectGraph
    ) -> (keys: [Int64], raises: Bool) {
        guard let matcher = try? predicate.compiled() else { return ([], true) }
        var keys: [Int64] = []
        var raises = false
        for (key, object) in graph.objects(of: entity) {
            do {
                if try matcher.test(object) { keys.append(key) }
            } catch {
                raises = true
            }
        }
        return (keys, raises)
    }

    func verdict(_ answers: [Result<[Int64], EngineFailure>]) -> Verdict {
        if let failure { return Verdict(kind: .wrong(failure)) }
        guard let query else { return Verdict(kind: .refused) }
        var verdict = Verdict(kind: .right, isExact: query.isExact, selected: expected.count)
        if let complaint = complaint(answers, query) {
            verdict.kind = .wrong("\(complaint)\n\(query.text)\n\(query.bindings)\n\(query.reasons)")
        }
        return verdict
    }

    private func complaint(_ answers: [Result<[Int64], EngineFailure>], _ query: SQLQuery) -> String? {
        var found: [[Int64]] = []
        for (answer, statement) in zip(answers, statements) {
            switch answer {
            case .success(let keys): found.append(keys.sorted())
            case .failure(let failure): return "\(failure)\n\(statement.sql)"
            }
        }
        if Set(found[0]).count != found[0].count { return "a row comes twice: \(found[0])" }
        let kept = after(query, found[0])
        if kept != expected {
            return
                "\(query.exactness): \(found[0])\(kept == found[0] ? "" : ", after the residual \(kept)"), not \(expected)"
        }
        if hasResultTest {
            let truths = found[1].filter { $0 >= 0 }
            if truths != found[0] { return "as a result it holds for \(truths), behind WHERE for \(found[0])" }
        }
        if countsRows, let count = found[hasResultTest ? 2 : 1].first, count != expected.count {
            return "\(count) rows are counted, and \(expected.count) selected"
        }
        if let opposite, let keys = found.last {
            let others = after(opposite, keys)
            let selected = Set(expected)
            let rest = graph.keys(of: one.entity).filter { !selected.contains($0) }
            if others != rest { return "its opposite selects \(others), not \(rest): \(opposite.text)" }
        }
        return nil
    }

    private func after(_ query: SQLQuery, _ keys: [Int64]) -> [Int64] {
        guard let residual = query.residual else { return keys }
        return Self.rows(residual, one.entity, graph).keys.filter(Set(keys).contains)
    }
}

extension PredicateSchema {
    /// The alias of the statement's root table.
    func root(_ quote: String) -> String { "\(quote)\(aliasPrefix)0\(quote)" }
}

extension SQLDialect {
    /// The quotation mark for names.
    var quotation: String { ["mysql", "clickhouse", "spark"].contains(name) ? "`" : "\"" }
}
