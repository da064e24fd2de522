// Reads of relationships that fail: cancelled tasks, locks, errors of the back end. No value is nil that is not nil in
// the store, and the same objects read the right values afterwards.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

/// Decides which reads fail. Thread-safe.
private final class Failing: Sendable {
    private let state = Mutex<(after: Int, failure: StoreFailure)?>(nil)

    /// After this many more reads, all fail until `stop`.
    func start(after count: Int, _ failure: StoreFailure) { state.withLock { $0 = (count, failure) } }
    func stop() { state.withLock { $0 = nil } }

    func check() throws(StoreFailure) {
        let failure: StoreFailure? = state.withLock { state in
            guard let (after, failure) = state else { return nil }
            if after > 0 { state = (after - 1, failure) }
            return after > 0 ? nil : failure
        }
        if let failure { throw failure }
    }
}

/// A connection to SQLite that fails on demand.
private final class FailingConnection: SQLConnection {
    let connection: SQLiteConnection
    let failing: Failing

    init(_ path: String, _ failing: Failing) throws {
        connection = try SQLiteConnection(path, flags: 6, busyMilliseconds: 0)
        self.failing = failing
    }

    func run(_ statement: String, _ bindings: [PredicateValue], types: [SQLType]) throws(StoreFailure) -> SQLiteRows {
        try failing.check()
        return try connection.run(statement, bindings, types: types)
    }

    var cancel: @Sendable () -> Void { connection.cancel }
}

@Suite struct FaultTests {
    /// Eight lists, the todos of which have one of them, none, or a key that no list has.
    private static func memory() throws -> InMemoryStore {
        let schema = try PredicateSchema([
            .init(
                "list", primaryKey: ["id"], attributes: [.init("id", .integer), .init("name", .string)],
                relationships: [.init("todos", toMany: "todo", link: .foreignKey("list_id"))]),
            .init(
                "todo", primaryKey: ["id"], attributes: [.init("id", .integer), .init("title", .string)],
                relationships: [.init("list", to: "list", link: .column("list_id"))]),
        ])
        let lists = (0..<8).map { ValueDictionary([("id", .integer($0)), ("name", .string("l\($0 % 5)"))]) }
        let todos = (0..<40).map { (id: Int64) in
            ValueDictionary([
                ("id", .integer(id)), ("title", .string("t\(id % 7)")),
                ("list", id % 9 == 4 ? .null : .integer(id % 9 == 5 ? 99 : id % 9 % 8)),
            ])
        }
        return try InMemoryStore(schema, ["list": lists, "todo": todos])
    }

    private enum Kind: CaseIterable { case connection, locked, memory }

    private struct Place {
        let store: any PredicateStore
        let failing: Failing
        let path: String?
    }

    private static func place(_ kind: Kind, _ memory: InMemoryStore) throws -> Place {
        let failing = Failing()
        switch kind {
        case .memory: return Place(store: memory, failing: failing, path: nil)
        case .connection, .locked:
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
            let writer = try SQLiteStore(path: path, schema: memory.schema, mode: .create, foreignKeys: .off)
            _ = try writer.rows("CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT)")
            _ = try writer.rows("CREATE TABLE todo (id INTEGER PRIMARY KEY, title TEXT, list_id INTEGER)")
            try writer.insert(
                memory.fetch(StoreRequest("list")).map { ["id": $0["id"], "name": $0["name"]] }, into: "list")
            try writer.insert(
                memory.fetch(StoreRequest("todo")).map { todo in
                    ["id": todo["id"], "title": todo["title"], "list": todo.value(at: "list.id")]
                }, into: "todo")
            if kind == .locked {
                let store = try SQLiteStore(path: path, schema: memory.schema, busyTimeout: .zero)
                return Place(store: store, failing: failing, path: path)
            }
            let store = try SQLStore(
                schema: memory.schema, dialect: .sqlite, connection: FailingConnection(path, failing))
            return Place(store: store, failing: failing, path: path)
        }
    }

    // MARK: What reads relationships

    /// `list.name LIKE` with a pattern that SQL does not express, so that it is tested in memory.
    private static let predicates = [
        "list == nil", "list.name == 'l2'", "list.name MATCHES '(?!l1).*'", "list.name == nil",
        "list.todos.@count > 4 AND title MATCHES '(?!t1).*'", "NOT (list.name MATCHES 'l[12]')",
    ]

    /// Reads relationships in some way and returns the keys of the todos that it finds, or their values.
    private static func read(
        _ turn: Int, _ store: any PredicateStore, _ objects: [StoredObject], _ text: String
    ) throws -> [String] {
        let request = StoreRequest("todo", where: try FormatPredicate(text), sort: [PredicateSortKey("id")])
        func keys(_ objects: [StoredObject]) -> [String] { objects.map { "\($0["id"])" } }
        switch turn {
        case 0: return keys(try objects.filter(FormatPredicate(text)))
        case 1: return keys(try objects.filter { try FormatPredicate(text).evaluate($0) })
        case 2: return keys(try objects.sorted(by: [PredicateSortKey("list.name"), PredicateSortKey("id")]))
        case 3: return try objects.map { "\(try $0.readValue(at: "list.name"))" }
        case 4: return keys(try store.fetch(request))
        case 5:
            let cursor = try store.cursor(request)
            var found: [StoredObject] = []
            while let object = try cursor.next() { found.append(object) }
            return keys(found)
        case 6:
            var request = request
            request.properties = ["id", "list.name"]
            return try store.records(request).map { "\($0)" }
        case 7:
            var request = StoreRequest("todo")
            (request.groupBy, request.properties) = (["list.name"], ["list.name", "@count"])
            return try store.records(request).map { "\($0)" }.sorted()
        case 8: return [String(try store.count(request))]
        case 9:
            var request = request
            request.prefetch = ["list.todos"]
            return try store.fetch(request).map { "\($0.value(at: "list.todos.id"))" }
        case 10:
            let sort = [PredicateSortKey("list.name", descending: true), PredicateSortKey("id")]
            return keys(try store.fetch(StoreRequest("todo", where: request.predicate, sort: sort)))
        case 11:
            struct Todo: Decodable {
                struct List: Decodable { let name: String }
                let id: Int
                let list: List?
            }
            return try objects.map { try $0.decoded(as: Todo.self) }.map { "\($0.id) \($0.list?.name ?? "-")" }
        default:
            // What cannot throw: the failure is in the log of the fetch.
            let matcher = try FormatPredicate(text).compiled(for: StoredObject.self)
            let found = keys(objects.filter(matcher))
            try objects.first?.checkFaults()
            return found
        }
    }

    private static let turns = 13

    @Test func failuresAreThrownAndNotKept() async throws {
        let memory = try Self.memory()
        var random = SplitMix(state: 77)
        var (faults, failed) = (0, 0)
        for kind in Kind.allCases {
            let place = try Self.place(kind, memory)
            defer { if let path = place.path { try? FileManager.default.removeItem(atPath: path) } }
            let locker = try place.path.map { try SQLiteStore(path: $0, mode: .readWrite) }
            for _ in 0..<TestDepth.count(2000) {
                let turn = random.below(Self.turns)
                let text = random.pick(Self.predicates)
                let all = StoreRequest("todo", where: .constant(true), sort: [PredicateSortKey("id")])
                let right = try Self.read(turn, memory, memory.fetch(all), text)
                let objects = try Self.objects(random.chance(50), all, place.store)
                faults += 1
                let isCancelled = kind == .memory || random.chance(25)
                let result: Result<[String], any Error>
                if isCancelled {
                    result = await Self.cancelled { try Self.read(turn, place.store, objects, text) }
                } else if kind == .locked {
                    _ = try locker?.rows("BEGIN EXCLUSIVE")
                    result = Result { try Self.read(turn, place.store, objects, text) }
                    _ = try locker?.rows("ROLLBACK")
                } else {
                    let failure: StoreFailure =
                        random.chance(50)
                        ? .engine(code: 1, message: "no answer", statement: "")
                        : .unusable(.locked, statement: "SELECT")
                    place.failing.start(after: random.below(3), failure)
                    result = Result { try Self.read(turn, place.store, objects, text) }
                    place.failing.stop()
                }
                switch result {
                case .success(let found): #expect(found == right, "\(kind) \(turn) \(text)")
                case .failure(let error):
                    failed += 1
                    let cause = (error as? PredicateFailure)?.cause ?? error
                    #expect(cause is StoreFailure, "\(kind) \(turn) \(text): \(error)")
                }
                // The cause is gone: the same objects have the right values.
                #expect(try Self.read(turn, place.store, objects, text) == right, "\(kind) \(turn) \(text)")
                let names = try objects.map { try $0.readValue(at: "list.name") }
                #expect(try names == memory.fetch(all).map { $0.value(at: "list.name") }, "\(kind) \(turn) \(text)")
            }
        }
        TestDepth.note("\(faults) faults, \(failed) of them thrown")
        #expect(failed > faults / 4)
    }

    private static func objects(
        _ inContext: Bool, _ request: StoreRequest, _ store: any PredicateStore
    ) throws -> [StoredObject] {
        func open(_ store: some PredicateStore) throws -> [StoredObject] {
            inContext ? try StoreContext(store).fetch(request) : try store.fetch(request)
        }
        return try open(store)
    }

    private static func cancelled(
        _ body: @escaping @Sendable () throws -> [String]
    ) async -> Result<[String], any Error> {
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Result { try body() }
        }.value
    }

    /// A context keeps the object, and not the failure.
    @Test func contextsReadAgain() throws {
        let place = try Self.place(.connection, Self.memory())
        defer { place.path.map { try? FileManager.default.removeItem(atPath: $0) } }
        func check(_ store: some PredicateStore) throws {
            let context = StoreContext(store)
            let todo = try #require(try context.one(StoreRequest("todo", matching: ["id": .integer(1)])))
            place.failing.start(after: 0, .cancelled)
            #expect(todo.value(forKey: "list") == nil && todo.objects("list").isEmpty)
            #expect(throws: StoreFailure.self) { try todo.readValue(forKey: "list") }
            #expect(throws: StoreFailure.self) { try todo.checkFaults() }
            #expect(throws: PredicateFailure.self) { try FormatPredicate("list == nil").evaluate(todo) }
            place.failing.stop()
            #expect(try FormatPredicate("list.name == 'l1'").evaluate(todo))
            let again = try #require(try context.one(StoreRequest("todo", matching: ["id": .integer(1)])))
            #expect(again === todo && again.value(at: "list.name") == .string("l1"))
        }
        try check(place.store)
    }

    /// A cursor that failed returns no object twice and leaves none out.
    @Test func cursorsContinue() throws {
        let place = try Self.place(.connection, Self.memory())
        defer { place.path.map { try? FileManager.default.removeItem(atPath: $0) } }
        var request = StoreRequest("todo", where: try FormatPredicate("list.name MATCHES '(?!l1).*'"))
        request.batchSize = 7
        let right = try place.store.fetch(request).map { $0["id"] }
        let cursor = try place.store.cursor(request)
        var found: [PredicateValue] = []
        for turn in 0..<200 {
            if turn % 2 == 0 { place.failing.start(after: 0, .unusable(.locked, statement: "")) }
            defer { place.failing.stop() }
            do throws(StoreFailure) {
                if let object = try cursor.next() { found.append(object["id"]) }
            } catch {
                #expect(turn % 2 == 0)
            }
        }
        #expect(found == right && found.count > 20)
    }
}
