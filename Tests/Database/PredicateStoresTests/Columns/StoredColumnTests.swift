// Tests of columns that store a converted value, and of entities that share a table. Memory and SQLite select the same
// objects, for any part of a predicate that is evaluated in memory, and written values are read back unchanged.

import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct StoredColumnTests {
    private static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Thing", table: "thing", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("title", .string),
                    .init("price", .decimal, isOptional: true).with { $0.scale = 2 },
                    .init("made", .date, isOptional: true).with { $0.dateStorage = .milliseconds },
                ],
                relationships: [.init("parts", toMany: "Part", link: .foreignKey("owner"))],
                discriminator: "kind"),
            .init("Part", parent: "Thing", code: .integer(2)), .init("Screw", parent: "Part", code: .integer(3)),
        ])
    }

    private static func price(_ cents: Int) -> PredicateValue {
        .decimal(DecimalNumber(coefficient: cents, exponent: -2))
    }

    private static func stores() throws -> [any PredicateStore] {
        func object(_ id: Int, _ title: String, _ cents: Int?, _ parts: [Int64] = []) -> ValueDictionary {
            ValueDictionary([
                ("id", .integer(Int64(id))), ("title", .string(title)), ("price", cents.map(price) ?? .null),
                ("made", .date(Double(id) + 0.5)), ("parts", .array(parts.map(PredicateValue.integer))),
            ])
        }
        let objects = [
            "Thing": [object(1, "table", 12_550, [2, 3])], "Part": [object(2, "leg", nil)],
            "Screw": [object(3, "screw", 5)],
        ]
        let database = try SQLiteStore(path: ":memory:", schema: schema(), mode: .readWrite)
        _ = try database.rows(
            "CREATE TABLE thing (id INTEGER PRIMARY KEY, title TEXT, price INTEGER, made INTEGER, kind INTEGER, owner INTEGER)"
        )
        for row in ["1, 'table', 12550, 1, NULL", "2, 'leg', NULL, 2, 1", "3, 'screw', 5, 3, 1"] {
            let parts = row.split(separator: ", ")
            let id = try #require(Int64(parts[0]))
            let made = 978_307_200_500 + id * 1000
            _ = try database.rows(
                "INSERT INTO thing VALUES (\(parts[0...2].joined(separator: ", ")), \(made), \(parts[3]), \(parts[4]))")
        }
        #expect(try database.violations().isEmpty)
        return [try InMemoryStore(schema(), objects), database]
    }

    @Test(.cases) func bothStoresSelectTheSameObjects() {
        let cases: [(String, String, [Int])] = [
            ("Thing", "price > 1.5", [1]), ("Thing", "title.length < 9 AND price == 0.05", [3]),
            ("Thing", "TERNARY(price > 100, price, 0) == 125.5", [1]), ("Part", "TRUEPREDICATE", [2, 3]),
            ("Screw", "price != nil", [3]), ("Thing", "ANY parts.title BEGINSWITH 's'", [1]),
            ("Thing", "parts.@count == 2", [1]), ("Thing", "parts.@sum.price > 0", [1]),
            ("Thing", "made > CAST(2, 'NSDate')", [2, 3]),
        ]
        forEachCase(cases) { entity, text, expected in
            for store in try Self.stores() {
                let request = StoreRequest(entity, where: try FormatPredicate(text), sort: [PredicateSortKey("id")])
                #expect(try store.fetch(request).map { $0["id"] } == expected.map { .integer(Int64($0)) }, "\(store)")
                #expect(try store.count(request) == expected.count)
            }
        }
    }

    @Test func writtenValuesAreReadBack() throws {
        for store in try Self.stores() {
            let parts = StoreRequest("Part", sort: [PredicateSortKey("id")])
            let assignments = [KeyAssignment("price", Self.price(799)), KeyAssignment("made", .date(7.125))]
            #expect(try store.update(parts, set: assignments) == 2)
            let found = try store.fetch(StoreRequest("Thing", sort: [PredicateSortKey("id")]))
            #expect(found.map { $0["price"] } == [Self.price(12_550), Self.price(799), Self.price(799)])
            #expect(found.map { $0["made"] } == [.date(1.5), .date(7.125), .date(7.125)])
            let table = try #require(found.first)
            #expect(table.value(at: "parts.id") == .array([.integer(2), .integer(3)]))
            #expect(try store.delete(StoreRequest("Screw")) == 1)
            #expect(try store.count(StoreRequest("Thing")) == 2)
        }
    }

    /// SQLite stores timestamps as texts. They are selected, sorted, written and read unchanged.
    @Test func timestampsAreStoredAsTexts() throws {
        let schema = try PredicateSchema([
            .init(
                "T", table: "t", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("at", .date, isOptional: true).with { $0.dateStorage = .timestamp },
                ])
        ])
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try store.rows("CREATE TABLE t (id INTEGER PRIMARY KEY, at TIMESTAMP)")
        let texts = [
            "0001-01-01 00:00:00.000000", "1969-12-31 23:59:59.999999", "2001-01-01 00:00:00.000001",
            "2024-02-29 12:30:59.500000", "9999-12-31 23:59:59.999999",
        ]
        for (number, text) in texts.enumerated() {
            _ = try store.rows("INSERT INTO t VALUES (?, ?)", [.integer(Int64(number)), .string(text)])
        }
        #expect(try store.violations().isEmpty)
        let all = StoreRequest(
            "T", where: try FormatPredicate("at != nil"), sort: [PredicateSortKey("at", descending: true)])
        let read = try store.fetch(all).map { $0["at"] }
        #expect(read.reversed().dropFirst(2).prefix(2) == [.date(1e-6), .date(730_902_659.5)])
        // Compared as doubles. In year 1, many instants have the same nearest double.
        let later = StoreRequest("T", where: try FormatPredicate("at > %@", arguments: [.date(0)]))
        #expect(try store.fetch(later).map { $0["id"] } == [.integer(2), .integer(3), .integer(4)])
        for id in [1, 2, 3] {
            let one = StoreRequest("T", where: try FormatPredicate("id == %@", arguments: [.integer(Int64(id))]))
            let at = try #require(try store.fetch(one).first?["at"])
            _ = try store.update(one, set: [KeyAssignment("at", at)])
        }
        #expect(try store.rows("SELECT at FROM t ORDER BY id") == texts.map { [.string($0)] })
        _ = try store.rows("UPDATE t SET at = '2024-02-29T12:30:59Z' WHERE id = 3")
        #expect(throws: StoreFailure.self) { try store.fetch(all) }
    }

    /// Each instant in a column is written back as the same integer.
    @Test(.cases) func momentsAreWrittenBackUnchanged() {
        forEachCase([DateStorage.seconds, .milliseconds, .microseconds] as [DateStorage]) { storage in
            let schema = try PredicateSchema([
                .init(
                    "T", table: "t", primaryKey: ["id"],
                    attributes: [.init("id", .integer), .init("at", .date).with { $0.dateStorage = storage }])
            ])
            let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
            _ = try store.rows("CREATE TABLE t (id INTEGER PRIMARY KEY, at INTEGER)")
            for number in [0, 1, -1, 978_307_200, 1_700_000_000_123, 1_700_000_000_123_457] as [Int64] {
                _ = try store.rows("DELETE FROM t")
                _ = try store.rows("INSERT INTO t VALUES (1, ?)", [.integer(number)])
                let read = try #require(try store.fetch(StoreRequest("T")).first?["at"])
                _ = try store.update(StoreRequest("T"), set: [KeyAssignment("at", read)])
                #expect(try store.rows("SELECT at FROM t") == [[.integer(number)]])
            }
        }
    }

    @Test func valuesBetweenTwoUnitsThrow() throws {
        let store = try #require(try Self.stores().last)
        let finer = DecimalNumber(coefficient: 12_345, exponent: -3)
        #expect(throws: StoreFailure.self) {
            try store.update(StoreRequest("Thing"), set: [KeyAssignment("price", .decimal(finer))])
        }
    }
}
