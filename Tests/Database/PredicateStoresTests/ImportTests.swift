// Tests of imports: graphs with cycles, shared objects and missing references become the same objects in the store.

import Foundation
import PredicateModel
import PredicateSQL
import PredicateStores
import PredicateSyntax
import PredicateTestSupport
import Testing

/// The classes of an app that archived its objects.
final class ArchivedTodo: NSObject, NSCoding {
    var id: Int?
    let title: String
    let due: Date?
    var project: ArchivedProject?
    var blocker: ArchivedTodo?
    var tags: [ArchivedTag] = []

    init(_ id: Int?, _ title: String, due: Date? = nil) { (self.id, self.title, self.due) = (id, title, due) }

    required init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        if let id { coder.encode(id, forKey: "id") }
        coder.encode(title as NSString, forKey: "title")
        coder.encode(due.map { $0 as NSDate }, forKey: "due")
        coder.encode(project, forKey: "project")
        coder.encode(blocker, forKey: "blocker")
        coder.encode(tags as NSArray, forKey: "tags")
    }
}

final class ArchivedProject: NSObject, NSCoding {
    let name: String
    var todos: [ArchivedTodo] = []

    init(_ name: String) { self.name = name }

    required init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(todos as NSArray, forKey: "todos")
    }
}

final class ArchivedTag: NSObject, NSCoding {
    let name: String

    init(_ name: String) { self.name = name }

    required init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }
}

/// Runs each test twice: with rows that are written together, and with each record by itself.
struct BothPaths: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        if testCase != nil { try await ImportOptions.$isRowByRow.withValue(true) { try await function() } }
    }
}

@Suite(BothPaths()) struct ImportTests {
    private typealias Attribute = PredicateSchema.Attribute
    private typealias Relationship = PredicateSchema.Relationship

    private static func store() throws -> SQLiteStore {
        let id = Attribute("id", .integer)
        let tags = PredicateSchema.Relationship.Link.join(table: "todo_tag", from: "todo", to: "tag")
        let schema = try PredicateSchema([
            .init(
                "Todo", table: "todo", primaryKey: ["id"],
                attributes: [id, .init("title", .string), .init("due", .date, isOptional: true)],
                relationships: [
                    .init("project", to: "Project", link: .column("project_id"), inverse: "todos"),
                    .init("blocker", to: "Todo", link: .column("blocker_id")), .init("tags", toMany: "Tag", link: tags),
                ]),
            .init(
                "Project", table: "project", primaryKey: ["id"], attributes: [id, .init("name", .string)],
                relationships: [.init("todos", toMany: "Todo", link: .foreignKey("project_id"))]),
            .init("Tag", table: "tag", primaryKey: ["id"], attributes: [id, .init("name", .string)]),
            .init(
                "Note", table: "note", primaryKey: ["id"], attributes: [id],
                relationships: [.init("todo", to: "Todo", isOptional: false, link: .column("todo_id"))]),
        ])
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        for statement in [
            "CREATE TABLE todo (id INTEGER PRIMARY KEY, title TEXT NOT NULL, due REAL, project_id INTEGER, blocker_id INTEGER)",
            "CREATE TABLE project (id INTEGER PRIMARY KEY, name TEXT)",
            "CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT)",
            "CREATE TABLE note (id INTEGER PRIMARY KEY, todo_id INTEGER NOT NULL)",
            "CREATE TABLE todo_tag (todo INTEGER, tag INTEGER, PRIMARY KEY (todo, tag))",
        ] { _ = try store.rows(statement) }
        return store
    }

    private static func file(_ bytes: Data, _ suffix: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID()).\(suffix)").path
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func run(
        _ store: SQLiteStore, _ bytes: Data, _ suffix: String, _ entity: String = "Todo",
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportReport {
        let path = try file(bytes, suffix)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var options = ImportOptions()
        change(&options)
        return try store.importFiles([path], into: entity, options: options)
    }

    private static func run(
        _ store: SQLiteStore, _ text: String, _ suffix: String, _ entity: String = "Todo",
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportReport { try run(store, Data(text.utf8), suffix, entity, change) }

    private static func archive(_ root: Any) throws -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.setClassName("App.Todo", for: ArchivedTodo.self)
        archiver.setClassName("App.Project", for: ArchivedProject.self)
        archiver.setClassName("App.Tag", for: ArchivedTag.self)
        archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return archiver.encodedData
    }

    /// Todos that refer to each other, also in cycles, with shared projects and tags.
    private static func graph(_ random: inout SplitMix, hasKeys: Bool) -> [ArchivedTodo] {
        let projects = (0..<3).map { ArchivedProject("p\($0)") }
        let tags = (0..<3).map { ArchivedTag("t\($0)") }
        let todos = (0..<1 + random.below(8)).map { index in
            ArchivedTodo(
                hasKeys ? 100 + index : nil, "todo \(index)",
                due: random.chance(50) ? nil : Date(timeIntervalSinceReferenceDate: Double(index) + 0.5))
        }
        for todo in todos {
            if random.chance(60) { todo.blocker = random.pick(todos) }
            todo.tags = tags.filter { _ in random.chance(40) }
            guard random.chance(70) else { continue }
            let project = random.pick(projects)
            // Sets the relationship at one side, at the other side, or at both.
            if random.chance(60) { todo.project = project }
            if todo.project == nil || random.chance(50) { project.todos.append(todo) }
        }
        return todos
    }

    /// The content of a todo, with names instead of objects.
    private struct Todo: Hashable {
        let title: String
        var due: Double?
        var project: String?
        var blocker: String?
        var tags: Set<String> = []
    }

    private static func text(_ value: PredicateValue) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    private static func todos(_ store: SQLiteStore) throws -> Set<Todo> {
        Set(
            try store.fetch(StoreRequest("Todo")).map { object in
                var todo = Todo(title: text(object["title"]) ?? "")
                if case .date(let seconds) = object["due"] { todo.due = seconds }
                todo.project = text(object.value(at: "project.name"))
                todo.blocker = text(object.value(at: "blocker.title"))
                todo.tags = Set(object.objects("tags").compactMap { text($0["name"]) })
                return todo
            })
    }

    /// The todos that can be reached from the archived ones, with the content of the archive.
    private static func todos(_ archived: [ArchivedTodo]) -> Set<Todo> {
        var projects: [ObjectIdentifier: String] = [:]
        var reached: Set<ObjectIdentifier> = []
        for todo in archived {
            guard let project = todo.project else { continue }
            for other in project.todos { projects[ObjectIdentifier(other)] = project.name }
            reached.insert(ObjectIdentifier(project))
        }
        return Set(
            archived.map { todo in
                var found = Todo(title: todo.title)
                found.due = todo.due?.timeIntervalSinceReferenceDate
                found.project = todo.project?.name ?? projects[ObjectIdentifier(todo)]
                found.blocker = todo.blocker?.title
                found.tags = Set(todo.tags.map(\.name))
                return found
            })
    }

    @Test func archivesAreTheSameObjects() throws {
        var random = SplitMix(0xA1)
        for _ in 0..<TestDepth.count(400) {
            let graph = Self.graph(&random, hasKeys: random.chance(50))
            let store = try Self.store()
            let report = try Self.run(store, try Self.archive(graph as NSArray), "archive")
            #expect(report.isCommitted && report.lossCount == 0, "\(report.losses)")
            #expect(try Self.todos(store) == Self.todos(graph))
            #expect(report.rows["Todo"] == graph.count)
            // Each shared object is one row.
            let projects = Set(graph.compactMap { $0.project?.name })
            #expect(try store.count(StoreRequest("Project")) == projects.count)
            #expect(try store.count(StoreRequest("Tag")) == Set(graph.flatMap { $0.tags.map(\.name) }).count)
        }
    }

    /// Only the project refers to its todos; no todo refers to its project.
    @Test func oneSideOfARelationshipIsEnough() throws {
        let project = ArchivedProject("p")
        project.todos = [ArchivedTodo(nil, "a"), ArchivedTodo(nil, "b")]
        let store = try Self.store()
        let report = try Self.run(store, try Self.archive([project] as NSArray), "archive", "Project")
        #expect(report.rows == ["Project": 1, "Todo": 2])
        #expect(try Self.todos(store).map(\.project) == ["p", "p"])
    }

    @Test(.inCI) func longChainsDoNotRecurse() throws {
        let objects = (0..<4_000).map {
            "<dict><key>$class</key><dict><key>CF$UID</key><integer>1</integer></dict><key>title</key><string>t\($0)</string><key>blocker</key><dict><key>CF$UID</key><integer>\($0 == 3_999 ? 2 : $0 + 3)</integer></dict></dict>"
        }
        let list = """
            <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key><dict><key>root</key><dict>\
            <key>CF$UID</key><integer>2</integer></dict></dict><key>$objects</key><array><string>$null</string><dict>\
            <key>$classname</key><string>Todo</string></dict>\(objects.joined())</array></dict></plist>
            """
        let store = try Self.store()
        #expect(try Self.run(store, list, "plist").rows == ["Todo": 4_000])
        #expect(try store.count(StoreRequest("Todo", where: FormatPredicate("blocker == nil"))) == 0)
    }

    @Test func recordsHaveObjectsInThem() throws {
        let store = try Self.store()
        let json = """
            [{"id": 1, "title": "a", "due": "2026-01-01T00:00:00Z", "project": {"id": 5, "name": "p"}, "tags": [{"id": 1, "name": "x"}, 2]},
             {"id": 2, "title": "b", "project": {"id": 5, "name": "p"}, "blocker": 3, "tags": [{"id": 2, "name": "y"}]},
             {"id": 3, "title": "c", "project": {"id": 5}, "blocker": {"id": 2}},
             {"title": "d", "project": {"name": "q"}}]
            """
        let report = try Self.run(store, json, "json")
        #expect(report.isCommitted && report.rows == ["Todo": 4, "Project": 2, "Tag": 2], "\(report.losses)")
        #expect(report.links == 3)
        let due = 788_918_400.0
        #expect(
            try Self.todos(store) == [
                Todo(title: "a", due: due, project: "p", tags: ["x", "y"]),
                Todo(title: "b", project: "p", blocker: "c", tags: ["y"]), Todo(title: "c", project: "p", blocker: "b"),
                Todo(title: "d", project: "q"),
            ])
        #expect(try store.count(StoreRequest("Project")) == 2)
    }

    @Test func tablesAreConverted() throws {
        let store = try Self.store()
        let report = try Self.run(store, "id,title,due,project\n1,007,2026-01-01,\n2,1.50,,\n", "csv")
        #expect(report.isCommitted && report.lossCount == 0, "\(report.losses)")
        #expect(try Self.todos(store) == [Todo(title: "007", due: 788_918_400), Todo(title: "1.50")])
    }

    // MARK: Losses

    @Test func oneLossCancelsTheImport() throws {
        let text = """
            {"id": 1, "title": "a"}
            {"id": 1, "title": "again"}
            {"id": 2, "titel": "b"}
            {"id": 3, "title": "c", "due": "soon"}
            {"id": 4, "title": "d", "blocker": 9}
            {"id": 5}
            {"id": 6, "title": "e", "tags": [7]}
            nonsense
            """
        let store = try Self.store()
        let all = try Self.run(store, text, "jsonl")
        #expect(!all.isCommitted && all.lossCount == 7)
        #expect(try store.count(StoreRequest("Todo")) == 0)
        let dry = try Self.run(store, text, "jsonl") { ($0.keepsGoing, $0.isDryRun) = (true, true) }
        #expect(!dry.isCommitted && dry.rows == ["Todo": 3])
        #expect(try store.count(StoreRequest("Todo")) == 0)
        let some = try Self.run(store, text, "jsonl") { $0.keepsGoing = true }
        #expect(some.isCommitted && some.lossCount == 7 && some.losses.map(\.reason) == all.losses.map(\.reason))
        #expect(try Self.todos(store) == [Todo(title: "a"), Todo(title: "d"), Todo(title: "e")])
        let places = some.losses.map { $0.place.split(separator: ":").last ?? "" }
        #expect(places == ["2", "3", "4", "6", "8", "5", "7"], "\(some.losses)")
        #expect(some.losses[1].reason.contains("did you mean 'title'") && some.losses[5].reason.contains("Todo 9"))
        // The lost record can be imported again.
        let lost = try #require(some.losses[5].record)
        #expect(lost["blocker"] == .integer(9) && lost["id"] == .integer(4))
        let again = try Self.run(store, #"{"id": 4, "blocker": {"id": 9, "title": "late"}}"#, "jsonl") {
            $0.updates = true
        }
        #expect(again.isCommitted && again.rows == ["Todo": 2])
        #expect(try Self.todos(store).contains(Todo(title: "d", blocker: "late")))
    }

    /// An entity can have the keys of a lost record.
    @Test func recordsWithTheKeysOfALossAreRecords() throws {
        let keys = ["at", "entity", "reason", "record"]
        let loss = PredicateSchema.Entity(
            "Loss", primaryKey: ["at"], attributes: keys.map { PredicateSchema.Attribute($0, .string) })
        let store = try SQLiteStore(path: ":memory:", schema: PredicateSchema([loss]), mode: .create)
        _ = try store.rows("CREATE TABLE Loss (at TEXT PRIMARY KEY, entity TEXT, reason TEXT, record TEXT)")
        let text = #"{"at": "a.json:1", "entity": "Todo", "reason": "no title", "record": "{}"}"#
        let report = try Self.run(store, text, "jsonl", "Loss")
        #expect(report.isCommitted && report.lossCount == 0 && report.rows == ["Loss": 1], "\(report.losses)")
    }

    @Test func aRowWithoutItsRequiredObjectIsNotImported() throws {
        let store = try Self.store()
        let report = try Self.run(store, #"[{"id": 1, "todo": {"title": "a"}}, {"id": 2, "todo": 77}]"#, "json", "Note")
        { $0.keepsGoing = true }
        #expect(report.isCommitted && report.losses.map(\.reason).first?.hasSuffix("cannot be nil") == true)
        #expect(report.rows == ["Todo": 1, "Note": 1])
        #expect(try store.count(StoreRequest("Todo")) == 1)
        #expect(try store.fetch(StoreRequest("Note")).map { $0["id"] } == [.integer(1)])
    }

    @Test func keysCanBeIgnored() throws {
        let store = try Self.store()
        let report = try Self.run(store, #"[{"title": "a", "color": "red"}]"#, "json") { $0.ignoredKeys = ["color"] }
        #expect(report.rows == ["Todo": 1])
    }

    /// The import of a damaged archive fails, or reports what it lost. It never changes data without a report.
    @Test func damagedArchivesAreReported() throws {
        var random = SplitMix(0xA2)
        let graph = Self.graph(&random, hasKeys: true)
        let whole = try Self.archive(graph as NSArray)
        // The offset of the table of objects. If an entry of the table is damaged, its object cannot be found.
        let table = whole.suffix(32).dropFirst(24).reduce(0) { $0 << 8 | Int($1) }
        for _ in 0..<TestDepth.count(600) {
            var bytes = whole
            if random.chance(10) {
                bytes.removeLast(1 + random.below(bytes.count - 1))
            } else {
                for _ in 0..<1 + random.below(2) {
                    bytes[table + random.below(bytes.count - table)] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            let strict = try Self.store()
            let all = try Self.run(strict, bytes, "plist")
            #expect(all.isCommitted == (all.lossCount == 0))
            if !all.isCommitted { #expect(try strict.count(StoreRequest("Todo")) == 0) }
            let lenient = try Self.store()
            let some = try Self.run(lenient, bytes, "plist") { $0.keepsGoing = true }
            #expect((some.lossCount == 0) == (all.lossCount == 0), "\(all.losses) \(some.losses)")
            #expect(try lenient.count(StoreRequest("Todo")) == (some.isCommitted ? some.rows["Todo"] ?? 0 : 0))
        }
    }

    @Test func oneDamagedObjectLeavesTheOthers() throws {
        let todos = (0..<5).map { ArchivedTodo($0 + 1, "todo \($0)") }
        var bytes = try Self.archive(todos as NSArray)
        // The title becomes an object of an unknown type: its marker is the byte before the text.
        let title = try #require(bytes.range(of: Data("todo 3".utf8)))
        bytes[title.lowerBound - 1] = 0x9F
        let store = try Self.store()
        #expect(try Self.run(store, bytes, "plist").isCommitted == false)
        let report = try Self.run(store, bytes, "plist") { $0.keepsGoing = true }
        #expect(report.isCommitted && report.lossCount > 0)
        #expect(try Self.todos(store) == Set((0..<5).filter { $0 != 3 }.map { Todo(title: "todo \($0)") }))
    }

    @Test func listsFollowImports() throws {
        let store = try Self.store()
        let list = try store.observe(StoreRequest("Todo", sort: [PredicateSortKey("title")]), sections: "project.name")
        let report = try Self.run(store, #"[{"title": "a", "project": {"name": "p"}}, {"title": "b"}]"#, "json")
        #expect(report.isCommitted, "\(report.losses)")
        #expect(list.results.sections.map(\.value) == [.null, .string("p")])
        _ = try Self.run(store, #"[{"title": "c"}]"#, "json") { $0.isDryRun = true }
        #expect(list.results.count == 2)
    }

    /// A table with AUTOINCREMENT gives no key twice, even after its rows are deleted.
    @Test func keysOfDeletedRowsAreNotGivenAgain() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(#"[{"name": "c"}, {"name": "d"}]"#.utf8).write(to: URL(fileURLWithPath: path))
        for (type, keys) in [("AUTOINCREMENT", [3, 4]), ("", [1, 2])] {
            let maker = try SQLiteStore(path: ":memory:", mode: .create)
            _ = try maker.rows("CREATE TABLE item (id INTEGER PRIMARY KEY \(type), name TEXT)")
            _ = try maker.rows("INSERT INTO item (name) VALUES ('a'), ('b')")
            _ = try maker.rows("DELETE FROM item")
            let store = try maker.refreshed()
            #expect(try store.importFiles([path], into: "item").lossCount == 0)
            #expect(try store.rows("SELECT id FROM item ORDER BY id") == keys.map { [.integer(Int64($0))] })
        }
    }
}
