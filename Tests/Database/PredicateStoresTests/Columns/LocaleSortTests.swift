// `[l]` in sort keys and predicates of requests: memory compares with the locale of the request.
import PredicateStores
import Testing

@Suite struct LocaleSortTests {
    private static let words = ["zebra", "Äpfel", "apfel", "öl", "Zoo"]
    private static let orders = [
        ("de_DE", ["apfel", "Äpfel", "öl", "zebra", "Zoo"]), ("sv_SE", ["apfel", "zebra", "Zoo", "Äpfel", "öl"]),
    ]
    private let schema: PredicateSchema
    private let stores: [any PredicateStore]

    init() throws {
        schema = try PredicateSchema([
            .init(
                "Word", table: "word", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("text", .string)])
        ])
        let rows = Self.words.enumerated().map { index, word in
            ValueDictionary([("id", PredicateValue.integer(Int64(index))), ("text", .string(word))])
        }
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try database.rows("CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        for (index, word) in Self.words.enumerated() {
            _ = try database.rows("INSERT INTO word VALUES (?, ?)", [.integer(Int64(index)), .string(word)])
        }
        stores = [try InMemoryStore(schema, ["Word": rows]), database]
    }

    private func texts(_ request: StoreRequest, _ store: any PredicateStore) throws -> [PredicateValue] {
        try store.fetch(request).map { $0["text"] }
    }

    @Test func storesSortInTheLocaleOfTheKeys() throws {
        for store in stores {
            for (locale, order) in Self.orders {
                let environment = PredicateEnvironment(localeIdentifier: locale)
                let key = PredicateSortKey("text", options: [.localeSensitive], in: environment)
                let all = StoreRequest("Word", sort: [key])
                #expect(try texts(all, store) == order.map(PredicateValue.string))
                let first = StoreRequest("Word", sort: [key], limit: 2, offset: 1)
                #expect(try texts(first, store) == order[1...2].map(PredicateValue.string))
                let below = StoreRequest(
                    "Word", where: try FormatPredicate("text <[l] 'b'", in: environment), sort: [key])
                #expect(try texts(below, store) == order.prefix(locale == "de_DE" ? 2 : 1).map(PredicateValue.string))
            }
        }
    }

    /// No engine sorts with a locale: the plan contains the sort in memory, and the reason.
    @Test func noDialectSortsInALocale() throws {
        for dialect in SQLDialect.all {
            let request = StoreRequest("Word", sort: [PredicateSortKey("text", options: [.localeSensitive])], limit: 1)
            let plan = try SQLCompiler(dialect, schema: schema).plan(request)
            #expect(plan.sort == request.sort && plan.limitsInMemory && !plan.reasons.isEmpty, "\(dialect)")
        }
    }
}
