// Tests of dates that SQLite stores as texts, Julian days or Unix times: comparisons in SQL, order, and writing.

import PredicateRecords
import PredicateStores
import Testing

@Suite struct TextDateTests {
    /// 2023-12-31 23:59:59, 2024-01-31 00:00, 2024-01-31 13:45:01, 2024-02-29 00:00, in seconds since 2001.
    private static let seconds: [Double] = [725_759_999, 728_352_000, 728_401_501, 730_857_600]

    private static let forms: [(stored: String, sql: String)] = [
        ("YYYY-MM-DD hh:mm:ss", "datetime(s + 978307200, 'unixepoch')"),
        ("YYYY-MM-DDThh:mm:ssZ", "strftime('%Y-%m-%dT%H:%M:%SZ', s + 978307200, 'unixepoch')"),
        ("YYYY-MM-DDThh:mm:ss.sssZ", "strftime('%Y-%m-%dT%H:%M:%fZ', s + 978307200, 'unixepoch')"),
        ("YYYY-MM-DD", "date(s + 978307200, 'unixepoch')"), ("unix", "s + 978307200"),
        ("unix-ms", "(s + 978307200) * 1000"),
        ("julian", "2451910.5 + s / 86400.0"), ("timestamp", "datetime(s + 978307200, 'unixepoch') || '.000000'"),
    ]

    private static func store(_ stored: String, _ sql: String) throws -> SQLiteStore {
        let json = """
            {"entities": {"event": {"primaryKey": "id", "attributes": {
            "id": "integer", "at": {"type": "date", "stored": "\(stored)", "optional": true}}}}}
            """
        let schema = try PredicateSchema(value: JSON.parse(json))
        let store = try SQLiteStore(path: ":memory:", mode: .create)
        _ = try store.rows("CREATE TABLE event (id INTEGER PRIMARY KEY, at \(stored == "julian" ? "REAL" : ""))")
        for (index, seconds) in seconds.enumerated() {
            _ = try store.rows("INSERT INTO event SELECT \(index + 1), \(sql) FROM (SELECT \(Int(seconds)) AS s)")
        }
        _ = try store.rows("INSERT INTO event VALUES (5, NULL)")
        return try store.refreshed(schema: schema)
    }

    @Test(arguments: forms) func sqlComparesAsMemoryDoes(_ stored: String, _ sql: String) throws {
        let store = try Self.store(stored, sql)
        let all = try store.fetch(StoreRequest("event", sort: [PredicateSortKey("at")]))
        #expect(all.map(\.primaryKey) == [5, 1, 2, 3, 4].map { [.integer($0)] })
        for (object, seconds) in zip(all.dropFirst(), Self.seconds) {
            guard case .date(let found) = object["at"] else {
                Issue.record("\(stored): no date")
                continue
            }
            let expected = stored == "YYYY-MM-DD" ? (seconds / 86400).rounded(.down) * 86400 : seconds
            #expect(abs(found - expected) < 0.001, "\(stored)")
        }
        let points = Self.seconds + Self.seconds.map { $0 + 0.5 } + [0, 728_352_000 - 1, 1e15, -1e15, .infinity]
        for point in points {
            for comparison in ["<", "<=", ">", ">=", "==", "!="] {
                let predicate = try FormatPredicate("at \(comparison) %@", PredicateValue.date(point))
                let request = StoreRequest("event", where: predicate, sort: [PredicateSortKey("id")])
                #expect(try store.plan(request).residual == nil, "\(stored) \(comparison) \(point)")
                let expected = try store.fetch(StoreRequest("event", sort: [PredicateSortKey("id")])).filter {
                    try predicate.evaluate(.object(ObjectReference($0)))
                }
                #expect(
                    try store.fetch(request).map(\.primaryKey) == expected.map(\.primaryKey),
                    "\(stored) \(comparison) \(point)")
            }
        }
        #expect(try store.violations(sample: nil).filter(\.changesResults).isEmpty)
    }

    @Test(arguments: forms) func datesAreWritten(_ stored: String, _ sql: String) throws {
        let store = try Self.store(stored, sql)
        let midnight = PredicateValue.date(730_857_600)
        try store.insert([["id": 6, "at": midnight]], into: "event")
        let texts = try store.rows("SELECT (SELECT at FROM event WHERE id = 6) = (SELECT at FROM event WHERE id = 4)")
        #expect(texts == [[.integer(1)]])
        // A day has no time.
        if stored == "YYYY-MM-DD" {
            #expect(throws: StoreFailure.self) {
                try store.insert([["id": 7, "at": PredicateValue.date(1)]], into: "event")
            }
        }
    }

    @Test func aTextOfAnotherFormIsAnError() throws {
        let store = try Self.store("YYYY-MM-DD", "'2024-01-31 00:00:00'")
        #expect(throws: StoreFailure.self) { try store.fetch(StoreRequest("event")) }
    }

    @Test func aWrongFormListsTheRightOnes() throws {
        let error = try #require(throws: (any Error).self, "'iso' was accepted") {
            try PredicateSchema(
                value: JSON.parse(#"{"entities": {"e": {"attributes": {"at": {"type": "date", "stored": "iso"}}}}}"#))
        }
        for word in ["YYYY-MM-DD,", "YYYY-MM-DDThh:mm:ss.sssZ", "unix,", "unix-ms", "julian,"] {
            #expect("\(error)".contains(word), "\(word) in \(error)")
        }
    }
}
