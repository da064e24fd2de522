// Tests of sort keys that are expressions: stores sort like the objects in memory, and refuse what they cannot read.

import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct SortExpressionTests {
    private static func store() throws -> SQLiteStore {
        let store = try SQLiteStore(path: ":memory:", mode: .create)
        _ = try store.rows(#"CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, "x-y" INTEGER)"#)
        _ = try store.rows(
            "CREATE TABLE kids (id INTEGER PRIMARY KEY, age INTEGER, person_id INTEGER REFERENCES person (id))")
        _ = try store.rows("INSERT INTO person VALUES (1, 'Ann', 3), (2, 'Bo', 1), (3, 'Christa', 2)")
        _ = try store.rows("INSERT INTO kids VALUES (1, 5, 1), (2, 1, 2), (3, 2, 2)")
        return try store.refreshed()
    }

    private static let orders: [(keys: String, ids: [Int])] = [
        ("-kids.@count", [2, 1, 3]), ("kids.@sum.age", [3, 2, 1]), ("-name.length", [3, 1, 2]),
        ("name.length,-id", [2, 1, 3]), ("-(id * id - 4 * id)", [1, 3, 2]),
        ("TERNARY(name == 'Bo', 0, id)", [2, 1, 3]),
        ("x-y", [2, 3, 1]), ("-x-y", [1, 3, 2]), ("lowercase(name)", [1, 2, 3]),
        ("kids.@max.age:nils-last", [2, 1, 3]),
        ("-kids.@max.age:nils-first", [3, 1, 2]),
    ]

    @Test(arguments: orders) func storesSortByExpressions(_ keys: String, _ ids: [Int]) throws {
        let store = try Self.store()
        let sort = try #require(PredicateSortKey.list(keys))
        let found = try store.fetch(StoreRequest("person", sort: sort))
        #expect(found.map(\.primaryKey) == ids.map { [.integer(Int64($0))] })
        let window = StoreRequest("person", sort: sort, limit: 1, offset: 1)
        #expect(try store.fetch(window).map(\.primaryKey) == [[.integer(Int64(ids[1]))]])
        #expect(PredicateSortKey.list(sort.map(\.description).joined(separator: ",")) == sort)
    }

    /// A part of a date is a value: in the order, on pages, as a sum, and in an assignment.
    @Test func partsOfDatesAreValues() throws {
        typealias Attribute = PredicateSchema.Attribute
        let schema = try PredicateSchema([
            .init(
                "Event", table: "event", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("n", .integer), .init("d", .date),
                    .init("od", .date, isOptional: true), .init("td", .date).with { $0.dateStorage = .iso8601 },
                ],
                relationships: [
                    .init("first", to: "Event", isOptional: true, link: .column("first")),
                    .init("more", toMany: "Event", link: .foreignKey("first")),
                ])
        ])
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try store.create(schema)
        // 2003, 2001, 2004 and 2002; the first has the others.
        for (id, day) in zip(1..., [731, 1, 1_096, 366] as [Double]) {
            let date = PredicateValue.date(day * 86_400)
            let (key, none) = (PredicateValue.integer(Int64(id)), PredicateValue.null)
            let row: ValueDictionary = [
                "id": key, "n": 0, "d": date, "od": id == 3 ? none : date, "td": date,
                "first": id == 1 ? none : PredicateValue.integer(1),
            ]
            try store.insert([row], into: "Event")
        }
        let environment = PredicateEnvironment(language: [.dates], timeZone: .utc)
        func request(_ text: String, _ sort: String = "id", limit: Int? = nil) throws -> StoreRequest {
            let predicate = try FormatPredicate(text: text, in: environment)
            return StoreRequest(
                "Event", where: predicate, sort: try #require(PredicateSortKey.list(sort, in: environment)),
                limit: limit)
        }
        func ids(_ objects: [StoredObject]) -> [PredicateValue] { objects.map { $0["id"] } }
        for (sort, expected) in [
            ("d.year", [2, 4, 1, 3]), ("-d.year", [3, 1, 4, 2]), ("od.year", [3, 2, 4, 1]), ("td.year", [2, 4, 1, 3]),
            ("first.d.year,-d.year", [1, 3, 4, 2]), ("d.day,-td.year", [3, 1, 4, 2]),
        ] as [(String, [PredicateValue])] {
            #expect(try ids(store.fetch(request("TRUEPREDICATE", sort))) == expected, "\(sort)")
            var (next, found): (StoreRequest?, [PredicateValue]) = (try request("TRUEPREDICATE", sort, limit: 1), [])
            while let one = next {
                let page = try store.page(one)
                found += ids(page.objects)
                next = page.next
            }
            #expect(found == expected, "\(sort)")
        }
        #expect(try ids(store.fetch(request("more.@sum.d.year == 6007"))) == [1])
        #expect(try ids(store.fetch(request("more.@max.d.year == 2004"))) == [1])
        for (text, expected) in [("d.year", [2003, 2001, 2004, 2002]), ("td.month + n", [2004, 2002, 2005, 2003])]
            as [(String, [PredicateValue])]
        {
            let value = KeyAssignment("n", try FormatExpression(text, arguments: [], in: environment))
            #expect(try store.update(request("TRUEPREDICATE"), set: [value]) == 4)
            #expect(try store.fetch(request("TRUEPREDICATE")).map { $0["n"] } == expected, "\(text)")
        }
    }

    @Test func unreadableSortKeysAreErrors() throws {
        let store = try Self.store()
        let wrong: [(key: String, id: DiagnosticID)] = [
            ("nam", .unknownKey), ("name.len", .unknownKey), ("kids.@count.@count", .notACollection),
            ("lowercase(id)", .operandType), ("name.length(", .expectedExpression), ("id.@count", .notACollection),
        ]
        for (key, id) in wrong {
            let failure = #expect(throws: StoreFailure.self) {
                try store.fetch(StoreRequest("person", sort: [PredicateSortKey(key)]))
            }
            guard case .request(let findings)? = failure else { continue }
            let ids = findings.diagnostics.map(\.id)
            #expect(ids.contains(id) || ids.contains(.stringOperand), "\(key): \(ids)")
        }
        // A value that cannot be computed for a row.
        #expect(throws: StoreFailure.self) {
            try store.fetch(StoreRequest("person", sort: [PredicateSortKey("10 / (id - 2)")]))
        }
    }

    @Test func observedListsFollowExpressions() throws {
        let store = try Self.store()
        let list = try store.observe(StoreRequest("person", sort: [PredicateSortKey("kids.@count", descending: true)]))
        #expect(list.results.map { $0["id"] } == [2, 1, 3].map { .integer($0) })
        try store.insert([["id": 4, "age": 9, "person": 3], ["id": 5, "age": 9, "person": 3]], into: "kids")
        try store.insert([["id": 6, "age": 9, "person": 3]], into: "kids")
        #expect(list.results.map { $0["id"] } == [3, 2, 1].map { .integer($0) })
    }

    @Test func valuesAndDictionariesAreSorted() throws {
        let texts = try ["ccc", "a", "bb"].sorted(by: [PredicateSortKey("SELF.length", descending: true)])
        #expect(texts == ["ccc", "bb", "a"])
        let rows: [[String: Any]] = [["n": 1, "l": [1, 2]], ["n": 2, "l": [3]]]
        #expect(try rows.sorted(by: [PredicateSortKey("l.@count")]).map { $0["n"] as? Int } == [2, 1])
        #expect(
            try rows.sorted(by: [PredicateSortKey(FormatExpression("n * %@", -1))]).map { $0["n"] as? Int } == [2, 1])
        #expect(throws: PredicateFailure.self) { try rows.sorted(by: [PredicateSortKey("l.@count(")]) }
    }
}
