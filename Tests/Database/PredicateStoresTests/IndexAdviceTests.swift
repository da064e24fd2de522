// The index that is missing for a request, which SQLite's plan then uses.

import PredicateTestSupport
import Testing

@testable import PredicateModel
@testable import PredicateSQL
@testable import PredicateStores
@testable import PredicateSyntax

@Suite struct IndexAdviceTests {
    /// A predicate, and the comparison and the column of the missing index.
    private static let requests: [(String, missing: (comparison: String, column: String)?)] = [
        ("id == 3 AND total > 200", nil), ("customer == 5 AND total > 200", nil), ("state == 's' OR total > 5", nil),
        ("total > 200", ("total > 200", "total")), ("length(note) > 3", nil),
        ("name == 'x'", ("name == \"x\"", "name")),
        ("note != 'x' AND total IN {1, 2}", ("total IN {1, 2}", "total")), ("note != 'x'", nil),
        ("note BEGINSWITH 'x'", ("note BEGINSWITH \"x\"", "note")), ("note CONTAINS 'x'", nil),
        ("note ==[c] 'x'", nil), ("total + 1 > 3", ("total + 1 > 3", "total")), ("total > id", nil),
        ("total == nil", ("total == nil", "total")), ("total BETWEEN {1, 2}", ("total BETWEEN {1, 2}", "total")),
        ("NOT total == 5", nil), ("TRUEPREDICATE", nil),
    ]

    @Test func missingIndexesServe() throws {
        for (text, missing) in Self.requests {
            let store = try SQLiteStore(path: ":memory:", mode: .create)
            _ = try store.rows(
                "CREATE TABLE \"big orders\" (id INTEGER PRIMARY KEY, customer INTEGER, total INTEGER, note TEXT, "
                    + "name TEXT COLLATE NOCASE, state TEXT)")
            _ = try store.rows("CREATE INDEX by_customer ON \"big orders\" (customer)")
            _ = try store.rows("CREATE INDEX by_state ON \"big orders\" (state) WHERE state > 'n'")
            let opened = try store.refreshed()
            let request = StoreRequest("big orders", where: try FormatPredicate(text))
            let advice = try opened.missingIndex(for: request, steps: opened.explain(request))?.description
            guard let missing else {
                #expect(advice == nil, "\(text)")
                continue
            }
            let (comparison, column) = missing
            let create = "CREATE INDEX \"big orders_\(column)\" ON \"big orders\" (\"\(column)\");"
            #expect(advice == "no index serves \(comparison); this one would:\n" + create, "\(text)")
            _ = try opened.rows(create)
            let steps = try opened.explain(request)
            #expect(steps.contains { $0.contains("INDEX big orders_\(column)") }, "\(text): \(steps)")
            #expect(try opened.missingIndex(for: request, steps: steps) == nil, "\(text)")
        }
    }
}
