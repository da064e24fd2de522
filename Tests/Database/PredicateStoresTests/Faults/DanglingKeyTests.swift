// Keys that refer to no row, in SQL and in memory.

import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct DanglingKeyTests {
    /// A to-one relationship is nil only if its key is nil, in SQL and in memory.
    @Test(.cases) func danglingKeys() {
        let cases: [(String, [Int64])] = [
            ("list == nil", [3]), ("list != nil", [1, 2]), ("list.name == nil", [2, 3]), ("list.name == 'a'", [1]),
            ("list.id == 7", [2]), ("list.name != 'a'", [2, 3]), ("NOT (list.name == 'a')", [2, 3]),
            ("list.todos.@count == 1", [1, 2]), ("list.owner == nil", [1, 2, 3]), ("list.name BEGINSWITH 'a'", [1]),
            ("ANY list.todos.id == 2", [2]), ("list IN SUBQUERY(list.todos, $t, $t.id > 0).list", [1, 2]),
            ("list.name MATCHES '(?!b).*'", [1]), ("list == nil OR list.name == 'a'", [1, 3]),
            ("list.name > 'A' OR id == 2", [1, 2]),
        ]
        forEachCase(cases) { try danglingKeys($0.0, $0.1, isOptional: true) }
        forEachCase(
            [
                ("list == nil", []), ("list.name == nil", [2]), ("list.name == nil OR id == 1", [1, 2]),
                ("NOT (list.name == 'a')", [2]), ("id == 2 OR list.name == 'a'", [1, 2]), ("list.name != 'a'", [2]),
            ] as [(String, [Int64])]
        ) { try danglingKeys($0.0, $0.1, isOptional: false) }
    }

    private func danglingKeys(_ text: String, _ keys: [Int64], isOptional: Bool) throws {
        let schema = try PredicateSchema([
            .init(
                "list", primaryKey: ["id"], attributes: [.init("id", .integer), .init("name", .string)],
                relationships: [
                    .init("todos", toMany: "todo", link: .foreignKey("list_id")),
                    .init("owner", to: "list", link: .column("owner_id")),
                ]),
            .init(
                "todo", primaryKey: ["id"], attributes: [.init("id", .integer)],
                relationships: [.init("list", to: "list", isOptional: isOptional, link: .column("list_id"))]),
        ])
        var todos: [ValueDictionary] = [["id": 1, "list": 1], ["id": 2, "list": 7]]
        if isOptional { todos.append(["id": 3, "list": nil]) }
        let memory = try InMemoryStore(schema, ["list": [["id": 1, "name": "a"]], "todo": todos])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        _ = try database.rows("CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT, owner_id INTEGER)")
        _ = try database.rows("CREATE TABLE todo (id INTEGER PRIMARY KEY, list_id INTEGER)")
        _ = try database.rows("INSERT INTO list VALUES (1, 'a', NULL)")
        try database.insert(todos, into: "todo")
        let request = StoreRequest("todo", where: try FormatPredicate(text), sort: [PredicateSortKey("id")])
        for store in [memory, database] as [any PredicateStore] {
            #expect(try store.fetch(request).map(\.primaryKey) == keys.map { [.integer($0)] }, "\(type(of: store))")
            let object = try #require(try store.one(StoreRequest("todo", matching: ["id": .integer(2)])))
            guard case .object(let reference) = object["list"], let list = reference.object as? StoredObject else {
                Issue.record("a to-one is nil, but its key is not")
                continue
            }
            #expect(list.isMissing && list.primaryKey == [.integer(7)] && list["name"] == .null)
            #expect(object.objects("list").isEmpty && object.value(at: "list.name") == .null)
        }
    }

    private static func check(
        _ stores: [any PredicateStore], _ entity: String, _ cases: [(text: String, keys: [Int64])]
    ) throws {
        for (text, keys) in cases {
            let request = StoreRequest(entity, where: try FormatPredicate(text), sort: [PredicateSortKey("id")])
            for store in stores {
                let found = try store.fetch(request).map(\.primaryKey)
                #expect(found == keys.map { [.integer($0)] }, "\(text) in \(type(of: store))")
                #expect(try store.count(request) == keys.count, "\(text) in \(type(of: store))")
            }
        }
    }

    /// A pair of a join table is an element, even if it refers to no row. A pair with NULL is none.
    @Test func danglingPairs() throws {
        let schema = try PredicateSchema([
            .init(
                "todo", primaryKey: ["id"], attributes: [.init("id", .integer)],
                relationships: [
                    .init("tags", toMany: "tag", link: .join(table: "todo_tag", from: "todo_id", to: "tag_id"))
                ]),
            .init(
                "tag", primaryKey: ["id"], attributes: [.init("id", .integer), .init("name", .string)],
                relationships: [
                    .init("todos", toMany: "todo", link: .join(table: "todo_tag", from: "tag_id", to: "todo_id"))
                ]),
        ])
        let memory = try InMemoryStore(
            schema,
            [
                "todo": [["id": 1, "tags": [1, 7]], ["id": 2, "tags": [7]], ["id": 3]],
                "tag": [["id": 1, "name": "a"]],
            ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        for statement in [
            "CREATE TABLE todo (id INTEGER PRIMARY KEY)", "CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT)",
            "CREATE TABLE todo_tag (todo_id INTEGER, tag_id INTEGER)", "INSERT INTO todo VALUES (1), (2), (3)",
            "INSERT INTO tag VALUES (1, 'a')", "INSERT INTO todo_tag VALUES (1, 1), (1, 7), (2, 7), (3, NULL)",
        ] { _ = try database.rows(statement) }
        let stores: [any PredicateStore] = [memory, database]
        try Self.check(
            stores, "todo",
            [
                ("tags.@count == 2", [1]), ("tags.@count == 1", [2]), ("tags.@count == 0", [3]),
                ("ANY tags.id == 7", [1, 2]), ("ANY tags.name == nil", [1, 2]), ("ANY tags.name == 'a'", [1]),
                ("NONE tags.name == 'a'", [2, 3]), ("ALL tags.name == 'a'", [3]), ("ANY tags == nil", []),
                ("SUBQUERY(tags, $t, $t.name != 'a').@count == 1", [1, 2]), ("tags.@max.name == nil", [2, 3]),
                ("ANY tags.name MATCHES '(?!b).*'", [1]), ("NONE tags.name != 'a' AND tags.@count > 0", []),
                ("SUBQUERY(tags, $t, $t.todos.@count == 2).@count > 0", [1, 2]),
            ])
        for store in stores {
            let all = StoreRequest("todo", sort: [PredicateSortKey("id")])
            let tags = try store.fetch(all).map { object -> [String] in
                guard case .array(let elements) = object["tags"] else { return [] }
                return elements.compactMap { element in
                    guard case .object(let reference) = element, let tag = reference.object as? StoredObject
                    else { return nil }
                    return "\(tag.primaryKey[0]) \(tag["name"]) \(tag.isMissing)"
                }
            }
            #expect(tags == [["1 \"a\" false", "7 nil true"], ["7 nil true"], []], "\(type(of: store))")
            #expect(try store.fetch(all)[0].objects("tags").count == 1)
        }
    }

    /// A key that refers to a row of another entity in a shared table is like one that refers to no row.
    @Test func danglingKeysOfSharedTables() throws {
        let schema = try PredicateSchema([
            .init(
                "Agent", table: "agent", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("name", .string, isOptional: true)], discriminator: "kind"),
            .init("Boss", parent: "Agent", code: .string("boss")),
            .init(
                "Visit", table: "visit", primaryKey: ["id"], attributes: [.init("id", .integer)],
                relationships: [
                    .init("boss", to: "Boss", isOptional: true, link: .column("agent_id")),
                    .init("agent", to: "Agent", isOptional: true, link: .column("agent_id")),
                    .init("bosses", toMany: "Boss", link: .join(table: "visit_agent", from: "visit", to: "agent")),
                ]),
        ])
        let memory = try InMemoryStore(
            schema,
            [
                "Agent": [["id": 2, "name": "b"]], "Boss": [["id": 1, "name": "a"]],
                "Visit": [
                    ["id": 1, "boss": 1, "bosses": [1, 2]], ["id": 2, "boss": 2, "bosses": [2]],
                    ["id": 3, "boss": 9, "bosses": [9]], ["id": 4, "boss": nil],
                ],
            ])
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        for statement in [
            "CREATE TABLE agent (id INTEGER PRIMARY KEY, kind TEXT, name TEXT)",
            "CREATE TABLE visit (id INTEGER PRIMARY KEY, agent_id INTEGER)",
            "CREATE TABLE visit_agent (visit INTEGER, agent INTEGER)",
            "INSERT INTO agent VALUES (1, 'boss', 'a'), (2, NULL, 'b')",
            "INSERT INTO visit VALUES (1, 1), (2, 2), (3, 9), (4, NULL)",
            "INSERT INTO visit_agent VALUES (1, 1), (1, 2), (2, 2), (3, 9)",
        ] { _ = try database.rows(statement) }
        try Self.check(
            [memory, database], "Visit",
            [
                ("boss == nil", [4]), ("boss != nil", [1, 2, 3]), ("boss.name == nil", [2, 3, 4]),
                ("boss.id == 9", [3]), ("boss.id == 2", [2]), ("boss == agent", [1, 2, 3, 4]),
                ("agent != nil AND boss == nil", []), ("agent.name != nil AND boss.name == nil", [2]),
                ("boss.name MATCHES '(?!b).*'", [1]), ("boss != nil AND boss.name == nil", [2, 3]),
                ("bosses.@count == 1", [2, 3]), ("bosses.@count == 2", [1]), ("bosses.@count == 0", [4]),
                ("ANY bosses.name == nil", [1, 2, 3]), ("ANY bosses.id > 1", [1, 2, 3]),
                ("ANY bosses.name == 'a'", [1]), ("ALL bosses.name == 'a'", [4]),
            ])
        for store in [memory, database] as [any PredicateStore] {
            let visits = try store.fetch(StoreRequest("Visit", sort: [PredicateSortKey("id")]))
            #expect(visits.map { $0["boss"].isNil } == [false, false, false, true])
            #expect(visits.map { $0.objects("boss").count } == [1, 0, 0, 0])
            #expect(visits.map { $0.objects("bosses").count } == [1, 0, 0, 0])
        }
    }
}
