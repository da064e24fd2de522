// Tests of objects of published types with relationships, and of the conversion of values, in both stores.

import Foundation
import PredicateStores
import Testing

@Suite struct ObjectGraphTests {
    struct Line: Queryable {
        var id: Int?
        var text: String
        static let keys: KeyTable<Line> = [.key("id", \.id), .key("text", \.text)]
    }

    struct Tag: Queryable {
        var id: Int
        var word: String
        static let keys: KeyTable<Tag> = [.key("id", \.id), .key("word", \.word)]
    }

    struct Customer: Queryable {
        var id: Int
        var name: String
        static let keys: KeyTable<Customer> = [.key("id", \.id), .key("name", \.name)]
    }

    struct Order: Queryable {
        var id: Int
        var note: String?
        var customer: Customer?
        var lines: [Line] = []
        var tags: [Tag] = []
        static let keys: KeyTable<Order> = [
            .key("id", \.id), .key("note", \.note), .key("customer", \.customer), .key("lines", \.lines),
            .key("tags", \.tags),
        ]
    }

    private typealias Attribute = PredicateSchema.Attribute
    private typealias Relationship = PredicateSchema.Relationship

    private static func stores() throws -> [any PredicateStore] {
        let id = Attribute("id", .integer)
        let tags = Relationship.Link.join(table: "order_tag", from: "order_id", to: "tag_id")
        let schema = try PredicateSchema([
            .init(
                "Order", table: "orders", primaryKey: ["id"],
                attributes: [id, .init("note", .string, isOptional: true)],
                relationships: [
                    .init("customer", to: "Customer", link: .column("customer_id")),
                    .init("lines", toMany: "Line", link: .foreignKey("order_id")),
                    .init("tags", toMany: "Tag", link: tags),
                ]),
            .init(
                "Line", table: "line", primaryKey: ["id"], attributes: [id, .init("text", .string)],
                relationships: [.init("order", to: "Order", link: .column("order_id"), inverse: "lines")]),
            .init("Customer", table: "customer", primaryKey: ["id"], attributes: [id, .init("name", .string)]),
            .init("Tag", table: "tag", primaryKey: ["id"], attributes: [id, .init("word", .string)]),
        ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        for table in [
            "orders (id INTEGER PRIMARY KEY, note TEXT, customer_id INTEGER)",
            "line (id INTEGER PRIMARY KEY, text TEXT NOT NULL CHECK (text <> ''), order_id INTEGER NOT NULL)",
            "customer (id INTEGER PRIMARY KEY, name TEXT)", "tag (id INTEGER PRIMARY KEY, word TEXT)",
            "order_tag (order_id INTEGER, tag_id INTEGER, PRIMARY KEY (order_id, tag_id))",
        ] { _ = try database.rows("CREATE TABLE " + table) }
        let stores: [any PredicateStore] = [database, try InMemoryStore(schema, [:])]
        for store in stores { try store.insert([Customer(id: 1, name: "Ada")], into: "Customer") }
        return stores
    }

    private static func orders(_ store: any PredicateStore) throws -> [String] {
        try store.fetch(StoreRequest("Order", sort: [PredicateSortKey("id")])).map { order in
            let lines = order.objects("lines").map { "\($0["text"])" }.sorted()
            let tags = order.objects("tags").map { "\($0["word"])" }.sorted()
            return "\(order["id"]) \(order.value(at: "customer.name")) \(lines) \(tags)"
        }
    }

    @Test func childrenAreInserted() throws {
        for store in try Self.stores() {
            let customer = Customer(id: 1, name: "Ada")
            let tag = Tag(id: 7, word: "new")
            let first = Order(
                id: 1, customer: customer, lines: [Line(id: 5, text: "pen"), Line(id: nil, text: "ink")], tags: [tag])
            let second = Order(id: 2, customer: nil, lines: [Line(id: nil, text: "nib")], tags: [tag])
            #expect(try store.insert([first, second], into: "Order") == 2)
            let found = try Self.orders(store)
            #expect(
                found.count == 2 && found[0].contains("Ada") && found[0].contains("ink") && found[0].contains("new"))
            #expect(found[1].contains("nib") && found[1].contains("new"))
            #expect(try store.count(StoreRequest("Line")) == 3)
            #expect(try store.count(StoreRequest("Tag")) == 1)
            let line = try #require(try store.one(StoreRequest("Line", matching: ["id": .integer(5)])))
            #expect(line.value(at: "order.id") == .integer(1))
        }
    }

    struct Leaf: Queryable {
        var id: Int?
        var text: String
        static let keys: KeyTable<Leaf> = [.key("id", \.id), .key("text", \.text)]
    }
    struct Twig: Queryable {
        var id: Int?
        var leaves: [Leaf] = []
        var unknown = 1
        var size = 2
        static let keys: KeyTable<Twig> = [
            .key("leaves", \.leaves), .key("id", \.id), .key("unknown", \.unknown), .key("size", \.size),
        ]
        static func describe(_ entity: inout PredicateSchema.Entity) {
            entity.attributes.removeAll { $0.name == "unknown" }
        }
    }
    struct Tree: Queryable {
        var id: Int?
        var twigs: [Twig] = []
        static let keys: KeyTable<Tree> = [.key("id", \.id), .key("twigs", \.twigs)]
    }

    private static func forests() throws -> [any PredicateStore] {
        var schema = try PredicateSchema(of: [Tree.self, Twig.self, Leaf.self])
        let entities = schema.entities.map { entity in
            var entity = entity
            switch entity.name {
            case "Twig": entity.relationships += [Relationship("tree", to: "Tree", link: .column("tree_id"))]
            case "Leaf": entity.relationships += [Relationship("twig", to: "Twig", link: .column("twig_id"))]
            default: break
            }
            entity[relationship: "twigs"]?.link = .foreignKey("tree_id")
            entity[relationship: "leaves"]?.link = .foreignKey("twig_id")
            return entity
        }
        schema = try PredicateSchema(entities)
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try database.create(schema)
        return [database, try InMemoryStore(schema, [:])]
    }

    /// Rows of a forest: each leaf with the keys of its twig and its tree.
    private static func leaves(_ store: any PredicateStore) throws -> [String] {
        try store.fetch(StoreRequest("Leaf", sort: [PredicateSortKey("text")])).map { leaf in
            "\(leaf["text"]) \(leaf.value(at: "twig.id")) \(leaf.value(at: "twig.tree.id"))"
        }
    }

    /// Keys that are made are greater than all that are given, and each child gets its own owner.
    @Test func childrenOfChildrenAreInserted() throws {
        for store in try Self.forests() {
            let trees = [
                Tree(
                    id: nil, twigs: [Twig(id: 9, leaves: [Leaf(id: nil, text: "a"), Leaf(id: 4, text: "b")]), Twig()]),
                Tree(id: 5), Tree(id: nil, twigs: [Twig(leaves: [Leaf(id: nil, text: "c")])]),
            ]
            #expect(try store.insert(trees, into: "Tree") == 3)
            #expect(try Self.leaves(store) == [#""a" 9 6"#, #""b" 9 6"#, #""c" 11 7"#])
            #expect(
                try store.fetch(StoreRequest("Leaf", sort: [PredicateSortKey("id")])).map { $0["id"] } == [4, 5, 6])
            #expect(
                try store.fetch(StoreRequest("Twig", sort: [PredicateSortKey("id")])).map { $0["id"] } == [9, 10, 11])
            // A later call goes on.
            try store.insert([Tree(id: nil, twigs: [Twig()])], into: "Tree")
            #expect(try store.fetch(StoreRequest("Twig", sort: [PredicateSortKey("id")])).last?["id"] == 12)
        }
    }

    /// The same child in two objects, and one that is stored, are one row; with another owner they are refused.
    @Test func childrenThatExistAreRefused() throws {
        for store in try Self.forests() {
            try store.insert([Tree(id: 1, twigs: [Twig(id: 1)])], into: "Tree")
            let taken = [Tree(id: 2, twigs: [Twig(id: nil, leaves: [Leaf(id: nil, text: "x")]), Twig(id: 1)])]
            #expect(throws: StoreFailure.self) { try store.insert(taken, into: "Tree") }
            let shared = [Tree(id: 2, twigs: [Twig(id: 3)]), Tree(id: 4, twigs: [Twig(id: 3)])]
            #expect(throws: StoreFailure.self) { try store.insert(shared, into: "Tree") }
            #expect(try store.count(StoreRequest("Tree")) == 1)
            #expect(try store.count(StoreRequest("Leaf")) == 0)
            #expect(try store.insert([Tree(id: 2, twigs: [Twig(id: 3), Twig(id: 3)])], into: "Tree") == 1)
            #expect(try store.count(StoreRequest("Twig")) == 2)
        }
    }

    /// A database that drops a child without an error refuses the insertion.
    @Test func droppedChildrenAreErrors() throws {
        let store = try #require(try Self.forests()[0] as? SQLiteStore)
        _ = try store.rows("CREATE TRIGGER t BEFORE INSERT ON \"Twig\" BEGIN SELECT RAISE(IGNORE); END")
        let error = #expect(throws: StoreFailure.self) {
            try store.insert([Tree(id: 1, twigs: [Twig(id: 1)])], into: "Tree")
        }
        #expect(error?.description.contains("Twig: 1 of 1 rows were dropped") ?? false, "\(String(describing: error))")
        #expect(try store.count(StoreRequest("Tree")) == 0)
    }

    struct Step: Queryable {
        var id: Int
        var after: Int?
        var customer: Customer?
        static let keys: KeyTable<Step> = [.key("id", \.id), .key("after", \.after), .key("customer", \.customer)]
    }

    /// A key that a published type gives as a number is checked, beside one that it gives as an object.
    @Test func plainKeysAreChecked() throws {
        let id = Attribute("id", .integer)
        let schema = try PredicateSchema([
            .init(
                "Step", table: "step", primaryKey: ["id"], attributes: [id],
                relationships: [
                    .init("after", to: "Step", isOptional: true, link: .column("after_id")),
                    .init("customer", to: "Customer", isOptional: true, link: .column("customer_id")),
                ]),
            .init("Customer", table: "customer", primaryKey: ["id"], attributes: [id, .init("name", .string)]),
        ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        _ = try database.rows("CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT)")
        _ = try database.rows("CREATE TABLE step (id INTEGER PRIMARY KEY, after_id INTEGER, customer_id INTEGER)")
        let customer = Customer(id: 1, name: "Ada")
        for store in [database, try InMemoryStore(schema, [:])] as [any PredicateStore] {
            try store.insert([customer], into: "Customer")
            let dangling = [Step(id: 1, after: 2), Step(id: 2, after: 9, customer: customer)]
            let failure = #expect(throws: StoreFailure.self) { try store.insert(dangling, into: "Step") }
            #expect("\(failure as Any)".contains("'after' of Step 2 refers to Step 9, which does not exist"))
            #expect(try store.count(StoreRequest("Step")) == 0)
            #expect(try store.insert([dangling[0], Step(id: 2, after: 1, customer: customer)], into: "Step") == 2)
        }
    }

    @Test func nothingOfARefusedGraphIsStored() throws {
        let customer = Customer(id: 1, name: "Ada")
        let cases: [(order: Order, reason: String)] = [
            (Order(id: 1, customer: Customer(id: 9, name: "x")), "'customer' of Order 1 refers to Customer 9"),
            (Order(id: 1, customer: Customer(id: 9, name: "x"), lines: [Line(id: 1, text: "a")]), "Customer 9"),
            (Order(id: 1, customer: customer, tags: [Tag(id: 3, word: "other")]), "'word' of Tag 3"),
            (Order(id: 1, customer: customer, lines: [Line(id: 8, text: "a")]), "'order' of Line 8 is 50, not 1"),
            (Order(id: 50, lines: [Line(id: nil, text: "a")]), "id"),
        ]
        for store in try Self.stores() {
            let kept = Order(id: 50, customer: customer, lines: [Line(id: 8, text: "a")], tags: [Tag(id: 3, word: "w")])
            #expect(try store.insert([kept], into: "Order") == 1)
            let before = try Self.orders(store)
            for (order, reason) in cases {
                let error = #expect(throws: StoreFailure.self) {
                    try store.insert([Order(id: 40, customer: customer), order], into: "Order")
                }
                #expect(error?.description.contains(reason) ?? false, "\(String(describing: error))")
                #expect(try Self.orders(store) == before)
                #expect(try store.count(StoreRequest("Line")) == 1)
            }
            // An update moves the child, and keeps what is not given.
            let moved = Order(id: 51, lines: [Line(id: 8, text: "moved")])
            #expect(try store.upsert([moved], into: "Order") == 1)
            #expect(try Self.orders(store).last?.contains("moved") ?? false)
        }
        // A refusal of the database undoes the parents, too.
        let database = try Self.stores()[0]
        #expect(throws: StoreFailure.self) {
            try database.insert([Order(id: 1, lines: [Line(id: nil, text: "")])], into: "Order")
        }
        #expect(try database.count(StoreRequest("Order")) == 0)
    }

    /// A relationship that is nil is written; one that is not given is kept.
    @Test func nilOfARelationshipIsWritten() throws {
        for store in try Self.stores() {
            try store.insert([Order(id: 1, customer: Customer(id: 1, name: "Ada"))], into: "Order")
            try store.upsert([["id": 1, "note": "x"]], into: "Order")
            #expect(try store.one(StoreRequest("Order"))?.value(at: "customer.name") == .string("Ada"))
            try store.upsert([["id": 1, "customer": nil]], into: "Order")
            #expect(try store.one(StoreRequest("Order"))?["customer"] == .null)
        }
    }

    /// A dictionary has no objects; its to-many relationships are refused.
    @Test func dictionariesHaveNoChildren() throws {
        for store in try Self.stores() {
            let order: ValueDictionary = ["id": 1, "tags": [1]]
            #expect(throws: StoreFailure.self) { try store.insert([order], into: "Order") }
            #expect(try store.count(StoreRequest("Order")) == 0)
        }
    }

    // MARK: Values

    /// Values, and what insertions, updates and imports store; nil if all refuse them.
    private static let values: [(key: String, value: PredicateValue, stored: PredicateValue?)] = [
        ("text", .integer(5), nil), ("text", .bool(true), nil), ("text", .double(1.5), nil),
        ("text", .string("5"), .string("5")), ("count", .string("5"), nil), ("count", .double(5), .integer(5)),
        ("count", .double(5.5), nil), ("count", .integer(300), nil), ("size", .string("5"), nil),
        ("size", .integer(2), .double(2)), ("size", .integer(9_007_199_254_740_993), nil),
        ("flag", .integer(1), .bool(true)), ("flag", .integer(2), nil), ("flag", .string("yes"), nil),
        ("day", .string("2001-01-01T00:00:10Z"), .date(10)), ("day", .string("soon"), nil), ("day", .integer(5), nil),
        ("blob", .string("AQI="), .data([1, 2])), ("blob", .string("?"), nil),
        ("code", .string("00000000-0000-0000-0000-000000000001"), .uuid(UniversalID(high: 0, low: 1))),
        ("code", .string("x"), nil), ("price", .string("1.50"), .decimal(DecimalNumber("1.5") ?? .init(0))),
        ("price", .integer(2), .decimal(DecimalNumber(2))), ("any", .integer(5), .integer(5)),
        ("any", .dictionary(["a": 1]), nil), ("any", .array([.integer(1)]), nil),
    ]

    private static func valueStores() throws -> [any PredicateStore] {
        var count = Attribute("count", .integer, isOptional: true)
        count.range = -128...127
        let schema = try PredicateSchema([
            .init(
                "Row", table: "row", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("text", .string, isOptional: true), count,
                    .init("size", .double, isOptional: true), .init("flag", .boolean, isOptional: true),
                    .init("day", .date, isOptional: true), .init("blob", .data, isOptional: true),
                    .init("code", .uuid, isOptional: true), .init("price", .decimal, isOptional: true),
                    .init("any", .any, isOptional: true), .init("words", .list(of: .string), isOptional: true),
                    .init("days", .list(of: .date), isOptional: true),
                ])
        ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        _ = try database.rows(
            """
            CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT, count INTEGER, size REAL, flag INTEGER, day REAL,
            blob BLOB, code TEXT, price TEXT, "any", words TEXT, days TEXT)
            """)
        return [database, try InMemoryStore(schema, [:])]
    }

    @Test func insertionsUpdatesAndImportsConvertAlike() throws {
        let row = StoreRequest("Row", where: try FormatPredicate("id == 1"))
        for store in try Self.valueStores() {
            for (key, value, stored) in Self.values {
                let object = ValueDictionary([("id", .integer(1)), (key, value)])
                let assignment = KeyAssignment(key, value)
                if let stored {
                    #expect(try store.insert([object], into: "Row") == 1, "\(key) \(value)")
                    #expect(try store.one(row)?[key] == stored, "\(key) \(value)")
                    _ = try store.update(row, set: [KeyAssignment(key, .null)])
                    #expect(try store.update(row, set: [assignment]) == 1, "\(key) \(value)")
                    #expect(try store.one(row)?[key] == stored, "\(key) \(value)")
                } else {
                    #expect(throws: StoreFailure.self, "\(key) \(value)") { try store.insert([object], into: "Row") }
                    #expect(throws: StoreFailure.self, "\(key) \(value)") { try store.update(row, set: [assignment]) }
                }
                _ = try store.delete(StoreRequest("Row"))
                guard let database = store as? SQLiteStore else { continue }
                let path = FileManager.default.temporaryDirectory.appendingPathComponent("row-\(UUID()).jsonl").path
                defer { try? FileManager.default.removeItem(atPath: path) }
                var line = ""
                // The same value in JSON.
                switch value {
                case .string(let text): line = #"{"id": 1, "\#(key)": "\#(text)"}"#
                case .dictionary: line = #"{"id": 1, "\#(key)": {"a": 1}}"#
                case .array: line = #"{"id": 1, "\#(key)": [1]}"#
                default: line = #"{"id": 1, "\#(key)": \#(value)}"#
                }
                try line.replacing("YES", with: "true").write(toFile: path, atomically: true, encoding: .utf8)
                let report = try database.importFiles([path], into: "Row")
                #expect(report.isCommitted == (stored != nil), "\(line) \(report.losses)")
                if let stored { #expect(try store.one(row)?[key] == stored, "\(line)") }
                _ = try store.delete(StoreRequest("Row"))
            }
        }
    }

    @Test func elementsOfListsHaveTheirType() throws {
        for store in try Self.valueStores() {
            for wrong: PredicateValue in [.array([.integer(1)]), .array([.string("a"), .bool(true)]), .string("a")] {
                #expect(throws: StoreFailure.self) {
                    try store.insert([ValueDictionary([("id", .integer(1)), ("words", wrong)])], into: "Row")
                }
            }
            let days = PredicateValue.array([.date(1.5), .null])
            let words = PredicateValue.array([.string("a")])
            let row = ValueDictionary([("id", .integer(1)), ("words", words), ("days", days)])
            try store.insert([row], into: "Row")
            let found = try #require(try store.one(StoreRequest("Row")))
            #expect(found["words"] == words && found["days"] == days)
        }
    }

    /// Two keys that share a column must agree.
    @Test func keysOfOneColumnAgree() throws {
        let maker = try SQLiteStore(path: ":memory:", schema: PredicateSchema([]), mode: .create)
        _ = try maker.rows("CREATE TABLE a (id INTEGER PRIMARY KEY)")
        _ = try maker.rows("CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a)")
        let store = try maker.refreshed()
        try store.insert([["id": 1], ["id": 2]], into: "a")
        #expect(throws: StoreFailure.self) { try store.insert([["id": 1, "a_id": 1, "a": 2]], into: "b") }
        #expect(try store.insert([["id": 1, "a_id": 1, "a": 1]], into: "b") == 1)
        // nil of a relationship is written, too.
        #expect(try store.upsert([["id": 1, "a": nil]], into: "b") == 1)
        #expect(try store.rows("SELECT a_id FROM b") == [[.null]])
    }
}
