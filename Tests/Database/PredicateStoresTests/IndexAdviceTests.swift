// Partial indexes: their conditions as predicates, and advice that the engine's plan confirms.

import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateModel
@testable import PredicateSQL
@testable import PredicateStores
@testable import PredicateSyntax

@Suite struct IndexAdviceTests {
    private static let attributes: [PredicateSchema.Attribute] = [
        .init("id", .integer), .init("total", .integer, isOptional: true), .init("ratio", .double, isOptional: true),
        .init("state", .string, isOptional: true, column: "The State").with { $0.collation = .binary },
        .init("open", .boolean, isOptional: true), .init("day", .date, isOptional: true),
        .init("note", .string, isOptional: true).with { $0.collation = .other },
    ]

    /// A condition as SQLite and PostgreSQL print it, and the predicate; nil if it is not read.
    private static let conditions: [(String, String?)] = [
        ("total > 100", "total > 100"), ("(total > 100)", "total > 100"),
        ("TOTAL>=-5 and ratio<0.5", "total >= -5 AND ratio < 0.5"),
        ("((\"The State\")::text = 'it''s'::text)", "state == \"it's\""),
        ("`The State` IN ('a', 'b')", #"state IN {"a", "b"}"#),
        ("[The State] <> 'a'", #"state != "a" AND state != nil"#), ("note = 'x'", "note == \"x\""),
        ("note <> 'x'", nil),
        (
            "((note)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying(3)])::text[]))",
            #"note IN {"a", "b"}"#
        ),
        ("(total > '-5'::integer)", "total > -5"), ("ratio > (2)::double precision", "ratio > 2"),
        ("total IS NOT NULL", "total != nil"), ("total IS NULL OR open", "total == nil OR open == 1"),
        ("(NOT open)", "open == 0"), ("open = 1", "open == 1"),
        ("(open AND (total > 1 OR total < 0))", "open == 1 AND (total > 1 OR total < 0)"),
        ("total BETWEEN 1 AND 5", "total >= 1 AND total <= 5"), ("note > 'x'", nil), ("day > 5", nil),
        ("NOT (total > 5)", nil), ("total + 1 > 5", nil), ("lower(note) = 'x'", nil), ("total = total", nil),
        ("missing = 1", nil), ("total > 5 total", nil), ("total > ", nil), ("total = 'x", nil), ("", nil),
        (String(repeating: "(", count: 5_000) + "open" + String(repeating: ")", count: 5_000), nil),
    ]

    @Test(.cases) func conditionsAreRead() {
        forEachCase(Self.conditions) { text, predicate in
            let sql = "CREATE INDEX i ON t (id, (CASE WHERE 1 THEN 2 END)) WHERE " + text
            #expect(IndexConditionReader.condition(sql, Self.attributes)?.description == predicate)
        }
        #expect(IndexConditionReader.condition("CREATE INDEX \"a WHERE b\" ON t (id)", Self.attributes) == nil)
    }

    private static let indexes = [
        "orders_big ON orders (customer) WHERE total > 100",
        "orders_open ON orders (customer) WHERE state IN ('new', 'open')", "orders_state ON orders (state, total)",
        "orders_lower ON orders (lower(state))",
    ]

    /// The schema of the table in both engines.
    private static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            PredicateSchema.Entity(
                "orders", primaryKey: ["id"],
                attributes: ["id", "customer", "total"].map { .init($0, .integer, isOptional: $0 != "id") }
                    + [PredicateSchema.Attribute("state", .string, isOptional: true)])
        ])
    }

    /// A predicate, an index, its use, and a predicate for which the index serves.
    private static let uses: [(predicate: String, index: String, use: String, served: String?)] = [
        ("customer == 5 AND total > 50", "orders_big", "it may lack a selected row", "customer == 5 AND total > 100"),
        (
            "total > 200", "orders_state", "the predicate does not read the first column",
            "state == 's7' AND total > 200"
        ),
        ("lowercase(state) == 's7'", "orders_state", "the predicate reads state in", "state == 's7'"),
        ("state ==[c] 's7'", "orders_state", "the predicate compares state with [c]", "state == 's7'"),
        ("state == 's7' OR customer > 3", "orders_state", "state may have any value", "state == 's7' OR state == 's8'"),
        ("NOT state == 's7'", "orders_state", "state may have any value", "NOT state != 's7'"),
        ("state == 's7' AND total > 5", "orders_state", "serves; ", nil),
        ("state IN {'s7', 's8'}", "orders_state", "serves; ", nil),
        ("state BEGINSWITH 's7'", "orders_state", "serves; ", nil),
        ("total + 1 == 5 OR state == nil", "orders_lower", "the plan does not use it", nil),
    ]

    /// Compares the uses of indexes with `uses`.
    private func check<Connection>(
        _ store: SQLStore<Connection>, _ steps: (StoreRequest) throws(StoreFailure) -> [String]
    ) throws {
        #expect(
            try store.indexes(of: "orders")?.dropFirst(store.dialect.name == "sqlite" ? 1 : 0).prefix(4).map {
                "\($0): \($0.condition.map { "\($0)" } ?? "")"
            } == [
                "orders_big (customer): total > 100", "orders_lower (an expression): ",
                #"orders_open (customer): state IN {"new", "open"}"#,
                store.dialect.name == "sqlite" ? "orders_state (state, total): " : "orders_pkey (id): ",
            ])
        func answer(_ text: String, _ index: String) throws -> String? {
            let uses = try store.indexUses(for: StoreRequest("orders", where: FormatPredicate(text)), steps: steps)
            return uses?.first { $0.index.name == index }?.description
        }
        for (predicate, index, use, served) in Self.uses {
            // PostgreSQL searches for each spelling.
            let expected = store.dialect.name != "sqlite" && predicate.contains("[c]") ? "serves; " : use
            let found = try answer(predicate, index)
            #expect(found?.contains(expected) == true, "\(store.dialect.name) \(predicate): \(found ?? "")")
            guard let served else { continue }
            #expect(try answer(served, index)?.contains("): serves; ") == true, "\(store.dialect.name) \(served)")
        }
        let key = try store.indexUses(for: StoreRequest("orders", where: FormatPredicate("id == 3")), steps: steps)?
            .first
        #expect(key?.index.isUnique == true)
        #expect(key?.index.columnNames == ["id"])
        #expect(key?.description.contains("): serves; ") == true)
    }

    /// A predicate that `orders_big` would serve with its condition, or would not.
    private static let requests: [(String, isServed: Bool)] = [
        ("customer == 5 AND total > 200", true), ("customer == 5 AND total BETWEEN {150, 160}", true),
        ("customer == 5 AND total > 50", false), ("customer == 5 OR total > 200", false),
        ("customer == 5 AND state == 'new'", false), ("customer == 5", false), ("id == 3 AND total > 200", false),
    ]

    @Test func usesAreThoseOfThePlanOfSQLite() throws {
        let store = try SQLiteStore(path: ":memory:", mode: .create)
        _ = try store.rows("CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, total INTEGER, state TEXT)")
        for index in Self.indexes { _ = try store.rows("CREATE INDEX " + index) }
        let opened = try store.refreshed()
        try check(opened, opened.explain)
        for (text, isServed) in Self.requests {
            let request = StoreRequest("orders", where: try FormatPredicate(text))
            let advice = try opened.indexUses(for: request, steps: opened.explain)?.compactMap(\.advice) ?? []
            #expect(advice.contains { $0.hasSuffix("\nAND total > 100") } == isServed, "\(text): \(advice)")
            guard isServed else { continue }
            // Before and after.
            #expect(try !opened.explain(request).contains { $0.contains("orders_big") })
            var other = request
            other.predicate = try FormatPredicate("(\(text)) AND total > 100")
            #expect(try opened.explain(other).contains { $0.contains("orders_big") })
        }
    }

    /// A name is found as a whole, also one with spaces.
    @Test func namesInPlansAreWhole() throws {
        let store = try SQLiteStore(path: ":memory:", mode: .create)
        _ = try store.rows("CREATE TABLE t (a INTEGER, b INTEGER)")
        _ = try store.rows("CREATE INDEX \"by a\" ON t (a, b)")
        _ = try store.rows("CREATE INDEX \"by\" ON t (b)")
        let opened = try store.refreshed()
        let request = StoreRequest("t", where: try FormatPredicate("a == 1"))
        #expect(
            IndexUse.lines(try opened.indexUses(for: request, steps: opened.explain) ?? []) == [
                "by a (a, b): serves; SEARCH t0 USING COVERING INDEX by a (a=?)",
                "the predicate does not read the first column of by (b)",
            ])
    }

    /// PostgreSQL finds the implications itself, so its plans use the indexes, and there is no advice.
    @Test(.enabled(if: PostgreSQLServer.shared != nil)) func usesAreThoseOfThePlanOfPostgreSQL() throws {
        let address = try #require(PostgreSQLServer.shared).database()
        let store = try SQLStore(schema: Self.schema(), dialect: .postgreSQL, connection: PostgreSQLConnection(address))
        _ = try store.rows(
            "CREATE TABLE orders (id bigint PRIMARY KEY, customer bigint, total bigint, state varchar(9) COLLATE \"C\")"
        )
        for index in Self.indexes { _ = try store.rows("CREATE INDEX " + index) }
        _ = try store.rows(
            """
            INSERT INTO orders SELECT n, n % 500, n % 300, CASE WHEN n % 9 = 0 THEN 'new' ELSE 's' || n % 200 END
            FROM generate_series(1, 20000) AS s(n)
            """)
        _ = try store.rows("ANALYZE orders")
        let steps = { (request: StoreRequest) throws(StoreFailure) -> [String] in
            let statement = try store.plan(request).statement
            return try store.rows("EXPLAIN " + statement.text, statement.bindings).compactMap { $0.last?.stringValue }
        }
        try check(store, steps)
        for (text, isServed) in Self.requests where isServed {
            let request = StoreRequest("orders", where: try FormatPredicate(text))
            let plan = try steps(request)
            #expect(plan.contains { $0.contains("orders_big") }, "\(text): \(plan)")
            #expect(try store.indexUses(for: request, steps: steps)?.compactMap(\.advice) == [], "\(text)")
        }
    }
}
