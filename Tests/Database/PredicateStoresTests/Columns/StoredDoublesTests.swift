// Tests of lists of doubles and of dates that SQLite stores as JSON: memory and SQL read the same doubles, including
// the last bit and the sign of zero, and both reject the same texts.

import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct StoredDoublesTests {
    private static func store(_ texts: [String]) throws -> SQLiteStore {
        let schema = try PredicateSchema([
            .init(
                "Station", table: "station", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("readings", .list(of: .double)),
                    .init("visits", .list(of: .date), isOptional: true),
                ])
        ])
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try store.rows("CREATE TABLE station (id INTEGER PRIMARY KEY, readings TEXT NOT NULL, visits TEXT)")
        for text in texts {
            _ = try store.rows("INSERT INTO station (readings, visits) VALUES (?, ?)", [.string(text), .string(text)])
        }
        return store
    }

    private static let spellings: [(text: String, elements: [Double?])] = [
        ("[]", []), (" [\n1.5 ,\tnull,-0.0 ]\r", [1.5, nil, -0.0]), ("[-0,0e5,0.0E-3]", [-0.0, 0, 0]),
        // Exactly between two doubles, and slightly above.
        ("[9007199254740993]", [0x1p53]), ("[9007199254740993.00000000000000001]", [0x1p53 + 2]),
        ("[6929495644600919.5,3]", [6_929_495_644_600_920, 3]), ("[18446744073709551616]", [0x1p64]),
        ("[1e400,-1E+400]", [.infinity, -.infinity]), ("[1.7976931348623157e308]", [.greatestFiniteMagnitude]),
        ("[5e-324,2.4703282292062327e-324,-1e-400]", [.leastNonzeroMagnitude, 0, -0.0]),
        ("[0.1,0.30000000000000004]", [0.1, 0.1 + 0.2]),
    ]

    @Test func doublesAreTheSameInSQLAndInMemory() throws {
        let store = try Self.store(Self.spellings.map(\.text))
        #expect(try store.violations().isEmpty)
        let objects = try store.fetch(StoreRequest("Station", sort: [PredicateSortKey("id")]))
        for (object, spelling) in zip(objects, Self.spellings) {
            guard case .array(let readings) = object["readings"], case .array(let visits) = object["visits"] else {
                Issue.record("\(spelling.text) is not a list")
                continue
            }
            let bits = spelling.elements.map { $0?.bitPattern }
            #expect(readings.map { $0.doubleValue?.bitPattern } == bits, "\(spelling.text)")
            #expect(visits == spelling.elements.map { $0.map(PredicateValue.date) ?? .null }, "\(spelling.text)")
        }
        var predicates = [
            "SUBQUERY(readings, $r, 1 / $r < 0 AND $r == 0).@count == 1", "NONE readings == nil",
            "readings.@count == 2", "SUBQUERY(readings, $r, $r / 2 == 0.75).@count > 0", "ANY readings > id",
        ].map { ($0, []) as (String, [PredicateValue]) }
        for number in Self.spellings.flatMap({ $0.elements.compactMap { $0 } }) {
            predicates += ["==", "<", ">="].map { ("ANY readings \($0) %@", [.double(number)]) }
            predicates += [("%@ IN visits", [.date(number)]), ("ALL visits < %@", [.date(number)])]
        }
        for (format, arguments) in predicates {
            let predicate = try FormatPredicate(format, arguments: arguments)
            let request = StoreRequest("Station", where: predicate, sort: [PredicateSortKey("id")])
            #expect(try store.plan(request).residual == nil, "\(predicate)")
            let matcher = try predicate.compiled()
            let expected = try objects.filter { try matcher.test(.object(ObjectReference($0))) }.map { $0["id"] }
            #expect(try store.fetch(request).map { $0["id"] } == expected, "\(predicate)")
        }
    }

    @Test(.cases) func invalidListsAreRejected() {
        let cases: [String] = [
            "[true]", "[\"1.5\"]", "[1,]", "[,1]", "[01]", "[1.]", "[.5]", "[+1]", "[-]", "[1e]", "[NaN]", "[Infinity]",
            "[[1]]", "[nul]", "[1 2]", "{}", "1", "", "[1", "[1]x", "[0x10]",
        ]
        forEachCase(cases) { text in
            let store = try Self.store([text])
            #expect(try store.violations().map(\.sentence).first == "has text that is not a valid list")
            #expect(throws: StoreFailure.self) { try store.fetch(StoreRequest("Station")) }
            // A statement that does not select such a text does not fail.
            #expect(try store.count(StoreRequest("Station", where: FormatPredicate("ANY readings < 1e300"))) == 0)
        }
    }
}
