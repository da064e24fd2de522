// Tests of pages by position: the pages of a request are the whole fetch, in memory and in databases.

import Foundation
import PredicateModel
import PredicateSQL
import PredicateStores
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite struct PositionTests {
    typealias Attribute = PredicateSchema.Attribute

    /// Entities with all types, ties, nil and NaN, and a primary key of two columns.
    static func schema() throws -> PredicateSchema {
        var ratio = Attribute("ratio", .double, isOptional: true)
        ratio.allowsNaN = true
        return try PredicateSchema([
            PredicateSchema.Entity(
                "Maker", table: "maker", primaryKey: ["code"],
                attributes: [Attribute("code", .integer), Attribute("name", .string, isOptional: true)]),
            PredicateSchema.Entity(
                "Item", table: "item", primaryKey: ["group", "number"],
                attributes: [
                    Attribute("group", .string), Attribute("number", .integer), Attribute("size", .integer),
                    Attribute("price", .double, isOptional: true), ratio, Attribute("name", .string, isOptional: true),
                    Attribute("on", .boolean, isOptional: true), Attribute("made", .date, isOptional: true),
                    Attribute("tag", .uuid, isOptional: true), Attribute("link", .url, isOptional: true),
                ],
                relationships: [.init("maker", to: "Maker", link: .column("maker_code"))]),
        ])
    }

    static func objects(_ random: inout SplitMix) -> [String: [ValueDictionary]] {
        func some(_ values: [PredicateValue]) -> PredicateValue { random.pick(values + [.null]) }
        let tags = [UUID(), UUID(), UUID()].map(\.predicateValue)
        let makers: [ValueDictionary] = (0..<5).map {
            ["code": $0, "name": some(["Ada", "ada", "Éva"])]
        }
        var keys: Set<[String]> = []
        let items: [ValueDictionary] = (0..<60).compactMap { _ in
            let (group, number) = (random.pick(["a", "A", "é", ""]), random.below(20))
            guard keys.insert([group, "\(number)"]).inserted else { return nil }
            return [
                "group": group, "number": number, "size": random.below(3),
                "price": some([.double(-0.0), .double(0), .double(2.5), .double(1e300)]),
                "ratio": some([.double(.nan), .double(1), .double(-.infinity), .double(.infinity)]),
                "name": some(["x", "X", "é", "e", "", "zz"]), "on": some([.bool(true), .bool(false)]),
                "made": some([.date(0), .date(1.5), .date(-9e8)]), "tag": some(tags),
                "link": some([.url("a:b"), .url("a:c")]), "maker": some([0, 1, 2, 3, 4]),
            ]
        }
        return ["Maker": makers, "Item": items]
    }

    private static let sorts = [
        "", "size", "-size", "price", "-price", "ratio", "-ratio", "-ratio:nils-first", "name", "name[c],-size",
        "-name[cd]:nils-first", "maker.name", "-maker.name[cd],on", "on,-made", "tag", "-tag,size", "link,name", "made",
        "-made:nils-first,tag", "name.length,size", "size,name[l]", "number", "group,-number", "price:nils-last,ratio",
        "size,on,name,price", "link",
    ]

    /// The pages of a request, each with a position that was sent as JSON.
    static func pages(_ request: FetchRequest, _ store: any PredicateStore) throws -> [[PredicateValue]] {
        var request = request
        var keys: [[PredicateValue]] = []
        while true {
            let page = try store.page(request)
            keys += page.objects.map(\.primaryKey)
            guard let next = page.next else { return keys }
            request.after = try JSONDecoder().decode(FetchPosition.self, from: JSONEncoder().encode(next))
            #expect(request.after == next)
        }
    }

    static func compare(_ stores: [any PredicateStore], _ random: inout SplitMix) throws {
        for text in sorts {
            let sort = text.isEmpty ? [] : try #require(SortKey.list(text))
            let predicate = random.pick(["TRUEPREDICATE", "size > 0", "name MATCHES '.+' OR on == YES", "maker != nil"])
            var request = FetchRequest("Item", where: try FormatPredicate(predicate), sort: sort, limit: 100)
            let expected = try stores[0].fetch(request).map(\.primaryKey)
            request.limit = 1 + random.below(9)
            for store in stores {
                #expect(try pages(request, store) == expected, "\(text) \(predicate) \(type(of: store))")
            }
            // A position of an object, also with an offset, a count and without a limit.
            guard expected.count > 5 else { continue }
            for store in stores {
                var all = request
                all.limit = nil
                let middle = try store.fetch(FetchRequest("Item", sort: sort, limit: 1000)).filter {
                    $0.primaryKey == expected[4]
                }
                all.after = try all.position(of: middle[0])
                #expect(Set(try store.fetch(all).map(\.primaryKey)) == Set(expected.dropFirst(5)), "\(text)")
                #expect(try store.count(all) == expected.count - 5, "\(text) \(predicate)")
                (all.offset, all.limit) = (1, 2)
                #expect(try store.fetch(all).map(\.primaryKey) == Array(expected.dropFirst(6).prefix(2)), "\(text)")
                #expect(try store.count(all) == min(2, expected.count - 6))
                all.properties = ["group", "number"]
                #expect(try store.records(all).map(\.values) == Array(expected.dropFirst(6).prefix(2)), "\(text)")
            }
        }
    }

    static func tables(_ store: some TestedStore, _ objects: [String: [ValueDictionary]]) throws {
        try store.create(store.schema)
        for entity in ["Maker", "Item"] { try store.insert(objects[entity] ?? [], into: entity) }
    }

    @Test(arguments: 0..<UInt64(TestDepth.count(60))) func pagesAreTheWholeFetch(_ seed: UInt64) throws {
        var random = SplitMix(seed)
        let objects = Self.objects(&random)
        let memory = try InMemoryStore(Self.schema(), objects)
        let database = try SQLiteStore(path: ":memory:", schema: Self.schema(), mode: .create)
        try Self.tables(database, objects)
        try Self.compare([memory, database], &random)
    }

    @Test(arguments: Backend.here) func pagesOfDrivers(_ backend: Backend) throws {
        for seed in 0..<UInt64(TestDepth.count(20)) {
            var random = SplitMix(seed)
            let objects = Self.objects(&random)
            let store = try backend.store(Self.schema())
            try Self.tables(store, objects)
            try Self.compare([InMemoryStore(Self.schema(), objects), store], &random)
        }
    }

    /// The rows before a position are not read if an index begins with the sort keys.
    @Test func anIndexFindsThePage() throws {
        let store = try SQLiteStore(path: ":memory:", schema: Self.schema(), mode: .create)
        try store.create(Self.schema())
        _ = try store.rows("CREATE INDEX by_size ON item (size)")
        for (sort, index) in [("size", "by_size (size>?)"), ("group", "(group>?)")] {
            var request = FetchRequest("Item", sort: [SortKey(sort)], limit: 5)
            request.after = request.position(values: [sort == "size" ? 3 : "a"], key: ["a", 1])
            let plan = try store.explain(request)
            #expect(plan.contains { $0.contains("SEARCH") && $0.contains(index) }, "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE FOR ORDER BY") } || sort == "size", "\(plan)")
        }
    }

    @Test func aPositionNamesItsOrder() throws {
        let store = try InMemoryStore(Self.schema(), ["Item": [["group": "a", "number": 1, "size": 2]]])
        var request = FetchRequest("Item", sort: [SortKey("size", descending: true)], limit: 1)
        let object = try #require(try store.one(request))
        request.after = try request.position(of: object)
        let json = try JSONEncoder().encode(request.after)
        #expect(String(decoding: json, as: UTF8.self).contains("Item, -size"))
        var other = FetchRequest("Item", sort: [SortKey("size")])
        other.after = request.after
        func message(_ request: FetchRequest) -> String {
            do throws(StoreFailure) { return "\(try store.fetch(request).count)" } catch { return "\(error)" }
        }
        #expect(
            message(other)
                == "error[malformed-request]: the request cannot be read: the position is one of 'Item, -size', not of "
                + "'Item, size'")
        for (values, key) in [([2, 3], ["a", 1]), (["x"], ["a", 1]), ([2], ["a"])]
            as [([PredicateValue], [PredicateValue])]
        {
            request.after = request.position(values: values, key: key)
            #expect(message(request).contains("malformed-request"), "\(message(request))")
        }
        request.after = request.position(values: [3], key: ["a", 1])
        #expect(message(request) == "1")
        request.groupBy = ["size"]
        #expect(throws: StoreFailure.self) { try store.records(request) }
        #expect(throws: StoreFailure.self) { try store.observe(other) }
    }
}
