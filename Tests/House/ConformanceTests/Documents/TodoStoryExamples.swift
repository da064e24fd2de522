// swift-format-ignore-file
// The Swift of "A to-do list from its archive to its screen", compiled and run.

import Foundation
import PredicateSQL
import PredicateStores
import Predicates
import Testing

// Todo-story {
struct Todo: Storable {
    var id: Int?
    var name: String
    var lastAlert: Date?
    var isFlagged = false
    var list: TodoList?

    static let keys: KeyTable<Todo> = [
        .key("id", \.id), .key("name", \.name), .key("lastAlert", \.lastAlert), .key("isFlagged", \.isFlagged),
        .key("list", \.list),
    ]

    static func describe(_ entity: inout PredicateSchema.Entity) {
        entity[attribute: "isFlagged"]?.defaultValue = false
    }

    init(_ object: StoredObject) throws {
        id = try object.read("id")
        name = try object.read("name")
        lastAlert = try object.read("lastAlert")
        isFlagged = try object.read("isFlagged")
        list = try object.read("list")
    }
}

struct TodoList: Storable {
    var id: Int?
    var title: String
    var todos: [Todo]?

    static let keys: KeyTable<TodoList> = [.key("id", \.id), .key("title", \.title), .key("todos", \.todos)]

    init(_ object: StoredObject) throws {
        id = try object.read("id")
        title = try object.read("title")
        todos = try object.read("todos")
    }
}
// } Todo-story

@Suite struct TodoStoryExamples {
    @Test func theArticleRuns() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("todo-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("todo.sqlite").path
        let file = folder.appendingPathComponent("todo.archive").path
        // Todo-story {
        let model = try PredicateSchema(of: [Todo.self, TodoList.self], version: "1")
        let store = try SQLiteStore(path: path, schema: model, mode: .create)
        try store.create(model)
        // } Todo-story

        // Todo-story {
        let home: NSDictionary = ["title": "Home"]
        let todos: [NSDictionary] = [
            ["name": "airing the room", "list": home, "lastAlert": Date(timeIntervalSinceReferenceDate: 800_000_000)],
            ["name": "bread", "list": ["title": "Shop"]],
            ["name": "ask the neighbours", "list": home],
        ]
        let archive = try NSKeyedArchiver.archivedData(withRootObject: todos as NSArray, requiringSecureCoding: false)
        // } Todo-story
        try archive.write(to: URL(fileURLWithPath: file))

        // Todo-story {
        let report = try store.importFiles([file], into: "Todo")
        print(report.rows)  // ["Todo": 3, "TodoList": 2]
        // } Todo-story
        #expect(report.rows == ["Todo": 3, "TodoList": 2] && report.isCommitted)

        // Todo-story {
        let lists = try store.fetch(TodoList.self, StoreRequest("TodoList", sort: [PredicateSortKey("title")], prefetch: ["todos"]))
        let counts = lists.map { "\($0.title): \($0.todos?.count ?? 0)" }  // Home: 2, Shop: 1
        // } Todo-story
        #expect(counts == ["Home: 2", "Shop: 1"])

        // Todo-story {
        let today = Date(timeIntervalSinceReferenceDate: 800_003_600)
        let alerts = StoreRequest(
            "Todo", where: try FormatPredicate("lastAlert == nil OR lastAlert < %@", today.addingTimeInterval(-86_400)),
            sort: [PredicateSortKey("name")])
        let due = try store.fetch(alerts).map { $0["name"] }  // ask the neighbours, bread
        // } Todo-story
        #expect(due == [.string("ask the neighbours"), .string("bread")])

        // Todo-story {
        let count = try store.update(
            StoreRequest("Todo", where: try FormatPredicate("name BEGINSWITH 'a'")),
            set: [KeyAssignment("isFlagged", true)])  // 2
        // } Todo-story
        #expect(count == 2)

        // Todo-story {
        var todo = model.entities[0]
        todo[attribute: "name"]?.formerly = "name"
        todo[attribute: "name"]?.name = "title"
        todo[attribute: "title"]?.column = "title"
        todo[attribute: "priority"] = .init("priority", .integer)
        let newModel = try PredicateSchema([todo, model.entities[1]], version: "2")
        // } Todo-story

        // Todo-story {
        var mapping = MigrationMapping()
        mapping.add(
            "Todo", from: "Todo", values: ["priority": .expression(try FormatExpression("TERNARY(isFlagged == YES, 1, 0)"))],
            policy: { old, values in old["list"] == .null ? [] : [values] })
        let migration = try StoreMigration(path: path, to: newModel, mapping: mapping)
        let migrated = try migration.run().steps.map { "\($0.entity): \($0.made) of \($0.read)" }  // Todo: 3 of 3
        let database = try SQLiteStore(path: path, schema: newModel, mode: .readWrite)
        // } Todo-story
        #expect(migrated == ["Todo: 3 of 3"])

        // Todo-story {
        let checker = try TypeChecker(schema: newModel, entity: "Todo")
        let broken = try ["isFlagged == YES", "name BEGINSWITH 'a'"].flatMap { text in
            try checker.check(FormatPredicate(text: text)).map { "\(text): \($0.message)" }
        }
        // name BEGINSWITH 'a': Todo has no key 'name'
        // } Todo-story
        #expect(broken == ["name BEGINSWITH 'a': Todo has no key 'name'"])

        // Todo-story {
        let list = try database.observe(StoreRequest("Todo", sort: [PredicateSortKey("title")]), sections: "list.title")
        for section in list.results.sections {
            print(section.value, list.results[section.range].map { $0["title"] })
        }
        // } Todo-story
        #expect(list.results.sections.map(\.value) == [.string("Home"), "Shop"])

        // Todo-story {
        var changes = list.makeAsyncIterator()
        let first = try await changes.next()  // 2 sections and 3 rows are inserted
        let bags: ValueDictionary = ["title": "zip bags", "isFlagged": false, "priority": 2]
        try database.insert([bags], into: "Todo")
        let second = try await changes.next()  // a section for nil is inserted, with a row
        let shop = try database.one(StoreRequest("TodoList", matching: ["title": "Shop"]))
        _ = try database.update(
            StoreRequest("Todo", matching: ["title": "zip bags"]),
            set: [KeyAssignment("list", shop?["id"] ?? .null)])
        let third = try await changes.next()  // the row moves to another section, and its section is deleted
        // } Todo-story
        #expect(first?.insertedSections == [0, 1] && first?.inserted.count == 3)
        #expect(second?.insertedSections == [0] && second?.inserted.map(\.description) == ["[0, 0]"])
        #expect(third?.deletedSections == [0] && third?.moved.map(\.to.description) == ["[1, 1]"])
    }
}
