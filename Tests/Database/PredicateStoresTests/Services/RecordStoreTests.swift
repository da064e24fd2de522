// Tests that a store over a back end gives the answers of memory, with any capabilities of the back end.

import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct RecordStoreTests {
    private static let operators: [ComparisonOperator] = [
        .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .in, .between, .beginsWith, .contains,
    ]
    private static let terms = [
        "age > 30", "age == nil", "age != 31", "age BETWEEN {10, 60}", "age IN {3, 31, 62}", "name == 'Ada'",
        "name BEGINSWITH[c] 'a'", "name BEGINSWITH 'A'", "nick == nil", "nick CONTAINS 'd'", "id < 100", "id <= age",
        "ANY orders.total > 50", "boss.name == 'Ada'", "orders.@count > 1", "name MATCHES '(?!A).*'", "TRUEPREDICATE",
        "1 / (age - 31) < 5", "'t1' IN tags",
    ]
    private static let sorts = ["", "name", "-age,id", "nick:nils-last", "name[cd],-id", "boss.name", "age,-nick"]

    private static func predicate(_ random: inout SplitMix, _ depth: Int) -> String {
        if depth == 0 || random.chance(30) { return random.pick(terms) }
        func part(_ random: inout SplitMix) -> String { "(" + predicate(&random, depth - 1) + ")" }
        switch random.below(3) {
        case 0: return "NOT " + part(&random)
        case 1: return part(&random) + " AND " + part(&random)
        default: return part(&random) + " OR " + part(&random)
        }
    }

    static func capabilities(_ random: inout SplitMix) -> StoreCapabilities {
        var found = StoreCapabilities(
            combinesOr: random.chance(50), negates: random.chance(50), limits: random.chance(50),
            comparesNil: random.chance(50), findsKeys: random.chance(25))
        found.sortsByOneKey = random.chance(50)
        for key in ["id", "age", "name", "nick", "owner", "boss"] where random.chance(60) {
            found.operators[key] = Set(operators.filter { _ in random.chance(60) })
            if random.chance(70), key != "owner", key != "boss" { found.sortKeys.insert(key) }
        }
        return found
    }

    /// Twenty people and their orders.
    static func memory() throws -> InMemoryStore {
        let people = Shop.objects()["Person"]?.prefix(20) ?? []
        let orders = (Shop.objects()["Order"] ?? []).filter { order in
            guard case .integer(let owner)? = order["owner"] else { return false }
            return owner < 20
        }
        let shown = people.map { person in
            ValueDictionary(zip(person.keys, person.values).filter { $0.0 != "friends" })
        }
        return try InMemoryStore(Shop.schema(), ["Person": shown, "Order": orders])
    }

    private static func request(_ random: inout SplitMix) throws -> StoreRequest {
        let sort = random.pick(sorts)
        var request = StoreRequest(
            "Person", where: try FormatPredicate(predicate(&random, 2)),
            sort: sort.isEmpty ? [] : try #require(PredicateSortKey.list(sort)))
        if random.chance(50) { (request.limit, request.offset) = (random.below(9), random.below(4)) }
        if random.chance(30) { request.prefetch = ["orders.owner", "boss"] }
        if random.chance(30) { request.batchSize = 1 + random.below(9) }
        return request
    }

    /// What a request finds, with the values of related objects that it prefetches.
    private static func rows(_ objects: [StoredObject], _ request: StoreRequest) throws -> [String] {
        let rows = try objects.map { object in
            let related =
                request.prefetch.isEmpty
                ? "" : try "\(object.readValue(at: "orders.owner.id")) \(object.readValue(at: "boss.name"))"
            return "\(object.primaryKey) \(object.attributes) \(related)"
        }
        let isOrdered = !request.sort.isEmpty || request.limit != nil || request.offset > 0
        return isOrdered ? rows : rows.sorted()
    }

    /// For random capabilities, a request has the answer of memory, in the same order.
    @Test func capabilitiesChangeNoAnswer() async throws {
        let memory = try Self.memory()
        let counts = Mutex((pushed: 0, exact: 0, repeated: 0))
        try await forEachConcurrently(max(100, TestDepth.count(6_000, full: 100_000))) { turn in
            var random = SplitMix(4711 &+ UInt64(turn) &* 7919)
            let request = try Self.request(&random)
            let service = FakeService(memory, Self.capabilities(&random))
            let store = try RecordStore(service, batchSize: 1 + random.below(20))
            let split = store.split(request)
            counts.withLock { counts in
                if split.request.predicate != .constant(true) { counts.pushed += 1 }
                if split.residual == nil { counts.exact += 1 }
            }
            let expected = try Self.rows(memory.fetch(request), request)
            let found = try await Self.rows(store.fetch(request), request)
            #expect(found == expected, "\(request.predicate), \(request.sort), \(service.capabilities)")
            if Set(service.texts).count < service.texts.count { counts.withLock { $0.repeated += 1 } }
            if turn % 4 == 0 { #expect(try await store.count(request) == expected.count, "\(request.predicate)") }
            if turn % 4 == 1 {
                var records = request
                records.prefetch = []
                records.properties = ["id", "boss.name", "boss.boss.age"]
                #expect(try await Set(store.records(records)) == Set(memory.records(records)), "\(request.predicate)")
            }
            if turn % 4 == 2 {
                var groups = StoreRequest("Person", where: request.predicate, sort: [PredicateSortKey("boss.name")])
                (groups.groupBy, groups.properties) = (["boss.name"], ["boss.name", "@count", "@sum.boss.age"])
                #expect(try await store.records(groups) == memory.records(groups), "\(request.predicate)")
            }
            if turn % 4 == 3 {
                var objects: [StoredObject] = []
                for try await object in store.objects(request) { objects.append(object) }
                #expect(try Self.rows(objects, request) == expected, "\(request.predicate)")
            }
        }
        // Nothing is read twice, unless a related object is asked for while the batch with it is on its way.
        #expect(counts.withLock { $0.pushed > TestDepth.least(30) && $0.exact > TestDepth.least(5) && $0.repeated < 5 })
    }

    /// A back end sees `key operator constant`, however the comparison is written.
    @Test func constantsAtTheLeftChangeSides() throws {
        let request = StoreRequest("Person", where: try FormatPredicate("5 < age AND NOT (9 < age) AND 'x' == name"))
        let split = CapabilitySplit(request, StoreCapabilities(operators: ["age": [.greaterThan]], negates: true))
        #expect(split.request.predicate.description == "age > 5 AND (NOT age > 9)")
        #expect(split.residual?.description == "\"x\" == name")
    }

    @Test func oneSortKey() throws {
        let capabilities = StoreCapabilities(equalityOf: ["id"], sortKeys: ["name", "age"], limits: true)
        let one = CapabilitySplit(StoreRequest("Person", sort: [PredicateSortKey("name")], limit: 3), capabilities)
        #expect(one.request.sort == [PredicateSortKey("name")] && one.sort.isEmpty && one.request.limit == 3)
        let two = StoreRequest("Person", sort: [PredicateSortKey("name"), PredicateSortKey("age")], limit: 3)
        let split = CapabilitySplit(two, capabilities)
        #expect(split.request.sort.isEmpty && split.sort == two.sort && split.request.limit == nil)
    }

    @Test func equalitiesAndComparisons() throws {
        func request(_ text: String, _ arguments: [PredicateValue] = []) throws -> StoreRequest {
            StoreRequest("Person", where: try FormatPredicate(text))
        }
        let both = try request("id == 3 AND ('Ada' == name AND age IN {1, nil, 2}) AND age IN {2, 5}")
        #expect(both.equalities == ["id": [3], "name": ["Ada"], "age": [2]])
        #expect(both.comparisons?.map(\.operator) == [.equal, .equal, .in, .in])
        #expect(try request("nick == nil").equalities == ["nick": [.null]])
        #expect(try request("id == 3 AND id == 4").equalities == ["id": []])
        #expect(try request("boss.id == 3").equalities == ["boss.id": [3]])
        let range = try request("age > 3 AND 9 >= age AND name BEGINSWITH 'A' AND id BETWEEN {9, 1} AND nick != 'x'")
        #expect(range.equalities.isEmpty)
        #expect(
            range.comparisons?.map { "\($0.key) \($0.operator) \($0.value)" } == [
                "age greaterThan 3", "age lessThanOrEqual 9", "name beginsWith \"A\"", "id between {1, 9}",
                "nick notEqual \"x\"",
            ])
        #expect(try request("TRUEPREDICATE").comparisons == [])
        // Other parts are in neither.
        for text in [
            "id == 3 AND (age > 3 OR age < 1)", "id == 3 AND name ==[c] 'a'", "id == 3 AND ANY orders.id == 1",
        ] {
            #expect(try request(text).equalities == ["id": [3]] && request(text).comparisons == nil, "\(text)")
        }
        let ada = try #require(try Shop.stores().memory.one(StoreRequest("Person", matching: ["id": 3])))
        let owner = StoreRequest("Order", where: try FormatPredicate("owner == %@", ada))
        #expect(owner.equalities == ["owner": [3]])
    }

    /// What cannot match is not asked. A relationship is compared with objects only.
    @Test func whatIsAsked() async throws {
        var capabilities = StoreCapabilities(equalityOf: ["id", "owner", "boss"])
        let service = FakeService(try Self.memory(), capabilities)
        let store = try RecordStore(service)
        for text in ["FALSEPREDICATE", "id == 3 AND id == 4", "id IN {}"] {
            #expect(try await store.fetch(StoreRequest("Person", where: FormatPredicate(text))).isEmpty)
        }
        #expect(service.texts.filter { $0 != "Person TRUEPREDICATE" }.isEmpty)
        let ada = try #require(try await store.one(StoreRequest("Person", matching: ["id": 3])))
        let split = store.split(StoreRequest("Order", where: try FormatPredicate("owner == %@", ada)))
        #expect(split.residual == nil && split.request.equalities == ["owner": [3]])
        // An object never equals a number.
        #expect(store.split(StoreRequest("Order", where: try FormatPredicate("owner == 3"))).residual != nil)
        // Eight at the same time, each key once; a list at once; all if nothing is tested.
        func asked(_ capabilities: StoreCapabilities) async throws -> FakeService {
            let service = FakeService(try Self.memory(), capabilities)
            let sort = [PredicateSortKey("boss.name"), PredicateSortKey("id")]
            let request = StoreRequest("Person", where: try FormatPredicate("id > 0"), sort: sort, prefetch: ["orders"])
            let found = try await RecordStore(service).fetch(request)
            #expect(try found.map(\.primaryKey) == service.memory.fetch(request).map(\.primaryKey))
            #expect(found.allSatisfy { $0.objects("orders").count == service.memory.count(of: $0) })
            return service
        }
        // Each boss is one of the people that were read.
        let equality = try await asked(capabilities)
        #expect(equality.texts.count == 1 + 19 && equality.asked.withLock { $0.mostAtOnce } == 8)
        capabilities.operators["owner"] = [.in]
        #expect(try await asked(capabilities).texts.count == 2)
        #expect(try await asked(StoreCapabilities()).texts == ["Person TRUEPREDICATE", "Order TRUEPREDICATE"])
    }

    @Test func requestsAreChecked() async throws {
        let (memory, _) = try Shop.stores()
        let store = try RecordStore(FakeService(memory))
        await #expect(throws: StoreFailure.self) { try await store.fetch(StoreRequest("Persn")) }
        await #expect(throws: StoreFailure.self) {
            try await store.fetch(StoreRequest("Person", where: FormatPredicate("agge > 3")))
        }
        await #expect(throws: StoreFailure.self) {
            try await store.fetch(StoreRequest("Person", sort: [PredicateSortKey("nme")]))
        }
        await #expect(throws: StoreFailure.self) { try await store.count(StoreRequest("Person", prefetch: ["ordrs"])) }
        let ada = try #require(try await store.one(StoreRequest("Person", matching: ["id": 3])))
        await #expect(throws: StoreFailure.self) { try await store.load(["ordrs"], of: [ada]) }
        let other = try RecordStore(FakeService(memory))
        await #expect(throws: StoreFailure.self) { try await other.load(["orders"], of: [ada]) }
    }
}

extension InMemoryStore {
    fileprivate func count(of owner: StoredObject) -> Int {
        (try? one(StoreRequest(owner.entity, matching: ["id": owner["id"]]))?.objects("orders").count) ?? -1
    }
}
