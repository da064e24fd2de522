// The matrix in stores: every construct in every position has the value that memory computes from plain dictionaries, or
// is refused in words. In memory, in SQLite, over a back end with random capabilities, and over drivers.

import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct StoreMatrixTests {
    /// A back end that executes what its capabilities allow.
    private struct Source: RecordSource {
        let memory: InMemoryStore
        let capabilities: StoreCapabilities
        var schema: PredicateSchema { memory.schema }

        init(_ memory: InMemoryStore, _ random: inout SplitMix) {
            self.memory = memory
            var found = StoreCapabilities(
                combinesOr: random.chance(50), negates: random.chance(50), limits: random.chance(50),
                comparesNil: random.chance(50))
            for key in memory.schema.entities[0].attributes.map(\.name) where random.chance(60) {
                found.operators[key] = [.equal, .notEqual, .lessThan, .greaterThanOrEqual, .in, .between]
                if random.chance(50) { found.sortKeys.insert(key) }
            }
            capabilities = found
        }

        func records(_ request: StoreRequest) async throws -> [ValueDictionary] {
            try memory.fetch(request).map { object in
                var record = object.attributes
                record["owner"] = object["owner"].as(StoredObject.self)?.primaryKey[0] ?? .null
                return record
            }
        }
    }

    /// The objects, as dictionaries and in stores.
    private final class World {
        let graphs: [PredicateValue]
        private let schema: PredicateSchema
        private let objects: [ValueDictionary]
        let memory: InMemoryStore
        let database: SQLiteStore
        let service: RecordStore<Source>
        /// The answers, and those among them that are refusals though the value can be computed.
        var (answers, refusals) = (0, 0)

        init(isHostile: Bool, _ random: inout SplitMix) throws {
            let objects = Matrix.objects(isHostile: isHostile)
            graphs = Matrix.graphs(objects)
            schema = try Matrix.schema()
            // As JSON has them: whole doubles are integers. The schema gives them their type.
            self.objects = objects.map { object in
                ValueDictionary(
                    zip(object.keys, object.values).map { key, value in
                        guard case .double(let number) = value, let whole = Int64(exactly: number) else {
                            return (key, value)
                        }
                        return (key, .integer(whole))
                    })
            }
            memory = try InMemoryStore(schema, ["Thing": self.objects])
            database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
            try database.create(schema)
            try database.insert(objects, into: "Thing")
            service = try RecordStore(Source(memory, &random))
        }

        /// A store in memory that may be changed.
        func copy() throws -> InMemoryStore { try InMemoryStore(schema, ["Thing": objects]) }

        /// Notes the answer of a store. Only requests may be refused, and a failure must be one of memory, too.
        func note(_ what: String, _ failure: (any Error)?, mayFail: Bool) {
            answers += 1
            guard let failure else { return }
            guard case .request? = failure as? StoreFailure else {
                Issue.record("\(what): \(failure)")
                return
            }
            refusals += mayFail ? 0 : 1
        }
    }

    /// The values of an expression for each object; nil where it fails.
    private static func values(_ one: MatrixExpression, _ world: World, variable: String?) -> [PredicateValue?] {
        guard let parsed = try? FormatExpression(one.meaning ?? one.text, arguments: [], in: Matrix.environment) else {
            Issue.record("\(one.text) is no expression")
            return []
        }
        return world.graphs.map { object in
            try? parsed.evaluate(object, variables: variable == nil ? [:] : ["p": object])
        }
    }

    private static func check(_ one: MatrixExpression, _ positions: [Matrix.Position], _ world: World) async {
        let isInner = positions == [.subquery]
        let values = values(one, world, variable: isInner ? "p" : nil)
        let present = values.compactMap { $0 }.filter { !$0.isNil }
        guard let constant = present.first else { return }
        for position in positions {
            if position.condition("") != nil {
                await checkCondition(one, position, constant, world)
            } else if position == .update {
                checkUpdate(one, values, constant, world)
            } else {
                await checkOrder(one, position, values, world)
            }
        }
    }

    private static func checkCondition(
        _ one: MatrixExpression, _ position: Matrix.Position, _ constant: PredicateValue, _ world: World
    ) async {
        func predicate(_ text: String) -> FormatPredicate? {
            guard let condition = position.condition(text) else { return nil }
            let count = condition.split(separator: "%@", omittingEmptySubsequences: false).count - 1
            return try? FormatPredicate(
                condition, arguments: Array(repeating: constant, count: count), in: Matrix.environment)
        }
        guard let meant = predicate(one.meaning ?? one.text), let predicate = predicate(one.text),
            let matcher = try? meant.compiled()
        else {
            Issue.record("\(position) \(one.text) is no condition")
            return
        }
        let results = world.graphs.map { try? matcher.test($0) }
        let expected = results.indices.filter { results[$0] == true }.map { Int64($0) }
        let request = StoreRequest("Thing", where: predicate)
        await compare("\(position) \(predicate)", expected, mayFail: results.contains(nil), request, world)
        guard position == .left, !one.text.contains("parts"), !one.text.contains("ns"), !one.text.contains("tags")
        else { return }
        checkHaving(predicate, expected, mayFail: results.contains(nil), world)
    }

    /// A condition of groups, each of which is one object.
    private static func checkHaving(
        _ predicate: FormatPredicate, _ expected: [Int64], mayFail: Bool, _ world: World
    ) {
        var request = StoreRequest("Thing")
        let keys = world.memory.schema.entities[0].attributes.map(\.name).filter { !["ns", "tags"].contains($0) }
        request.groupBy = keys + keys.map { "owner." + $0 }
        (request.properties, request.having) = (["id"], predicate)
        for (name, records) in [("memory", world.memory.records), ("sqlite", world.database.records)] {
            do {
                let found = try records(request).compactMap { if case .integer(let id) = $0["id"] { id } else { nil } }
                world.note("having \(predicate)", nil, mayFail: mayFail)
                #expect(found.sorted() == expected, "\(name): having \(predicate)")
            } catch {
                world.note("\(name): having \(predicate)", error, mayFail: mayFail)
            }
        }
    }

    private static func compare(
        _ what: String, _ expected: [Int64], mayFail: Bool, _ request: StoreRequest, _ world: World
    ) async {
        func check(_ name: String, _ result: Result<[StoredObject], any Error>) {
            switch result {
            case .success(let objects):
                world.note(what, nil, mayFail: mayFail)
                let found = objects.compactMap { if case .integer(let id) = $0["id"] { id } else { nil } }
                #expect((request.sort.isEmpty ? found.sorted() : found) == expected, "\(name): \(what)")
            case .failure(let failure): world.note("\(name): \(what)", failure, mayFail: mayFail)
            }
        }
        check("memory", Result { try world.memory.fetch(request) })
        check("sqlite", Result { try world.database.fetch(request) })
        do {
            check("service", .success(try await world.service.fetch(request)))
        } catch {
            check("service", .failure(error))
        }
    }

    private static func checkOrder(
        _ one: MatrixExpression, _ position: Matrix.Position, _ values: [PredicateValue?], _ world: World
    ) async {
        let key = PredicateSortKey(one.text, descending: position == .page, in: Matrix.environment)
        var sorter = Sorter<Int>(keys: [key])
        for (index, value) in values.enumerated() { sorter.add(index, fields: [value ?? .null]) }
        let expected = sorter.finish().map { Int64($0) }
        let mayFail = values.contains(nil)
        var request = StoreRequest("Thing", sort: [key])
        if position == .sort { return await compare("sort \(one.text)", expected, mayFail: mayFail, request, world) }
        (request.limit, request.offset) = (4, 3)
        let window = Array(expected.dropFirst(3).prefix(4))
        await compare("page \(one.text)", window, mayFail: mayFail, request, world)
    }

    private static func checkUpdate(
        _ one: MatrixExpression, _ values: [PredicateValue?], _ constant: PredicateValue, _ world: World
    ) {
        guard let key = Matrix.key(for: constant), let expression = one.parsed else { return }
        struct Undone: Error {}
        func check(_ name: String, _ store: some PredicateStore) throws {
            try store.update(StoreRequest("Thing"), set: [KeyAssignment(key, expression)])
            let objects = try store.fetch(StoreRequest("Thing", sort: [PredicateSortKey("id")]))
            let found = objects.map { $0[key] }
            let isStored = zip(found, values).allSatisfy { Matrix.isStored($0, $1) }
            #expect(isStored, "\(name): \(key) = \(one.text): \(found), not \(values)")
            throw Undone()
        }
        for change in [
            { try check("memory", world.copy()) },
            { try world.database.transaction { try check("sqlite", world.database) } },
        ] {
            do {
                try change()
            } catch {
                world.note("\(key) = \(one.text)", error is Undone ? nil : error, mayFail: values.contains(nil))
            }
        }
    }

    @Test(arguments: [false, true]) func everyCellIsThatOfMemory(_ isHostile: Bool) async throws {
        var random = SplitMix(state: 5)
        let world = try World(isHostile: isHostile, &random)
        let outer = Matrix.Position.allCases.filter { $0 != .subquery }
        func some(_ all: [MatrixExpression]) -> [MatrixExpression] {
            TestDepth.some(all.shuffled(using: &random), every: 80, inCI: 4)
        }
        for one in some(Matrix.expressions()) { await Self.check(one, outer, world) }
        for one in some(Matrix.expressions(of: "$p")) { await Self.check(one, [.subquery], world) }
        let (answers, refusals) = (world.answers, world.refusals)
        #expect(answers > TestDepth.least(500) && refusals * 20 < answers, "\(refusals) of \(answers)")
    }
}
