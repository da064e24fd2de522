// Tests of RecordStore over a service that fails, is slow, or answers in unusual ways: failures at every call, cancelled
// tasks, relationships that were not read, and changes.

import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct RecordFaultTests {
    private static let equality = StoreCapabilities(equalityOf: ["id", "owner", "boss"])

    /// Reads people, the boss of each, and orders, in several calls.
    private static func request() throws -> StoreRequest {
        StoreRequest(
            "Person", where: try FormatPredicate("boss.name != nil AND ANY orders.total > 20"),
            sort: [PredicateSortKey("boss.boss.age"), PredicateSortKey("id")], limit: 6,
            prefetch: ["orders.owner.boss", "boss.boss"])
    }

    private static func rows(_ objects: [StoredObject]) throws -> [String] {
        try objects.map { object in
            let paths = ["name", "boss.boss.name", "orders.total", "orders.owner.boss.id"]
            return try "\(paths.map { try object.readValue(at: $0) })"
        }
    }

    nonisolated(nonsending) private static func failure<Value>(_ body: () async throws -> Value) async -> StoreFailure?
    {
        do { _ = try await body() } catch { return error as? StoreFailure }
        return nil
    }

    // MARK: Failures and cancellation

    @Test func eachCallFails() async throws {
        let memory = try RecordStoreTests.memory()
        let expected = try Self.rows(memory.fetch(Self.request()))
        for capabilities in [Self.equality, StoreCapabilities(), StoreCapabilities(findsKeys: true)] {
            let counting = FakeService(memory, capabilities)
            #expect(try await Self.rows(RecordStore(counting).fetch(Self.request())) == expected)
            let calls = counting.texts.count
            #expect(calls > 1)
            try await forEachConcurrently(calls) { failing in
                let service = FakeService(memory, capabilities) { call, _ in
                    if call == failing { throw ServiceError(call: call) }
                }
                let store = try RecordStore(service)
                let failure = try #require(await Self.failure { try await store.fetch(Self.request()) })
                guard case .backEnd(let error as ServiceError) = failure else { throw failure }
                #expect(error.call == failing && failure.description.contains("the back end failed"))
                // At most those that ran at the same time are asked after it.
                #expect(service.texts.count <= failing + 8)
                #expect(try await Self.rows(store.fetch(Self.request())) == expected)
            }
        }
    }

    @Test func cancelledTasksAskNothingMore() async throws {
        let memory = try RecordStoreTests.memory()
        for capabilities in [Self.equality, StoreCapabilities(), StoreCapabilities(findsKeys: true)] {
            let counting = FakeService(memory, capabilities)
            _ = try await RecordStore(counting).fetch(Self.request())
            try await forEachConcurrently(counting.texts.count) { last in
                let task = Mutex<Task<[StoredObject], any Error>?>(nil)
                let begun = AsyncStream<Void>.makeStream()
                let service = FakeService(memory, capabilities) { call, _ in
                    if call == last { task.withLock { $0?.cancel() } }
                }
                let store = try RecordStore(service)
                let new = Task {
                    for await _ in begun.stream { break }
                    return try await store.fetch(Self.request())
                }
                task.withLock { $0 = new }
                begun.continuation.yield()
                let failure = try #require(await Self.failure { try await new.value })
                guard case .cancelled = failure else { throw failure }
                let asked = service.texts.count
                #expect(asked <= last + 8, "\(service.texts)")
                #expect(try await store.count(StoreRequest("Person")) == 20)
                #expect(service.texts.count <= asked + 2)
            }
        }
    }

    /// A source that repeats a call once.
    private struct Repeating: RecordSource {
        let service: FakeService
        var schema: PredicateSchema { service.schema }
        var capabilities: StoreCapabilities { service.capabilities }

        func records(_ request: StoreRequest) async throws -> [ValueDictionary] {
            do { return try await service.records(request) } catch is ServiceError {
                return try await service.records(request)
            }
        }
    }

    @Test func sourcesRepeatCalls() async throws {
        let memory = try RecordStoreTests.memory()
        let failed = Mutex<Set<String>>([])
        let service = FakeService(memory, Self.equality) { call, text in
            if failed.withLock({ $0.insert(text).inserted }) { throw ServiceError(call: call) }
        }
        let store = try RecordStore(Repeating(service: service))
        #expect(try await Self.rows(store.fetch(Self.request())) == Self.rows(memory.fetch(Self.request())))
        #expect(service.texts.count == 2 * Set(service.texts).count)
    }

    /// More than what was asked by key, in any order, some of it twice.
    @Test func sourcesAnswerMore() async throws {
        let memory = try RecordStoreTests.memory()
        for findsKeys in [false, true] {
            var capabilities = StoreCapabilities(operators: findsKeys ? [:] : ["id": [.in], "owner": [.in]])
            capabilities.findsKeys = findsKeys
            let all = try memory.fetch(StoreRequest("Person", sort: [PredicateSortKey("id", descending: true)])).map {
                person in
                let boss = person["boss"].as(StoredObject.self)?.primaryKey[0] ?? .null
                let fields = Array(zip(person.attributes.keys, person.attributes.values))
                return ValueDictionary(fields + [("boss", boss)])
            }
            let service = FakeService(
                memory, capabilities,
                change: { records in records.first?["name"] == nil ? records.reversed() + records : all + records })
            let store = try RecordStore(service, batchSize: 7)
            let request = try Self.request()
            #expect(try await Self.rows(store.fetch(request)) == Self.rows(memory.fetch(request)), "\(findsKeys)")
        }
    }

    /// A key that the back end has no record for is an object without values, not nil.
    @Test func sourcesAnswerLess() async throws {
        let memory = try RecordStoreTests.memory()
        var capabilities = Self.equality
        capabilities.findsKeys = true
        let service = FakeService(memory, capabilities, change: { $0.filter { $0["id"] != 3 } })
        let store = try RecordStore(service)
        let found = try await store.fetch(StoreRequest("Person", sort: [PredicateSortKey("id")], prefetch: ["boss"]))
        #expect(found.count == 19)
        let seven = try #require(found.first { $0["id"] == 7 })
        #expect(seven["boss"].as(StoredObject.self)?.isMissing == true && seven["boss"] != .null)
        #expect(try await store.count(StoreRequest("Person", where: FormatPredicate("boss == nil"))) == 10)
    }

    // MARK: Relationships that are not read

    @Test func relationshipsAreReadBeforehandOnly() async throws {
        let service = FakeService(try RecordStoreTests.memory(), Self.equality)
        let store = try RecordStore(service)
        let people = try await store.fetch(
            StoreRequest("Person", where: FormatPredicate("id IN {3, 4}"), sort: [PredicateSortKey("id")]))
        let ada = people[0]
        func isNotLoaded(_ error: (any Error)?) -> Bool {
            guard case .notLoaded(let entity, let key)? = error as? StoreFailure else { return false }
            return entity == "Person" && key == "boss"
        }
        // What throws, throws it once.
        let failure = await Self.failure { try ada.readValue(at: "boss.name") }
        #expect(isNotLoaded(failure))
        #expect(failure?.description.hasPrefix("not-loaded: 'boss' of Person was not read") == true)
        let isNamed = try FormatPredicate("boss.name == 'Ada'")
        #expect(performing: { try isNamed.evaluate(ada) }, throws: { isNotLoaded(($0 as? PredicateFailure)?.cause) })
        #expect(performing: { try people.filter(isNamed) }, throws: { isNotLoaded(($0 as? PredicateFailure)?.cause) })
        #expect(
            performing: { try people.sorted(by: [PredicateSortKey("boss.name")]) },
            throws: { isNotLoaded(($0 as? PredicateFailure)?.cause) })
        // A key that is nil is known.
        #expect(try people[1].readValue(at: "boss.name") == .null)
        _ = try await store.count(StoreRequest("Person"))
        // What cannot throw is thrown by the next call, once.
        let matcher = try isNamed.compiled(for: StoredObject.self)
        let silent: [() -> Bool] = [
            { !people.filter(matcher).isEmpty }, { matcher.matches(ada) }, { ada["boss"] != .null },
            { ada.value(at: "boss.name") != .null }, { !ada.objects("boss").isEmpty },
        ]
        for (turn, read) in silent.enumerated() {
            let calls: [() async throws -> Void] = [
                { _ = try await store.fetch(StoreRequest("Person")) },
                { _ = try await store.count(StoreRequest("Person")) },
                { try await store.load(["orders"], of: [ada]) }, { try await store.insert([], into: "Person") },
                { for try await _ in store.objects(StoreRequest("Person")) {} },
            ]
            #expect(!read())
            let asked = service.texts.count
            #expect(isNotLoaded(await Self.failure(calls[turn])))
            #expect(service.texts.count == asked)
            #expect(await Self.failure(calls[turn]) == nil)
        }
        let before = service.texts.count
        try await store.load(["boss.name", "boss.boss.orders"], of: people)
        #expect(service.texts.count == before + 3)
        #expect(try ada.readValue(at: "boss.name") == "ss" && isNamed.evaluate(ada) == false)
        try await store.load(["boss.boss"], of: people)
        #expect(service.texts.count == before + 3)
        #expect(await Self.failure { try ada.readValue(at: "boss.boss.boss.name") } == nil)
    }

    @Test @MainActor func typesAndSequences() async throws {
        struct Employee: Decodable {
            struct Boss: Decodable { let name: String }
            let name: String
            let boss: Boss?
        }
        let store = try RecordStore(FakeService(RecordStoreTests.memory(), Self.equality))
        let request = StoreRequest("Person", sort: [PredicateSortKey("id")], limit: 4, prefetch: ["boss"])
        #expect(try await store.fetch(Employee.self, request).map { $0.boss?.name } == [nil, "Ada", nil, "ss"])
        guard
            case .notLoaded? = await Self.failure({
                try await store.fetch(Employee.self, StoreRequest("Person", limit: 4))
            })
        else { throw StoreFailure.cancelled }
        var keys: [PredicateValue] = []
        for try await person in store.objects(request) { keys.append(person["id"]) }
        #expect(keys == [0, 1, 2, 3])
        guard case .notUnique? = await Self.failure({ try await store.one(request) }) else {
            throw StoreFailure.cancelled
        }
    }

    // MARK: Changes

    @Test func changes() async throws {
        let memory = try RecordStoreTests.memory()
        let service = FakeService(memory, Self.equality)
        let store = try RecordStore(service)
        #expect(try await store.insert([["id": 50, "name": "New", "boss": 3]], into: "Person") == 1)
        #expect(try await store.insertReturningKeys([["id": 51, "name": "Newer"]], into: "Person") == [[51]])
        let asked = service.texts.count
        await #expect(throws: StoreFailure.self) { try await store.insert([["id": 52, "nme": "x"]], into: "Person") }
        await #expect(throws: StoreFailure.self) { try await store.insert([["id": "x"]], into: "Person") }
        #expect(service.texts.count == asked)
        // The constraint is the service's.
        guard
            case .constraint? = await Self.failure({
                try await store.insert([["id": 50, "name": "x"]], into: "Person")
            })
        else { throw StoreFailure.cancelled }
        // A residual decides what is changed, by key; expressions read related objects.
        let old = StoreRequest("Person", where: try FormatPredicate("name MATCHES 'New.*' AND boss.id == 3"))
        let assignments = [
            KeyAssignment("nick", try FormatExpression("uppercase(name)")),
            KeyAssignment("age", try FormatExpression("boss.id * 2")), KeyAssignment("boss", .null),
        ]
        #expect(try await store.update(old, set: assignments) == 1)
        #expect(service.texts.last == "update Person [\"50\"]")
        let new = try #require(try memory.one(StoreRequest("Person", matching: ["id": 50])))
        #expect(new["nick"] == "NEW" && new["age"] == 6 && new["boss"] == .null)
        #expect(try await store.update(old, set: assignments) == 0)
        await #expect(throws: StoreFailure.self) {
            try await store.update(StoreRequest("Person"), set: [KeyAssignment("age", .string("x"))])
        }
        #expect(try await store.delete(StoreRequest("Person", where: FormatPredicate("name BEGINSWITH 'New'"))) == 2)
        #expect(service.texts.last == "delete Person [50, 51]")
        #expect(try memory.count(StoreRequest("Person")) == 20)
        await #expect(throws: StoreFailure.self) {
            try await store.delete(StoreRequest("Person", where: FormatPredicate("1 == 1")))
        }
    }

    @Test func sourcesThatDoNotChange() async throws {
        let store = try RecordStore(Repeating(service: FakeService(RecordStoreTests.memory())))
        let one = StoreRequest("Person", matching: ["id": 3])
        let calls: [() async throws -> Int] = [
            { try await store.insert([["id": 50, "name": "x"]], into: "Person") },
            { try await store.update(one, set: [KeyAssignment("nick", "x")]) }, { try await store.delete(one) },
        ]
        for call in calls {
            guard case .readOnly? = await Self.failure(call) else { throw StoreFailure.cancelled }
        }
    }

    /// A changed record is not read from the cache.
    @Test func changesEmptyTheCache() async throws {
        let memory = try RecordStoreTests.memory()
        let store = try RecordStore(FakeService(memory, StoreCapabilities(findsKeys: true)), maximumAge: .seconds(1000))
        let one = StoreRequest("Person", matching: ["id": 3])
        #expect(try await store.one(one)?["nick"] != "x")
        #expect(try await store.update(one, set: [KeyAssignment("nick", "x")]) == 1)
        #expect(try await store.one(one)?["nick"] == "x")
    }

    // MARK: Random faults

    /// Whatever fails, an answer is right or an error, and the same store has the right answer afterwards.
    @Test func randomFaults() async throws {
        let memory = try RecordStoreTests.memory()
        let counts = Mutex((thrown: 0, right: 0))
        let turns = TestDepth.isQuick ? 60 : TestDepth.count(10_000)
        try await forEachConcurrently(turns, width: 200) { turn in
            var random = SplitMix(99 &+ UInt64(turn) &* 104_729)
            var capabilities = RecordStoreTests.capabilities(&random)
            if random.chance(30) { capabilities = Self.equality }
            let failing = Mutex(random.below(6))
            let isCancelled = random.chance(30)
            let task = Mutex<Task<[String], any Error>?>(nil)
            let service = FakeService(memory, capabilities) { call, _ in
                let fails = failing.withLock { left in
                    left -= 1
                    return left == -1
                }
                if !fails { return }
                if isCancelled { task.withLock { $0?.cancel() } } else { throw ServiceError(call: call) }
            }
            let store = try RecordStore(service, maximumAge: .zero, batchSize: 1 + random.below(10))
            let text = random.pick([
                "boss == nil", "boss.name == 'Ada'", "ANY orders.total > 50 AND boss.boss.age != nil",
                "orders.@count > 2",
                "SUBQUERY(orders, $o, $o.owner.boss.name == 'Ada').@count > 0", "NOT boss.name MATCHES '[A-Z].*'",
                "id < 100 AND orders.@max.total > 10", "boss.id == 3 OR name == 'Ada'",
            ])
            let sort = random.pick(["id", "-boss.name,id", "boss.boss.nick,-age,id"])
            let request = StoreRequest(
                "Person", where: try FormatPredicate(text), sort: try #require(PredicateSortKey.list(sort)),
                limit: random.chance(50) ? random.below(9) : nil)
            let (kind, isFiltered) = (random.below(4), random.chance(50))
            @Sendable func read() async throws -> [String] {
                switch kind {
                case 0:
                    let all = try await store.fetch(StoreRequest("Person", sort: [PredicateSortKey("id")]))
                    try await store.load(["boss.boss", "orders.owner.boss"], of: all)
                    if !isFiltered {
                        let matcher = try request.predicate.compiled(for: StoredObject.self)
                        return all.filter(matcher).map { "\($0["id"])" }
                    }
                    return try all.filter(request.predicate).map { "\($0["id"])" }
                case 1:
                    var request = request
                    request.properties = ["id", "boss.name", "boss.boss.nick"]
                    return try await store.records(request).map { "\($0)" }
                case 2:
                    var (found, request) = ([String](), request)
                    request.prefetch = ["boss", "orders"]
                    for try await object in store.objects(request) {
                        found.append(
                            "\(object["id"]) \(object.value(at: "boss.name")) \(object.value(at: "orders.id"))")
                    }
                    return found
                default: return [String(try await store.count(request))]
                }
            }
            func right() throws -> [String] {
                switch kind {
                case 0:
                    return try memory.fetch(
                        StoreRequest("Person", where: request.predicate, sort: [PredicateSortKey("id")])
                    ).map { "\($0["id"])" }
                case 1:
                    var request = request
                    request.properties = ["id", "boss.name", "boss.boss.nick"]
                    return try memory.records(request).map { "\($0)" }
                case 2:
                    return try memory.fetch(request).map {
                        "\($0["id"]) \($0.value(at: "boss.name")) \($0.value(at: "orders.id"))"
                    }
                default: return [String(try memory.count(request))]
                }
            }
            let expected = try right()
            let new = Task {
                // The task is known to the service before it asks.
                while task.withLock({ $0 == nil }) { await Task.yield() }
                return try await read()
            }
            task.withLock { $0 = new }
            do {
                let found = try await new.value
                #expect(found == expected, "\(kind) \(text) \(sort) \(capabilities)")
                counts.withLock { $0.right += 1 }
            } catch {
                switch error as? StoreFailure {
                case .cancelled? where isCancelled: break
                case .backEnd(let error)? where !isCancelled: #expect(error is ServiceError)
                default: Issue.record("\(error): \(kind) \(text)")
                }
                counts.withLock { $0.thrown += 1 }
            }
            failing.withLock { $0 = .max }
            #expect(try await read() == expected, "\(kind) \(text) \(sort) \(capabilities)")
        }
        let (thrown, right) = counts.withLock { ($0.thrown, $0.right) }
        TestDepth.note("\(turns) faults of a service, \(thrown) of them thrown")
        #expect(thrown > turns / 4 && right > 0)
    }
}
