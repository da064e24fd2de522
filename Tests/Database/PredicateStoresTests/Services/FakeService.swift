// A back end over objects in memory, with the latency of a network, for tests of RecordStore. It fails on demand, and
// counts what it is asked.

@testable import PredicateStores
import PredicateTestSupport

/// The error of the service itself.
struct ServiceError: Error, Equatable {
    let call: Int
}

final class FakeService: RecordSource {
    struct Asked: Sendable {
        /// The texts of what was asked: `Person id == 3`, `Order [1, 2]`.
        var texts: [String] = []
        /// The calls that were answered.
        var finished = 0
        var running = 0
        var mostAtOnce = 0
    }

    let memory: InMemoryStore
    let capabilities: StoreCapabilities
    let asked = Mutex(Asked())
    private let latency: Duration
    /// Called with the number of each call, from 0, and its text.
    private let call: @Sendable (Int, String) throws -> Void
    /// Changes what the service answers.
    private let change: @Sendable ([ValueDictionary]) -> [ValueDictionary]

    var schema: PredicateSchema { memory.schema }
    var texts: [String] { asked.withLock { $0.texts } }

    init(
        _ memory: InMemoryStore, _ capabilities: StoreCapabilities = StoreCapabilities(),
        latency: Duration = .milliseconds(50), call: @escaping @Sendable (Int, String) throws -> Void = { _, _ in },
        change: @escaping @Sendable ([ValueDictionary]) -> [ValueDictionary] = { $0 }
    ) {
        self.memory = memory
        self.capabilities = capabilities
        self.latency = latency
        self.change = change
        self.call = call
    }

    /// Answers a call after some time.
    private func answer<Answer>(_ text: String, _ body: () throws -> Answer) async throws -> Answer {
        let number = asked.withLock { asked in
            asked.texts.append(text)
            asked.running += 1
            asked.mostAtOnce = max(asked.mostAtOnce, asked.running)
            return asked.texts.count - 1
        }
        defer { asked.withLock { $0.running -= 1 } }
        try call(number, text)
        try await Task.sleep(for: latency, clock: .continuous)
        let answer = try body()
        asked.withLock { $0.finished += 1 }
        return answer
    }

    func records(_ request: StoreRequest) async throws -> [ValueDictionary] {
        let isWhole = request.limit == nil && request.offset == 0
        let window = isWhole ? "" : " \(request.offset), \(request.limit ?? .max)"
        return try await answer("\(request.entity) \(request.predicate)\(window)") { try change(found(request)) }
    }

    func keys(_ request: StoreRequest) async throws -> [PredicateValue] {
        try await answer("\(request.entity) keys \(request.predicate)") { try found(request).map { $0["id"] ?? .null } }
    }

    func records(of entity: String, keys: [PredicateValue]) async throws -> [ValueDictionary] {
        try await answer("\(entity) \(keys.map { "\($0)" }.sorted())") {
            let objects = try memory.fetch(StoreRequest(entity, sort: [PredicateSortKey("id")]))
            return change(objects.filter { keys.contains($0["id"]) }.map(record))
        }
    }

    func insert(_ records: [ValueDictionary], into entity: String) async throws -> [PredicateValue] {
        try await answer("insert \(entity)") { try memory.insertReturningKeys(records, into: entity).map { $0[0] } }
    }

    func update(_ changes: [(key: PredicateValue, values: ValueDictionary)], in entity: String) async throws {
        try await answer("update \(entity) \(changes.map { "\($0.key)" })") {
            for (key, values) in changes {
                try memory.update(
                    StoreRequest(entity, matching: ["id": key]),
                    set: zip(values.keys, values.values).map { KeyAssignment($0, $1) })
            }
        }
    }

    func delete(_ keys: [PredicateValue], from entity: String) async throws {
        try await answer("delete \(entity) \(keys)") {
            for key in keys { try memory.delete(StoreRequest(entity, matching: ["id": key])) }
        }
    }

    // MARK: The objects as records

    private func found(_ request: StoreRequest) throws -> [ValueDictionary] {
        guard allows(request.predicate.root, request.entity), request.prefetch.isEmpty,
            request.sort.allSatisfy({ $0.options == [] && capabilities.sortKeys.contains($0.path) }),
            request.sort.count < 2 || !capabilities.sortsByOneKey,
            capabilities.limits || (request.limit == nil && request.offset == 0)
        else { throw StoreFailure.schema("the service cannot do \(request)") }
        let sort = request.sort.isEmpty ? [PredicateSortKey("id")] : request.sort
        let matcher = try request.predicate.compiled()
        let found = try memory.fetch(StoreRequest(request.entity, sort: sort)).map(record)
            .filter { matcher.matches(.dictionary($0)) }
        return Array(found.dropFirst(request.offset).prefix(request.limit ?? .max))
    }

    private func record(_ object: StoredObject) -> ValueDictionary {
        let relationships = schema.entity(object.entity)?.relationships.filter { !$0.isToMany } ?? []
        let links = relationships.map { ($0.name, object.storedKey(of: $0.name)?[0] ?? .null) }
        return ValueDictionary(Array(zip(object.attributes.keys, object.attributes.values)) + links)
    }

    private func allows(_ node: PredicateNode, _ entity: String) -> Bool {
        switch node.kind {
        case .constant: return true
        case .and(let children): return children.allSatisfy { allows($0, entity) }
        case .or(let children): return capabilities.combinesOr && children.allSatisfy { allows($0, entity) }
        case .not(let child): return capabilities.negates && allows(child, entity)
        case .comparison(let comparison):
            guard case .keyPath(let keys) = comparison.left.kind else { return false }
            if case .value(let value) = comparison.right.kind, value.isNil, !capabilities.comparesNil { return false }
            // The constants have the type of the attribute, or of its elements.
            if case .attribute(let attribute)? = schema.key(keys.joined(separator: "."), of: entity) {
                var kind = attribute.type
                if case .collection(_, let element) = kind { kind = element.kind }
                var constants = comparison.right.constant.map { [$0] } ?? []
                if case .array(let elements)? = constants.first { constants = elements }
                guard constants.allSatisfy({ $0.isNil || ExpressionType(of: $0).kind == kind }) else { return false }
            }
            return capabilities.operators[keys.joined(separator: ".")]?.contains(comparison.operator) ?? false
        case .error: return false
        }
    }
}

/// Runs `body` for each number, many at the same time, so that the latency of a service does not add up.
func forEachConcurrently(
    _ count: Int, width: Int = 100, _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count {
            if number >= width { try await group.next() }
            group.addTask { try await body(number) }
        }
        try await group.waitForAll()
    }
}
