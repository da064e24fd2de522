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
        ("total IS NOT NULL", "total != nil"),
        ("total IS NULL OR open", "total == nil OR open == 1"), ("(NOT open)", "open == 0"), ("open = 1", "open == 1"),
        ("(open AND (total > 1 OR total < 0))", "open == 1 AND (total > 1 OR total < 0)"),
        ("total BETWEEN 1 AND 5", "total >= 1 AND total <= 5"),
        ("note > 'x'", nil), ("day > 5", nil), ("NOT (total > 5)", nil), ("total + 1 > 5", nil),
        ("lower(note) = 'x'", nil),
        ("total = total", nil), ("missing = 1", nil), ("total > 5 total", nil), ("total > ", nil), ("total = 'x", nil),
        ("", nil),
        (String(repeating: "(", count: 5_000) + "open" + String(repeating: ")", count: 5_000), nil),
    ]

    @Test(.cases) func conditionsAreRead() {
        forEachCase(Self.conditions) { text, predicate in
            let sql = "CREATE INDEX i ON t (id, (CASE WHERE 1 THEN 2 END)) WHERE " + text
            #expect(IndexConditionReader.condition(sql, Self.attributes)?.description == predicate)
        }
        #expect(IndexConditionReader.condition("CREATE INDEX \"a WHERE b\" ON t (id)", Self.attributes) == nil)
    }

    private static let tables = ["orders (id INTEGER PRIMARY KEY, customer INTEGER, total INTEGER, state TEXT)"]
    private static let indexes = [
        "orders_big ON orders (customer) WHERE total > 100",
        "orders_open ON orders (customer) WHERE state IN ('new', 'open')",
        "orders_all ON orders (state)",
    ]

    /// A predicate, the index of the advice and its condition; nil if there is none.
    private static let requests: [(String, index: String?, condition: String?)] = [
        ("customer == 5 AND total > 200", "orders_big", "total > 100"),
        ("customer == 5 AND total BETWEEN {150, 160}", "orders_big", "total > 100"),
        ("customer == 5 AND total > 50", nil, nil), ("customer == 5 OR total > 200", nil, nil),
        ("customer == 5 AND state == 'new'", nil, nil), ("customer == 5", nil, nil),
        ("id == 3 AND total > 200", nil, nil),
    ]

    @Test func adviceIsThatOfThePlanOfSQLite() throws {
        let store = try SQLiteStore(path: ":memory:", mode: .create)
        for table in Self.tables { _ = try store.rows("CREATE TABLE " + table) }
        for index in Self.indexes.dropLast() { _ = try store.rows("CREATE INDEX " + index) }
        let opened = try store.refreshed()
        #expect(
            opened.partialIndexes(of: "orders").map { "\($0.name): \($0.condition)" } == [
                "orders_big: total > 100", #"orders_open: state IN {"new", "open"}"#,
            ])
        for (text, index, condition) in Self.requests {
            let request = FetchRequest("orders", where: try FormatPredicate(text))
            let advice = try opened.indexAdvice(for: request, steps: opened.explain)
            let shown = advice.first { $0.contains(index ?? "orders_big") }
            let plan = try opened.explain(request)
            #expect((shown != nil) == (index != nil), "\(text): \(advice) \(plan)")
            guard let index, let condition else { continue }
            #expect(shown?.hasSuffix("\nAND \(condition)") == true)
            // Before and after.
            #expect(!plan.contains { $0.contains(index) })
            var other = request
            other.predicate = try FormatPredicate("(\(text)) AND \(condition)")
            #expect(try opened.explain(other).contains { $0.contains(index) })
        }
    }

    /// PostgreSQL finds these implications itself, so its plans use the indexes, and there is no advice.
    @Test(.enabled(if: PostgreSQLServer.shared != nil)) func postgreSQLNeedsNoAdvice() throws {
        let address = try #require(PostgreSQLServer.shared).database()
        let schema = try PredicateSchema([
            PredicateSchema.Entity(
                "orders", primaryKey: ["id"],
                attributes: ["id", "customer", "total"].map { .init($0, .integer, isOptional: $0 != "id") }
                    + [PredicateSchema.Attribute("state", .string, isOptional: true)])
        ])
        let store = try SQLStore(schema: schema, dialect: .postgreSQL, connection: PostgreSQLConnection(address))
        _ = try store.rows(
            "CREATE TABLE orders (id bigint PRIMARY KEY, customer bigint, total bigint, state varchar(9) COLLATE \"C\")"
        )
        for index in Self.indexes { _ = try store.rows("CREATE INDEX " + index) }
        _ = try store.rows(
            "INSERT INTO orders SELECT n, n % 500, n % 300, 'new' FROM generate_series(1, 20000) AS s(n)")
        _ = try store.rows("ANALYZE orders")
        #expect(
            store.partialIndexes(of: "orders").map { "\($0.name): \($0.condition)" } == [
                "orders_big: total > 100", #"orders_open: state IN {"new", "open"}"#,
            ])
        let steps = { (request: FetchRequest) throws(StoreFailure) -> [String] in
            let statement = try store.plan(request).statement
            return try store.rows("EXPLAIN " + statement.text, statement.bindings).map { "\($0)" }
        }
        for (text, index, _) in Self.requests where index != nil {
            let request = FetchRequest("orders", where: try FormatPredicate(text))
            let plan = try steps(request)
            #expect(plan.contains { $0.contains("orders_big") }, "\(text): \(plan)")
            #expect(try store.indexAdvice(for: request, steps: steps) == [], "\(text)")
        }
    }
}
