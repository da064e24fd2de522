// swift-format-ignore-file
// The Swift of "A to-do list from its archive to its screen". `.ci/examples` puts the blocks of the article in and runs it.

import Foundation
import PredicateSQL
import PredicateStores
import Predicates
import Testing

// block: struct Todo: Storable {

@Suite struct TodoStoryExamples {
    @Test func theArticleRuns() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("todo-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("todo.sqlite").path
        let file = folder.appendingPathComponent("todo.archive").path
        // block: let model = try PredicateSchema(of: [Todo.self, TodoList.self], version: "1")

        // block: let home: NSDictionary = ["title": "Home"]
        try archive.write(to: URL(fileURLWithPath: file))

        // block: let report = try store.importFiles([file], into: "Todo")
        #expect(report.rows == ["Todo": 3, "TodoList": 2] && report.isCommitted)

        // block: let lists = try store.fetch(TodoList.self, StoreRequest("TodoList", sort: [PredicateSortKey("title")], prefetch: ["todos"]))
        #expect(counts == ["Home: 2", "Shop: 1"])

        // block: let today = Date(timeIntervalSinceReferenceDate: 800_003_600)
        #expect(due == [.string("ask the neighbours"), .string("bread")])

        // block: let count = try store.update(
        #expect(count == 2)

        // block: var todo = model.entities[0]

        // block: var mapping = MigrationMapping()
        #expect(migrated == ["Todo: 3 of 3"])

        // block: let checker = try TypeChecker(schema: newModel, entity: "Todo")
        #expect(broken == ["name BEGINSWITH 'a': Todo has no key 'name'"])

        // block: let list = try database.observe(StoreRequest("Todo", sort: [PredicateSortKey("title")]), sections: "list.title")
        #expect(list.results.sections.map(\.value) == [.string("Home"), "Shop"])

        // block: var changes = list.makeAsyncIterator()
        #expect(first?.insertedSections == [0, 1] && first?.inserted.count == 3)
        #expect(second?.insertedSections == [0] && second?.inserted.map(\.description) == ["[0, 0]"])
        #expect(third?.deletedSections == [0] && third?.moved.map(\.to.description) == ["[1, 1]"])
    }
}
