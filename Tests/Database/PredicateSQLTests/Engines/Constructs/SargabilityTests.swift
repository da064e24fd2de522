// Tests that engines use an index where this is possible (SQL of each construct: Indexes). The engines' query plans
// show it.

import PredicateSQL
import Testing

@Suite struct SargabilityTests {
    /// Predicates on a table of many people with an index on each column.
    static let served = [
        "name == 'name 7'", "name BEGINSWITH 'name 77'", "name LIKE 'name 77*'", "name LIKE 'name 7?*3'",
        "name MATCHES 'name 77[0-4]+'", "name IN {'name 7', 'name 8'}", "name BETWEEN {'name 7', 'name 71'}",
        "nick == nil", "nick == 'name 7' OR nick == nil", "age == 3", "age == 3.0", "age > 997.5", "age BETWEEN {3, 5}",
        "age IN {3, 4}", "NOT age <= 997", "name == 'name 7' AND name.length > 3", "name == 'name 7' OR age == 3",
        "NOT nick != 'name 7'", "age < 3 OR age == nil", "name == 'name 7' AND NOT nick == 'x'",
        "boss.name == 'x' AND name == 'name 7'",
    ]
    /// Predicates with a subquery whose rows are found with an index.
    static let servedInside = [
        "ANY orders.total == 7", "NONE orders.total > 997", "orders.@count > 0",
        "SUBQUERY(orders, $o, $o.note BEGINSWITH 'name 7').@count > 0", "7 IN orders.total",
    ]

    /// How to see in an engine's query plan that it reads a table without an index.
    struct Planner: Sendable, CustomTestStringConvertible {
        let dialect: SQLDialect
        let settings: [String]
        /// Statements that restore the settings for the next test of the connection.
        var undoing: [String] = []
        /// Whether the rows of EXPLAIN show that an index finds the rows of an alias.
        let finds: @Sendable (_ rows: [[String]], _ alias: String) -> Bool
        var testDescription: String { dialect.name }
    }

    /// Those of the chosen engines.
    static let planners = all.filter { planner in Engine.chosen.contains { $0.dialect == planner.dialect } }
    private static let all = [
        Planner(dialect: .sqlite, settings: ["ANALYZE"]) { rows, alias in
            // The columns are id, parent, an unused one, and the operation.
            rows.contains { $0[3].contains("SEARCH \(alias) ") } && !rows.contains { $0[3].contains("SCAN \(alias)") }
        },
        // With scans disabled, PostgreSQL scans a table only if no index can be used, whatever the cost.
        Planner(
            dialect: .postgreSQL, settings: ["ANALYZE", "SET enable_seqscan = off"], undoing: ["RESET enable_seqscan"]
        ) { rows, alias in
            let plan = rows.map { $0[0] }
            return !plan.contains { $0.contains("Seq Scan") && $0.contains(" \(alias) ") }
                && plan.contains { $0.contains("Index") }
        },
        // The columns are id, select_type, table, type …
        Planner(dialect: .mySQL, settings: ["ANALYZE TABLE person", "ANALYZE TABLE orders"]) { rows, alias in
            let kinds: Set = [
                "const", "eq_ref", "ref", "ref_or_null", "range", "index_merge", "unique_subquery", "index_subquery",
            ]
            let mine = rows.filter { $0[2] == alias || $0[2] == "<subquery2>" }
            return mine.contains { kinds.contains($0[3]) } && !mine.contains { $0[2] == alias && $0[3] == "ALL" }
        },
    ]

    /// A thousand people and a thousand orders, each with a unique number.
    private static func data() throws -> DataSet {
        var data = DataSet(NamedSchema(name: "people", schema: try Fixtures.schema()))
        for index in data.tables.indices {
            let table = data.tables[index]
            guard table.name == "person" || table.name == "orders" else { continue }
            data.tables[index].rows = (0..<1000).map { number in
                table.columns.map { column in
                    switch column.type {
                    case _ where column.isList: .array([])
                    case .integer: .integer(Int64(number))
                    case .text where column.name == "nick" && number % 100 == 0: .null
                    case .text: .string("name \(number)")
                    default: column.isOptional ? .null : column.type == .boolean ? .bool(true) : .double(Double(number))
                    }
                }
            }
        }
        return data
    }

    /// The constants are converted to the column's type, timestamps, so that an index can be used.
    @Test(arguments: planners.filter { $0.dialect != .sqlite }) func timestampsUseAnIndex(
        _ planner: Planner
    ) async throws {
        let engine = try #require(Engine.named(planner.dialect))
        let named = try #require(try NamedSchema.all().first { $0.name == "sites" })
        var data = DataSet(named)
        for (index, table) in data.tables.enumerated() where table.name == "visit" {
            data.tables[index].rows = (0..<1000).map { number in
                table.columns.map { column in
                    switch column.type {
                    case _ where column.isList: .array([])
                    case .timestamp, .timestampWithZone: .date(Double(number))
                    case .text: .string("x")
                    default: .integer(Int64(number))
                    }
                }
            }
        }
        try await engine.withConnection { connection in
            try await connection.load(data.tables)
            var settings = planner.settings.filter { !$0.hasPrefix("ANALYZE TABLE") } + ["ANALYZE TABLE visit"]
            if planner.dialect != .mySQL { settings.removeLast() }
            let indexes = ["began", "told"].map { "CREATE INDEX by_\($0) ON visit (\($0))" }
            for sql in indexes + settings { _ = try await connection.rows(EngineQuery(sql: sql)) }
            for format in ["began == %@", "began > %@", "told <= %@", "began IN {%@, %@}", "told BETWEEN {%@, %@}"] {
                let count = format.split(separator: "%@", omittingEmptySubsequences: false).count - 1
                let dates = (0..<count).map { PredicateValue.date(format.contains("<=") ? 3 : 995 + Double($0)) }
                let query = try FormatPredicate(format, arguments: dates)
                    .sql(planner.dialect, entity: "Visit", in: data.schema)
                let plan = try await connection.rows(
                    EngineQuery(sql: "EXPLAIN " + query.statement, values: query.bindings, types: query.bindingTypes))
                #expect(planner.finds(plan, "t0"), "\(format): \(query.text)\n\(plan)")
            }
            for sql in planner.undoing { _ = try await connection.rows(EngineQuery(sql: sql)) }
        }
    }

    @Test(arguments: planners) func predicatesUseAnIndex(_ planner: Planner) async throws {
        let engine = try #require(Engine.named(planner.dialect))
        let data = try Self.data()
        try await engine.withConnection { connection in
            try await connection.load(data.tables)
            let indexes = [
                ("person", "name"), ("person", "nick"), ("person", "age_years"), ("orders", "person_id"),
                ("orders", "total"), ("orders", "note"),
            ].map { "CREATE INDEX by_\($0)_\($1) ON \($0) (\($1))" }
            for sql in indexes + planner.settings { _ = try await connection.rows(EngineQuery(sql: sql)) }
            for format in Self.served + Self.servedInside {
                let query = try FormatPredicate(format).sql(planner.dialect, entity: "Person", in: data.schema)
                let explain = planner.dialect == .sqlite ? "EXPLAIN QUERY PLAN " : "EXPLAIN "
                let plan = try await connection.rows(
                    EngineQuery(sql: explain + query.statement, values: query.bindings, types: query.bindingTypes))
                let alias = Self.served.contains(format) ? "t0" : "t1"
                #expect(planner.finds(plan, alias), "\(format): \(query.text)\n\(plan)")
            }
            for sql in planner.undoing { _ = try await connection.rows(EngineQuery(sql: sql)) }
        }
    }
}
