// Tests of published types as the only model: the schema that they give, the tables of the schema, and rows as their
// values.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

private enum Genre: String, QueryableValue { case novel, poem }

private struct Author: Storable, Equatable {
    var id: Int?
    var name: String
    var books: [Book]?

    static let keys: KeyTable<Author> = [.key("id", \.id), .key("name", \.name), .key("books", \.books)]

    init(id: Int? = nil, _ name: String, books: [Book]? = nil) { (self.id, self.name, self.books) = (id, name, books) }
    init(_ object: StoredObject) throws {
        id = try object.read("id")
        name = try object.read("name")
        books = try object.read("books")
    }
}

private struct Book: Storable, Equatable {
    var id: Int?
    var title: String
    var genre: Genre?
    var isPrinted = true
    var pages: UInt16 = 7
    var weight: Float = 0.1
    var price = Decimal(string: "12.50") ?? 0
    var day = Date(timeIntervalSinceReferenceDate: 86_400.5)
    var code = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
    var cover = Data([0, 255])
    var link: URL? = URL(string: "https://a.example/b?c=d")
    var words: [String] = ["a", "b"]
    var rooms: Set<Int> = [3]
    var author: Author?
    var readers: [Reader]?

    static let keys: KeyTable<Book> = [
        .key("id", \.id), .key("title", \.title), .key("genre", \.genre), .key("isPrinted", \.isPrinted),
        .key("pages", \.pages), .key("weight", \.weight), .key("price", \.price), .key("day", \.day),
        .key("code", \.code), .key("cover", \.cover), .key("link", \.link), .key("words", \.words),
        .key("rooms", \.rooms), .key("author", \.author), .key("readers", \.readers),
        .key("heading", get: { "\($0.title)!" }),
    ]

    static func describe(_ entity: inout PredicateSchema.Entity) {
        entity.table = "book"
        entity[attribute: "title"]?.column = "name"
        entity[attribute: "isPrinted"]?.defaultValue = true
        entity[attribute: "price"]?.scale = 2
        entity[attribute: "heading"] = nil
        entity[relationship: "author"]?.onDelete = .cascade
    }

    init(id: Int? = nil, _ title: String, _ genre: Genre? = nil, author: Author? = nil, readers: [Reader]? = nil) {
        (self.id, self.title, self.genre, self.author, self.readers) = (id, title, genre, author, readers)
    }
    init(_ object: StoredObject) throws(StoreFailure) {
        id = try object.read("id")
        title = try object.read("title")
        genre = try object.read("genre")
        isPrinted = try object.read("isPrinted")
        pages = try object.read("pages")
        weight = try object.read("weight")
        price = try object.read("price")
        day = try object.read("day")
        code = try object.read("code")
        cover = try object.read("cover")
        link = try object.read("link")
        words = try object.read("words")
        rooms = try object.read("rooms")
        author = try object.read("author")
        readers = try object.read("readers")
    }
}

private struct Reader: Storable, Equatable {
    var id: Int?
    var name: String
    var favourites: [Book]?

    static let keys: KeyTable<Reader> = [.key("id", \.id), .key("name", \.name), .key("favourites", \.favourites)]

    init(id: Int? = nil, _ name: String) { (self.id, self.name) = (id, name) }
    init(_ object: StoredObject) throws(StoreFailure) {
        id = try object.read("id")
        name = try object.read("name")
        favourites = try object.read("favourites")
    }
}

/// A to-many key that is not Optional, and must be read.
private struct Shelf: Storable, Equatable {
    var name: String
    var books: [Book]

    static let keys: KeyTable<Shelf> = [.key("name", \.name), .key("books", \.books)]

    init(_ object: StoredObject) throws(StoreFailure) {
        name = try object.read("name")
        books = try object.read("books")
    }
}

private final class Employee: Storable {
    let id: Int
    let boss: Employee?

    static let keys: KeyTable<Employee> = [.key("id", \.id), .key("boss", \.boss)]

    init(_ object: StoredObject) throws {
        id = try object.read("id")
        boss = try object.read("boss")
    }
}

@Suite struct PublishedModelTests {
    private static let schema = Result { try PredicateSchema(of: [Author.self, Book.self], version: "1") }

    @Test func typesGiveTheSchema() throws {
        let schema = try Self.schema.get()
        #expect(schema.entities.map(\.name) == ["Author", "Book", "Reader"] && schema.version == "1")
        let (author, book, reader) = (schema.entities[0], schema.entities[1], schema.entities[2])
        #expect(author.table == "Author" && book.table == "book" && reader.primaryKey == ["id"])
        let columns = book.attributes.map { "\($0.name) \($0.column) \($0.type.nameForMessages) \($0.isOptional)" }
        #expect(
            columns == [
                "id id integer false", "title name string false", "genre genre string true",
                "isPrinted isPrinted boolean false", "pages pages integer false", "weight weight double false",
                "price price decimal false", "day day date false", "code code uuid false", "cover cover data false",
                "link link url true", "words words list false", "rooms rooms list false",
            ])
        #expect(book[relationship: "author"]?.link == .column("author_id"))
        #expect(book[relationship: "author"]?.inverse == "books")
        #expect(author[relationship: "books"]?.link == .foreignKey("author_id"))
        #expect(author[relationship: "books"]?.inverse == "author")
        let join = PredicateSchema.Relationship.Link.join(
            table: "Book_readers", from: "favourites_id", to: "readers_id")
        #expect(book[relationship: "readers"]?.link == join)
        #expect(
            reader[relationship: "favourites"]?.link
                == .join(table: "Book_readers", from: "readers_id", to: "favourites_id"))
    }

    private struct Line: Queryable {
        var id = 0
        static let keys: KeyTable<Line> = [.key("id", \.id)]
    }
    private struct Order: Queryable {
        var id = 0, lines: [Line] = [], gifts: Set<Int> = [], counts: [String: Int] = [:]
        static let keys: KeyTable<Order> = [
            .key("id", \.id), .key("lines", \.lines), .key("gifts", \.gifts), .key("counts", \.counts),
        ]
        static func describe(_ entity: inout PredicateSchema.Entity) {
            if entity.table == "Order" { entity[attribute: "counts"] = nil }
        }
    }
    private struct Address: Queryable {
        var city = ""
        static let keys: KeyTable<Address> = [.key("city", \.city)]
    }
    private struct Sender: Queryable {
        var id = 0, home: Address?, sent: [Letter] = [], scores: [String: Int] = [:]
        static let keys: KeyTable<Sender> = [
            .key("id", \.id), .key("home", \.home), .key("sent", \.sent), .key("scores", \.scores),
        ]
    }
    private struct Letter: Queryable {
        var id = 0, from: Sender?, to: Sender?
        static let keys: KeyTable<Letter> = [.key("id", \.id), .key("from", \.from), .key("to", \.to)]
    }
    private struct Node: Queryable {
        var id = 0, children: [Node] = []
        static let keys: KeyTable<Node> = [.key("id", \.id), .key("children", \.children)]
    }
    private struct Person: Queryable {
        var id = 0, follows: [Person] = [], followers: [Person] = []
        static let keys: KeyTable<Person> = [
            .key("id", \.id), .key("follows", \.follows), .key("followers", \.followers),
        ]
    }
    private struct Team: Queryable {
        var id = 0, players: [Player] = [], reserves: [Player] = []
        static let keys: KeyTable<Team> = [.key("id", \.id), .key("players", \.players), .key("reserves", \.reserves)]
        static func describe(_ entity: inout PredicateSchema.Entity) {
            entity[relationship: "players"]?.inverse = "team"
        }
    }
    private struct Player: Queryable {
        var id = 0, team: [Team] = []
        var only: Team? { team.first }
        static let keys: KeyTable<Player> = [.key("id", \.id), .key("team", \.only)]
    }

    @Test func linksWithoutOneInverse() throws {
        let order = try PredicateSchema(of: [Order.self]).entities[0]
        #expect(order[relationship: "lines"]?.link == .foreignKey("Order_lines_id"))
        #expect(order[attribute: "counts"] == nil)
        let node = try PredicateSchema(of: [Node.self]).entities[0]
        #expect(node[relationship: "children"]?.link == .foreignKey("Node_children_id"))
        let person = try PredicateSchema(of: [Person.self]).entities[0]
        #expect(
            person[relationship: "follows"]?.link
                == .join(table: "Person_follows", from: "followers_id", to: "follows_id"))
        #expect(person[relationship: "followers"]?.inverse == "follows")
        let team = try PredicateSchema(of: [Team.self]).entities[0]
        #expect(team[relationship: "players"]?.link == .foreignKey("team_id"))
        #expect(team[relationship: "reserves"]?.link == .foreignKey("Team_reserves_id"))
    }

    @Test func whatNoStoreHoldsIsAnError() throws {
        let error = #expect(throws: SchemaError.self) { _ = try PredicateSchema(of: [Sender.self]) }
        #expect(
            error?.description == """
                entities.Sender.scores: a store has no dictionaries; remove the key in 'describe'
                entities.Sender.home: Address needs a primary key: publish 'id', or set primaryKey in 'describe'
                entities.Sender.sent: its inverse may be 'from' or 'to' of Letter: set 'inverse' or 'link' in 'describe'
                """)
    }

    // MARK: Stores

    private static func stores() throws -> [any PredicateStore] {
        let schema = try schema.get()
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try database.create(schema)
        return [try InMemoryStore(schema, [:]), database]
    }

    private static func written(_ store: any PredicateStore) throws {
        let ada = Author("Ada", books: [Book("Notes", .novel), Book("Letters")])
        try store.insert([ada, Author("Bob")], into: "Author")
        let reader = Reader(id: 9, "Cleo")
        try store.insert([reader], into: "Reader")
        try store.upsert([Book(id: 2, "Letters", .poem, author: Author(id: 1, "Ada"), readers: [reader])], into: "Book")
    }

    @Test func rowsBecomeTheirTypes() throws {
        for store in try Self.stores() {
            try Self.written(store)
            let all = StoreRequest("Author", sort: [PredicateSortKey("id")])
            #expect(try store.fetch(Author.self, all) == [Author(id: 1, "Ada"), Author(id: 2, "Bob")])
            var request = all
            request.prefetch = ["books.readers"]
            let authors = try store.fetch(Author.self, request)
            let notes = Book(id: 1, "Notes", .novel, author: Author(id: 1, "Ada"), readers: [])
            let letters = Book(id: 2, "Letters", .poem, author: Author(id: 1, "Ada"), readers: [Reader(id: 9, "Cleo")])
            #expect(authors == [Author(id: 1, "Ada", books: [notes, letters]), Author(id: 2, "Bob", books: [])])
            let book = try store.one(
                Book.self,
                StoreRequest("Book", where: FormatPredicate("author.name == 'Ada' AND genre == %@", Genre.poem)))
            #expect(book == Book(id: 2, "Letters", .poem, author: Author(id: 1, "Ada")))
            // What was read can be written again; relationships that were not read keep their links.
            try store.upsert(try store.fetch(Book.self, StoreRequest("Book")), into: "Book")
            #expect(try store.fetch(Author.self, request) == authors)
            // The rule of `describe`.
            let eve = Author(id: 5, "Eve", books: [Book(id: 8, "Poems")])
            try store.insert([eve], into: "Author")
            try store.delete(StoreRequest("Author", matching: ["id": 5]))
            #expect(try store.count(StoreRequest("Book", matching: ["id": 8])) == 0)
            #expect(try store.count(StoreRequest("Book")) == 2)
        }
    }

    @Test func relationshipsThatAreNotReadAreErrors() throws {
        for store in try Self.stores() {
            try Self.written(store)
            var request = StoreRequest("Author", matching: ["id": 1])
            func failure<Row: Storable>(_ type: Row.Type) -> String {
                errorText { _ = try store.fetch(type, request) }
            }
            #expect(
                failure(Shelf.self)
                    == "Author.books is not read: name its path in 'prefetch', or declare an Optional, which is then nil"
            )
            request.prefetch = ["books"]
            #expect(try store.fetch(Shelf.self, request).map { $0.books.map(\.title) } == [["Notes", "Letters"]])
            #expect(failure(Reader.self) == "Author.favourites is not a key of Author")
            request = StoreRequest("Book", matching: ["id": 1])
            #expect(failure(Author.self) == "Book.name is not a key of Book")
            _ = try store.update(request, set: [KeyAssignment("author", .null)])
            #expect(try store.one(Book.self, request)?.author == nil)
        }
    }

    private struct Narrow: Storable {
        var pages: Int8?
        var genre: Int
        static let keys: KeyTable<Narrow> = []
        init(_ object: StoredObject) throws(StoreFailure) {
            pages = try object.read("pages")
            genre = try object.read("genre")
        }
    }
    private struct Stubborn: Storable {
        struct Refusal: Error {}
        static let keys: KeyTable<Stubborn> = []
        init(_ object: StoredObject) throws { throw Refusal() }
    }

    @Test func valuesThatDoNotFitAreErrors() throws {
        for store in try Self.stores() {
            var book = Book(id: 1, "a")
            book.pages = 200
            try store.insert([book, Book(id: 2, "b"), Book(id: 3, "c", .poem)], into: "Book")
            let reasons = [1, 2, 3].map { id in
                errorText {
                    _ = try store.one(Narrow.self, StoreRequest("Book", matching: ["id": id.predicateValue]))
                }
            }
            #expect(
                reasons == [
                    "Book.pages is 200, which Optional<Int8> cannot represent (Book 1)",
                    "Book.genre is nil, but Int is not optional (Book 2)",
                    "Book.genre is \"poem\", which Int cannot represent (Book 3)",
                ])
            let error = #expect(throws: StoreFailure.self) { try store.fetch(Stubborn.self, StoreRequest("Book")) }
            #expect(error?.description == "Stubborn. Refusal() (Book 1)")
        }
    }

    /// A value of the column's type that the Swift type cannot represent is refused by every write.
    @Test func valuesThatNoTypeReadsAreRefused() throws {
        let schema = try Self.schema.get()
        for store in try Self.stores() {
            try store.insert([Book(id: 1, "a", .novel)], into: "Book")
            let (book, names) = (try store.fetch(StoreRequest("Book"))[0], schema.entities[1].attributes.map(\.name))
            for (key, value, reason) in [
                ("genre", "drama", "Genre cannot represent \"drama\""), ("pages", -1, "UInt16 cannot represent -1"),
                ("pages", 70_000, "UInt16 cannot represent 70000"), ("genre", 7, "it is a text, so it cannot be 7"),
            ] as [(String, PredicateValue, String)] {
                var object = ValueDictionary(names.map { ($0, book[$0]) })
                (object["id"], object[key]) = (2, value)
                let set = KeyAssignment(key, value)
                let computed = KeyAssignment(key, try FormatExpression("TERNARY(id == 1, %@, %@)", value, value))
                let calls: [() throws -> Void] =
                    [
                        { try store.insert([object], into: "Book") }, { try store.upsert([object], into: "Book") },
                        { try store.update(StoreRequest("Book"), set: [set]) },
                    ]
                    + (reason.contains("represent")
                        ? [{ try store.update(StoreRequest("Book"), set: [computed]) }] : [])
                for call in calls {
                    let failure = #expect(throws: StoreFailure.self) { try call() }
                    #expect(
                        failure?.description.contains("cannot set '\(key)': \(reason)") == true, "\(failure as Any)")
                }
            }
            #expect(try store.count(StoreRequest("Book")) == 1)
            try store.update(StoreRequest("Book"), set: [KeyAssignment("genre", "poem"), KeyAssignment("pages", 9)])
        }
        var entities = schema.entities
        entities[1][attribute: "genre"]?.defaultValue = "drama"
        #expect(throws: SchemaError.self) { try PredicateSchema(entities) }
    }

    /// A row that another program has written does not hide the others.
    @Test func oneUnreadableRowIsNamed() throws {
        let schema = try Self.schema.get()
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try store.create(schema)
        let ids: [Int] = [1, 2, 3]
        try store.insert(ids.map { (id: Int) in Book(id: id, "b\(id)", .novel) }, into: "Book")
        _ = try store.rows("UPDATE book SET genre = 'drama' WHERE id = 2")
        let request = StoreRequest("Book", sort: [PredicateSortKey("id")])
        let reason = "Book.genre is \"drama\", which Optional<Genre> cannot represent (Book 2)"
        var failures: [String] = []
        let books = try store.fetch(Book.self, request) { failures.append("\($0)") }
        #expect(books.map(\.id) == [1, 3] && failures == [reason])
        let failure = #expect(throws: StoreFailure.self) { try store.fetch(Book.self, request) }
        #expect(failure?.description == reason)
    }

    @Test func objectsThatLeadToThemselvesAreAnError() throws {
        let schema = try PredicateSchema(of: [Employee.self])
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try store.create(schema)
        try store.insert(
            [["id": 1], ["id": 2, "boss": 1], ["id": 3, "boss": 2], ["id": 4, "boss": 4]], into: "Employee")
        let three = try store.one(Employee.self, StoreRequest("Employee", matching: ["id": 3]))
        #expect(three?.boss?.boss?.id == 1 && three?.boss?.boss?.boss == nil)
        let error = #expect(throws: StoreFailure.self) {
            try store.one(Employee.self, StoreRequest("Employee", matching: ["id": 4]))
        }
        #expect(error?.description == "Employee.boss leads to itself, or to too many objects (Employee 4)")
    }

    // MARK: Tables

    @Test func tablesAreCreatedOnce() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("model-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("a.sqlite").path
        let schema = try Self.schema.get()
        let store = try SQLiteStore(path: path, schema: schema, mode: .create)
        try store.create(schema)
        try store.insert([Author(id: 1, "Ada")], into: "Author")
        try store.create(schema)
        #expect(try store.count(StoreRequest("Author")) == 1)
        #expect(try store.recordedVersion()?.version == "1")
        let texts = try store.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
        #expect(
            texts.map { $0[0].stringValue } == [
                #"CREATE TABLE "Author" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL)"#,
                """
                CREATE TABLE "Book_readers" ("favourites_id" INTEGER NOT NULL, "readers_id" INTEGER NOT NULL, \
                PRIMARY KEY ("favourites_id", "readers_id"), FOREIGN KEY ("favourites_id") REFERENCES "book" ("id"), \
                FOREIGN KEY ("readers_id") REFERENCES "Reader" ("id"))
                """,
                #"CREATE INDEX "Book_readers_readers_id" ON "Book_readers" ("readers_id")"#,
                #"CREATE TABLE "Reader" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL)"#,
                """
                CREATE TABLE "book" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "genre" TEXT, \
                "isPrinted" BOOLEAN NOT NULL DEFAULT 1, "pages" INTEGER NOT NULL, "weight" REAL NOT NULL, \
                "price" INTEGER NOT NULL, "day" REAL NOT NULL, "code" TEXT NOT NULL, "cover" BLOB NOT NULL, \
                "link" TEXT, "words" TEXT NOT NULL, "rooms" TEXT NOT NULL, "author_id" INTEGER, \
                FOREIGN KEY ("author_id") REFERENCES "Author" ("id") ON DELETE CASCADE)
                """,
                #"CREATE INDEX "book_author_id" ON "book" ("author_id")"#,
                "CREATE TABLE predicate_version (version TEXT, hash TEXT NOT NULL, schema TEXT NOT NULL)",
            ])
        // The recorded version is that of the next migration.
        var entities = schema.entities
        entities[0].attributes.append(.init("born", .integer, isOptional: true))
        let next = try PredicateSchema(entities, version: "2")
        let mismatch = #expect(throws: StoreFailure.self) { try SQLiteStore(path: path, schema: next) }
        #expect(mismatch?.description.hasPrefix("the database has version '1', not version '2'") == true)
        _ = try StoreMigration(path: path, to: next).run()
        #expect(try SQLiteStore(path: path, schema: next).count(StoreRequest("Author")) == 1)
        let readOnly = try SQLiteStore(path: path, schema: next, mode: .readOnly)
        #expect(throws: StoreFailure.self) { try readOnly.create(next) }
    }

    /// Keeps the statements.
    private final class Recorder: SQLConnection {
        let cancel: @Sendable () -> Void = {}
        let statements: StatementLog
        init(_ statements: StatementLog) { self.statements = statements }

        func run(
            _ statement: String, _ bindings: [PredicateValue], types: [SQLType]
        ) throws(StoreFailure) -> SQLRowArray {
            statements.all.withLock { $0.append(statement) }
            return SQLRowArray([])
        }
    }
    private final class StatementLog: Sendable { let all = Mutex<[String]>([]) }

    private func statements(_ dialect: SQLDialect, _ types: [any Queryable.Type]) throws -> [String] {
        let log = StatementLog()
        let schema = try PredicateSchema(of: types)
        try SQLStore(schema: schema, dialect: dialect, connection: Recorder(log)).create(schema)
        return log.all.withLock { $0 }
    }

    @Test func eachEngineHasItsTypes() throws {
        #expect(
            try statements(.postgreSQL, [Author.self]) == [
                "BEGIN",
                "SELECT CAST(table_name AS text) FROM information_schema.tables WHERE table_schema = current_schema()",
                """
                CREATE TABLE "Author" ("id" bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, \
                "name" text COLLATE "C" NOT NULL)
                """,
                """
                CREATE TABLE "Book_readers" ("favourites_id" bigint NOT NULL, "readers_id" bigint NOT NULL, \
                PRIMARY KEY ("favourites_id", "readers_id"))
                """,
                """
                CREATE TABLE "Reader" ("id" bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, \
                "name" text COLLATE "C" NOT NULL)
                """,
                """
                CREATE TABLE "book" ("id" bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, \
                "name" text COLLATE "C" NOT NULL, "genre" text COLLATE "C", "isPrinted" boolean NOT NULL DEFAULT TRUE, \
                "pages" bigint NOT NULL, "weight" float8 NOT NULL, "price" DECIMAL(38, 2) NOT NULL, \
                "day" float8 NOT NULL, "code" uuid NOT NULL, "cover" bytea NOT NULL, "link" text COLLATE "C", \
                "words" text[] NOT NULL, "rooms" bigint[] NOT NULL, "author_id" bigint)
                """,
                #"ALTER TABLE "Book_readers" ADD FOREIGN KEY ("favourites_id") REFERENCES "book" ("id")"#,
                #"ALTER TABLE "Book_readers" ADD FOREIGN KEY ("readers_id") REFERENCES "Reader" ("id")"#,
                #"CREATE INDEX IF NOT EXISTS "Book_readers_readers_id" ON "Book_readers" ("readers_id")"#,
                """
                ALTER TABLE "book" ADD FOREIGN KEY ("author_id") REFERENCES "Author" ("id") ON DELETE CASCADE
                """,
                #"CREATE INDEX IF NOT EXISTS "book_author_id" ON "book" ("author_id")"#, "COMMIT",
            ])
        let mySQL = try statements(.mySQL, [Author.self])
        #expect(
            mySQL.contains {
                $0.hasPrefix("CREATE TABLE `Author` (`id` BIGINT AUTO_INCREMENT PRIMARY KEY, `name` LONG")
            })
        #expect(mySQL.contains { $0.contains("`code` CHAR(36) NOT NULL, `cover` LONGBLOB NOT NULL") })
        #expect(!mySQL.contains { $0.hasPrefix("CREATE INDEX") } && mySQL.filter { $0.hasPrefix("ALTER") }.count == 3)
        let duckDB = try statements(.duckDB, [Author.self])
        #expect(duckDB.contains { $0.contains(#""words" VARCHAR[] NOT NULL, "rooms" BIGINT[] NOT NULL"#) })
        #expect(!duckDB.contains { $0.hasPrefix("ALTER") || $0.contains("FOREIGN") })
        for dialect in [SQLDialect.spark, .clickHouse, .ansi] {
            #expect(throws: StoreFailure.self) { try statements(dialect, [Author.self]) }
        }
    }

    private struct Priced: Queryable {
        var id = "", price = Decimal(0)
        static let keys: KeyTable<Priced> = [.key("id", \.id), .key("price", \.price)]
    }

    @Test func valuesThatAnEngineCannotKeepAreRefused() throws {
        let error = #expect(throws: StoreFailure.self) { try statements(.duckDB, [Priced.self]) }
        #expect(error?.description == "duckdb has no column for 'price' of Priced; set its scale")
        #expect(
            try statements(.sqlite, [Priced.self])[2]
                == #"CREATE TABLE "Priced" ("id" TEXT NOT NULL, "price" TEXT NOT NULL, PRIMARY KEY ("id"))"#)
        #expect(try statements(.mySQL, [Line.self]).count == 4)
    }

    @Test(arguments: Backend.here) func theTablesAreThoseOfTheServer(_ backend: Backend) throws {
        let schema = try Self.schema.get()
        let store = try backend.store(schema)
        for _ in 0..<2 {
            for create in [
                (store as? SQLStore<PostgreSQLConnection>)?.create, (store as? SQLStore<ADBCConnection>)?.create,
            ] {
                try create?(schema)
            }
        }
        try store.insert([["id": 1, "name": "Ada"]], into: "Author")
        let book = Book(id: 5, "Notes", .novel, author: Author(id: 1, "Ada"))
        try store.insert([book], into: "Book")
        #expect(try store.fetch(Book.self, StoreRequest("Book")) == [book])
    }
}
