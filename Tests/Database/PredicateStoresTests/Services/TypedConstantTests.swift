// A back end gets constants of the types of its attributes, and terms that it need not decide are decided before it is
// asked.

@testable import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct TypedConstantTests {
    private static let types: [(name: String, type: ExpressionType.Kind)] = [
        ("id", .integer), ("flag", .boolean), ("count", .integer), ("weight", .double), ("price", .decimal),
        ("name", .string), ("born", .date), ("bytes", .data), ("code", .uuid), ("link", .url),
        ("tags", .list(of: .string)),
    ]

    private static func schema() throws -> PredicateSchema {
        let attributes = types.map { PredicateSchema.Attribute($0.name, $0.type, isOptional: $0.name != "id") }
        return try PredicateSchema([.init("Thing", primaryKey: ["id"], attributes: attributes)])
    }

    private static let operators: [ComparisonOperator] = [
        .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .in, .between, .beginsWith,
        .endsWith, .contains, .like, .matches,
    ]

    private static var everything: StoreCapabilities {
        StoreCapabilities(
            operators: Dictionary(uniqueKeysWithValues: types.map { ($0.name, Set(operators)) }), combinesOr: true,
            negates: true)
    }

    /// What a back end is asked for a predicate, and what is tested in memory.
    private static let asked: [(predicate: String, asked: String, residual: String?)] = [
        // No value of the type is equal.
        ("count == '3'", "FALSEPREDICATE", nil), ("name == 5", "FALSEPREDICATE", nil),
        ("name != 5", "TRUEPREDICATE", nil), ("count == 2.5", "FALSEPREDICATE", nil),
        ("NOT (name == 5)", "TRUEPREDICATE", nil), ("flag == 2", "FALSEPREDICATE", nil),
        ("count IN {1, '3'}", "count == 1", nil), ("name IN {5, 'x'}", "name == \"x\"", nil),
        ("name IN {5, 'x', nil, 'y'}", "name IN {\"x\", \"y\"}", nil), ("name IN {5, nil}", "FALSEPREDICATE", nil),
        ("count == 5 OR name == 5", "count == 5", nil), ("count == 5 AND name != 5", "count == 5", nil),
        ("code == 'x'", "FALSEPREDICATE", nil), ("tags CONTAINS 5", "FALSEPREDICATE", nil),
        // Numbers get the type of the attribute.
        ("count == 3.0", "count == 3", nil), ("count >= 60000.0", "count >= 60000", nil),
        ("count > 2.5", "count > 2", nil), ("count >= 2.5", "count >= 3", nil), ("count < 2.5", "count < 3", nil),
        ("count BETWEEN {3.5, 1.5}", "count BETWEEN {2, 3}", nil), ("count BETWEEN {2.1, 2.9}", "FALSEPREDICATE", nil),
        ("count == YES", "count == 1", nil), ("count > 1e30", "FALSEPREDICATE", nil), ("flag == 1", "flag == 1", nil),
        ("flag > 0", "flag > 0", nil), ("weight == 3", "weight == 3.0", nil), ("weight > YES", "weight > 1.0", nil),
        // Of these no single value has the same result.
        ("count < 1e30", "TRUEPREDICATE", "count < 1e+30"), ("price == 0.5", "TRUEPREDICATE", "price == 0.5"),
        ("count == 9007199254740992.0", "TRUEPREDICATE", "count == 9007199254740992.0"),
        // Texts.
        ("name BEGINSWITH ''", "FALSEPREDICATE", nil), ("name CONTAINS ''", "FALSEPREDICATE", nil),
        ("name IN 'abc'", "TRUEPREDICATE", "name IN \"abc\""), ("name <= nil", "name == nil", nil),
        ("name < nil", "FALSEPREDICATE", nil),
    ]

    @Test func constantsHaveTheTypesOfTheirAttributes() throws {
        let schema = try Self.schema()
        for (text, asked, residual) in Self.asked {
            let request = StoreRequest("Thing", where: try FormatPredicate(text))
            let split = CapabilitySplit(request, Self.everything, in: schema)
            #expect(split.request.predicate.description == asked && split.residual?.description == residual, "\(text)")
        }
        // A list of one value is asked with the operator that the back end has.
        let lists = StoreCapabilities(operators: ["count": [.in]])
        let request = StoreRequest("Thing", where: try FormatPredicate("count == 3.0"))
        #expect(CapabilitySplit(request, lists, in: schema).request.predicate.description == "count IN {3}")
    }

    /// A service that compares the texts of values, as a query of a URL does.
    private struct Cities: RecordSource {
        let schema: PredicateSchema
        let capabilities = StoreCapabilities(operators: [
            "id": [.equal, .in], "country": [.equal], "population": [.greaterThanOrEqual],
        ])
        static let all: [ValueDictionary] = [
            ["id": 1, "country": "5", "population": 50_000], ["id": 3, "country": "FR", "population": 60_000],
        ]

        func records(_ request: StoreRequest) throws -> [ValueDictionary] {
            func text(_ value: PredicateValue?) -> String { value.map { $0.stringValue ?? "\($0)" } ?? "" }
            return try Self.all.filter { city in
                try (request.comparisons ?? []).allSatisfy { comparison in
                    let value = comparison.value
                    if comparison.operator == .greaterThanOrEqual {
                        guard let least = Int64(text(value)) else { throw ServiceError(call: 0) }
                        return city[comparison.key]?.as(Int64.self) ?? 0 >= least
                    }
                    var values = [value]
                    if case .array(let elements) = value { values = elements }
                    return values.contains { text($0) == text(city[comparison.key]) }
                }
            }
        }
    }

    @Test func aServiceThatComparesTexts() async throws {
        let schema = try PredicateSchema([
            .init(
                "City", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("country", .string), .init("population", .integer)])
        ])
        let store = try RecordStore(Cities(schema: schema))
        let memory = try InMemoryStore(schema, ["City": Cities.all])
        let cases: [(predicate: String, ids: [PredicateValue])] = [
            ("id == '3'", []), ("id IN {1, '3'}", [1]), ("country == 5", []), ("country == '5'", [1]),
            ("id == 3.0", [3]), ("population >= 60000.0", [3]), ("population >= 59999.5", [3]), ("id != '3'", [1, 3]),
            ("id IN {3.5}", []),
        ]
        for (text, ids) in cases {
            let request = StoreRequest("City", where: try FormatPredicate(text))
            #expect(try await store.fetch(request).map { $0["id"] } == ids, "\(text)")
            #expect(try memory.fetch(request).map { $0["id"] } == ids, "\(text)")
        }
    }

    // MARK: Random stores

    private static func constant(_ random: inout SplitMix) -> PredicateValue {
        let number = Int64(random.below(7)) - 1
        switch random.below(14) {
        case 0: return .null
        case 1: return .bool(random.chance(50))
        case 2, 3: return .integer(random.pick([number, number, number, .max, .min, 1 << 53, 1 << 53 + 1]))
        case 4, 5:
            let half = Double(number) / 2
            return .double(random.pick([half, half, half, .nan, .infinity, -.infinity, 0x1p53, 1e19, -0.0]))
        case 6: return .decimal(DecimalNumber(coefficient: number * 5, exponent: -1))
        case 7, 8: return .string(random.pick(["", "a", "ab", "b", "3", "1", "A"]))
        case 9: return .date(random.pick([0, 1, 2.5, .nan]))
        case 10: return .data([UInt8(random.below(3))])
        case 11: return .uuid(UniversalID(high: 0, low: UInt64(random.below(3))))
        case 12: return .url(random.pick(["a", "3"]))
        default: return .array([.string(random.pick(["a", "b"]))])
        }
    }

    /// A value of an attribute, or another one that the attribute can store.
    private static func value(_ type: ExpressionType.Kind, _ random: inout SplitMix) -> PredicateValue {
        for _ in 0..<60 {
            let value = constant(&random)
            if ExpressionType(of: value).kind == type, !value.isNaN, value.isFinite { return value }
        }
        return .null
    }

    /// A constant that the operator can compare with the key, without an error of the type checker.
    private static func constant(
        _ type: ExpressionType.Kind, _ op: ComparisonOperator, _ random: inout SplitMix
    ) -> PredicateValue {
        for _ in 0..<60 {
            let value = constant(&random)
            switch op {
            case .equal, .notEqual, .in: return value
            case .contains where type != .string: return value
            case .beginsWith, .endsWith, .contains, .like, .matches:
                if value.isNil || value.stringValue != nil, ExpressionType(of: value).kind != .url { return value }
            default:
                if value.isNil || value.doubleValue != nil { return value }
                if ExpressionType(of: value).kind == type { return value }
            }
        }
        return .null
    }

    private static func term(_ random: inout SplitMix) -> PredicateNode {
        let (name, type) = random.pick(types)
        let isNumber = [.boolean, .integer, .double, .decimal].contains(type)
        let orders = operators.filter { [.equal, .notEqual, .in].contains($0) || Order($0) != nil || $0 == .between }
        let op =
            type == .string
            ? random.pick(operators)
            : random.pick(isNumber ? orders : [.equal, .notEqual, .in] + (type == .uuid ? [.lessThan] : []))
        let used = name == "tags" && random.chance(70) ? ComparisonOperator.contains : op
        func some(_ count: Int) -> ExpressionNode {
            let values = (0..<count).map { _ in constant(type, used, &random) }
            return ExpressionNode(.aggregate(values.map { ExpressionNode(.value($0)) }))
        }
        let side =
            switch used {
            case .in where type != .string || random.chance(80): some(random.below(4))
            case .in: ExpressionNode(.value(.string(random.pick(["", "ab", "a3"]))))
            case .between: some(2)
            default: ExpressionNode(.value(constant(type, used, &random)))
            }
        let key = ExpressionNode(.keyPath([name]))
        let isReversed = random.chance(15) && Order(used) != nil
        return PredicateNode(.comparison(ComparisonNode(isReversed ? side : key, used, isReversed ? key : side)))
    }

    private static func predicate(_ random: inout SplitMix, _ depth: Int) -> PredicateNode {
        if depth == 0 || random.chance(40) { return term(&random) }
        let parts = (0..<2).map { _ in predicate(&random, depth - 1) }
        return PredicateNode(random.pick([.and(parts), .or(parts), .not(parts[0])]))
    }

    private static func capabilities(_ random: inout SplitMix) -> StoreCapabilities {
        var found = StoreCapabilities(
            combinesOr: random.chance(50), negates: random.chance(50), limits: random.chance(50),
            comparesNil: random.chance(50), findsKeys: random.chance(25))
        for (name, _) in types where random.chance(80) {
            found.operators[name] = Set(operators.filter { _ in random.chance(70) })
        }
        return found
    }

    @Test func constantsOfEveryTypeHaveTheAnswerOfMemory() async throws {
        let schema = try Self.schema()
        let counts = Mutex((valid: 0, pushed: 0, decided: 0))
        try await forEachConcurrently(TestDepth.count(40_000, full: 100_000) / 50) { turn in
            var random = SplitMix(815 &+ UInt64(turn) &* 6151)
            let things = (0..<12).map { id in
                ValueDictionary(
                    Self.types.map { ($0.name, $0.name == "id" ? .integer(Int64(id)) : Self.value($0.type, &random)) })
            }
            let memory = try InMemoryStore(schema, ["Thing": things])
            let service = FakeService(memory, Self.capabilities(&random), latency: .zero)
            let store = try RecordStore(service)
            for _ in 0..<50 {
                let request = StoreRequest("Thing", where: FormatPredicate(Self.predicate(&random, 2)))
                guard let expected = try? memory.fetch(request).map(\.primaryKey.description).sorted() else {
                    // The types do not fit, which each store finds.
                    await #expect(throws: StoreFailure.self) { try await store.fetch(request) }
                    continue
                }
                let found = try await store.fetch(request).map(\.primaryKey.description).sorted()
                let split = store.split(request)
                #expect(found == expected, "\(request.predicate), \(split.request.predicate), \(service.capabilities)")
                counts.withLock { counts in
                    counts.valid += 1
                    if case .constant = split.request.predicate.root.kind {} else { counts.pushed += 1 }
                    if split.residual == nil { counts.decided += 1 }
                }
            }
        }
        let (valid, pushed, decided) = (TestDepth.least(1000), TestDepth.least(300), TestDepth.least(200))
        #expect(counts.withLock { $0.valid > valid && $0.pushed > pushed && $0.decided > decided })
    }

    // MARK: Deadlines

    /// A back end that answers after the deadline is cancelled. The time between two answers does not count.
    @Test func theDeadlineEndsARequest() async throws {
        let memory = try RecordStoreTests.memory()
        let slow = try RecordStore(FakeService(memory, latency: .seconds(100_000)))
        let quick = try RecordStore(FakeService(memory, latency: .zero))
        var request = StoreRequest("Person", prefetch: ["orders"])
        request.deadline = .milliseconds(1)
        func isLate(_ body: () async throws -> Void) async -> Bool {
            do { try await body() } catch {
                if case .deadlineExceeded? = error as? StoreFailure { return true }
            }
            return false
        }
        #expect(await isLate { _ = try await slow.fetch(request) })
        #expect(await isLate { _ = try await slow.count(request) })
        #expect(await isLate { for try await _ in slow.objects(request) {} })
        #expect(await isLate { try await slow.delete(request) })
        #expect(await isLate { try await slow.update(request, set: [KeyAssignment("name", "a")]) })
        request.deadline = .zero
        #expect(await isLate { _ = try await quick.fetch(request) })
        request.deadline = .seconds(100_000)
        #expect(try await quick.fetch(request).count == 20)
        #expect(try await quick.update(request, set: [KeyAssignment("name", "a")]) == 20)
    }
}

extension PredicateValue {
    fileprivate var isFinite: Bool { if case .double(let number) = self { number.isFinite } else { true } }
}
