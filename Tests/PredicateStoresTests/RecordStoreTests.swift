// Tests that a store over a back end gives the answers of memory, with any capabilities of the back end.

import PredicateModel
import PredicateStores
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite struct RecordStoreTests {
    /// A back end with random capabilities. It throws for a request that needs another capability.
    private struct Service: RecordSource {
        let memory: InMemoryStore
        let capabilities: StoreCapabilities
        var schema: PredicateSchema { memory.schema }

        func records(_ request: FetchRequest) throws(StoreFailure) -> [ValueDictionary] {
            guard allows(request.predicate.root), request.prefetch.isEmpty,
                request.sort.allSatisfy({ $0.options == [] && capabilities.sortKeys.contains($0.path) }),
                capabilities.limits || (request.limit == nil && request.offset == 0)
            else { throw .schema("the service cannot do \(request)") }
            let owner = request.entity == "Order" ? "owner" : "boss"
            return try memory.fetch(request).map { object in
                var fields = Array(zip(object.attributes.keys, object.attributes.values))
                if case .object(let reference)? = object.value(forKey: owner) {
                    fields.append((owner, reference.object.value(forKey: "id") ?? .null))
                }
                return ValueDictionary(fields)
            }
        }

        private func allows(_ node: PredicateNode) -> Bool {
            switch node.kind {
            case .constant: return true
            case .and(let children): return children.allSatisfy(allows)
            case .or(let children): return capabilities.combinesOr && children.allSatisfy(allows)
            case .not(let child): return capabilities.negates && allows(child)
            case .comparison(let comparison):
                guard case .keyPath(let keys) = comparison.left.kind else { return false }
                if case .value(let value) = comparison.right.kind, value.isNil, !capabilities.comparesNil {
                    return false
                }
                return capabilities.operators[keys.joined(separator: ".")]?.contains(comparison.operator) ?? false
            case .error: return false
            }
        }
    }

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

    private static func capabilities(_ random: inout SplitMix) -> StoreCapabilities {
        var found = StoreCapabilities(
            combinesOr: random.chance(50), negates: random.chance(50), limits: random.chance(50),
            comparesNil: random.chance(50))
        for key in ["id", "age", "name", "nick"] where random.chance(60) {
            found.operators[key] = Set(operators.filter { _ in random.chance(60) })
            if random.chance(70) { found.sortKeys.insert(key) }
        }
        return found
    }

    /// For random capabilities, a request has the answer of memory, in the same order.
    @Test func capabilitiesChangeNoAnswer() throws {
        let people = Shop.objects()["Person"]?.prefix(20) ?? []
        let orders = (Shop.objects()["Order"] ?? []).filter { order in
            guard case .integer(let owner)? = order["owner"] else { return false }
            return owner < 20
        }
        let shown = people.map { person in
            ValueDictionary(zip(person.keys, person.values).filter { $0.0 != "friends" })
        }
        let memory = try InMemoryStore(Shop.schema(), ["Person": shown, "Order": orders])
        var random = SplitMix(4711)
        var (pushed, exact) = (0, 0)
        for _ in 0..<TestDepth.count(6_000, full: 100_000) {
            let text = Self.predicate(&random, 2)
            let sort = random.pick(Self.sorts)
            var request = FetchRequest(
                "Person", where: try FormatPredicate(text), sort: sort.isEmpty ? [] : try #require(SortKey.list(sort)))
            if random.chance(50) { (request.limit, request.offset) = (random.below(9), random.below(4)) }
            if random.chance(20) { request.prefetch = ["orders.owner"] }
            let capabilities = Self.capabilities(&random)
            let store = try RecordStore(Service(memory: memory, capabilities: capabilities))
            let split = store.split(request)
            if split.request.predicate != .constant(true) { pushed += 1 }
            if split.residual == nil { exact += 1 }
            let expected = try memory.fetch(request).map(\.primaryKey)
            let found = try store.fetch(request).map(\.primaryKey)
            let isOrdered = !request.sort.isEmpty || request.limit != nil || request.offset > 0
            if isOrdered {
                #expect(found == expected, "\(text), \(sort), \(capabilities)")
            } else {
                #expect(Set(found) == Set(expected) && found.count == expected.count, "\(text), \(capabilities)")
            }
            #expect(try store.count(request) == expected.count, "\(text), \(capabilities)")
        }
        #expect(pushed > 30 && exact > 5, "\(pushed), \(exact)")
    }

    /// A back end sees `key operator constant`, however the comparison is written.
    @Test func constantsAtTheLeftChangeSides() throws {
        let request = FetchRequest("Person", where: try FormatPredicate("5 < age AND NOT (9 < age) AND 'x' == name"))
        let split = CapabilitySplit(request, StoreCapabilities(operators: ["age": [.greaterThan]], negates: true))
        #expect(split.request.predicate.description == "age > 5 AND (NOT age > 9)")
        #expect(split.residual?.description == "\"x\" == name")
    }

    @Test func requestsAreChecked() throws {
        let (memory, _) = try Shop.stores()
        let store = try RecordStore(Service(memory: memory, capabilities: StoreCapabilities()))
        #expect(throws: StoreFailure.self) { try store.fetch(FetchRequest("Persn")) }
        #expect(throws: StoreFailure.self) {
            try store.fetch(FetchRequest("Person", where: FormatPredicate("agge > 3")))
        }
        #expect(throws: StoreFailure.self) { try store.fetch(FetchRequest("Person", sort: [SortKey("nme")])) }
        #expect(throws: StoreFailure.self) { try store.delete(FetchRequest("Person")) }
        #expect(throws: StoreFailure.self) { try store.insert([], into: "Person") }
    }
}
