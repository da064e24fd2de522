// Tests of pages by position: the pages of a request are the whole fetch, in every store.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct PositionTests {
    typealias Attribute = PredicateSchema.Attribute

    /// Entities with all types, ties, nil and NaN, and a primary key of two columns.
    ///
    /// - Parameter scale: that of decimals, which DuckDB needs.
    static func schema(scale: Int? = nil) throws -> PredicateSchema {
        var cost = Attribute("cost", .decimal, isOptional: true)
        cost.scale = scale
        var ratio = Attribute("ratio", .double, isOptional: true)
        ratio.allowsNaN = true
        return try PredicateSchema([
            .init(
                "Maker", table: "maker", primaryKey: ["code"],
                attributes: [.init("code", .integer), .init("name", .string, isOptional: true)]),
            .init(
                "Item", table: "item", primaryKey: ["shelf", "number"],
                attributes: [
                    .init("shelf", .string), .init("number", .integer), .init("rank", .integer),
                    .init("price", .double, isOptional: true), ratio, .init("name", .string, isOptional: true),
                    .init("on", .boolean, isOptional: true), .init("made", .date, isOptional: true),
                    .init("tag", .uuid, isOptional: true), .init("link", .url, isOptional: true), cost,
                ],
                relationships: [.init("maker", to: "Maker", link: .column("maker_code"))]),
        ])
    }

    static func objects(_ random: inout SplitMix) -> [String: [ValueDictionary]] {
        func some(_ values: [PredicateValue]) -> PredicateValue { random.pick(values + [.null]) }
        let tags = [UUID(), UUID(), UUID()].map(\.predicateValue)
        let makers: [ValueDictionary] = (0..<5).map { ["code": $0, "name": some(["Ada", "ada", "Éva"])] }
        var keys: Set<[String]> = []
        let items: [ValueDictionary] = (0..<40).compactMap { _ in
            let (shelf, number) = (random.pick(["a", "A", "é", ""]), random.below(20))
            guard keys.insert([shelf, "\(number)"]).inserted else { return nil }
            return [
                "shelf": shelf, "number": number, "rank": random.below(3),
                "price": some([.double(-0.0), .double(0), .double(2.5), .double(1e300)]),
                "ratio": some([.double(.nan), .double(1), .double(-.infinity), .double(.infinity)]),
                "name": some(["x", "X", "é", "e", "", "zz"]), "on": some([.bool(true), .bool(false)]),
                "made": some([.date(0), .date(1.5), .date(-9e8)]), "tag": some(tags),
                "link": some([.url("a:b"), .url("a:c")]), "maker": some([0, 1, 2, 3, 4]),
                "cost": some(["0.1", "2.50", "-3"].map { .decimal(DecimalNumber($0) ?? DecimalNumber(0)) }),
            ]
        }
        return ["Maker": makers, "Item": items]
    }

    private static let sorts = [
        "", "rank", "-rank", "price", "-price", "ratio", "-ratio", "-ratio:nils-first", "name", "name[c],-rank",
        "-name[cd]:nils-first", "maker.name", "-maker.name[cd],on", "on,-made", "-on", "tag", "-tag,rank", "link,name",
        "made", "-made:nils-first,tag", "name.length,rank", "rank,name[l]", "name[standard]", "number", "shelf,-number",
        "price:nils-last,ratio", "rank,on,name,price", "link", "cost", "-cost:nils-first,rank", "price * rank,name",
    ]

    /// A source that executes what its capabilities allow.
    private struct Source: RecordSource {
        let memory: InMemoryStore
        let capabilities: StoreCapabilities
        var schema: PredicateSchema { memory.schema }

        func records(_ request: StoreRequest) async throws -> [ValueDictionary] {
            try memory.fetch(request).map { object in
                var record = object.attributes
                if object.entity == "Item" {
                    record["maker"] = object["maker"].as(StoredObject.self)?.primaryKey[0] ?? .null
                }
                return record
            }
        }

        init(_ memory: InMemoryStore, _ random: inout SplitMix) {
            self.memory = memory
            var found = StoreCapabilities(
                combinesOr: random.chance(50), limits: random.chance(50), comparesNil: random.chance(50))
            for key in ["rank", "price", "name", "on", "shelf", "number", "made"] where random.chance(70) {
                found.operators[key] = [.equal, .greaterThan, .lessThan, .greaterThanOrEqual, .lessThanOrEqual]
                if random.chance(70) { found.sortKeys.insert(key) }
            }
            capabilities = found
        }
    }

    private static func requests(_ random: inout SplitMix) throws -> [StoreRequest] {
        try sorts.map { text in
            let predicate = random.pick(["TRUEPREDICATE", "rank > 0", "name MATCHES '.+' OR on == YES", "maker != nil"])
            let sort = text.isEmpty ? [] : try #require(PredicateSortKey.list(text))
            return StoreRequest("Item", where: try FormatPredicate(predicate), sort: sort, limit: 1 + random.below(9))
        }
    }

    /// The keys of the objects on all pages, each with a position that was sent as JSON.
    private static func pages(
        _ request: StoreRequest, _ page: (StoreRequest) async throws -> FetchPage<StoredObject>
    ) async throws -> [[PredicateValue]] {
        var keys: [[PredicateValue]] = []
        var next: StoreRequest? = request
        while var request = next {
            if let after = request.after {
                request.after = try JSONDecoder().decode(FetchPosition.self, from: JSONEncoder().encode(after))
                #expect(request.after == after)
            }
            let page = try await page(request)
            keys += page.objects.map(\.primaryKey)
            #expect(page.next == nil || page.objects.count == request.limit)
            next = page.next
        }
        return keys
    }

    /// Compares the pages with the whole fetch of the same store, because SQLite stores NaN as NULL.
    private static func compare(_ store: any PredicateStore, _ random: inout SplitMix) async throws {
        for request in try requests(&random) {
            var all = request
            all.limit = 1000
            let expected = try store.fetch(all).map(\.primaryKey)
            let what = "\(request.sort) \(request.predicate) \(type(of: store))"
            #expect(try await pages(request) { try store.page($0) } == expected, "\(what)")
            guard expected.count > 5 else { continue }
            let fifth = try store.fetch(all)[4]
            all.after = try all.position(after: fifth)
            #expect(try all.position(after: fifth, in: store.schema) == all.after, "\(what)")
            #expect(try store.count(all) == expected.count - 5, "\(what)")
            all.limit = nil
            #expect(try store.fetch(all).map(\.primaryKey) == Array(expected.dropFirst(5)), "\(what)")
            (all.limit, all.properties) = (2, ["shelf", "number"])
            #expect(try store.count(all) == min(2, expected.count - 5))
            #expect(try store.records(all).map(\.values) == Array(expected.dropFirst(5).prefix(2)), "\(what)")
        }
    }

    private static func tables(_ store: some TestedStore, _ objects: [String: [ValueDictionary]]) throws {
        try store.create(store.schema)
        for entity in ["Maker", "Item"] { try store.insert(objects[entity] ?? [], into: entity) }
    }

    @Test(.inCI, arguments: 0..<UInt64(TestDepth.count(20))) func pagesAreTheWholeFetch(_ seed: UInt64) async throws {
        var random = SplitMix(seed)
        let objects = Self.objects(&random)
        let memory = try InMemoryStore(Self.schema(), objects)
        let database = try SQLiteStore(path: ":memory:", schema: Self.schema(), mode: .create)
        try Self.tables(database, objects)
        try await Self.compare(memory, &random)
        try await Self.compare(database, &random)
        let source = Source(memory, &random)
        let service = try RecordStore(source)
        for request in try Self.requests(&random) {
            var all = request
            all.limit = 1000
            let expected = try memory.fetch(all).map(\.primaryKey)
            let found = try await Self.pages(request) { try await service.page($0) }
            #expect(found == expected, "\(request.sort) \(request.predicate) \(source.capabilities)")
        }
    }

    @Test(arguments: Backend.here) func pagesOfDrivers(_ backend: Backend) async throws {
        for seed in 0..<UInt64(TestDepth.count(5)) {
            var random = SplitMix(seed)
            let objects = Self.objects(&random)
            let store = try backend.store(Self.schema(scale: backend == .duckDB ? 2 : nil))
            try Self.tables(store, objects)
            try await Self.compare(store, &random)
        }
    }

    /// The rows before a position are not read if an index begins with the sort keys.
    @Test func anIndexFindsThePage() throws {
        let store = try SQLiteStore(path: ":memory:", schema: Self.schema(), mode: .create)
        try store.create(Self.schema())
        try store.insert([["shelf": "a", "number": 1, "rank": 2, "price": 2.0]], into: "Item")
        _ = try store.rows("CREATE INDEX by_rank ON item (rank, shelf, number)")
        _ = try store.rows("CREATE INDEX by_price ON item (price)")
        let object = try #require(try store.fetch(StoreRequest("Item")).first)
        for (sort, index) in [
            ("rank", "by_rank (rank>?)"), ("-rank", "by_rank (rank<?)"), ("price", "by_price (price>?)"),
            ("shelf", "(shelf>?)"), ("shelf,number", "(shelf>?)"),
        ] {
            var request = StoreRequest("Item", sort: try #require(PredicateSortKey.list(sort)), limit: 5)
            request.after = try request.position(after: object)
            let plan = try store.explain(request)
            #expect(plan.contains { $0.contains("SEARCH") && $0.contains(index) }, "\(sort) \(plan)")
            #expect(!plan.contains { $0.contains("SCAN") }, "\(sort) \(plan)")
            if sort != "rank" && sort != "shelf,number" { continue }
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(sort) \(plan)")
        }
    }

    /// What is inserted or deleted between two pages moves no other object.
    @Test func changesMoveNoObjects() throws {
        var random = SplitMix(7)
        let objects = Self.objects(&random)
        let database = try SQLiteStore(path: ":memory:", schema: Self.schema(), mode: .create)
        try Self.tables(database, objects)
        for store in [database, try InMemoryStore(Self.schema(), objects)] as [any PredicateStore] {
            var request = StoreRequest(
                "Item", sort: [PredicateSortKey("rank"), PredicateSortKey("name", descending: true)], limit: 1000)
            let old = try store.fetch(request).map(\.primaryKey)
            request.limit = 4
            var (next, seen, number) = (StoreRequest?.some(request), [[PredicateValue]](), 100)
            while let request = next {
                let page = try store.page(request)
                seen += page.objects.map(\.primaryKey)
                next = page.next
                // The last object that was shown disappears, and one appears before all.
                let last = try #require(seen.last)
                try store.delete(StoreRequest("Item", matching: ["shelf": last[0], "number": last[1]]))
                try store.insert([["shelf": "a", "number": number, "rank": -1]], into: "Item")
                number += 1
            }
            #expect(seen == old)
        }
    }

    @Test func changesOfAPage() throws {
        let store = try SQLiteStore(path: ":memory:", schema: Self.schema(), mode: .create)
        try store.create(Self.schema())
        try store.insert((0..<9).map { ["shelf": "a", "number": $0, "rank": 1] }, into: "Item")
        var request = StoreRequest("Item", sort: [PredicateSortKey("rank")], limit: 3)
        request.after = try FetchPosition("{\"Item, rank\", 1, \"a\", 2}")
        #expect(try store.update(request, set: [KeyAssignment("rank", 7)]) == 3)
        #expect(try store.fetch(StoreRequest("Item", where: "rank == 7")).map { $0["number"] } == [3, 4, 5])
        #expect(try store.delete(request) == 3)
        #expect(try store.count(StoreRequest("Item")) == 6)
    }

    @Test func aPositionNamesItsOrder() async throws {
        let store = try InMemoryStore(
            Self.schema(), ["Item": [["shelf": "a", "number": 1, "rank": 2], ["shelf": "a", "number": 2, "rank": 1]]])
        var request = StoreRequest("Item", sort: [PredicateSortKey("rank", descending: true)], limit: 1)
        let page = try await store.async.page(request)
        #expect(page.next?.after?.description == "{\"Item, -rank\", 2, \"a\", 1}")
        #expect(try await store.async.page(#require(page.next)).next == nil)
        func message(_ request: StoreRequest, _ text: String) -> String {
            var request = request
            do throws(StoreFailure) {
                request.after = try FetchPosition(text)
                return "\(try store.fetch(request).count)"
            } catch {
                guard case .position(let sentence) = error else { return "another failure: \(error)" }
                return sentence
            }
        }
        let ascending = StoreRequest("Item", sort: [PredicateSortKey("rank")])
        let texts = [
            message(ascending, "{\"Item, -rank\", 2, \"a\", 1}"), message(request, "{\"Item, -rank\", 2, \"a\"}"),
            message(request, "{\"Item, -rank\", \"x\", \"a\", 1}"), message(request, "{\"Item, -rank\", 1, \"a\", 1}"),
            message(request, "rank > 5"), message(request, ""), message(request, "{random(), 3}"),
            message(request, String(repeating: "{", count: 100_000)),
            message(StoreRequest("Maker", sort: request.sort), "{\"Item, -rank\", 2, \"a\", 1}").prefix(30) + "…",
        ]
        #expect(
            texts == [
                "it is a place in the order 'Item, -rank', not in 'Item, rank'",
                "it has 2 values, and the order 'Item, -rank' has 3", "'rank' cannot be \"x\"", "1",
                "'rank > 5' is no position", "'' is no position", "'{random(), 3}' is no position",
                "'\(String(repeating: "{", count: 80))' is no position", "another failure: error[unknown…",
            ])
        request.after = page.next?.after
        request.offset = 1
        #expect(throws: StoreFailure.self) { try store.fetch(request) }
        request.offset = 0
        #expect(throws: StoreFailure.self) { try store.observe(request) }
        request.groupBy = ["rank"]
        #expect(throws: StoreFailure.self) { try store.records(request) }
    }

    /// A client of its own gets the statement of a page, and an error for an order that a statement cannot begin in.
    @Test func plansForAClient() throws {
        let schema = try Self.schema()
        var request = StoreRequest("Item", sort: [PredicateSortKey("rank", descending: true)], limit: 2)
        let row: [String: PredicateValue] = ["shelf": "a", "number": 3, "rank": 2]
        request.after = try request.position(after: PredicateValue.dictionary(ValueDictionary(row)), in: schema)
        let plan = try request.plan(.sqlite, in: schema)
        #expect(plan.statement.bindings == [2, 2, 2, "a", "a", 3, 2])
        #expect(plan.residual == nil && plan.sort.isEmpty && !plan.limitsInMemory)

        request.sort = [PredicateSortKey("name", options: .localeSensitive)]
        request.after = try FetchPosition("{'Item, name[l]', 'x', 'a', 3}")
        let failure = #expect(throws: StoreFailure.self) { try request.plan(.sqlite, in: schema) }
        #expect(failure?.description.hasSuffix("a statement cannot begin there, because of the sort keys") == true)
    }

    /// Orders whose values change, or cannot be stored, have no positions.
    @Test func someOrdersHaveNoPositions() throws {
        let store = try InMemoryStore(
            Self.schema(),
            [
                "Maker": [["code": 1]],
                "Item": (1...3).map { ["shelf": "a", "number": $0, "rank": 2, "maker": 1, "made": Date.now] },
            ])
        for (sort, reason) in [
            ("maker", "cannot be stored"), ("random()", "'random' changes"), ("rank + random()", "'random' changes"),
            ("CAST(now(), 'NSNumber') - rank", "'now' changes"),
        ] {
            let request = StoreRequest("Item", sort: try #require(PredicateSortKey.list(sort)), limit: 2)
            let error = try #require(throws: (any Error).self, "\(sort) has positions") { try store.page(request) }
            #expect("\(error)".contains(reason), "\(error)")
        }
        let maker = try #require(try store.fetch(StoreRequest("Maker")).first)
        #expect(throws: StoreFailure.self) { try StoreRequest("Item").position(after: maker) }
        // A page without objects is the last one.
        #expect(try store.page(StoreRequest("Item", limit: 0)).next == nil)
    }
}
