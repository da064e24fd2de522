// Updates and deletions need a condition that depends on the object: TypeChecker.check(change:).

import PredicateStores
import Testing

@Suite struct ChangeConditionTests {
    private static let schema = try? PredicateSchema([
        .init(
            "Item", table: "item", primaryKey: ["id"],
            attributes: [.init("id", .integer), .init("n", .integer, isOptional: true), .init("name", .string)])
    ])

    private static func stores() throws -> [any PredicateStore] {
        let schema = try #require(schema)
        let objects = (1...4).map { number in
            ValueDictionary([("id", .integer(Int64(number))), ("n", .integer(Int64(number))), ("name", .string("x"))])
        }
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try database.rows("CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER, name TEXT)")
        try database.insert(objects, into: "Item")
        return [try InMemoryStore(schema, ["Item": objects]), database]
    }

    /// Deleting objects to which others refer has a path of its own.
    @Test func conditionsAreCheckedWhereReferencesAre() throws {
        let schema = try PredicateSchema([
            .init("Group", table: "team", primaryKey: ["id"], attributes: [.init("id", .integer)]),
            .init(
                "Item", table: "item", primaryKey: ["id"], attributes: [.init("id", .integer)],
                relationships: [.init("group", to: "Group", link: .column("group_id"))]),
        ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try database.rows("CREATE TABLE team (id INTEGER PRIMARY KEY)")
        _ = try database.rows("CREATE TABLE item (id INTEGER PRIMARY KEY, group_id INTEGER)")
        for store in [database, try InMemoryStore(schema, [:])] as [any PredicateStore] {
            try store.insert([["id": 1]], into: "Group")
            var request = StoreRequest("Group", where: try FormatPredicate("NOT id IN {'1', '2'}"))
            #expect(Self.findings { try store.delete(request) } == ["change-condition"])
            request.allowingConstantComparisons = true
            #expect(try store.delete(request) == 1)
        }
    }

    private static func findings(_ body: () throws -> Void) -> [String] {
        do {
            try body()
            return []
        } catch StoreFailure.request(let failure) {
            return failure.diagnostics.filter { $0.severity == .error }.map(\.id.rawValue)
        } catch {
            return ["\(error)"]
        }
    }

    @Test func storesRefuseConditionsThatDoNotDependOnTheObject() throws {
        let texts: [PredicateValue] = [.string("1"), .string("2")]
        let wrong = [
            try FormatPredicate("NOT (id IN %@)", arguments: [.array(texts)]),
            try FormatPredicate("n == 1 OR id != '1'"), try FormatPredicate("NOT (id IN {})"),
            try FormatPredicate("id != nil"), try FormatPredicate("name != 'a' OR name != 'b'"),
            try FormatPredicate("id >= 5 OR id < 5"), try FormatPredicate("id > 5 OR id < 6"),
            try FormatPredicate("id BETWEEN {1, 5} OR id < 1 OR id > 5"),
            try FormatPredicate("(id >= 5 AND n == 1) OR (id >= 5 AND n != 1) OR id < 5"),
            try FormatPredicate("id == id"), try FormatPredicate("n <= n"),
            try FormatPredicate("n > 3 OR n <= 3 OR n == nil"),
            // In memory: SQL has no such patterns.
            try FormatPredicate("name MATCHES '(?=x).*' AND n == 'x'"),
            .not(.comparison(.key("id"), .equal, .value("1"))),
        ]
        for store in try Self.stores() {
            for predicate in wrong {
                for limit in [nil, 1] {
                    var request = StoreRequest("Item", where: predicate, sort: [PredicateSortKey("id")], limit: limit)
                    let set = [KeyAssignment("name", .string("changed"))]
                    #expect(Self.findings { try store.delete(request) } == ["change-condition"], "\(predicate)")
                    #expect(Self.findings { try store.update(request, set: set) } == ["change-condition"])
                    #expect(try store.count(StoreRequest("Item", where: FormatPredicate("name == 'x'"))) == 4)
                    // It can be meant.
                    request.allowingConstantComparisons = true
                    let count = try store.count(request)
                    #expect(try store.update(request, set: [KeyAssignment("name", .string("x"))]) == count)
                }
            }
        }
    }

    @Test func storesAcceptOtherConditions() throws {
        for store in try Self.stores() {
            for (text, count) in [("id IN {}", 0), ("1 == 2", 0), ("n == nil", 0), ("n > 3", 1), ("id IN {1, 'x'}", 1)]
            {
                #expect(try store.delete(StoreRequest("Item", where: FormatPredicate(text))) == count, "\(text)")
            }
            #expect(try store.delete(StoreRequest("Item")) == 2)
        }
    }

    /// The cache of statements has the same shape for both.
    @Test func cachedShapesAreChecked() throws {
        let compiler = SQLCompiler(.sqlite, schema: try #require(Self.schema))
        func isRefused(_ argument: PredicateValue, allowing: Bool = false) throws -> Bool {
            let predicate = try FormatPredicate("%@ == nil OR name == 'x'", arguments: [argument])
            do throws(PredicateFailure) {
                _ = try compiler.statement(.delete, predicate, entity: "Item", allowingConstantComparisons: allowing)
                return false
            } catch { return error.diagnostics.contains { $0.id.rawValue == "change-condition" } }
        }
        #expect(try !isRefused(.string("x")))
        #expect(try isRefused(.null))
        #expect(try !isRefused(.null, allowing: true))
        #expect(try isRefused(.null))
    }
}
