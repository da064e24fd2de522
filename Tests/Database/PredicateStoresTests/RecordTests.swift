// Tests of records: values of objects and groups of objects, in memory and in SQL.

import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct RecordTests {
    /// An entity with keys of all types. Every value occurs in several rows.
    static func schema() throws -> PredicateSchema {
        typealias Attribute = PredicateSchema.Attribute
        return try PredicateSchema([
            .init(
                "Sale", table: "sale", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("city", .string, isOptional: true),
                    .init("amount", .integer, isOptional: true), .init("small", .integer).with { $0.range = 0...100 },
                    .init("weight", .double, isOptional: true),
                    .init("price", .decimal, isOptional: true).with { $0.scale = 2 },
                    .init("day", .date, isOptional: true), .init("isPaid", .boolean),
                    .init("at", .date, isOptional: true).with { $0.dateStorage = .milliseconds }, .init("code", .uuid),
                    .init("note", .any, isOptional: true), .init("tags", .list(of: .string), isOptional: true),
                ],
                relationships: [
                    .init("shop", to: "Place", link: .column("shop_id")),
                    .init("previous", to: "Sale", link: .column("previous_id")),
                ]),
            .init(
                "Place", table: "place", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("name", .string), .init("size", .integer)],
                relationships: [.init("sales", toMany: "Sale", link: .foreignKey("shop_id"))]),
        ])
    }

    static let tables = [
        "place (id INTEGER PRIMARY KEY, name TEXT, size INTEGER)",
        """
        sale (id INTEGER PRIMARY KEY, city TEXT, amount INTEGER, small INTEGER, weight REAL, price INTEGER, day REAL, \
        isPaid INTEGER, at INTEGER, code TEXT, note, tags TEXT, shop_id INTEGER, previous_id INTEGER)
        """,
    ]

    static func objects(_ random: inout SplitMix, _ count: Int = 60) -> (
        sales: [ValueDictionary], places: [ValueDictionary]
    ) {
        let places = (0..<4).map { id in
            ValueDictionary([
                ("id", .integer(Int64(id))), ("name", .string(["Ä", "A\u{308}", "a", "b"][id])),
                ("size", .integer(Int64(id % 2))),
            ])
        }
        func optional(_ value: PredicateValue, _ random: inout SplitMix) -> PredicateValue {
            random.chance(20) ? .null : value
        }
        let sales = (0..<count).map { id in
            var fields: [(String, PredicateValue)] = [("id", .integer(Int64(id)))]
            let cities = ["Bonn", "bonn", "Köln", "Ko\u{308}ln", "", "Bonn "]
            fields.append(("city", optional(.string(random.pick(cities)), &random)))
            fields.append(("amount", optional(.integer(random.pick([1, 2, -7, 40, .max, .min, .max / 2])), &random)))
            fields.append(("small", .integer(Int64(random.below(4)))))
            fields.append(("weight", optional(.double(random.pick([0.0, -0.0, 0.1, 0.2, 1e300, 2.5])), &random)))
            let price = random.pick(["1.50", "1.5", "2", "-0.01", "99.99"])
            fields.append(("price", optional(DecimalNumber(price).map { .decimal($0) } ?? .null, &random)))
            fields.append(("day", optional(.date(random.pick([0, -0.0, 86_400, 0.25])), &random)))
            fields.append(("isPaid", .bool(random.chance(50))))
            fields.append(("at", optional(.date(random.pick([0, 0.5, 1000])), &random)))
            fields.append(("code", .uuid(UniversalID(high: UInt64(random.below(3)), low: 1))))
            fields.append(
                ("note", optional(random.pick([.integer(1), .double(1), .string("1"), .double(1.5)]), &random)))
            fields.append(("tags", optional(.array([.string(random.pick(["x", "y"]))]), &random)))
            fields.append(("shop", optional(.integer(Int64(random.below(4))), &random)))
            fields.append(("previous", optional(.integer(Int64(random.below(count))), &random)))
            return ValueDictionary(fields)
        }
        return (sales, places)
    }

    static func stores(_ random: inout SplitMix) throws -> (memory: InMemoryStore, database: SQLiteStore) {
        let (sales, places) = objects(&random)
        let database = try SQLiteStore(path: ":memory:", schema: schema(), mode: .readWrite)
        for table in tables { _ = try database.rows("CREATE TABLE " + table) }
        try database.insert(places, into: "Place")
        try database.insert(sales, into: "Sale")
        return (try InMemoryStore(schema(), ["Sale": sales, "Place": places]), database)
    }

    private static let predicates = [
        "TRUEPREDICATE", "small > 1", "city != nil", "weight >= 0", "shop.size == 1", "previous.city BEGINSWITH[c] 'b'",
        "id ** 2 > 400", "FALSEPREDICATE", "ANY shop.sales.small > 2", "price > 1 OR city == nil",
    ]
    private static let keys = [
        "city", "amount", "small", "weight", "price", "day", "isPaid", "at", "code", "note", "shop.name", "shop.size",
        "previous.city", "previous.shop.size", "previous.at",
    ]
    private static let aggregates = [
        "@count", "@sum.small", "@sum.amount", "@avg.small", "@avg.amount", "@min.city", "@max.city", "@min.weight",
        "@max.weight", "@sum.weight", "@avg.weight", "@sum.price", "@max.price", "@avg.price", "@min.day", "@max.at",
        "@sum.shop.size", "@max.shop.name", "@min.previous.amount", "@avg.previous.small", "@sum.isPaid", "@min.note",
    ]
    private static let having = [
        "@count > 2", "@sum.small >= 4", "@avg.small < 1.7", "@max.weight > 2", "@min.city == nil",
        "@sum.amount != nil", "@count > 1 AND @sum.weight < 3", "@max.shop.name BEGINSWITH[cd] 'a'", "@sum.price > 3",
        "@avg.amount > 0", "@sum.amount + @count > 0", "NOT @max.city MATCHES 'K.*'", "@count == @sum.small",
        "@max.at > CAST(1, 'NSDate')",
    ]
    /// The conditions on groups that use the key of the groups.
    private static let havingKey = ["%K != nil", "%K == nil OR @count > 1", "@count >= %K", "%K IN {1, 'Bonn', 0.1}"]

    static func request(_ random: inout SplitMix) throws -> StoreRequest {
        var request = StoreRequest("Sale", where: try FormatPredicate(random.pick(predicates)))
        func key(_ path: String, _ random: inout SplitMix) -> PredicateSortKey {
            let isText = ["city", "shop.name", "previous.city", "@min.city", "@max.city"].contains(path)
            return PredicateSortKey(
                path, descending: random.chance(50), options: isText && random.chance(30) ? [.caseInsensitive] : [],
                nils: random.chance(30) ? random.pick([.first, .last]) : nil)
        }
        switch random.below(4) {
        case 0:
            request.properties = (0..<1 + random.below(3)).map { _ in random.pick(keys + ["tags", "id"]) }
            request.sort = (0..<random.below(3)).map { _ in key(random.pick(keys + ["tags"]), &random) }
            if random.chance(50) { request.sort.append(PredicateSortKey("id")) }
        case 1:
            request.isDistinct = true
            request.properties = (0..<1 + random.below(3)).map { _ in random.pick(keys) }
            request.sort = (0..<random.below(2)).map { _ in key(random.pick(request.properties), &random) }
        default:
            request.groupBy = (0..<random.below(3)).map { _ in random.pick(keys) }
            let shown = (0..<1 + random.below(3)).map { _ in random.pick(aggregates) }
            request.properties = (request.groupBy + shown).filter { _ in random.chance(80) } + ["@count"]
            request.sort = (0..<random.below(3)).map { _ in key(random.pick(request.groupBy + aggregates), &random) }
            if random.chance(50) { request.having = try FormatPredicate(random.pick(having)) }
            if random.chance(20), let key = request.groupBy.first {
                request.having =
                    request.having && (try FormatPredicate(random.pick(havingKey), arguments: [.string(key)]))
            }
        }
        if random.chance(40) { (request.limit, request.offset) = (random.below(6), random.below(3)) }
        return request
    }

    static func text(_ record: ValueDictionary) -> String {
        zip(record.keys, record.values).map { key, value in
            var value = value
            // A typed store converts the values; memory keeps them as given.
            if case .integer(let number) = value, key.hasSuffix("weight") { value = .double(Double(number)) }
            // SQLite stores 0 for -0.
            if case .double(let number) = value { value = .double(number + 0) }
            if case .date(let seconds) = value { value = .date(seconds + 0) }
            return "\(key)=\(ExpressionNode(.value(value)))"
        }.joined(separator: " ")
    }

    @Test func recordsAreThoseOfMemory() throws {
        var random = SplitMix(99)
        var (inSQL, refused) = (0, 0)
        let turns = TestDepth.count(4_000, full: 100_000)
        var stores = try Self.stores(&random)
        for turn in 0..<turns {
            if turn % 100 == 99 { stores = try Self.stores(&random) }
            let request = try Self.request(&random)
            let what =
                "\(request.predicate) \(request.properties) by \(request.groupBy) having \(request.having) \(request.sort)"
            let expected: [String]
            do {
                expected = try stores.memory.records(request).map(Self.text)
            } catch {
                refused += 1
                #expect(throws: StoreFailure.self, "\(what)") { try stores.database.records(request) }
                continue
            }
            let found = try stores.database.records(request).map(Self.text)
            let isOrdered = !request.sort.isEmpty || request.limit != nil || request.offset > 0
            #expect(isOrdered ? found == expected : found.sorted() == expected.sorted(), "\(what)")
            #expect(try stores.database.count(request) == expected.count || !request.isGrouped, "\(what)")
            if try request.isGrouped && stores.database.plan(request).statement.text.contains("(SELECT") { inSQL += 1 }
        }
        #expect(inSQL * 4 > turns && refused * 10 < turns, "\(inSQL) in SQL, \(refused) refused, of \(turns)")
    }

    /// A group contains the objects whose keys equal its keys.
    @Test func groupsAreThoseOfEquality() throws {
        var random = SplitMix(7)
        let (memory, _) = try Self.stores(&random)
        for key in Self.keys where key != "weight" {
            var request = StoreRequest("Sale")
            request.groupBy = [key]
            request.properties = [key, "@count", "@sum.small"]
            let groups = try memory.records(request)
            #expect(groups.reduce(0) { $0 + ($1["@count"]?.integer ?? 0) } == 60)
            for group in groups {
                let equal = try FormatPredicate("%K == %@", arguments: [.string(key), group[key] ?? .null])
                let objects = try memory.fetch(StoreRequest("Sale", where: equal))
                #expect(group["@count"] == .integer(Int64(objects.count)), "\(key) \(group)")
                let sum = objects.reduce(0) { $0 + ($1["small"].integer ?? 0) }
                #expect(group["@sum.small"] == .integer(sum), "\(key) \(group)")
            }
        }
    }
}

@Suite struct RecordMeaningTests {
    private static func sums(_ values: [PredicateValue]) throws -> (
        memory: [ValueDictionary], database: [ValueDictionary]
    ) {
        let schema = try PredicateSchema([
            .init(
                "Row", table: "row", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("n", .integer, isOptional: true)])
        ])
        let rows = values.enumerated().map { ValueDictionary([("id", .integer(Int64($0))), ("n", $1)]) }
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try database.rows("CREATE TABLE row (id INTEGER PRIMARY KEY, n INTEGER)")
        try database.insert(rows, into: "Row")
        var request = StoreRequest("Row")
        request.properties = ["@count", "@sum.n", "@avg.n", "@min.n", "@max.n"]
        return (try InMemoryStore(schema, ["Row": rows]).records(request), try database.records(request))
    }

    @Test func aggregatesCountNilAsZero() throws {
        let (memory, database) = try Self.sums([.integer(4), .null, .integer(2)])
        #expect(memory == database && memory.count == 1)
        #expect(memory[0].values == [.integer(3), .integer(6), .double(2), .integer(2), .integer(4)])
    }

    @Test func aggregatesOfEmptyGroups() throws {
        let (memory, database) = try Self.sums([])
        #expect(memory == database && memory.count == 1)
        #expect(memory[0].values == [.integer(0), .integer(0), .null, .null, .null])
    }

    /// A sum of more than 64 bits is nil; the mean has a value.
    @Test func sumsThatOverflowAreNil() throws {
        let (memory, database) = try Self.sums([.integer(.max), .integer(.max)])
        #expect(memory == database)
        #expect(memory[0].values[..<3] == [.integer(2), .null, .double(9.223372036854775807e18)])
    }

    @Test func groupsOfNaNAndOfZeros() throws {
        let schema = try PredicateSchema([.init("Row", attributes: [.init("x", .any, isOptional: true)])])
        let values: [PredicateValue] = [
            .double(.nan), .double(-.nan), .double(0), .double(-0.0), .integer(0), .null, .bool(false), .string("0"),
            .null,
        ]
        let store = try InMemoryStore(schema, ["Row": values.map { ValueDictionary([("x", $0)]) }])
        var request = StoreRequest("Row", sort: [PredicateSortKey("x")])
        request.groupBy = ["x"]
        request.properties = ["x", "@count"]
        let found = try store.records(request).map(\.values)
        #expect(
            found == [
                [.null, .integer(2)], [.double(.nan), .integer(2)], [.integer(0), .integer(4)],
                [.string("0"), .integer(1)],
            ])
    }

    @Test func requestsForGroupsAreChecked() throws {
        let (_, database) = try Shop.stores()
        func failure(_ change: (inout StoreRequest) throws -> Void) rethrows -> String {
            var request = StoreRequest("Person")
            try change(&request)
            return errorText { _ = try database.records(request) }
        }
        #expect(failure { $0.groupBy = ["nme"] }.contains("Person has no key 'nme'"))
        #expect(failure { $0.groupBy = ["orders.total"] }.contains("'orders.total' has many values"))
        #expect(failure { $0.groupBy = ["tags"] }.contains("'tags' has many values"))
        #expect(
            failure { ($0.groupBy, $0.properties) = (["age"], ["name"]) }.contains(
                "a group of Person has no key 'name'"))
        #expect(
            failure { ($0.groupBy, $0.sort) = (["age"], [PredicateSortKey("name")]) }.contains(
                "a group of Person has no key 'name'"))
        #expect(failure { $0.properties = ["@sum.name"] }.contains("@sum cannot take a text"))
        #expect(failure { $0.properties = ["@middle.age"] }.contains("there is no collection operator '@middle'"))
        #expect(
            try failure { request in
                request.groupBy = ["age"]
                request.having = try FormatPredicate("@count BEGINSWITH 'many'")
            }.contains("error"))
        var grouped = StoreRequest("Person")
        grouped.groupBy = ["age"]
        #expect(throws: StoreFailure.self) { try database.fetch(grouped) }
        #expect(throws: StoreFailure.self) { try database.delete(grouped) }
    }

    @Test func groupsAreOneStatement() throws {
        let (_, database) = try Shop.stores()
        var request = StoreRequest(
            "Person", where: try FormatPredicate("age > 20"), sort: [PredicateSortKey("@count", descending: true)],
            limit: 3)
        request.groupBy = ["boss.name"]
        request.properties = ["boss.name", "@count", "@avg.age"]
        request.having = try FormatPredicate("@count > 2 AND boss.name != nil")
        let text = try database.plan(request).statement.text
        #expect(
            text.hasPrefix(
                #"SELECT "t0"."c0", "t0"."c1", "t0"."c2" FROM (SELECT "t1"."name" AS "c0", COUNT(*) AS "c1""#))
        #expect(
            text.hasSuffix(
                #"GROUP BY "t1"."name") AS "t0" WHERE "t0"."c1" > ? AND "t0"."c0" IS NOT NULL ORDER BY "t0"."c1" DESC, "#
                    + #""t0"."c0" NULLS FIRST LIMIT ?"#))
    }
}

extension PredicateValue {
    fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}

extension StoreRequest {
    fileprivate var isGrouped: Bool { isDistinct || !groupBy.isEmpty || having != .constant(true) }
}
