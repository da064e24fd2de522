// swift-format-ignore-file
// The Swift of "PredicateStores", compiled and run.

import PredicateStores
import PredicateSQL
import Predicates
import Testing

// PredicateStores {
struct Author: Storable {
    var id: Int?
    var name: String
    var novels: [Novel]?

    static let keys: KeyTable<Author> = [.key("id", \.id), .key("name", \.name), .key("novels", \.novels)]

    init(_ name: String, novels: [Novel]) { (self.name, self.novels) = (name, novels) }
    init(_ object: StoredObject) throws {
        id = try object.read("id")
        name = try object.read("name")
        novels = try object.read("novels")
    }
}

struct Novel: Storable {
    var id: Int?
    var title: String
    var price: Double
    var author: Author?

    static let keys: KeyTable<Novel> = [
        .key("id", \.id), .key("title", \.title), .key("price", \.price), .key("author", \.author),
    ]

    init(_ title: String, price: Double) { (self.title, self.price) = (title, price) }
    init(_ object: StoredObject) throws {
        id = try object.read("id")
        title = try object.read("title")
        price = try object.read("price")
        author = try object.read("author")
    }
}
// } PredicateStores

@Suite struct PredicateStoresExamples {
    @Test func types() throws {
        // PredicateStores {
        let schema = try PredicateSchema(of: [Author.self, Novel.self])
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try store.create(schema)
        try store.insert([Author("Ada", novels: [Novel("Notes", price: 9), Novel("Letters", price: 20)])], into: "Author")
        let list = try store.observe(StoreRequest("Novel", sort: [PredicateSortKey("title")]))

        let text = "price < 15 AND author.name BEGINSWITH[cd] 'a'"  // typed by a user
        let cheap = try StoreRequest("Novel", text: text, prefetch: ["author"])
        let titles = try store.fetch(Novel.self, cheap).map { "\($0.title) by \($0.author?.name ?? "")" }  // Notes by Ada
        let raised = try store.update(cheap, set: [KeyAssignment("price", try FormatExpression("price * 2"))])  // 1
        let page = try store.page(Author.self, StoreRequest("Author", sort: [PredicateSortKey("name")], limit: 20, prefetch: ["novels"]))
        let prices = page.objects.flatMap { $0.novels ?? [] }.map(\.price)  // 18, 20
        let second = try page.next.map { try store.page(Author.self, $0) }  // nil: there are no more authors
        let shown = list.results.map { $0["price"] }  // 20, 18: a list follows the store
        // } PredicateStores
        #expect(titles == ["Notes by Ada"] && raised == 1 && prices == [18, 20] && shown == [20.0, 18.0])
        #expect(second == nil)
    }

    @Test func sqlite() throws {
        Project.enter()
        // PredicateStores {
        let store = try SQLiteStore(path: "Tests/Tool/Sessions/fixtures/shop.sqlite")
        let request = StoreRequest("person", where: try FormatPredicate("age > 30"), sort: [PredicateSortKey("name")], limit: 10)
        for person in try store.fetch(request) {
            print(person["name"], person.value(at: "employer.title"))
        }
        let count = try store.count(request)
        let explanation = try store.explain(request)  // SQLite's query plan, a line each
        // } PredicateStores
        #expect(count == 3 && !explanation.isEmpty)
        // PredicateStores {
        do {
            let found = try store.fetch(StoreRequest("person", text: "age >", sort: [PredicateSortKey("name")]))
            print(found.count)
        } catch {
            print(error, error.diagnostics.map(\.column))  // a StoreFailure: expected a value here …, [6]
        }
        // } PredicateStores
    }

    @Test func pages() throws {
        Project.enter()
        let store = try SQLiteStore(path: "Tests/Tool/Sessions/fixtures/shop.sqlite")
        // PredicateStores {
        var people = StoreRequest("person", sort: [PredicateSortKey("age", descending: true), PredicateSortKey("name")], limit: 2)
        let page = try store.page(people)
        let text = page.next?.after?.description  // {"person, -age, name", 42, "Zoë", 5}
        people.after = try text.map { try FetchPosition($0) }
        let following = try store.page(people).objects.map { $0["name"] }  // Ada, Élodie
        // } PredicateStores
        #expect(text == #"{"person, -age, name", 42, "Zoë", 5}"# && following == ["Ada", "Élodie"])
    }

    @Test func records() async throws {
        Project.enter()
        let store = try SQLiteStore(path: "Tests/Tool/Sessions/fixtures/shop.sqlite")
        let request = StoreRequest("person", where: try FormatPredicate("age > 30"), sort: [PredicateSortKey("name")], limit: 10)
        // PredicateStores {
        var teams = StoreRequest("person", sort: [PredicateSortKey("@count", descending: true)])
        teams.groupBy = ["employer.title"]
        teams.properties = ["employer.title", "@count", "@max.age"]
        teams.having = try FormatPredicate("@count > 1 AND employer.title != nil")
        let groups = try store.records(teams)  // one statement with GROUP BY

        struct Person: Decodable {
            var name: String
            var age: Int?
        }
        let people = try store.fetch(Person.self, request)
        let found = try await store.async.fetch(request)  // blocks no actor
        // } PredicateStores
        #expect(people.count == 3 && found.count == 3 && groups.allSatisfy { $0["employer.title"] != .null })
    }

    @Test func writing() throws {
        // PredicateStores {
        let shop = try SQLiteStore(path: ":memory:", mode: .create)
        _ = try shop.rows("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, price REAL)")
        let store = try shop.refreshed()  // the schema has the new table
        try store.transaction {
            try store.insert([["id": 1, "name": "pen", "price": 2.0]], into: "item")
            try store.upsert([["id": 1, "name": "pencil"]], into: "item")
        }
        let pencil = try store.one(StoreRequest("item", matching: ["name": "pencil"]))  // throws if there are two
        do throws(StoreFailure) {
            try store.insert([["id": 2, "name": "pencil"]], into: "item")
        } catch .constraint(let constraint) {
            print(constraint.kind, constraint.columns)  // unique ["name"]
        }
        // } PredicateStores
        #expect(pencil?["price"] == .double(2))
    }

    @Test func deleteRules() throws {
        // PredicateStores {
        var items = PredicateSchema.Relationship("items", toMany: "item", link: .foreignKey("list_id"))
        items.onDelete = .cascade
        let list = PredicateSchema.Entity("list", primaryKey: ["id"], attributes: [.init("id", .integer)], relationships: [items])
        let item = PredicateSchema.Entity("item", primaryKey: ["id"], attributes: [.init("id", .integer)], relationships: [.init("list", to: "list", link: .column("list_id"))])
        let store = try InMemoryStore(PredicateSchema([list, item]), ["list": [["id": 1]], "item": [["id": 1, "list": 1]]])
        try store.delete(StoreRequest("list"))
        let left = try store.count(StoreRequest("item"))  // 0
        // } PredicateStores
        #expect(left == 0)
    }

    @Test func memory() throws {
        // PredicateStores {
        let schema = try PredicateSchema([
            PredicateSchema.Entity("Item", primaryKey: ["id"], attributes: [PredicateSchema.Attribute("id", .integer), PredicateSchema.Attribute("done", .boolean)])
        ])
        let items = try InMemoryStore(
            schema,
            ["Item": [["id": 1, "done": false], ["id": 2, "done": true]]])
        let open = StoreRequest("Item", where: try FormatPredicate("done == NO"))
        let changed = try items.update(open, set: [KeyAssignment("done", true)])  // 1
        let left = try items.count(open)  // 0
        // } PredicateStores
        #expect(changed == 1 && left == 0)
    }
}
