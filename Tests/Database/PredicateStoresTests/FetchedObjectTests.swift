// Fetched objects in predicates, and records as literals. This file imports only PredicateStores, as an app does.
import PredicateStores
import Testing

@Suite struct FetchedObjectTests {
    private func store() throws -> InMemoryStore {
        let schema = try PredicateSchema([
            .init(
                "Task", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("title", .string), .init("notes", .string, isOptional: true),
                ],
                relationships: [.init("project", to: "Project", link: .column("project_id"))]),
            .init("Project", primaryKey: ["id"], attributes: [.init("id", .integer), .init("name", .string)]),
        ])
        let store = try InMemoryStore(schema, [:])
        try store.insert([["id": 1, "name": "Home"], ["id": 2, "name": "Work"]], into: "Project")
        let none: String? = nil
        try store.insert(
            [
                ["id": 1, "title": "bread", "project": 1, "notes": "rye"], ["id": 2, "title": "letter", "project": 2],
                ["id": 3, "title": "airing", "project": 1, "notes": none],
            ], into: "Task")
        return store
    }

    @Test func areFilteredAndSortedInMemory() throws {
        let store = try store()
        let tasks = try store.fetch(StoreRequest("Task", sort: [PredicateSortKey("id")]))
        let home = try #require(try store.one(StoreRequest("Project", matching: ["name": .string("Home")])))
        let atHome = try tasks.filter("project == %@", home)
        #expect(atHome.map { $0["id"] } == [.integer(1), .integer(3)])
        #expect(try tasks.filter("project.name == 'Work' AND notes == nil").map { $0["id"] } == [.integer(2)])
        #expect(
            try tasks.sorted(by: [PredicateSortKey("title")]).map { $0["id"] } == [
                .integer(3), .integer(1), .integer(2),
            ])
        #expect(try FormatPredicate("project.name BEGINSWITH 'H'").evaluate(tasks[0]))
        #expect(try store.count(StoreRequest("Task", where: FormatPredicate("project == %@", home))) == 2)
        #expect(try tasks.filter("nope == 1").isEmpty)
    }

    @Test func changesMayBeIgnored() throws {
        let store = try store()
        store.ignoresResults()
        #expect(try store.count(StoreRequest("Task")) == 0)
    }

    @Test func literals() {
        let nothing: Int? = nil
        let record: ValueDictionary = ["b": 1, "a": "x", "c": nothing, "d": nil, "e": [1, 2], "f": 1.5]
        #expect(record.keys == ["b", "a", "c", "d", "e", "f"])
        let values: [PredicateValue] = [
            .integer(1), .string("x"), .null, .null, .array([.integer(1), .integer(2)]), .double(1.5),
        ]
        #expect(record.values == values)
        #expect("\(record)" == #"{b=1, a="x", c=nil, d=nil, e={1, 2}, f=1.5}"#)
    }
}

extension InMemoryStore {
    /// Compiles without a warning.
    fileprivate func ignoresResults() {
        do {
            try update(StoreRequest("Task"), set: [KeyAssignment("title", .string("x"))])
            try delete(StoreRequest("Task"))
        } catch {
            Issue.record(error)
        }
    }
}
