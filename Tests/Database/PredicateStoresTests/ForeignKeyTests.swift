// Foreign keys of SQLite databases, and delete rules on SQLite and in memory.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct ForeignKeyTests {
    private static let tables = [
        "CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE todo (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES list)",
    ]

    private static func database(_ statements: [String]) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
        let store = try SQLiteStore(path: path, mode: .create, foreignKeys: .off)
        for statement in statements { _ = try store.rows(statement) }
        return path
    }

    private static func withDatabase(_ statements: [String], _ body: (String) throws -> Void) throws {
        let path = try database(statements)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private static func constraint(_ body: () throws -> Void) -> StoreConstraint? {
        do { try body() } catch StoreFailure.constraint(let constraint) { return constraint } catch { return nil }
        return nil
    }

    @Test func areEnforced() throws {
        try Self.withDatabase(Self.tables + ["INSERT INTO list VALUES (1, 'a')", "INSERT INTO todo VALUES (1, 1)"]) {
            let store = try SQLiteStore(path: $0, mode: .readWrite)
            let refused = Self.constraint { try store.delete(StoreRequest("list")) }
            #expect(refused?.kind == .foreignKey && refused?.message == "todo.list_id refers to the objects to delete")
            let missing = Self.constraint { try store.insert([["id": 2, "list": 99]], into: "todo") }
            #expect(missing?.kind == .foreignKey && missing?.table == "todo" && missing?.columns == ["list_id"])
            #expect(missing?.message == "todo.list_id refers to rows of list that do not exist (1 row with rowid 2)")
            #expect(try store.count(StoreRequest("todo")) == 1 && store.foreignKeyViolations.isEmpty)
            // The order in one call, and in one transaction, does not matter.
            try store.transaction {
                try store.insert([["id": 2, "list": 3], ["id": 3, "list": 4]], into: "todo")
                try store.insert([["id": 3], ["id": 4]], into: "list")
            }
            #expect(try store.count(StoreRequest("todo", where: FormatPredicate("list.id > 2"))) == 2)
            let off = try SQLiteStore(path: $0, mode: .readWrite, foreignKeys: .off)
            #expect(try off.delete(StoreRequest("list")) == 3)
        }
    }

    @Test(.cases) func contradictedKeysAreNotEnforced() {
        let cases: [([String], String)] = [
            (
                ["INSERT INTO list VALUES (1, 'a')", "INSERT INTO todo VALUES (1, 1), (2, 7), (3, 8)"],
                "todo.list_id refers to rows of list that do not exist (2 rows, the first with rowid 2)"
            ),
            (
                ["CREATE TABLE note (id INTEGER PRIMARY KEY, p INTEGER REFERENCES nowhere)"],
                "note.p refers to the table nowhere, which does not exist"
            ),
            (
                ["CREATE TABLE note (id INTEGER PRIMARY KEY, p TEXT REFERENCES list (name))"],
                "note.p refers to columns of list that are not unique"
            ),
        ]
        forEachCase(cases) { statements, sentence in
            try Self.withDatabase(Self.tables + statements) {
                let store = try SQLiteStore(path: $0, mode: .readWrite)
                try store.insert([["id": 50, "list": 99]], into: "todo")
                #expect(try store.foreignKeyViolations.map(\.description) == [sentence])
                #expect(try store.violations(sample: nil).contains { $0.description.hasPrefix(sentence.prefix(20)) })
            }
        }
    }

    /// Keys to columns that are unique, but no primary key, are enforced.
    @Test func uniqueColumnsAreParents() throws {
        let tables = [
            "CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
            "CREATE TABLE todo (id INTEGER PRIMARY KEY, list TEXT REFERENCES list (name))",
        ]
        try Self.withDatabase(tables) {
            let store = try SQLiteStore(path: $0, mode: .readWrite)
            let missing = Self.constraint { try store.insert([["id": 1, "list": "x"]], into: "todo") }
            #expect(missing?.columns == ["list"])
        }
    }

    // MARK: Delete rules

    private static func schema(
        _ rule: PredicateSchema.DeleteRule?, _ ofChildren: PredicateSchema.DeleteRule?, toMany: Bool
    ) throws -> PredicateSchema {
        var list = PredicateSchema.Entity(
            "list", primaryKey: ["id"], attributes: [.init("id", .integer), .init("name", .string, isOptional: true)])
        var todo = PredicateSchema.Entity("todo", primaryKey: ["id"], attributes: [.init("id", .integer)])
        var part = PredicateSchema.Entity("part", primaryKey: ["id"], attributes: [.init("id", .integer)])
        var tag = PredicateSchema.Entity("tag", primaryKey: ["id"], attributes: [.init("id", .integer)])
        var todos = PredicateSchema.Relationship("todos", toMany: "todo", link: .foreignKey("list_id"), inverse: "list")
        var owner = PredicateSchema.Relationship("list", to: "list", link: .column("list_id"), inverse: "todos")
        if toMany { todos.onDelete = rule } else { owner.onDelete = rule }
        var whole = PredicateSchema.Relationship("whole", to: "todo", link: .column("whole_id"))
        whole.onDelete = ofChildren
        var next = PredicateSchema.Relationship("next", to: "todo", link: .column("next_id"))
        next.onDelete = .nullify
        var tags = PredicateSchema.Relationship(
            "tags", toMany: "tag", link: .join(table: "todo_tag", from: "todo_id", to: "tag_id"))
        tags.onDelete = .nullify
        list.relationships = [todos]
        todo.relationships = [owner, next, tags]
        part.relationships = [whole]
        tag.relationships = []
        return try PredicateSchema([list, todo, part, tag])
    }

    private static let objects: [String: [ValueDictionary]] = [
        "list": [["id": 1], ["id": 2]], "tag": [["id": 1], ["id": 2]],
        "todo": [
            ["id": 1, "list": 1, "tags": [1, 2]], ["id": 2, "list": 1, "next": 1, "tags": [2]],
            ["id": 3, "list": 2, "next": 2, "tags": [1]],
        ],
        "part": [["id": 1, "whole": 1], ["id": 2, "whole": 3], ["id": 3]],
    ]

    /// All objects as texts, to compare stores.
    private static func contents(_ store: some PredicateStore) throws -> [String] {
        var found: [String] = []
        for (entity, paths) in [("list", []), ("todo", ["list.id", "next.id", "tags.id"]), ("part", ["whole.id"])] {
            for object in try store.fetch(StoreRequest(entity, sort: [PredicateSortKey("id")])) {
                found.append("\(entity) \(object["id"]) \(try paths.map { try object.readValue(at: $0) })")
            }
        }
        return found
    }

    /// - Parameter declares: how the table of todos declares its foreign key; nil if it does not.
    private static func database(
        _ schema: PredicateSchema, declaring action: String?, _ memory: InMemoryStore
    ) throws -> SQLiteStore {
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        let reference = action.map { " REFERENCES list ON DELETE " + $0 } ?? ""
        for statement in [
            "CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT)", "CREATE TABLE tag (id INTEGER PRIMARY KEY)",
            "CREATE TABLE todo (id INTEGER PRIMARY KEY, list_id INTEGER\(reference), next_id INTEGER REFERENCES todo)",
            "CREATE TABLE part (id INTEGER PRIMARY KEY, whole_id INTEGER)",
            "CREATE TABLE todo_tag (todo_id INTEGER REFERENCES todo, tag_id INTEGER)",
            "INSERT INTO list VALUES (1, NULL), (2, NULL)", "INSERT INTO tag VALUES (1), (2)",
            "INSERT INTO todo VALUES (1, 1, NULL), (2, 1, 1), (3, 2, 2)",
            "INSERT INTO part VALUES (1, 1), (2, 3), (3, NULL)",
            "INSERT INTO todo_tag VALUES (1, 1), (1, 2), (2, 2), (3, 1)",
        ] { _ = try store.rows(statement) }
        let found = try store.refreshed(schema: schema)
        #expect(try contents(found) == contents(memory))
        return found
    }

    /// Deleting has the same effect in memory and in SQLite, whether the store applies the rule or the table.
    @Test func rulesAreTheSameInMemoryAndInSQLite() throws {
        let rules: [PredicateSchema.DeleteRule?] = [nil, .deny, .nullify, .cascade]
        let actions: [PredicateSchema.DeleteRule?: [String?]] = [
            nil: [nil, "NO ACTION"], .deny: [nil, "NO ACTION", "RESTRICT"],
            .nullify: [nil, "NO ACTION", "SET NULL"], .cascade: [nil, "NO ACTION", "CASCADE"],
        ]
        var (tried, changed) = (0, 0)
        for rule in rules {
            for ofChildren in rules {
                for (entity, text) in [
                    ("list", "id == 1"), ("list", "TRUEPREDICATE"), ("todo", "id == 1"), ("todo", "id > 1"),
                    ("todo", "TRUEPREDICATE"), ("tag", "id == 1"), ("part", "id == 1"),
                ] {
                    for action in actions[rule] ?? [] {
                        tried += 1
                        guard tried % TestDepth.step(1) == 0 else { continue }
                        let schema = try Self.schema(rule, ofChildren, toMany: action == nil)
                        let memory = try InMemoryStore(schema, Self.objects)
                        let database = try Self.database(schema, declaring: action, memory)
                        let request = StoreRequest(entity, where: try FormatPredicate(text))
                        let place = "\(rule as Any) \(ofChildren as Any) \(action ?? "-"): \(entity) \(text)"
                        let before = try Self.contents(memory)
                        var (counts, kinds): ([Int], [StoreConstraint.Kind?]) = ([], [])
                        for store in [memory, database] as [any PredicateStore] {
                            kinds.append(Self.constraint { counts.append(try store.delete(request)) }?.kind)
                        }
                        #expect(kinds[0] == kinds[1] && counts.count == (kinds[0] == nil ? 2 : 0), "\(place)")
                        #expect(counts.first == counts.last, "\(place)")
                        let after = try Self.contents(memory)
                        #expect(try Self.contents(database) == after, "\(place)")
                        #expect(try database.rows("PRAGMA foreign_key_check").isEmpty, "\(place)")
                        if kinds[0] != nil { #expect(after == before, "\(place)") }
                        if after != before { changed += 1 }
                    }
                }
            }
        }
        #expect(changed > TestDepth.least(100))
    }

    /// The store applies the rules of the tables if SQLite does not, because some rows refer to no row.
    @Test func rulesOfTablesWithoutEnforcement() throws {
        try Self.withDatabase([
            Self.tables[0],
            "CREATE TABLE todo (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES list ON DELETE CASCADE)",
            "CREATE TABLE note (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES list ON DELETE SET NULL)",
            "INSERT INTO list VALUES (1, 'a'), (2, 'b')", "INSERT INTO todo VALUES (1, 1), (2, 2), (3, 99)",
            "INSERT INTO note VALUES (1, 1)",
        ]) {
            let store = try SQLiteStore(path: $0, mode: .readWrite)
            #expect(try store.delete(StoreRequest("list", where: FormatPredicate("id == 1"))) == 1)
            #expect(try store.fetch(StoreRequest("todo")).map(\.primaryKey) == [[.integer(2)], [.integer(3)]])
            #expect(try store.fetch(StoreRequest("note")).map { $0["list"] } == [.null])
            #expect(try store.foreignKeyViolations.map(\.table) == ["todo"])
            let off = try SQLiteStore(path: $0, mode: .readWrite, foreignKeys: .off)
            #expect(try off.delete(StoreRequest("list")) == 1 && off.count(StoreRequest("todo")) == 2)
        }
    }

    @Test func rulesInWords() throws {
        let schema = try Self.schema(.cascade, .deny, toMany: true)
        let memory = try InMemoryStore(schema, Self.objects)
        let lists = StoreRequest("list", where: try FormatPredicate("id == 1"))
        let refused = Self.constraint { try memory.delete(lists) }
        #expect(refused?.message == "part.whole_id refers to the objects to delete")
        try memory.delete(StoreRequest("part"))
        #expect(try memory.delete(lists) == 1)
        // Todo 3 refers to todo 2, whose list is deleted.
        #expect(try Self.contents(memory).first { $0.hasPrefix("todo") }?.contains("todo 3") == true)
        #expect(try memory.fetch(StoreRequest("todo"))[0]["next"] == .null)
    }

    /// Rules are read from tables and files, and written to both.
    @Test func rulesAreReadAndWritten() throws {
        try Self.withDatabase([
            Self.tables[0],
            "CREATE TABLE todo (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES list ON DELETE CASCADE)",
            "CREATE TABLE item (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES list ON DELETE SET NULL)",
        ]) {
            let schema = try SQLiteStore(path: $0).schema
            let rules = schema.entity("list")?.relationships.map { "\($0.name) \($0.onDelete?.rawValue ?? "-")" }
            #expect(rules == ["item nullify", "todo cascade"])
            #expect(schema.entity("todo")?.relationships[0].onDelete == .cascade)
        }
        let schema = try Self.schema(.cascade, .nullify, toMany: true)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try StoreMigration(path: path, to: schema, mode: .create).run()
        let store = try SQLiteStore(path: path)
        let actions = try store.rows(
            """
            SELECT m.name, f."from", f.on_delete FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f ORDER BY 1, 2
            """
        ).map { $0.compactMap(\.stringValue).joined(separator: " ") }
        #expect(
            actions == [
                "part whole_id SET NULL", "todo list_id CASCADE", "todo next_id SET NULL", "todo_tag tag_id NO ACTION",
                "todo_tag todo_id SET NULL",
            ])
        #expect(try store.recordedVersion() == schema)
    }

    @Test func rulesOfInverseRelationshipsAgree() throws {
        let failure = #expect(throws: SchemaError.self) {
            var todos = PredicateSchema.Relationship("todos", toMany: "B", link: .foreignKey("a_id"), inverse: "a")
            var owner = PredicateSchema.Relationship("a", to: "A", link: .column("a_id"), inverse: "todos")
            (todos.onDelete, owner.onDelete) = (.cascade, .deny)
            return try PredicateSchema([
                .init("A", primaryKey: ["id"], relationships: [todos]),
                .init("B", primaryKey: ["id"], relationships: [owner]),
            ])
        }
        #expect(
            failure?.problems.first.map { "\($0.path): \($0.message)" }
                == "entities.A.relationships.todos.onDelete: the inverse relationship 'a' has 'deny'")
    }

    /// The check before the first change reads all rows of a large database.
    @Test func allRowsAreChecked() throws {
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)"
        try Self.withDatabase(
            Self.tables + [
                "INSERT INTO list VALUES (1, 'a')", "INSERT INTO todo \(numbers) SELECT i, 1 FROM n",
                "INSERT INTO todo VALUES (500000, 99)",
            ]
        ) {
            let store = try SQLiteStore(path: $0, mode: .readWrite)
            try store.insert([["id": 500_001, "list": 1]], into: "todo")
            let text = "todo.list_id refers to rows of list that do not exist (1 row with rowid 500000)"
            #expect(try store.foreignKeyViolations.map(\.description) == [text])
        }
    }

    /// SQLite counts the violations of a transaction. Deleting a row that referred to no row before hides a new one.
    @Test(arguments: [ForeignKeyEnforcement.enforced, .trusted, .off])
    func trustedRowsAreNotChecked(_ enforcement: ForeignKeyEnforcement) throws {
        try Self.withDatabase(Self.tables + ["INSERT INTO todo VALUES (1, 99)"]) {
            let store = try SQLiteStore(path: $0, mode: .readWrite, foreignKeys: enforcement)
            let refused = Self.constraint { try store.insert([["id": 2, "list": 98]], into: "todo") }
            // The database contradicts its foreign keys, so `enforced` enforces nothing, and says so.
            #expect((refused?.kind == .foreignKey) == (enforcement == .trusted))
            #expect(try store.foreignKeyViolations.isEmpty == (enforcement != .enforced))
            try store.transaction {
                try store.insert([["id": 3, "list": 97]], into: "todo")
                try store.delete(StoreRequest("todo", where: try FormatPredicate("id == 1")))
            }
            #expect(try store.violations(sample: nil).contains { $0.kind == .danglingKey })
            // After a refresh, the rows are still not checked.
            let refreshed = try store.refreshed()
            try refreshed.insert([["id": 4]], into: "todo")
            #expect(try refreshed.foreignKeyViolations.isEmpty == (enforcement != .enforced))
        }
    }

    /// A key that an attribute requires cannot become nil.
    @Test func requiredColumnsStay() throws {
        var todos = PredicateSchema.Relationship("todos", toMany: "todo", link: .foreignKey("list_id"))
        todos.onDelete = .nullify
        let schema = try PredicateSchema([
            .init("list", primaryKey: ["id"], attributes: [.init("id", .integer)], relationships: [todos]),
            .init(
                "todo", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("listID", .integer, column: "list_id")]),
        ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        _ = try database.rows("CREATE TABLE list (id INTEGER PRIMARY KEY)")
        _ = try database.rows("CREATE TABLE todo (id INTEGER PRIMARY KEY, list_id INTEGER)")
        for store in [try InMemoryStore(schema, [:]), database] as [any PredicateStore] {
            try store.insert([["id": 1]], into: "list")
            try store.insert([["id": 1, "listID": 1]], into: "todo")
            let refused = Self.constraint { try store.delete(StoreRequest("list")) }
            #expect(refused?.message == "todo.list_id cannot be nil")
            #expect(try store.count(StoreRequest("list")) == 1)
        }
    }

    /// A delete rule holds for the rows of all entities of a shared table, in whatever order the schema names them.
    @Test(arguments: [PredicateSchema.DeleteRule.nullify, .cascade, .deny], [true, false])
    func rulesOfSharedTables(_ rule: PredicateSchema.DeleteRule, _ isOptional: Bool) throws {
        var large = PredicateSchema.Relationship("large", toMany: "LargeVisit", link: .foreignKey("agent_id"))
        large.onDelete = rule
        let agent = PredicateSchema.Relationship(
            "agent", to: "Agent", isOptional: isOptional, link: .column("agent_id"))
        let entities = [
            PredicateSchema.Entity(
                "Agent", table: "agent", primaryKey: ["id"], attributes: [.init("id", .integer)],
                relationships: [large]),
            PredicateSchema.Entity(
                "Visit", table: "visit", primaryKey: ["id"], attributes: [.init("id", .integer)],
                relationships: [agent], discriminator: "kind"),
            PredicateSchema.Entity("LargeVisit", parent: "Visit", code: .string("large")),
        ]
        for entities in [entities, [entities[1], entities[2], entities[0]]] {
            let schema = try PredicateSchema(entities)
            let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
            _ = try database.rows("CREATE TABLE agent (id INTEGER PRIMARY KEY)")
            _ = try database.rows("CREATE TABLE visit (id INTEGER PRIMARY KEY, kind TEXT, agent_id INTEGER)")
            for store in [try InMemoryStore(schema, [:]), database] as [any PredicateStore] {
                try store.insert([["id": 1], ["id": 2]], into: "Agent")
                try store.insert([["id": 1, "agent": 1], ["id": 2, "agent": 2]], into: "Visit")
                try store.insert([["id": 3, "agent": 1]], into: "LargeVisit")
                let refused = Self.constraint { try store.delete(StoreRequest("Agent", matching: ["id": .integer(1)])) }
                let visits = try store.fetch(StoreRequest("Visit", sort: [PredicateSortKey("id")]))
                let agents = visits.map { "\($0["id"]) \($0.value(at: "agent.id"))" }
                switch rule {
                case .nullify where isOptional: #expect(agents == ["1 nil", "2 2", "3 nil"])
                case .nullify: #expect(refused?.kind == .notNull && agents == ["1 1", "2 2", "3 1"])
                case .cascade: #expect(agents == ["2 2"])
                case .deny: #expect(refused?.kind == .foreignKey && agents == ["1 1", "2 2", "3 1"])
                }
            }
        }
    }

    /// An entity in a table of its own has the relationships of its parent.
    @Test func inheritedKeysAreChecked() throws {
        let list = PredicateSchema.Relationship("list", to: "list", isOptional: true, link: .column("list_id"))
        let schema = try PredicateSchema([
            .init("list", primaryKey: ["id"], attributes: [.init("id", .integer)]),
            .init("todo", primaryKey: ["id"], attributes: [.init("id", .integer)], relationships: [list]),
            .init("errand", table: "errand", parent: "todo"),
        ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        for table in ["todo", "errand"] {
            _ = try database.rows(
                "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, list_id INTEGER REFERENCES list (id))")
        }
        _ = try database.rows("CREATE TABLE list (id INTEGER PRIMARY KEY)")
        for store in [try InMemoryStore(schema, [:]), try database.refreshed(schema: schema)] as [any PredicateStore] {
            try store.insert([["id": 1]], into: "list")
            try store.insert([["id": 1, "list": 1]], into: "errand")
            let refused = Self.constraint { try store.insert([["id": 2, "list": 9]], into: "errand") }
            #expect(refused?.message == "errand.list_id refers to rows of list that do not exist (1 row with rowid 2)")
            let denied = Self.constraint { try store.delete(StoreRequest("list")) }
            #expect(denied?.message == "errand.list_id refers to the objects to delete")
        }
    }

    /// A change that would leave a key that refers to no row has the same error in memory and in SQLite.
    @Test func danglingChangesAreRefusedAlike() throws {
        let schema = try Self.schema(nil, nil, toMany: false)
        let memory = try InMemoryStore(schema, Self.objects)
        let database = try Self.database(schema, declaring: "NO ACTION", memory)
        let stores: [any PredicateStore] = [memory, database]
        let changes: [(any PredicateStore) throws -> Int] = [
            { try $0.insert([["id": 10, "list": 99], ["id": 11, "list": 99]], into: "todo") },
            { try $0.insert([["id": 12, "list": 1], ["id": 13, "next": 14]], into: "todo") },
            { try $0.upsert([["id": 1, "list": 98]], into: "todo") },
            { try $0.update(StoreRequest("todo"), set: [KeyAssignment("list", .integer(97))]) },
            {
                let text = try FormatPredicate("list.name.length == 0 OR id == 2")
                return try $0.update(StoreRequest("todo", where: text), set: [KeyAssignment("next", .integer(96))])
            },
            {
                let text = try FormatPredicate("id == 2")
                return try $0.update(StoreRequest("list", where: text), set: [KeyAssignment("id", .integer(5))])
            },
            { try $0.delete(StoreRequest("list")) },
        ]
        let expected = [
            "todo.list_id refers to rows of list that do not exist (2 rows, the first with rowid 10)",
            "todo.next_id refers to rows of todo that do not exist (1 row with rowid 13)",
            "todo.list_id refers to rows of list that do not exist (1 row with rowid 1)",
            "todo.list_id refers to rows of list that do not exist (3 rows, the first with rowid 1)",
            "todo.next_id refers to rows of todo that do not exist (1 row with rowid 2)",
            "todo.list_id refers to rows of list that do not exist (1 row with rowid 3)",
            "todo.list_id refers to the objects to delete",
        ]
        let before = try Self.contents(memory)
        for (change, message) in zip(changes, expected) {
            for store in stores {
                let refused = Self.constraint { _ = try change(store) }
                #expect(refused?.message == message, "\(type(of: store))")
                #expect(refused?.kind == .foreignKey && refused?.table == "todo")
                #expect(refused?.columns == [message.contains("next") ? "next_id" : "list_id"])
                #expect(try Self.contents(store) == before)
            }
        }
        for store in stores {
            // The order in one call does not matter, and an unchanged key is not checked again.
            #expect(try store.insert([["id": 20, "next": 21], ["id": 21, "next": 20]], into: "todo") == 2)
            #expect(try store.update(StoreRequest("todo"), set: [KeyAssignment("next", .integer(20))]) == 5)
        }
        #expect(try Self.contents(memory) == Self.contents(database))
        // The change that was tried again, to name its rows, does not defer the checks of the transaction.
        try database.transaction {
            #expect(Self.constraint { _ = try changes[3](database) } != nil)
            #expect(
                Self.constraint { _ = try changes[3](database) }?.message
                    == expected[3].replacing("3 rows", with: "5 rows"))
        }
    }
}
